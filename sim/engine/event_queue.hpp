#pragma once
// The pending events of one run, handed out in a total order: by instant, then first scheduled
// first.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/base/instant.hpp"

namespace dbsim {

/// Names one scheduled event for as long as it is pending. A copy of the queue accepts the same
/// handles. A default handle names no event.
class EventHandle {
 public:
  EventHandle() = default;
  friend bool operator==(const EventHandle&, const EventHandle&) = default;

 private:
  template <class Event>
  friend class EventQueue;
  EventHandle(std::uint32_t slot, std::uint64_t sequence) : sequence_{sequence}, slot_{slot} {}
  std::uint64_t sequence_{};  // counted from 1, so that zero is nobody's
  std::uint32_t slot_{};
};

/// A plain value: a copy replays the same future.
template <class Event>
class EventQueue {
  static_assert(std::is_trivially_copyable_v<Event>, "events are moved as plain memory");

 public:
  struct Scheduled {
    Instant at;
    Event event;
  };

  /// Not before the latest popped instant.
  EventHandle schedule(Instant at, Event event) {
    check(at >= latest_, "events are never scheduled in the past");
    const std::uint32_t slot = take_slot(++sequence_);
    heap_.push_back({at, sequence_, slot, event});
    rise(heap_.size() - 1);
    ++live_;
    return {slot, sequence_};
  }

  /// False if the event was popped or cancelled before.
  bool cancel(EventHandle handle) {
    if (handle.slot_ >= holders_.size() || handle.sequence_ == 0) return false;
    if (holders_[handle.slot_] != handle.sequence_) return false;
    holders_[handle.slot_] = 0;
    --live_;
    drop_cancelled_heads();
    if (heap_.size() > 2 * live_ + 64) sweep();
    return true;
  }

  /// The first event in order; there must be one.
  Scheduled pop() {
    check(live_ > 0, "only a queue with events is popped");
    const Entry first = heap_.front();
    remove_head();
    --live_;
    drop_cancelled_heads();
    latest_ = first.at;
    return {first.at, first.event};
  }

  /// The instant of the event that pop() would return.
  [[nodiscard]] std::optional<Instant> next() const {
    if (live_ == 0) return std::nullopt;
    return heap_.front().at;
  }
  [[nodiscard]] std::size_t size() const { return live_; }
  [[nodiscard]] bool empty() const { return live_ == 0; }

 private:
  struct Entry {
    Instant at;
    std::uint64_t sequence;
    std::uint32_t slot;
    Event event;
  };
  static bool before(const Entry& a, const Entry& b) {
    return a.at != b.at ? a.at < b.at : a.sequence < b.sequence;
  }

  std::uint32_t take_slot(std::uint64_t sequence) {
    if (free_slots_.empty()) {
      holders_.push_back(sequence);
      return static_cast<std::uint32_t>(holders_.size() - 1);
    }
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    holders_[slot] = sequence;
    return slot;
  }

  [[nodiscard]] bool cancelled(const Entry& entry) const {
    return holders_[entry.slot] != entry.sequence;
  }

  void free_slot(const Entry& entry) {
    holders_[entry.slot] = 0;
    free_slots_.push_back(entry.slot);
  }

  void remove_head() {
    free_slot(heap_.front());
    heap_.front() = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(0);
  }

  void drop_cancelled_heads() {
    while (!heap_.empty() && cancelled(heap_.front())) remove_head();
  }

  // Cancelled entries stay until they surface or outnumber the others.
  void sweep() {
    std::size_t kept = 0;
    for (const Entry& entry : heap_) {
      if (cancelled(entry)) {
        free_slot(entry);
      } else {
        heap_[kept++] = entry;
      }
    }
    heap_.resize(kept);
    for (std::size_t i = kept / 4 + 1; i-- > 0;) {
      if (i < kept) sink(i);
    }
  }

  void rise(std::size_t hole) {
    const Entry entry = heap_[hole];
    while (hole > 0 && before(entry, heap_[(hole - 1) / 4])) {
      heap_[hole] = heap_[(hole - 1) / 4];
      hole = (hole - 1) / 4;
    }
    heap_[hole] = entry;
  }

  void sink(std::size_t hole) {
    const Entry entry = heap_[hole];
    for (;;) {
      const std::size_t first = 4 * hole + 1;
      if (first >= heap_.size()) break;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < std::min(first + 4, heap_.size()); ++child) {
        if (before(heap_[child], heap_[least])) least = child;
      }
      if (!before(heap_[least], entry)) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = entry;
  }

  std::vector<Entry> heap_;                // 4-ary
  std::vector<std::uint64_t> holders_;     // by slot: the sequence of the live event in it, or 0
  std::vector<std::uint32_t> free_slots_;  // last freed first
  std::size_t live_{0};
  std::uint64_t sequence_{0};
  Instant latest_{Instant::min()};
};

}  // namespace dbsim
