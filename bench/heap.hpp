#pragma once
// What the program asks of the heap, counted by its own operator new.
#include <cstdint>

namespace dbsim::bench {

struct HeapUse {
  std::uint64_t allocations{};
  std::uint64_t bytes{};  // allocated and not freed yet, as the heap rounds them up
  std::uint64_t peak{};   // the most there have been at once
};

/// Since the program began; the peak since it was last forgotten.
[[nodiscard]] HeapUse heap_use();
void forget_peak();

}  // namespace dbsim::bench
