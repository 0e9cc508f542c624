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
  bool interference{false};
  bool quiet{false};
  MeasureOptions measuring;
};

/// UsageError for what cannot be used.
[[nodiscard]] Request request_from(const Arguments& arguments);

/// "8:512", "8:512:1.5" (factor), "8:max" (until memory ends) or "8,16,24" (exactly these) into
/// the options. UsageError otherwise.
void read_batches(const std::string& text, MeasureOptions& options);

}  // namespace dbsim::calib
