#pragma once
// What one call of each layer amounts to. Bytes are the compulsory ones: every tensor that goes in
// is read once, every tensor that comes out is written once, in float, whatever an implementation
// reads again or puts by. FLOP count the arithmetic of the layer's formula, one each for
// comparisons and for exp, erf, division; what is done once a row or channel beside work on all
// values is left out, and zeros of a padding count like values.
#include "calib/kernels/ops.hpp"

namespace dbsim::bench {

using calib::Activation;
using calib::AttentionShape;
using calib::ChannelShape;
using calib::ConvolutionShape;
using calib::Index;
using calib::PoolShape;

struct Work {
  double flops{};
  double bytes{};
};

/// So many values move, of four bytes each.
inline Work work(Index flops, Index values) {
  return {static_cast<double>(flops), 4.0 * static_cast<double>(values)};
}

struct ConvolutionSizes {
  Index in, out, weights;
  Index multiply_adds;
  explicit ConvolutionSizes(const ConvolutionShape& s)
      : in{s.samples * s.in_height * s.in_width * s.in_channels},
        out{s.samples * s.out_height * s.out_width * s.out_channels},
        weights{s.kernel_height * s.kernel_width * (s.in_channels / s.groups) * s.out_channels},
        multiply_adds{out / s.out_channels * weights} {}
};

/// Without bias.
inline Work convolution_forward(const ConvolutionShape& shape) {
  const ConvolutionSizes n{shape};
  return work(2 * n.multiply_adds, n.in + n.weights + n.out);
}
/// Both gradients.
inline Work convolution_backward(const ConvolutionShape& shape) {
  const ConvolutionSizes n{shape};
  return work(4 * n.multiply_adds, 2 * n.in + 2 * n.weights + n.out);
}

/// With bias.
inline Work linear_forward(Index rows, Index in, Index out) {
  return work(2 * rows * in * out + rows * out, rows * in + in * out + out + rows * out);
}
inline Work linear_backward(Index rows, Index in, Index out) {
  return work(4 * rows * in * out + rows * out, 2 * rows * in + 2 * in * out + out + rows * out);
}

// Norms, forward, per value: 1 for the mean; 3 for the variance; 3 to shift, scale and shift again.
// Backward: 2 for the normalised value; 3 for the gradients of shift and scale; 5 for dx.

/// Also moves scale, shift, mean, deviation, and the running statistics both ways.
inline Work batch_norm_forward(Index rows, Index channels) {
  return work(7 * rows * channels, 2 * rows * channels + 8 * channels);
}
/// Without ReLU.
inline Work batch_norm_backward(Index rows, Index channels) {
  return work(10 * rows * channels, 3 * rows * channels + 5 * channels);
}
inline Work group_norm_forward(const ChannelShape& shape, Index groups) {
  return work(7 * shape.size(), 2 * shape.size() + 2 * shape.channels + 2 * shape.samples * groups);
}
inline Work group_norm_backward(const ChannelShape& shape, Index groups) {
  return work(10 * shape.size(),
              3 * shape.size() + 3 * shape.channels + 2 * shape.samples * groups);
}
inline Work layer_norm_forward(Index rows, Index channels) {
  return work(7 * rows * channels, 2 * rows * channels + 2 * channels + 2 * rows);
}
inline Work layer_norm_backward(Index rows, Index channels) {
  return work(10 * rows * channels, 3 * rows * channels + 3 * channels + 2 * rows);
}

/// The formulas of calib/kernels/elementwise.hpp, operation by operation.
inline Work activation_forward(Activation kind, Index size) {
  const Index each = kind == Activation::relu ? 1 : kind == Activation::sigmoid ? 4 : 5;
  return work(each * size, 2 * size);
}
inline Work activation_backward(Activation kind, Index size) {
  const Index each = kind == Activation::relu ? 1 : kind == Activation::sigmoid ? 3 : 11;
  return work(each * size, 3 * size);
}

struct PoolSizes {
  Index in, out, window;
  explicit PoolSizes(const PoolShape& s)
      : in{s.samples * s.in_height * s.in_width * s.channels},
        out{s.samples * s.out_height * s.out_width * s.channels},
        window{s.kernel * s.kernel} {}
};

/// The choice is a byte a window.
inline Work max_pool_forward(const PoolShape& shape) {
  const PoolSizes n{shape};
  Work sum = work((n.window - 1) * n.out, n.in + n.out);
  sum.bytes += static_cast<double>(n.out);
  return sum;
}
inline Work max_pool_backward(const PoolShape& shape) {
  const PoolSizes n{shape};
  Work sum = work(n.out, n.in + n.out);
  sum.bytes += static_cast<double>(n.out);
  return sum;
}
inline Work average_pool_forward(const PoolShape& shape) {
  const PoolSizes n{shape};
  return work(n.window * n.out, n.in + n.out);
}
inline Work average_pool_backward(const PoolShape& shape) {
  const PoolSizes n{shape};
  return work((n.window + 1) * n.out, n.in + n.out);
}
inline Work global_average_forward(const ChannelShape& shape) {
  return work(shape.size(), shape.size() + shape.samples * shape.channels);
}
inline Work global_average_backward(const ChannelShape& shape) {
  return work(shape.samples * shape.channels, shape.size() + shape.samples * shape.channels);
}

/// Of two tensors, value by value: additions and products alike.
inline Work pairwise(Index size) { return work(size, 3 * size); }
inline Work scale_channels_forward(const ChannelShape& shape) {
  return work(shape.size(), 2 * shape.size() + shape.samples * shape.channels);
}
inline Work scale_channels_backward(const ChannelShape& shape) {
  return work(3 * shape.size(), 3 * shape.size() + 2 * shape.samples * shape.channels);
}
inline Work copy(Index size) { return work(0, 2 * size); }
inline Work add_table(const ChannelShape& shape) {
  return work(shape.size(), 2 * shape.size() + shape.places * shape.channels);
}
/// Random bits are made of whole numbers, which are no FLOP.
inline Work dropout(Index size) { return work(size, 2 * size); }

/// `different`: of how many rows of the table each is read once.
inline Work embedding_forward(Index rows, Index features, Index different) {
  return work(rows * features, rows + (different + rows) * features);
}
/// Writes the whole table.
inline Work embedding_backward(Index rows, Index features, Index vocabulary, Index different) {
  return work((rows + different) * features,
              2 * rows + different + 1 + (rows + vocabulary) * features);
}

struct AttentionSizes {
  Index values, weights, product;  // product: FLOP of one of the products
  explicit AttentionSizes(const AttentionShape& s)
      : values{s.samples * s.length * s.features},
        weights{s.samples * s.heads * s.length * s.length},
        product{2 * s.samples * s.length * s.length * s.features} {}
};

/// Every place with every place, masked or not. The softmax takes 6 a weight; weights are kept.
inline Work attention_forward(const AttentionShape& shape) {
  const AttentionSizes n{shape};
  return work(2 * n.product + 6 * n.weights, 4 * n.values + n.weights);
}
inline Work attention_backward(const AttentionShape& shape) {
  const AttentionSizes n{shape};
  return work(4 * n.product + 5 * n.weights, 7 * n.values + n.weights);
}

/// Loss and gradient.
inline Work softmax_cross_entropy(Index rows, Index classes) {
  return work(6 * rows * classes, 2 * rows * classes + 3 * rows);
}
/// Gradient in; velocity and value in and out.
inline Work sgd(Index size) { return work(6 * size, 5 * size); }

}  // namespace dbsim::bench
