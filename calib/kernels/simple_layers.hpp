#pragma once
// Layers without matrix products, in terms of the launch patterns that layer_ops.hpp lists.
#include <cmath>
#include <utility>

#include "calib/kernels/batch_norm.hpp"
#include "calib/kernels/convolution.hpp"
#include "calib/kernels/elementwise.hpp"
#include "calib/kernels/embedding.hpp"
#include "calib/kernels/group_norm.hpp"
#include "calib/kernels/layer_norm.hpp"
#include "calib/kernels/ops.hpp"
#include "calib/kernels/pooling.hpp"
#include "calib/kernels/softmax.hpp"

namespace dbsim::calib {

template <class Launcher>
class SimpleLayers : public Ops<typename Launcher::Value> {
 public:
  using T = typename Launcher::Value;

  template <class... Arguments>
  explicit SimpleLayers(Arguments&&... arguments)
      : launch_{std::forward<Arguments>(arguments)...} {}

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
  Launcher launch_;
};

}  // namespace dbsim::calib
