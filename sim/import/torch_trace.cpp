#include "sim/import/torch_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/base/error.hpp"

namespace dbsim {

namespace {

struct Span {
  double begin{std::numeric_limits<double>::infinity()};
  double end{-std::numeric_limits<double>::infinity()};
  void include(const Span& other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
  [[nodiscard]] bool empty() const { return end < begin; }
  [[nodiscard]] double length() const { return empty() ? 0.0 : end - begin; }
  [[nodiscard]] bool holds(double time) const { return time >= begin && time <= end; }
};

struct Kernel {
  Span span;
  double launched{};
  double bytes{};  // of a collective's message; 0 when not said
};

/// What the trace says that matters here, microseconds since its own zero.
struct Timeline {
  std::vector<Span> steps;
  std::vector<Span> backward;  // each function of the autograd engine
  std::vector<Span> update;
  std::vector<Kernel> kernels;
  std::vector<Kernel> collectives;  // NCCL kernels
  bool cpu_collectives{false};
  TraceDevice device;
};

double element_size(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, double>, 10> sizes{{{"Float", 4.0},
                                                                       {"float", 4.0},
                                                                       {"Half", 2.0},
                                                                       {"c10::Half", 2.0},
                                                                       {"BFloat16", 2.0},
                                                                       {"c10::BFloat16", 2.0},
                                                                       {"Double", 8.0},
                                                                       {"double", 8.0},
                                                                       {"Int", 4.0},
                                                                       {"Long", 8.0}}};
  const auto* known = std::ranges::find(sizes, type, &std::pair<std::string_view, double>::first);
  return known == sizes.end() ? 0.0 : known->second;
}

// Newer traces say it outright; older ones, taken with record_shapes, in the operator's input.
double bytes_of(const TraceEvent& event) {
  if (event.elements) {
    return static_cast<double>(*event.elements) * element_size(event.element_type);
  }
  const bool collective = event.name.starts_with("nccl:") && event.input_elements;
  return collective ? static_cast<double>(*event.input_elements) * element_size(event.input_type)
                    : 0.0;
}

// Names of kernels changed with NCCL 2.19 (ncclKernel_, then ncclDevKernel_); both go on with
// the collective's name.
bool is_nccl(std::string_view name) { return name.starts_with("nccl"); }
bool is_all_reduce(std::string_view name) {
  return name.find("AllReduce") != std::string_view::npos;
}

Timeline read_timeline(const std::string& path) {
  Timeline timeline;
  std::map<std::int64_t, double> launches;         // correlation -> when
  std::map<std::int64_t, double> collective_size;  // external id -> bytes
  std::vector<TraceEvent> device_work;
  const auto take = [&](const TraceEvent& event) {
    const Span span{event.start_us, event.start_us + event.duration_us};
    const std::string_view name = event.name;
    const bool on_device = event.category == "kernel" || event.category == "Kernel" ||
                           event.category == "gpu_memcpy" || event.category == "Memcpy" ||
                           event.category == "gpu_memset" || event.category == "Memset";
    if (on_device) {
      device_work.push_back(event);
    } else if (event.category == "gpu_user_annotation") {
      return;  // shadows of what the CPU's side says
    } else if (name.starts_with("ProfilerStep#")) {
      timeline.steps.push_back(span);
    } else if (name.starts_with("autograd::engine::evaluate_function")) {
      timeline.backward.push_back(span);
    } else if (name.starts_with("Optimizer.step#")) {
      timeline.update.push_back(span);
    } else if (event.correlation) {
      launches[*event.correlation] = event.start_us;
    } else {
      if (event.external_id && bytes_of(event) > 0.0) {
        collective_size[*event.external_id] = bytes_of(event);
      }
      timeline.cpu_collectives = timeline.cpu_collectives || name.starts_with("gloo:");
    }
  };
  timeline.device = read_chrome_trace(path, take);
  for (const TraceEvent& work : device_work) {
    const auto launch = work.correlation ? launches.find(*work.correlation) : launches.end();
    if (launch == launches.end()) continue;  // launched before the trace began
    Kernel kernel{
        {work.start_us, work.start_us + work.duration_us}, launch->second, bytes_of(work)};
    if (!is_nccl(work.name)) {
      timeline.kernels.push_back(kernel);
      continue;
    }
    const auto size =
        work.external_id ? collective_size.find(*work.external_id) : collective_size.end();
    if (!(kernel.bytes > 0.0) && size != collective_size.end()) kernel.bytes = size->second;
    if (!is_all_reduce(work.name)) kernel.bytes = 0.0;
    timeline.collectives.push_back(kernel);
  }
  std::ranges::sort(timeline.steps, {}, &Span::begin);
  return timeline;
}

/// Length of the union of the spans, each cut to the window.
double covered(std::vector<Span> spans, const Span& window) {
  std::ranges::sort(spans, {}, &Span::begin);
  double length = 0.0;
  double reached = window.begin;
  for (const Span& span : spans) {
    const double begin = std::max(span.begin, reached);
    const double end = std::min(span.end, window.end);
    if (end > begin) {
      length += end - begin;
      reached = end;
    }
  }
  return length;
}

Span hull(const std::vector<Span>& spans, const Span& within) {
  Span all;
  for (const Span& span : spans) {
    if (within.holds(span.begin)) all.include(span);
  }
  return all;
}

struct StepParts {
  Span step;
  Span backward;
  double update{};
  double exposed{};  // time in which only NCCL kernels ran
  std::vector<Kernel> buckets;
};

StepParts on_cpu(const Timeline& timeline, const Span& step) {
  StepParts parts{.step = step, .backward = hull(timeline.backward, step), .buckets = {}};
  std::vector<Span> updates;
  for (const Span& update : timeline.update) {
    if (step.holds(update.begin)) updates.push_back(update);
  }
  parts.update = covered(updates, step);
  return parts;
}

/// The same of the kernels that the step launched. It lasts from the end of the step before, which
/// `previous_end` names, to the end of its last kernel.
StepParts on_gpu(const Timeline& timeline, const Span& launching,
                 std::optional<double> previous_end) {
  const Span backward = hull(timeline.backward, launching);
  StepParts parts{.step = {}, .backward = {}, .buckets = {}};
  std::vector<Span> busy;
  std::vector<Span> with_nccl;
  std::vector<Span> update;
  for (const Kernel& kernel : timeline.kernels) {
    if (!launching.holds(kernel.launched)) continue;
    parts.step.include(kernel.span);
    busy.push_back(kernel.span);
    if (backward.holds(kernel.launched)) parts.backward.include(kernel.span);
    if (std::ranges::any_of(timeline.update,
                            [&](const Span& span) { return span.holds(kernel.launched); })) {
      update.push_back(kernel.span);
    }
  }
  with_nccl = busy;
  for (const Kernel& kernel : timeline.collectives) {
    if (!launching.holds(kernel.launched)) continue;
    parts.step.include(kernel.span);
    with_nccl.push_back(kernel.span);
    if (backward.holds(kernel.launched)) parts.buckets.push_back(kernel);
  }
  if (parts.step.empty()) return parts;
  parts.step.begin = previous_end.value_or(std::min(launching.begin, parts.step.begin));
  parts.update = covered(update, parts.step);
  parts.exposed = covered(with_nccl, parts.step) - covered(busy, parts.step);
  std::ranges::sort(parts.buckets, {}, [](const Kernel& kernel) { return kernel.span.begin; });
  return parts;
}

std::vector<StepParts> parts_of(const Timeline& timeline) {
  std::vector<StepParts> all;
  std::optional<double> previous_end;
  for (const Span& step : timeline.steps) {
    if (timeline.kernels.empty()) {
      all.push_back(on_cpu(timeline, step));
      continue;
    }
    StepParts parts = on_gpu(timeline, step, previous_end);
    if (parts.step.empty()) continue;
    previous_end = parts.step.end;
    all.push_back(std::move(parts));
  }
  // The CPU runs ahead of a GPU: the first step has nothing before it to be measured from.
  if (!timeline.kernels.empty() && all.size() > 1) all.erase(all.begin());
  return all;
}

/// Fraction of backward after which the all-reduce of each bucket began, the median over steps;
/// empty when the steps do not agree how many there are.
std::vector<ProfileBucket> buckets_of(const std::vector<StepParts>& steps) {
  std::vector<ProfileBucket> buckets;
  const std::size_t count = steps.front().buckets.size();
  const bool alike = std::ranges::all_of(
      steps, [&](const StepParts& parts) { return parts.buckets.size() == count; });
  if (!alike) return buckets;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> ready;
    for (const StepParts& parts : steps) {
      if (!(parts.backward.length() > 0.0)) return {};
      const double fraction =
          (parts.buckets[i].span.begin - parts.backward.begin) / parts.backward.length();
      ready.push_back(std::clamp(fraction, 0.0, 1.0));
    }
    buckets.push_back({Bytes{steps.front().buckets[i].bytes}, statistics_of(ready).median});
  }
  return buckets;
}

void add_buckets(TorchTrace& trace, const std::vector<StepParts>& steps) {
  std::vector<ProfileBucket> buckets = buckets_of(steps);
  if (buckets.empty()) return;
  const bool sized = std::ranges::all_of(
      buckets, [](const ProfileBucket& bucket) { return bucket.bytes.count() > 0.0; });
  if (sized) {
    trace.remarks.emplace_back(
        "A bucket is ready when its all-reduce begins; one that queues behind another looks later "
        "than it is.");
    trace.buckets = std::move(buckets);
    return;
  }
  std::string starts;
  for (const ProfileBucket& bucket : buckets) {
    starts += fmt::format("{}{:.0f} %", starts.empty() ? "" : ", ", bucket.ready * 100.0);
  }
  trace.remarks.push_back(fmt::format(
      "All-reduces began after {} of backward; the trace does not say how large they are.",
      starts));
}

[[noreturn]] void no_steps(const std::string& path, std::string found) {
  throw InputError{{{{path, 0, 0},
                     {},
                     std::move(found),
                     "a trace taken with torch.profiler, its step() called after every step",
                     {}}}};
}

}  // namespace

TorchTrace read_torch_trace(const std::string& path, Samples batch) {
  const Timeline timeline = read_timeline(path);
  const std::vector<StepParts> steps = parts_of(timeline);
  if (steps.empty()) {
    no_steps(path, timeline.steps.empty() ? "no ProfilerStep#N" : "no kernel of a step");
  }
  TorchTrace trace{.times = {.batch = batch, .step = {}},
                   .device = timeline.device,
                   .buckets = {},
                   .remarks = {}};
  // What took no time that the trace can show is left out, as if it had not been measured.
  const auto keep = [](std::vector<double>& values, double microseconds) {
    if (microseconds > 0.0) values.push_back(microseconds * 1e-6);
  };
  for (const StepParts& parts : steps) {
    keep(trace.times.step, parts.step.length() - parts.exposed);
    if (parts.backward.empty()) continue;
    keep(trace.times.forward, parts.backward.begin - parts.step.begin);
    keep(trace.times.backward, parts.backward.length());
    keep(trace.times.update, parts.update);
  }
  if (trace.times.step.empty()) no_steps(path, "only steps that take no time");
  trace.remarks.emplace_back("Measured under PyTorch's profiler, which slows short steps down.");
  if (!timeline.collectives.empty()) {
    trace.remarks.emplace_back(
        "Time in which only NCCL kernels ran is not in the step: an NCCL kernel's time includes "
        "waiting for slower ranks.");
    add_buckets(trace, steps);
  }
  if (timeline.cpu_collectives) {
    trace.remarks.emplace_back(
        "The trace holds collectives of gloo; their time is still part of the step.");
  }
  return trace;
}

}  // namespace dbsim
