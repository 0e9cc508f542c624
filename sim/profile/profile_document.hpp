#pragma once
// Everything a profile file holds, for programs that write, show, merge and compare profiles. The
// simulator needs less of it: profile.hpp.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/fields.hpp"
#include "sim/profile/profile.hpp"

namespace dbsim {

/// Seconds of a step or of a part of it.
struct TimeStatistics {
  double median{};
  std::optional<double> p05{};
  std::optional<double> p95{};
  std::optional<double> cv{};    // coefficient of variation
  std::optional<double> low{};   // low..high holds the median of a second measurement on the
  std::optional<double> high{};  // same machine with 95 % confidence, drift included
  std::optional<std::int64_t> repetitions{};
  friend bool operator==(const TimeStatistics&, const TimeStatistics&) = default;
};

struct ProfilePoint {
  Samples batch;
  TimeStatistics step;
  std::optional<TimeStatistics> forward{};
  std::optional<TimeStatistics> backward{};
  std::optional<TimeStatistics> update{};
  std::optional<Bytes> memory{};
  friend bool operator==(const ProfilePoint&, const ProfilePoint&) = default;
};

/// Step time under a background load, divided by the step time alone.
struct InterferenceRow {
  std::string load;    // "compute", "memory", "training"
  double intensity{};  // how many of them run
  double slowdown{};
  friend bool operator==(const InterferenceRow&, const InterferenceRow&) = default;
};

struct ProfileDocument {
  struct Device {
    std::string name;
    std::optional<Bytes> memory;
    std::string driver;
    std::string clocks;
    std::string temperature;
    friend bool operator==(const Device&, const Device&) = default;
  } device;
  struct Model {
    std::string name;
    std::vector<std::int64_t> input_shape;
    std::optional<Bytes> parameter_bytes;
    std::string precision;
    friend bool operator==(const Model&, const Model&) = default;
  } model;
  std::string backend;
  std::string date;  // ISO 8601, UTC
  std::string source;
  std::vector<std::string> remarks;  // what a reader of the numbers should know, one sentence each
  std::vector<ProfilePoint> points;  // rising batch
  std::vector<ProfileBucket> buckets;
  std::optional<Samples> max_batch;
  std::vector<InterferenceRow> interference;
  friend bool operator==(const ProfileDocument&, const ProfileDocument&) = default;
};

/// The keys of a profile file, dbsim.profile/1.
void describe_profile_document(Fields& fields, ProfileDocument& document);
/// Reads a profile file. Throws InputError with all that is wrong in it.
[[nodiscard]] ProfileDocument load_profile_document(const std::string& path);
/// The same from text; `name` stands for the file in messages.
[[nodiscard]] ProfileDocument parse_profile_document(std::string_view text,
                                                     const std::string& name);
/// The file's text: JSON, one point a line, ready to be read again without loss.
[[nodiscard]] std::string to_json(const ProfileDocument& document);
/// What the simulator needs of it.
[[nodiscard]] Profile to_profile(const ProfileDocument& document);

}  // namespace dbsim
