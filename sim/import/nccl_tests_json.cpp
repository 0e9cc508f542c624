#include "sim/import/nccl_tests_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "sim/base/error.hpp"
#include "sim/import/nccl_ranks.hpp"
#include "sim/io/parse.hpp"
#include "sim/io/wording.hpp"

namespace dbsim {

namespace {

constexpr double micro = 1e-6;
constexpr double giga = 1e9;
constexpr double rounding = 0.5e-6;        // six decimals are written
constexpr double longest_time = 86'400.0;  // as in a network file
constexpr std::int64_t largest_size = std::int64_t{1} << 50U;
constexpr std::int64_t most_per_process = 1'000'000;

/// The members of a table that are needed, each with the type it must have.
class JsonReader {
 public:
  explicit JsonReader(const std::string& file) : file_{file} {}

  NcclTests read(std::string_view text) {
    const Value root = parse_foreign_json(text, file_);
    const Table& table = *std::get_if<Table>(&root.data);
    read_run(table, root.at);
    if (!problems_.empty()) throw InputError{std::move(problems_)};
    ranks_.describe(tests_);
    return std::move(tests_);
  }

 private:
  void file_problem(Position at, std::string_view key, std::string found, std::string expected) {
    constexpr std::size_t most = 1000;
    if (problems_.size() >= most) return;
    problems_.push_back(
        {{file_, at.line, at.column}, std::string{key}, std::move(found), std::move(expected), {}});
  }

  /// Null where the key is absent, or its value of another type, which is a problem.
  template <class Type>
  const Type* member(const Table& table, std::string_view key, std::string_view expected) {
    const Value* value = find(table, key);
    if (value == nullptr) return nullptr;
    const auto* typed = std::get_if<Type>(&value->data);
    if (typed == nullptr) file_problem(value->at, key, shown(*value), std::string{expected});
    return typed;
  }
  std::string text(const Table& table, std::string_view key) {
    const auto* value = member<std::string>(table, key, "text");
    return value == nullptr ? std::string{} : *value;
  }
  std::optional<std::int64_t> whole(const Table& table, std::string_view key, WholeRange range) {
    const auto* value = member<std::int64_t>(table, key, "a whole number");
    if (value == nullptr) return std::nullopt;
    if (*value >= range.least && *value <= range.most) return *value;
    file_problem(find(table, key)->at, key, fmt::format("{}", *value), range_words(range));
    return std::nullopt;
  }
  std::optional<Printed> number(const Table& table, std::string_view key, double unit) {
    const Value* value = find(table, key);
    if (value == nullptr) return std::nullopt;
    const auto* whole = std::get_if<std::int64_t>(&value->data);
    const auto* real = std::get_if<double>(&value->data);
    const double read = whole != nullptr  ? static_cast<double>(*whole)
                        : real != nullptr ? *real
                                          : -1.0;
    if (read >= 0.0) return Printed{read * unit, rounding * unit};
    file_problem(value->at, key, shown(*value), "a number, at least 0");
    return std::nullopt;
  }

  void read_run(const Table& run, Position at) {
    tests_.date = text(run, "start_time");
    std::ranges::replace(tests_.date, ' ', 'T');  // ISO 8601, of an unknown time zone
    tests_.nccl_version = nccl_version_text(whole(run, "nccl_version", {}).value_or(0));
    if (const auto* arguments = member<List>(run, "args", "a list")) read_program(*arguments);
    if (const auto* config = member<Table>(run, "config", "a table")) read_config(*config);
    if (const auto* wrong = member<Table>(run, "out_of_bounds", "a table")) {
      if (text(*wrong, "okay") == "false") {
        tests_.remarks.emplace_back("The test found wrong sums (out_of_bounds: not okay).");
      }
    }
    const auto* results = member<List>(run, "results", "a list");
    if (results == nullptr && find(run, "results") == nullptr) {
      file_problem(at, {}, "no \"results\"", "what all_reduce_perf writes with -J");
    }
    if (results == nullptr) return;
    for (const Value& result : *results) read_result(result);
    if (tests_.rows.empty() && problems_.empty()) {
      file_problem(find(run, "results")->at, "results", "no result", "one for each message size");
    }
  }

  void read_program(const List& arguments) {
    const auto* program =
        arguments.empty() ? nullptr : std::get_if<std::string>(&arguments.front().data);
    if (program == nullptr || program->find("_perf") == std::string::npos ||
        program->find("all_reduce") != std::string::npos) {
      return;
    }
    file_problem(arguments.front().at, "args", in_quotes(*program), "all_reduce_perf");
  }

  void read_config(const Table& config) {
    tests_.operations = whole(config, "iterations", {.least = 0});
    const WholeRange few{.least = 1, .most = most_per_process};
    const std::int64_t per_process =
        std::min(most_per_process, whole(config, "nthreads", few).value_or(1) *
                                       whole(config, "ngpus", few).value_or(1));
    std::vector<NcclRank> listed;
    const auto* devices = member<List>(config, "devices", "a list");
    if (devices == nullptr) return;
    for (const Value& device : *devices) {
      const auto* entry = std::get_if<Table>(&device.data);
      if (entry == nullptr) {
        file_problem(device.at, "devices", shown(device), "a table");
        continue;
      }
      NcclRank rank{.host = text(*entry, "hostname"), .device = text(*entry, "device_info")};
      rank.number = whole(*entry, "rank", {.least = 0}).value_or(std::ssize(listed));
      rank.group = whole(*entry, "group", {}).value_or(0);
      listed.push_back(std::move(rank));
    }
    // Of a process with many ranks only the first is listed.
    const bool all_listed = listed.size() > 1 && listed[1].number == listed[0].number + 1;
    for (NcclRank& rank : listed) {
      rank.count = all_listed ? 1 : per_process;
      ranks_.add(rank);
    }
  }

  void read_result(const Value& result) {
    const auto* table = std::get_if<Table>(&result.data);
    if (table == nullptr) {
      file_problem(result.at, "results", shown(result), "a table");
      return;
    }
    if (find(*table, "size") == nullptr) {
      file_problem(result.at, "results", "no \"size\"", "the size of the message");
    }
    const auto size = whole(*table, "size", {.least = 0, .most = largest_size});
    if (text(*table, "redop") == "none") {
      file_problem(find(*table, "redop")->at, "redop", "\"none\"",
                   "an operation such as sum: only all-reduces are read");
    }
    if (!size || *size == 0) return;  // nothing was sent
    tests_.rows.push_back({.size = Bytes{static_cast<double>(*size)},
                           .out_of_place = read_time(*table, "out_of_place"),
                           .in_place = read_time(*table, "in_place")});
  }

  /// Empty where it is null: not every run measures both.
  std::optional<NcclTime> read_time(const Table& result, std::string_view key) {
    const Value* value = find(result, key);
    if (value == nullptr) return std::nullopt;
    const auto* group = member<Table>(result, key, "a table");
    if (group == nullptr) return std::nullopt;
    const std::string_view name = find(*group, "cpu_time") == nullptr ? "time" : "cpu_time";
    const auto seconds = number(*group, name, micro);
    if (!seconds && find(*group, name) == nullptr) {
      file_problem(value->at, key, "no \"time\"", "the time of an operation");
    }
    if (!seconds) return std::nullopt;
    if (!(seconds->value > 0.0) || seconds->value > longest_time) {
      file_problem(find(*group, name)->at, name, fmt::format("{}", seconds->value / micro),
                   "microseconds, more than 0 and at most a day");
      return std::nullopt;
    }
    return NcclTime{.seconds = *seconds,
                    .algbw = number(*group, "alg_bw", giga),
                    .busbw = number(*group, "bus_bw", giga),
                    .at = value->at};
  }

  const std::string& file_;
  NcclTests tests_;
  NcclRanks ranks_;
  std::vector<Problem> problems_;
};

}  // namespace

NcclTests parse_nccl_tests_json(std::string_view text, const std::string& file) {
  return JsonReader{file}.read(text);
}

}  // namespace dbsim
