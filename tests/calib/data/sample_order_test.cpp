#include "calib/data/sample_order.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "tests/catch.hpp"

namespace dbsim::calib {
namespace {

SampleOrder sorted(SampleOrder order) {
  std::ranges::sort(order);
  return order;
}

TEST_CASE("every sample is dealt to one worker, equally many to each as far as possible",
          "[data]") {
  for (const std::int64_t samples : {0, 1, 10, 60'000}) {
    for (const std::size_t workers : {1U, 3U, 4U}) {
      const std::vector<SampleOrder> dealt = deal_samples(samples, workers, RandomStreams{7});
      REQUIRE(dealt.size() == workers);
      SampleOrder all;
      for (const SampleOrder& each : dealt) {
        CHECK(dealt.front().size() - each.size() <= 1);
        all.insert(all.end(), each.begin(), each.end());
      }
      SampleOrder expected(static_cast<std::size_t>(samples));
      std::iota(expected.begin(), expected.end(), 0);
      CHECK(sorted(all) == expected);
    }
  }
}

TEST_CASE("an epoch has all samples of the worker, in an order of its own", "[data]") {
  const RandomStreams streams{7};
  const std::vector<SampleOrder> dealt = deal_samples(200, 2, streams);
  const SampleOrder first = epoch_order(dealt[0], 0, 0, streams);
  const SampleOrder second = epoch_order(dealt[0], 0, 1, streams);
  CHECK(sorted(first) == sorted(dealt[0]));
  CHECK(sorted(second) == sorted(dealt[0]));
  CHECK(first != second);
  CHECK(epoch_order(dealt[0], 0, 1, streams) == second);
  CHECK(epoch_order(dealt[0], 0, 1, RandomStreams{8}) != second);
  CHECK(epoch_order(dealt[0], 1, 1, streams) != second);
}

TEST_CASE("all orders are equally likely", "[data]") {
  std::map<SampleOrder, int> seen;
  constexpr int draws = 24'000;
  for (std::size_t epoch = 0; epoch < draws; ++epoch) {
    ++seen[epoch_order({0, 1, 2, 3}, 0, epoch, RandomStreams{7})];
  }
  REQUIRE(seen.size() == 24);
  double chi_square = 0.0;
  for (const auto& [order, count] : seen)
    chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  CHECK(chi_square < 49.7);  // 23 degrees of freedom: one in a thousand
}

}  // namespace
}  // namespace dbsim::calib
