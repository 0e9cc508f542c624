#include "sim/model/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace dbsim {

namespace {

constexpr Bytes usual_bucket{25.0 * 1024.0 * 1024.0};

Bytes total(const std::vector<ProfileBucket>& buckets) {
  Bytes sum{};
  for (const ProfileBucket& bucket : buckets) sum += bucket.bytes;
  return sum;
}

std::vector<Bytes> equal_buckets(Bytes gradient, Bytes size) {
  const double count = std::max(1.0, std::ceil(gradient.count() / size.count()));
  return std::vector<Bytes>(static_cast<std::size_t>(count), Bytes{gradient.count() / count});
}

std::vector<Bytes> buckets_of(const Scenario& scenario) {
  const Bytes gradient = gradient_bytes(scenario);
  if (scenario.collective.bucket) return equal_buckets(gradient, *scenario.collective.bucket);
  for (const WorkerSpec& worker : scenario.workers) {
    const std::vector<ProfileBucket>& measured = scenario.profiles[worker.profile].buckets;
    if (measured.empty()) continue;
    const double scale = gradient.count() / total(measured).count();
    std::vector<Bytes> buckets;
    for (const ProfileBucket& bucket : measured) {
      buckets.emplace_back(bucket.bytes.count() * scale);
    }
    return buckets;
  }
  return equal_buckets(gradient, usual_bucket);
}

// The fraction of backward after which this part of the gradient, counted from its end, is there.
double ready_after(const std::vector<ProfileBucket>& measured, double part) {
  if (measured.empty()) return part;
  constexpr double rounding = 1e-9;
  const double needed = (part - rounding) * total(measured).count();
  double so_far = 0.0;
  double ready = 0.0;
  for (const ProfileBucket& bucket : measured) {
    ready = std::max(ready, bucket.ready);
    so_far += bucket.bytes.count();
    if (so_far >= needed) break;
  }
  return ready;
}

}  // namespace

OverlapSetup overlap_setup(const Scenario& scenario) {
  OverlapSetup setup{.buckets = buckets_of(scenario), .left = {}};
  const double gradient = gradient_bytes(scenario).count();
  for (const WorkerSpec& worker : scenario.workers) {
    const Profile& profile = scenario.profiles[worker.profile];
    setup.backward_assumed = setup.backward_assumed || !profile.backward_share;
    const double backward = profile.backward_share.value_or(usual_backward_share);
    std::vector<double>& left = setup.left.emplace_back();
    double so_far = 0.0;
    for (const Bytes bucket : setup.buckets) {
      so_far += bucket.count();
      const double ready = ready_after(profile.buckets, std::min(1.0, so_far / gradient));
      left.push_back(backward * (1.0 - ready));
    }
  }
  return setup;
}

}  // namespace dbsim
