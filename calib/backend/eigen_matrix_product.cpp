#include <fmt/format.h>

// Eigen would cut a product differently for every number of threads, and round it differently.
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>
#include <algorithm>

#include "calib/backend/matrix_product.hpp"

namespace dbsim::calib {

namespace {

template <class T>
class EigenMatrixProduct : public MatrixProduct<T> {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using View = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;
  using Target = Eigen::Map<Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;

 public:
  explicit EigenMatrixProduct(int threads) : threads_{threads} {}

  void operator()(const Matmul& shape, const T* a, const T* b, T* c) const override {
    const Index pieces = (shape.m + rows_at_once - 1) / rows_at_once;
#pragma omp parallel for num_threads(threads_) if (threads_ > 1) schedule(static)
    for (Index piece = 0; piece < shape.batch * pieces; ++piece) {
      const Index i = piece / pieces;
      multiply_rows(shape, piece % pieces * rows_at_once, a + i * shape.stride_a,
                    b + i * shape.stride_b, c + i * shape.stride_c);
    }
  }

 private:
  static constexpr Index rows_at_once = 128;

  /// Rows first... of one product.
  static void multiply_rows(const Matmul& shape, Index first, const T* a, const T* b, T* c) {
    const Index rows = std::min(rows_at_once, shape.m - first);
    const View left{a + (shape.transpose_a ? first : first * shape.leading_a),
                    shape.transpose_a ? shape.k : rows, shape.transpose_a ? rows : shape.k,
                    Eigen::OuterStride<>{shape.leading_a}};
    const View right{b, shape.transpose_b ? shape.n : shape.k,
                     shape.transpose_b ? shape.k : shape.n, Eigen::OuterStride<>{shape.leading_b}};
    Target out{c + first * shape.leading_c, rows, shape.n, Eigen::OuterStride<>{shape.leading_c}};
    if (shape.beta == 0.0) {
      out.setZero();
    } else if (shape.beta != 1.0) {
      out *= static_cast<T>(shape.beta);
    }
    const auto alpha = static_cast<T>(shape.alpha);
    if (shape.transpose_a && shape.transpose_b) {
      out.noalias() += alpha * (left.transpose() * right.transpose());
    } else if (shape.transpose_a) {
      out.noalias() += alpha * (left.transpose() * right);
    } else if (shape.transpose_b) {
      out.noalias() += alpha * (left * right.transpose());
    } else {
      out.noalias() += alpha * (left * right);
    }
  }

  int threads_;
};

}  // namespace

std::string eigen_version() {
  return fmt::format("Eigen {}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
                     EIGEN_MINOR_VERSION);
}

template <class T>
std::unique_ptr<MatrixProduct<T>> eigen_matrix_product(int threads) {
  return std::make_unique<EigenMatrixProduct<T>>(threads);
}

template std::unique_ptr<MatrixProduct<float>> eigen_matrix_product<float>(int);
template std::unique_ptr<MatrixProduct<double>> eigen_matrix_product<double>(int);

}  // namespace dbsim::calib
