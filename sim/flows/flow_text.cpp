#include "sim/flows/flow_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/io/json_writer.hpp"

namespace dbsim {

namespace {

constexpr std::size_t most_rows = 20;
constexpr std::size_t most_names = 5;

/// Instants are whole nanoseconds: nine decimals say all there is to say.
std::string seconds_text(const std::optional<Seconds>& time) {
  return time ? fmt::format("{:.9f}", time->count()) : "never";
}

std::string difference_text(double difference) {
  return difference == 0.0 ? "0" : fmt::format("{:.1e}", difference);
}

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string rows_text(const FlowCase& one, const FlowCaseResult& result, double bar,
                      const TableStyle& style) {
  const bool answered = std::ranges::any_of(
      result.flows, [](const FlowResult& flow) { return flow.difference.has_value(); });
  Grid grid{.columns = {{"flow", "", Align::left}, {"finish", "s", Align::right}}, .rows = {}};
  if (answered) {
    grid.columns.push_back({"answer", "s", Align::right});
    grid.columns.push_back({"difference", "relative", Align::right});
  }
  for (std::size_t i = 0; i < result.flows.size(); ++i) {
    const FlowResult& flow = result.flows[i];
    auto& row = grid.rows.emplace_back();
    row.push_back({.text = one.names[i]});
    row.push_back({.text = seconds_text(flow.finish)});
    if (!answered) continue;
    row.push_back({.text = one.answers[i] ? seconds_text(one.answers[i]) : "-"});
    const bool far = flow.difference && *flow.difference > bar;
    row.push_back({.text = flow.difference ? difference_text(*flow.difference) : "-",
                   .tone = far ? Tone::loss : Tone::plain});
  }
  return grid_text(grid, style);
}

std::string worst_text(const FlowCase& one, const FlowCaseResult& result, bool rows) {
  std::string text = fmt::format("largest difference {}", difference_text(*result.difference));
  if (!result.worst || result.difference == 0.0) return text;
  const std::size_t worst = *result.worst;
  if (result.flows[worst].difference != result.difference) return text + " (the makespan)";
  text += fmt::format(" (flow {}", one.names[worst]);
  if (!rows) {
    text += fmt::format(": {} s, answer {} s", seconds_text(result.flows[worst].finish),
                        seconds_text(one.answers[worst]));
  }
  return text + ")";
}

/// The first few names, and how many more.
template <class Places>
std::string names_text(const FlowCase& one, const Places& places) {
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), most_names); ++i) {
    text += (i == 0 ? "" : ", ") + one.names[places[i]];
  }
  if (places.size() > most_names) text += fmt::format(" and {} more", places.size() - most_names);
  return text;
}

std::vector<std::size_t> unfinished_flows(const FlowCaseResult& result) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < result.flows.size(); ++i) {
    if (!result.flows[i].finish) places.push_back(i);
  }
  return places;
}

void write_text(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  json.text(value);
}

void write_number(JsonWriter& json, std::string_view key, const std::optional<double>& value) {
  if (!value) return;
  json.key(key);
  json.number(*value);
}

/// Null where it never comes.
void write_time(JsonWriter& json, std::string_view key, const std::optional<Seconds>& time) {
  json.key(key);
  if (time) {
    json.number(time->count());
  } else {
    json.null();
  }
}

void write_case(JsonWriter& json, const FlowCase& one, const FlowCaseResult& result) {
  json.open_object(JsonWriter::Layout::lines);
  write_text(json, "name", one.name);
  write_time(json, "makespan_s", result.makespan);
  write_number(json, "difference", result.difference);
  json.key("flows");
  json.open_array(JsonWriter::Layout::lines);
  for (std::size_t i = 0; i < result.flows.size(); ++i) {
    json.open_object(JsonWriter::Layout::row);
    write_text(json, "name", one.names[i]);
    write_time(json, "finish_s", result.flows[i].finish);
    if (one.answers[i]) write_number(json, "answer_s", one.answers[i]->count());
    write_number(json, "difference", result.flows[i].difference);
    json.close();
  }
  json.close();
  json.close();
}

}  // namespace

std::string flow_case_text(const FlowCase& one, const FlowCaseResult& result,
                           const FlowTextOptions& options, const TableStyle& style) {
  const bool rows = options.all || result.flows.size() <= most_rows;
  std::string text = painted(one.name, Tone::heading, style) + "\n";
  if (!one.description.empty()) text += wrapped_after("  ", one.description, style);
  std::string summary = counted(result.flows.size(), "flow");
  if (result.makespan) summary += fmt::format(", makespan {} s", seconds_text(result.makespan));
  if (result.difference) summary += ", " + worst_text(one, result, rows);
  text += wrapped_after("  ", summary, style);
  if (!one.detours.empty()) {
    text += wrapped_after(
        "  ",
        fmt::format("{} over given routes other than the one that dbsim would "
                    "choose: {}",
                    counted(one.detours.size(), "flow"), names_text(one, one.detours)),
        style);
  }
  if (result.unfinished > 0) {
    const std::string names = names_text(one, unfinished_flows(result));
    text += wrapped_after("  ",
                          fmt::format("{} never finish{}: {}", counted(result.unfinished, "flow"),
                                      result.unfinished == 1 ? "es" : "", names),
                          style);
  }
  if (rows) text += "\n" + rows_text(one, result, options.bar, style);
  return text;
}

std::string verdict_line(const FlowVerdict& verdict, double bar) {
  std::string text;
  if (verdict.difference) {
    text = fmt::format("Largest difference {}; {} of {} within {:g}",
                       difference_text(*verdict.difference), verdict.within,
                       counted(verdict.with_answers, "case"), bar);
    if (verdict.with_answers < verdict.cases) {
      text += fmt::format("; {} without answers", verdict.cases - verdict.with_answers);
    }
  } else {
    text = fmt::format("{} solved; no answers to compare with", counted(verdict.cases, "case"));
  }
  if (verdict.unfinished > 0) {
    text += fmt::format("; {} never finish{}", counted(verdict.unfinished, "flow"),
                        verdict.unfinished == 1 ? "es" : "");
  }
  return text + "\n";
}

std::string flow_results_json(std::span<const FlowCases> files,
                              std::span<const std::vector<FlowCaseResult>> results, double bar) {
  FlowVerdict verdict;
  JsonWriter json;
  json.open_object(JsonWriter::Layout::lines);
  write_text(json, "schema", "dbsim.flow-results/1");
  json.key("files");
  json.open_array(JsonWriter::Layout::lines);
  for (std::size_t i = 0; i < files.size(); ++i) {
    json.open_object(JsonWriter::Layout::lines);
    write_text(json, "file", files[i].file);
    if (!files[i].source.empty()) write_text(json, "answers", files[i].source);
    json.key("cases");
    json.open_array(JsonWriter::Layout::lines);
    for (std::size_t k = 0; k < files[i].cases.size(); ++k) {
      verdict.add(results[i][k], bar);
      write_case(json, files[i].cases[k], results[i][k]);
    }
    json.close();
    json.close();
  }
  json.close();
  write_number(json, "within", bar);
  write_number(json, "difference", verdict.difference);
  json.key("cases_with_answers");
  json.natural(verdict.with_answers);
  json.key("cases_within");
  json.natural(verdict.within);
  json.key("flows_unfinished");
  json.natural(verdict.unfinished);
  json.close();
  return std::move(json).finish();
}

}  // namespace dbsim
