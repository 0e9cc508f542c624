#include "sim/import/nccl_ranks.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <string_view>

namespace dbsim {

void NcclRanks::add(const NcclRank& rank) { ranks_.try_emplace(rank.number, rank); }

void NcclRanks::describe(NcclTests& tests) const {
  if (ranks_.empty()) return;
  const std::int64_t group = ranks_.begin()->second.group;
  std::set<std::int64_t> groups;
  std::set<std::string_view> devices;
  std::map<std::string, std::size_t> hosts;
  for (const auto& [number, rank] : ranks_) {
    groups.insert(rank.group);
    if (rank.group != group) continue;
    const auto [host, is_new] = hosts.try_emplace(rank.host, tests.ranks_per_host.size());
    if (is_new) tests.ranks_per_host.push_back(0);
    tests.ranks_per_host[host->second] += rank.count;
    if (!rank.device.empty() && devices.insert(rank.device).second) {
      tests.devices.push_back(rank.device);
    }
  }
  if (groups.size() > 1) {
    tests.remarks.push_back(
        fmt::format("{} groups of ranks ran side by side; this is one of them.", groups.size()));
  }
}

std::string nccl_version_text(std::int64_t code) {
  if (code <= 0) return {};
  // 2.9 was the first whose minor version had two digits reserved.
  constexpr std::int64_t first_wide = 10'000;
  constexpr std::int64_t hundred = 100;
  const std::int64_t major_unit = code < first_wide ? 1'000 : 10'000;
  return fmt::format("{}.{}.{}", code / major_unit, code % major_unit / hundred, code % hundred);
}

}  // namespace dbsim
