// The four cards of Yao, Liu and Gao: the closed form, and what their training records show.
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/support/clusters.hpp"
#include "tests/support/shipped.hpp"

using namespace dbsim;

namespace {

constexpr std::array<double, 4> overhead_ms{8.2, 8.4, 9.5, 34.8};
constexpr std::array<double, 4> per_sample_ms{0.68, 0.68, 0.71, 3.53};

Setup four_cards(double size) {  // `size` times the batch with `size` times the fixed part
  std::vector<test::Card> cards;
  for (std::size_t i = 0; i < 4; ++i) {
    cards.push_back({"card" + std::to_string(i), Seconds{overhead_ms[i] * size * 1e-3},
                     Seconds{per_sample_ms[i] * 1e-3}});
  }
  const auto batch = static_cast<std::int64_t>(512 * size);
  return test::setup_of(cards, {10 * batch, batch, 30}, Seconds{0.095});
}

double slowest_step_ms(const EpochTrace& epoch) {
  double slowest = 0.0;
  for (const WorkerEpoch& worker : epoch.workers) {
    slowest =
        std::max(slowest, 1e3 * to_seconds(worker.own).count() / static_cast<double>(worker.steps));
  }
  return slowest;
}

// Equal finish of affine workers: T = (B + sum a/s) / sum 1/s, b_i = (T - a_i) / s_i.
double equal_finish_ms(double batch) {
  double numerator = batch;
  double denominator = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    numerator += overhead_ms[i] / per_sample_ms[i];
    denominator += 1.0 / per_sample_ms[i];
  }
  return numerator / denominator;
}

}  // namespace

TEST_CASE("DBS settles within one sample of 165/166/157/24 on every card", "[golden]") {
  const RunTrace trace = test::run(four_cards(1.0), "dbs");
  const std::vector<std::int64_t> settled = test::batches_of(trace.epochs.back());
  constexpr std::array<std::int64_t, 4> published{165, 166, 157, 24};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(settled[i] - published[i]) <= 1);
  const double slowest = slowest_step_ms(trace.epochs.back());
  CHECK(equal_finish_ms(512.0) == Approx(120.8).margin(0.01));
  CHECK(slowest >= equal_finish_ms(512.0) * (1.0 - 1e-9));
  CHECK(slowest <= 123.1);
  const RunTrace oracle = test::run(four_cards(1.0), "oracle");
  CHECK(slowest_step_ms(oracle.epochs.back()) <= slowest);
}

TEST_CASE("what DBS is away from equal finish shrinks by a_i/T each epoch", "[golden]") {
  // Near the fixed point d_i' ~ d_i / t_i with t_i = a_i + s_i b_i: a small error e_i of b_i
  // becomes e_i a_i / T, up to a common factor that keeps the sum. 10^5 times the batch makes
  // rounding negligible. The card with the largest a_i/T is the last to settle, so late in the run
  // the ratio of successive errors is its own.
  const double size = 1e5;
  const RunTrace trace = test::run(four_cards(size), "dbs");
  const double finish = equal_finish_ms(512.0);
  const double limit = (finish - overhead_ms[3]) / per_sample_ms[3];
  std::vector<double> errors;
  for (const EpochTrace& epoch : trace.epochs) {
    errors.push_back(static_cast<double>(epoch.workers[3].batch.count()) / size - limit);
  }
  for (std::size_t epoch = 4; epoch < 8; ++epoch) {
    CHECK(errors[epoch + 1] / errors[epoch] == Approx(overhead_ms[3] / finish).epsilon(0.05));
  }
}

TEST_CASE("the shipped four cards, noise included, settle within one sample of 165/166/157/24",
          "[golden]") {
  const Results results = test::run_shipped("four-cards.toml");
  const EpochTrace& last = test::of(results, "dbs").epochs.back();
  const std::vector<std::int64_t> settled = test::batches_of(last);
  constexpr std::array<std::int64_t, 4> published{165, 166, 157, 24};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(settled[i] - published[i]) <= 1);
  CHECK(slowest_step_ms(last) >= equal_finish_ms(512.0) * (1.0 - 1e-9));
  CHECK(slowest_step_ms(last) <= 123.1);
}

TEST_CASE("published epoch times: S-SGD 62.4 s, balanced 22.1 to 22.7 s, within 3 %", "[golden]") {
  const Results results = test::run_shipped("lbb/epoch-times.toml");
  CHECK(test::seconds_of(test::of(results, "fixed").epochs.back()) == Approx(62.4).epsilon(0.03));
  const double balanced = test::seconds_of(test::of(results, "dbs").epochs.back());
  CHECK(balanced >= 22.1 * 0.97);
  CHECK(balanced <= 22.7 * 1.03);
}

TEST_CASE(
    "published epoch times of local SGD: 57.45, 55.35, 54.55 and one-shot 54.04 s, within 3 %",
    "[golden]") {
  const std::array<std::pair<const char*, double>, 4> published{{{"{ every = 2 }", 57.45},
                                                                 {"{ every = 4 }", 55.35},
                                                                 {"{ every = 8 }", 54.55},
                                                                 {"\"epoch\"", 54.04}}};
  for (const auto& [sync, seconds] : published) {
    const Results results = test::run_shipped("lbb/local-sgd.toml", {{"job.sync", sync}});
    CHECK(test::seconds_of(test::of(results, "fixed").epochs.back()) ==
          Approx(seconds).epsilon(0.03));
  }
}
