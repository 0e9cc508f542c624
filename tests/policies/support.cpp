#include "tests/policies/support.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace dbsim::test {

ClusterView unknown_cluster(std::size_t workers, std::int64_t global_batch,
                            std::int64_t epoch_samples) {
  ClusterView cluster{.global_batch = Samples{global_batch},
                      .epoch_samples = Samples{epoch_samples},
                      .workers = {}};
  for (std::size_t i = 0; i < workers; ++i) {
    std::string name{"w"};
    name += std::to_string(i);
    cluster.workers.push_back({name, std::nullopt, std::nullopt});
  }
  return cluster;
}

ClusterView cluster_of(const std::vector<Line>& lines, std::int64_t global_batch,
                       std::int64_t epoch_samples) {
  ClusterView cluster = unknown_cluster(lines.size(), global_batch, epoch_samples);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    cluster.workers[i].nominal =
        StepTimeCurve::affine(Seconds{lines[i].overhead}, Seconds{lines[i].per_sample});
  }
  return cluster;
}

std::vector<Line> lbb_lines() {
  return {{8.2e-3, 0.68e-3}, {8.4e-3, 0.68e-3}, {9.5e-3, 0.71e-3}, {34.8e-3, 3.53e-3}};
}

ClusterView measured_lbb_cluster() {
  ClusterView cluster = unknown_cluster(4, 512);
  const std::vector<std::pair<double, double>> fast{{94.8, 0.68}, {94.6, 0.68}, {98.9, 0.71}};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [at_128, per_sample] = fast[i];
    cluster.workers[i].nominal =
        StepTimeCurve{{{Samples{128}, Seconds{1e-3 * at_128}},
                       {Samples{228}, Seconds{1e-3 * (at_128 + 100.0 * per_sample)}}}};
  }
  cluster.workers[3].nominal = StepTimeCurve{{{Samples{24}, Seconds{0.1205}},
                                              {Samples{25}, Seconds{0.12395}},
                                              {Samples{27}, Seconds{0.12906}},
                                              {Samples{32}, Seconds{0.14147}},
                                              {Samples{128}, Seconds{0.47528}}}};
  return cluster;
}

std::vector<Line> random_lines(RandomStream& random, std::size_t workers) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < workers; ++i) {
    lines.push_back({0.03 * random.uniform(), 1e-3 * random.lognormal(0.7)});
  }
  return lines;
}

double step_seconds(const ClusterView& cluster, const Decision& decision, std::size_t worker) {
  return cluster.workers[worker].nominal->at(decision.local_batches[worker]).count();
}

double slowest_step(const ClusterView& cluster, const Decision& decision) {
  double slowest = 0.0;
  for (std::size_t i = 0; i < cluster.workers.size(); ++i) {
    slowest = std::max(slowest, step_seconds(cluster, decision, i));
  }
  return slowest;
}

std::vector<Measurement> epoch_of(const ClusterView& cluster, const Decision& decision) {
  std::vector<Measurement> epoch;
  const std::int64_t steps =
      std::max<std::int64_t>(cluster.epoch_samples.count() / sum_of(decision.local_batches), 1);
  for (std::size_t i = 0; i < cluster.workers.size(); ++i) {
    const Samples batch = decision.local_batches[i];
    epoch.push_back(
        {.batch = batch,
         .samples = Samples{steps * batch.count()},
         .steps = steps,
         .own = Seconds{static_cast<double>(steps) * step_seconds(cluster, decision, i)}});
  }
  return epoch;
}

std::vector<Decision> drive(Policy& policy, const ClusterView& cluster, int epochs) {
  std::vector<Decision> decisions{policy.start(cluster)};
  for (int epoch = 1; epoch < epochs; ++epoch) {
    const std::optional<Decision> next = policy.after_epoch(epoch_of(cluster, decisions.back()));
    decisions.push_back(next ? *next : decisions.back());
  }
  return decisions;
}

std::vector<Measurement> steps_of(const ClusterView& cluster, const Decision& decision,
                                  std::int64_t steps) {
  std::vector<Measurement> measured;
  for (std::size_t i = 0; i < cluster.workers.size(); ++i) {
    const Samples batch = decision.local_batches[i];
    measured.push_back(
        {.batch = batch,
         .samples = Samples{steps * batch.count()},
         .steps = steps,
         .own = Seconds{static_cast<double>(steps) * step_seconds(cluster, decision, i)}});
  }
  return measured;
}

std::vector<Measurement> steps_with_times(const Decision& decision,
                                          const std::vector<double>& seconds) {
  std::vector<Measurement> measured;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const Samples batch = decision.local_batches[i];
    measured.push_back({.batch = batch, .samples = batch, .steps = 1, .own = Seconds{seconds[i]}});
  }
  return measured;
}

std::vector<Decision> drive_steps(Policy& policy, const ClusterView& cluster, int calls) {
  std::vector<Decision> decisions{policy.start(cluster)};
  const std::int64_t every = policy.steps_between_decisions().value_or(1);
  for (int call = 0; call < calls; ++call) {
    decisions.push_back(
        policy.after_steps(steps_of(cluster, decisions.back(), every)).value_or(decisions.back()));
  }
  return decisions;
}

Decision next_of(Policy& policy, const std::vector<Measurement>& measured, const Decision& before) {
  const Decision within = policy.after_steps(measured).value_or(before);
  return policy.after_epoch(measured).value_or(within);
}

Whole counts_of(const std::vector<Samples>& samples) {
  Whole counts;
  for (const Samples s : samples) counts.push_back(s.count());
  return counts;
}

std::int64_t sum_of(const std::vector<Samples>& samples) {
  std::int64_t sum = 0;
  for (const Samples s : samples) sum += s.count();
  return sum;
}

std::vector<Measurement> epoch_with_times(const Decision& decision,
                                          const std::vector<double>& own_seconds) {
  std::vector<Measurement> epoch;
  for (std::size_t i = 0; i < own_seconds.size(); ++i) {
    const Samples batch = decision.local_batches[i];
    epoch.push_back({.batch = batch,
                     .samples = Samples{97 * batch.count()},
                     .steps = 97,
                     .own = Seconds{own_seconds[i]}});
  }
  return epoch;
}

}  // namespace dbsim::test
