#pragma once
// What a device can compute: every layer's forward and backward. Tensors are plain pointers into
// device memory; a place's channels lie together (NHWC), matrices are row-major. Output never
// overlaps input except where said.
#include "calib/kernels/host_device.hpp"

namespace dbsim::calib {

/// y = x * weights, square kernels or not. Weights: kernel_height x kernel_width x
/// (in_channels / groups) x out_channels.
struct ConvolutionShape {
  Index samples, in_height, in_width, in_channels;
  Index out_height, out_width, out_channels;
  Index kernel_height, kernel_width, stride, padding, groups;
};

struct PoolShape {
  Index samples, in_height, in_width, channels;
  Index out_height, out_width;
  Index kernel, stride, padding;
};

/// Rows of a matrix: samples x places.
struct ChannelShape {
  Index samples, places, channels;
  [[nodiscard]] DBSIM_HOST_DEVICE Index rows() const { return samples * places; }
  [[nodiscard]] DBSIM_HOST_DEVICE Index size() const { return samples * places * channels; }
};

struct AttentionShape {
  Index samples, length, features, heads;
  bool causal;
};

/// Which values a dropout keeps: a function of key and position, so backward needs no stored mask.
struct DropoutDraw {
  double probability;
  std::uint64_t key;
  bool whole_channels;
};

struct SgdSettings {
  double learning_rate;
  double momentum;
  double weight_decay;
};

enum class Activation { relu, sigmoid, gelu };

template <class T>
class Ops {
 public:
  Ops() = default;
  Ops(const Ops&) = delete;
  Ops& operator=(const Ops&) = delete;
  virtual ~Ops() = default;

  // Weighted layers. `bias` and its gradient may be null; `dx` is null where nobody needs it.
  virtual void convolution_forward(const ConvolutionShape& shape, const T* x, const T* weights,
                                   const T* bias, T* y) = 0;
  virtual void convolution_backward(const ConvolutionShape& shape, const T* x, const T* weights,
                                    const T* dy, T* dx, T* dweights, T* dbias) = 0;
  virtual void linear_forward(Index rows, Index in, Index out, const T* x, const T* weights,
                              const T* bias, T* y) = 0;
  virtual void linear_backward(Index rows, Index in, Index out, const T* x, const T* weights,
                               const T* dy, T* dx, T* dweights, T* dbias) = 0;

  /// Batch norm with the batch's own statistics (kept in mean and inverse_deviation), then a ReLU
  /// if asked. The running statistics move towards the batch's (unbiased variance).
  virtual void batch_norm_forward(Index rows, Index channels, const T* x, const T* scale,
                                  const T* shift, double epsilon, double momentum, bool relu, T* y,
                                  T* mean, T* inverse_deviation, T* running_mean,
                                  T* running_variance) = 0;
  /// `y` is read only when a ReLU follows. dx may be dy.
  virtual void batch_norm_backward(Index rows, Index channels, const T* x, const T* y,
                                   const T* scale, const T* mean, const T* inverse_deviation,
                                   bool relu, const T* dy, T* dx, T* dscale, T* dshift) = 0;
  /// With the running statistics.
  virtual void batch_norm_inference(Index rows, Index channels, const T* x, const T* scale,
                                    const T* shift, const T* running_mean,
                                    const T* running_variance, double epsilon, bool relu, T* y) = 0;
  /// Statistics per sample and group; mean and inverse_deviation: samples x groups.
  virtual void group_norm_forward(const ChannelShape& shape, Index groups, const T* x,
                                  const T* scale, const T* shift, double epsilon, T* y, T* mean,
                                  T* inverse_deviation) = 0;
  virtual void group_norm_backward(const ChannelShape& shape, Index groups, const T* x,
                                   const T* scale, const T* mean, const T* inverse_deviation,
                                   const T* dy, T* dx, T* dscale, T* dshift) = 0;
  /// Statistics per row; mean and inverse_deviation: rows.
  virtual void layer_norm_forward(Index rows, Index channels, const T* x, const T* scale,
                                  const T* shift, double epsilon, T* y, T* mean,
                                  T* inverse_deviation) = 0;
  virtual void layer_norm_backward(Index rows, Index channels, const T* x, const T* scale,
                                   const T* mean, const T* inverse_deviation, const T* dy, T* dx,
                                   T* dscale, T* dshift) = 0;

  virtual void activation_forward(Activation kind, Index size, const T* x, T* y) = 0;
  /// dx may be dy.
  virtual void activation_backward(Activation kind, Index size, const T* x, const T* y, const T* dy,
                                   T* dx) = 0;

  /// `chosen` keeps which place of its window each output came from.
  virtual void max_pool_forward(const PoolShape& shape, const T* x, T* y, std::uint8_t* chosen) = 0;
  virtual void max_pool_backward(const PoolShape& shape, const std::uint8_t* chosen, const T* dy,
                                 T* dx) = 0;
  virtual void average_pool_forward(const PoolShape& shape, const T* x, T* y) = 0;
  virtual void average_pool_backward(const PoolShape& shape, const T* dy, T* dx) = 0;
  virtual void global_average_forward(const ChannelShape& shape, const T* x, T* y) = 0;
  virtual void global_average_backward(const ChannelShape& shape, const T* dy, T* dx) = 0;

  /// y = a + b, then a ReLU if asked. y may be a or b.
  virtual void add(Index size, const T* a, const T* b, bool relu, T* y) = 0;
  /// y = x * factor, one factor per sample and channel.
  virtual void scale_channels_forward(const ChannelShape& shape, const T* x, const T* factor,
                                      T* y) = 0;
  virtual void scale_channels_backward(const ChannelShape& shape, const T* x, const T* factor,
                                       const T* dy, T* dx, T* dfactor) = 0;
  /// y = a * b. Its backward is itself, twice. y may be a or b.
  virtual void multiply(Index size, const T* a, const T* b, T* y) = 0;
  /// Copies a rows x columns block between matrices whose rows are further apart.
  virtual void copy_columns(Index rows, Index columns, const T* from, Index from_stride, T* to,
                            Index to_stride) = 0;
  /// y = x + table, the table's rows repeating for every sample.
  virtual void add_table(const ChannelShape& shape, const T* x, const T* table, T* y) = 0;

  /// Forward and backward are the same: kept values are divided by 1 - probability. y may be x.
  virtual void dropout(const ChannelShape& shape, const DropoutDraw& draw, const T* x, T* y) = 0;

  virtual void embedding_forward(Index rows, Index features, const std::int32_t* tokens,
                                 const T* weights, double scale, T* y) = 0;
  /// `order` lists the rows sorted by token, `begin[i]..begin[i + 1]` those of the i-th different
  /// token. dweights is overwritten; tokens that do not occur get zeros.
  virtual void embedding_backward(Index rows, Index features, Index vocabulary, Index different,
                                  const std::int32_t* tokens, const std::int32_t* order,
                                  const std::int32_t* begin, const T* dy, double scale,
                                  T* dweights) = 0;

  /// Scaled dot-product attention. qkv: rows x 3 features; weights keeps the attention weights,
  /// samples x heads x length x length, before dropout; scratch has the same size; y: rows x
  /// features.
  virtual void attention_forward(const AttentionShape& shape, const DropoutDraw& draw, const T* qkv,
                                 T* weights, T* scratch, T* y) = 0;
  virtual void attention_backward(const AttentionShape& shape, const DropoutDraw& draw,
                                  const T* qkv, const T* weights, T* scratch, const T* dy,
                                  T* dqkv) = 0;

  /// Loss of each row and, unless null, its gradient for the mean over all rows. correct[row] is 1
  /// where the largest score is the label's.
  virtual void softmax_cross_entropy(Index rows, Index classes, const T* scores,
                                     const std::int32_t* labels, T* loss, T* correct,
                                     T* dscores) = 0;
  /// velocity = momentum * velocity + gradient + weight_decay * value; value -= rate * velocity.
  virtual void sgd(Index size, const SgdSettings& settings, const T* gradient, T* velocity,
                   T* value) = 0;
};

}  // namespace dbsim::calib
