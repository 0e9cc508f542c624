#pragma once
// oneDNN on the CPU. Without it (onednn_absent.cpp) the same functions say so.
#include <memory>
#include <string>

#include "calib/backend/matrix_product.hpp"
#include "calib/kernels/ops.hpp"

namespace dbsim::calib {

[[nodiscard]] bool has_onednn();
/// "oneDNN 2.6.3 (avx512_core ...)"; empty when absent.
[[nodiscard]] std::string onednn_version();
/// oneDNN's own code, made for this processor as it runs; null when absent.
[[nodiscard]] std::unique_ptr<MatrixProduct<float>> onednn_matrix_product(int threads);
/// Layers whose convolutions are oneDNN's; null when absent.
[[nodiscard]] std::unique_ptr<Ops<float>> make_onednn_ops(int threads);

}  // namespace dbsim::calib
