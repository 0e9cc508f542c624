#pragma once
// Vectors that grow in small steps, where memory counts for more than copies.
#include <algorithm>
#include <cstddef>
#include <vector>

namespace dbsim {

/// Room for `more` entries. What has to grow grows by a quarter, so that no more than a fifth of it
/// stays empty; then an entry is moved four to five times in the long run, not once or twice.
template <class Entry>
void make_room(std::vector<Entry>& entries, std::size_t more = 1) {
  constexpr std::size_t first = 4;
  const std::size_t needed = entries.size() + more;
  if (needed <= entries.capacity()) return;
  entries.reserve(std::max(needed, entries.size() + entries.size() / 4 + first));
}

}  // namespace dbsim
