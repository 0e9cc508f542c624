#include "calib/app/measure_network.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calib/app/request.hpp"
#include "calib/network/calibrate_network.hpp"
#include "sim/io/files.hpp"
#include "sim/io/quantity.hpp"
#include "sim/program/execute.hpp"
#include "sim/program/interrupt.hpp"
#include "sim/program/progress.hpp"
#include "sim/program/terminal.hpp"
#include "sim/report/network_text.hpp"

namespace dbsim::calib {

namespace {

/// "8 B:256 MB" doubles from the one to the other.
std::vector<std::int64_t> sizes_from(const std::string& text) {
  constexpr double least = 4.0;    // a float
  constexpr double most = 17.2e9;  // 16 GiB
  const std::size_t colon = text.find(':');
  const auto size = [&](std::string_view part) {
    const auto bytes = parse_size(part);
    const bool good = bytes && bytes->count() >= least && bytes->count() <= most;
    return good ? static_cast<std::int64_t>(bytes->count()) : 0;
  };
  const std::int64_t low =
      colon == std::string::npos ? 0 : size(std::string_view{text}.substr(0, colon));
  const std::int64_t high =
      colon == std::string::npos ? 0 : size(std::string_view{text}.substr(colon + 1));
  if (low == 0 || high <= low) {
    throw UsageError{fmt::format(
        "--messages: found '{}'; expected two sizes such as '8 B:256 MiB', from 4 B to 16 GiB",
        text)};
  }
  return message_sizes(low, high, 2.0);
}

struct Progress {
  std::mutex mutex;
  ProgressState state{};
};

}  // namespace

Exit measure_network(const Arguments& arguments) {
  for (const char* other : {"model", "dataset", "device", "backend", "precision", "threads",
                            "batches", "interference", "svg"}) {
    if (arguments.has(other)) {
      throw UsageError{fmt::format("--{} says nothing about a network; leave it out", other)};
    }
  }
  NetworkMeasureOptions options = default_network_options();
  if (const auto sizes = arguments.text("messages")) options.sizes = sizes_from(*sizes);
  const MeasuringNumbers numbers =
      measuring_numbers(arguments, options.budget_s, options.precision, options.seed);
  options.budget_s = numbers.budget_s;
  options.precision = numbers.accuracy;
  options.seed = numbers.seed;
  const std::string file = arguments.text("out").value_or("network.json");
  const bool quiet = arguments.has("quiet");

  const InterruptGuard interrupt;
  Progress progress;
  const auto began = std::chrono::steady_clock::now();
  NetworkSurroundings surroundings;
  surroundings.now = [began] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  surroundings.stop = [token = interrupt.token()] { return token.stop_requested(); };
  surroundings.report = [&progress](const std::string& what, double fraction) {
    const std::lock_guard lock{progress.mutex};
    progress.state = {.fraction = fraction, .text = what};
  };
  // Under mpirun every rank has the terminal; only the leader reports.
  const bool shown = !quiet && standard_error_is_terminal() && !is_started_by_mpi();
  std::optional<NetworkDocument> document;
  try {
    const ProgressBar bar{shown ? ProgressBar::Shown::yes : ProgressBar::Shown::no,
                          [&progress](Seconds) {
                            const std::lock_guard lock{progress.mutex};
                            return progress.state;
                          }};
    document =
        calibrate_network(options, surroundings, fmt::format("dbsim {}", DBSIM_VERSION), now_utc());
  } catch (const NoNetwork& none) {
    throw UsageError{none.what()};
  } catch (const std::runtime_error& error) {
    return fail(Exit::no, fmt::format("dbsim-calibrate: {}", error.what()));
  }
  const bool stopped = interrupt.token().stop_requested();
  if (document) {
    write_text_file(file, to_json(*document));
    if (!quiet) {
      fmt::print("{}\nNetwork: {}\n", network_text(*document, style_of_standard_output()), file);
    }
  }
  return stopped ? Exit::interrupted : Exit::success;
}

}  // namespace dbsim::calib
