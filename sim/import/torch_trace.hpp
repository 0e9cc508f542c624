#pragma once
// Step times from a trace of PyTorch's profiler (torch.profiler, export_chrome_trace).
#include <string>
#include <vector>

#include "sim/import/measured_batch.hpp"
#include "sim/io/chrome_trace.hpp"

namespace dbsim {

struct TorchTrace {
  MeasuredBatch times;
  TraceDevice device;
  std::vector<ProfileBucket> buckets;  // empty where the trace does not say how large they are
  std::vector<std::string> remarks;    // what is taken out, and what could not be told
};

/// Steps run from one ProfilerStep#N to the next; forward is what precedes backward in them.
/// On a CPU the operators' own times count. On a GPU a kernel belongs to the step and part that
/// launched it, a step ends with its last kernel, and the time in which NCCL kernels run alone is
/// taken out of it. InputError when the file is no such trace.
[[nodiscard]] TorchTrace read_torch_trace(const std::string& path, Samples batch);

}  // namespace dbsim
