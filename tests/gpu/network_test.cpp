// Whole models, the runner and the background loads on the GPU.
#include <vector>

#include "calib/backend/network_runner.hpp"
#include "calib/cuda/cuda_family.hpp"
#include "tests/calib/support/networks_agree.hpp"
#include "tests/calib/support/ops_cases.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/gpu.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

StepRunnerRequest request_for(const char* model) {
  StepRunnerRequest request;
  request.device = "cuda:" + std::to_string(gpu_number());
  request.model = shipped_model(model);
  return request;
}

/// Takes almost all of a device's memory, so that little is enough to run out of it.
class Hog {
 public:
  explicit Hog(std::size_t left) : device_{make_cuda_device(gpu_number(), CudaLibrary::cublas)} {
    constexpr std::size_t block = std::size_t{256} << 20U;
    while (void* memory = device_->allocate(block)) blocks_.push_back(memory);
    for (std::size_t freed = 0; freed < left && !blocks_.empty(); freed += block) {
      device_->release(blocks_.back());
      blocks_.pop_back();
    }
  }
  Hog(const Hog&) = delete;
  Hog& operator=(const Hog&) = delete;
  ~Hog() {
    for (void* memory : blocks_) device_->release(memory);
  }

 private:
  std::unique_ptr<CudaDevice> device_;
  std::vector<void*> blocks_;
};

}  // namespace

TEST_CASE("a step of a whole model on the GPU agrees with double") {
  for (const char* name : {"mnistnet-mnist", "resnet18-cifar10", "transformer-wikitext2"}) {
    StepsInDouble steps{shipped_model(name), 2, test_seed()};
    for (const CudaLibrary library : gpu_libraries()) {
      const Gpu gpu = make_gpu(library);
      const StepError error = steps.least_error_on(*gpu.ops, *gpu.device, 1e-4);
      INFO(name << ", " << gpu.name << ": " << error.parameter << " is furthest off");
      CHECK(error.loss < 1e-4);
      CHECK(error.gradient <= 1e-4);
      // A unit that rounding moves across a ReLU's corner weighs this much among few.
      CHECK(error.worst < 1e-2);
    }
  }
}

TEST_CASE("the same steps come out of cuBLAS in the same bits") {
  for (const char* name : {"mnistnet-mnist", "resnet18-cifar10", "transformer-wikitext2"}) {
    INFO(name);
    const Model model = shipped_model(name);
    const Gpu gpu = make_gpu(CudaLibrary::cublas);
    const std::vector<float> first = trained(model, 33, test_seed(), *gpu.ops, *gpu.device);
    CHECK(first == trained(model, 33, test_seed(), *gpu.ops, *gpu.device));
    const Gpu another = make_gpu(CudaLibrary::cublas);
    CHECK(first == trained(model, 33, test_seed(), *another.ops, *another.device));
  }
}

TEST_CASE("a batch that does not fit is refused and a smaller one still runs") {
  for (const CudaLibrary library : gpu_libraries()) {
    Gpu gpu = make_gpu(library);
    INFO(gpu.name);
    NetworkRunner runner{shipped_model("resnet18-cifar10"), std::move(gpu.device),
                         std::move(gpu.ops), 1};
    REQUIRE(runner.prepare(8));
    const Hog hog{std::size_t{2} << 30U};
    std::int64_t batch = 16;
    while (batch < 65'536 && runner.prepare(batch)) batch *= 2;
    INFO("refused: " << batch);
    CHECK(batch < 65'536);
    CHECK(batch > 16);
    REQUIRE(runner.prepare(16));
    CHECK(runner.step().step > 0.0);
  }
}

TEST_CASE("a step's parts and buckets come in order") {
  for (const CudaLibrary library : gpu_libraries()) {
    Gpu gpu = make_gpu(library);
    INFO(gpu.name);
    NetworkRunner runner{shipped_model("resnet18-cifar10"), std::move(gpu.device),
                         std::move(gpu.ops), 1};
    REQUIRE(runner.prepare(32));
    CHECK(runner.memory_bytes() >
          std::int64_t{3} * 4 * 11'000'000);  // values, gradients and velocities
    for (int i = 0; i < 3; ++i) {
      const StepTimes times = runner.step();
      CHECK(times.forward > 0.0);
      CHECK(times.backward > 0.0);
      CHECK(times.update > 0.0);
      CHECK(times.step == Approx(times.forward + times.backward + times.update).epsilon(0.02));
      double before = 0.0;
      for (const double ready : times.bucket_ready) {
        CHECK(ready >= before);
        before = ready;
      }
      CHECK(before > 0.0);
      CHECK(before <= times.backward);
    }
  }
}

TEST_CASE("a GPU says what it is, and its marks follow its work") {
  const Gpu gpu = make_gpu(gpu_libraries().back());
  const DeviceDescription description = gpu.device->description();
  CHECK_FALSE(description.name.empty());
  CHECK(description.memory_bytes > std::int64_t{1} << 30U);
  CHECK(description.backend.find("CUDA ") == 0);
  constexpr Index side = 2048;
  const DeviceMemory memory{*gpu.device, 3 * side * side * 4};
  auto* values = reinterpret_cast<float*>(memory.data());
  const auto multiply = [&](int times) {
    for (int i = 0; i < times; ++i) {
      gpu.ops->linear_forward(side, side, side, values, values + side * side, nullptr,
                              values + 2 * side * side);
    }
  };
  multiply(1);
  gpu.device->mark(0);
  multiply(2);
  gpu.device->mark(1);
  multiply(20);
  gpu.device->mark(2);
  gpu.device->wait();
  CHECK(gpu.device->seconds(0, 1) > 0.0);
  // Ten times the work; clocks may rise in between.
  CHECK(gpu.device->seconds(1, 2) > 2.0 * gpu.device->seconds(0, 1));
  CHECK(gpu.device->seconds(0, 2) ==
        Approx(gpu.device->seconds(0, 1) + gpu.device->seconds(1, 2)).epsilon(0.01));
}

TEST_CASE("background loads start and stop beside a training on the GPU") {
  const auto family = make_cuda_family();
  const StepRunnerRequest request = request_for("mnistnet-mnist");
  const auto runner = family->make_step_runner(request);
  REQUIRE(runner->prepare(64));
  std::vector<std::string> kinds;
  for (const auto& load : family->make_background_loads(request)) {
    kinds.push_back(load->kind());
    load->stop();
    for (const int intensity : {1, 2}) {
      load->start(intensity, 64);
      CHECK(runner->step().step > 0.0);
      load->stop();
      load->stop();
      CHECK(runner->step().step > 0.0);
    }
  }
  CHECK(kinds == std::vector<std::string>{"compute", "memory", "training"});
}
