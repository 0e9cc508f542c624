#include "sim/engine/work.hpp"

#include <vector>

#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using namespace std::chrono_literals;

TEST_CASE("work at full rate ends after its amount", "[work]") {
  const Work work{Instant{3s}, Seconds{0.25}, 1.0};
  CHECK(work.end() == Instant{3250ms});
}

TEST_CASE("half rate doubles what is left and nothing that is done", "[work]") {
  Work work{Instant{0s}, Seconds{1.0}, 1.0};
  work.set_rate(Instant{400ms}, 0.5);
  CHECK(work.end() == Instant{1600ms});
  work.set_rate(Instant{1000ms}, 1.0);
  CHECK(work.end() == Instant{1300ms});
}

TEST_CASE("work across many rate changes ends where the integral of the rate reaches its amount",
          "[work]") {
  RandomStream random = RandomStreams{11}.stream("work");
  for (int round = 0; round < 200; ++round) {
    const double amount = 5.0 + 5.0 * random.uniform();
    double rate = 0.1 + random.uniform();
    Work work{Instant{}, Seconds{amount}, rate};
    long double done = 0.0L;
    Instant now{};
    for (int change = 0; change < 40; ++change) {
      const Span pause{random.whole(1, 50'000'000)};
      done += static_cast<long double>(pause.count()) * 1e-9L * static_cast<long double>(rate);
      now += pause;
      rate = 0.1 + random.uniform();
      work.set_rate(now, rate);
    }
    const long double left = static_cast<long double>(amount) - done;
    const auto expected =
        now + Span{static_cast<std::int64_t>(left / static_cast<long double>(rate) * 1e9L)};
    CHECK(std::abs((work.end() - expected).count()) <= 2);
  }
}
