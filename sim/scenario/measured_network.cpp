#include "sim/scenario/measured_network.hpp"

#include "sim/base/check.hpp"
#include "sim/network/network_fit.hpp"

namespace dbsim {

MeasuredNetwork star_of(const NetworkDocument& document) {
  check(document.ranks() >= 2 && (document.fit || document.points.size() >= 2),
        "a measured network has ranks and a law");
  const NetworkFit fit = document.fit ? *document.fit : fit_network(document);
  const auto ranks = static_cast<double>(document.ranks());
  const double rounds = 2.0 * (ranks - 1.0);
  MeasuredNetwork network;
  network.star.link = {.bandwidth = BytesPerSecond{fit.bandwidth.count() * rounds / ranks},
                       .latency = fit.latency / rounds};
  for (const Efficiency& row : fit.efficiency) {
    network.efficiency.push_back({Bytes{row.bytes.count() / ranks}, row.efficiency});
  }
  network.range = {.ranks = document.ranks(),
                   .smallest = document.points.front().bytes,
                   .largest = document.points.back().bytes};
  return network;
}

}  // namespace dbsim
