#include "sim/import/nccl_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"

namespace dbsim {

namespace {

using Place = NcclChoice::Place;

constexpr std::int64_t most_ranks = 1'000'000;  // as in a network file

/// What a printed number may have been.
struct Range {
  double low{};
  double high{};
};

// Rounding is of decimal digits, and 2.675 is no double: a little more than half a unit.
Range range_of(const Printed& printed) {
  constexpr double slack = 1.0 + 1e-6;
  return {std::max(0.0, printed.value - printed.rounding * slack),
          printed.value + printed.rounding * slack};
}

/// Numbers of ranks, both ends included.
struct Ranks {
  std::int64_t low{1};
  std::int64_t high{most_ranks};
  [[nodiscard]] bool empty() const { return low > high; }
  [[nodiscard]] bool has(std::int64_t ranks) const { return ranks >= low && ranks <= high; }
  void keep(const Ranks& other) {
    low = std::max(low, other.low);
    high = std::min(high, other.high);
  }
};

std::string in_words(const Ranks& ranks) {
  if (ranks.empty()) return "no number of ranks";
  if (ranks.low == ranks.high)
    return fmt::format("{} rank{}", ranks.low, ranks.low == 1 ? "" : "s");
  if (ranks.high == most_ranks) return fmt::format("{} ranks or more", ranks.low);
  return fmt::format("{} to {} ranks", ranks.low, ranks.high);
}

/// How many ranks the printed time and busbw allow: busbw * time / size is 2(n - 1)/n.
Ranks allowed_ranks(Bytes size, const NcclTime& time) {
  const Range seconds = range_of(time.seconds);
  const Range busbw = range_of(*time.busbw);
  const double low = busbw.low * seconds.low / size.count();
  const double high = busbw.high * seconds.high / size.count();
  // n = 2 / (2 - factor) rises with the factor. What is a whole number but for rounding is one.
  constexpr double tiny = 1e-9;
  const auto ranks = [](double factor) {
    const double most = static_cast<double>(most_ranks) + 1.0;
    return factor < 2.0 ? std::min(2.0 / (2.0 - factor), most) : most;
  };
  return {static_cast<std::int64_t>(std::ceil(ranks(low) * (1.0 - tiny))),
          std::min(most_ranks, static_cast<std::int64_t>(std::floor(ranks(high) * (1.0 + tiny))))};
}

std::int64_t total(const std::vector<std::int64_t>& ranks_per_host) {
  return std::accumulate(ranks_per_host.begin(), ranks_per_host.end(), std::int64_t{0});
}

class NetworkMaker {
 public:
  NetworkMaker(const NcclTests& tests, const NcclChoice& choice, const std::string& file)
      : tests_{tests}, choice_{choice}, file_{file} {}

  NetworkDocument make() {
    check_algbw();
    add_ranks();
    add_points();
    document_.library =
        tests_.nccl_version.empty() ? "NCCL" : fmt::format("NCCL {}", tests_.nccl_version);
    document_.library += ", measured by nccl-tests";
    if (!tests_.tests_version.empty()) document_.library += ' ' + tests_.tests_version;
    document_.devices = tests_.devices;
    document_.date = tests_.date;
    document_.remarks.push_back(
        tests_.operations && *tests_.operations > 0
            ? fmt::format("A time is the mean of {} operations, each begun without waiting.",
                          *tests_.operations)
            : std::string{"A time is the mean of several operations, each begun without waiting."});
    document_.remarks.insert(document_.remarks.end(), remarks_.begin(), remarks_.end());
    document_.remarks.insert(document_.remarks.end(), tests_.remarks.begin(), tests_.remarks.end());
    document_.fit = fit_network(document_);
    return std::move(document_);
  }

 private:
  [[noreturn]] void refuse(Position at, std::string_view key, std::string found,
                           std::string expected) const {
    throw InputError{{{{file_, at.line, at.column},
                       std::string{key},
                       std::move(found),
                       std::move(expected),
                       {}}}};
  }

  template <class Body>
  void for_each_time(Body body) const {
    for (const NcclRow& row : tests_.rows) {
      if (row.out_of_place) body(row.size, *row.out_of_place);
      if (row.in_place) body(row.size, *row.in_place);
    }
  }

  void check_algbw() const {
    for_each_time([&](Bytes size, const NcclTime& time) {
      if (!time.algbw) return;
      const Range seconds = range_of(time.seconds);
      const Range algbw = range_of(*time.algbw);
      const double least = size.count() / seconds.high;
      const double most =
          seconds.low > 0.0 ? size.count() / seconds.low : std::numeric_limits<double>::infinity();
      if (algbw.high >= least && algbw.low <= most) return;
      constexpr double giga = 1e9;
      refuse(
          time.at, "algbw", fmt::format("{:.4g} GB/s", time.algbw->value / giga),
          fmt::format("{:.4g} GB/s: {:.0f} bytes in {}", size.count() / time.seconds.value / giga,
                      size.count(), to_text(Seconds{time.seconds.value})));
    });
  }

  /// What all rows allow together.
  [[nodiscard]] Ranks told_ranks() const {
    Ranks ranks;
    for_each_time([&](Bytes size, const NcclTime& time) {
      if (time.busbw) ranks.keep(allowed_ranks(size, time));
    });
    return ranks;
  }

  [[nodiscard]] bool any_busbw() const {
    bool any = false;
    for_each_time([&](Bytes, const NcclTime& time) { any = any || time.busbw; });
    return any;
  }

  void add_ranks() {
    const bool asked = !choice_.ranks_per_host.empty();
    document_.ranks_per_host = asked ? choice_.ranks_per_host : tests_.ranks_per_host;
    if (document_.ranks_per_host.empty()) tell_ranks();
    const std::int64_t ranks = total(document_.ranks_per_host);
    const std::int64_t listed = total(tests_.ranks_per_host);
    if (!any_busbw()) {
      remarks_.emplace_back("There is no busbw with which the number of ranks could be checked.");
    }
    check_busbw(ranks, asked ? "asked for" : "listed in the file");
    if (asked && listed > 0 && listed != ranks) {
      remarks_.push_back(fmt::format("The file lists {} ranks; {} were asked for.", listed, ranks));
    }
    if (ranks < 2 || ranks > most_ranks) {
      refuse({}, {}, fmt::format("{} rank{}", ranks, ranks == 1 ? "" : "s"),
             ranks < 2 ? "two at least: built without MPI, nccl-tests runs alone in every process"
                       : fmt::format("at most {}", most_ranks));
    }
  }

  void tell_ranks() {
    const Ranks told = told_ranks();
    if (told.low != told.high) {
      refuse({}, {},
             any_busbw() ? fmt::format("no list of ranks, and busbw allows {}", in_words(told))
                         : std::string{"no list of ranks, and no busbw to tell how many"},
             "the number of ranks on each host, as --ranks 4,4");
    }
    document_.ranks_per_host = {told.low};
    remarks_.push_back(
        fmt::format("The file does not list its ranks: busbw says that there were {}. On how many "
                    "hosts is not known; one is assumed.",
                    told.low));
  }

  void check_busbw(std::int64_t ranks, std::string_view source) const {
    for_each_time([&](Bytes size, const NcclTime& time) {
      if (!time.busbw || allowed_ranks(size, time).has(ranks)) return;
      const Ranks told = told_ranks();
      constexpr double giga = 1e9;
      const BytesPerSecond expected = bus_bandwidth(size, Seconds{time.seconds.value},
                                                    static_cast<int>(std::min(ranks, most_ranks)));
      refuse(time.at, "busbw",
             fmt::format("{:.4g} GB/s, that of {}", time.busbw->value / giga,
                         in_words(told.empty() ? allowed_ranks(size, time) : told)),
             fmt::format("{:.4g} GB/s, that of the {} {}", expected.count() / giga,
                         in_words({ranks, ranks}), source));
    });
  }

  [[nodiscard]] std::optional<double> time_of(const NcclRow& row) const {
    const auto seconds = [](const std::optional<NcclTime>& time) {
      return time ? std::optional{time->seconds.value} : std::nullopt;
    };
    if (choice_.place == Place::in_place) return seconds(row.in_place);
    if (choice_.place == Place::out_of_place) return seconds(row.out_of_place);
    if (!row.in_place || !row.out_of_place) {
      return seconds(row.in_place ? row.in_place : row.out_of_place);
    }
    return std::min(row.in_place->seconds.value, row.out_of_place->seconds.value);
  }

  void add_points() {
    std::map<Bytes, std::vector<double>> by_size;
    for (const NcclRow& row : tests_.rows) {
      if (const auto time = time_of(row)) by_size[row.size].push_back(*time);
    }
    std::size_t most = 0;
    for (const auto& [size, times] : by_size) {
      OperationTime time{.median = median(times)};
      if (times.size() > 1) time.repetitions = static_cast<std::int64_t>(times.size());
      document_.points.push_back({.bytes = size, .time = time});
      most = std::max(most, times.size());
    }
    if (by_size.size() < 2) {
      const std::string_view place = choice_.place == Place::in_place       ? " in place"
                                     : choice_.place == Place::out_of_place ? " out of place"
                                                                            : "";
      refuse({}, {},
             fmt::format("{} message size{} measured{}", by_size.size(),
                         by_size.size() == 1 ? "" : "s", place),
             "two at least, so that others can be told from them, or another --place");
    }
    remarks_.emplace_back(words_of_place());
    if (most > 1) {
      remarks_.push_back(
          fmt::format("Sizes have up to {} rows each: their median is taken.", most));
    }
  }

  [[nodiscard]] std::string_view words_of_place() const {
    switch (choice_.place) {
      case Place::in_place:
        return "Times are those of operations in place.";
      case Place::out_of_place:
        return "Times are those of operations out of place.";
      case Place::faster:
        break;
    }
    return "Of the two times of a size, out of place and in place, the shorter is taken: what "
           "disturbs an operation makes it longer.";
  }

  const NcclTests& tests_;
  const NcclChoice& choice_;
  const std::string& file_;
  NetworkDocument document_;
  std::vector<std::string> remarks_;
};

}  // namespace

NetworkDocument to_network(const NcclTests& tests, const NcclChoice& choice,
                           const std::string& file) {
  return NetworkMaker{tests, choice, file}.make();
}

}  // namespace dbsim
