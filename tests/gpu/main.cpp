// Runs the tests where there is a GPU that this build can use; elsewhere says why not and exits
// with 77, which ctest counts as skipped.
#include <algorithm>
#include <cstdio>
#include <string_view>
#if __has_include(<catch2/catch.hpp>)
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#else
#include <catch2/catch_session.hpp>
#endif

#include "tests/calib/support/ops_cases.hpp"
#include "tests/gpu/gpu.hpp"

int main(int count, char* words[]) {
  using namespace dbsim::calib;
  // The build asks for the names of the tests, wherever it runs.
  const bool only_lists = std::any_of(
      words + 1, words + count, [](std::string_view word) { return word.rfind("--list", 0) == 0; });
  if (!only_lists) {
    constexpr int skipped = 77;
    if (const std::string reason = test::gpu_unusable(); !reason.empty()) {
      std::printf("Skipped: %s\n", reason.c_str());
      return skipped;
    }
    std::printf("%s; DBSIM_TEST_SEED=%llu repeats this\n",
                cuda_devices()[static_cast<std::size_t>(test::gpu_number())].name.c_str(),
                static_cast<unsigned long long>(test::test_seed()));
  }
  return Catch::Session().run(count, words);
}
