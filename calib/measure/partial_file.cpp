#include "calib/measure/partial_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/io/document.hpp"
#include "sim/io/fields.hpp"
#include "sim/io/files.hpp"
#include "sim/io/json_writer.hpp"

namespace dbsim::calib {

namespace {

using Layout = JsonWriter::Layout;

constexpr std::string_view schema = "dbsim.calibration/1";

void write_numbers(JsonWriter& json, const std::vector<double>& numbers) {
  json.open_array(Layout::row);
  for (const double number : numbers) json.number(number);
  json.close();
}

void write_visit(JsonWriter& json, const Visit& visit) {
  json.open_object(Layout::row);
  json.key("started_s");
  json.number(visit.started_s);
  json.key("clock_hz");
  json.number(visit.clock_hz);
  json.key("temperature_celsius");
  json.number(visit.temperature_celsius);
  json.key("throttled");
  json.whole(visit.throttled ? 1 : 0);
  json.key("ready");
  write_numbers(json, visit.ready);
  json.key("steps");
  json.open_array(Layout::row);
  for (const StepSample& step : visit.steps) {
    write_numbers(json, {step.step, step.forward, step.backward, step.update});
  }
  json.close();
  json.close();
}

void write_batch(JsonWriter& json, const BatchSamples& samples) {
  json.open_object(Layout::lines);
  json.key("batch");
  json.whole(samples.batch);
  json.key("memory_bytes");
  json.whole(samples.memory_bytes);
  json.key("visits");
  json.open_array(Layout::lines);
  for (const Visit& visit : samples.visits) write_visit(json, visit);
  json.close();
  json.close();
}

void write_interference(JsonWriter& json, const InterferenceSamples& row) {
  json.open_object(Layout::row);
  json.key("load");
  json.text(row.load);
  json.key("intensity");
  json.whole(row.intensity);
  json.key("batch");
  json.whole(row.batch);
  json.key("pairs");
  json.open_array(Layout::row);
  for (const auto& pair : row.pairs) write_numbers(json, {pair.alone, pair.loaded});
  json.close();
  json.close();
}

void write_memory(JsonWriter& json, const MemoryLimit& memory) {
  json.open_object(Layout::row);
  json.key("fits");
  json.whole(memory.fits);
  if (memory.fails) {
    json.key("fails");
    json.whole(*memory.fails);
  }
  json.close();
}

template <std::size_t count>
std::array<double, count> read_row(Fields& element) {
  std::array<double, count> row{};
  std::size_t place = 0;
  element.items({"", "Numbers."}, [&](Fields& cell) {
    double number = 0.0;
    cell.number({"", "A time in seconds."}, not_negative, number);
    if (place < count) row[place] = number;
    ++place;
  });
  if (place != count && !element.describing()) {
    element.problem("", std::to_string(place) + " numbers", std::to_string(count) + " numbers");
  }
  return row;
}

void read_flag(Fields& fields, const Key& key, bool& flag) {
  std::int64_t value = 0;
  if (fields.whole(key, {.least = 0, .most = 1}, value)) flag = value == 1;
}

void read_visit(Fields& fields, Visit& visit) {
  fields.number({"started_s", "Seconds since measuring began.", Need::required}, not_negative,
                visit.started_s);
  fields.number({"clock_hz", "Clock of the device."}, not_negative, visit.clock_hz);
  fields.number({"temperature_celsius", "Temperature of the device."}, {},
                visit.temperature_celsius);
  read_flag(fields, {"throttled", "Whether the device said so."}, visit.throttled);
  fields.items({"ready", "When buckets were complete."}, [&](Fields& element) {
    double fraction = 0.0;
    element.number({"", "Fraction of backward."}, {.least = 0.0, .most = 1.0}, fraction);
    visit.ready.push_back(fraction);
  });
  fields.items({"steps", "Step, forward, backward, update.", Need::required}, [&](Fields& element) {
    const auto row = read_row<4>(element);
    visit.steps.push_back({row[0], row[1], row[2], row[3]});
  });
  if (visit.steps.empty() && !fields.describing()) {
    fields.problem("steps", "no step", "at least one");
  }
}

void read_batch(Fields& fields, BatchSamples& samples) {
  fields.whole({"batch", "Local batch size.", Need::required}, at_least_one, samples.batch);
  fields.whole({"memory_bytes", "Memory it takes."}, {.least = 0}, samples.memory_bytes);
  fields.items({"visits", "In the order of time.", Need::required}, [&](Fields& element) {
    element.table({"", "One visit."},
                  [&](Fields& visit) { read_visit(visit, samples.visits.emplace_back()); });
  });
}

void read_interference(Fields& fields, InterferenceSamples& row) {
  fields.text({"load", "Kind of load.", Need::required}, row.load);
  std::int64_t intensity = 1;
  constexpr std::int64_t most = 1'000'000;
  fields.whole({"intensity", "How many.", Need::required}, {.least = 1, .most = most}, intensity);
  row.intensity = static_cast<int>(intensity);
  fields.whole({"batch", "Local batch size.", Need::required}, at_least_one, row.batch);
  fields.items({"pairs", "Alone, loaded.", Need::required}, [&](Fields& element) {
    const auto pair = read_row<2>(element);
    row.pairs.push_back({pair[0], pair[1]});
  });
  if (row.pairs.empty() && !fields.describing()) fields.problem("pairs", "none", "at least one");
}

void read_measurement(Fields& fields, Measurement& measurement) {
  fields.number({"elapsed_s", "Seconds spent.", Need::required}, not_negative,
                measurement.elapsed_s);
  read_flag(fields, {"explored", "Whether memory's limit is known."}, measurement.explored);
  read_flag(fields, {"fewer_later", "Whether memory shrank."}, measurement.fewer_later);
  std::int64_t number = 0;
  if (fields.whole({"left_out", "Batches not tried."}, at_least_one, number)) {
    measurement.left_out = number;
  }
  fields.table({"memory", "Memory's limit.", Need::required}, [&](Fields& memory) {
    memory.whole({"fits", "Largest that fits.", Need::required}, {.least = 0},
                 measurement.memory.fits);
    std::int64_t fails = 0;
    if (memory.whole({"fails", "Smallest that does not."}, at_least_one, fails)) {
      measurement.memory.fails = fails;
    }
  });
  fields.items({"batches", "Samples.", Need::required}, [&](Fields& element) {
    element.table({"", "One batch size."},
                  [&](Fields& batch) { read_batch(batch, measurement.batches.emplace_back()); });
  });
  fields.items({"interference", "Slowdowns."}, [&](Fields& element) {
    element.table({"", "One load."}, [&](Fields& row) {
      read_interference(row, measurement.interference.emplace_back());
    });
  });
}

void compare(Fields& fields, const Conditions& conditions) {
  for (const Condition& condition : conditions) {
    std::string value;
    if (!fields.text({condition.name, "As the run was begun.", Need::required}, value)) continue;
    if (value == condition.value) continue;
    fields.problem(condition.name, "'" + value + "'",
                   "'" + condition.value +
                       "', as this run has it; begin anew without this file, or "
                       "repeat the run that wrote it");
  }
}

bool rises(const std::vector<BatchSamples>& batches) {
  for (std::size_t i = 1; i < batches.size(); ++i) {
    if (batches[i - 1].batch >= batches[i].batch) return false;
  }
  return true;
}

}  // namespace

std::string partial_text(const Measurement& measurement, const Conditions& conditions) {
  JsonWriter json;
  json.open_object(Layout::lines);
  json.key("schema");
  json.text(schema);
  json.key("conditions");
  json.open_object(Layout::lines);
  for (const Condition& condition : conditions) {
    json.key(condition.name);
    json.text(condition.value);
  }
  json.close();
  json.key("elapsed_s");
  json.number(measurement.elapsed_s);
  json.key("explored");
  json.whole(measurement.explored ? 1 : 0);
  json.key("fewer_later");
  json.whole(measurement.fewer_later ? 1 : 0);
  if (measurement.left_out) {
    json.key("left_out");
    json.whole(*measurement.left_out);
  }
  json.key("memory");
  write_memory(json, measurement.memory);
  json.key("batches");
  json.open_array(Layout::lines);
  for (const BatchSamples& samples : measurement.batches) write_batch(json, samples);
  json.close();
  json.key("interference");
  json.open_array(Layout::lines);
  for (const InterferenceSamples& row : measurement.interference) write_interference(json, row);
  json.close();
  json.close();
  return std::move(json).finish();
}

Measurement parse_partial(std::string_view text, const std::string& file,
                          const Conditions& conditions) {
  const Document document = Document::json(text, file);
  Measurement measurement;
  std::vector<Problem> problems;
  document.read(
      [&](Fields& fields) {
        constexpr std::array<std::string_view, 1> schemas{schema};
        std::string ignored;
        fields.choice({"schema", "Version of this format.", Need::required}, schemas, ignored);
        fields.table({"conditions", "How the run was begun.", Need::required},
                     [&](Fields& table) { compare(table, conditions); });
        read_measurement(fields, measurement);
        if (!rises(measurement.batches)) {
          fields.problem("batches", "batch sizes out of order", "batch sizes that rise");
        }
      },
      problems);
  if (!problems.empty()) throw InputError{std::move(problems)};
  return measurement;
}

std::optional<Measurement> load_partial(const std::string& path, const Conditions& conditions) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  return parse_partial(read_text_file(path), path, conditions);
}

}  // namespace dbsim::calib
