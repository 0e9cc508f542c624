// The hold model (pop one event, schedule one a random increment later) on the event queue and on
// std::priority_queue in turns: a row has both times per hold, and how many times faster ours is.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <queue>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/event_queue.hpp"

namespace dbsim {

namespace {

struct Payload {
  std::uint32_t kind{};
  std::uint32_t worker{};
};

// What one writes without an event queue at hand. Cancelled events are skipped when they surface.
// g++ compiles this comparison without jumps, which is the faster way up to 100,000 events.
class PriorityQueue {
 public:
  struct Entry {
    Instant at;
    std::uint64_t sequence{};
    Payload event;
    friend bool operator<(const Entry& a, const Entry& b) {  // the greatest comes out first
      return a.at != b.at ? a.at > b.at : a.sequence > b.sequence;
    }
  };
  static_assert(sizeof(Entry) == 24);

  std::uint64_t schedule(Instant at, Payload event) {
    entries_.push({at, ++sequence_, event});
    return sequence_;
  }
  void cancel(std::uint64_t sequence) { cancelled_.insert(sequence); }
  Entry pop() {
    while (!cancelled_.empty() && cancelled_.erase(entries_.top().sequence) > 0) entries_.pop();
    const Entry first = entries_.top();
    entries_.pop();
    return first;
  }

 private:
  std::priority_queue<Entry> entries_;
  std::unordered_set<std::uint64_t> cancelled_;
  std::uint64_t sequence_{0};
};

enum class Shape { exponential, constant, bimodal, log_normal, ties, zero, outliers };

Seconds draw(Shape shape, RandomStream& random) {
  constexpr double mean = 0.1;
  switch (shape) {
    case Shape::exponential:
      return Seconds{random.exponential(mean)};
    case Shape::constant:
      return Seconds{mean};
    case Shape::bimodal:
      return Seconds{random.exponential(random.uniform() < 0.9 ? 0.1 * mean : 9.1 * mean)};
    case Shape::log_normal:  // of the same mean; half of the increments are below a hundredth of it
      return Seconds{mean * std::exp(-4.5) * random.lognormal(3.0)};
    case Shape::ties:  // about ten instants per mean
      return Seconds{0.1 * mean * std::floor(random.exponential(10.0))};
    case Shape::zero:
      return Seconds{0.0};
    case Shape::outliers:
      return Seconds{random.uniform() < 0.001 ? 1e6 * mean : random.exponential(mean)};
  }
  return {};
}

constexpr std::size_t some = 4000;  // events, in a time that is rarely interrupted

// Neighbours on the machine take less of it than of the time on the wall.
Seconds processor_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

// Drawn beforehand, so that the rows measure queues and not logarithms.
class Increments {
 public:
  explicit Increments(Shape shape) {
    RandomStream random = RandomStreams{1}.stream("bench", "increments");
    for (std::size_t i = 0; i < count; ++i) drawn_.push_back(to_span(draw(shape, random)));
  }
  Span next() { return drawn_[used_++ % count]; }

 private:
  static constexpr std::size_t count = 65'536;
  std::vector<Span> drawn_;
  std::size_t used_{0};
};

template <class Queue>
class Hold {
 public:
  // Staggered, as if the workers had begun one after the other.
  Hold(Shape shape, std::size_t pending) : increments_{shape} {
    for (std::uint32_t i = 0; i < pending; ++i) {
      const double part = static_cast<double>(i + 1) / static_cast<double>(pending);
      queue_.schedule(Instant{to_span(to_seconds(increments_.next()) * part)}, {0, i});
    }
    (void)run(3 * pending);
  }

  Seconds run(std::size_t holds) {
    const Seconds begin = processor_time();
    for (std::size_t i = 0; i < holds; ++i) {
      const auto first = queue_.pop();
      checksum_ = checksum_ * 31 + first.event.worker;
      queue_.schedule(first.at + increments_.next(), first.event);
    }
    return processor_time() - begin;
  }
  [[nodiscard]] std::uint64_t checksum() const { return checksum_; }
  static std::size_t slice(std::size_t) { return some; }

 private:
  Queue queue_;
  Increments increments_;
  std::uint64_t checksum_{0};
};

// A queue that is new every time, filled and emptied: what a short simulation pays.
template <class Queue>
class FillAndDrain {
 public:
  FillAndDrain(Shape shape, std::size_t pending) : pending_{pending}, increments_{shape} {}

  Seconds run(std::size_t events) {
    const Seconds begin = processor_time();
    for (std::size_t done = 0; done < events; done += pending_) {
      Queue queue;
      for (std::uint32_t i = 0; i < pending_; ++i) {
        queue.schedule(Instant{increments_.next()}, {0, i});
      }
      for (std::size_t i = 0; i < pending_; ++i) {
        checksum_ = checksum_ * 31 + queue.pop().event.worker;
      }
    }
    return processor_time() - begin;
  }
  [[nodiscard]] std::uint64_t checksum() const { return checksum_; }
  static std::size_t slice(std::size_t pending) { return (some + pending - 1) / pending * pending; }

 private:
  std::size_t pending_;
  Increments increments_;
  std::uint64_t checksum_{0};
};

// Every worker has a time-out, which its next event cancels: one in 400 fires.
template <class Queue>
class HoldWithTimeOuts {
 public:
  HoldWithTimeOuts(Shape shape, std::size_t pending) : increments_{shape} {
    for (std::uint32_t i = 0; i < pending / 2; ++i) {
      queue_.schedule(Instant{increments_.next()}, {work, i});
      time_outs_.push_back(queue_.schedule(Instant{patience}, {time_out, i}));
    }
    (void)run(3 * pending);
  }

  Seconds run(std::size_t holds) {
    const Seconds begin = processor_time();
    for (std::size_t i = 0; i < holds; ++i) {
      const auto first = queue_.pop();
      checksum_ = checksum_ * 31 + first.event.worker;
      Handle& pending = time_outs_[first.event.worker];
      if (first.event.kind == time_out) {
        pending = Handle{};
        continue;
      }
      queue_.cancel(pending);
      pending = queue_.schedule(first.at + patience, {time_out, first.event.worker});
      queue_.schedule(first.at + increments_.next(), first.event);
    }
    return processor_time() - begin;
  }
  [[nodiscard]] std::uint64_t checksum() const { return checksum_; }
  static std::size_t slice(std::size_t) { return some; }

 private:
  static constexpr std::uint32_t work = 0;
  static constexpr std::uint32_t time_out = 1;
  static constexpr Span patience{600'000'000};
  using Handle = decltype(std::declval<Queue&>().schedule(Instant{}, Payload{}));

  Queue queue_;
  std::vector<Handle> time_outs_;
  Increments increments_;
  std::uint64_t checksum_{0};
};

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Slices in turns, and the median over them: what the machine does besides disturbs both alike.
template <template <class> class Model>
void in_turns(benchmark::State& state, Shape shape) {
  const auto pending = static_cast<std::size_t>(state.range(0));
  const std::size_t slice = Model<PriorityQueue>::slice(pending);
  Model<EventQueue<Payload>> ours{shape, pending};
  Model<PriorityQueue> standard{shape, pending};
  std::vector<double> our_times;
  std::vector<double> standard_times;
  for ([[maybe_unused]] auto _ : state) {
    our_times.push_back(ours.run(slice).count() / static_cast<double>(slice));
    standard_times.push_back(standard.run(slice).count() / static_cast<double>(slice));
    if (ours.checksum() != standard.checksum()) state.SkipWithError("the order differs");
  }
  const double our_time = median(our_times);
  const double standard_time = median(standard_times);
  state.counters["ours_ns"] = 1e9 * our_time;
  state.counters["std_ns"] = 1e9 * standard_time;
  state.counters["faster"] = standard_time / our_time;
}

void sizes(benchmark::internal::Benchmark* rows) {
  for (const std::int64_t pending : {16, 64, 1000, 10'000, 1'000'000}) rows->Arg(pending);
}

void event_queue_hold(benchmark::State& state, Shape shape) { in_turns<Hold>(state, shape); }
BENCHMARK_CAPTURE(event_queue_hold, exponential, Shape::exponential)->Apply(sizes);
BENCHMARK_CAPTURE(event_queue_hold, constant, Shape::constant)->Apply(sizes);
BENCHMARK_CAPTURE(event_queue_hold, bimodal, Shape::bimodal)->Apply(sizes);
BENCHMARK_CAPTURE(event_queue_hold, log_normal, Shape::log_normal)->Apply(sizes);
BENCHMARK_CAPTURE(event_queue_hold, ties, Shape::ties)->Apply(sizes);
BENCHMARK_CAPTURE(event_queue_hold, zero, Shape::zero)->Apply(sizes);
BENCHMARK_CAPTURE(event_queue_hold, outliers, Shape::outliers)->Apply(sizes);

void event_queue_time_outs(benchmark::State& state, Shape shape) {
  in_turns<HoldWithTimeOuts>(state, shape);
}
BENCHMARK_CAPTURE(event_queue_time_outs, exponential, Shape::exponential)->Apply(sizes);

void event_queue_fill_and_drain(benchmark::State& state, Shape shape) {
  in_turns<FillAndDrain>(state, shape);
}
BENCHMARK_CAPTURE(event_queue_fill_and_drain, exponential, Shape::exponential)->Apply(sizes);
BENCHMARK_CAPTURE(event_queue_fill_and_drain, zero, Shape::zero)->Apply(sizes);

}  // namespace

}  // namespace dbsim
