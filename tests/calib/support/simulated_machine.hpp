#pragma once
// A device that only pretends: its clock moves when it steps, its times come from a seeded stream.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "calib/backend/background_load.hpp"
#include "calib/backend/step_runner.hpp"
#include "calib/measure/measure.hpp"
#include "sim/base/random.hpp"

namespace dbsim::calib::test {

/// All spreads are relative to the step time.
struct MachineTraits {
  std::function<double(std::int64_t)> law = [](std::int64_t batch) {
    return 0.004 + 0.0005 * static_cast<double>(batch);
  };
  double step_noise{0.01};
  double step_memory{0.5};  // correlation of a step's noise with the next step's
  double visit_noise{0.0};  // drawn anew whenever room is made
  double drift{0.0};        // spread of a drift that forgets itself after drift_s
  double drift_s{30.0};
  double walk{0.0};     // spread of a random walk after one second
  double warming{0.0};  // slower by this once warm, after warming_s from each start
  double warming_s{60.0};
  double spike_probability{0.0};  // per visit: the whole visit is slowed
  double spike_factor{1.5};
  double throttled_from{1e300};  // seconds; slower by a third in between, and says so
  double throttled_to{1e300};
  std::int64_t largest_batch{1'000'000};
};

/// The machine lives on between runs: so do its clock, its drift and its random stream.
class SimulatedMachine {
 public:
  SimulatedMachine(MachineTraits traits, std::uint64_t seed)
      : traits_{std::move(traits)}, stream_{seed} {}
  [[nodiscard]] const MachineTraits& traits() const { return traits_; }
  [[nodiscard]] double now() const { return now_; }
  /// Time goes by, and the drift with it.
  void pass(double seconds);
  [[nodiscard]] double normal() { return stream_.normal(); }
  [[nodiscard]] double uniform() { return stream_.uniform(); }
  [[nodiscard]] bool throttled() const {
    return now_ >= traits_.throttled_from && now_ < traits_.throttled_to;
  }
  /// Of the machine as it is now.
  [[nodiscard]] double factor(double since_start) const;
  /// How many background loads run, and what each costs.
  int loads{0};
  double cost_of_load{0.4};

 private:
  MachineTraits traits_;
  RandomStream stream_;
  double now_{0.0};
  double drift_{0.0};
  double walk_{0.0};
};

class SimulatedRunner : public StepRunner {
 public:
  explicit SimulatedRunner(SimulatedMachine& machine)
      : machine_{machine}, started_{machine.now()} {}
  [[nodiscard]] DeviceDescription device() const override;
  [[nodiscard]] DeviceState state() override;
  [[nodiscard]] bool prepare(std::int64_t batch) override;
  StepTimes step() override;
  [[nodiscard]] std::int64_t memory_bytes() const override { return 1'000'000 + 1000 * batch_; }
  [[nodiscard]] const std::vector<GradientBucket>& buckets() const override { return buckets_; }

  std::vector<std::int64_t> prepared;  // every batch that room was asked for, in order

 private:
  SimulatedMachine& machine_;
  double started_;
  std::int64_t batch_{0};
  double visit_factor_{1.0};
  double noise_{0.0};
  std::vector<GradientBucket> buckets_{{3'000'000}, {1'000'000}};
};

/// Each copy makes steps slower by the machine's cost_of_load.
class SimulatedLoad : public BackgroundLoad {
 public:
  SimulatedLoad(SimulatedMachine& machine, std::string kind)
      : machine_{machine}, kind_{std::move(kind)} {}
  [[nodiscard]] std::string kind() const override { return kind_; }
  void start(int intensity, std::int64_t) override { machine_.loads = intensity; }
  void stop() override { machine_.loads = 0; }

 private:
  SimulatedMachine& machine_;
  std::string kind_;
};

/// The machine's own clock, and nobody who interrupts.
[[nodiscard]] Surroundings undisturbed(const SimulatedMachine& machine);

}  // namespace dbsim::calib::test
