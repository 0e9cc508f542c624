#include "sim/engine/event_queue.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/catch.hpp"

namespace dbsim {

namespace {

struct Numbered {
  std::uint32_t number{};
};
using Queue = EventQueue<Numbered>;
using Numbers = std::vector<std::uint32_t>;

Instant at(std::int64_t nanoseconds) { return Instant{Span{nanoseconds}}; }

Numbers drain(Queue queue) {
  Numbers numbers;
  while (!queue.empty()) numbers.push_back(queue.pop().event.number);
  return numbers;
}

enum class Shape { one_instant, ties, exponential, bimodal, heavy_tail, rising, outliers };
constexpr std::array all_shapes{Shape::one_instant, Shape::ties,       Shape::exponential,
                                Shape::bimodal,     Shape::heavy_tail, Shape::rising,
                                Shape::outliers};

std::string name(Shape shape) { return std::to_string(static_cast<int>(shape)); }

// From the latest popped instant to a new event.
Span increment(Shape shape, RandomStream& random, std::uint32_t number) {
  switch (shape) {
    case Shape::one_instant:
      return Span{0};
    case Shape::ties:
      return Span{random.whole(0, 3)};
    case Shape::exponential:
      return to_span(Seconds{random.exponential(0.1)});
    case Shape::bimodal:
      return to_span(Seconds{random.exponential(random.uniform() < 0.9 ? 1e-6 : 1.0)});
    case Shape::heavy_tail:
      return to_span(Seconds{1e-3 * random.lognormal(3.0)});
    case Shape::rising:
      return Span{number};
    case Shape::outliers:
      return random.uniform() < 0.02 ? Span{random.whole(0, INT64_MAX / 1024)}
                                     : Span{random.whole(0, 100'000)};
  }
  return {};
}

// The queue beside a sorted set, which is right without thinking. Every step compares the two; the
// latest difference is kept as words.
class Twins {
 public:
  Twins(Shape shape, RandomStream random) : shape_{shape}, random_{random} {}

  void schedule() {
    const auto number = static_cast<std::uint32_t>(handles_.size());
    const Instant instant = now_ + increment(shape_, random_, number);
    handles_.push_back(queue_.schedule(instant, {number}));
    instants_.push_back(instant);
    model_.emplace(instant, number);
    compare();
  }

  void pop() {
    if (model_.empty()) return;
    const auto [instant, number] = *model_.begin();
    model_.erase(model_.begin());
    const Queue::Scheduled popped = queue_.pop();
    if (popped.at != instant || popped.event.number != number) difference_ = "event";
    now_ = instant;
    compare();
  }

  // One of the latest 300: it may be pending, popped or cancelled.
  void cancel() {
    if (handles_.empty()) return;
    const auto last = static_cast<std::int64_t>(handles_.size()) - 1;
    const auto chosen = random_.whole(std::max(std::int64_t{0}, last - 299), last);
    const auto number = static_cast<std::uint32_t>(chosen);
    const bool pending = model_.erase({instants_[number], number}) > 0;
    if (queue_.cancel(handles_[number]) != pending) difference_ = "answer of cancel()";
    compare();
  }

  // Growth is the share of schedule(); one step in ten cancels.
  void step(double growth) {
    const double draw = random_.uniform();
    if (draw < growth) {
      schedule();
    } else if (draw < 0.9) {
      pop();
    } else {
      cancel();
    }
  }

  void compare_futures() {
    Numbers expected;
    for (const auto& [instant, number] : model_) expected.push_back(number);
    if (drain(queue_) != expected) difference_ = "future";
  }

  [[nodiscard]] const std::string& difference() const { return difference_; }

 private:
  void compare() {
    if (queue_.size() != model_.size()) difference_ = "size()";
    if (queue_.empty() != model_.empty()) difference_ = "empty()";
    const auto next = queue_.next();
    if (next.has_value() == model_.empty()) difference_ = "presence of next()";
    if (next && !model_.empty() && *next != model_.begin()->first) difference_ = "next()";
  }

  Shape shape_;
  RandomStream random_;
  Queue queue_;
  std::set<std::pair<Instant, std::uint32_t>> model_;
  std::vector<EventHandle> handles_;
  std::vector<Instant> instants_;
  Instant now_;
  std::string difference_;
};

}  // namespace

TEST_CASE("events come out by instant, those of one instant as they were scheduled", "[engine]") {
  Queue queue;
  queue.schedule(at(20), {0});
  queue.schedule(at(10), {1});
  queue.schedule(at(20), {2});
  queue.schedule(at(10), {3});
  CHECK(queue.size() == 4);
  CHECK(queue.next() == at(10));
  CHECK(drain(queue) == Numbers{1, 3, 0, 2});
}

TEST_CASE("what is scheduled for the instant under way comes after its other events", "[engine]") {
  Queue queue;
  for (std::uint32_t i = 0; i < 200; ++i) queue.schedule(at(5), {i});
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const Queue::Scheduled popped = queue.pop();
    REQUIRE(popped.at == at(5));
    REQUIRE(popped.event.number == i);
    queue.schedule(at(5), {200 + i});
  }
}

TEST_CASE("an empty queue has no next instant and cannot be popped", "[engine]") {
  Queue queue;
  CHECK(queue.empty());
  CHECK_FALSE(queue.next());
  CHECK_THROWS_AS(queue.pop(), BrokenAssumption);
  queue.schedule(at(1), {});
  queue.pop();
  CHECK_FALSE(queue.next());
  CHECK_THROWS_AS(queue.pop(), BrokenAssumption);
}

TEST_CASE("an event before the latest popped instant is refused, one at it is not", "[engine]") {
  Queue queue;
  queue.schedule(at(-7), {});
  queue.schedule(at(-9), {});  // nothing has been popped yet
  queue.pop();
  queue.schedule(at(-8), {});
  queue.pop();
  CHECK_THROWS_AS(queue.schedule(at(-9), {}), BrokenAssumption);
  CHECK(queue.size() == 1);
  CHECK_NOTHROW(queue.schedule(at(-8), {}));
}

TEST_CASE("a cancelled event never fires and cannot be cancelled twice", "[engine]") {
  Queue queue;
  std::vector<EventHandle> handles;
  for (std::uint32_t i = 0; i < 300; ++i) handles.push_back(queue.schedule(at(i % 7), {i}));
  for (std::uint32_t i = 1; i < 300; i += 2) {
    REQUIRE(queue.cancel(handles[i]));
    REQUIRE_FALSE(queue.cancel(handles[i]));
  }
  CHECK(queue.size() == 150);
  const Numbers rest = drain(queue);
  CHECK(rest.size() == 150);
  CHECK(std::ranges::all_of(rest, [](std::uint32_t number) { return number % 2 == 0; }));
}

TEST_CASE("neither a popped event nor a default handle can be cancelled", "[engine]") {
  Queue queue;
  CHECK_FALSE(queue.cancel(EventHandle{}));
  const EventHandle first = queue.schedule(at(1), {});
  queue.schedule(at(1), {});
  queue.pop();
  CHECK_FALSE(queue.cancel(first));
  CHECK_FALSE(queue.cancel(EventHandle{}));
  CHECK(queue.size() == 1);
}

TEST_CASE("a queue does what a sorted set does, whatever the instants look like", "[engine]") {
  for (const Shape shape : all_shapes) {
    for (std::uint64_t repeat = 0; repeat < 400; ++repeat) {
      RandomStream random = RandomStreams{1}.repeat(repeat).stream("queue", name(shape));
      const double growth = 0.4 + 0.2 * random.uniform();
      Twins twins{shape, random};
      for (int i = 0; i < 300; ++i) twins.step(growth);
      twins.compare_futures();
      INFO("shape " << name(shape) << ", repeat " << repeat);
      REQUIRE(twins.difference().empty());
    }
  }
}

TEST_CASE("a queue does what a sorted set does as it swells and shrinks", "[engine]") {
  for (const Shape shape : all_shapes) {
    Twins twins{shape, RandomStreams{2}.stream("queue", name(shape))};
    for (int wave = 0; wave < 4; ++wave) {
      for (int i = 0; i < 6000; ++i) twins.step(0.8);
      for (int i = 0; i < 8000; ++i) twins.step(0.45);
      for (int i = 0; i < 6000; ++i) twins.step(0.1);
    }
    twins.compare_futures();
    INFO("shape " << name(shape));
    REQUIRE(twins.difference().empty());
  }
}

TEST_CASE("bursts ahead of a far cluster come first", "[engine]") {
  Queue queue;
  for (std::uint32_t i = 0; i < 1000; ++i) queue.schedule(at(1'000'000'000 + i), {i});
  queue.schedule(at(0), {1000});
  std::int64_t now = 0;
  for (std::uint32_t burst = 0; burst < 20; ++burst) {
    REQUIRE(queue.pop().at == at(now));  // the next event is far away now
    for (std::int64_t i = 200; i > 0; --i) queue.schedule(at(now + i), {2000});
    for (std::int64_t i = 1; i < 200; ++i) REQUIRE(queue.pop().at == at(now + i));
    now += 200;
  }
  queue.pop();
  Numbers cluster(1000);
  for (std::uint32_t i = 0; i < 1000; ++i) cluster[i] = i;
  CHECK(drain(queue) == cluster);
}

TEST_CASE("every small size fills and drains in order", "[engine]") {
  RandomStream random = RandomStreams{3}.stream("queue");
  for (std::uint32_t size = 0; size <= 300; ++size) {
    Queue queue;
    std::vector<std::pair<std::int64_t, std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::int64_t instant = random.whole(0, 1) * random.whole(0, 1'000'000'000);
      queue.schedule(at(instant), {i});
      expected.emplace_back(instant, i);
    }
    std::ranges::sort(expected);
    Numbers numbers;
    for (const auto& [instant, number] : expected) numbers.push_back(number);
    REQUIRE(drain(queue) == numbers);
  }
}

TEST_CASE("a queue grows from one event to 100,000 and back, twice", "[engine]") {
  RandomStream random = RandomStreams{4}.stream("queue");
  Queue queue;
  Instant now;
  queue.schedule(now, {});
  for (int time = 0; time < 2; ++time) {
    while (queue.size() < 100'000) {
      now = queue.pop().at;
      queue.schedule(now + to_span(Seconds{random.exponential(1.0)}), {});
      queue.schedule(now + to_span(Seconds{random.exponential(1.0)}), {});
    }
    while (queue.size() > 1) {
      const Instant popped = queue.pop().at;
      REQUIRE(popped >= now);
      now = popped;
    }
  }
}

TEST_CASE("a copy replays the same future, takes the same handles and goes its own way",
          "[engine]") {
  for (const std::uint32_t size : {3U, 30U, 300U, 30'000U}) {
    RandomStream random = RandomStreams{5}.stream("queue");
    Queue queue;
    std::vector<EventHandle> handles;
    for (std::uint32_t i = 0; i < size; ++i) {
      handles.push_back(queue.schedule(at(random.whole(0, 1'000'000)), {i}));
    }
    queue.pop();
    const Queue copy = queue;
    const Numbers future = drain(queue);
    CHECK(drain(copy) == future);

    Queue branch = copy;
    const EventHandle victim = handles[future[size / 2]];
    CHECK(branch.cancel(victim));
    branch.schedule(at(1'000'001), {size});
    Numbers other = future;
    other.erase(other.begin() + size / 2);
    other.push_back(size);
    CHECK(drain(branch) == other);
    CHECK(drain(copy) == future);
    CHECK(queue.cancel(victim));
  }
}

TEST_CASE("the ends of time are instants like any other", "[engine]") {
  for (const std::uint32_t ties : {1U, 100U}) {
    Queue queue;
    for (const Instant instant : {Instant::max(), Instant::min(), at(0), at(-1)}) {
      for (std::uint32_t i = 0; i < ties; ++i) queue.schedule(instant, {});
    }
    for (const Instant instant : {Instant::min(), at(-1), at(0), Instant::max()}) {
      for (std::uint32_t i = 0; i < ties; ++i) {
        REQUIRE(queue.next() == instant);
        queue.pop();
      }
    }
    queue.schedule(Instant::max(), {7});
    CHECK(queue.pop().event.number == 7);
  }
}

TEST_CASE("time-outs that are nearly always cancelled leave the order intact", "[engine]") {
  Queue queue;
  std::vector<EventHandle> timeouts(1000);
  Instant now;
  queue.schedule(now, {1});
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    const Queue::Scheduled popped = queue.pop();
    REQUIRE(popped.event.number == 1);
    now = popped.at;
    EventHandle& timeout = timeouts[i % timeouts.size()];
    REQUIRE(queue.cancel(timeout) == (i >= timeouts.size()));
    timeout = queue.schedule(now + Span{60'000'000'000}, {2});
    queue.schedule(now + Span{1000}, {1});
  }
  CHECK(queue.size() == timeouts.size() + 1);
}

}  // namespace dbsim
