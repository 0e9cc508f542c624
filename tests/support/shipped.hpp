#pragma once
// The scenarios that come with dbsim, run as the program runs them.
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "policies/catalog.hpp"
#include "sim/app/predict.hpp"
#include "sim/io/document.hpp"
#include "sim/scenario/load.hpp"

namespace dbsim::test {

using Settings = std::vector<std::pair<std::string, std::string>>;

inline Scenario shipped_scenario(const std::string& name, const Settings& settings = {}) {
  Document document = Document::load(std::string{DBSIM_SOURCE_DIR "/scenarios/"} + name);
  for (const auto& [key, value] : settings) document.set(key, value);
  return load_scenario(document, catalog());
}

inline Results run_shipped(const std::string& name, const Settings& settings = {}) {
  return summarise(predict(shipped_scenario(name, settings), catalog(), {}));
}

inline const PolicySummary& of(const Results& results, const std::string& label) {
  for (const PolicySummary& policy : results.policies) {
    if (policy.label == label) return policy;
  }
  throw std::invalid_argument{"no policy labelled " + label};
}

inline std::vector<std::int64_t> batches_of(const EpochTrace& epoch) {
  std::vector<std::int64_t> batches;
  for (const WorkerEpoch& worker : epoch.workers) batches.push_back(worker.batch.count());
  return batches;
}

inline double seconds_of(const EpochTrace& epoch) {
  return to_seconds(epoch.end - epoch.begin).count();
}

}  // namespace dbsim::test
