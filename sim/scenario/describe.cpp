#include "sim/scenario/describe.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "sim/scenario/describe_collective.hpp"
#include "sim/scenario/describe_messages.hpp"
#include "sim/scenario/describe_topology.hpp"
#include "sim/scenario/describe_traffic.hpp"

namespace dbsim {

namespace {

constexpr WholeRange sample_range{.least = 1, .most = 1'000'000'000'000};
constexpr WholeRange epoch_range{.least = 1, .most = 1'000'000};
constexpr WholeRange worker_range{.least = 1, .most = 100'000};
constexpr WholeRange repeat_range{.least = 1, .most = 1'000'000};
constexpr NumberRange day_range{.least = 0.0, .most = 86'400.0};
constexpr NumberRange fraction_range{.least = 0.0, .most = 1.0, .lower = NumberRange::Lower::open};
constexpr NumberRange speed_range{
    .least = 0.0, .most = 1'000'000.0, .lower = NumberRange::Lower::open};

void describe_sync(Fields& job_fields, Job& job) {
  constexpr std::array<std::string_view, 2> words{"step", "epoch"};
  const std::array<Fields::Alternative, 2> forms{
      Fields::Alternative{ValueType::text,
                          [&](Fields& fields, const Key& key) {
                            std::string word;
                            fields.choice(key, words, word);
                            if (word == "epoch") job.steps_between_syncs.reset();
                          }},
      Fields::Alternative{ValueType::table, [&](Fields& fields, const Key& key) {
                            fields.table(key, [&](Fields& table) {
                              std::int64_t every = 1;
                              table.whole(
                                  {"every", "Local steps between averages.", Need::required},
                                  at_least_one, every);
                              job.steps_between_syncs = every;
                            });
                          }}};
  job_fields.either(
      {"sync",
       "When workers synchronise: \"step\" (gradients, after every step; the default), "
       "{ every = 8 } (parameters, after so many local steps), or \"epoch\"."},
      forms);
}

void describe_job(Fields& fields, ScenarioDraft& draft) {
  Job& job = draft.job;
  fields.text({"model", "Name of the trained model; must match the profile files.", Need::required},
              job.model);
  fields.whole({"samples", "Samples in one epoch.", Need::required}, sample_range,
               draft.samples.value);
  place(fields, "samples", draft.samples);
  fields.whole({"epochs", "How many epochs to train.", Need::required}, epoch_range, job.epochs);
  fields.whole(
      {"global_batch", "Samples in one synchronised step, all workers together.", Need::required},
      sample_range, draft.global_batch.value);
  place(fields, "global_batch", draft.global_batch);
  Bytes gradient{-1.0};
  fields.size(
      {"gradient", "Bytes all-reduced per step; the profile's parameter bytes if left out."},
      positive, gradient);
  if (gradient.count() > 0.0) job.gradient = gradient;
  draft.gradient_where = fields.where("gradient");
  describe_sync(fields, job);
  constexpr std::array<std::string_view, 2> rules{"keep", "drop"};
  std::string rule = "keep";
  fields.choice(
      {"last_batch",
       "Samples that fill no whole step: \"keep\" makes a smaller last step (the default), "
       "\"drop\" leaves them out and says how many."},
      rules, rule);
  job.last_batch = rule == "drop" ? LastBatch::drop : LastBatch::keep;
}

void describe_worker(Fields& fields, ScenarioDraft& draft) {
  WorkerDraft worker;
  fields.text(
      {"name", "Name of the worker; with count, of the group: fast/0, fast/1, ...", Need::required},
      worker.name.value);
  place(fields, "name", worker.name);
  fields.whole({"count", "How many such workers; 1 if left out."}, worker_range, worker.count);
  const std::array<Fields::Alternative, 2> forms{
      Fields::Alternative{ValueType::text,
                          [&](Fields& outer, const Key& key) {
                            outer.text(key, worker.profile_path.value);
                            place(outer, key.name, worker.profile_path);
                          }},
      Fields::Alternative{ValueType::table, [&](Fields& outer, const Key& key) {
                            outer.table(key, [&](Fields& table) {
                              describe_inline_profile(table, worker.inline_profile);
                            });
                          }}};
  fields.either(
      {"profile", "How fast it is: path of a profile file (relative to this file), or a table.",
       Need::required},
      forms);
  fields.number(
      {"speed", "Multiple of the profile's speed that this worker runs at; 1 if left out."},
      speed_range, worker.speed);
  Placed<BytesPerSecond> link;
  if (fields.bandwidth({"link",
                        "Bandwidth of its own link, in each direction; that of the network's star, "
                        "leaf_spine, fat_tree or dragonfly if left out."},
                       positive, link.value)) {
    place(fields, "link", link);
    worker.link = std::move(link);
  }
  draft.workers.push_back(std::move(worker));
}

void describe_network(Fields& fields, ScenarioDraft& draft) {
  Seconds per_step{-1.0};
  fields.duration({"fixed", "Seconds that every synchronisation takes, whoever takes part."},
                  day_range, per_step);
  if (per_step.count() >= 0.0) draft.fixed = FixedNetwork{per_step};
  describe_topology(fields, draft.topology);
  describe_messages(fields, draft.messages);
  describe_link_profiles(fields, draft);
  describe_traffic(fields, draft);
  describe_collective(fields, draft);
  fields.one_of(network_kinds, Need::required);
  for (const std::string_view key :
       {"collective", "overhead", "efficiency", "jitter", "spike", "link", "traffic"}) {
    const std::array<std::string_view, 2> exclusive{"fixed", key};
    fields.one_of(exclusive, Need::optional);
  }
  constexpr std::array<std::string_view, 2> efficiencies{"measured", "efficiency"};
  fields.one_of(efficiencies, Need::optional);
}

bool describe_moment(Fields& fields, const Key& key, Placed<Moment>& moment) {
  bool good = false;
  fields.parsed(key, moment_form, moment_pattern, [&](std::string_view text) {
    const std::optional<Moment> parsed = parse_moment(text);
    if (parsed) moment.value = *parsed;
    good = parsed.has_value();
    return good;
  });
  place(fields, key.name, moment);
  return good;
}

void describe_interference(Fields& fields, ScenarioDraft& draft) {
  InterferenceDraft hit;
  const auto read_name = [&](Fields& element, const Key& key) {
    Placed<std::string> name;
    element.text(key, name.value);
    place(element, key.name, name);
    if (!name.value.empty()) hit.workers.push_back(std::move(name));
  };
  const std::array<Fields::Alternative, 2> forms{
      Fields::Alternative{ValueType::text, read_name},
      Fields::Alternative{ValueType::list, [&](Fields& outer, const Key& key) {
                            outer.items(key, [&](Fields& element) {
                              read_name(element, {"", "A worker or a group of workers."});
                            });
                          }}};
  fields.either(
      {"worker", "Whom it hits: a worker, a group of workers, or a list of them.", Need::required},
      forms);
  double factor = -1.0;
  fields.number({"factor", "Speed that is left to them: 0.5 runs at half speed."}, fraction_range,
                factor);
  if (factor > 0.0) hit.factor = factor;
  Seconds delay{-1.0};
  fields.duration({"delay", "Or time added to each of their steps."}, day_range, delay);
  if (delay.count() >= 0.0) hit.delay = delay;
  constexpr std::array<std::string_view, 2> kinds{"factor", "delay"};
  fields.one_of(kinds, Need::required);
  describe_moment(fields, {"from", "When it begins; at the start if left out."}, hit.from);
  Placed<Moment> to;
  if (describe_moment(fields, {"to", "When it ends; never if left out."}, to))
    hit.to = std::move(to);
  draft.interference.push_back(std::move(hit));
}

}  // namespace

void describe_scenario(Fields& fields, Catalog catalog, ScenarioDraft& draft) {
  std::int64_t version = 1;
  fields.whole({"dbsim", "Version of this format: 1.", Need::required}, {.least = 1, .most = 1},
               version);
  fields.text({"name", "One line that says what is simulated.", Need::required}, draft.name);
  fields.whole({"seed", "All randomness follows from it; 0 if left out."}, {.least = 0},
               draft.seed);
  fields.whole({"repeats", "How many runs with different draws; 1 if left out."}, repeat_range,
               draft.repeats);
  fields.items({"policies", "The policies to compare, under the same draws.", Need::required},
               [&](Fields& element) {
                 PolicyDraft policy;
                 describe_policy(element, catalog, policy);
                 draft.policies.push_back(std::move(policy));
               });
  draft.policies_where = fields.where("policies");
  Placed<std::string> baseline;
  if (fields.text({"baseline", "Label of the policy that savings refer to; the first if left out."},
                  baseline.value)) {
    place(fields, "baseline", baseline);
    draft.baseline = std::move(baseline);
  }
  fields.table({"job", "What is trained.", Need::required},
               [&](Fields& table) { describe_job(table, draft); });
  fields.items({"worker", "One table per worker or group of equal workers.", Need::required},
               [&](Fields& element) {
                 element.table({"", "A worker, or a group of equal ones."},
                               [&](Fields& table) { describe_worker(table, draft); });
               });
  draft.workers_where = fields.where("worker");
  fields.table({"network", "How workers exchange gradients.", Need::required},
               [&](Fields& table) { describe_network(table, draft); });
  fields.items({"interference", "Other tasks on workers' devices."}, [&](Fields& element) {
    element.table({"", "One task."}, [&](Fields& table) { describe_interference(table, draft); });
  });
}

}  // namespace dbsim
