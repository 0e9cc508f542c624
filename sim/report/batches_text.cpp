#include "sim/report/batches_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/report/layout.hpp"

namespace dbsim {

namespace {

struct Run {  // neighbours that share an entry
  std::size_t first{};
  std::size_t last{};
  std::int64_t smallest{};
  std::int64_t largest{};
};

/// "/0" of "fast/0"; empty where the name has no number.
std::string_view number_part(std::string_view worker) {
  const std::size_t slash = worker.rfind('/');
  if (slash == std::string_view::npos || slash + 1 == worker.size()) return {};
  const std::string_view number = worker.substr(slash + 1);
  const bool digits = std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  return digits ? worker.substr(slash) : std::string_view{};
}

enum class Join { same_batch, any_batch };

std::vector<Run> runs_of(std::span<const std::string> workers, const EpochTrace& epoch, Join join) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const std::int64_t batch = epoch.workers[i].batch.count();
    const bool related = i > 0 && !number_part(workers[i]).empty() &&
                         !number_part(workers[i - 1]).empty() &&
                         family_name(workers[i]) == family_name(workers[i - 1]);
    if (related && (join == Join::any_batch || runs.back().smallest == batch)) {
      Run& run = runs.back();
      run.last = i;
      run.smallest = std::min(run.smallest, batch);
      run.largest = std::max(run.largest, batch);
    } else {
      runs.push_back({.first = i, .last = i, .smallest = batch, .largest = batch});
    }
  }
  return runs;
}

std::string entry(std::span<const std::string> workers, const Run& run) {
  std::string text = neighbours_name(workers[run.first], workers[run.last]);
  text += fmt::format(": {}", run.smallest);
  if (run.largest > run.smallest) text += fmt::format(" to {}", run.largest);
  return text;
}

std::string joined(std::span<const std::string> workers, std::span<const Run> runs) {
  std::string text;
  for (const Run& run : runs) {
    if (!text.empty()) text += ", ";
    text += entry(workers, run);
  }
  return text;
}

/// The entries that fit, and how many workers are not in them.
std::string cut_off(std::span<const std::string> workers, std::span<const Run> runs,
                    std::size_t room) {
  std::string all = joined(workers, runs);
  if (display_width(all) <= room) return all;
  const std::string_view reserve = ", and 1,000,000 workers more";
  std::size_t listed = 0;
  std::size_t used = reserve.size();
  while (listed < runs.size()) {
    used += display_width(entry(workers, runs[listed])) + 2;
    if (used > room && listed > 0) break;
    ++listed;
  }
  if (listed == runs.size()) return all;
  const std::size_t left = workers.size() - runs[listed].first;
  return fmt::format("{}, and {} worker{} more", joined(workers, runs.first(listed)),
                     grouped_digits(static_cast<long long>(left)), left == 1 ? "" : "s");
}

}  // namespace

std::string_view family_name(std::string_view worker) {
  return worker.substr(0, worker.size() - number_part(worker).size());
}

std::string neighbours_name(std::string_view first, std::string_view last) {
  if (first == last) return std::string{first};
  return fmt::format("{}-{}", first, number_part(last).substr(1));
}

std::string batches_text(std::span<const std::string> workers, const EpochTrace& epoch,
                         std::size_t room) {
  check(workers.size() == epoch.workers.size(), "an epoch has a row for every worker");
  if (workers.empty()) return {};
  const auto [smallest, largest] = std::ranges::minmax(epoch.workers, {}, &WorkerEpoch::batch);
  if (workers.size() > 1 && smallest.batch == largest.batch) {
    return fmt::format("all {} workers: {}", grouped_digits(std::ssize(workers)),
                       smallest.batch.count());
  }
  std::string exact = joined(workers, runs_of(workers, epoch, Join::same_batch));
  if (display_width(exact) <= room) return exact;
  return cut_off(workers, runs_of(workers, epoch, Join::any_batch), room);
}

}  // namespace dbsim
