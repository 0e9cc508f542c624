#include "sim/report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/report/batches_text.hpp"
#include "sim/report/layout.hpp"

namespace dbsim {

namespace {

constexpr double smallest_saving = 0.001;  // what still prints as 0.1 %
constexpr double clear_interval = 0.01;    // half-width up to which "nothing" can be said

std::string duration(double seconds) {
  std::string text = to_text(Seconds{seconds});
  constexpr std::string_view no_seconds = " 00 s";
  if (text.ends_with(no_seconds)) text.resize(text.size() - no_seconds.size());
  return text;
}

/// "95 % interval 63.7 to 64.0" in percent, turned round for a cost; empty without an interval.
enum class Read { as_saving, as_cost };
std::string interval_text(const Estimate& saving, Read read) {
  if (!saving.ci95) return {};
  const auto bare = [](double fraction) { return std::round(1000.0 * fraction) / 10.0 + 0.0; };
  const double low = read == Read::as_saving ? saving.ci95->low : -saving.ci95->high;
  const double high = read == Read::as_saving ? saving.ci95->high : -saving.ci95->low;
  return fmt::format("95 % interval {:.1f} to {:.1f}", bare(low), bare(high));
}

std::string in_brackets(const std::string& text) { return text.empty() ? text : " (" + text + ")"; }

std::string instead(const PolicySummary& subject, const PolicySummary& baseline) {
  return fmt::format("{} instead of {}", duration(subject.total_time_s.mean),
                     duration(baseline.total_time_s.mean));
}

bool same_batches(const PolicySummary& a, const PolicySummary& b) {
  const auto equal_rows = [](const WorkerEpoch& x, const WorkerEpoch& y) {
    return x.batch == y.batch;
  };
  return std::ranges::equal(a.epochs, b.epochs, [&](const EpochTrace& x, const EpochTrace& y) {
    return std::ranges::equal(x.workers, y.workers, equal_rows);
  });
}

/// Why moving work between the workers did not help.
std::string reason(const PolicySummary& subject, const PolicySummary& baseline) {
  if (same_batches(subject, baseline)) {
    return fmt::format("it gives every worker the same batches as {}", baseline.label);
  }
  const TimeShares& before = baseline.time_shares;
  const TimeShares& after = subject.time_shares;
  if (before.communication >= 0.5) {
    return fmt::format(
        "communication is {} of the time, and dividing the work anew does not take it away",
        rough_percent(before.communication));
  }
  if (before.wait < 0.03) {
    return fmt::format("under {} workers wait {} of the time, so there is little to even out",
                       baseline.label, rough_percent(before.wait));
  }
  return fmt::format("workers still wait {} of the time, {} under {}", rough_percent(after.wait),
                     rough_percent(before.wait), baseline.label);
}

/// The fastest policy one could choose, when it beats the subject by more than half a point.
std::string better_choice(const Results& results, const PolicySummary& subject) {
  const PolicySummary* best = &subject;
  for (const PolicySummary& policy : results.policies) {
    if (!policy.deadlocks.empty() || policy.label == results.baseline) continue;
    if (policy.saving.mean > best->saving.mean) best = &policy;
  }
  if (best == &subject || best->saving.mean < subject.saving.mean + 0.005) return {};
  if (outcome_of(best->saving) != Outcome::saves) return {};
  const bool both = outcome_of(subject.saving) == Outcome::saves;
  return fmt::format(" {} saves {}{}.", best->label, both ? "more: " : "",
                     percent(best->saving.mean));
}

std::string hang_warning(const PolicySummary& subject) {
  return subject.deadlocks.empty() ? std::string{} : " But it would hang: see the notes.";
}

/// "fast/0", "fast/0 and fast/1", "fast/0 and 3 others".
std::string named(const std::vector<std::size_t>& indices,
                  const std::vector<std::string>& workers) {
  if (indices.empty()) return "nobody";
  const std::string& first = workers.at(indices.front());
  if (indices.size() == 1) return first;
  if (indices.size() == 2) return fmt::format("{} and {}", first, workers.at(indices.back()));
  return fmt::format("{} and {} others", first, indices.size() - 1);
}

/// The workers that wait least over the run: those that the others wait for. Empty where all wait
/// alike.
std::vector<std::size_t> latecomers(const PolicySummary& policy, std::size_t workers) {
  std::vector<double> waits_s(workers);
  for (const EpochTrace& epoch : policy.epochs) {
    for (std::size_t k = 0; k < workers; ++k) {
      waits_s[k] += to_seconds(epoch.workers.at(k).wait).count();
    }
  }
  const double least = std::ranges::min(waits_s);
  const double usual = mean(waits_s);
  if (least > usual / 2.0) return {};
  std::vector<std::size_t> late;
  for (std::size_t k = 0; k < workers; ++k) {
    if (waits_s[k] <= least + (usual - least) / 5.0) late.push_back(k);
  }
  return late;
}

std::string waited_for(const Results& results, const PolicySummary& policy) {
  const std::vector<std::size_t> late = latecomers(policy, results.workers.size());
  if (late.empty()) return "each other";
  const std::string& first = results.workers[late.front()];
  if (late.size() == 1) return first;
  const std::string& last = results.workers[late.back()];
  const bool neighbours =
      late.back() - late.front() + 1 == late.size() &&
      std::ranges::all_of(late, [&](std::size_t k) {
        const std::string& name = results.workers[k];
        return family_name(name) == family_name(first) && family_name(name) != name;
      });
  return neighbours ? neighbours_name(first, last) : named(late, results.workers);
}

std::string deadlock_note(const PolicySummary& policy, const Results& results) {
  const Deadlock& deadlock = policy.deadlocks.front();
  return fmt::format(
      "{} would hang in epoch {} after {} steps: {} wait{} for {}, which {} finished; at least {} "
      "lost (time-out of {} included).",
      policy.label, deadlock.epoch, deadlock.step, named(deadlock.waiting, results.workers),
      deadlock.waiting.size() == 1 ? "s" : "", named(deadlock.missing, results.workers),
      deadlock.missing.size() == 1 ? "has" : "have", duration(policy.deadlock_cost_s),
      duration(collective_timeout.count()));
}

struct Loss {
  std::int64_t used{};
  std::int64_t lost{};
  friend bool operator==(const Loss&, const Loss&) = default;
};

Loss loss_of(const PolicySummary& policy) {
  Loss loss{0, policy.samples_lost};
  for (const EpochTrace& epoch : policy.epochs) {
    for (const WorkerEpoch& worker : epoch.workers) loss.used += worker.samples.count();
  }
  return loss;
}

/// Policies that lose the same samples, as when the job drops last batches, are said in one note.
void add_losses(const Results& results, std::vector<std::string>& all) {
  std::vector<std::pair<Loss, std::string>> by_loss;
  for (const PolicySummary& policy : results.policies) {
    if (policy.samples_lost == 0) continue;
    const Loss loss = loss_of(policy);
    const auto known = std::ranges::find(by_loss, loss, &std::pair<Loss, std::string>::first);
    if (known == by_loss.end()) {
      by_loss.emplace_back(loss, policy.label);
    } else {
      known->second += ", " + policy.label;
    }
  }
  for (const auto& [loss, labels] : by_loss) {
    const std::int64_t total = loss.used + loss.lost;
    const double lost = 100.0 * static_cast<double>(loss.lost) / static_cast<double>(total);
    all.push_back(
        fmt::format("{}: {} of {} samples are trained on; {} are lost ({} %).", labels,
                    grouped_digits(loss.used), grouped_digits(total), grouped_digits(loss.lost),
                    lost < 1.0 ? fmt::format("{:.2g}", lost) : fmt::format("{:.1f}", lost)));
  }
}

/// Said where it is more than once an epoch, or costs time.
void add_resizings(const Results& results, std::vector<std::string>& all) {
  const bool worth_saying = std::ranges::any_of(results.policies, [](const PolicySummary& policy) {
    return policy.resizings > std::ssize(policy.epochs) || policy.time_shares.rebalancing > 0.0;
  });
  if (!worth_saying) return;
  std::string counts;
  for (const PolicySummary& policy : results.policies) {
    if (policy.resizings == 0) continue;
    const bool first = counts.empty();
    counts += fmt::format("{}{}{} under {}", first ? "" : ", ", grouped_digits(policy.resizings),
                          first ? (policy.resizings == 1 ? " time" : " times") : "", policy.label);
    if (policy.time_shares.rebalancing > 0.0) {
      counts += fmt::format(" ({} of the time)", percent(policy.time_shares.rebalancing));
    }
  }
  all.push_back("Local batches change " + counts + ".");
}

void add_timings(const Results& results, std::vector<std::string>& all) {
  for (const PolicySummary& policy : results.policies) {
    if (!policy.observed_timing) continue;
    all.push_back(fmt::format(
        "{} goes by observed times, in which waiting cannot be told from work.", policy.label));
  }
}

/// Below this, rounding of last steps explains it.
constexpr double clear_bias = 0.001;

void add_biases(const Results& results, std::vector<std::string>& all) {
  for (const PolicySummary& policy : results.policies) {
    if (policy.weight_bias < clear_bias) continue;
    all.push_back(
        fmt::format("{}: {} of the gradients' weight lies with other workers than the samples do.",
                    policy.label, percent(policy.weight_bias)));
  }
}

/// A warning that several policies share is said once, before those that only some have.
void add_warnings(const Results& results, std::vector<std::string>& all) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_text;
  for (const PolicySummary& policy : results.policies) {
    for (const std::string& warning : policy.warnings) {
      auto known = std::ranges::find(
          by_text, warning, [](const auto& entry) -> const std::string& { return entry.first; });
      if (known == by_text.end()) known = by_text.insert(known, {warning, {}});
      if (std::ranges::find(known->second, policy.label) == known->second.end()) {
        known->second.push_back(policy.label);
      }
    }
  }
  for (const auto& [warning, labels] : by_text) {
    std::string who;
    for (const std::string& label : labels) who += (who.empty() ? "" : ", ") + label;
    const bool everybody = labels.size() == results.policies.size();
    all.push_back(everybody ? warning : fmt::format("{}: {}", who, warning));
  }
}

}  // namespace

Outcome outcome_of(const Estimate& saving) {
  const bool small = std::abs(saving.mean) < smallest_saving;
  if (!saving.ci95) {
    if (small) return Outcome::nothing;
    return saving.mean > 0.0 ? Outcome::saves : Outcome::costs;
  }
  const Interval& interval = *saving.ci95;
  if (interval.low > 0.0 && !small) return Outcome::saves;
  if (interval.high < 0.0 && !small) return Outcome::costs;
  return (interval.high - interval.low) / 2.0 <= clear_interval ? Outcome::nothing
                                                                : Outcome::inconclusive;
}

const PolicySummary& baseline_of(const Results& results) {
  const auto found = std::ranges::find(results.policies, results.baseline, &PolicySummary::label);
  check(found != results.policies.end(), "the baseline is one of the policies");
  return *found;
}

const PolicySummary* subject_of(const Results& results) {
  const PolicySummary* first_choice = nullptr;
  const PolicySummary* first_other = nullptr;
  for (const PolicySummary& policy : results.policies) {
    if (policy.label == results.baseline) continue;
    if (policy.label == "dbs") return &policy;
    if (first_other == nullptr) first_other = &policy;
    if (first_choice == nullptr && policy.label != "oracle") first_choice = &policy;
  }
  return first_choice != nullptr ? first_choice : first_other;
}

std::string saving_sentence(const Results& results) {
  const PolicySummary& baseline = baseline_of(results);
  const PolicySummary* subject = subject_of(results);
  if (subject == nullptr) {
    return fmt::format("{} takes {}; name a second policy to compare it with.", baseline.label,
                       duration(baseline.total_time_s.mean));
  }
  const Estimate& saving = subject->saving;
  const std::string more = hang_warning(*subject) + better_choice(results, *subject);
  switch (outcome_of(saving)) {
    case Outcome::saves:
      return fmt::format("{} saves {} of the training time of {}{}: {}.{}", subject->label,
                         percent(saving.mean), baseline.label,
                         in_brackets(interval_text(saving, Read::as_saving)),
                         instead(*subject, baseline), more);
    case Outcome::costs: {
      const std::string longer = percent(-saving.mean);
      return fmt::format("{} costs time here: it takes {} longer than {}{}, {}; {}.{}",
                         subject->label, longer, baseline.label,
                         in_brackets(interval_text(saving, Read::as_cost)),
                         instead(*subject, baseline), reason(*subject, baseline), more);
    }
    case Outcome::inconclusive:
      return fmt::format(
          "Whether {} saves time cannot be told from {} repeats: {}{}; more repeats would tell.{}",
          subject->label, results.repeats, percent(saving.mean),
          in_brackets(interval_text(saving, Read::as_saving)), more);
    case Outcome::nothing:
      break;
  }
  return fmt::format("{} saves nothing here{}: {}.{}", subject->label,
                     in_brackets(interval_text(saving, Read::as_saving)),
                     reason(*subject, baseline), more);
}

std::string waiting_sentence(const Results& results) {
  const PolicySummary& baseline = baseline_of(results);
  const PolicySummary* subject = subject_of(results);
  const double wait = baseline.time_shares.wait;
  std::string text = fmt::format("Under {}, workers spend {} of their time waiting", baseline.label,
                                 rough_percent(wait));
  if (wait >= 0.01) text += " for " + waited_for(results, baseline);
  if (subject != nullptr) {
    text += fmt::format("; under {} {}", subject->label, rough_percent(subject->time_shares.wait));
  }
  return text + '.';
}

std::vector<std::string> hang_notes(const Results& results) {
  std::vector<std::string> all;
  for (const PolicySummary& policy : results.policies) {
    if (!policy.deadlocks.empty()) all.push_back(deadlock_note(policy, results));
  }
  return all;
}

std::vector<std::string> notes(const Results& results) {
  std::vector<std::string> all;
  const PolicySummary& baseline = baseline_of(results);
  for (const PolicySummary& policy : results.policies) {
    if (policy.global_batch != baseline.global_batch) {
      all.push_back(fmt::format(
          "{} trains with a global batch of {}, {} with {}: equal times need not mean equal "
          "accuracy.",
          policy.label, grouped_digits(policy.global_batch.count()), baseline.label,
          grouped_digits(baseline.global_batch.count())));
    }
  }
  add_losses(results, all);
  add_resizings(results, all);
  add_timings(results, all);
  add_biases(results, all);
  add_warnings(results, all);
  return all;
}

}  // namespace dbsim
