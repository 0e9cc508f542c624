#include "sim/flows/flow_results.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace dbsim {

double relative_difference(std::optional<Seconds> time, Seconds answer) {
  if (time == answer) return 0.0;
  if (!time || answer == Seconds{0.0}) return std::numeric_limits<double>::infinity();
  return std::chrono::abs(*time - answer) / answer;
}

FlowCaseResult solve(const FlowCase& one) {
  const std::vector<std::optional<Instant>> finishes =
      play_flows(one.topology.capacities(), one.flows, one.bandwidth_steps);
  FlowCaseResult result;
  Seconds last{0.0};
  for (std::size_t i = 0; i < finishes.size(); ++i) {
    FlowResult& flow = result.flows.emplace_back();
    if (finishes[i]) {
      flow.finish = to_seconds(finishes[i]->time_since_epoch());
      last = std::max(last, *flow.finish);
    } else {
      ++result.unfinished;
    }
    if (!one.answers[i]) continue;
    flow.difference = relative_difference(flow.finish, *one.answers[i]);
    if (result.difference && *flow.difference <= *result.difference) continue;
    result.difference = flow.difference;
    result.worst = i;
  }
  if (result.unfinished == 0) result.makespan = last;
  if (one.makespan) {
    const double difference = relative_difference(result.makespan, *one.makespan);
    result.difference = std::max(result.difference.value_or(0.0), difference);
  }
  return result;
}

void FlowVerdict::add(const FlowCaseResult& result, double bar) {
  ++cases;
  unfinished += result.unfinished;
  if (!result.difference) return;
  ++with_answers;
  if (result.within(bar)) ++within;
  difference = std::max(difference.value_or(0.0), *result.difference);
}

}  // namespace dbsim
