// Long rows of plain flows, which are told of a change all at once, with whatever disturbs that.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/model/fair_share.hpp"
#include "tests/catch.hpp"
#include "tests/model/progressive_filling.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

struct Mixture {
  double plain;  // pairs of hosts with a plain flow
  double odd;    // of the flows added: twice the same pair, weights, limits, a third channel
};

// Hosts of two kinds, each with a channel that its flows leave by or come in by, all of which may
// differ; and one more channel that only odd flows cross.
class Dense {
 public:
  Dense(ChannelIndex from, ChannelIndex to, RandomStream& random)
      : random_{&random}, from_{from}, to_{to} {
    const bool alike = random.uniform() < 0.3;
    for (ChannelIndex i = 0; i < 2 * std::max(from, to) + 1; ++i) {
      capacities_.emplace_back(alike ? 1e9 : 1e9 * random.lognormal(0.3));
    }
    shares_.emplace_back(capacities_);
  }

  void fill(const Mixture& mixture) {
    for (ChannelIndex a = 0; a < from_; ++a) {
      for (ChannelIndex b = 0; b < to_; ++b) {
        if (random_->uniform() < mixture.plain) add({{leaves(a), comes_in(b)}});
      }
    }
    for (double odd = mixture.odd; random_->uniform() < odd; odd *= 0.99) add_odd();
  }

  void change(double odd) {
    const double what = random_->uniform();
    if (what < 0.5 && !present_.empty()) {
      const auto last = static_cast<std::int64_t>(present_.size()) - 1;
      const auto gone = random_->whole(0, last);
      shares().remove(present_[static_cast<std::size_t>(gone)].index);
      present_.erase(present_.begin() + gone);
    } else if (what < 0.8) {
      if (random_->uniform() < odd) {
        add_odd();
      } else {
        add({{leaves(any(from_)), comes_in(any(to_))}});
      }
    } else {
      const ChannelIndex channel = any(static_cast<ChannelIndex>(capacities_.size()));
      const double none = random_->uniform() < 0.1 ? 0.0 : 1.0;
      capacities_[channel] = BytesPerSecond{none * 1e9 * random_->lognormal(0.5)};
      shares().set_capacity(channel, capacities_[channel]);
    }
  }

  // The largest error, relative to the right rate.
  [[nodiscard]] double error() {
    shares().settle();
    shares().forget_changes();
    std::vector<FillingFlow> parts;
    for (const Present& one : present_) {
      FillingFlow part = one.flow;
      part.limit /= part.weight;
      parts.insert(parts.end(), static_cast<std::size_t>(part.weight), part);
    }
    const std::vector<double> right = progressive_filling(capacities_, parts);
    double worst = 0.0;
    std::size_t part = 0;
    for (const Present& one : present_) {
      const double rate = right[part] * one.flow.weight;
      const double error = std::abs(shares().rate(one.index).count() - rate);
      worst = std::max(worst, error == 0.0 ? 0.0 : error / rate);
      part += static_cast<std::size_t>(one.flow.weight);
    }
    return worst;
  }

 private:
  struct Present {
    FillingFlow flow;
    FlowIndex index;
  };

  // As in a topology: the two directions of a link one after the other.
  static ChannelIndex leaves(ChannelIndex host) { return 2 * host; }
  static ChannelIndex comes_in(ChannelIndex host) { return 2 * host + 1; }
  ChannelIndex any(ChannelIndex count) {
    return static_cast<ChannelIndex>(random_->whole(0, static_cast<std::int64_t>(count) - 1));
  }
  FairShare& shares() { return shares_.front(); }

  void add(const FillingFlow& flow) {
    const FlowIndex index = shares().add(flow.channels, BytesPerSecond{flow.limit}, flow.weight);
    shares().activate(index);
    present_.push_back({flow, index});
  }

  void add_odd() {
    FillingFlow flow{{leaves(any(from_)), comes_in(any(to_))}};
    const double what = random_->uniform();
    if (what < 0.25) {
      flow.weight = static_cast<double>(random_->whole(2, 3));
    } else if (what < 0.5) {
      flow.limit = 1e8 * random_->uniform();
    } else if (what < 0.75) {
      flow.channels.push_back(static_cast<ChannelIndex>(capacities_.size() - 1));
    }
    add(flow);
  }

  RandomStream* random_;
  ChannelIndex from_;
  ChannelIndex to_;
  std::vector<BytesPerSecond> capacities_;
  std::vector<FairShare> shares_;  // one
  std::vector<Present> present_;
};

void check_cases(const char* purpose, int cases, const Mixture& mixture) {
  RandomStream random = RandomStreams{61}.stream("fair-share", purpose);
  for (int round = 0; round < cases; ++round) {
    const auto from = static_cast<ChannelIndex>(random.whole(33, 70));
    const auto to = static_cast<ChannelIndex>(random.whole(33, 70));
    Dense network{from, to, random};
    network.fill(mixture);
    for (int step = 0; step < 12; ++step) {
      const double error = network.error();
      if (error > 1e-9) CHECK(error == 0.0);
      for (std::int64_t changes = random.whole(1, 3); changes > 0; --changes) {
        network.change(mixture.odd);
      }
    }
  }
}

}  // namespace

TEST_CASE("where all send to all, rates after any changes are those of progressive filling",
          "[fair_share]") {
  check_cases("dense", 12, {.plain = 1.0, .odd = 0.0});
  check_cases("half", 12, {.plain = 0.6, .odd = 0.0});
}

TEST_CASE("flows that are not plain among many that are have their fair rates too",
          "[fair_share]") {
  check_cases("few-odd", 12, {.plain = 0.9, .odd = 0.3});
  check_cases("odd", 12, {.plain = 0.7, .odd = 1.0});
}

TEST_CASE("rates stay right while flows of a dense network finish one by one", "[fair_share]") {
  RandomStream random = RandomStreams{62}.stream("fair-share", "drain");
  std::vector<BytesPerSecond> capacities;
  for (int i = 0; i < 80; ++i) capacities.emplace_back(1e9 * random.lognormal(0.1));
  FairShare shares{capacities};
  std::vector<FillingFlow> flows;
  std::vector<FlowIndex> index;
  for (ChannelIndex a = 0; a < 40; ++a) {
    for (ChannelIndex b = 0; b < 40; ++b) {
      flows.push_back({{2 * a, 2 * b + 1}});
      index.push_back(shares.add(flows.back().channels, unlimited));
      shares.activate(index.back());
    }
  }
  while (!flows.empty()) {
    shares.settle();
    shares.forget_changes();
    if (flows.size() % 100 == 0) {
      const std::vector<double> right = progressive_filling(capacities, flows);
      for (std::size_t i = 0; i < flows.size(); ++i) {
        const double rate = shares.rate(index[i]).count();
        if (std::abs(rate - right[i]) > 1e-10 * right[i]) CHECK(rate == right[i]);
      }
    }
    const auto gone = random.whole(0, static_cast<std::int64_t>(flows.size()) - 1);
    shares.remove(index[static_cast<std::size_t>(gone)]);
    flows.erase(flows.begin() + gone);
    index.erase(index.begin() + gone);
  }
}
