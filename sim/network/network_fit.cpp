#include "sim/network/network_fit.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/check.hpp"

namespace dbsim {

double efficiency_at(std::span<const Efficiency> table, Bytes size) {
  check(size > Bytes{0.0}, "a message has a size");
  if (table.empty()) return 1.0;
  const auto above = std::ranges::lower_bound(table, size, {}, &Efficiency::bytes);
  if (above == table.begin()) return above->efficiency;
  if (above == table.end()) return table.back().efficiency;
  if (above->bytes == size) return above->efficiency;
  const auto below = above - 1;
  const double part = std::log(size.count() / below->bytes.count()) /
                      std::log(above->bytes.count() / below->bytes.count());
  return below->efficiency * std::pow(above->efficiency / below->efficiency, part);
}

Seconds NetworkFit::time(Bytes size) const {
  return latency + Seconds{size.count() / (bandwidth.count() * efficiency_at(size))};
}

BytesPerSecond bus_bandwidth(Bytes size, Seconds time, int ranks) {
  check(ranks > 0 && time.count() > 0.0, "an all-reduce has ranks and takes time");
  return BytesPerSecond{size.count() / time.count() * 2.0 * (ranks - 1) / ranks};
}

}  // namespace dbsim
