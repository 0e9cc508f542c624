#pragma once
// Clusters whose step times are known laws, and the measurements that such a cluster would give.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/policy/policy.hpp"

namespace dbsim::test {

using Whole = std::vector<std::int64_t>;

/// t(b) = overhead + per_sample * b, in seconds.
struct Line {
  double overhead;
  double per_sample;
};

inline constexpr std::int64_t cifar_samples = 50'000;

[[nodiscard]] ClusterView cluster_of(const std::vector<Line>& lines, std::int64_t global_batch,
                                     std::int64_t epoch_samples = cifar_samples);
/// Workers of which nothing is known beforehand.
[[nodiscard]] ClusterView unknown_cluster(std::size_t workers, std::int64_t global_batch,
                                          std::int64_t epoch_samples = cifar_samples);

/// GTX 1070, GTX 1070, M40 and GTX 750 on ResNet-18: affine fits to the measured profile in
/// github.com/FLYING37520/LBB at beab406 (batchVStime_benchtrue_deterTrue.csv).
[[nodiscard]] std::vector<Line> lbb_lines();

/// The same cards at a global batch of 512, the slowest by the points of that profile which
/// balancing passes, the others straight from 128 samples on.
[[nodiscard]] ClusterView measured_lbb_cluster();

[[nodiscard]] std::vector<Line> random_lines(RandomStream& random, std::size_t workers);

[[nodiscard]] double step_seconds(const ClusterView& cluster, const Decision& decision,
                                  std::size_t worker);
[[nodiscard]] double slowest_step(const ClusterView& cluster, const Decision& decision);

/// One undisturbed epoch under the nominal curves: own time = steps * t(b).
[[nodiscard]] std::vector<Measurement> epoch_of(const ClusterView& cluster,
                                                const Decision& decision);
/// Starts the policy and lets it see undisturbed epochs; the decisions of all of them.
[[nodiscard]] std::vector<Decision> drive(Policy& policy, const ClusterView& cluster, int epochs);

/// So many undisturbed steps under the nominal curves.
[[nodiscard]] std::vector<Measurement> steps_of(const ClusterView& cluster,
                                                const Decision& decision, std::int64_t steps);
/// Steps that took these times, each worker's with its whole local batch.
[[nodiscard]] std::vector<Measurement> steps_with_times(const Decision& decision,
                                                        const std::vector<double>& seconds);
/// Starts the policy and lets it see undisturbed steps, as often as it asks; its decisions, the
/// first one included.
[[nodiscard]] std::vector<Decision> drive_steps(Policy& policy, const ClusterView& cluster,
                                                int calls);
/// The other way to decide than a policy has does nothing: it is shown both.
[[nodiscard]] Decision next_of(Policy& policy, const std::vector<Measurement>& measured,
                               const Decision& before);

[[nodiscard]] Whole counts_of(const std::vector<Samples>& samples);
[[nodiscard]] std::int64_t sum_of(const std::vector<Samples>& samples);

/// An epoch in which these workers took these own times, each on its share of the samples.
[[nodiscard]] std::vector<Measurement> epoch_with_times(const Decision& decision,
                                                        const std::vector<double>& own_seconds);

template <class Exception, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Exception& refusal) {
    return refusal.what();
  }
  return "nothing was thrown";
}

}  // namespace dbsim::test
