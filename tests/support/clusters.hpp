#pragma once
// Setups for tests, built without a file.
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "policies/catalog.hpp"
#include "sim/base/random.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/model/setup.hpp"

namespace dbsim::test {

struct Card {
  std::string name;
  Seconds overhead;
  Seconds per_sample;
  double sigma{0.0};
};

struct Training {
  std::int64_t samples{};
  std::int64_t global_batch{};
  std::int64_t epochs{1};
};

inline Setup setup_of(const std::vector<Card>& cards, const Training& job, Seconds exchange) {
  Setup setup;
  setup.epochs = job.epochs;
  setup.view.global_batch = Samples{job.global_batch};
  setup.view.epoch_samples = Samples{job.samples};
  for (const Card& card : cards) {
    const StepTimeCurve curve = StepTimeCurve::affine(card.overhead, card.per_sample);
    setup.view.workers.push_back({card.name, std::nullopt, curve});
    setup.workers.push_back({card.name, curve, card.sigma});
  }
  setup.communication = {.how = FixedCommunication{exchange}, .workers = cards.size()};
  return setup;
}

inline std::unique_ptr<Policy> policy(const std::string& name, const Parameters& parameters = {}) {
  for (const PolicyKind& kind : catalog()) {
    if (kind.name == name) return kind.make(parameters);
  }
  throw std::invalid_argument{"no policy " + name};
}

inline RunTrace run(const Setup& setup, const std::string& name, const Parameters& parameters = {},
                    std::uint64_t seed = 1) {
  return simulate(setup, policy(name, parameters), RandomStreams{seed});
}

/// A random cluster that any policy can run on: 1 to 12 workers of speeds within a factor of about
/// ten.
inline Setup random_setup(RandomStream& random) {
  const auto workers = static_cast<std::size_t>(random.whole(1, 12));
  std::vector<Card> cards;
  for (std::size_t i = 0; i < workers; ++i) {
    cards.push_back({"w" + std::to_string(i), Seconds{0.02 * random.uniform()},
                     Seconds{1e-3 * random.lognormal(0.6)}, random.uniform() < 0.5 ? 0.0 : 0.05});
  }
  const std::int64_t batch = random.whole(static_cast<std::int64_t>(workers), 600);
  Setup setup = setup_of(cards, {random.whole(batch, 8 * batch), batch, random.whole(1, 5)},
                         Seconds{0.05 * random.uniform()});
  if (random.uniform() < 0.3) setup.last_batch = LastBatch::drop;
  if (random.uniform() < 0.3) setup.steps_between_syncs = random.whole(1, 5);
  if (random.uniform() < 0.1) setup.steps_between_syncs.reset();
  for (std::size_t i = 0; i < workers; ++i) {
    if (random.uniform() > 0.3) continue;
    setup.interference.push_back({.worker = i,
                                  .factor = 0.2 + 0.8 * random.uniform(),
                                  .delay = Seconds{random.uniform() < 0.3 ? 0.01 : 0.0},
                                  .from = Seconds{random.uniform()},
                                  .to = Seconds{1.0 + random.uniform()}});
  }
  return setup;
}

}  // namespace dbsim::test
