#include "sim/profile/profile_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/profile/limits.hpp"
#include "sim/profile/profile_document.hpp"

namespace dbsim {

namespace {

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
  std::vector<Samples> measured;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    measured.emplace_back(batches[i]);
    draft.points.push_back({measured.back(), times[i]});
  }
  check_batches(fields, "batch", measured);
}

template <class Value>
void read_optional_duration(Fields& fields, const Key& key, const NumberRange& range,
                            std::optional<Value>& value) {
  Value read{-1.0};
  if (fields.duration(key, range, read) && read.count() >= 0.0) value = read;
}

}  // namespace

void describe_inline_profile(Fields& fields, ProfileDraft& draft) {
  fields.text({"device", "Name of the device, for the report."}, draft.device);
  fields.text({"source", "Where the numbers come from."}, draft.source);
  read_inline_points(fields, draft);
  read_optional_duration(fields,
                         {"overhead", "Part of a step's time that does not depend on the batch."},
                         part_time_range, draft.overhead);
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
  read_max_batch(fields, draft.max_batch);
}

Profile finish(ProfileDraft draft) {
  check(draft.per_sample.has_value() || draft.points.size() >= 2, "a finished profile has a law");
  StepTimeCurve law =
      draft.per_sample
          ? StepTimeCurve::affine(draft.overhead.value_or(Seconds{0.0}), *draft.per_sample)
          : StepTimeCurve{std::move(draft.points)};
  return Profile{.device = std::move(draft.device),
                 .model = {},
                 .source = std::move(draft.source),
                 .step_time = std::move(law),
                 .spread = draft.spread,
                 .max_batch = draft.max_batch,
                 .parameter_bytes = {}};
}

Profile load_profile(const std::string& path) { return to_profile(load_profile_document(path)); }

}  // namespace dbsim
