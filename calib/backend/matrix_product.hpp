#pragma once
// Matrix products on the CPU, by whichever library serves best.
#include <memory>
#include <string>

#include "calib/kernels/matmul.hpp"

namespace dbsim::calib {

template <class T>
class MatrixProduct {
 public:
  MatrixProduct() = default;
  MatrixProduct(const MatrixProduct&) = delete;
  MatrixProduct& operator=(const MatrixProduct&) = delete;
  virtual ~MatrixProduct() = default;
  virtual void operator()(const Matmul& shape, const T* a, const T* b, T* c) const = 0;
};

/// "Eigen 3.4.0".
[[nodiscard]] std::string eigen_version();

/// Eigen's on so many cores, for float and double.
template <class T>
[[nodiscard]] std::unique_ptr<MatrixProduct<T>> eigen_matrix_product(int threads);

extern template std::unique_ptr<MatrixProduct<float>> eigen_matrix_product<float>(int);
extern template std::unique_ptr<MatrixProduct<double>> eigen_matrix_product<double>(int);

}  // namespace dbsim::calib
