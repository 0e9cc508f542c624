#include "sim/report/write_results.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "sim/io/files.hpp"
#include "sim/report/results_json.hpp"

namespace dbsim {

namespace {

/// Quoted as RFC 4180 asks, when it has to be.
std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string{text};
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

double seconds(Span span) { return to_seconds(span).count(); }

}  // namespace

std::string epochs_csv(const Results& results) {
  std::string csv = "policy,epoch,worker,batch,samples,own_s,communication_s,wait_s,epoch_s\n";
  for (const PolicySummary& policy : results.policies) {
    const std::string label = csv_field(policy.label);
    for (std::size_t i = 0; i < policy.epochs.size(); ++i) {
      const EpochTrace& epoch = policy.epochs[i];
      for (std::size_t k = 0; k < epoch.workers.size(); ++k) {
        const WorkerEpoch& worker = epoch.workers[k];
        fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{}\n", label, i,
                       csv_field(results.workers.at(k)), worker.batch.count(),
                       worker.samples.count(), seconds(worker.own), seconds(worker.communication),
                       seconds(worker.wait), seconds(epoch.end - epoch.begin));
      }
    }
  }
  return csv;
}

void write_results(const Results& results, const std::string& folder) {
  write_text_file(folder + "/results.json", results_json(results));
  write_text_file(folder + "/epochs.csv", epochs_csv(results));
}

}  // namespace dbsim
