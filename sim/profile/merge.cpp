#include "sim/profile/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"

namespace dbsim {

namespace {

/// Compares what must be the same wherever both files say it.
class Agreement {
 public:
  Agreement(const NamedProfile& first, const NamedProfile& second)
      : first_{first}, second_{second} {}

  void same(std::string_view key, const std::string& a, const std::string& b) {
    if (a != b && !a.empty() && !b.empty()) refuse(key, in_quotes(a), in_quotes(b));
  }
  void same(std::string_view key, const std::optional<Bytes>& a, const std::optional<Bytes>& b) {
    if (a && b && *a != *b) {
      refuse(key, fmt::format("{}", a->count()), fmt::format("{}", b->count()));
    }
  }
  void same(std::string_view key, const std::vector<std::int64_t>& a,
            const std::vector<std::int64_t>& b) {
    if (a != b && !a.empty() && !b.empty()) refuse(key, in_brackets(a), in_brackets(b));
  }
  void demand() {
    if (!problems_.empty()) throw InputError{std::move(problems_)};
  }

 private:
  static std::string in_quotes(const std::string& text) { return fmt::format("\"{}\"", text); }
  static std::string in_brackets(const std::vector<std::int64_t>& list) {
    return fmt::format("[{}]", fmt::join(list, ", "));
  }
  void refuse(std::string_view key, const std::string& a, const std::string& b) {
    problems_.push_back({{second_.file, 0, 0},
                         std::string{key},
                         b,
                         fmt::format("{} as in {}", a, first_.file),
                         {}});
  }

  const NamedProfile& first_;
  const NamedProfile& second_;
  std::vector<Problem> problems_;
};

void demand_same_subject(const NamedProfile& first, const NamedProfile& second) {
  const ProfileDocument& a = first.document;
  const ProfileDocument& b = second.document;
  Agreement agreement{first, second};
  agreement.same("device.name", a.device.name, b.device.name);
  agreement.same("model.name", a.model.name, b.model.name);
  agreement.same("model.input_shape", a.model.input_shape, b.model.input_shape);
  agreement.same("model.parameter_bytes", a.model.parameter_bytes, b.model.parameter_bytes);
  agreement.same("model.precision", a.model.precision, b.model.precision);
  agreement.demand();
}

/// Adds the second's points; returns the batch sizes that both had.
std::vector<std::int64_t> add_points(std::vector<ProfilePoint>& points,
                                     const std::vector<ProfilePoint>& more) {
  std::vector<std::int64_t> shared;
  for (const ProfilePoint& point : more) {
    const auto at = std::ranges::lower_bound(points, point.batch, {}, &ProfilePoint::batch);
    if (at == points.end() || at->batch != point.batch) {
      points.insert(at, point);
      continue;
    }
    shared.push_back(point.batch.count());
    if (point.step.repetitions.value_or(0) > at->step.repetitions.value_or(0)) *at = point;
  }
  return shared;
}

void fill(std::string& text, const std::string& other) {
  if (text.empty()) text = other;
}
template <class Value>
void fill(std::optional<Value>& value, const std::optional<Value>& other) {
  if (!value) value = other;
}
template <class Value>
void fill(std::vector<Value>& list, const std::vector<Value>& other) {
  if (list.empty()) list = other;
}

void join(std::string& text, const std::string& other) {
  if (text.empty() || text == other) {
    text = other;
  } else if (!other.empty()) {
    text += "; " + other;
  }
}

}  // namespace

ProfileDocument merged(const NamedProfile& first, const NamedProfile& second) {
  demand_same_subject(first, second);
  const ProfileDocument& other = second.document;
  ProfileDocument all = first.document;
  const std::vector<std::int64_t> shared = add_points(all.points, other.points);
  fill(all.device.name, other.device.name);
  fill(all.device.memory, other.device.memory);
  fill(all.device.driver, other.device.driver);
  fill(all.device.clocks, other.device.clocks);
  fill(all.device.temperature, other.device.temperature);
  fill(all.model.name, other.model.name);
  fill(all.model.input_shape, other.model.input_shape);
  fill(all.model.parameter_bytes, other.model.parameter_bytes);
  fill(all.model.precision, other.model.precision);
  join(all.backend, other.backend);
  all.date = std::max(all.date, other.date);  // ISO 8601 sorts as text
  join(all.source, other.source);
  for (const std::string& remark : other.remarks) {
    if (std::ranges::find(all.remarks, remark) == all.remarks.end()) all.remarks.push_back(remark);
  }
  all.remarks.push_back(fmt::format("Merged from {} and {}.", first.file, second.file));
  if (!shared.empty()) {
    all.remarks.push_back(
        fmt::format("Both measured batch {}: the point with more repetitions is kept, the first "
                    "file's where they are equal.",
                    fmt::join(shared, ", ")));
  }
  if (all.max_batch && other.max_batch && *all.max_batch != *other.max_batch) {
    all.remarks.push_back(fmt::format("The larger memory limit, {}, is left out.",
                                      std::max(all.max_batch, other.max_batch)->count()));
    all.max_batch = std::min(all.max_batch, other.max_batch);
  }
  fill(all.max_batch, other.max_batch);
  fill(all.buckets, other.buckets);
  fill(all.interference, other.interference);
  return all;
}

}  // namespace dbsim
