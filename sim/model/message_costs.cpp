#include <utility>
#include <vector>

#include "sim/model/collective_algorithms.hpp"

namespace dbsim {

Schedule with_costs(const Schedule& schedule, const MessageSpec& costs) {
  if (costs.overhead == Seconds{} && costs.efficiency.empty()) return schedule;
  std::vector<Stage> stages;
  for (std::size_t stage = 0; stage < schedule.stages(); ++stage) {
    const MessageIndex begin = schedule.first_of_stage(stage);
    const auto messages =
        schedule.pattern().subspan(begin, schedule.first_of_stage(stage + 1) - begin);
    Stage costly{.pattern = {messages.begin(), messages.end()},
                 .rounds = messages.empty() ? 0 : schedule.rounds(begin)};
    for (Message& message : costly.pattern) {
      if (message.from == message.to) continue;
      message.overhead += costs.overhead;
      if (message.size == Bytes{0.0}) continue;
      const double efficiency = efficiency_at(costs.efficiency, message.size);
      message.size = Bytes{message.size.count() / efficiency};
    }
    stages.push_back(std::move(costly));
  }
  return Schedule{std::move(stages)}.repeated(schedule.repeats());
}

}  // namespace dbsim
