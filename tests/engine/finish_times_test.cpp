#include "sim/engine/finish_times.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

Instant after(double seconds) { return Instant{to_span(Seconds{seconds})}; }

}  // namespace

TEST_CASE("a flow is through when its group's level has carried it", "[finish_times]") {
  FinishTimes finishes{1};
  CHECK_FALSE(finishes.next().has_value());
  finishes.set_level(0, 4.0, Instant{});
  finishes.enter(7, 0, 10.0, Instant{});
  CHECK(finishes.next() == after(2.5));
  CHECK_FALSE(finishes.take(after(2.4)).has_value());
  CHECK(finishes.take(after(2.5)) == FlowIndex{7});
  CHECK_FALSE(finishes.holds(7));
  CHECK_FALSE(finishes.next().has_value());
}

TEST_CASE("a change of level moves the finish of what is left", "[finish_times]") {
  FinishTimes finishes{1};
  finishes.set_level(0, 4.0, Instant{});
  finishes.enter(0, 0, 10.0, Instant{});
  finishes.set_level(0, 1.0, after(1.0));  // 6 are left
  CHECK(finishes.left(0, after(2.0)) == 5.0);
  CHECK(finishes.next() == after(7.0));
  finishes.set_level(0, 0.0, after(2.0));
  CHECK_FALSE(finishes.next().has_value());
  finishes.set_level(0, 10.0, after(9.0));
  CHECK(finishes.next() == after(9.5));
}

TEST_CASE("who leaves takes along what is left, and may go on elsewhere", "[finish_times]") {
  FinishTimes finishes{2};
  finishes.set_level(0, 1.0, Instant{});
  finishes.set_level(1, 2.0, Instant{});
  finishes.enter(3, 0, 5.0, Instant{});
  const double left = finishes.leave(3, after(1.0));
  CHECK(left == 4.0);
  finishes.enter(3, 1, left, after(1.0));
  CHECK(finishes.group(3) == 1);
  CHECK(finishes.next() == after(3.0));
}

TEST_CASE("a flow is in one group at a time", "[finish_times]") {
  FinishTimes finishes{2};
  finishes.enter(0, 0, 1.0, Instant{});
  CHECK_THROWS_AS(finishes.enter(0, 1, 1.0, Instant{}), BrokenAssumption);
}

TEST_CASE("flows at changing levels finish as if each were integrated alone", "[finish_times]") {
  RandomStream random = RandomStreams{21}.stream("finish-times", "flows");
  struct Alone {
    std::size_t group;
    double left;
  };
  for (int round = 0; round < 200; ++round) {
    const auto groups = static_cast<std::size_t>(random.whole(1, 6));
    const auto any_group = [&] {
      return static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(groups) - 1));
    };
    FinishTimes finishes{groups};
    std::vector<double> levels(groups, 0.0);
    std::map<FlowIndex, Alone> alone;
    FlowIndex next_flow = 0;
    double now = 0.0;
    const auto pass = [&](double until) {
      for (auto& [flow, one] : alone) one.left -= levels[one.group] * (until - now);
      now = until;
    };
    for (int step = 0; step < 60; ++step) {
      double until = now + random.uniform();
      const std::optional<Instant> due = finishes.next();
      if (due && *due <= after(until)) {
        pass(to_seconds(due->time_since_epoch()).count());
        const std::optional<FlowIndex> flow = finishes.take(*due);
        REQUIRE(flow.has_value());
        // It is the one with nothing left; nobody else ran out before.
        CHECK(std::abs(alone.at(*flow).left) < 1e-7);
        alone.erase(*flow);
        for (const auto& [other, one] : alone) CHECK(one.left > -1e-7);
        continue;
      }
      until = std::round(until * 1e9) / 1e9;
      pass(until);
      const double what = random.uniform();
      if (what < 0.4) {
        alone[next_flow] = {any_group(), 1.0 + random.uniform()};
        finishes.enter(next_flow, static_cast<GroupIndex>(alone[next_flow].group),
                       alone[next_flow].left, after(now));
        ++next_flow;
      } else if (what < 0.7 || alone.empty()) {
        const std::size_t group = any_group();
        levels[group] = random.uniform() < 0.2 ? 0.0 : random.lognormal(1.0);
        finishes.set_level(static_cast<GroupIndex>(group), levels[group], after(now));
      } else {
        auto& [flow, one] = *alone.begin();
        CHECK(finishes.left(flow, after(now)) == Approx(std::max(0.0, one.left)).margin(1e-7));
        one.group = any_group();
        const double left = finishes.leave(flow, after(now));
        finishes.enter(flow, static_cast<GroupIndex>(one.group), left, after(now));
      }
    }
  }
}
