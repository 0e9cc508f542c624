#include "sim/program/execute.hpp"

#include <new>

#include "sim/base/check.hpp"
#include "sim/base/error.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

template <class Failure>
Exit exit_after(const Failure& failure) {
  return execute("dbsim test",
                 {.name = "test",
                  .summary = "",
                  .usage = "",
                  .example = "",
                  .options = {},
                  .execute = [&](const Arguments&) -> Exit { throw failure; }},
                 {});
}

}  // namespace

TEST_CASE("who can act on a failure decides the exit code", "[execute]") {
  CHECK(exit_after(UsageError{"a word too many"}) == Exit::unusable_input);
  CHECK(exit_after(InputError{{{{"a.toml", 1, 1}, "key", "x", "y", {}}}}) == Exit::unusable_input);
  CHECK(exit_after(IoError{"disk full"}) == Exit::no);
  CHECK(exit_after(std::bad_alloc{}) == Exit::no);
  CHECK(exit_after(BrokenAssumption{"a claim"}) == Exit::internal_error);
  CHECK(exit_after(std::runtime_error{"anything else"}) == Exit::internal_error);
}

TEST_CASE("an unknown option is refused before the command begins", "[execute]") {
  bool begun = false;
  const Command command{.name = "test",
                        .summary = "",
                        .usage = "",
                        .example = "",
                        .options = {{"seed", "N", "a seed"}},
                        .execute = [&](const Arguments&) {
                          begun = true;
                          return Exit::success;
                        }};
  CHECK(execute("dbsim test", command, {"--speed", "1"}) == Exit::unusable_input);
  CHECK_FALSE(begun);
  CHECK(execute("dbsim test", command, {"--seed", "1"}) == Exit::success);
  CHECK(begun);
}
