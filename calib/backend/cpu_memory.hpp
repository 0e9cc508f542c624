#pragma once
// What the operating system says of this machine.
#include <cstdint>

namespace dbsim::calib {

/// Bytes that this process may still take without swapping: what is available on the machine, and
/// no more than its control group allows.
[[nodiscard]] std::int64_t usable_memory();

/// Current clock of the first core in Hz; 0 where it is not told.
[[nodiscard]] double processor_clock();

}  // namespace dbsim::calib
