#include "calib/network/measure_all_reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "calib/network/median_interval.hpp"
#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "sim/base/units.hpp"

namespace dbsim::calib {

namespace {

class Measuring {
 public:
  Measuring(AllReduce& group, const NetworkMeasureOptions& options,
            const NetworkSurroundings& surroundings)
      : group_{group},
        options_{options},
        surroundings_{surroundings},
        began_{surroundings.now()},
        shuffle_{RandomStreams{options.seed}.stream("all-reduce order")} {}

  std::vector<SizeSamples> run() {
    explore();
    for (std::size_t round = 1; go_on(1.0) && visit_all(round); ++round) {
    }
    std::vector<SizeSamples> samples;
    for (Size& size : sizes_) samples.push_back({size.bytes, std::move(size.seconds)});
    return samples;
  }

 private:
  struct Size {
    std::int64_t bytes{};
    std::vector<double> seconds;
    std::size_t visits{};
  };

  [[nodiscard]] bool go_on(double part_of_budget) {
    const bool stopped = surroundings_.stop && surroundings_.stop();
    const double spent = surroundings_.now() - began_;
    return group_.as_leader_says(!stopped && spent < part_of_budget * options_.budget_s);
  }

  void say(std::size_t round, std::int64_t bytes) {
    if (!surroundings_.report || !group_.leads()) return;
    const double spent = surroundings_.now() - began_;
    surroundings_.report(
        fmt::format("round {}, {}", round, to_text(Bytes{static_cast<double>(bytes)})),
        std::clamp(spent / options_.budget_s, 0.0, 1.0));
  }

  // The first operation of a size finds connections and buffers that are not there yet, and the
  // first visit may fall into anything: what counts comes from two operations at least.
  void explore() {
    constexpr double most_of_budget = 0.5;
    constexpr std::size_t least_sizes = 2;  // a line needs them
    for (const std::int64_t bytes : options_.sizes) {
      if (sizes_.size() >= least_sizes && !go_on(most_of_budget)) break;
      say(0, bytes);
      (void)group_.run(bytes, 1);
      if (!group_.sums_are_right()) {
        throw std::runtime_error{fmt::format("the all-reduce of {} bytes left wrong sums", bytes)};
      }
      sizes_.push_back({.bytes = bytes, .seconds = group_.run(bytes, 1), .visits = 1});
    }
  }

  [[nodiscard]] bool settled(const Size& size) const {
    if (size.visits < options_.least_visits) return false;
    const auto half_width = relative_half_width(summary_of(size.seconds));
    return half_width && *half_width <= options_.precision;
  }

  /// False when there was nothing left to do, or no time to do it.
  bool visit_all(std::size_t round) {
    std::vector<Size*> open;
    for (Size& size : sizes_) {
      if (!settled(size)) open.push_back(&size);
    }
    for (std::size_t last = open.size(); last > 1; --last) {
      const auto other = shuffle_.whole(0, static_cast<std::int64_t>(last) - 1);
      std::swap(open[last - 1], open[static_cast<std::size_t>(other)]);
    }
    for (Size* size : open) {
      if (!go_on(1.0)) return false;
      say(round, size->bytes);
      visit(*size);
    }
    return !open.empty();
  }

  void visit(Size& size) {
    constexpr double most_repetitions = 50.0;
    const double fitting = options_.visit_s / summary_of(size.seconds).median;
    const auto repetitions =
        static_cast<std::size_t>(std::clamp(std::round(fitting), 1.0, most_repetitions));
    (void)group_.run(size.bytes, 1);
    const std::vector<double> seconds = group_.run(size.bytes, repetitions);
    size.seconds.insert(size.seconds.end(), seconds.begin(), seconds.end());
    ++size.visits;
  }

  AllReduce& group_;
  const NetworkMeasureOptions& options_;
  const NetworkSurroundings& surroundings_;
  double began_;
  RandomStream shuffle_;
  std::vector<Size> sizes_;
};

}  // namespace

std::vector<std::int64_t> message_sizes(std::int64_t low, std::int64_t high, double factor) {
  constexpr std::int64_t unit = sizeof(float);
  check(unit <= low && low <= high && factor > 1.0, "sizes rise from a float on");
  std::vector<std::int64_t> sizes;
  const auto add = [&](double size) {
    const std::int64_t floats = std::max<std::int64_t>(1, std::llround(size / unit));
    if (sizes.empty() || sizes.back() < unit * floats) sizes.push_back(unit * floats);
  };
  double bytes = static_cast<double>(low);
  while (bytes < static_cast<double>(high)) {
    add(bytes);
    bytes *= factor;
  }
  add(static_cast<double>(high));
  return sizes;
}

std::vector<SizeSamples> measure_all_reduce(AllReduce& group, const NetworkMeasureOptions& options,
                                            const NetworkSurroundings& surroundings) {
  return Measuring{group, options, surroundings}.run();
}

}  // namespace dbsim::calib
