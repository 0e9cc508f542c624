#include "calib/app/request.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <string_view>
#include <vector>

#include "calib/measure/grid.hpp"

namespace dbsim::calib {

namespace {

constexpr std::int64_t largest_batch = std::int64_t{1} << 20;

[[noreturn]] void refuse_batches(std::string_view found) {
  throw UsageError{fmt::format(
      "--batches: found '{}'; expected LOW:HIGH such as 8:512, LOW:max, or at least two batch "
      "sizes such as 8,16,24, each from 1 to {}",
      found, largest_batch)};
}

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::int64_t batch_from(std::string_view word, std::string_view whole_text) {
  const auto batch = parsed<std::int64_t>(word);
  if (!batch || *batch < 1 || *batch > largest_batch) refuse_batches(whole_text);
  return *batch;
}

void read_range(const std::string& text, std::size_t colon, MeasureOptions& options) {
  const std::int64_t low = batch_from(std::string_view{text}.substr(0, colon), text);
  std::string_view rest = std::string_view{text}.substr(colon + 1);
  double factor = 2.0;
  if (const std::size_t second = rest.find(':'); second != std::string_view::npos) {
    const auto given = parsed<double>(rest.substr(second + 1));
    constexpr double least = 1.01;
    constexpr double most = 100.0;
    if (!given || !(*given >= least && *given <= most)) refuse_batches(text);
    factor = *given;
    rest = rest.substr(0, second);
  }
  const std::int64_t high = rest == "max" ? largest_batch : batch_from(rest, text);
  if (high <= low) refuse_batches(text);
  options.batches = geometric_grid(low, high, factor);
  options.only_these = false;
}

double number(const Arguments& arguments, std::string_view option, double usual, double most) {
  const auto text = arguments.text(option);
  if (!text) return usual;
  const auto value = parsed<double>(*text);
  if (!value || !(*value > 0.0) || *value > most) {
    throw UsageError{fmt::format("--{}: found '{}'; expected a number above 0, at most {}", option,
                                 *text, most)};
  }
  return *value;
}

}  // namespace

void read_batches(const std::string& text, MeasureOptions& options) {
  if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    read_range(text, colon, options);
    return;
  }
  options.batches.clear();
  for (const std::string& word : split_at_commas(text)) {
    options.batches.push_back(batch_from(word, text));
  }
  std::sort(options.batches.begin(), options.batches.end());
  const auto end = std::unique(options.batches.begin(), options.batches.end());
  options.batches.erase(end, options.batches.end());
  if (options.batches.size() < 2) refuse_batches(text);
  options.only_these = true;
}

MeasuringNumbers measuring_numbers(const Arguments& arguments, double usual_budget_s,
                                   double usual_accuracy, std::uint64_t usual_seed) {
  constexpr double whole_week = 604'800.0;
  constexpr double percent = 100.0;
  return {.budget_s = number(arguments, "budget", usual_budget_s, whole_week),
          .accuracy = number(arguments, "accuracy", percent * usual_accuracy, percent) / percent,
          .seed = arguments.whole("seed", 0).value_or(usual_seed)};
}

std::string now_utc() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

Request request_from(const Arguments& arguments) {
  Request request;
  if (!arguments.words().empty()) {
    throw UsageError{fmt::format("found '{}'; expected options only, the model as --model NAME",
                                 arguments.words().front())};
  }
  const auto model = arguments.text("model");
  if (!model || model->empty()) {
    throw UsageError{"--model is missing; --list shows the models that come with dbsim"};
  }
  request.model = *model;
  request.dataset = arguments.text("dataset").value_or("");
  request.device = arguments.text("device");
  request.backend = arguments.text("backend").value_or("auto");
  request.precision = arguments.text("precision").value_or("fp32");
  constexpr std::uint64_t most_threads = 4096;
  const std::uint64_t threads = arguments.whole("threads", 1).value_or(0);
  if (threads > most_threads) {
    throw UsageError{
        fmt::format("--threads: found {}; expected at most {}", threads, most_threads)};
  }
  request.threads = static_cast<int>(threads);
  request.batches = arguments.text("batches").value_or("8:512");
  read_batches(request.batches, request.measuring);
  request.out = arguments.text("out");
  request.svg = arguments.text("svg");
  request.interference = arguments.has("interference");
  request.quiet = arguments.has("quiet");
  MeasureOptions& measuring = request.measuring;
  const MeasuringNumbers numbers =
      measuring_numbers(arguments, measuring.budget_s, measuring.precision, measuring.seed);
  measuring.budget_s = numbers.budget_s;
  measuring.precision = numbers.accuracy;
  measuring.seed = numbers.seed;
  return request;
}

}  // namespace dbsim::calib
