#include "calib/backend/cpu_device.hpp"
#include "calib/backend/cpu_launcher.hpp"
#include "calib/backend/onednn.hpp"
#include "calib/kernels/layer_ops.hpp"
#include "sim/base/check.hpp"

namespace dbsim::calib {

template <class T>
std::unique_ptr<Ops<T>> make_cpu_ops(int threads, CpuLibrary library) {
  if (library == CpuLibrary::onednn) {
    check(has_onednn(), "this build has oneDNN");
    if constexpr (std::is_same_v<T, float>) return make_onednn_ops(threads);
    check(false, "oneDNN computes in float");
  }
  return std::make_unique<LayerOps<CpuLauncher<T>>>(threads, eigen_matrix_product<T>(threads));
}

template std::unique_ptr<Ops<float>> make_cpu_ops<float>(int, CpuLibrary);
template std::unique_ptr<Ops<double>> make_cpu_ops<double>(int, CpuLibrary);

}  // namespace dbsim::calib
