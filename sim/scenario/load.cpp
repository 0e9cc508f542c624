#include "sim/scenario/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "sim/io/nearest.hpp"
#include "sim/scenario/describe.hpp"
#include "sim/scenario/load_network.hpp"

namespace dbsim {

namespace {

// More workers than this is a slip: 10^9 of them would only fill the memory.
constexpr std::int64_t most_workers = 1'000'000;

// Loads each profile file once, however many workers name it.
class ProfileShelf {
 public:
  ProfileShelf(Scenario& scenario, std::vector<Problem>& problems)
      : scenario_{scenario}, problems_{problems} {}

  std::optional<std::size_t> index_of(WorkerDraft& worker) {
    if (worker.profile_path.value.empty()) return keep(finish(std::move(worker.inline_profile)));
    const std::string path = beside(scenario_.file, worker.profile_path.value);
    const auto known = loaded_.find(path);
    if (known != loaded_.end()) return known->second;
    std::optional<std::size_t>& slot = loaded_[path];
    try {
      slot = keep(load_profile(path));
    } catch (const InputError& error) {
      problems_.push_back({worker.profile_path.where,
                           worker.profile_path.path,
                           fmt::format("\"{}\"", worker.profile_path.value),
                           "a profile that can be read",
                           {}});
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
      return std::nullopt;
    }
    const std::string& model = scenario_.profiles[*slot].model;
    if (model != scenario_.job.model) {
      problems_.push_back({worker.profile_path.where,
                           worker.profile_path.path,
                           fmt::format("a profile of model \"{}\"", model),
                           fmt::format("a profile of job.model \"{}\"", scenario_.job.model),
                           {}});
    }
    return slot;
  }

 private:
  std::size_t keep(Profile profile) {
    scenario_.profiles.push_back(std::move(profile));
    return scenario_.profiles.size() - 1;
  }
  Scenario& scenario_;
  std::vector<Problem>& problems_;
  std::map<std::string, std::optional<std::size_t>> loaded_;
};

void add_workers(ScenarioDraft& draft, Scenario& scenario, std::vector<Problem>& problems) {
  std::int64_t total = 0;
  for (const WorkerDraft& worker : draft.workers) total += worker.count;
  if (total > most_workers) {
    problems.push_back({draft.workers.front().name.where,
                        "worker",
                        fmt::format("{} workers", total),
                        fmt::format("at most {}", most_workers),
                        {}});
    return;
  }
  ProfileShelf shelf{scenario, problems};
  for (WorkerDraft& worker : draft.workers) {
    const std::optional<std::size_t> profile = shelf.index_of(worker);
    if (!profile) continue;
    for (std::int64_t i = 0; i < worker.count; ++i) {
      std::string name =
          worker.count == 1 ? worker.name.value : fmt::format("{}/{}", worker.name.value, i);
      WorkerSpec spec{std::move(name), *profile, worker.speed};
      if (worker.link) spec.link = worker.link->value;
      scenario.workers.push_back(std::move(spec));
    }
  }
}

PolicyDraft policy_named(const std::string& word, Catalog catalog,
                         const std::vector<PolicyDraft>& known, std::vector<Problem>& problems) {
  const auto same_label = std::ranges::find(known, word, &PolicyDraft::label);
  if (same_label != known.end()) return *same_label;
  PolicyDraft draft{.name = {.value = word, .where = {"--policies", 0, 0}, .path = {}},
                    .label = word,
                    .kind = {},
                    .parameters = {}};
  const auto kind = std::ranges::find(catalog, word, &PolicyKind::name);
  if (kind != catalog.end()) {
    draft.kind = static_cast<std::size_t>(kind - catalog.begin());
    return draft;
  }
  std::vector<std::string_view> words;
  for (const PolicyDraft& policy : known) words.push_back(policy.label);
  for (const PolicyKind& entry : catalog) words.push_back(entry.name);
  problems.push_back({draft.name.where,
                      {},
                      fmt::format("\"{}\"", word),
                      "a label of the scenario's policies or the name of a policy",
                      nearest(word, words)});
  return draft;
}

void apply(const Overrides& overrides, Catalog catalog, ScenarioDraft& draft,
           std::vector<Problem>& problems) {
  for (PolicyDraft& policy : draft.policies) {
    if (policy.label.empty()) policy.label = policy.name.value;
  }
  if (overrides.seed) draft.seed = static_cast<std::int64_t>(*overrides.seed);
  if (overrides.repeats) draft.repeats = static_cast<std::int64_t>(*overrides.repeats);
  if (!overrides.policies.empty()) {
    std::vector<PolicyDraft> chosen;
    for (const std::string& word : overrides.policies) {
      chosen.push_back(policy_named(word, catalog, draft.policies, problems));
    }
    draft.policies = std::move(chosen);
    const auto baseline_kept = [&] {
      return draft.baseline && std::ranges::find(draft.policies, draft.baseline->value,
                                                 &PolicyDraft::label) != draft.policies.end();
    };
    if (!baseline_kept()) draft.baseline.reset();
  }
  if (overrides.baseline) {
    draft.baseline = Placed<std::string>{*overrides.baseline, {"--baseline", 0, 0}, {}};
  }
}

void choose_policies(const ScenarioDraft& draft, Scenario& scenario,
                     std::vector<Problem>& problems) {
  std::vector<std::string_view> labels;
  for (const PolicyDraft& policy : draft.policies) {
    if (std::ranges::find(labels, policy.label) != labels.end()) {
      problems.push_back({policy.name.where,
                          policy.name.path,
                          fmt::format("label \"{}\" twice", policy.label),
                          "labels that differ: label = \"...\" beside the policy's name",
                          {}});
    }
    labels.push_back(policy.label);
    scenario.policies.push_back(
        {policy.label, policy.kind.value_or(0), policy.parameters, policy.terms});
  }
  if (!draft.baseline) return;
  const auto baseline = std::ranges::find(labels, draft.baseline->value);
  if (baseline == labels.end()) {
    problems.push_back({draft.baseline->where, draft.baseline->path,
                        fmt::format("\"{}\"", draft.baseline->value),
                        fmt::format("the label of a policy: {}", fmt::join(labels, ", ")),
                        nearest(draft.baseline->value, labels)});
    return;
  }
  scenario.baseline = static_cast<std::size_t>(baseline - labels.begin());
}

}  // namespace

Scenario load_scenario(const Document& document, Catalog catalog, const Overrides& overrides) {
  ScenarioDraft draft;
  std::vector<Problem> problems;
  document.read([&](Fields& fields) { describe_scenario(fields, catalog, draft); }, problems);
  if (problems.empty() && draft.policies.empty()) {
    problems.push_back(
        {draft.policies_where, "policies", "an empty list", "at least one policy", {}});
  }
  if (problems.empty() && draft.workers.empty()) {
    problems.push_back({draft.workers_where, "worker", "an empty list", "at least one worker", {}});
  }
  if (!problems.empty()) throw InputError{std::move(problems)};
  apply(overrides, catalog, draft, problems);

  Scenario scenario;
  scenario.file = document.file();
  scenario.name = draft.name;
  scenario.seed = static_cast<std::uint64_t>(draft.seed);
  scenario.repeats = static_cast<std::size_t>(draft.repeats);
  scenario.job = draft.job;
  scenario.job.samples = Samples{draft.samples.value};
  scenario.job.global_batch = Samples{draft.global_batch.value};
  if (draft.fixed) scenario.network = *draft.fixed;
  if (!draft.fixed) scenario.network = played_network(draft, scenario.file, problems);
  scenario.collective = draft.collective;
  choose_policies(draft, scenario, problems);
  add_workers(draft, scenario, problems);
  if (!problems.empty()) throw InputError{std::move(problems)};
  check_scenario(scenario, draft, catalog, problems);
  if (!problems.empty()) throw InputError{std::move(problems)};
  return scenario;
}

}  // namespace dbsim
