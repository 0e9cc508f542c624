#pragma once
// Lines of a terminal to which nccl-tests, NCCL and mpirun all wrote.
#include <string_view>
#include <vector>

#include "sim/io/lines.hpp"

namespace dbsim {

struct NcclLogLine {
  std::vector<Word> words;  // those before a message of NCCL; none where nothing else is there
  // A message of NCCL followed without a blank between: its first word may hide one more of ours.
  bool glued{false};
};

/// NCCL's messages look like `HOST:PID:THREAD [0] NCCL INFO ...`; mpirun may put a tag such as
/// `[1,0]<stdout>:` before each line.
[[nodiscard]] NcclLogLine without_messages(std::string_view line);

}  // namespace dbsim
