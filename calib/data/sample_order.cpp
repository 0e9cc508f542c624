#include "calib/data/sample_order.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "sim/base/check.hpp"

namespace dbsim::calib {

namespace {

/// Fisher and Yates 1938, as Durstenfeld wrote it in 1964: all orders equally likely.
void shuffle(SampleOrder& order, RandomStream stream) {
  for (std::size_t left = order.size(); left > 1; --left) {
    const auto drawn =
        static_cast<std::size_t>(stream.whole(0, static_cast<std::int64_t>(left) - 1));
    std::swap(order[left - 1], order[drawn]);
  }
}

}  // namespace

std::vector<SampleOrder> deal_samples(std::int64_t samples, std::size_t workers,
                                      const RandomStreams& streams) {
  check(samples >= 0 && workers > 0, "there is somebody to deal samples to");
  SampleOrder all(static_cast<std::size_t>(samples));
  std::iota(all.begin(), all.end(), 0);
  shuffle(all, streams.stream("dealing of samples"));
  std::vector<SampleOrder> dealt(workers);
  for (std::size_t i = 0; i < all.size(); ++i) dealt[i % workers].push_back(all[i]);
  return dealt;
}

SampleOrder epoch_order(const SampleOrder& dealt, std::size_t worker, std::size_t epoch,
                        const RandomStreams& streams) {
  SampleOrder order = dealt;
  shuffle(order,
          streams.stream("order of samples", fmt::format("worker {}, epoch {}", worker, epoch)));
  return order;
}

}  // namespace dbsim::calib
