#include <algorithm>
#include <string>
#include <utility>

#include "sim/model/communication_setup.hpp"

namespace dbsim {

namespace {

void add_measured(const CommunicationSetup& setup, const MeasuredRange& measured,
                  std::vector<std::string>& warnings) {
  if (std::cmp_not_equal(setup.workers, measured.ranks)) {
    warnings.push_back("the network was measured with " + std::to_string(measured.ranks) +
                       " ranks; times for " + std::to_string(setup.workers) +
                       " workers follow from a ring on a star");
  } else if (setup.collective.algorithm != CollectiveAlgorithm::ring) {
    warnings.emplace_back(
        "the network reproduces what was measured with algorithm = \"ring\"; others are estimates");
  }
  Bytes smallest = bucket_of(setup.collective);
  Bytes largest = smallest;
  if (setup.overlap) {
    smallest = *std::ranges::min_element(setup.overlap->buckets);
    largest = *std::ranges::max_element(setup.overlap->buckets);
  }
  if (smallest >= measured.smallest && largest <= measured.largest) return;
  warnings.push_back("all-reduces of " + to_text(smallest) +
                     (smallest == largest ? "" : " to " + to_text(largest)) +
                     " reach beyond the network's measured " + to_text(measured.smallest) + " to " +
                     to_text(measured.largest) + "; times there are extrapolated");
}

}  // namespace

std::vector<std::string> warnings_about(const CommunicationSetup& setup) {
  std::vector<std::string> warnings = warnings_about(setup.collective, setup.workers);
  const auto& played = std::get<PlayedCommunication>(setup.how);
  if (played.measured) add_measured(setup, *played.measured, warnings);
  const bool one_round = setup.collective.algorithm == CollectiveAlgorithm::halving_doubling ||
                         setup.collective.algorithm == CollectiveAlgorithm::parameter_server;
  if (setup.collective.messages.random() && setup.collective.detail == CollectiveDetail::fluid &&
      !one_round) {
    warnings.emplace_back(
        "detail = \"fluid\" does not pass random delays on from worker to worker; communication "
        "takes longer than it says");
  }
  return warnings;
}

}  // namespace dbsim
