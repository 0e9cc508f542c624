#include <cudnn.h>

#include <array>
#include <map>
#include <memory>
#include <tuple>

#include "calib/backend/device.hpp"
#include "calib/backend/device_error.hpp"
#include "calib/cuda/cuda_launcher.cuh"
#include "calib/cuda/cudnn_ops.hpp"
#include "calib/kernels/layer_ops.hpp"

namespace dbsim::calib {

namespace {

void check_cudnn(cudnnStatus_t status) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  if (status == CUDNN_STATUS_ALLOC_FAILED) throw OutOfMemory{};
#if CUDNN_MAJOR >= 9
  if (status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED) throw OutOfMemory{};
#endif
  throw DeviceError{std::string{"cuDNN: "} + cudnnGetErrorString(status)};
}

/// cuDNN 9 has many kinds of "not supported", one thousand of codes.
bool unsupported(cudnnStatus_t status) {
  return status == CUDNN_STATUS_NOT_SUPPORTED || status / 1000 * 1000 == CUDNN_STATUS_NOT_SUPPORTED;
}

/// cuDNN's ways to do a convolution in one direction, the one it thinks fastest first.
template <class Way>
struct Ways {
  std::array<Way, 8> all{};
  int count{};

  [[nodiscard]] const Way* first() const {
    for (int i = 0; i < count; ++i) {
      if (all[i].status == CUDNN_STATUS_SUCCESS) return &all[i];
    }
    return nullptr;
  }
};
/// `ask` is one of cuDNN's functions that fill such a list.
template <class Way, class Ask, class... Descriptions>
Ways<Way> ways(const Ask& ask, cudnnHandle_t cudnn, const Descriptions&... descriptions) {
  Ways<Way> found;
  const cudnnStatus_t status = ask(cudnn, descriptions..., static_cast<int>(found.all.size()),
                                   &found.count, found.all.data());
  if (unsupported(status)) return {};
  check_cudnn(status);
  return found;
}

/// One of cuDNN's descriptors, destroyed with its owner.
template <class Handle, cudnnStatus_t (*Create)(Handle*), cudnnStatus_t (*Destroy)(Handle)>
class Descriptor {
 public:
  Descriptor() { check_cudnn(Create(&handle_)); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Destroy(handle_); }
  operator Handle() const { return handle_; }  // NOLINT: stands for it in cuDNN's calls

 private:
  Handle handle_{};
};
using Tensor =
    Descriptor<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor>;
using Filter =
    Descriptor<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor>;
using Work = Descriptor<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor,
                        cudnnDestroyConvolutionDescriptor>;

/// cuDNN stores a filter's output channels first: out[column][row] = in[row][column].
struct Transpose {
  Index rows;
  Index columns;
  const float* from;
  float* to;
  DBSIM_HOST_DEVICE void operator()(Index position) const {
    const Index column = quotient(position, rows);
    const Index row = position - column * rows;
    to[position] = from[row * columns + column];
  }
};

/// A convolution as cuDNN knows it, with the fastest way for each direction.
struct Prepared {
  bool possible{};  // cuDNN has a way for each direction; else patches and cuBLAS do it
  Tensor x;
  Tensor y;
  Filter weights;
  Work forward_work;
  Work data_work;
  Work filter_work;
  cudnnConvolutionFwdAlgo_t forward{};
  cudnnConvolutionBwdDataAlgo_t data{};
  cudnnConvolutionBwdFilterAlgo_t filter{};
  std::size_t forward_bytes{};
  std::size_t data_bytes{};
  std::size_t filter_bytes{};
};

using Key = std::tuple<Index, Index, Index, Index, Index, Index, Index, Index, Index, Index>;
Key key_of(const ConvolutionShape& s) {
  return {s.samples,       s.in_height,    s.in_width, s.in_channels, s.out_channels,
          s.kernel_height, s.kernel_width, s.stride,   s.padding,     s.groups};
}

class CudnnOps : public LayerOps<CudaLauncher> {
 public:
  explicit CudnnOps(const CudaSettings& settings) : LayerOps<CudaLauncher>{settings} {
    check_cudnn(cudnnCreate(&cudnn_));
    check_cudnn(cudnnSetStream(cudnn_, launcher().stream()));
  }
  ~CudnnOps() override { cudnnDestroy(cudnn_); }

  void convolution_forward(const ConvolutionShape& shape, const float* x, const float* weights,
                           const float* bias, float* y) override {
    const Prepared& use = prepared(shape);
    if (!use.possible) {
      LayerOps<CudaLauncher>::convolution_forward(shape, x, weights, bias, y);
      return;
    }
    const float* filter = to_cudnn(shape, weights);
    check_cudnn(cudnnConvolutionForward(
        cudnn_, &one, use.x, x, use.weights, filter, use.forward_work, use.forward,
        work_.at_least(use.forward_bytes), use.forward_bytes, &none, use.y, y));
    add_bias(shape.samples * shape.out_height * shape.out_width, shape.out_channels, bias, y);
  }

  void convolution_backward(const ConvolutionShape& shape, const float* x, const float* weights,
                            const float* dy, float* dx, float* dweights, float* dbias) override {
    const Prepared& use = prepared(shape);
    if (!use.possible) {
      LayerOps<CudaLauncher>::convolution_backward(shape, x, weights, dy, dx, dweights, dbias);
      return;
    }
    bias_gradient(shape.samples * shape.out_height * shape.out_width, shape.out_channels, dy,
                  dbias);
    const Index rows = filter_rows(shape);
    float* filter = filters(shape);
    check_cudnn(cudnnConvolutionBackwardFilter(cudnn_, &one, use.x, x, use.y, dy, use.filter_work,
                                               use.filter, work_.at_least(use.filter_bytes),
                                               use.filter_bytes, &none, use.weights, filter));
    launcher().for_each(rows * shape.out_channels,
                        Transpose{shape.out_channels, rows, filter, dweights});
    if (dx == nullptr) return;
    const float* again = to_cudnn(shape, weights);
    check_cudnn(cudnnConvolutionBackwardData(
        cudnn_, &one, use.weights, again, use.y, dy, use.data_work, use.data,
        work_.at_least(use.data_bytes), use.data_bytes, &none, use.x, dx));
  }

 private:
  static constexpr float one = 1.0F;
  static constexpr float none = 0.0F;

  static Index filter_rows(const ConvolutionShape& shape) {
    return shape.kernel_height * shape.kernel_width * (shape.in_channels / shape.groups);
  }

  float* filters(const ConvolutionShape& shape) {
    const auto values = static_cast<std::size_t>(filter_rows(shape) * shape.out_channels);
    return static_cast<float*>(filters_.at_least(sizeof(float) * values));
  }

  const float* to_cudnn(const ConvolutionShape& shape, const float* weights) {
    const Index rows = filter_rows(shape);
    float* filter = filters(shape);
    launcher().for_each(rows * shape.out_channels,
                        Transpose{rows, shape.out_channels, weights, filter});
    return filter;
  }

  [[nodiscard]] cudnnMathType_t math_type() const {
    switch (launcher().precision()) {
      case CudaPrecision::fp32:
        return CUDNN_FMA_MATH;
      case CudaPrecision::tf32:
        return CUDNN_TENSOR_OP_MATH;
      default:
        return CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION;
    }
  }

  const Prepared& prepared(const ConvolutionShape& shape) {
    const Key key = key_of(shape);
    // Another batch size: what was prepared for the former one is not coming back soon.
    if (!prepared_.empty() && std::get<0>(prepared_.begin()->first) != shape.samples) {
      prepared_.clear();
    }
    const auto found = prepared_.find(key);
    if (found != prepared_.end()) return found->second;
    Prepared& made = prepared_[key];
    describe(shape, made);
    choose(made);
    return made;
  }

  void describe(const ConvolutionShape& s, Prepared& made) {
    const auto small = [](Index value) { return static_cast<int>(value); };
    check_cudnn(cudnnSetTensor4dDescriptor(made.x, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT,
                                           small(s.samples), small(s.in_channels),
                                           small(s.in_height), small(s.in_width)));
    check_cudnn(cudnnSetTensor4dDescriptor(made.y, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT,
                                           small(s.samples), small(s.out_channels),
                                           small(s.out_height), small(s.out_width)));
    check_cudnn(cudnnSetFilter4dDescriptor(made.weights, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC,
                                           small(s.out_channels), small(s.in_channels / s.groups),
                                           small(s.kernel_height), small(s.kernel_width)));
    for (const Work* work : {&made.forward_work, &made.data_work, &made.filter_work}) {
      check_cudnn(cudnnSetConvolution2dDescriptor(*work, small(s.padding), small(s.padding),
                                                  small(s.stride), small(s.stride), 1, 1,
                                                  CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
      check_cudnn(cudnnSetConvolutionGroupCount(*work, small(s.groups)));
      check_cudnn(cudnnSetConvolutionMathType(*work, math_type()));
    }
  }

  /// cuDNN's own first choice for each direction, as frameworks take it by default.
  void choose(Prepared& made) {
    const auto forwards =
        ways<cudnnConvolutionFwdAlgoPerf_t>(cudnnGetConvolutionForwardAlgorithm_v7, cudnn_, made.x,
                                            made.weights, made.forward_work, made.y);
    const auto datas =
        ways<cudnnConvolutionBwdDataAlgoPerf_t>(cudnnGetConvolutionBackwardDataAlgorithm_v7, cudnn_,
                                                made.weights, made.y, made.data_work, made.x);
    const auto filters = ways<cudnnConvolutionBwdFilterAlgoPerf_t>(
        cudnnGetConvolutionBackwardFilterAlgorithm_v7, cudnn_, made.x, made.y, made.filter_work,
        made.weights);
    const auto* forward = forwards.first();
    const auto* data = datas.first();
    const auto* filter = filters.first();
    made.possible = forward != nullptr && data != nullptr && filter != nullptr;
    if (!made.possible) return;
    made.forward = forward->algo;
    made.data = data->algo;
    made.filter = filter->algo;
    // The math type is part of the choice.
    check_cudnn(cudnnSetConvolutionMathType(made.forward_work, forward->mathType));
    check_cudnn(cudnnSetConvolutionMathType(made.data_work, data->mathType));
    check_cudnn(cudnnSetConvolutionMathType(made.filter_work, filter->mathType));
    made.forward_bytes = forward->memory;
    made.data_bytes = data->memory;
    made.filter_bytes = filter->memory;
  }

  cudnnHandle_t cudnn_{};
  std::map<Key, Prepared> prepared_;
  GrowingMemory filters_;
  GrowingMemory work_;
};

}  // namespace

bool has_cudnn() { return true; }

std::string cudnn_version() {
  const std::size_t version = cudnnGetVersion();
  return "cuDNN " + std::to_string(version / 10'000) + "." + std::to_string(version / 100 % 100) +
         "." + std::to_string(version % 100);
}

std::unique_ptr<Ops<float>> make_cudnn_ops(const CudaSettings& settings) {
  return std::make_unique<CudnnOps>(settings);
}

}  // namespace dbsim::calib
