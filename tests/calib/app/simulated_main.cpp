// dbsim-calibrate on pretended devices: the real program otherwise, for tests to run.
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "calib/app/calibrate.hpp"
#include "calib/backend/devices.hpp"
#include "sim/program/execute.hpp"
#include "tests/calib/support/simulated_machine.hpp"

namespace {

using namespace dbsim;
using namespace dbsim::calib;

/// A step takes some real time too, so that a test can interrupt in the middle.
class PacedRunner : public test::SimulatedRunner {
 public:
  using SimulatedRunner::SimulatedRunner;
  StepTimes step() override {
    std::this_thread::sleep_for(std::chrono::microseconds{200});
    return SimulatedRunner::step();
  }
};

/// Works for a while.
class FailingRunner : public test::SimulatedRunner {
 public:
  using SimulatedRunner::SimulatedRunner;
  StepTimes step() override {
    if (++steps_ > 20) throw DeviceError{"the bus is gone"};
    return SimulatedRunner::step();
  }

 private:
  int steps_{0};
};

class SimulatedFamily : public DeviceFamily {
 public:
  [[nodiscard]] std::vector<ListedDevice> list() const override {
    return {{.name = "cuda:0",
             .description = "",
             .unusable = "no NVIDIA driver is loaded",
             .backends = {"cudnn", "cublas"},
             .precisions = {"fp32", "tf32"}},
            {.name = "cpu",
             .description = "Simulated device",
             .unusable = "",
             .backends = {"eigen"},
             .precisions = {"fp32"}},
            {.name = "small:0",
             .description = "Simulated device with room for 100 samples",
             .unusable = "",
             .backends = {"eigen"},
             .precisions = {"fp32", "fp16"}},
            {.name = "tiny:0",
             .description = "Simulated device with no room at all",
             .unusable = "",
             .backends = {"eigen"},
             .precisions = {"fp32"}},
            {.name = "failing:0",
             .description = "Simulated device that fails",
             .unusable = "",
             .backends = {"eigen"},
             .precisions = {"fp32"}}};
  }
  [[nodiscard]] std::unique_ptr<StepRunner> make_step_runner(
      const StepRunnerRequest& request) const override {
    test::MachineTraits traits;
    traits.step_noise = 0.005;
    if (request.device == "small:0") traits.largest_batch = 100;
    if (request.device == "tiny:0") traits.largest_batch = 0;
    machine_ = std::make_unique<test::SimulatedMachine>(std::move(traits), request.seed);
    if (request.device == "failing:0") return std::make_unique<FailingRunner>(*machine_);
    return std::make_unique<PacedRunner>(*machine_);
  }
  [[nodiscard]] std::vector<std::unique_ptr<BackgroundLoad>> make_background_loads(
      const StepRunnerRequest& /*request*/) const override {
    std::vector<std::unique_ptr<BackgroundLoad>> loads;
    loads.push_back(std::make_unique<test::SimulatedLoad>(*machine_, "compute"));
    return loads;
  }

 private:
  mutable std::unique_ptr<test::SimulatedMachine> machine_;
};

}  // namespace

int main(int count, char* words[]) {
  DeviceFamilies families;
  families.push_back(std::make_unique<SimulatedFamily>());
  return static_cast<int>(
      execute("dbsim-calibrate", calibrate_command(families), {words + 1, words + count}));
}
