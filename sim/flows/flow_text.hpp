#pragma once
// Solved cases as a person reads them, and as JSON.
#include <span>
#include <string>
#include <vector>

#include "sim/flows/flow_cases.hpp"
#include "sim/flows/flow_results.hpp"
#include "sim/report/layout.hpp"

namespace dbsim {

struct FlowTextOptions {
  double bar{1e-6};  // the largest relative difference that is fine
  bool all{};        // a row for every flow, however many there are
};

/// What the case is, a row for each flow (none where there are more than twenty, unless all are
/// wanted), and what stands out.
[[nodiscard]] std::string flow_case_text(const FlowCase& one, const FlowCaseResult& result,
                                         const FlowTextOptions& options, const TableStyle& style);

/// One line over all cases.
[[nodiscard]] std::string verdict_line(const FlowVerdict& verdict, double bar);

/// dbsim.flow-results/1: the results of every file, case by case, as the files hold them.
[[nodiscard]] std::string flow_results_json(std::span<const FlowCases> files,
                                            std::span<const std::vector<FlowCaseResult>> results,
                                            double bar);

}  // namespace dbsim
