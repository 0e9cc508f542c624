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
#include <utility>

#include "calib/kernels/batch_norm.hpp"
#include "calib/kernels/convolution.hpp"
#include "calib/kernels/elementwise.hpp"
#include "calib/kernels/embedding.hpp"
#include "calib/kernels/group_norm.hpp"
#include "calib/kernels/layer_norm.hpp"
#include "calib/kernels/matmul.hpp"
#include "calib/kernels/ops.hpp"
#include "calib/kernels/pooling.hpp"
#include "calib/kernels/softmax.hpp"

namespace dbsim::calib {

template <class Launcher>
class LayerOps : public Ops<typename Launcher::Value> {
 public:
  using T = typename Launcher::Value;

  template <class... Arguments>
  explicit LayerOps(Arguments&&... arguments) : launch_{std::forward<Arguments>(arguments)...} {}

  void convolution_forward(const ConvolutionShape& shape, const T* x, const T* weights,
                           const T* bias, T* y) override {
    const Index places = shape.out_height * shape.out_width;
    if (depthwise(shape)) {
      launch_.for_each_channel(shape.samples * places, shape.out_channels,
                               DepthwiseForward<T>{shape, x, weights, y});
    } else if (patches_are_input(shape)) {
      linear_product(shape.samples * places, shape.in_channels, shape.out_channels, x, weights, y);
    } else {
      for_each_chunk(shape, [&](const PatchShape& patch, T* patches) {
        gather(shape, patch, x, patches);
        Matmul product = grouped(shape, patch.rows, patch.columns(), shape.out_channels);
        product.leading_a = patch.columns();
        product.stride_a = patch.rows * patch.columns();
        launch_.matmul(product, patches, weights,
                       y + patch.first_sample * places * shape.out_channels);
      });
    }
    add_bias(shape.samples * places, shape.out_channels, bias, y);
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
    bias_gradient(rows, shape.out_channels, dy, dbias);
  }

  void linear_forward(Index rows, Index in, Index out, const T* x, const T* weights, const T* bias,
                      T* y) override {
    linear_product(rows, in, out, x, weights, y);
    add_bias(rows, out, bias, y);
  }

  void linear_backward(Index rows, Index in, Index out, const T* x, const T* weights, const T* dy,
                       T* dx, T* dweights, T* dbias) override {
    linear_gradients(rows, in, out, x, weights, dy, dx, dweights);
    bias_gradient(rows, out, dy, dbias);
  }

  void batch_norm_forward(Index rows, Index channels, const T* x, const T* scale, const T* shift,
                          double epsilon, double momentum, bool relu, T* y, T* mean,
                          T* inverse_deviation, T* running_mean, T* running_variance) override {
    launch_.sum_columns(
        1, rows, channels,
        BatchNormMoments<T>{rows, channels, x, epsilon, static_cast<T>(momentum), mean,
                            inverse_deviation, running_mean, running_variance});
    if (relu) {
      launch_.map_channels(rows, channels,
                           BatchNormApply<T, true>{mean, inverse_deviation, scale, shift}, y, x);
    } else {
      launch_.map_channels(rows, channels,
                           BatchNormApply<T, false>{mean, inverse_deviation, scale, shift}, y, x);
    }
  }

  void batch_norm_backward(Index rows, Index channels, const T* x, const T* y, const T* scale,
                           const T* mean, const T* inverse_deviation, bool relu, const T* dy, T* dx,
                           T* dscale, T* dshift) override {
    T* own = launch_.scratch(3 * channels);
    T* slope = own + channels;
    T* level = slope + channels;
    if (relu) {
      launch_.sum_columns(
          1, rows, channels,
          BatchNormGradientSums<T, true>{rows, channels, x, y, dy, mean, inverse_deviation, scale,
                                         dscale, dshift, own, slope, level});
      launch_.map_channels(rows, channels, BatchNormGradient<T, true>{mean, own, slope, level}, dx,
                           x, y, dy);
    } else {
      launch_.sum_columns(
          1, rows, channels,
          BatchNormGradientSums<T, false>{rows, channels, x, y, dy, mean, inverse_deviation, scale,
                                          dscale, dshift, own, slope, level});
      launch_.map_channels(rows, channels, BatchNormGradient<T, false>{mean, own, slope, level}, dx,
                           x, dy);
    }
  }

  void batch_norm_inference(Index rows, Index channels, const T* x, const T* scale, const T* shift,
                            const T* running_mean, const T* running_variance, double epsilon,
                            bool relu, T* y) override {
    const auto small = static_cast<T>(epsilon);
    if (relu) {
      launch_.map_channels(
          rows, channels,
          BatchNormInference<T, true>{running_mean, running_variance, scale, shift, small}, y, x);
    } else {
      launch_.map_channels(
          rows, channels,
          BatchNormInference<T, false>{running_mean, running_variance, scale, shift, small}, y, x);
    }
  }

  void group_norm_forward(const ChannelShape& shape, Index groups, const T* x, const T* scale,
                          const T* shift, double epsilon, T* y, T* mean,
                          T* inverse_deviation) override {
    const Index channels = shape.channels;
    T* first = launch_.scratch(2 * shape.samples * channels);
    T* second = first + shape.samples * channels;
    launch_.sum_columns(shape.samples, shape.places, channels,
                        SampleMoments<T>{shape.places, channels, x, first, second});
    launch_.for_each(shape.samples * groups,
                     PoolMoments<T>{shape.places, channels, groups, epsilon, first, second, mean,
                                    inverse_deviation});
    launch_.for_each(
        shape.samples * channels,
        SpreadMoments<T>{channels, groups, mean, inverse_deviation, scale, first, second});
    launch_.map_channels(shape.rows(), channels,
                         GroupNormApply<T>{shape.places, channels, first, second, shift}, y, x);
  }

  void group_norm_backward(const ChannelShape& shape, Index groups, const T* x, const T* scale,
                           const T* mean, const T* inverse_deviation, const T* dy, T* dx, T* dscale,
                           T* dshift) override {
    const Index channels = shape.channels;
    T* plain = launch_.scratch(2 * shape.samples * (channels + groups));
    T* along = plain + shape.samples * channels;
    T* slope = along + shape.samples * channels;
    T* level = slope + shape.samples * groups;
    launch_.sum_columns(shape.samples, shape.places, channels,
                        SampleGradientSums<T>{shape.places, channels, groups, x, dy, mean,
                                              inverse_deviation, plain, along});
    launch_.sum_columns(1, shape.samples, channels,
                        AffineGradients<T>{channels, plain, along, dscale, dshift});
    launch_.for_each(shape.samples * groups,
                     GroupGradientFactors<T>{shape.places, channels, groups, scale,
                                             inverse_deviation, plain, along, slope, level});
    launch_.map_channels(shape.rows(), channels,
                         GroupNormGradient<T>{shape.places, channels, groups, scale, mean,
                                              inverse_deviation, slope, level},
                         dx, x, dy);
  }

  void layer_norm_forward(Index rows, Index channels, const T* x, const T* scale, const T* shift,
                          double epsilon, T* y, T* mean, T* inverse_deviation) override {
    launch_.for_each_team(rows, channels,
                          LayerNormForward<T>{channels, x, scale, shift, static_cast<T>(epsilon), y,
                                              mean, inverse_deviation});
  }

  void layer_norm_backward(Index rows, Index channels, const T* x, const T* scale, const T* mean,
                           const T* inverse_deviation, const T* dy, T* dx, T* dscale,
                           T* dshift) override {
    launch_.sum_columns(
        1, rows, channels,
        LayerNormParameterGradients<T>{channels, x, dy, mean, inverse_deviation, dscale, dshift});
    launch_.for_each_team(
        rows, channels, LayerNormBackward<T>{channels, x, scale, mean, inverse_deviation, dy, dx});
  }

  void activation_forward(Activation kind, Index size, const T* x, T* y) override {
    switch (kind) {
      case Activation::relu:
        return launch_.map(size, ReluForward<T>{}, y, x);
      case Activation::sigmoid:
        return launch_.map(size, SigmoidForward<T>{}, y, x);
      case Activation::gelu:
        return launch_.map(size, GeluForward<T>{}, y, x);
    }
  }

  void activation_backward(Activation kind, Index size, const T* x, const T* y, const T* dy,
                           T* dx) override {
    switch (kind) {
      case Activation::relu:
        return launch_.map(size, ReluBackward<T>{}, dx, y, dy);
      case Activation::sigmoid:
        return launch_.map(size, SigmoidBackward<T>{}, dx, y, dy);
      case Activation::gelu:
        return launch_.map(size, GeluBackward<T>{}, dx, x, dy);
    }
  }

  void max_pool_forward(const PoolShape& shape, const T* x, T* y, std::uint8_t* chosen) override {
    launch_.for_each_channel(shape.samples * shape.out_height * shape.out_width, shape.channels,
                             MaxPoolForward<T>{shape, x, y, chosen});
  }

  void max_pool_backward(const PoolShape& shape, const std::uint8_t* chosen, const T* dy,
                         T* dx) override {
    launch_.for_each_channel(shape.samples * shape.in_height * shape.in_width, shape.channels,
                             MaxPoolBackward<T>{shape, chosen, dy, dx});
  }

  void average_pool_forward(const PoolShape& shape, const T* x, T* y) override {
    launch_.for_each_channel(shape.samples * shape.out_height * shape.out_width, shape.channels,
                             AveragePoolForward<T>{shape, x, y});
  }

  void average_pool_backward(const PoolShape& shape, const T* dy, T* dx) override {
    launch_.for_each_channel(shape.samples * shape.in_height * shape.in_width, shape.channels,
                             AveragePoolBackward<T>{shape, dy, dx});
  }

  void global_average_forward(const ChannelShape& shape, const T* x, T* y) override {
    launch_.sum_columns(shape.samples, shape.places, shape.channels,
                        GlobalAverageForward<T>{shape.places, shape.channels, x, y});
  }

  void global_average_backward(const ChannelShape& shape, const T* dy, T* dx) override {
    launch_.for_each_channel(shape.rows(), shape.channels,
                             GlobalAverageBackward<T>{shape.places, shape.channels, dy, dx});
  }

  void add(Index size, const T* a, const T* b, bool relu, T* y) override {
    if (relu) {
      launch_.map(size, AddThenRelu<T>{}, y, a, b);
    } else {
      launch_.map(size, AddValues<T>{}, y, a, b);
    }
  }

  void scale_channels_forward(const ChannelShape& shape, const T* x, const T* factor,
                              T* y) override {
    launch_.map_channels(shape.rows(), shape.channels,
                         ScaleChannels<T>{factor, shape.places, shape.channels}, y, x);
  }

  void scale_channels_backward(const ChannelShape& shape, const T* x, const T* factor, const T* dy,
                               T* dx, T* dfactor) override {
    launch_.sum_columns(shape.samples, shape.places, shape.channels,
                        ChannelFactorGradient<T>{shape.channels, x, dy, dfactor});
    scale_channels_forward(shape, dy, factor, dx);
  }

  void multiply(Index size, const T* a, const T* b, T* y) override {
    launch_.map(size, MultiplyValues<T>{}, y, a, b);
  }

  void copy_columns(Index rows, Index columns, const T* from, Index from_stride, T* to,
                    Index to_stride) override {
    launch_.copy_columns(rows, columns, from, from_stride, to, to_stride);
  }

  void add_table(const ChannelShape& shape, const T* x, const T* table, T* y) override {
    launch_.map_channels(shape.rows(), shape.channels,
                         AddTable<T>{table, shape.places, shape.channels}, y, x);
  }

  void dropout(const ChannelShape& shape, const DropoutDraw& draw, const T* x, T* y) override {
    const auto probability = static_cast<T>(draw.probability);
    const auto factor = static_cast<T>(1.0 / (1.0 - draw.probability));
    if (draw.whole_channels) {
      launch_.map_channels(
          shape.rows(), shape.channels,
          DropChannels<T>{draw.key, probability, factor, shape.places, shape.channels}, y, x);
    } else {
      launch_.map(shape.size(), DropValues<T>{draw.key, probability, factor}, y, x);
    }
  }

  void embedding_forward(Index rows, Index features, const std::int32_t* tokens, const T* weights,
                         double scale, T* y) override {
    launch_.for_each_channel(
        rows, features, EmbeddingForward<T>{features, tokens, weights, static_cast<T>(scale), y});
  }

  void embedding_backward(Index, Index features, Index vocabulary, Index different,
                          const std::int32_t* tokens, const std::int32_t* order,
                          const std::int32_t* begin, const T* dy, double scale,
                          T* dweights) override {
    launch_.zero(vocabulary * features, dweights);
    launch_.for_each_channel(
        different, features,
        EmbeddingBackward<T>{features, tokens, order, begin, dy, static_cast<T>(scale), dweights});
  }

  void attention_forward(const AttentionShape& shape, const DropoutDraw& draw, const T* qkv,
                         T* weights, T* scratch, T* y) override {
    const Index width = shape.features / shape.heads;
    for (Index head = 0; head < shape.heads; ++head) {
      const T* query = qkv + head * width;
      launch_.matmul(scores_product(shape), query, query + shape.features,
                     head_of(shape, weights, head));
    }
    launch_.for_each_team(
        attention_rows(shape), shape.length,
        AttentionSoftmax<T>{shape.length, shape.causal,
                            static_cast<T>(1.0 / std::sqrt(double(width))), weights});
    const T* used = dropped(shape, draw, weights, scratch);
    for (Index head = 0; head < shape.heads; ++head) {
      const T* value = qkv + 2 * shape.features + head * width;
      launch_.matmul(weighted_product(shape, false), head_of(shape, used, head), value,
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
      launch_.matmul(product, head_of(shape, used, head), dy + head * width,
                     dqkv + 2 * shape.features + head * width);
    }
    for (Index head = 0; head < shape.heads; ++head) {  // dWeights = dY V^T
      Matmul product = scores_product(shape);
      product.leading_a = shape.features;
      product.stride_a = shape.length * shape.features;
      launch_.matmul(product, dy + head * width, qkv + 2 * shape.features + head * width,
                     head_of(shape, scratch, head));
    }
    if (draw.probability > 0.0) dropout(weights_shape(shape), draw, scratch, scratch);
    launch_.for_each_team(
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
        launch_.matmul(product, head_of(shape, scratch, head),
                       to_key ? query : query + shape.features,
                       to_key ? dquery + shape.features : dquery);
      }
    }
  }

  void softmax_cross_entropy(Index rows, Index classes, const T* scores, const std::int32_t* labels,
                             T* loss, T* correct, T* dscores) override {
    launch_.for_each_team(
        rows, classes,
        SoftmaxCrossEntropy<T>{rows, classes, scores, labels, loss, correct, dscores});
  }

  void sgd(Index size, const SgdSettings& settings, const T* gradient, T* velocity,
           T* value) override {
    launch_.for_each(
        size,
        SgdUpdate<T>{static_cast<T>(settings.learning_rate), static_cast<T>(settings.momentum),
                     static_cast<T>(settings.weight_decay), gradient, velocity, value});
  }

 protected:
  [[nodiscard]] Launcher& launcher() { return launch_; }
  [[nodiscard]] const Launcher& launcher() const { return launch_; }

  void add_bias(Index rows, Index channels, const T* bias, T* y) {
    if (bias != nullptr) launch_.map_channels(rows, channels, AddBias<T>{bias}, y, y);
  }

  void bias_gradient(Index rows, Index channels, const T* dy, T* dbias) {
    if (dbias != nullptr) {
      launch_.sum_columns(1, rows, channels, BiasGradient<T>{channels, dy, dbias});
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
    launch_.matmul({rows, out, in, false, false, in, out, out}, x, weights, y);
  }

  void linear_gradients(Index rows, Index in, Index out, const T* x, const T* weights, const T* dy,
                        T* dx, T* dweights) {
    launch_.matmul({in, out, rows, true, false, in, out, out}, x, dy, dweights);
    if (dx != nullptr) launch_.matmul({rows, in, out, false, true, out, out, in}, dy, weights, dx);
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
    const Index together = std::clamp<Index>(launch_.patch_values() / values, 1, shape.samples);
    T* patches = launch_.scratch(together * values);
    for (Index sample = 0; sample < shape.samples; sample += together) {
      patch.first_sample = sample;
      patch.rows = std::min(together, shape.samples - sample) * places;
      work(patch, patches);
    }
  }

  void gather(const ConvolutionShape& shape, const PatchShape& patch, const T* x, T* patches) {
    launch_.for_each_team(patch.rows * patch.taps, patch.width,
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
      launch_.matmul(weight, patches, dy_part, dweights);
      if (dx == nullptr) return;
      Matmul input{patch.rows,         patch.columns(),    width,          false, true,
                   shape.out_channels, shape.out_channels, patch.columns()};
      input.batch = shape.groups;
      input.stride_a = width;
      input.stride_b = width;
      input.stride_c = patch.rows * patch.columns();
      launch_.matmul(input, dy_part, weights, patches);
      launch_.for_each_team(patch.rows / places * shape.in_height * shape.in_width,
                            shape.in_channels, ScatterPatches<T>{shape, patch, patches, dx});
    });
  }

  void depthwise_backward(const ConvolutionShape& shape, const T* x, const T* weights, const T* dy,
                          T* dx, T* dweights) {
    for (Index h = 0; h < shape.kernel_height; ++h) {
      for (Index w = 0; w < shape.kernel_width; ++w) {
        launch_.sum_columns(1, shape.samples * shape.out_height * shape.out_width,
                            shape.out_channels,
                            DepthwiseWeightGradient<T>{shape, h, w, x, dy, dweights});
      }
    }
    if (dx != nullptr) {
      launch_.for_each_channel(shape.samples * shape.in_height * shape.in_width, shape.in_channels,
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
    dropout(weights_shape(shape), draw, weights, scratch);
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

  Launcher launch_;
};

}  // namespace dbsim::calib
