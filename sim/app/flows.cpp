// dbsim flows: when each flow of a network finishes, and how far that is from expected times.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "sim/app/commands.hpp"
#include "sim/base/error.hpp"
#include "sim/flows/flow_cases.hpp"
#include "sim/flows/flow_results.hpp"
#include "sim/flows/flow_text.hpp"
#include "sim/program/terminal.hpp"

namespace dbsim {

namespace {

double parse_bar(const std::string& word) {
  double bar = 0.0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, bar);
  if (error != std::errc{} || stop != end || !std::isfinite(bar) || bar < 0.0) {
    throw UsageError{
        fmt::format("--within: found '{}'; expected a relative difference, such as 1e-6", word)};
  }
  return bar;
}

/// All that is wrong with all of them, before any is solved.
std::vector<FlowCases> load_all(const std::vector<std::string>& paths) {
  std::vector<FlowCases> files;
  std::vector<Problem> problems;
  for (const std::string& path : paths) {
    try {
      files.push_back(load_flow_cases(path));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError{std::move(problems)};
  return files;
}

Exit print_json(const std::vector<FlowCases>& files, double bar) {
  FlowVerdict verdict;
  std::vector<std::vector<FlowCaseResult>> results;
  for (const FlowCases& file : files) {
    auto& solved = results.emplace_back();
    for (const FlowCase& one : file.cases) verdict.add(solved.emplace_back(solve(one)), bar);
  }
  fmt::print("{}", flow_results_json(files, results, bar));
  return verdict.good() ? Exit::success : Exit::no;
}

Exit print_text(const std::vector<FlowCases>& files, const FlowTextOptions& options) {
  const TableStyle style = style_of_standard_output();
  FlowVerdict verdict;
  for (const FlowCases& file : files) {
    fmt::print("{}\n", file.file);
    if (!file.source.empty()) {
      fmt::print("{}", wrapped_after("answers: ", file.source, style));
    }
    for (const FlowCase& one : file.cases) {
      const FlowCaseResult result = solve(one);
      verdict.add(result, options.bar);
      fmt::print("\n{}", flow_case_text(one, result, options, style));
    }
    fmt::print("\n");
  }
  fmt::print("{}", verdict_line(verdict, options.bar));
  return verdict.good() ? Exit::success : Exit::no;
}

Exit flows(const Arguments& arguments) {
  if (arguments.words().empty()) {
    throw UsageError{"found no file; expected at least one of networks with flows"};
  }
  FlowTextOptions options{.all = arguments.has("all")};
  if (const auto within = arguments.text("within")) options.bar = parse_bar(*within);
  const std::vector<FlowCases> files = load_all(arguments.words());
  return arguments.has("json") ? print_json(files, options.bar) : print_text(files, options);
}

}  // namespace

Command flows_command() {
  return {.name = "flows",
          .summary = "Solves networks with flows: when each flow finishes.",
          .usage = "FILE... [options]",
          .example = "dbsim flows scenarios/networks/two-pairs.json",
          .options = {{"within", "X",
                       "exit 1 if a finish time differs from the file's answer by more than this "
                       "part of it; 1e-6 if not given"},
                      {"all", "", "a row for every flow, also where there are more than 20"},
                      {"json", "", "print the results as JSON and nothing else"},
                      {"help", "", "this text"}},
          .execute = flows};
}

}  // namespace dbsim
