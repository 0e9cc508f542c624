#include "sim/profile/compare.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace dbsim {

namespace {

const ProfilePoint* point_at(const ProfileDocument& document, Samples batch) {
  const auto point = std::ranges::find(document.points, batch, &ProfilePoint::batch);
  return point == document.points.end() ? nullptr : &*point;
}

bool covers(const ProfileDocument& document, Samples batch) {
  return document.points.front().batch <= batch && batch <= document.points.back().batch;
}

std::optional<bool> overlap(const TimeStatistics& a, const TimeStatistics& b) {
  if (!a.low || !a.high || !b.low || !b.high) return std::nullopt;
  return *a.low <= *b.high && *b.low <= *a.high;
}

}  // namespace

std::vector<ProfileDifference> differences(const ProfileDocument& first,
                                           const ProfileDocument& second) {
  std::set<Samples> batches;
  for (const ProfileDocument* document : {&first, &second}) {
    for (const ProfilePoint& point : document->points) {
      if (covers(first, point.batch) && covers(second, point.batch)) batches.insert(point.batch);
    }
  }
  const StepTimeCurve a = to_profile(first).step_time;
  const StepTimeCurve b = to_profile(second).step_time;
  std::vector<ProfileDifference> all;
  for (const Samples batch : batches) {
    const ProfilePoint* const in_first = point_at(first, batch);
    const ProfilePoint* const in_second = point_at(second, batch);
    ProfileDifference difference{
        .batch = batch,
        .first = in_first != nullptr ? in_first->step.median : a.at(batch).count(),
        .second = in_second != nullptr ? in_second->step.median : b.at(batch).count(),
        .first_measured = in_first != nullptr,
        .second_measured = in_second != nullptr};
    if (difference.common()) {
      difference.intervals_overlap = overlap(in_first->step, in_second->step);
    }
    all.push_back(difference);
  }
  return all;
}

std::optional<double> largest_difference(const std::vector<ProfileDifference>& differences) {
  std::optional<double> largest;
  for (const ProfileDifference& difference : differences) {
    if (!difference.common()) continue;
    largest = std::max(largest.value_or(0.0), std::abs(difference.ratio() - 1.0));
  }
  return largest;
}

}  // namespace dbsim
