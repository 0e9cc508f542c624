#include "sim/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/report/batches_text.hpp"
#include "sim/report/verdict.hpp"

namespace dbsim {

namespace {

/// One unit for a whole column, so that its numbers can be compared at a glance.
struct TimeScale {
  std::string_view unit;
  double seconds;
  int decimals;
};

/// The unit suits the largest value; the decimals leave three figures to the smallest.
TimeScale scale_for(const std::vector<double>& times_s) {
  const double largest = std::ranges::max(times_s);
  double smallest = largest;
  for (const double time : times_s) {
    if (time > 0.0) smallest = std::min(smallest, time);
  }
  TimeScale scale{.unit = "s", .seconds = 1.0, .decimals = 0};
  if (largest < 1.0) {
    scale = {.unit = "ms", .seconds = 1e-3, .decimals = 0};
  } else if (largest >= 7200.0) {
    scale = {.unit = "h", .seconds = 3600.0, .decimals = 0};
  } else if (largest >= 600.0) {
    scale = {.unit = "min", .seconds = 60.0, .decimals = 0};
  }
  if (smallest > 0.0) {
    const int digits = static_cast<int>(std::floor(std::log10(smallest / scale.seconds)));
    scale.decimals = std::clamp(2 - digits, 0, 3);
  }
  return scale;
}

std::string scaled(double time_s, const TimeScale& scale) {
  return fmt::format("{:.{}f}", time_s / scale.seconds, scale.decimals);
}

double epoch_s(const EpochTrace& epoch) { return to_seconds(epoch.end - epoch.begin).count(); }

Cell saving_cell(const PolicySummary& policy, const Results& results) {
  if (policy.label == results.baseline) return {.text = "baseline"};
  std::string text = percent(policy.saving.mean);
  if (policy.saving.ci95) {
    const auto bare = [](double value) { return std::round(value * 1000.0) / 10.0 + 0.0; };
    text += fmt::format(" [{:.1f}, {:.1f}]", bare(policy.saving.ci95->low),
                        bare(policy.saving.ci95->high));
  }
  if (!policy.deadlocks.empty()) return {.text = std::move(text)};  // nobody gets this saving
  switch (outcome_of(policy.saving)) {
    case Outcome::saves:
      return {.text = std::move(text), .tone = Tone::gain};
    case Outcome::costs:
      return {.text = std::move(text), .tone = Tone::loss};
    case Outcome::nothing:
    case Outcome::inconclusive:
      break;
  }
  return {.text = std::move(text)};
}

void add_total_column(Grid& grid, const Results& results) {
  std::vector<double> times;
  for (const PolicySummary& policy : results.policies) times.push_back(policy.total_time_s.mean);
  const TimeScale scale = scale_for(times);
  grid.columns.push_back({.title = "total", .unit = std::string{scale.unit}});
  for (std::size_t i = 0; i < times.size(); ++i) {
    grid.rows[i].push_back({.text = scaled(times[i], scale)});
  }
}

/// The first epoch and the last, in one unit; a single epoch says what the total says already.
void add_epoch_columns(Grid& grid, const Results& results) {
  const std::size_t epochs = results.policies.front().epochs.size();
  if (epochs < 2) return;
  std::vector<double> times;
  for (const PolicySummary& policy : results.policies) {
    times.push_back(epoch_s(policy.epochs.front()));
    times.push_back(epoch_s(policy.epochs.back()));
  }
  const TimeScale scale = scale_for(times);
  const std::string unit{scale.unit};
  grid.columns.push_back({.title = "epoch 0", .unit = unit});
  grid.columns.push_back({.title = fmt::format("epoch {}", epochs - 1), .unit = unit});
  for (std::size_t i = 0; i < results.policies.size(); ++i) {
    grid.rows[i].push_back({.text = scaled(times[2 * i], scale)});
    grid.rows[i].push_back({.text = scaled(times[2 * i + 1], scale)});
  }
}

Grid policies_grid(const Results& results) {
  Grid grid;
  grid.columns.push_back({.title = "policy", .unit = "", .align = Align::left});
  for (const PolicySummary& policy : results.policies) {
    const bool hangs = !policy.deadlocks.empty();
    grid.rows.push_back({{.text = policy.label + (hangs ? "*" : "")}});
  }
  add_total_column(grid, results);
  const bool intervals = results.repeats > 1;
  grid.columns.push_back(
      {.title = "saving", .unit = intervals ? "[95 % interval]" : "", .align = Align::left});
  grid.columns.push_back({.title = "speed-up", .unit = "times"});
  for (std::size_t i = 0; i < results.policies.size(); ++i) {
    grid.rows[i].push_back(saving_cell(results.policies[i], results));
    grid.rows[i].push_back({.text = fmt::format("{:.2f}", results.policies[i].speedup)});
  }
  add_epoch_columns(grid, results);
  grid.columns.push_back({.title = "busy", .unit = "%"});
  for (std::size_t i = 0; i < results.policies.size(); ++i) {
    grid.rows[i].push_back(
        {.text = fmt::format("{:.1f}", 100.0 * results.policies[i].utilization)});
  }
  return grid;
}

Grid shares_grid(const Results& results) {
  Grid grid;
  grid.columns = {{.title = "where the time goes", .unit = "", .align = Align::left},
                  {.title = "own work", .unit = ""},
                  {.title = "communication", .unit = ""},
                  {.title = "waiting", .unit = ""}};
  const bool rebalancing = std::ranges::any_of(results.policies, [](const PolicySummary& policy) {
    return policy.time_shares.rebalancing > 0.0;
  });
  if (rebalancing) grid.columns.push_back({.title = "rebalancing", .unit = ""});
  for (const PolicySummary& policy : results.policies) {
    const TimeShares& shares = policy.time_shares;
    grid.rows.push_back({{.text = policy.label},
                         {.text = percent(shares.own)},
                         {.text = percent(shares.communication)},
                         {.text = percent(shares.wait)}});
    if (rebalancing) grid.rows.back().push_back({.text = percent(shares.rebalancing)});
  }
  return grid;
}

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", grouped_digits(static_cast<long long>(count)), thing,
                     count == 1 ? "" : "s");
}

std::string heading(const Results& results, const TableStyle& style) {
  const PolicySummary& baseline = baseline_of(results);
  const std::string facts = fmt::format(
      "{}, {}, global batch {}, {} from seed {}", counted(results.workers.size(), "worker"),
      counted(baseline.epochs.size(), "epoch"), grouped_digits(baseline.global_batch.count()),
      counted(results.repeats, "repeat"), results.seed);
  return painted(results.scenario, Tone::heading, style) + '\n' + wrapped_after("", facts, style);
}

std::string final_batches(const Results& results, const TableStyle& style) {
  constexpr std::size_t lines_per_policy = 3;
  std::size_t widest = 0;
  for (const PolicySummary& policy : results.policies) {
    widest = std::max(widest, display_width(policy.label));
  }
  const auto width = static_cast<std::size_t>(std::max(style.width, 40));
  const std::size_t label_width = std::min(widest, width / 3);
  const std::size_t indent = label_width + 4;
  std::string text;
  for (const PolicySummary& policy : results.policies) {
    if (policy.epochs.empty()) continue;
    std::string lead = "  " + shortened(policy.label, label_width);
    lead.append(indent - display_width(lead), ' ');
    const std::string batches = batches_text(results.workers, policy.epochs.back(),
                                             lines_per_policy * (width - indent) - width / 4);
    text += wrapped_after(lead, batches, style);
  }
  return text;
}

std::string notes_text(const Results& results, const TableStyle& style) {
  std::string text;
  for (const std::string& note : hang_notes(results)) text += wrapped_after("* ", note, style);
  for (const std::string& note : notes(results)) text += wrapped_after("- ", note, style);
  return text;
}

}  // namespace

std::string results_table(const Results& results, const TableStyle& style) {
  std::string text = heading(results, style);
  text += '\n' + grid_text(policies_grid(results), style);
  text += '\n' +
          painted(results.repeats > 1 ? "Batches in the last epoch (first repeat)"
                                      : "Batches in the last epoch",
                  Tone::heading, style) +
          '\n';
  text += final_batches(results, style);
  text += '\n' + wrapped_after("", saving_sentence(results), style);
  text += '\n' + grid_text(shares_grid(results), style);
  text += '\n' + wrapped_after("", waiting_sentence(results), style);
  const std::string remarks = notes_text(results, style);
  if (!remarks.empty()) text += '\n' + painted("Notes", Tone::heading, style) + '\n' + remarks;
  return text;
}

}  // namespace dbsim
