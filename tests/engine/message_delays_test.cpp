// Random delays of messages: their distributions, and who draws what.
#include "sim/engine/message_delays.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/catch.hpp"

using namespace dbsim;

namespace {

const std::vector<std::string> tenants{"a", "b", "c"};

std::vector<double> draws(const MessageSpec& spec, std::size_t count) {
  MessageDelays delays{spec, tenants, RandomStreams{5}};
  std::vector<double> seconds;
  for (std::size_t i = 0; i < count; ++i) seconds.push_back(delays.draw(0, 1, 1).count());
  return seconds;
}

double quantile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size()))];
}

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("log-normal delays have their median, their quantiles and their mean",
          "[message_delays]") {
  const MessageSpec spec{.jitter = LognormalDelay{Seconds{20e-6}, 0.8}};
  const std::vector<double> seconds = draws(spec, 100'000);
  CHECK(quantile(seconds, 0.5) == Approx(20e-6).epsilon(0.02));
  CHECK(quantile(seconds, 0.841345) == Approx(20e-6 * std::exp(0.8)).epsilon(0.02));
  CHECK(quantile(seconds, 0.022750) == Approx(20e-6 * std::exp(-1.6)).epsilon(0.03));
  CHECK(mean(seconds) == Approx(20e-6 * std::exp(0.32)).epsilon(0.02));
}

TEST_CASE("exponential delays have their mean, which e-fold less exceed", "[message_delays]") {
  const MessageSpec spec{.jitter = ExponentialDelay{Seconds{20e-6}}};
  const std::vector<double> seconds = draws(spec, 100'000);
  CHECK(mean(seconds) == Approx(20e-6).epsilon(0.02));
  CHECK(quantile(seconds, 1.0 - std::exp(-1.0)) == Approx(20e-6).epsilon(0.02));
  CHECK(quantile(seconds, 1.0 - std::exp(-3.0)) == Approx(60e-6).epsilon(0.03));
}

TEST_CASE("measured delays come back, each as often as the others", "[message_delays]") {
  const MessageSpec spec{
      .jitter = MeasuredDelay{{Seconds{1e-6}, Seconds{2e-6}, Seconds{2e-6}, Seconds{9e-6}}}};
  const std::vector<double> seconds = draws(spec, 100'000);
  for (const auto& [delay, part] : {std::pair{1e-6, 0.25}, {2e-6, 0.5}, {9e-6, 0.25}}) {
    const auto count = static_cast<double>(std::ranges::count(seconds, delay));
    CHECK(count / 100'000.0 == Approx(part).epsilon(0.02));
  }
}

TEST_CASE("spikes meet their part of the messages, on top of the jitter", "[message_delays]") {
  const MessageSpec spec{.jitter = MeasuredDelay{{Seconds{1e-6}}},
                         .spike = SpikeSpec{.chance = 0.01, .length = Seconds{5e-3}}};
  const std::vector<double> seconds = draws(spec, 100'000);
  const auto spikes = static_cast<double>(
      std::ranges::count_if(seconds, [](double delay) { return delay > 5e-3; }));
  CHECK(spikes == Approx(1000.0).epsilon(0.1));
  CHECK(std::ranges::count(seconds, 1e-6) + static_cast<std::int64_t>(spikes) == 100'000);
}

TEST_CASE("several messages in a row have the sum of their delays", "[message_delays]") {
  const MessageSpec spec{.jitter = LognormalDelay{Seconds{20e-6}, 0.8}};
  MessageDelays one_by_one{spec, tenants, RandomStreams{5}};
  MessageDelays together = one_by_one;
  Seconds sum{};
  for (int i = 0; i < 10; ++i) sum += one_by_one.draw(0, 1, 1);
  CHECK(together.draw(0, 1, 10).count() == Approx(sum.count()));
}

TEST_CASE("what two hosts draw depends on their names and the seed alone", "[message_delays]") {
  const MessageSpec spec{.jitter = LognormalDelay{Seconds{20e-6}, 0.8}};
  MessageDelays delays{spec, tenants, RandomStreams{5}};
  const Seconds expected = delays.draw(1, 2, 1);
  const std::vector<std::string> one_more{"a", "new", "b", "c"};
  MessageDelays others{spec, one_more, RandomStreams{5}};
  (void)others.draw(0, 1, 3);
  CHECK(others.draw(2, 3, 1) == expected);
  CHECK(others.draw(3, 2, 1) != expected);
  MessageDelays another_seed{spec, tenants, RandomStreams{6}};
  CHECK(another_seed.draw(1, 2, 1) != expected);
  MessageDelays copy = delays;
  CHECK(copy.draw(1, 2, 1) == delays.draw(1, 2, 1));
}
