#include "sim/profile/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace dbsim {

void read_max_batch(Fields& fields, std::optional<Samples>& max_batch) {
  std::int64_t batch = 0;
  const Key key{"max_batch",
                "Largest local batch that fits the device's memory; no limit if left out."};
  if (fields.whole(key, batch_range, batch) && batch > 0) max_batch = Samples{batch};
}

void check_batches(Fields& fields, std::string_view key, const std::vector<Samples>& batches) {
  if (fields.describing()) return;
  if (batches.size() < 2) {
    fields.problem(key,
                   fmt::format("{} batch size{}", batches.size(), batches.size() == 1 ? "" : "s"),
                   "at least 2, so that other batches can be told from them");
    return;
  }
  const auto fall = std::ranges::adjacent_find(batches, std::ranges::greater_equal{});
  if (fall != batches.end()) {
    fields.problem(key, fmt::format("{} before {}", fall->count(), (fall + 1)->count()),
                   "batch sizes that rise");
  }
}

}  // namespace dbsim
