#pragma once
// The part of the event queue that is not next: a radix trie whose leaves are split late.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/engine/event_order.hpp"

namespace dbsim {

template <class Event>
struct PendingEvent {
  std::uint64_t instant{};   // an EventOrder, field by field: g++ copies a member of that type by
  std::uint64_t sequence{};  // way of memory and waits for it
  Event event{};
  [[nodiscard]] EventOrder order() const { return {instant, sequence}; }
  void assign(EventOrder order, Event new_event) {
    instant = order.instant;
    sequence = order.sequence;
    event = new_event;
  }
};

/// The events that are not among the next few: a trie of nodes with 64 slots, one per digit. A slot
/// is empty, a leaf (a list of chunks, unordered) or a child node. `path_` caches the nodes that
/// lead to `base_`, a lower bound of all events, so that nearly every event finds its leaf at once.
template <class Event>
class LaterEvents {
 public:
  using Entry = PendingEvent<Event>;
  static constexpr std::size_t take_most = 31;

  /// What take_first() wrote, and the last order that it has emptied the trie of.
  struct Taken {
    std::size_t count{};
    EventOrder last;
  };

  void insert(std::uint64_t instant, std::uint64_t sequence, Event event) {
    const EventOrder order{instant, sequence};
    if (nodes_.empty()) start();
    std::size_t level = order_digits::differing_level(order, base_);
    if (order < base_) deepest_ = std::max(deepest_, level);
    level = std::max(level, deepest_);
    Index node = path_[level];
    unsigned digit = order_digits::digit(order, level);
    while (level > 0 && nodes_[node].has_child(digit)) {
      node = nodes_[node].slots[digit].first;
      digit = order_digits::digit(order, --level);
    }
    add(nodes_[node], digit, order, event);
    ++size_;
  }

  bool erase(EventOrder order) {
    if (size_ == 0) return false;
    const std::size_t level = std::max(order_digits::differing_level(order, base_), deepest_);
    const bool found = erase_below(path_[level], level, order);
    if (found) --size_;
    return found;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  /// Moves the first events, sorted, to `room`, which has space for take_most.
  Taken take_first(std::span<Entry> room) {
    if (!seek()) return {0, EventOrder::greatest()};
    Node& node = nodes_[path_[deepest_]];
    std::size_t count = 0;
    unsigned digit = 0;
    do {
      digit = node.first_used();
      count += take_leaf(node.slots[digit], room.subspan(count));
      node.used &= node.used - 1;
    } while (count <= take_most - chunk_most && node.used != 0 && takeable(node));
    base_ = order_digits::with_digit(base_, deepest_, digit);
    size_ -= count;
    return {count, order_digits::last_with_digits(base_, deepest_)};
  }

 private:
  using Index = std::uint32_t;
  static constexpr Index none = std::numeric_limits<Index>::max();
  static constexpr std::size_t chunk_most = 16;   // larger leaves are split when their turn comes
  static constexpr std::size_t search_most = 64;  // larger leaves are split to find one event

  struct Chunk {
    std::array<Entry, chunk_most> entries{};
    Index next{};
  };
  struct Slot {
    Index first;  // child node, or the first chunk of a leaf: the only one that may not be full
    Index size;   // events in the leaf
    [[nodiscard]] std::size_t in_first_chunk() const { return (size - 1) % chunk_most + 1; }
  };
  struct Node {
    std::uint64_t used;      // by digit: slots that are not empty
    std::uint64_t children;  // by digit: slots that are nodes
    std::array<Slot, 64> slots;
    [[nodiscard]] bool has(unsigned digit) const { return (used >> digit & 1U) != 0; }
    [[nodiscard]] bool has_child(unsigned digit) const { return (children >> digit & 1U) != 0; }
    [[nodiscard]] unsigned first_used() const {
      return static_cast<unsigned>(std::countr_zero(used));
    }
    void clear(unsigned digit) {
      used &= ~(std::uint64_t{1} << digit);
      children &= ~(std::uint64_t{1} << digit);
    }
    void set_child(unsigned digit, Index child) {
      used |= std::uint64_t{1} << digit;
      children |= std::uint64_t{1} << digit;
      slots[digit].first = child;
    }
  };

  // One path of nodes, and chunks for some hundreds of events: a young queue does not grow step by
  // step.
  void start() {
    nodes_.reserve(order_digits::top + 1);
    chunks_.reserve(128);
    path_[order_digits::top] = take_node();
  }

  static bool takeable(const Node& node) {
    const unsigned digit = node.first_used();
    return !node.has_child(digit) && node.slots[digit].size <= chunk_most;
  }

  Index take_node() {
    Index node = free_node_;
    if (node != none) {
      free_node_ = nodes_[node].slots[0].first;
    } else {
      node = static_cast<Index>(nodes_.size());
      nodes_.emplace_back();
    }
    nodes_[node].used = nodes_[node].children = 0;
    return node;
  }
  void free_node(Index node) {
    nodes_[node].slots[0].first = free_node_;
    free_node_ = node;
  }
  Index take_chunk() {
    const Index chunk = free_chunk_;
    if (chunk != none) {
      free_chunk_ = chunks_[chunk].next;
      return chunk;
    }
    chunks_.emplace_back();
    return static_cast<Index>(chunks_.size() - 1);
  }
  // Returns the chunk that followed in the list.
  Index free_chunk(Index chunk) {
    const Index next = chunks_[chunk].next;
    chunks_[chunk].next = free_chunk_;
    free_chunk_ = chunk;
    return next;
  }

  void add(Node& node, unsigned digit, EventOrder order, Event event) {
    Slot& leaf = node.slots[digit];
    if (!node.has(digit)) {
      node.used |= std::uint64_t{1} << digit;
      leaf.size = 0;
    }
    const std::size_t place = leaf.size++ % chunk_most;
    if (place == 0) {
      const Index chunk = take_chunk();
      chunks_[chunk].next = leaf.first;
      leaf.first = chunk;
    }
    chunks_[leaf.first].entries[place].assign(order, event);
  }

  // Leads the path to the first event and splits there until the leaf can be taken.
  bool seek() {
    if (nodes_.empty()) return false;
    for (;;) {
      const Node& node = nodes_[path_[deepest_]];
      if (node.used == 0) {
        if (deepest_ == order_digits::top) return false;
        free_node(path_[deepest_]);
        ++deepest_;
        nodes_[path_[deepest_]].clear(order_digits::digit(base_, deepest_));
        continue;
      }
      const unsigned digit = node.first_used();
      base_ = order_digits::with_digit(base_, deepest_, digit);
      if (takeable(node)) return true;
      if (!node.has_child(digit)) split(path_[deepest_], digit, deepest_);
      path_[deepest_ - 1] = nodes_[path_[deepest_]].slots[digit].first;
      --deepest_;
    }
  }

  // Spreads a leaf by the first digit in which its events differ.
  void split(Index node, unsigned digit, std::size_t level) {
    Slot leaf = nodes_[node].slots[digit];
    const EventOrder sample = chunks_[leaf.first].entries[0].order();
    const std::size_t target = splitting_level(leaf, level - 1);
    for (; level > target; --level) {
      const Index child = take_node();
      nodes_[node].set_child(order_digits::digit(sample, level), child);
      node = child;
    }
    while (leaf.size > 0) {
      const std::size_t count = leaf.in_first_chunk();
      for (std::size_t i = 0; i < count; ++i) {
        const Entry entry = chunks_[leaf.first].entries[i];  // add() may move the chunks
        add(nodes_[node], order_digits::digit(entry.order(), target), entry.order(), entry.event);
      }
      leaf.size -= static_cast<Index>(count);
      leaf.first = free_chunk(leaf.first);
    }
  }

  // Stops as soon as two events differ in the highest digit that they can differ in.
  [[nodiscard]] std::size_t splitting_level(Slot leaf, std::size_t highest) const {
    const EventOrder sample = chunks_[leaf.first].entries[0].order();
    std::size_t level = 0;
    while (leaf.size > 0 && level < highest) {
      const Chunk& chunk = chunks_[leaf.first];
      const std::size_t count = leaf.in_first_chunk();
      for (std::size_t i = 0; i < count; ++i) {
        level = std::max(level, order_digits::differing_level(chunk.entries[i].order(), sample));
      }
      leaf.size -= static_cast<Index>(count);
      leaf.first = chunk.next;
    }
    return level;
  }

  // An insertion sort, for which rising instants are the least work.
  std::size_t take_leaf(Slot leaf, std::span<Entry> room) {
    const Chunk& chunk = chunks_[leaf.first];
    for (std::size_t i = 0; i < leaf.size; ++i) {
      const EventOrder order = chunk.entries[i].order();
      std::size_t hole = i;
      for (; hole > 0 && order < room[hole - 1].order(); --hole) room[hole] = room[hole - 1];
      room[hole].assign(order, chunk.entries[i].event);
    }
    free_chunk(leaf.first);
    return leaf.size;
  }

  bool erase_below(Index node, std::size_t level, EventOrder order) {
    const unsigned digit = order_digits::digit(order, level);
    if (!nodes_[node].has(digit)) return false;
    if (!nodes_[node].has_child(digit)) {
      if (nodes_[node].slots[digit].size <= search_most)
        return erase_in_leaf(nodes_[node], digit, order);
      split(node, digit, level);
    }
    const Index child = nodes_[node].slots[digit].first;
    if (!erase_below(child, level - 1, order)) return false;
    if (nodes_[child].used == 0) {  // not on the path: that would have led past this node
      nodes_[node].clear(digit);
      free_node(child);
    }
    return true;
  }

  // The last event of the first chunk takes the place.
  bool erase_in_leaf(Node& node, unsigned digit, EventOrder order) {
    Slot& leaf = node.slots[digit];
    const std::size_t last = leaf.in_first_chunk() - 1;
    std::size_t count = last + 1;
    Index chunk = leaf.first;
    for (std::size_t left = leaf.size; left > 0;
         left -= count, count = chunk_most, chunk = chunks_[chunk].next) {
      const auto entries = std::span{chunks_[chunk].entries}.first(count);
      const auto found = std::ranges::find(entries, order, &Entry::order);
      if (found == entries.end()) continue;
      *found = chunks_[leaf.first].entries[last];
      --leaf.size;
      if (last == 0) leaf.first = free_chunk(leaf.first);
      if (leaf.size == 0) node.clear(digit);
      return true;
    }
    return false;
  }

  std::vector<Node> nodes_;
  std::vector<Chunk> chunks_;
  std::size_t size_{0};
  Index free_node_{none};  // lists, linked through slots[0].first and next
  Index free_chunk_{none};
  EventOrder base_;
  std::size_t deepest_{order_digits::top};           // the path is valid down to this level
  std::array<Index, order_digits::top + 1> path_{};  // by level
};

}  // namespace dbsim
