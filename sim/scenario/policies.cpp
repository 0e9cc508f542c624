// How a policy is named and told things in a scenario.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "sim/io/nearest.hpp"
#include "sim/scenario/describe.hpp"

namespace dbsim {

namespace {

std::vector<std::string_view> names_of(Catalog catalog) {
  std::vector<std::string_view> names;
  for (const PolicyKind& kind : catalog) names.push_back(kind.name);
  return names;
}

void read_whole(Fields& fields, const Key& key, const Parameter& parameter, Parameters& given) {
  std::int64_t value = 0;
  bool good = false;
  const WholeRange range{.least = static_cast<std::int64_t>(parameter.least),
                         .most = static_cast<std::int64_t>(parameter.most)};
  value = range.least - 1;
  fields.whole(key, range, value);
  good = value >= range.least;
  if (good) given[parameter.name] = value;
}

void read_batches(Fields& fields, const Key& key, const Parameter& parameter, Parameters& given) {
  std::vector<std::int64_t> batches;
  const bool present = fields.items(key, [&](Fields& element) {
    std::int64_t batch = 0;
    element.whole({"", "Samples."}, at_least_one, batch);
    batches.push_back(batch);
  });
  const bool good = std::ranges::all_of(batches, [](std::int64_t batch) { return batch > 0; });
  if (present && good) given[parameter.name] = std::move(batches);
}

void read_parameter(Fields& fields, const Parameter& parameter, Parameters& given) {
  const Key key{parameter.name, parameter.meaning};
  switch (parameter.kind) {
    case Parameter::Kind::yes_or_no: {
      bool value = false;
      if (fields.boolean(key, value)) given[parameter.name] = value;
      return;
    }
    case Parameter::Kind::whole:
      return read_whole(fields, key, parameter, given);
    case Parameter::Kind::number: {
      double value = parameter.least - 1.0;
      fields.number(key, {.least = parameter.least, .most = parameter.most}, value);
      if (value >= parameter.least) given[parameter.name] = value;
      return;
    }
    case Parameter::Kind::choice: {
      const std::vector<std::string_view> choices(parameter.choices.begin(),
                                                  parameter.choices.end());
      std::string value;
      fields.choice(key, choices, value);
      if (!value.empty()) given[parameter.name] = value;
      return;
    }
    case Parameter::Kind::batches:
      return read_batches(fields, key, parameter, given);
  }
}

constexpr NumberRange day_range{.least = 0.0, .most = 86'400.0};

void describe_terms(Fields& table, PolicyTerms& terms) {
  table.duration(
      {"rebalance_cost",
       "Seconds that everybody stands still whenever this policy changes local batches: a "
       "loader rebuilt, a job restarted; 0 if left out."},
      day_range, terms.rebalance_cost);
  constexpr std::array<std::string_view, 2> timings{"own", "observed"};
  std::string timing = "own";
  table.choice(
      {"timing",
       "What it takes for a worker's time: \"own\" work (the default), or \"observed\" by a "
       "clock around the whole step, waiting and communication included."},
      timings, timing);
  terms.timing = timing == "observed" ? Timing::observed : Timing::own;
}

void find_kind(Fields& fields, std::string_view key, Catalog catalog, PolicyDraft& draft) {
  draft.name.where = fields.where(key);
  draft.name.path = fields.path(key);
  const auto kind = std::ranges::find(catalog, draft.name.value, &PolicyKind::name);
  if (kind != catalog.end()) draft.kind = static_cast<std::size_t>(kind - catalog.begin());
}

// "meaning", or "dbs: meaning omnilearn: another" where several policies take it their own way.
std::string meaning_of(const std::string& name, Catalog catalog) {
  std::vector<std::pair<std::string, std::string>> by_policy;
  for (const PolicyKind& kind : catalog) {
    for (const Parameter& parameter : kind.parameters) {
      if (parameter.name == name) by_policy.emplace_back(kind.name, parameter.meaning);
    }
  }
  if (by_policy.size() == 1) return by_policy.front().second;
  std::string text;
  for (const auto& [policy, meaning] : by_policy) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : " ", policy, meaning);
  }
  return text;
}

// The schema is one table for all policies: it lists what any of them can be told.
void describe_all_parameters(Fields& fields, Catalog catalog, Parameters& given) {
  std::vector<std::string_view> seen;
  for (const PolicyKind& kind : catalog) {
    for (const Parameter& parameter : kind.parameters) {
      if (std::ranges::find(seen, parameter.name) != seen.end()) continue;
      seen.push_back(parameter.name);
      Parameter for_all = parameter;
      for_all.meaning = meaning_of(parameter.name, catalog);
      read_parameter(fields, for_all, given);
    }
  }
}

}  // namespace

void describe_policy(Fields& element, Catalog catalog, PolicyDraft& draft) {
  const std::vector<std::string_view> names = names_of(catalog);
  const std::array<Fields::Alternative, 2> forms{
      Fields::Alternative{ValueType::text,
                          [&](Fields& fields, const Key& key) {
                            fields.choice(key, names, draft.name.value);
                            find_kind(fields, key.name, catalog, draft);
                          }},
      Fields::Alternative{
          ValueType::table, [&](Fields& fields, const Key& key) {
            fields.table(key, [&](Fields& table) {
              table.choice({"name", "Which policy.", Need::required}, names, draft.name.value);
              table.text({"label", "Its name in tables; the policy's own name if left out."},
                         draft.label);
              describe_terms(table, draft.terms);
              find_kind(table, "name", catalog, draft);
              if (table.describing()) {
                describe_all_parameters(table, catalog, draft.parameters);
              } else if (draft.kind) {
                for (const Parameter& parameter : catalog[*draft.kind].parameters) {
                  read_parameter(table, parameter, draft.parameters);
                }
              }
            });
          }}};
  element.either({"", "A policy's name, or a table with its name and what it is told."}, forms);
}

}  // namespace dbsim
