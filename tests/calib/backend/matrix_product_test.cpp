#include "calib/backend/matrix_product.hpp"

#include <cmath>
#include <vector>

#include "calib/backend/onednn.hpp"
#include "calib/kernels/random.hpp"
#include "tests/catch.hpp"

namespace {

using namespace dbsim::calib;

/// By the definition, in double.
void multiply(const Matmul& s, const std::vector<float>& a, const std::vector<float>& b,
              std::vector<double>& c) {
  for (Index i = 0; i < s.batch; ++i) {
    for (Index row = 0; row < s.m; ++row) {
      for (Index column = 0; column < s.n; ++column) {
        double sum = 0.0;
        for (Index k = 0; k < s.k; ++k) {
          const Index left = s.transpose_a ? k * s.leading_a + row : row * s.leading_a + k;
          const Index right = s.transpose_b ? column * s.leading_b + k : k * s.leading_b + column;
          sum += static_cast<double>(a[static_cast<std::size_t>(i * s.stride_a + left)]) *
                 static_cast<double>(b[static_cast<std::size_t>(i * s.stride_b + right)]);
        }
        double& out = c[static_cast<std::size_t>(i * s.stride_c + row * s.leading_c + column)];
        out = s.alpha * sum + s.beta * out;
      }
    }
  }
}

void check_product(const MatrixProduct<float>& product) {
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      for (const double beta : {0.0, 1.0, 0.5}) {
        Matmul shape{7,           5,  9,  transpose_a,
                     transpose_b, 12, 13, 11};  // rows further apart than long
        shape.alpha = 0.7;
        shape.beta = beta;
        shape.batch = 3;
        shape.stride_a = 120;
        shape.stride_b = 130;
        shape.stride_c = 80;
        std::vector<float> a(400);
        std::vector<float> b(400);
        std::vector<float> c(300);
        for (std::size_t i = 0; i < 400; ++i) a[i] = uniform<float>(1, i) - 0.5F;
        for (std::size_t i = 0; i < 400; ++i) b[i] = uniform<float>(2, i) - 0.5F;
        for (std::size_t i = 0; i < 300; ++i) c[i] = uniform<float>(3, i) - 0.5F;
        std::vector<double> expected(c.begin(), c.end());
        multiply(shape, a, b, expected);
        product(shape, a.data(), b.data(), c.data());
        double worst = 0.0;
        for (std::size_t i = 0; i < c.size(); ++i) {
          worst = std::max(worst, std::abs(static_cast<double>(c[i]) - expected[i]));
        }
        CHECK(worst < 1e-6);  // and what lies between the rows is as it was
      }
    }
  }
}

}  // namespace

TEST_CASE("Eigen's products are products", "[matrix_product]") {
  check_product(*eigen_matrix_product<float>(2));
}

TEST_CASE("oneDNN's products are products", "[matrix_product]") {
  if (!has_onednn()) {
    WARN("skipped: this build has no oneDNN");
    return;
  }
  check_product(*onednn_matrix_product(2));
}
