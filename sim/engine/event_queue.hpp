#pragma once
// The pending events of a run, handed out in a total order: by instant, then as scheduled.
//
// The next few events stand sorted in a small array, all others in a radix trie over the digits of
// (instant, sequence), whose leaves are unordered and split only when their turn comes. An event
// therefore moves a bounded number of times, whatever the instants look like; docs/performance.md
// says what else was tried.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "sim/base/check.hpp"
#include "sim/base/instant.hpp"
#include "sim/engine/event_order.hpp"
#include "sim/engine/later_events.hpp"

namespace dbsim {

/// Names one scheduled event. A copy of the queue accepts the same handles; a default handle names
/// no event.
class EventHandle {
 public:
  EventHandle() = default;
  friend bool operator==(const EventHandle&, const EventHandle&) = default;

 private:
  template <class Event>
  friend class EventQueue;
  explicit EventHandle(EventOrder order) : order_{order} {}
  EventOrder order_;
};

/// A plain value: a copy replays the same future. Whatever the instants, an operation looks at 64
/// neighbours and at 22 digits at most, amortised. Memory is kept and reused: a steady state
/// allocates nothing.
template <class Event>
class EventQueue {
  static_assert(std::is_trivially_copyable_v<Event> && std::is_default_constructible_v<Event>,
                "events are moved as plain memory");

 public:
  struct Scheduled {
    Instant at;
    Event event;
  };

  /// Not before the latest popped instant.
  EventHandle schedule(Instant at, Event event) {
    check(at >= latest_, "events are never scheduled in the past");
    const EventOrder order{to_word(at), ++sequence_};
    if (last_near_ < order) {
      later_.insert(order.instant, order.sequence, event);
    } else {
      insert_near(order, event);
    }
    return EventHandle{order};
  }

  /// False if the event was popped or cancelled before.
  bool cancel(EventHandle handle) {
    const EventOrder order = handle.order_;
    return last_near_ < order ? later_.erase(order) : erase_near(order);
  }

  /// The first event in order; there must be one.
  Scheduled pop() {
    check(begin_ != end_, "only a queue with events is popped");
    const Scheduled first{to_instant(near_[begin_].instant), near_[begin_].event};
    latest_ = first.at;
    if (++begin_ == end_) refill();
    return first;
  }

  /// The instant of the event that pop() would return.
  [[nodiscard]] std::optional<Instant> next() const {
    if (empty()) return std::nullopt;
    return to_instant(near_[begin_].instant);
  }
  [[nodiscard]] std::size_t size() const { return end_ - begin_ + later_.size(); }
  [[nodiscard]] bool empty() const { return begin_ == end_; }

 private:
  using Entry = PendingEvent<Event>;
  static constexpr std::size_t near_most = 64;
  static constexpr std::size_t near_room = 3 * near_most;  // free space on both sides
  static_assert(LaterEvents<Event>::take_most <= near_most);

  static constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  static std::uint64_t to_word(Instant at) {
    return static_cast<std::uint64_t>(at.time_since_epoch().count()) ^ sign;
  }
  static Instant to_instant(std::uint64_t word) {
    return Instant{Span{static_cast<std::int64_t>(word ^ sign)}};
  }

  // Looks for the place from both ends and moves the shorter side.
  void insert_near(EventOrder order, Event event) {
    if (begin_ == 0 || end_ == near_room) move_near((near_room - (end_ - begin_)) / 2);
    std::size_t low = begin_;
    std::size_t high = end_;
    std::size_t place = 0;
    for (;; ++low) {
      if (low == high || near_[high - 1].instant <= order.instant) {
        for (std::size_t i = end_++; i > high; --i) near_[i] = near_[i - 1];
        place = high;
        break;
      }
      --high;
      if (order.instant < near_[low].instant) {
        for (std::size_t i = begin_--; i < low; ++i) near_[i - 1] = near_[i];
        place = low - 1;
        break;
      }
    }
    near_[place].assign(order, event);
    if (end_ - begin_ > near_most) shed();
  }

  void move_near(std::size_t to) {
    const std::size_t count = end_ - begin_;
    if (to < begin_) {
      std::copy_n(near_.begin() + begin_, count, near_.begin() + to);
    } else {
      std::copy_backward(near_.begin() + begin_, near_.begin() + end_, near_.begin() + to + count);
    }
    begin_ = to;
    end_ = to + count;
  }

  void shed() {
    const std::size_t middle = begin_ + near_most / 2;
    for (std::size_t i = middle; i < end_; ++i)
      later_.insert(near_[i].instant, near_[i].sequence, near_[i].event);
    end_ = middle;
    last_near_ = near_[middle].order();
    --last_near_.sequence;
  }

  bool erase_near(EventOrder order) {
    const auto near = std::span{near_}.subspan(begin_, end_ - begin_);
    const auto found =
        std::lower_bound(near.begin(), near.end(), order,
                         [](const Entry& a, const EventOrder& b) { return a.order() < b; });
    if (found == near.end() || !(found->order() == order)) return false;
    std::copy(found + 1, near.end(), found);
    if (--end_ == begin_) refill();
    return true;
  }

  void refill() {
    begin_ = near_most;
    const auto taken = later_.take_first(std::span{near_}.subspan(begin_));
    end_ = begin_ + taken.count;
    last_near_ = taken.last;
  }

  // Sorted in [begin_, end_), which is empty only when the queue is; all orders up to last_near_.
  std::array<Entry, near_room> near_{};
  std::size_t begin_{near_most};
  std::size_t end_{near_most};
  EventOrder last_near_{EventOrder::greatest()};
  LaterEvents<Event> later_;
  std::uint64_t sequence_{0};
  Instant latest_{Instant::min()};
};

}  // namespace dbsim
