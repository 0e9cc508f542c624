#include "bench/heap.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace dbsim::bench {

namespace {

std::atomic<std::uint64_t> allocations{0};
std::atomic<std::uint64_t> bytes{0};
std::atomic<std::uint64_t> peak{0};

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc{};
  allocations.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t size = malloc_usable_size(memory);
  const std::uint64_t now = bytes.fetch_add(size, std::memory_order_relaxed) + size;
  std::uint64_t most = peak.load(std::memory_order_relaxed);
  while (now > most && !peak.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
  return memory;
}

void give_back(void* memory) {
  if (memory == nullptr) return;
  bytes.fetch_sub(malloc_usable_size(memory), std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

HeapUse heap_use() { return {.allocations = allocations, .bytes = bytes, .peak = peak}; }

void forget_peak() { peak = bytes.load(); }

}  // namespace dbsim::bench

// All other forms of operator new and delete end in these.
void* operator new(std::size_t size) {
  return dbsim::bench::counted(std::malloc(std::max<std::size_t>(size, 1)));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  const std::size_t whole = std::max<std::size_t>((size + step - 1) / step * step, step);
  return dbsim::bench::counted(std::aligned_alloc(step, whole));
}
void operator delete(void* memory) noexcept { dbsim::bench::give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { dbsim::bench::give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { dbsim::bench::give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  dbsim::bench::give_back(memory);
}
