// Every operation on the GPU against the CPU's float and double, by the cases that hold the CPU
// itself (tests/calib/backend/ops_agree_test.cpp).
#include "calib/backend/cpu_device.hpp"
#include "tests/calib/support/ops_cases.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/gpu.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

/// cuDNN may take memory to be aligned; a network's always is.
std::vector<Alignment> alignments(CudaLibrary library) {
  if (library == CudaLibrary::cudnn) return {Alignment::whole};
  return {Alignment::whole, Alignment::off_by_one};
}

/// cuDNN differs from cuBLAS in convolutions only.
bool concerns(CudaLibrary library, const OpCase& each) {
  return library == CudaLibrary::cublas || each.convolution;
}

void check_group(const OpGroup& group) {
  const auto cpu = make_cpu_device(1, CpuLibrary::eigen);
  const auto cpu_ops = make_cpu_ops<float>(1, CpuLibrary::eigen);
  std::vector<std::pair<CudaLibrary, Gpu>> gpus;
  for (const CudaLibrary library : gpu_libraries()) gpus.emplace_back(library, make_gpu(library));
  for (const OpCase& each : group.cases(test_seed())) {
    INFO(each.name);
    const Outcome reference = outcome_in_double(each);
    const std::vector<double> allowed = allowed_errors(each, reference, float_roundoff);
    const Outcome on_cpu = outcome_on(each, *cpu_ops, *cpu, Alignment::whole);
    CHECK(disagreement(each, reference, allowed, on_cpu) == "");
    std::vector<double> apart = allowed;  // both may be off, in opposite directions
    for (double& error : apart) error *= 2.0;
    for (const auto& [library, gpu] : gpus) {
      if (!concerns(library, each)) continue;
      for (const Alignment alignment : alignments(library)) {
        INFO(gpu.name << (alignment == Alignment::whole ? "" : ", not aligned"));
        const Outcome on_gpu = outcome_on(each, *gpu.ops, *gpu.device, alignment);
        CHECK(disagreement(each, reference, allowed, on_gpu) == "");
        CHECK(disagreement(each, on_cpu, apart, on_gpu) == "");
      }
    }
  }
}

}  // namespace

TEST_CASE("products on the GPU agree with the CPU") { check_group(op_groups()[0]); }
TEST_CASE("norms on the GPU agree with the CPU") { check_group(op_groups()[1]); }
TEST_CASE("pooling on the GPU agrees with the CPU") { check_group(op_groups()[2]); }
TEST_CASE("elementwise operations on the GPU agree with the CPU, dropped places too") {
  check_group(op_groups()[3]);
}
TEST_CASE("operations on sequences on the GPU agree with the CPU") { check_group(op_groups()[4]); }

TEST_CASE("faster precisions round products to their formats and no further") {
  struct Format {
    const char* name;
    CudaPrecision precision;
    double roundoff;  // half the distance from 1 to the next number
  };
  for (const Format& format : {Format{"tf32", CudaPrecision::tf32, 1.0 / 2048},
                               Format{"fp16", CudaPrecision::fp16, 1.0 / 2048},
                               Format{"bf16", CudaPrecision::bf16, 1.0 / 256}}) {
    for (const CudaLibrary library : gpu_libraries()) {
      const Gpu gpu = make_gpu(library, format.precision);
      for (const OpCase& each : product_cases(test_seed())) {
        if (!concerns(library, each)) continue;
        INFO(each.name << ", " << format.name << ", " << gpu.name);
        const Outcome reference = outcome_in_double(each);
        const std::vector<double> allowed = allowed_errors(each, reference, format.roundoff);
        const Outcome on_gpu = outcome_on(each, *gpu.ops, *gpu.device, Alignment::whole);
        CHECK(disagreement(each, reference, allowed, on_gpu) == "");
      }
    }
  }
}
