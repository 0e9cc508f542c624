#include "calib/backend/onednn.hpp"

namespace dbsim::calib {

bool has_onednn() { return false; }
std::string onednn_version() { return {}; }
std::unique_ptr<MatrixProduct<float>> onednn_matrix_product(int) { return nullptr; }
std::unique_ptr<Ops<float>> make_onednn_ops(int) { return nullptr; }

}  // namespace dbsim::calib
