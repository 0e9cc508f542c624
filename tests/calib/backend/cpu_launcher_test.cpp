#include "calib/backend/cpu_launcher.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "calib/kernels/convolution.hpp"
#include "calib/kernels/elementwise.hpp"
#include "calib/kernels/random.hpp"
#include "tests/catch.hpp"

namespace {

using namespace dbsim::calib;

std::vector<float> random_values(Index count, std::uint64_t key) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = uniform<float>(key, i) - 0.3F;
  return values;
}

/// Leaves a mark where it is called.
struct Mark {
  int* marks;
  void operator()(Index i) const { ++marks[i]; }
};
struct MarkPlace {
  int* marks;
  Index channels;
  struct Place {
    int* row;
    void operator()(Index channel) const { ++row[channel]; }
  };
  [[nodiscard]] Place at(Index row) const { return {marks + row * channels}; }
};
struct MarkTeam {
  int* marks;
  template <class Team>
  void operator()(Index i, const Team&) const {
    ++marks[i];
  }
};

}  // namespace

TEST_CASE("every pattern visits every position exactly once, on any number of threads",
          "[cpu_launcher]") {
  for (const int threads : {1, 2, 5}) {
    CpuLauncher<float> launch{threads, eigen_matrix_product<float>(threads)};
    for (const Index n : {Index{1}, Index{17}, Index{16'384}, Index{100'003}}) {
      std::vector<int> marks(static_cast<std::size_t>(n), 0);
      launch.for_each(n, Mark{marks.data()});
      launch.for_each_team(n, 3, MarkTeam{marks.data()});
      CHECK(marks == std::vector<int>(static_cast<std::size_t>(n), 2));
      std::vector<int> places(static_cast<std::size_t>(3 * n), 0);
      launch.for_each_channel(n, 3, MarkPlace{places.data(), 3});
      CHECK(places == std::vector<int>(static_cast<std::size_t>(3 * n), 1));
    }
  }
}

TEST_CASE("column sums have the same bytes on any number of threads", "[cpu_launcher]") {
  constexpr Index rows = 5'000;
  constexpr Index channels = 37;
  const auto values = random_values(rows * channels, 5);
  std::vector<std::vector<float>> sums;
  for (const int threads : {1, 2, 3, 8}) {
    CpuLauncher<float> launch{threads, eigen_matrix_product<float>(threads)};
    sums.emplace_back(channels);
    launch.sum_columns(1, rows, channels,
                       BiasGradient<float>{channels, values.data(), sums.back().data()});
  }
  for (const auto& other : sums) CHECK(other == sums.front());
  double first = 0.0;
  for (Index row = 0; row < rows; ++row)
    first += static_cast<double>(values[static_cast<std::size_t>(row * channels)]);
  CHECK(sums.front().front() == Approx(first).epsilon(1e-6));
}

TEST_CASE("an output may be the input", "[cpu_launcher]") {
  CpuLauncher<float> launch{2, eigen_matrix_product<float>(2)};
  auto values = random_values(40'000, 9);
  const auto before = values;
  launch.map(40'000, ReluForward<float>{}, values.data(), values.data());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != std::max(before[i], 0.0F)) ++wrong;
  }
  CHECK(wrong == 0);
}
