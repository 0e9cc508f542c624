#include "sim/profile/profile_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/io/document.hpp"
#include "sim/io/json_writer.hpp"
#include "sim/io/measured_fields.hpp"
#include "sim/profile/limits.hpp"

namespace dbsim {

namespace {

constexpr std::string_view schema_name = "dbsim.profile/1";

void read_statistics(Fields& fields, TimeStatistics& statistics) {
  fields.number({"median", "Median.", Need::required}, step_time_range, statistics.median);
  const Ends percentiles =
      read_ends(fields, {"p05", "5th percentile."}, {"p95", "95th percentile."}, part_time_range);
  statistics.cv = read_number(fields, {"cv", "Coefficient of variation."}, measured_cv_range);
  const Ends interval =
      read_ends(fields,
                {"low",
                 "Lower end of the interval that holds the median of a second measurement on the "
                 "same machine with 95 % confidence."},
                {"high", "Upper end of that interval."}, part_time_range);
  statistics.p05 = percentiles.low;
  statistics.p95 = percentiles.high;
  statistics.low = interval.low;
  statistics.high = interval.high;
  statistics.repetitions = read_repetitions(fields);
}

void read_part(Fields& fields, const Key& key, std::optional<TimeStatistics>& part) {
  fields.table(key, [&](Fields& inner) {
    part.emplace();
    read_statistics(inner, *part);
  });
}

ProfilePoint read_point(Fields& fields) {
  ProfilePoint point;
  std::int64_t batch = 0;
  fields.whole({"batch", "Local batch size.", Need::required}, batch_range, batch);
  point.batch = Samples{batch};
  constexpr std::string_view meaning = "Seconds of this part of a step.";
  fields.table({"step_s", meaning, Need::required},
               [&](Fields& inner) { read_statistics(inner, point.step); });
  read_part(fields, {"forward_s", meaning}, point.forward);
  read_part(fields, {"backward_s", meaning}, point.backward);
  read_part(fields, {"update_s", meaning}, point.update);
  point.memory = read_bytes(fields, {"memory_bytes", "Device memory in use."}, not_negative);
  return point;
}

void read_device(Fields& fields, ProfileDocument::Device& device) {
  fields.text({"name", "What the device calls itself.", Need::required}, device.name);
  device.memory = read_bytes(fields, {"memory_bytes", "Memory of the device."}, not_negative);
  fields.text({"driver", "Driver version."}, device.driver);
  fields.text({"clocks", "Clock rates while measuring."}, device.clocks);
  fields.text({"temperature", "Temperature while measuring."}, device.temperature);
}

void read_model(Fields& fields, ProfileDocument::Model& model) {
  fields.text(
      {"name", "The model that was trained; a scenario's job.model must match.", Need::required},
      model.name);
  model.parameter_bytes =
      read_bytes(fields, {"parameter_bytes", "Bytes of gradient all-reduced per step."}, positive);
  fields.text({"precision", "Number format of the computation."}, model.precision);
  fields.items({"input_shape", "Shape of one sample."}, [&](Fields& element) {
    std::int64_t extent = 0;
    element.whole({"", "Extent."}, at_least_one, extent);
    model.input_shape.push_back(extent);
  });
}

void read_points(Fields& fields, std::vector<ProfilePoint>& points) {
  fields.items({"points", "One entry per measured batch size, rising.", Need::required},
               [&](Fields& element) {
                 element.table({"", "One measured batch size."}, [&](Fields& inner) {
                   ProfilePoint point = read_point(inner);
                   // A bad one is a problem already; the rest are still looked at together.
                   if (point.batch > Samples{0} && point.step.median > 0.0) {
                     points.push_back(point);
                   }
                 });
               });
  std::vector<Samples> batches;
  for (const ProfilePoint& point : points) batches.push_back(point.batch);
  check_batches(fields, "points", batches);
}

void read_buckets(Fields& fields, std::vector<ProfileBucket>& buckets) {
  fields.items({"buckets", "Gradient buckets in the order in which backward fills them."},
               [&](Fields& element) {
                 element.table({"", "One bucket."}, [&](Fields& inner) {
                   double bytes = 0.0;
                   double ready = 0.0;
                   inner.number({"bytes", "Size.", Need::required}, positive, bytes);
                   inner.number(
                       {"ready", "Fraction of backward after which it is ready.", Need::required},
                       {.least = 0.0, .most = 1.0}, ready);
                   buckets.push_back({Bytes{bytes}, ready});
                 });
               });
}

void read_interference(Fields& fields, std::vector<InterferenceRow>& rows) {
  fields.items({"interference", "Slowdown measured under background loads."}, [&](Fields& element) {
    element.table({"", "One background load."}, [&](Fields& inner) {
      InterferenceRow row;
      inner.text({"load", "Kind of load.", Need::required}, row.load);
      inner.number({"intensity", "How many of them, or how strong.", Need::required}, not_negative,
                   row.intensity);
      inner.number({"slowdown", "Step time under it divided by step time alone.", Need::required},
                   positive, row.slowdown);
      rows.push_back(std::move(row));
    });
  });
}

/// Writes what is there: empty text, empty lists and values that were not measured leave no key.
class Writer {
 public:
  explicit Writer(JsonWriter& json) : json_{json} {}

  void number(std::string_view key, double value) {
    json_.key(key);
    json_.number(value);
  }
  void number(std::string_view key, const std::optional<double>& value) {
    if (value) number(key, *value);
  }
  void bytes(std::string_view key, const std::optional<Bytes>& value) {
    if (value) number(key, value->count());
  }
  void whole(std::string_view key, std::int64_t value) {
    json_.key(key);
    json_.whole(value);
  }
  void text(std::string_view key, const std::string& value) {
    if (value.empty()) return;
    json_.key(key);
    json_.text(value);
  }
  template <class Body>
  void object(std::string_view key, Body body) {
    json_.key(key);
    row(body);
  }
  template <class Elements, class Body>
  void list(std::string_view key, const Elements& elements, Body body) {
    if (elements.empty()) return;
    json_.key(key);
    json_.open_array(JsonWriter::Layout::lines);
    for (const auto& element : elements) body(element);
    json_.close();
  }
  template <class Body>
  void row(Body body) {
    json_.open_object(JsonWriter::Layout::row);
    body();
    json_.close();
  }
  void statistics(std::string_view key, const TimeStatistics& statistics) {
    object(key, [&] {
      number("median", statistics.median);
      number("p05", statistics.p05);
      number("p95", statistics.p95);
      number("cv", statistics.cv);
      number("low", statistics.low);
      number("high", statistics.high);
      if (statistics.repetitions) whole("repetitions", *statistics.repetitions);
    });
  }
  void statistics(std::string_view key, const std::optional<TimeStatistics>& part) {
    if (part) statistics(key, *part);
  }

  void device(const ProfileDocument::Device& device) {
    object("device", [&] {
      name(device.name);
      bytes("memory_bytes", device.memory);
      text("driver", device.driver);
      text("clocks", device.clocks);
      text("temperature", device.temperature);
    });
  }
  void model(const ProfileDocument::Model& model) {
    object("model", [&] {
      name(model.name);
      if (!model.input_shape.empty()) {
        json_.key("input_shape");
        json_.open_array(JsonWriter::Layout::row);
        for (const std::int64_t extent : model.input_shape) json_.whole(extent);
        json_.close();
      }
      bytes("parameter_bytes", model.parameter_bytes);
      text("precision", model.precision);
    });
  }
  void point(const ProfilePoint& point) {
    row([&] {
      whole("batch", point.batch.count());
      statistics("step_s", point.step);
      statistics("forward_s", point.forward);
      statistics("backward_s", point.backward);
      statistics("update_s", point.update);
      bytes("memory_bytes", point.memory);
    });
  }

 private:
  // Needed even where it is empty.
  void name(const std::string& value) {
    json_.key("name");
    json_.text(value);
  }

  JsonWriter& json_;
};

ProfileDocument read(const Document& file) {
  ProfileDocument document;
  std::vector<Problem> problems;
  file.read([&](Fields& fields) { describe_profile_document(fields, document); }, problems);
  if (!problems.empty()) throw InputError{std::move(problems)};
  return document;
}

}  // namespace

void describe_profile_document(Fields& fields, ProfileDocument& document) {
  constexpr std::array<std::string_view, 1> schemas{schema_name};
  std::string schema;
  fields.choice({"schema", "Version of this format.", Need::required}, schemas, schema);
  fields.table({"device", "The device that was measured.", Need::required},
               [&](Fields& inner) { read_device(inner, document.device); });
  fields.table({"model", "What was trained.", Need::required},
               [&](Fields& inner) { read_model(inner, document.model); });
  fields.text({"backend", "Program and libraries that ran the steps, with versions."},
              document.backend);
  fields.text({"date", "When it was measured."}, document.date);
  fields.text({"source", "Who published the numbers, when they are not our own."}, document.source);
  fields.items({"remarks", "What a reader of the numbers should know."}, [&](Fields& element) {
    element.text({"", "One sentence."}, document.remarks.emplace_back());
  });
  read_points(fields, document.points);
  read_buckets(fields, document.buckets);
  read_max_batch(fields, document.max_batch);
  read_interference(fields, document.interference);
}

ProfileDocument load_profile_document(const std::string& path) {
  return read(Document::load(path));
}

ProfileDocument parse_profile_document(std::string_view text, const std::string& name) {
  return read(Document::json(text, name));
}

std::string to_json(const ProfileDocument& document) {
  JsonWriter json;
  Writer writer{json};
  json.open_object(JsonWriter::Layout::lines);
  json.key("schema");
  json.text(schema_name);
  writer.device(document.device);
  writer.model(document.model);
  writer.text("backend", document.backend);
  writer.text("date", document.date);
  writer.text("source", document.source);
  writer.list("remarks", document.remarks, [&](const std::string& remark) { json.text(remark); });
  writer.list("points", document.points, [&](const ProfilePoint& point) { writer.point(point); });
  writer.list("buckets", document.buckets, [&](const ProfileBucket& bucket) {
    writer.row([&] {
      writer.number("bytes", bucket.bytes.count());
      writer.number("ready", bucket.ready);
    });
  });
  if (document.max_batch) writer.whole("max_batch", document.max_batch->count());
  writer.list("interference", document.interference, [&](const InterferenceRow& row) {
    writer.row([&] {
      json.key("load");
      json.text(row.load);
      writer.number("intensity", row.intensity);
      writer.number("slowdown", row.slowdown);
    });
  });
  json.close();
  return std::move(json).finish();
}

namespace {

// The median over the batches that were measured in phases; it changes little with the batch.
std::optional<double> backward_share(const std::vector<ProfilePoint>& points) {
  std::vector<double> shares;
  for (const ProfilePoint& point : points) {
    if (!point.backward) continue;
    shares.push_back(std::clamp(point.backward->median / point.step.median, 0.0, 1.0));
  }
  if (shares.empty()) return std::nullopt;
  std::ranges::sort(shares);
  return (shares[(shares.size() - 1) / 2] + shares[shares.size() / 2]) / 2.0;
}

}  // namespace

Profile to_profile(const ProfileDocument& document) {
  std::vector<StepTimePoint> points;
  double spread = 0.0;
  for (const ProfilePoint& point : document.points) {
    points.push_back({point.batch, Seconds{point.step.median}});
    spread = std::max(spread, point.step.cv.value_or(0.0));
  }
  return Profile{.device = document.device.name,
                 .model = document.model.name,
                 .source = document.source,
                 .step_time = StepTimeCurve{std::move(points)},
                 .spread = spread,
                 .max_batch = document.max_batch,
                 .parameter_bytes = document.model.parameter_bytes,
                 .backward_share = backward_share(document.points),
                 .buckets = document.buckets};
}

}  // namespace dbsim
