#pragma once
// What the numbers say, in sentences a person can quote.
#include <string>
#include <vector>

#include "sim/report/results.hpp"

namespace dbsim {

enum class Outcome {
  saves,         // by at least 0.1 %, and the interval leaves no doubt about the sign
  nothing,       // too little to matter, or the interval spans zero
  inconclusive,  // the interval spans zero and is too wide to say "nothing"
  costs,
};
[[nodiscard]] Outcome outcome_of(const Estimate& saving);

/// The baseline's summary.
[[nodiscard]] const PolicySummary& baseline_of(const Results& results);
/// The policy the sentences are about: "dbs" where there is one, else the first that is neither the
/// baseline nor the oracle (a bound, not a choice), else the first that is not the baseline; null
/// when there is only the baseline.
[[nodiscard]] const PolicySummary* subject_of(const Results& results);

/// "dbs saves 63.9 % of the training time of fixed (95 % interval 63.7 to 64.0): 37 min 50 s
/// instead of ..."
[[nodiscard]] std::string saving_sentence(const Results& results);
/// "Under fixed, workers spend 41 % of their time waiting for slow/0; under dbs 2 %."
[[nodiscard]] std::string waiting_sentence(const Results& results);
/// One for each policy that would hang: where, who waits for whom, and what it costs.
[[nodiscard]] std::vector<std::string> hang_notes(const Results& results);
/// What else a reader has to know beside the numbers: samples lost, differing global batches,
/// warnings.
[[nodiscard]] std::vector<std::string> notes(const Results& results);

}  // namespace dbsim
