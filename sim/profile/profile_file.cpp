#include "sim/profile/profile_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/io/document.hpp"

namespace dbsim {

namespace {

constexpr std::int64_t largest_batch = 1'000'000'000;
constexpr WholeRange batch_range{.least = 1, .most = largest_batch};
constexpr NumberRange spread_range{.least = 0.0, .most = 10.0};

// Positive and short of a day: longer steps are slips of the unit, and would overflow simulated
// time.
constexpr NumberRange step_time_range{
    .least = 0.0, .most = 86'400.0, .lower = NumberRange::Lower::open};
constexpr NumberRange overhead_range{.least = 0.0, .most = 86'400.0};

void read_max_batch(Fields& fields, ProfileDraft& draft) {
  std::int64_t batch = 0;
  const Key key{"max_batch",
                "Largest local batch that fits the device's memory; no limit if left out."};
  if (fields.whole(key, batch_range, batch) && batch > 0) draft.max_batch = Samples{batch};
}

void check_points(Fields& fields, std::string_view key, const std::vector<StepTimePoint>& points) {
  if (fields.describing()) return;
  if (points.size() < 2) {
    fields.problem(key,
                   fmt::format("{} batch size{}", points.size(), points.size() == 1 ? "" : "s"),
                   "at least 2, so that other batches can be told from them");
    return;
  }
  const auto fall =
      std::ranges::adjacent_find(points, std::ranges::greater_equal{}, &StepTimePoint::batch);
  if (fall != points.end()) {
    fields.problem(key, fmt::format("{} before {}", fall->batch.count(), (fall + 1)->batch.count()),
                   "batch sizes that rise");
  }
}

void read_inline_points(Fields& fields, ProfileDraft& draft) {
  std::vector<std::int64_t> batches;
  std::vector<Seconds> times;
  bool complete = true;
  const bool has_batches =
      fields.items({"batch", "Local batch sizes that were measured, rising, at least two."},
                   [&](Fields& element) {
                     std::int64_t batch = 0;
                     element.whole({"", "Samples."}, batch_range, batch);
                     complete = complete && batch > 0;
                     batches.push_back(batch);
                   });
  const bool has_times = fields.items(
      {"step_time", "Median time of a step at each of these batches, as text with a unit."},
      [&](Fields& element) {
        Seconds time{};
        element.duration({"", "Seconds of own time per step."}, step_time_range, time);
        complete = complete && time.count() > 0.0;
        times.push_back(time);
      });
  if (fields.describing() || (!has_batches && !has_times)) return;
  if (has_batches != has_times) {
    fields.problem(has_batches ? "batch" : "step_time", "no counterpart",
                   "batch and step_time together, one time for each batch");
    return;
  }
  if (batches.size() != times.size()) {
    fields.problem("step_time",
                   fmt::format("{} time{} for {} batches", times.size(),
                               times.size() == 1 ? "" : "s", batches.size()),
                   "one time for each batch");
    return;
  }
  if (!complete) return;  // each bad element is a problem already
  for (std::size_t i = 0; i < batches.size(); ++i) {
    draft.points.push_back({Samples{batches[i]}, times[i]});
  }
  check_points(fields, "batch", draft.points);
}

template <class Value>
void read_optional_duration(Fields& fields, const Key& key, const NumberRange& range,
                            std::optional<Value>& value) {
  Value read{-1.0};
  if (fields.duration(key, range, read) && read.count() >= 0.0) value = read;
}

void read_file_point(Fields& fields, std::vector<StepTimePoint>& points, double& spread) {
  std::int64_t batch = 0;
  double median = 0.0;
  fields.whole({"batch", "Local batch size.", Need::required}, batch_range, batch);
  const auto statistics = [&](std::string_view name, Need need, double& middle, double& variation) {
    fields.table({name, "Seconds of this part of a step.", need}, [&](Fields& part) {
      double ignored = 0.0;
      std::int64_t repetitions = 0;
      part.number({"median", "Median.", Need::required}, step_time_range, middle);
      part.number({"p05", "5th percentile."}, overhead_range, ignored);
      part.number({"p95", "95th percentile."}, overhead_range, ignored);
      part.number({"cv", "Coefficient of variation."}, spread_range, variation);
      part.whole({"repetitions", "How many times it was measured."}, at_least_one, repetitions);
    });
  };
  double variation = 0.0;
  statistics("step_s", Need::required, median, variation);
  spread = std::max(spread, variation);
  double ignored_median = 0.0;
  double ignored_variation = 0.0;
  for (const std::string_view part : {"forward_s", "backward_s", "update_s"}) {
    statistics(part, Need::optional, ignored_median, ignored_variation);
  }
  double memory = 0.0;
  fields.number({"memory_bytes", "Device memory in use."}, not_negative, memory);
  if (batch > 0 && median > 0.0) points.push_back({Samples{batch}, Seconds{median}});
}

void read_device(Fields& fields, std::string& name) {
  std::string ignored;
  double memory = 0.0;
  fields.text({"name", "What the device calls itself.", Need::required}, name);
  fields.number({"memory_bytes", "Memory of the device."}, not_negative, memory);
  fields.text({"driver", "Driver version."}, ignored);
  fields.text({"clocks", "Clock rates while measuring."}, ignored);
}

void read_model(Fields& fields, ProfileDraft& draft) {
  std::string ignored;
  fields.text(
      {"name", "The model that was trained; a scenario's job.model must match.", Need::required},
      draft.model);
  double bytes = -1.0;
  fields.number({"parameter_bytes", "Bytes of gradient all-reduced per step."}, positive, bytes);
  if (bytes > 0.0) draft.parameter_bytes = Bytes{bytes};
  fields.text({"precision", "Number format of the computation."}, ignored);
  fields.items({"input_shape", "Shape of one sample."}, [](Fields& element) {
    std::int64_t extent = 0;
    element.whole({"", "Extent."}, at_least_one, extent);
  });
}

}  // namespace

void describe_inline_profile(Fields& fields, ProfileDraft& draft) {
  fields.text({"device", "Name of the device, for the report."}, draft.device);
  fields.text({"source", "Where the numbers come from."}, draft.source);
  read_inline_points(fields, draft);
  read_optional_duration(fields,
                         {"overhead", "Part of a step's time that does not depend on the batch."},
                         overhead_range, draft.overhead);
  read_optional_duration(fields, {"per_sample", "Time each sample adds to a step."},
                         step_time_range, draft.per_sample);
  constexpr std::array<std::string_view, 2> laws{"batch", "per_sample"};
  fields.one_of(laws, Need::required);
  if (draft.overhead && !draft.per_sample) {
    fields.problem("overhead", "no per_sample beside it", "overhead and per_sample together");
  }
  fields.number(
      {"spread", "Coefficient of variation of a step's time, step to step; 0 if left out."},
      spread_range, draft.spread);
  read_max_batch(fields, draft);
}

void describe_profile_file(Fields& fields, ProfileDraft& draft) {
  constexpr std::array<std::string_view, 1> schemas{"dbsim.profile/1"};
  std::string ignored;
  fields.choice({"schema", "Version of this format.", Need::required}, schemas, ignored);
  fields.table({"device", "The device that was measured.", Need::required},
               [&](Fields& device) { read_device(device, draft.device); });
  fields.table({"model", "What was trained.", Need::required},
               [&](Fields& model) { read_model(model, draft); });
  fields.text({"backend", "Program and libraries that ran the steps, with versions."}, ignored);
  fields.text({"date", "When it was measured."}, ignored);
  fields.text({"source", "Who published the numbers, when they are not our own."}, draft.source);
  fields.items({"points", "One entry per measured batch size, rising.", Need::required},
               [&](Fields& element) {
                 element.table({"", "One measured batch size."}, [&](Fields& point) {
                   read_file_point(point, draft.points, draft.spread);
                 });
               });
  check_points(fields, "points", draft.points);
  fields.items({"buckets", "Gradient buckets in the order in which backward fills them."},
               [](Fields& element) {
                 element.table({"", "One bucket."}, [](Fields& bucket) {
                   double number = 0.0;
                   bucket.number({"bytes", "Size.", Need::required}, positive, number);
                   bucket.number(
                       {"ready", "Fraction of backward after which it is ready.", Need::required},
                       {.least = 0.0, .most = 1.0}, number);
                 });
               });
  read_max_batch(fields, draft);
  fields.items({"interference", "Slowdown measured under background loads."}, [](Fields& element) {
    element.table({"", "One background load."}, [](Fields& load) {
      std::string name;
      double number = 0.0;
      load.text({"load", "Kind of load.", Need::required}, name);
      load.number({"intensity", "How many of them, or how strong.", Need::required}, not_negative,
                  number);
      load.number({"slowdown", "Step time under it divided by step time alone.", Need::required},
                  positive, number);
    });
  });
}

Profile finish(ProfileDraft draft) {
  check(draft.per_sample.has_value() || draft.points.size() >= 2, "a finished profile has a law");
  StepTimeCurve law =
      draft.per_sample
          ? StepTimeCurve::affine(draft.overhead.value_or(Seconds{0.0}), *draft.per_sample)
          : StepTimeCurve{std::move(draft.points)};
  return Profile{.device = std::move(draft.device),
                 .model = std::move(draft.model),
                 .source = std::move(draft.source),
                 .step_time = std::move(law),
                 .spread = draft.spread,
                 .max_batch = draft.max_batch,
                 .parameter_bytes = draft.parameter_bytes};
}

Profile load_profile(const std::string& path) {
  const Document document = Document::load(path);
  ProfileDraft draft;
  std::vector<Problem> problems;
  document.read([&](Fields& fields) { describe_profile_file(fields, draft); }, problems);
  if (!problems.empty()) throw InputError{std::move(problems)};
  return finish(std::move(draft));
}

}  // namespace dbsim
