#include "bench/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "bench/tensors.hpp"
#include "calib/backend/cpu_device.hpp"
#include "calib/cuda/cuda_device.hpp"

namespace dbsim::bench {

namespace {

using calib::CpuLibrary;
using calib::CudaLibrary;
using calib::CudaPrecision;

int cores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

std::string described(const calib::Device& device) {
  const calib::DeviceDescription is = device.description();
  return fmt::format("{}; {}{}{}", is.name, is.backend, is.driver.empty() ? "" : "; driver ",
                     is.driver);
}

void add_cpu(std::vector<Target>& targets, CpuLibrary library, const char* name) {
  for (const int threads : std::set<int>{1, cores()}) {
    const auto make = [threads, library] {
      return Engine{calib::make_cpu_device(threads, library),
                    calib::make_cpu_ops<float>(threads, library)};
    };
    targets.push_back({.name = fmt::format("{}/threads:{}", name, threads),
                       .description = described(*calib::make_cpu_device(threads, library)),
                       .make = make,
                       .is_gpu = false,
                       .all_cores = threads == cores()});
  }
}

void add_cuda(std::vector<Target>& targets, int number, CudaLibrary library, const char* name) {
  constexpr std::pair<CudaPrecision, const char*> precisions[] = {{CudaPrecision::fp32, "fp32"},
                                                                  {CudaPrecision::tf32, "tf32"},
                                                                  {CudaPrecision::fp16, "fp16"},
                                                                  {CudaPrecision::bf16, "bf16"}};
  const std::string description = described(*calib::make_cuda_device(number, library));
  for (const auto& [precision, label] : precisions) {
    const auto make = [number, library, precision = precision] {
      auto device = calib::make_cuda_device(number, library);
      auto ops = calib::make_cuda_ops({number, precision, library, device->stream()});
      return Engine{std::move(device), std::move(ops)};
    };
    targets.push_back({.name = fmt::format("cuda:{}-{}/{}", number, name, label),
                       .description = description,
                       .make = make,
                       .is_gpu = true,
                       .all_cores = true});
  }
}

std::vector<Target> find_targets() {
  std::vector<Target> found;
  if (calib::has_onednn()) add_cpu(found, CpuLibrary::onednn, "cpu-onednn");
  add_cpu(found, CpuLibrary::eigen, "cpu-eigen");
  int number = 0;
  for (const calib::CudaDeviceInfo& info : calib::cuda_devices()) {
    if (info.unusable.empty()) {
      if (calib::has_cudnn()) add_cuda(found, number, CudaLibrary::cudnn, "cudnn");
      add_cuda(found, number, CudaLibrary::cublas, "cublas");
    }
    ++number;
  }
  return found;
}

/// Seconds of the fastest of several runs, the first left out; fewer where runs are slow.
template <class Run>
double fastest(calib::Device& device, const Run& run) {
  constexpr int runs = 8;
  constexpr double enough = 0.5;
  double least = 1e300;
  double sum = 0.0;
  for (int i = 0; i < runs && sum < enough; ++i) {
    device.wait();
    device.mark(0);
    run();
    device.mark(1);
    device.wait();
    if (i == 0) continue;
    const double seconds = device.seconds(0, 1);
    least = std::min(least, seconds);
    sum += seconds;
  }
  return least;
}

double peak_flops(const Engine& engine, bool is_gpu) {
  double best = 0.0;
  for (const Index n : is_gpu ? std::vector<Index>{4096, 8192} : std::vector<Index>{1024, 2048}) {
    Tensors tensors{*engine.device};
    const float* x = tensors.values(n * n);
    const float* weights = tensors.values(n * n);
    float* y = tensors.values(n * n);
    const double seconds = fastest(
        *engine.device, [&] { engine.ops->linear_forward(n, n, n, x, weights, nullptr, y); });
    best = std::max(best, 2.0 * static_cast<double>(n * n * n) / seconds);
  }
  return best;
}

double peak_bandwidth(const Engine& engine, bool is_gpu) {
  constexpr Index columns = 4096;
  const Index rows = is_gpu ? 32'768 : 4096;  // 512 MiB and 64 MiB a tensor
  const Index size = rows * columns;
  Tensors tensors{*engine.device};
  const float* a = tensors.values(size);
  const float* b = tensors.values(size);
  float* y = tensors.values(size);
  calib::Ops<float>& ops = *engine.ops;
  const double copied =
      fastest(*engine.device, [&] { ops.copy_columns(rows, columns, a, columns, y, columns); });
  const double added = fastest(*engine.device, [&] { ops.add(size, a, b, false, y); });
  return std::max(copy(size).bytes / copied, pairwise(size).bytes / added);
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> found = find_targets();
  return found;
}

std::vector<std::pair<std::string, std::string>> describe_targets() {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Target& target : targets()) lines.emplace_back(target.name, target.description);
  int number = 0;
  for (const calib::CudaDeviceInfo& info : calib::cuda_devices()) {
    const std::string name = fmt::format("cuda:{}", number++);
    if (!info.unusable.empty()) lines.emplace_back(name, "not used: " + info.unusable);
  }
  return lines;
}

const Peaks& peaks_of(const Target& target) {
  static std::map<std::string, Peaks> known;
  const auto found = known.find(target.name);
  if (found != known.end()) return found->second;
  const Engine engine = target.make();
  const Peaks peaks{peak_flops(engine, target.is_gpu), peak_bandwidth(engine, target.is_gpu)};
  return known.emplace(target.name, peaks).first->second;
}

}  // namespace dbsim::bench
