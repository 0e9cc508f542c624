#include "sim/network/network_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "sim/io/document.hpp"
#include "sim/io/json_writer.hpp"
#include "sim/io/measured_fields.hpp"
#include "sim/network/fit_network.hpp"

namespace dbsim {

namespace {

constexpr std::string_view schema_name = "dbsim.network/1";
// Longer operations are slips of the unit, and more ranks than this are slips of the key.
constexpr NumberRange time_range{.least = 0.0, .most = 86'400.0, .lower = NumberRange::Lower::open};
constexpr NumberRange latency_range{.least = 0.0, .most = 86'400.0};
constexpr std::int64_t most_ranks = 1'000'000;
constexpr WholeRange ranks_range{.least = 1, .most = most_ranks};

void read_time(Fields& fields, OperationTime& time) {
  fields.number({"median", "Median.", Need::required}, time_range, time.median);
  const Ends percentiles =
      read_ends(fields, {"p05", "5th percentile."}, {"p95", "95th percentile."}, time_range);
  const Ends interval = read_ends(
      fields,
      {"low",
       "Lower end of the interval that holds the true median with 95 % confidence, as far "
       "as repetitions are independent."},
      {"high", "Upper end of that interval."}, time_range);
  time.p05 = percentiles.low;
  time.p95 = percentiles.high;
  time.low = interval.low;
  time.high = interval.high;
  time.repetitions = read_repetitions(fields);
}

/// Sizes that were read well must rise.
template <class Row>
void check_rising(Fields& fields, std::string_view key, const std::vector<Row>& rows) {
  const auto fall = std::ranges::adjacent_find(rows, std::ranges::greater_equal{}, &Row::bytes);
  if (fall == rows.end()) return;
  fields.problem(key,
                 fmt::format("{} bytes before {}", fall->bytes.count(), (fall + 1)->bytes.count()),
                 "sizes that rise");
}

void read_points(Fields& fields, std::vector<NetworkPoint>& points) {
  const bool given = fields.items(
      {"points", "One entry per measured message size, rising.", Need::required},
      [&](Fields& element) {
        element.table({"", "One measured size."}, [&](Fields& inner) {
          NetworkPoint point;
          const Key bytes{"bytes", "Bytes that each rank contributes.", Need::required};
          point.bytes = read_bytes(inner, bytes, positive).value_or(Bytes{});
          inner.table({"time_s", "Seconds of one operation: its slowest rank's.", Need::required},
                      [&](Fields& time) { read_time(time, point.time); });
          // A bad one is a problem already; the rest are still looked at together.
          if (point.bytes > Bytes{0.0} && point.time.median > 0.0) points.push_back(point);
        });
      });
  if (fields.describing() || !given) return;
  if (points.empty()) fields.problem("points", "no usable point", "at least one");
  check_rising(fields, "points", points);
}

void read_fit(Fields& fields, NetworkFit& fit) {
  double latency = 0.0;
  double bandwidth = 0.0;
  fields.number({"latency_s", "Latency of an operation in seconds.", Need::required}, latency_range,
                latency);
  fields.number(
      {"bandwidth_bytes_per_s",
       "Message bytes per second that large messages approach (algbw; busbw is 2(n - 1)/n "
       "times as much).",
       Need::required},
      positive, bandwidth);
  fit.latency = Seconds{latency};
  fit.bandwidth = BytesPerSecond{bandwidth};
  const Key affine_from{"affine_from_bytes",
                        "The smallest size that latency and bandwidth alone were fitted to."};
  fit.affine_from = read_bytes(fields, affine_from, positive).value_or(Bytes{});
  fields.number({"affine_residual", "Largest relative error of latency and bandwidth alone there."},
                not_negative, fit.affine_residual);
  fields.number({"residual", "Largest relative error with the efficiencies, over all points."},
                not_negative, fit.residual);
  fields.items({"efficiency",
                "Part of the bandwidth reached, by size, rising; between two sizes its logarithm "
                "is linear in that of the size; 1 if left out."},
               [&](Fields& element) {
                 element.table({"", "One size."}, [&](Fields& inner) {
                   Efficiency row;
                   const Key bytes{"bytes", "Message size.", Need::required};
                   row.bytes = read_bytes(inner, bytes, positive).value_or(Bytes{});
                   inner.number({"efficiency",
                                 "time = latency + bytes / (bandwidth * efficiency); may exceed 1.",
                                 Need::required},
                                positive, row.efficiency);
                   if (row.bytes > Bytes{0.0} && row.efficiency > 0.0)
                     fit.efficiency.push_back(row);
                 });
               });
  check_rising(fields, "efficiency", fit.efficiency);
}

/// Writes what is there: empty text, empty lists and values that are not known leave no key.
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
  void text(std::string_view key, const std::string& value) {
    if (value.empty()) return;
    json_.key(key);
    json_.text(value);
  }
  template <class Elements, class Body>
  void list(std::string_view key, JsonWriter::Layout layout, const Elements& elements, Body body) {
    if (elements.empty()) return;
    json_.key(key);
    json_.open_array(layout);
    for (const auto& element : elements) body(element);
    json_.close();
  }
  void texts(std::string_view key, JsonWriter::Layout layout,
             const std::vector<std::string>& lines) {
    list(key, layout, lines, [&](const std::string& line) { json_.text(line); });
  }
  void point(const NetworkPoint& point) {
    json_.open_object(JsonWriter::Layout::row);
    number("bytes", point.bytes.count());
    json_.key("time_s");
    json_.open_object(JsonWriter::Layout::row);
    number("median", point.time.median);
    number("p05", point.time.p05);
    number("p95", point.time.p95);
    number("low", point.time.low);
    number("high", point.time.high);
    if (point.time.repetitions) {
      json_.key("repetitions");
      json_.whole(*point.time.repetitions);
    }
    json_.close();
    json_.close();
  }
  void fit(const NetworkFit& fit) {
    json_.key("fit");
    json_.open_object(JsonWriter::Layout::lines);
    number("latency_s", fit.latency.count());
    number("bandwidth_bytes_per_s", fit.bandwidth.count());
    if (fit.affine_from > Bytes{0.0}) number("affine_from_bytes", fit.affine_from.count());
    number("affine_residual", fit.affine_residual);
    number("residual", fit.residual);
    list("efficiency", JsonWriter::Layout::lines, fit.efficiency, [&](const Efficiency& row) {
      json_.open_object(JsonWriter::Layout::row);
      number("bytes", row.bytes.count());
      number("efficiency", row.efficiency);
      json_.close();
    });
    json_.close();
  }

 private:
  JsonWriter& json_;
};

NetworkDocument read(const Document& file) {
  NetworkDocument document;
  std::vector<Problem> problems;
  file.read([&](Fields& fields) { describe_network_document(fields, document); }, problems);
  if (!problems.empty()) throw InputError{std::move(problems)};
  return document;
}

}  // namespace

int NetworkDocument::ranks() const {
  return static_cast<int>(
      std::accumulate(ranks_per_host.begin(), ranks_per_host.end(), std::int64_t{0}));
}

void describe_network_document(Fields& fields, NetworkDocument& document) {
  constexpr std::array<std::string_view, 1> schemas{schema_name};
  constexpr std::array<std::string_view, 1> operations{"all_reduce"};
  std::string word;
  fields.choice({"schema", "Version of this format.", Need::required}, schemas, word);
  fields.choice({"operation", "What was timed.", Need::required}, operations, word);
  fields.items(
      {"ranks_per_host", "How many ranks each host had: [4, 4] is two hosts with four ranks each.",
       Need::required},
      [&](Fields& element) {
        std::int64_t ranks = 0;
        element.whole({"", "Ranks on this host."}, ranks_range, ranks);
        document.ranks_per_host.push_back(ranks);
      });
  if (!fields.describing()) {
    std::int64_t ranks = 0;
    for (const std::int64_t on_host : document.ranks_per_host) {
      ranks = std::min(ranks + on_host, most_ranks + 1);
    }
    if (document.ranks_per_host.empty()) {
      fields.problem("ranks_per_host", "no host", "at least one");
    }
    if (ranks > most_ranks) {
      fields.problem("ranks_per_host", fmt::format("more than {} ranks", most_ranks), "fewer");
    }
  }
  fields.text({"library", "What moved the data, with versions."}, document.library);
  fields.items({"devices", "What holds the data, each name once."}, [&](Fields& element) {
    element.text({"", "Name of a device."}, document.devices.emplace_back());
  });
  fields.text({"date", "When it was measured."}, document.date);
  fields.text({"source", "Who published the numbers, when they are not our own."}, document.source);
  fields.items({"remarks", "What a reader of the numbers should know."}, [&](Fields& element) {
    element.text({"", "One sentence."}, document.remarks.emplace_back());
  });
  read_points(fields, document.points);
  fields.table({"fit", "The law fitted to the medians."}, [&](Fields& inner) {
    document.fit.emplace();
    read_fit(inner, *document.fit);
  });
}

NetworkDocument load_network_document(const std::string& path) {
  return read(Document::load(path));
}

NetworkDocument parse_network_document(std::string_view text, const std::string& name) {
  return read(Document::json(text, name));
}

std::string to_json(const NetworkDocument& document) {
  JsonWriter json;
  Writer writer{json};
  json.open_object(JsonWriter::Layout::lines);
  writer.text("schema", std::string{schema_name});
  writer.text("operation", "all_reduce");
  writer.list("ranks_per_host", JsonWriter::Layout::row, document.ranks_per_host,
              [&](std::int64_t ranks) { json.whole(ranks); });
  writer.text("library", document.library);
  writer.texts("devices", JsonWriter::Layout::row, document.devices);
  writer.text("date", document.date);
  writer.text("source", document.source);
  writer.texts("remarks", JsonWriter::Layout::lines, document.remarks);
  writer.list("points", JsonWriter::Layout::lines, document.points,
              [&](const NetworkPoint& point) { writer.point(point); });
  if (document.fit) writer.fit(*document.fit);
  json.close();
  return std::move(json).finish();
}

NetworkFit fit_network(const NetworkDocument& document) {
  std::vector<MessageTime> measured;
  for (const NetworkPoint& point : document.points) {
    measured.push_back({point.bytes, Seconds{point.time.median}});
  }
  return fit_network(measured);
}

}  // namespace dbsim
