#pragma once
// Steps of a network on a device, timed.
#include <cstdint>
#include <memory>
#include <vector>

#include "calib/backend/device.hpp"
#include "calib/backend/network.hpp"
#include "calib/backend/step_runner.hpp"
#include "calib/kernels/ops.hpp"
#include "calib/spec/model.hpp"

namespace dbsim::calib {

/// Gradients that are all-reduced together: parameters first..last, filled from the last to the
/// first.
struct BucketOfParameters {
  std::size_t first{};
  std::size_t last{};
  std::int64_t bytes{};
};
/// As PyTorch's DistributedDataParallel groups them: from the last parameter on, a bucket is full
/// once it holds 1 MiB (the first one) or 25 MiB.
[[nodiscard]] std::vector<BucketOfParameters> gradient_buckets(const Model& model);

/// Trains on random data with a learning rate so small that the numbers, and so the time, stay as
/// they start.
class NetworkRunner : public StepRunner {
 public:
  NetworkRunner(Model model, std::unique_ptr<Device> device, std::unique_ptr<Ops<float>> ops,
                std::uint64_t seed);
  ~NetworkRunner() override;

  [[nodiscard]] DeviceDescription device() const override { return device_->description(); }
  [[nodiscard]] DeviceState state() override { return device_->state(); }
  [[nodiscard]] bool prepare(std::int64_t batch) override;
  StepTimes step() override;
  [[nodiscard]] std::int64_t memory_bytes() const override;
  [[nodiscard]] const std::vector<GradientBucket>& buckets() const override { return buckets_; }

 private:
  void load_random();

  Model model_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Ops<float>> ops_;
  std::uint64_t seed_;
  std::unique_ptr<Network<float>> network_;
  std::vector<BucketOfParameters> parameters_of_bucket_;
  std::vector<GradientBucket> buckets_;
  std::uint64_t steps_{};
};

}  // namespace dbsim::calib
