#include <fmt/format.h>
#include <omp.h>

#include <Eigen/Core>

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
    omp_set_num_threads(threads_);  // of this thread only, unlike Eigen::setNbThreads
    for (Index i = 0; i < shape.batch; ++i) {
      const View left{a + i * shape.stride_a, shape.transpose_a ? shape.k : shape.m,
                      shape.transpose_a ? shape.m : shape.k, Eigen::OuterStride<>{shape.leading_a}};
      const View right{b + i * shape.stride_b, shape.transpose_b ? shape.n : shape.k,
                       shape.transpose_b ? shape.k : shape.n,
                       Eigen::OuterStride<>{shape.leading_b}};
      Target out{c + i * shape.stride_c, shape.m, shape.n, Eigen::OuterStride<>{shape.leading_c}};
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
  }

 private:
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
