#include "calib/backend/cpu_family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "calib/backend/cpu_device.hpp"
#include "calib/backend/cpu_load.hpp"
#include "calib/backend/network_runner.hpp"
#include "calib/backend/onednn.hpp"

namespace dbsim::calib {

namespace {

int threads_of(const StepRunnerRequest& request) {
  if (request.threads > 0) return request.threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

CpuLibrary library_of(const StepRunnerRequest& request) {
  const bool eigen = request.backend == "eigen" || !has_onednn();
  return eigen ? CpuLibrary::eigen : CpuLibrary::onednn;
}

class CpuFamily : public DeviceFamily {
 public:
  [[nodiscard]] std::vector<ListedDevice> list() const override {
    const DeviceDescription description =
        make_cpu_device(threads_of({}), CpuLibrary::eigen)->description();
    ListedDevice cpu;
    cpu.name = "cpu";
    cpu.description = fmt::format("{}, {:.0f} GB free", description.name,
                                  static_cast<double>(description.memory_bytes) / 1e9);
    if (has_onednn()) cpu.backends.emplace_back("onednn");
    cpu.backends.emplace_back("eigen");
    cpu.precisions = {"fp32"};
    return {cpu};
  }

  [[nodiscard]] std::unique_ptr<StepRunner> make_step_runner(
      const StepRunnerRequest& request) const override {
    const int threads = threads_of(request);
    const CpuLibrary library = library_of(request);
    return std::make_unique<NetworkRunner>(request.model, make_cpu_device(threads, library),
                                           make_cpu_ops<float>(threads, library), request.seed);
  }

  [[nodiscard]] std::vector<std::unique_ptr<BackgroundLoad>> make_background_loads(
      const StepRunnerRequest& request) const override {
    std::vector<std::unique_ptr<BackgroundLoad>> loads;
    loads.push_back(make_compute_load(library_of(request)));
    loads.push_back(make_memory_load());
    // A copy of the training has as many threads as the training it disturbs.
    loads.push_back(make_training_load([this, request] { return make_step_runner(request); }));
    return loads;
  }
};

}  // namespace

std::unique_ptr<DeviceFamily> make_cpu_family() { return std::make_unique<CpuFamily>(); }

}  // namespace dbsim::calib
