#pragma once
// Every layer in terms of a few launch patterns, so that the CPU and the GPU run the same layers on
// the same bodies. A Launcher offers, on pointers into its own memory:
//
//   using Value                                                    float or double
//   map(n, body, out, in...)                      out[i] = body(i, in[i]...); out may be an input
//   map_channels(rows, channels, body, out, in...)         the same as body(row, channel, in...)
//   for_each(n, body)                                              body(i)
//   for_each_channel(rows, channels, body)                         body.at(row)(channel)
//   for_each_team(teams, width, body)    body(team's number, team); width: values a team shares
//   sum_columns(segments, rows, columns, body)   body.load each row, add up within a segment of
//                                                `rows` rows, body.store(segment, column, sums)
//   copy_columns(rows, columns, from, from_stride, to, to_stride)
//   zero(n, to)
//   matmul(Matmul, a, b, c)
//   scratch(n)        room for n values until the next call of scratch
//   patch_values()    how many patch values a convolution should gather at a time
#include <algorithm>
#include <cmath>

#include "calib/kernels/convolution.hpp"
#include "calib/kernels/matmul.hpp"
#include "calib/kernels/simple_layers.hpp"
#include "calib/kernels/softmax.hpp"

namespace dbsim::calib {

template <class Launcher>
class LayerOps : public SimpleLayers<Launcher> {
  using Layers = SimpleLayers<Launcher>;

 public:
  using T = typename Launcher::Value;
  using Layers::Layers;

  void convolution_forward(const ConvolutionShape& shape, const T* x, const T* weights,
                           const T* bias, T* y) override {
    const Index places = shape.out_height * shape.out_width;
    if (depthwise(shape)) {
      this->launcher().for_each_channel(shape.samples * places, shape.out_channels,
                                        DepthwiseForward<T>{shape, x, weights, y});
    } else if (patches_are_input(shape)) {
      linear_product(shape.samples * places, shape.in_channels, shape.out_channels, x, weights, y);
    } else {
      for_each_chunk(shape, [&](const PatchShape& patch, T* patches) {
        gather(shape, patch, x, patches);
        Matmul product = grouped(shape, patch.rows, patch.columns(), shape.out_channels);
        product.leading_a = patch.columns();
        product.stride_a = patch.rows * patch.columns();
        this->launcher().matmul(product, patches, weights,
                                y + patch.first_sample * places * shape.out_channels);
      });
    }
    this->add_bias(shape.samples * places, shape.out_channels, bias, y);
  }

  void convolution_backward(const ConvolutionShape& shape, const T* x, const T* weights,
                            const T* dy, T* dx, T* dweights, T* dbias) override {
    const Index rows = shape.samples * shape.out_height * shape.out_width;
    if (depthwise(shape)) {
      depthwise_backward(shape, x, weights, dy, dx, dweights);
    } else if (patches_are_input(shape)) {
      linear_gradients(rows, shape.in_channels, shape.out_channels, x, weights, dy, dx, dweights);
    } else {
      patch_gradients(shape, x, weights, dy, dx, dweights);
    }
    this->bias_gradient(rows, shape.out_channels, dy, dbias);
  }

  void linear_forward(Index rows, Index in, Index out, const T* x, const T* weights, const T* bias,
                      T* y) override {
    linear_product(rows, in, out, x, weights, y);
    this->add_bias(rows, out, bias, y);
  }

  void linear_backward(Index rows, Index in, Index out, const T* x, const T* weights, const T* dy,
                       T* dx, T* dweights, T* dbias) override {
    linear_gradients(rows, in, out, x, weights, dy, dx, dweights);
    this->bias_gradient(rows, out, dy, dbias);
  }
  void attention_forward(const AttentionShape& shape, const DropoutDraw& draw, const T* qkv,
                         T* weights, T* scratch, T* y) override {
    const Index width = shape.features / shape.heads;
    for (Index head = 0; head < shape.heads; ++head) {
      const T* query = qkv + head * width;
      this->launcher().matmul(scores_product(shape), query, query + shape.features,
                              head_of(shape, weights, head));
    }
    this->launcher().for_each_team(
        attention_rows(shape), shape.length,
        AttentionSoftmax<T>{shape.length, shape.causal,
                            static_cast<T>(1.0 / std::sqrt(double(width))), weights});
    const T* used = dropped(shape, draw, weights, scratch);
    for (Index head = 0; head < shape.heads; ++head) {
      const T* value = qkv + 2 * shape.features + head * width;
      this->launcher().matmul(weighted_product(shape, false), head_of(shape, used, head), value,
                              y + head * width);
    }
  }

  void attention_backward(const AttentionShape& shape, const DropoutDraw& draw, const T* qkv,
                          const T* weights, T* scratch, const T* dy, T* dqkv) override {
    const Index width = shape.features / shape.heads;
    const Index row = 3 * shape.features;
    const T* used = dropped(shape, draw, weights, scratch);
    for (Index head = 0; head < shape.heads; ++head) {  // dV = (weights after dropout)^T dY
      Matmul product = weighted_product(shape, true);
      product.leading_b = shape.features;
      product.stride_b = shape.length * shape.features;
      product.leading_c = row;
      product.stride_c = shape.length * row;
      this->launcher().matmul(product, head_of(shape, used, head), dy + head * width,
                              dqkv + 2 * shape.features + head * width);
    }
    for (Index head = 0; head < shape.heads; ++head) {  // dWeights = dY V^T
      Matmul product = scores_product(shape);
      product.leading_a = shape.features;
      product.stride_a = shape.length * shape.features;
      this->launcher().matmul(product, dy + head * width, qkv + 2 * shape.features + head * width,
                              head_of(shape, scratch, head));
    }
    if (draw.probability > 0.0) this->dropout(weights_shape(shape), draw, scratch, scratch);
    this->launcher().for_each_team(
        attention_rows(shape), shape.length,
        AttentionSoftmaxBackward<T>{shape.length, static_cast<T>(1.0 / std::sqrt(double(width))),
                                    weights, scratch});
    for (Index head = 0; head < shape.heads; ++head) {
      const T* query = qkv + head * width;
      T* dquery = dqkv + head * width;
      for (const bool to_key : {false, true}) {  // dQ = dScores K, dK = dScores^T Q
        Matmul product = weighted_product(shape, to_key);
        product.leading_c = row;
        product.stride_c = shape.length * row;
        this->launcher().matmul(product, head_of(shape, scratch, head),
                                to_key ? query : query + shape.features,
                                to_key ? dquery + shape.features : dquery);
      }
    }
  }

 private:
  static bool depthwise(const ConvolutionShape& shape) {
    return shape.groups == shape.in_channels && shape.groups == shape.out_channels;
  }

  static bool patches_are_input(const ConvolutionShape& shape) {
    return shape.groups == 1 && shape.kernel_height == 1 && shape.kernel_width == 1 &&
           shape.stride == 1 && shape.padding == 0;
  }

  void linear_product(Index rows, Index in, Index out, const T* x, const T* weights, T* y) {
    this->launcher().matmul({rows, out, in, false, false, in, out, out}, x, weights, y);
  }

  void linear_gradients(Index rows, Index in, Index out, const T* x, const T* weights, const T* dy,
                        T* dx, T* dweights) {
    this->launcher().matmul({in, out, rows, true, false, in, out, out}, x, dy, dweights);
    if (dx != nullptr)
      this->launcher().matmul({rows, in, out, false, true, out, out, in}, dy, weights, dx);
  }

  /// One product a group: (rows x columns) times (columns x channels of a group).
  static Matmul grouped(const ConvolutionShape& shape, Index rows, Index columns, Index channels) {
    const Index width = channels / shape.groups;
    Matmul product{rows, width, columns, false, false, columns, channels, channels};
    product.batch = shape.groups;
    product.stride_b = width;
    product.stride_c = width;
    return product;
  }

  template <class Work>
  void for_each_chunk(const ConvolutionShape& shape, const Work& work) {
    PatchShape patch{};
    patch.taps = shape.kernel_height * shape.kernel_width;
    patch.width = shape.in_channels / shape.groups;
    const Index places = shape.out_height * shape.out_width;
    const Index values = places * patch.taps * shape.in_channels;
    const Index together =
        std::clamp<Index>(this->launcher().patch_values() / values, 1, shape.samples);
    T* patches = this->launcher().scratch(together * values);
    for (Index sample = 0; sample < shape.samples; sample += together) {
      patch.first_sample = sample;
      patch.rows = std::min(together, shape.samples - sample) * places;
      work(patch, patches);
    }
  }

  void gather(const ConvolutionShape& shape, const PatchShape& patch, const T* x, T* patches) {
    this->launcher().for_each_team(patch.rows * patch.taps, patch.width,
                                   GatherPatches<T>{shape, patch, x, patches});
  }

  void patch_gradients(const ConvolutionShape& shape, const T* x, const T* weights, const T* dy,
                       T* dx, T* dweights) {
    const Index places = shape.out_height * shape.out_width;
    const Index width = shape.out_channels / shape.groups;
    for_each_chunk(shape, [&](const PatchShape& patch, T* patches) {
      const T* dy_part = dy + patch.first_sample * places * shape.out_channels;
      gather(shape, patch, x, patches);
      Matmul weight{patch.columns(), width,           patch.rows,         true,
                    false,           patch.columns(), shape.out_channels, shape.out_channels};
      weight.beta = patch.first_sample == 0 ? 0.0 : 1.0;
      weight.batch = shape.groups;
      weight.stride_a = patch.rows * patch.columns();
      weight.stride_b = width;
      weight.stride_c = width;
      this->launcher().matmul(weight, patches, dy_part, dweights);
      if (dx == nullptr) return;
      Matmul input{patch.rows,         patch.columns(),    width,          false, true,
                   shape.out_channels, shape.out_channels, patch.columns()};
      input.batch = shape.groups;
      input.stride_a = width;
      input.stride_b = width;
      input.stride_c = patch.rows * patch.columns();
      this->launcher().matmul(input, dy_part, weights, patches);
      this->launcher().for_each_team(patch.rows / places * shape.in_height * shape.in_width,
                                     shape.in_channels,
                                     ScatterPatches<T>{shape, patch, patches, dx});
    });
  }

  void depthwise_backward(const ConvolutionShape& shape, const T* x, const T* weights, const T* dy,
                          T* dx, T* dweights) {
    for (Index h = 0; h < shape.kernel_height; ++h) {
      for (Index w = 0; w < shape.kernel_width; ++w) {
        this->launcher().sum_columns(1, shape.samples * shape.out_height * shape.out_width,
                                     shape.out_channels,
                                     DepthwiseWeightGradient<T>{shape, h, w, x, dy, dweights});
      }
    }
    if (dx != nullptr) {
      this->launcher().for_each_channel(shape.samples * shape.in_height * shape.in_width,
                                        shape.in_channels,
                                        DepthwiseBackward<T>{shape, weights, dy, dx});
    }
  }

  static Index attention_rows(const AttentionShape& shape) {
    return shape.samples * shape.heads * shape.length;
  }

  static ChannelShape weights_shape(const AttentionShape& shape) {
    return {shape.samples, shape.heads * shape.length, shape.length};
  }

  template <class Pointer>
  static Pointer head_of(const AttentionShape& shape, Pointer weights, Index head) {
    return weights + head * shape.length * shape.length;
  }

  const T* dropped(const AttentionShape& shape, const DropoutDraw& draw, const T* weights,
                   T* scratch) {
    if (draw.probability <= 0.0) return weights;
    this->dropout(weights_shape(shape), draw, weights, scratch);
    return scratch;
  }

  /// rows x width times (rows x width)^T, both inside qkv, to length x length; one a sample.
  static Matmul scores_product(const AttentionShape& shape) {
    const Index row = 3 * shape.features;
    Matmul product{shape.length, shape.length, shape.features / shape.heads, false, true, row,
                   row,          shape.length};
    product.batch = shape.samples;
    product.stride_a = shape.length * row;
    product.stride_b = shape.length * row;
    product.stride_c = shape.heads * shape.length * shape.length;
    return product;
  }

  /// length x length (transposed if asked) times rows x width inside qkv, to rows of features.
  static Matmul weighted_product(const AttentionShape& shape, bool transposed) {
    const Index row = 3 * shape.features;
    Matmul product{shape.length, shape.features / shape.heads,
                   shape.length, transposed,
                   false,        shape.length,
                   row,          shape.features};
    product.batch = shape.samples;
    product.stride_a = shape.heads * shape.length * shape.length;
    product.stride_b = shape.length * row;
    product.stride_c = shape.length * shape.features;
    return product;
  }
};

}  // namespace dbsim::calib
