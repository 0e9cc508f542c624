#pragma once
// When flows at changing rates are through: one clock for all flows of a group.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/instant.hpp"
#include "sim/model/flow_table.hpp"

namespace dbsim {

/// Flows of one group have the same rate over weight, their group's level. So each group has a
/// virtual clock that runs at that level, and a flow is through when the clock has gone its bytes
/// over its weight further (Parekh and Gallager 1993, where the link is the group). However the
/// level changes, the order within the group stays, and only the group's first finish moves.
class FinishTimes {
 public:
  explicit FinishTimes(std::size_t groups) : groups_(groups) {}

  void set_level(GroupIndex group, double level, Instant now);
  /// `left` in bytes over weight; the flow is in no group.
  void enter(FlowIndex flow, GroupIndex group, double left, Instant now);
  /// Out of its group; what is left of it.
  double leave(FlowIndex flow, Instant now);
  [[nodiscard]] double left(FlowIndex flow, Instant now) const;
  [[nodiscard]] bool holds(FlowIndex flow) const {
    return flow < places_.size() && places_[flow].group != nowhere;
  }
  [[nodiscard]] GroupIndex group(FlowIndex flow) const { return places_[flow].group; }

  /// The first instant at which a flow is through; empty when none ever will be.
  [[nodiscard]] std::optional<Instant> next() const;
  /// One that is through at `now`, which next() is not before, and which leaves its group with it.
  [[nodiscard]] std::optional<FlowIndex> take(Instant now);

 private:
  static constexpr std::uint32_t nowhere = UINT32_MAX;
  struct Due {
    double at{};  // on the group's clock
    FlowIndex flow{};
  };
  struct Group {
    Instant since;
    double clock{0.0};  // as of `since`
    double level{0.0};
    std::vector<Due> due;  // heap, first to finish on top
  };
  struct Place {
    GroupIndex group{nowhere};
    std::uint32_t in_heap{};
  };
  struct Next {
    Instant at;
    GroupIndex group{};
  };

  static double clock_at(const Group& group, Instant now);
  [[nodiscard]] static Instant instant_of(const Group& group, double at);
  void put(Group& group, std::size_t place, Due due);
  void rise(Group& group, std::size_t place, Due due);
  void sink(Group& group, std::size_t place, Due due);
  void remove(FlowIndex flow);
  void reschedule(GroupIndex group);
  void put_next(std::size_t place, Next next);
  void rise_next(std::size_t place, Next next);
  void sink_next(std::size_t place, Next next);

  std::vector<Group> groups_;
  std::vector<Place> places_;               // by flow
  std::vector<Next> next_;                  // heap of groups, first finish on top
  std::vector<std::uint32_t> next_places_;  // by group
};

}  // namespace dbsim
