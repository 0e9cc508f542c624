#include "sim/engine/finish_times.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/check.hpp"
#include "sim/base/room.hpp"

namespace dbsim {

namespace {

// Groups of limited flows can be large, and so can be the number of groups.
constexpr std::size_t children = 4;

}  // namespace

void FinishTimes::set_level(GroupIndex index, double level, Instant now) {
  Group& group = groups_[index];
  group.clock = clock_at(group, now);
  group.since = now;
  group.level = level;
  reschedule(index);
}

void FinishTimes::enter(FlowIndex flow, GroupIndex index, double left, Instant now) {
  Group& group = groups_[index];
  if (group.due.empty()) {  // a fresh clock keeps all its digits
    group.clock = 0.0;
    group.since = now;
  }
  if (flow >= places_.size()) {
    make_room(places_, flow + 1 - places_.size());
    places_.resize(flow + 1);
  }
  check(places_[flow].group == nowhere, "a flow finishes once");
  places_[flow].group = index;
  make_room(group.due);
  group.due.emplace_back();
  rise(group, group.due.size() - 1, {clock_at(group, now) + left, flow});
  if (group.due.front().flow == flow) reschedule(index);
}

double FinishTimes::leave(FlowIndex flow, Instant now) {
  const double rest = left(flow, now);
  remove(flow);
  return rest;
}

double FinishTimes::left(FlowIndex flow, Instant now) const {
  const Place& place = places_[flow];
  const Group& group = groups_[place.group];
  return std::max(0.0, group.due[place.in_heap].at - clock_at(group, now));
}

std::optional<Instant> FinishTimes::next() const {
  if (next_.empty()) return std::nullopt;
  return next_.front().at;
}

std::optional<FlowIndex> FinishTimes::take(Instant now) {
  if (next_.empty() || next_.front().at > now) return std::nullopt;
  const FlowIndex flow = groups_[next_.front().group].due.front().flow;
  remove(flow);
  return flow;
}

double FinishTimes::clock_at(const Group& group, Instant now) {
  if (now == group.since) return group.clock;
  return group.clock + group.level * to_seconds(now - group.since).count();
}

// A crawling flow ends when whole nanoseconds do, rather than beyond them.
Instant FinishTimes::instant_of(const Group& group, double at) {
  constexpr Seconds rounding{1e-6};  // seconds in double are that coarse after 292 years
  const Seconds wait{std::max(0.0, at - group.clock) / group.level};
  if (wait + rounding >= to_seconds(Instant::max() - group.since)) return Instant::max();
  return group.since + to_span(wait);
}

void FinishTimes::put(Group& group, std::size_t place, Due due) {
  group.due[place] = due;
  places_[due.flow].in_heap = static_cast<std::uint32_t>(place);
}

void FinishTimes::rise(Group& group, std::size_t place, Due due) {
  while (place > 0) {
    const std::size_t parent = (place - 1) / children;
    if (!(due.at < group.due[parent].at)) break;
    put(group, place, group.due[parent]);
    place = parent;
  }
  put(group, place, due);
}

void FinishTimes::sink(Group& group, std::size_t place, Due due) {
  const std::size_t size = group.due.size();
  for (;;) {
    const std::size_t first = place * children + 1;
    if (first >= size) break;
    std::size_t least = first;
    for (std::size_t i = first + 1; i < std::min(first + children, size); ++i) {
      if (group.due[i].at < group.due[least].at) least = i;
    }
    if (!(group.due[least].at < due.at)) break;
    put(group, place, group.due[least]);
    place = least;
  }
  put(group, place, due);
}

void FinishTimes::remove(FlowIndex flow) {
  const Place place = places_[flow];
  places_[flow].group = nowhere;
  Group& group = groups_[place.group];
  const Due last = group.due.back();
  group.due.pop_back();
  if (place.in_heap < group.due.size()) {
    const std::size_t parent = (place.in_heap - 1) / children;
    if (place.in_heap > 0 && last.at < group.due[parent].at) {
      rise(group, place.in_heap, last);
    } else {
      sink(group, place.in_heap, last);
    }
  }
  if (place.in_heap == 0) reschedule(place.group);
}

void FinishTimes::reschedule(GroupIndex index) {
  if (index >= next_places_.size()) next_places_.resize(groups_.size(), nowhere);
  const Group& group = groups_[index];
  const bool finishes = !group.due.empty() && group.level > 0.0;
  std::uint32_t place = next_places_[index];
  if (!finishes) {
    if (place == nowhere) return;
    next_places_[index] = nowhere;
    const Next last = next_.back();
    next_.pop_back();
    if (last.group == index) return;
    rise_next(place, last);
    sink_next(next_places_[last.group], last);
    return;
  }
  const Next next{instant_of(group, group.due.front().at), index};
  if (place == nowhere) {
    place = static_cast<std::uint32_t>(next_.size());
    next_.emplace_back();
  }
  rise_next(place, next);
  sink_next(next_places_[index], next);
}

void FinishTimes::put_next(std::size_t place, Next next) {
  next_[place] = next;
  next_places_[next.group] = static_cast<std::uint32_t>(place);
}

void FinishTimes::rise_next(std::size_t place, Next next) {
  while (place > 0) {
    const std::size_t parent = (place - 1) / children;
    if (next.at >= next_[parent].at) break;
    put_next(place, next_[parent]);
    place = parent;
  }
  put_next(place, next);
}

void FinishTimes::sink_next(std::size_t place, Next next) {
  const std::size_t size = next_.size();
  for (;;) {
    const std::size_t first = place * children + 1;
    if (first >= size) break;
    std::size_t least = first;
    for (std::size_t i = first + 1; i < std::min(first + children, size); ++i) {
      if (next_[i].at < next_[least].at) least = i;
    }
    if (next_[least].at >= next.at) break;
    put_next(place, next_[least]);
    place = least;
  }
  put_next(place, next);
}

}  // namespace dbsim
