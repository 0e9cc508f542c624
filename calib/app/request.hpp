#pragma once
// What a user asked for, checked as far as that goes without a device.
#include <cstdint>
#include <optional>
#include <string>

#include "calib/measure/measure.hpp"
#include "sim/program/command.hpp"

namespace dbsim::calib {

struct Request {
  std::string model;    // as given
  std::string dataset;  // empty: not given
  std::optional<std::string> device;
  std::string backend;
  std::string precision;
  int threads{0};
  std::string batches;  // as given
  std::optional<std::string> out;
  std::optional<std::string> svg;
  bool interference{false};
  bool quiet{false};
  MeasureOptions measuring;
};

/// What measuring of any kind is told in numbers.
struct MeasuringNumbers {
  double budget_s{};
  double accuracy{};  // a fraction
  std::uint64_t seed{};
};
/// From --budget, --accuracy and --seed, or as given. UsageError for what cannot be used.
[[nodiscard]] MeasuringNumbers measuring_numbers(const Arguments& arguments, double usual_budget_s,
                                                 double usual_accuracy, std::uint64_t usual_seed);

/// The instant for a file's date: ISO 8601, UTC.
[[nodiscard]] std::string now_utc();

/// UsageError for what cannot be used.
[[nodiscard]] Request request_from(const Arguments& arguments);

/// "8:512", "8:512:1.5" (factor), "8:max" (until memory ends) or "8,16,24" (exactly these) into
/// the options. UsageError otherwise.
void read_batches(const std::string& text, MeasureOptions& options);

}  // namespace dbsim::calib
