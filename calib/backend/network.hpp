#pragma once
// Runs a model's training steps on a device.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "calib/backend/device.hpp"
#include "calib/backend/step_plan.hpp"
#include "calib/kernels/ops.hpp"
#include "calib/spec/model.hpp"

namespace dbsim::calib {

/// Memory of a device, given back at the end.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  /// Throws OutOfMemory.
  DeviceMemory(Device& device, std::int64_t bytes);
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;
  ~DeviceMemory();
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(memory_); }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  Device* device_{};
  void* memory_{};
  std::int64_t bytes_{};
};

/// One batch of samples. Images are samples x the model's input shape; tokens and labels are whole
/// numbers, one label a sample and place of the scores.
template <class T>
struct Batch {
  std::span<const T> images;
  std::span<const std::int32_t> tokens;
  std::span<const std::int32_t> labels;
};

enum class Pass { training, inference };

/// The parameters and their state live here, all in one piece each; gradients too, so that they can
/// be all-reduced from where they are. T is float, or double where rounding matters more than time.
template <class T>
class Network {
 public:
  /// Parameters start as the model says, drawn from `seed`. Model, ops and device must outlive
  /// this.
  Network(const Model& model, Ops<T>& ops, Device& device, std::uint64_t seed);
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  ~Network();

  /// Makes room for batches of so many samples; throws OutOfMemory, and then has none.
  void prepare(Index samples);
  /// Room for batches is given back; parameters stay.
  void give_back();
  [[nodiscard]] Index samples() const { return samples_; }
  /// Copies a batch to the device; samples() of them.
  void load(const Batch<T>& batch);

  /// Scores and loss of the loaded batch. `draw` numbers the random choices of dropout.
  void forward(Pass pass, std::uint64_t draw);
  /// Gradients of the mean loss. `after(i)` is called when the work of parameters i and later is
  /// queued.
  template <class After>
  void backward(const After& after) {
    for (std::size_t s = plan_.steps.size(); s-- > 0;) {
      backward_step(s);
      after(first_parameter(s));
    }
  }
  void backward() {
    backward([](Index) {});
  }
  void update(const SgdSettings& settings);

  struct Loss {
    double mean;
    double correct;  // share of the scores whose largest is the label's
  };
  /// Of the last forward; waits.
  [[nodiscard]] Loss loss();
  /// Of the last forward: samples x places x classes; waits.
  [[nodiscard]] std::vector<T> scores();

  // Parameters by index into Model::parameters, in their documented order; these wait.
  [[nodiscard]] std::vector<T> parameter(std::size_t index) const;
  [[nodiscard]] std::vector<T> gradient(std::size_t index) const;
  void set_parameter(std::size_t index, std::span<const T> values);

  /// All gradients, with padding between parameters that stays zero.
  [[nodiscard]] T* gradients() const;
  [[nodiscard]] T* parameters() const;
  [[nodiscard]] Index padded_parameters() const { return padded_; }
  /// Device memory of all this in bytes.
  [[nodiscard]] std::int64_t memory_bytes() const;

 private:
  struct Forward;
  struct Backward;
  [[nodiscard]] T* at(BufferId buffer) const;
  [[nodiscard]] const T* input_at(const PlannedStep& step, std::size_t which) const;
  [[nodiscard]] T* value(const Node& node, std::size_t which) const;
  [[nodiscard]] T* slope(const Node& node, std::size_t which) const;
  /// Of a batch norm, one value a channel.
  enum class Statistic { mean, inverse_deviation, running_mean, running_variance };
  [[nodiscard]] T* statistics(std::size_t step, Statistic which) const;
  [[nodiscard]] Index first_parameter(std::size_t step) const;
  [[nodiscard]] ChannelShape channels(const Shape& shape) const;
  [[nodiscard]] const Node& node_of(const PlannedStep& step) const;
  void initialise(std::uint64_t seed);
  void make_tables();
  void forward_step(std::size_t number, Pass pass);
  void backward_step(std::size_t number);
  void sort_tokens(std::span<const std::int32_t> tokens);

  const Model& model_;
  Ops<T>& ops_;
  Device& device_;
  StepPlan plan_;
  std::vector<Index> parameter_offset_;
  std::vector<Index>
      statistics_offset_;            // by step: mean, inverse deviation, running mean, variance
  std::vector<Index> table_offset_;  // by step: positional encodings
  Index padded_{};
  DeviceMemory values_;
  DeviceMemory gradients_;
  DeviceMemory velocities_;
  DeviceMemory statistics_;
  DeviceMemory tables_;

  Index samples_{};
  Index different_tokens_{};
  std::uint64_t draw_{};
  ArenaPlan arena_plan_;
  DeviceMemory arena_;
  DeviceMemory images_;
  DeviceMemory whole_;    // tokens, their order, where each begins, labels
  DeviceMemory results_;  // loss and correctness of each score
};

extern template class Network<float>;
extern template class Network<double>;

}  // namespace dbsim::calib
