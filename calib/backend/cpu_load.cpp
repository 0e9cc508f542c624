#include "calib/backend/cpu_load.hpp"
#include "calib/backend/device_error.hpp"

#include <utility>
#include <vector>

#include "calib/backend/matrix_product.hpp"
#include "calib/backend/onednn.hpp"
#include "calib/backend/worker_load.hpp"
#include "calib/kernels/random.hpp"

namespace dbsim::calib {

namespace {

std::vector<float> random_values(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = uniform<float>(3, i) - 0.5F;
  return values;
}

}  // namespace

std::unique_ptr<BackgroundLoad> make_compute_load(CpuLibrary library) {
  return std::make_unique<WorkerLoad>("compute", [library](std::int64_t) {
    constexpr Index side = 192;  // three matrices: 432 KiB
    std::shared_ptr<MatrixProduct<float>> product =
        library == CpuLibrary::onednn ? onednn_matrix_product(1) : eigen_matrix_product<float>(1);
    auto a = random_values(side * side);
    auto b = random_values(side * side);
    std::vector<float> c(side * side);
    return [=]() mutable {
      const Matmul shape{side, side, side, false, false, side, side, side};
      (*product)(shape, a.data(), b.data(), c.data());
    };
  });
}

std::unique_ptr<BackgroundLoad> make_memory_load() {
  return std::make_unique<WorkerLoad>("memory", [](std::int64_t) {
    constexpr std::size_t count = std::size_t{1} << 24U;  // 64 MiB each
    auto a = random_values(count);
    auto b = random_values(count);
    // A part at a time, so that the load stops soon when it is told to.
    return [a = std::move(a), b = std::move(b), at = std::size_t{0}]() mutable {
      constexpr std::size_t part = std::size_t{1} << 20U;
      for (std::size_t i = at; i < at + part; ++i) a[i] = 0.5F * a[i] + b[i];
      at = (at + part) % count;
    };
  });
}

std::unique_ptr<BackgroundLoad> make_training_load(
    std::function<std::unique_ptr<StepRunner>()> make) {
  return std::make_unique<WorkerLoad>("training", [make = std::move(make)](std::int64_t batch) {
    std::shared_ptr<StepRunner> runner = make();
    if (!runner->prepare(batch)) {
      throw DeviceError{"no memory for a second training beside the first"};
    }
    return [runner] { runner->step(); };
  });
}

}  // namespace dbsim::calib
