#pragma once
// Networks as a person reads them.
#include <string>
#include <string_view>
#include <vector>

#include "sim/network/halves.hpp"
#include "sim/network/network_document.hpp"
#include "sim/report/layout.hpp"

namespace dbsim {

/// One row a message size, with what the fit makes of it; the fit; remarks. Fits 80 columns.
[[nodiscard]] std::string network_text(const NetworkDocument& document, const TableStyle& style);

struct NamedPredictions {
  std::string name;
  std::vector<Prediction> predictions;  // at least one
};
/// One row a file: how far predictions are from what was measured, and where most.
[[nodiscard]] std::string predictions_text(const std::vector<NamedPredictions>& files,
                                           const TableStyle& style);

}  // namespace dbsim
