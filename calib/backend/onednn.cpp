#include "calib/backend/onednn.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <dnnl.hpp>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "calib/backend/cpu_launcher.hpp"
#include "calib/kernels/layer_ops.hpp"

namespace dbsim::calib {

namespace {

class OneDnnMatrixProduct : public MatrixProduct<float> {
 public:
  explicit OneDnnMatrixProduct(int threads) : threads_{threads} {}

  void operator()(const Matmul& shape, const float* a, const float* b, float* c) const override {
    omp_set_num_threads(threads_);  // of this thread
    for (Index i = 0; i < shape.batch; ++i) {
      dnnl_sgemm(shape.transpose_a ? 'T' : 'N', shape.transpose_b ? 'T' : 'N', shape.m, shape.n,
                 shape.k, static_cast<float>(shape.alpha), a + i * shape.stride_a, shape.leading_a,
                 b + i * shape.stride_b, shape.leading_b, static_cast<float>(shape.beta),
                 c + i * shape.stride_c, shape.leading_c);
    }
  }

 private:
  int threads_;
};

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;

/// One direction of one convolution: the primitive, and the weights in the order it likes.
struct Prepared {
  dnnl::primitive run;
  memory x;
  memory weights;
  memory y;
  memory plain_weights;  // as dbsim stores them
  bool reorder_weights{false};
  dnnl::primitive reorder;
  memory work;
};

auto key_of(const ConvolutionShape& s) {
  return std::make_tuple(s.samples, s.in_height, s.in_width, s.in_channels, s.out_height,
                         s.out_width, s.out_channels, s.kernel_height, s.kernel_width, s.stride,
                         s.padding, s.groups);
}

struct Descriptions {
  memory::desc x;
  memory::desc y;
  memory::desc weights;
  memory::desc any_weights;
  memory::dims strides;
  memory::dims begin;
  memory::dims end;
};

Descriptions describe(const ConvolutionShape& s) {
  const auto type = memory::data_type::f32;
  const Index in = s.in_channels / s.groups;
  const Index out = s.out_channels / s.groups;
  Descriptions d;
  d.x = {{s.samples, s.in_channels, s.in_height, s.in_width}, type, memory::format_tag::nhwc};
  d.y = {{s.samples, s.out_channels, s.out_height, s.out_width}, type, memory::format_tag::nhwc};
  memory::dims shape{out, in, s.kernel_height, s.kernel_width};
  memory::dims strides{1, s.out_channels, s.kernel_width * in * s.out_channels,
                       in * s.out_channels};
  if (s.groups > 1) {
    shape.insert(shape.begin(), s.groups);
    strides.insert(strides.begin(), out);
  }
  d.weights = {shape, type, strides};
  d.any_weights = {shape, type, memory::format_tag::any};
  d.strides = {s.stride, s.stride};
  d.begin = {s.padding, s.padding};
  const auto after = [&](Index extent, Index kernel, Index outputs) {
    return (outputs - 1) * s.stride + kernel - extent - s.padding;
  };
  d.end = {after(s.in_height, s.kernel_height, s.out_height),
           after(s.in_width, s.kernel_width, s.out_width)};
  return d;
}

class OneDnnOps : public LayerOps<CpuLauncher<float>> {
  using Layers = LayerOps<CpuLauncher<float>>;

 public:
  explicit OneDnnOps(int threads)
      : Layers{threads, onednn_matrix_product(threads)},
        engine_{dnnl::engine::kind::cpu, 0},
        stream_{engine_} {}

  void convolution_forward(const ConvolutionShape& shape, const float* x, const float* weights,
                           const float* bias, float* y) override {
    omp_set_num_threads(launcher().threads());
    Prepared& forward = prepared(forward_, shape, [&] { return make_forward(shape); });
    set_weights(forward, weights);
    execute(forward, {{DNNL_ARG_SRC, at(forward.x, x)},
                      {DNNL_ARG_WEIGHTS, forward.weights},
                      {DNNL_ARG_DST, at(forward.y, y)}});
    add_bias(shape.samples * shape.out_height * shape.out_width, shape.out_channels, bias, y);
  }

  void convolution_backward(const ConvolutionShape& shape, const float* x, const float* weights,
                            const float* dy, float* dx, float* dweights, float* dbias) override {
    omp_set_num_threads(launcher().threads());
    bias_gradient(shape.samples * shape.out_height * shape.out_width, shape.out_channels, dy,
                  dbias);
    Prepared& gradient = prepared(weights_, shape, [&] { return make_weights(shape); });
    if (!gradient.reorder_weights) gradient.weights.set_data_handle(dweights);
    execute(gradient, {{DNNL_ARG_SRC, at(gradient.x, x)},
                       {DNNL_ARG_DIFF_DST, at(gradient.y, dy)},
                       {DNNL_ARG_DIFF_WEIGHTS, gradient.weights}});
    if (gradient.reorder_weights) {
      gradient.plain_weights.set_data_handle(dweights);
      gradient.reorder.execute(
          stream_, {{DNNL_ARG_FROM, gradient.weights}, {DNNL_ARG_TO, gradient.plain_weights}});
    }
    if (dx == nullptr) return;
    Prepared& back = prepared(data_, shape, [&] { return make_data(shape); });
    set_weights(back, weights);
    execute(back, {{DNNL_ARG_DIFF_DST, at(back.y, dy)},
                   {DNNL_ARG_WEIGHTS, back.weights},
                   {DNNL_ARG_DIFF_SRC, at(back.x, dx)}});
  }

 private:
  using Key = decltype(key_of(ConvolutionShape{}));
  using Table = std::map<Key, Prepared>;

  template <class Make>
  static Prepared& prepared(Table& table, const ConvolutionShape& shape, const Make& make) {
    const auto key = key_of(shape);
    auto found = table.find(key);
    if (found == table.end()) {
      // Another batch size: what was prepared for the former one is not coming back soon.
      if (!table.empty() && std::get<0>(table.begin()->first) != shape.samples) table.clear();
      found = table.emplace(key, make()).first;
    }
    return found->second;
  }

  // oneDNN takes inputs as pointers to non-const and does not write to them.
  static memory& at(memory& place, const float* data) {
    place.set_data_handle(const_cast<float*>(data));
    return place;
  }

  void execute(Prepared& prepared, std::unordered_map<int, memory> arguments) {
    arguments.emplace(DNNL_ARG_SCRATCHPAD, prepared.work);
    prepared.run.execute(stream_, arguments);
    stream_.wait();
  }

  void set_weights(Prepared& prepared, const float* weights) {
    memory& plain = at(prepared.plain_weights, weights);
    if (prepared.reorder_weights) {
      prepared.reorder.execute(stream_, {{DNNL_ARG_FROM, plain}, {DNNL_ARG_TO, prepared.weights}});
    } else {
      at(prepared.weights, weights);
    }
  }

  template <class Description>
  Prepared finish(const Description& description, const memory::desc& x, const memory::desc& y,
                  const memory::desc& plain, const memory::desc& liked, bool weights_come_out) {
    Prepared prepared;
    prepared.x = memory{x, engine_, nullptr};
    prepared.y = memory{y, engine_, nullptr};
    prepared.plain_weights = memory{plain, engine_, nullptr};
    prepared.reorder_weights = liked != plain;
    prepared.weights =
        prepared.reorder_weights ? memory{liked, engine_} : memory{plain, engine_, nullptr};
    if (prepared.reorder_weights) {
      prepared.reorder = weights_come_out ? dnnl::reorder{{engine_, liked, engine_, plain}}
                                          : dnnl::reorder{{engine_, plain, engine_, liked}};
    }
    prepared.work = memory{description.scratchpad_desc(), engine_};
    return prepared;
  }

  static dnnl::primitive_attr own_scratch() {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
  }

  dnnl::convolution_forward::primitive_desc forward_description(const Descriptions& d) {
    return {{prop_kind::forward_training, algorithm::convolution_direct, d.x, d.any_weights, d.y,
             d.strides, d.begin, d.end},
            own_scratch(),
            engine_};
  }

  Prepared make_forward(const ConvolutionShape& shape) {
    const Descriptions d = describe(shape);
    const auto description = forward_description(d);
    Prepared prepared = finish(description, d.x, d.y, d.weights, description.weights_desc(), false);
    prepared.run = dnnl::convolution_forward{description};
    return prepared;
  }

  Prepared make_data(const ConvolutionShape& shape) {
    const Descriptions d = describe(shape);
    const dnnl::convolution_backward_data::primitive_desc description{
        {algorithm::convolution_direct, d.x, d.any_weights, d.y, d.strides, d.begin, d.end},
        own_scratch(),
        engine_,
        forward_description(d)};
    Prepared prepared = finish(description, d.x, d.y, d.weights, description.weights_desc(), false);
    prepared.run = dnnl::convolution_backward_data{description};
    return prepared;
  }

  Prepared make_weights(const ConvolutionShape& shape) {
    const Descriptions d = describe(shape);
    const dnnl::convolution_backward_weights::primitive_desc description{
        {algorithm::convolution_direct, d.x, d.any_weights, d.y, d.strides, d.begin, d.end},
        own_scratch(),
        engine_,
        forward_description(d)};
    Prepared prepared =
        finish(description, d.x, d.y, d.weights, description.diff_weights_desc(), true);
    prepared.run = dnnl::convolution_backward_weights{description};
    return prepared;
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  Table forward_;
  Table data_;
  Table weights_;
};

}  // namespace

bool has_onednn() { return true; }

std::string onednn_version() {
  const dnnl_version_t& version = *dnnl_version();
  return fmt::format("oneDNN {}.{}.{}", version.major, version.minor, version.patch);
}

std::unique_ptr<MatrixProduct<float>> onednn_matrix_product(int threads) {
  return std::make_unique<OneDnnMatrixProduct>(threads);
}

std::unique_ptr<Ops<float>> make_onednn_ops(int threads) {
  return std::make_unique<OneDnnOps>(threads);
}

}  // namespace dbsim::calib
