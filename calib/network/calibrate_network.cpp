#include "calib/network/calibrate_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <utility>

#include "calib/network/median_interval.hpp"
#include "calib/network/mpi_all_reduce.hpp"
#include "calib/network/nccl_all_reduce.hpp"
#include "sim/base/check.hpp"
#include "sim/base/units.hpp"
#include "sim/report/layout.hpp"

namespace dbsim::calib {

namespace {

constexpr std::size_t least_sizes = 2;  // a line needs them

[[noreturn]] void fail_without_group(const std::string& mpi, const std::string& gpus) {
  throw NoNetwork{fmt::format(
      "nothing to all-reduce between: {}; {}. Start several processes, on one host or on many, "
      "e.g. mpirun -n 4 dbsim-calibrate --network --out net.json",
      gpus, mpi)};
}

std::unique_ptr<AllReduce> make_group(std::int64_t largest) {
  if (is_started_by_mpi() && mpi_unusable().empty()) return make_mpi_all_reduce(largest);
  const int gpus = nccl_devices();
  if (gpus >= 2) return make_nccl_all_reduce(largest);
  const std::string mpi = mpi_unusable();
  fail_without_group(mpi.empty() ? "not started by mpirun" : mpi,
                     gpus == 1 ? "only one CUDA device" : nccl_unusable());
}

std::string remark_on_width(const std::vector<NetworkPoint>& points, double precision) {
  std::size_t wide = 0;
  double widest = 0.0;
  Bytes where;
  for (const NetworkPoint& point : points) {
    const double half_width = relative_half_width(point.time).value_or(1.0);
    if (half_width <= precision) continue;
    ++wide;
    if (half_width > widest) {
      widest = half_width;
      where = point.bytes;
    }
  }
  if (wide == 0) return {};
  return fmt::format(
      "The budget was spent before the medians of {} of {} sizes were known to {}; the worst is {} "
      "with {}.",
      wide, points.size(), percent(precision), to_text(where), percent(widest));
}

}  // namespace

NetworkMeasureOptions default_network_options() {
  constexpr std::int64_t low = 8;
  constexpr std::int64_t high = 256LL << 20;
  NetworkMeasureOptions options;
  options.sizes = message_sizes(low, high, 2.0);
  return options;
}

bool is_started_by_mpi() {
  // Set by Open MPI, by MPICH and what derives from it, and by PMIx under Slurm.
  constexpr std::array<const char*, 3> marks{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  return std::ranges::any_of(marks, [](const char* mark) { return std::getenv(mark) != nullptr; });
}

NetworkDocument network_document(const GroupDescription& group,
                                 const std::vector<SizeSamples>& samples,
                                 const NetworkMeasureOptions& options) {
  check(samples.size() >= least_sizes, "two sizes are measured at least");
  NetworkDocument document;
  document.ranks_per_host = group.ranks_per_host;
  document.library = group.library;
  document.devices = group.devices;
  document.remarks = group.remarks;
  document.remarks.emplace_back(
      "Every operation began when all ranks were ready, on data just written; its time is the "
      "slowest rank's.");
  for (const SizeSamples& size : samples) {
    document.points.push_back(
        {.bytes = Bytes{static_cast<double>(size.bytes)}, .time = summary_of(size.seconds)});
  }
  if (samples.size() < options.sizes.size()) {
    document.remarks.push_back(fmt::format(
        "Sizes from {} on were left out: the budget would not have paid for them, or measuring was "
        "stopped.",
        to_text(Bytes{static_cast<double>(options.sizes[samples.size()])})));
  }
  std::string wide = remark_on_width(document.points, options.precision);
  if (!wide.empty()) document.remarks.push_back(std::move(wide));
  document.fit = fit_network(document);
  return document;
}

std::optional<NetworkDocument> calibrate_network(const NetworkMeasureOptions& options,
                                                 const NetworkSurroundings& surroundings,
                                                 const std::string& program,
                                                 const std::string& date) {
  check(options.sizes.size() >= least_sizes, "two sizes are asked for at least");
  check(std::ranges::all_of(options.sizes,
                            [](std::int64_t bytes) { return bytes > 0 && bytes % 4 == 0; }),
        "sizes are whole floats");
  const std::unique_ptr<AllReduce> group = make_group(options.sizes.back());
  const GroupDescription description = group->description();
  const std::int64_t ranks = std::accumulate(description.ranks_per_host.begin(),
                                             description.ranks_per_host.end(), std::int64_t{0});
  if (ranks < 2) fail_without_group("mpirun started one process only", nccl_unusable());
  const std::vector<SizeSamples> samples = measure_all_reduce(*group, options, surroundings);
  if (!group->leads() || samples.size() < least_sizes) return std::nullopt;
  NetworkDocument document = network_document(description, samples, options);
  document.library += fmt::format(", measured by {}", program);
  document.date = date;
  return document;
}

}  // namespace dbsim::calib
