#pragma once
// Everything a network file holds: how long an all-reduce took by message size, on what, and the
// law fitted to it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/fields.hpp"
#include "sim/network/network_fit.hpp"

namespace dbsim {

/// Seconds of one operation: its slowest rank's.
struct OperationTime {
  double median{};
  std::optional<double> p05{};
  std::optional<double> p95{};
  std::optional<double> low{};   // low..high holds the true median with 95 % confidence, as far
  std::optional<double> high{};  // as repetitions are independent
  std::optional<std::int64_t> repetitions{};
  friend bool operator==(const OperationTime&, const OperationTime&) = default;
};

struct NetworkPoint {
  Bytes bytes;  // of the message that each rank contributes
  OperationTime time;
  friend bool operator==(const NetworkPoint&, const NetworkPoint&) = default;
};

struct NetworkDocument {
  std::vector<std::int64_t> ranks_per_host;  // [4, 4]: two hosts with four ranks each
  std::string library;                       // what moved the data, with versions
  std::vector<std::string> devices;          // that hold the data, each name once
  std::string date;                          // ISO 8601, UTC
  std::string source;
  std::vector<std::string> remarks;  // what a reader of the numbers should know, one sentence each
  std::vector<NetworkPoint> points;  // rising size
  std::optional<NetworkFit> fit;
  friend bool operator==(const NetworkDocument&, const NetworkDocument&) = default;

  [[nodiscard]] int ranks() const;
};

/// The keys of a network file, dbsim.network/1.
void describe_network_document(Fields& fields, NetworkDocument& document);
/// Reads a network file. Throws InputError with all that is wrong in it.
[[nodiscard]] NetworkDocument load_network_document(const std::string& path);
/// The same from text; `name` stands for the file in messages.
[[nodiscard]] NetworkDocument parse_network_document(std::string_view text,
                                                     const std::string& name);
/// The file's text: JSON, one point a line, ready to be read again without loss.
[[nodiscard]] std::string to_json(const NetworkDocument& document);
/// The fit to the medians of the points. Needs two of them.
[[nodiscard]] NetworkFit fit_network(const NetworkDocument& document);

}  // namespace dbsim
