#include "calib/measure/memory_limit.hpp"

namespace dbsim::calib {

MemoryLimit find_memory_limit(StepRunner& runner, const MemorySearch& search) {
  if (search.stop()) return {};
  if (runner.prepare(search.highest)) return {.fits = search.highest, .fails = {}};
  MemoryLimit limit{.fits = 0, .fails = search.highest};
  while (!limit.exact() && !search.stop()) {
    const std::int64_t gap = *limit.fails - limit.fits;
    const bool coarse =
        static_cast<double>(gap) > search.resolution * static_cast<double>(limit.fits);
    if (!coarse && !search.may_go_on()) break;
    const std::int64_t middle = limit.fits + gap / 2;
    if (runner.prepare(middle)) {
      limit.fits = middle;
    } else {
      limit.fails = middle;
    }
  }
  return limit;
}

}  // namespace dbsim::calib
