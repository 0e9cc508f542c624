#include "sim/profile/profile.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace dbsim;

TEST_CASE("a log-normal of this sigma has the coefficient of variation it was asked for",
          "[profile]") {
  for (const double spread : {0.0, 0.01, 0.1, 0.5, 2.0}) {
    const double sigma = lognormal_sigma(spread);
    // Textbook: cv^2 = exp(sigma^2) - 1.
    CHECK(std::sqrt(std::expm1(sigma * sigma)) == Approx(spread).margin(1e-15));
  }
}
