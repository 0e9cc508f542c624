#include "policies/measured.hpp"

#include "policies/limits.hpp"
#include "policies/rounding.hpp"

namespace dbsim {

namespace {

// Outside these an own time is a fault of the measurement: no clock resolves less, no epoch lasts
// more.
constexpr double shortest_seconds = 1e-9;
constexpr double longest_seconds = 1e12;

}  // namespace

bool usable(const Measurement& measured) {
  const double own = measured.own.count();  // NaN fails both comparisons
  return measured.samples.count() > 0 && own >= shortest_seconds && own <= longest_seconds;
}

bool of_whole_steps(const Measurement& measured) {
  if (!usable(measured) || measured.steps < 1) return false;
  return measured.samples.count() % measured.steps == 0 &&
         measured.samples.count() / measured.steps == measured.batch.count();
}

double step_seconds(const Measurement& measured) {
  return measured.own.count() / static_cast<double>(measured.steps);
}

std::vector<std::int64_t> equal_batches(std::int64_t total, std::span<const Bounds> limits) {
  const std::vector<double> alike(limits.size(), 1.0);
  return apportion(in_proportion(alike, total, limits), total, limits);
}

std::optional<Decision> changed_to(const std::vector<std::int64_t>& batches,
                                   std::vector<std::int64_t>& in_force) {
  if (batches == in_force) return std::nullopt;
  in_force = batches;
  return Decision{.local_batches = as_samples(batches)};
}

}  // namespace dbsim
