// dbsim run: the table of contents of the whole program.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "policies/catalog.hpp"
#include "sim/app/commands.hpp"
#include "sim/app/predict.hpp"
#include "sim/app/scenario_file.hpp"
#include "sim/engine/training.hpp"
#include "sim/program/execute.hpp"
#include "sim/program/interrupt.hpp"
#include "sim/program/progress.hpp"
#include "sim/program/terminal.hpp"
#include "sim/report/results_json.hpp"
#include "sim/report/table.hpp"
#include "sim/report/write_results.hpp"
#include "sim/scenario/load.hpp"

namespace dbsim {

namespace {

Overrides overrides_from(const Arguments& arguments) {
  Overrides overrides;
  overrides.seed = arguments.whole("seed", 0);
  if (const auto repeats = arguments.whole("repeats", 1))
    overrides.repeats = static_cast<std::size_t>(*repeats);
  if (const auto list = arguments.text("policies")) {
    overrides.policies = split_at_commas(*list);
    if (overrides.policies.empty())
      throw UsageError{"--policies: found no name; expected names with commas between"};
  }
  overrides.baseline = arguments.text("baseline");
  return overrides;
}

Document scenario_document(const Arguments& arguments) {
  if (arguments.words().size() != 1) {
    throw UsageError{
        fmt::format("found {} scenario files; expected one", arguments.words().size())};
  }
  return load_with_settings(arguments.words().front(), arguments.texts("set"));
}

std::size_t threads_from(const Arguments& arguments) {
  constexpr std::uint64_t most = 4096;
  const auto given = arguments.whole("threads", 1);
  if (given && *given > most)
    throw UsageError{fmt::format("--threads: found {}; expected at most {}", *given, most)};
  return given ? static_cast<std::size_t>(*given)
               : std::max(1U, std::thread::hardware_concurrency());
}

ProgressState runs_done(std::size_t done, std::size_t total, Seconds elapsed) {
  ProgressState state{.fraction = static_cast<double>(done) / static_cast<double>(total),
                      .text = fmt::format("{}/{} runs", done, total)};
  if (done == 0) return state;
  const double rest =
      elapsed.count() * static_cast<double>(total - done) / static_cast<double>(done);
  state.text += fmt::format(", {:.3g} runs/s, {} left", static_cast<double>(done) / elapsed.count(),
                            to_text(Seconds{rest}));
  return state;
}

RunSet predict_watched(const Scenario& scenario, const Arguments& arguments,
                       const InterruptGuard& interrupt) {
  const bool shown = standard_error_is_terminal() && !arguments.has("quiet");
  const std::size_t total = scenario.policies.size() * scenario.repeats;
  std::atomic<std::size_t> done{0};
  const ProgressBar bar{shown ? ProgressBar::Shown::yes : ProgressBar::Shown::no,
                        [&](Seconds elapsed) { return runs_done(done, total, elapsed); }};
  return predict(scenario, catalog(),
                 {.threads = threads_from(arguments),
                  .stop = interrupt.token(),
                  .on_run_done = [&done](std::size_t count) { done = count; }});
}

Exit run(const Arguments& arguments) {
  const Document document = scenario_document(arguments);
  const Scenario scenario = load_scenario(document, catalog(), overrides_from(arguments));
  const InterruptGuard interrupt;
  const RunSet runs = predict_watched(scenario, arguments, interrupt);
  const std::size_t complete = runs.policies.front().repeats.size();
  if (complete == 0) {
    fmt::print(stderr,
               "dbsim run: interrupted before the first repeat was complete; nothing to report\n");
    return Exit::interrupted;
  }
  const Results results = summarise(runs);
  const auto folder = arguments.text("out");
  if (folder) write_results(results, *folder);
  if (arguments.has("json")) {
    fmt::print("{}", results_json(results));
  } else if (!arguments.has("quiet")) {
    fmt::print("{}", results_table(results, style_of_standard_output()));
    if (folder) fmt::print("\nWritten: {0}/results.json, {0}/epochs.csv\n", *folder);
  }
  if (complete == scenario.repeats) return Exit::success;
  fmt::print(stderr, "dbsim run: interrupted; {} of {} repeats are complete and reported\n",
             complete, scenario.repeats);
  return Exit::interrupted;
}

Exit run_or_refuse(const Arguments& arguments) {
  try {
    return run(arguments);
  } catch (const RunTooLong& error) {
    return fail(Exit::unusable_input,
                fmt::format("dbsim run: {}; check the scenario's numbers", error.what()));
  }
}

}  // namespace

Command run_command() {
  return {
      .name = "run",
      .summary = "Simulates every policy of a scenario and says what each would save.",
      .usage = "FILE [options]",
      .example = "dbsim run scenarios/four-cards.toml --set job.epochs=20 --repeats 10",
      .options = {{"json", "", "print results.json (schema dbsim.results/1) and nothing else"},
                  {"out", "DIR", "write results.json and epochs.csv into this folder"},
                  {"policies", "LIST", "only these, by label or name, with commas between"},
                  {"baseline", "LABEL", "the policy that savings refer to"},
                  {"seed", "N", "another seed than the file's"},
                  {"repeats", "N", "how many runs with different draws"},
                  {"threads", "N", "runs side by side; all cores if left out; changes no result"},
                  set_option,
                  {"quiet", "", "no table and no progress bar"},
                  {"help", "", "this text"}},
      .execute = run_or_refuse};
}

}  // namespace dbsim
