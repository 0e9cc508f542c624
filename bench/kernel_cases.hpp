#pragma once
// The layers as kernels to be timed, in sizes as the shipped models have them.
#include <functional>
#include <vector>

#include "bench/kernel_work.hpp"
#include "bench/tensors.hpp"
#include "calib/kernels/ops.hpp"

namespace dbsim::bench {

struct Kernel {
  Work work;
  std::function<void()> run;  // queues one call
};

struct KernelCase {
  const char* name;
  /// For a batch of so many samples. Ops and tensors must outlive the kernel.
  Kernel (*make)(calib::Ops<float>& ops, Tensors& tensors, Index samples);
};

/// Convolutions, linear layers, embedding, attention.
[[nodiscard]] std::vector<KernelCase> weighted_kernels();
[[nodiscard]] std::vector<KernelCase> norm_kernels();
/// All that has no parameters; the loss; the optimiser.
[[nodiscard]] std::vector<KernelCase> plain_kernels();

}  // namespace dbsim::bench
