#include "sim/base/check.hpp"

#include <fmt/format.h>

namespace dbsim {

void fail_check(std::string_view claim, SourceLine where) {
  throw BrokenAssumption{
      fmt::format("{}:{}: broken assumption: {}", where.file, where.line, claim)};
}

}  // namespace dbsim
