#include <algorithm>
#include <vector>

#include "bench/kernel_cases.hpp"

namespace dbsim::bench {

namespace {

using Ops = calib::Ops<float>;

// Square, padded to keep the extent (of every stride-th place).
ConvolutionShape square(Index samples, Index extent, Index in, Index out, Index kernel,
                        Index stride, Index groups) {
  const Index after = (extent - 1) / stride + 1;
  return {samples, extent, extent, in,     after,      after,
          out,     kernel, kernel, stride, kernel / 2, groups};
}

using Shaper = ConvolutionShape (*)(Index samples);

ConvolutionShape conv3x3(Index samples) { return square(samples, 32, 64, 64, 3, 1, 1); }
ConvolutionShape conv1x1(Index samples) { return square(samples, 32, 64, 256, 1, 1, 1); }
ConvolutionShape conv3x3_strided(Index samples) { return square(samples, 32, 64, 128, 3, 2, 1); }
ConvolutionShape conv3x3_grouped(Index samples) { return square(samples, 32, 64, 64, 3, 1, 8); }
ConvolutionShape conv3x3_depthwise(Index samples) { return square(samples, 32, 64, 64, 3, 1, 64); }

template <Shaper shaper>
Kernel convolution_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const ConvolutionShape shape = shaper(samples);
  const ConvolutionSizes n{shape};
  const float* x = tensors.values(n.in);
  const float* weights = tensors.values(n.weights);
  float* y = tensors.values(n.out);
  return {convolution_forward(shape),
          [=, &ops] { ops.convolution_forward(shape, x, weights, nullptr, y); }};
}

template <Shaper shaper>
Kernel convolution_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const ConvolutionShape shape = shaper(samples);
  const ConvolutionSizes n{shape};
  const float* x = tensors.values(n.in);
  const float* weights = tensors.values(n.weights);
  const float* dy = tensors.values(n.out);
  float* dx = tensors.values(n.in);
  float* dweights = tensors.values(n.weights);
  return {convolution_backward(shape),
          [=, &ops] { ops.convolution_backward(shape, x, weights, dy, dx, dweights, nullptr); }};
}

constexpr Index rows_each = 64;  // rows of a sample, of linear layers
constexpr Index width = 512;

Kernel linear_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index rows = samples * rows_each;
  const float* x = tensors.values(rows * width);
  const float* weights = tensors.values(width * width);
  const float* bias = tensors.values(width);
  float* y = tensors.values(rows * width);
  return {linear_forward(rows, width, width),
          [=, &ops] { ops.linear_forward(rows, width, width, x, weights, bias, y); }};
}

Kernel linear_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index rows = samples * rows_each;
  const float* x = tensors.values(rows * width);
  const float* weights = tensors.values(width * width);
  const float* dy = tensors.values(rows * width);
  float* dx = tensors.values(rows * width);
  float* dweights = tensors.values(width * width);
  float* dbias = tensors.values(width);
  return {linear_backward(rows, width, width), [=, &ops] {
            ops.linear_backward(rows, width, width, x, weights, dy, dx, dweights, dbias);
          }};
}

constexpr Index vocabulary = 33'278;  // of transformer-wikitext2, as are the features
constexpr Index features = 200;
constexpr Index length = 256;

// Rows in the order of their tokens, and where each different token begins.
struct TokenTable {
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> order;
  std::vector<std::int32_t> begin;
  [[nodiscard]] Index different() const { return static_cast<Index>(begin.size()) - 1; }
};

TokenTable random_tokens(Index rows) {
  TokenTable table;
  for (Index i = 0; i < rows; ++i) {
    table.tokens.push_back(static_cast<std::int32_t>(
        calib::random_bits(1, static_cast<std::uint64_t>(i)) % std::uint64_t{vocabulary}));
    table.order.push_back(static_cast<std::int32_t>(i));
  }
  const auto token = [&](std::int32_t row) { return table.tokens[static_cast<std::size_t>(row)]; };
  std::sort(table.order.begin(), table.order.end(),
            [&](std::int32_t a, std::int32_t b) { return token(a) < token(b); });
  for (std::size_t i = 0; i < table.order.size(); ++i) {
    if (i == 0 || token(table.order[i]) != token(table.order[i - 1])) {
      table.begin.push_back(static_cast<std::int32_t>(i));
    }
  }
  table.begin.push_back(static_cast<std::int32_t>(rows));
  return table;
}

Kernel embedding_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index rows = samples * length;
  const TokenTable table = random_tokens(rows);
  const std::int32_t* tokens = tensors.copied(table.tokens);
  const float* weights = tensors.values(vocabulary * features);
  float* y = tensors.values(rows * features);
  return {embedding_forward(rows, features, table.different()),
          [=, &ops] { ops.embedding_forward(rows, features, tokens, weights, 2.0, y); }};
}

Kernel embedding_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index rows = samples * length;
  const TokenTable table = random_tokens(rows);
  const Index different = table.different();
  const std::int32_t* tokens = tensors.copied(table.tokens);
  const std::int32_t* order = tensors.copied(table.order);
  const std::int32_t* begin = tensors.copied(table.begin);
  const float* dy = tensors.values(rows * features);
  float* dweights = tensors.values(vocabulary * features);
  return {embedding_backward(rows, features, vocabulary, different), [=, &ops] {
            ops.embedding_backward(rows, features, vocabulary, different, tokens, order, begin, dy,
                                   2.0, dweights);
          }};
}

constexpr calib::DropoutDraw keep_all{.probability = 0.0, .key = 1, .whole_channels = false};

AttentionShape attention(Index samples) { return {samples, 128, 256, 4, true}; }

Kernel attention_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const AttentionShape shape = attention(samples);
  const AttentionSizes n{shape};
  const float* qkv = tensors.values(3 * n.values);
  float* weights = tensors.values(n.weights);
  float* scratch = tensors.values(n.weights);
  float* y = tensors.values(n.values);
  return {attention_forward(shape),
          [=, &ops] { ops.attention_forward(shape, keep_all, qkv, weights, scratch, y); }};
}

Kernel attention_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const AttentionShape shape = attention(samples);
  const AttentionSizes n{shape};
  const float* qkv = tensors.values(3 * n.values);
  float* weights = tensors.values(n.weights);
  float* scratch = tensors.values(n.weights);
  float* y = tensors.values(n.values);
  const float* dy = tensors.values(n.values);
  float* dqkv = tensors.values(3 * n.values);
  ops.attention_forward(shape, keep_all, qkv, weights, scratch, y);
  return {attention_backward(shape),
          [=, &ops] { ops.attention_backward(shape, keep_all, qkv, weights, scratch, dy, dqkv); }};
}

}  // namespace

std::vector<KernelCase> weighted_kernels() {
  return {{"conv3x3_forward", convolution_forward_kernel<conv3x3>},
          {"conv3x3_backward", convolution_backward_kernel<conv3x3>},
          {"conv1x1_forward", convolution_forward_kernel<conv1x1>},
          {"conv1x1_backward", convolution_backward_kernel<conv1x1>},
          {"conv3x3_strided_forward", convolution_forward_kernel<conv3x3_strided>},
          {"conv3x3_strided_backward", convolution_backward_kernel<conv3x3_strided>},
          {"conv3x3_grouped_forward", convolution_forward_kernel<conv3x3_grouped>},
          {"conv3x3_grouped_backward", convolution_backward_kernel<conv3x3_grouped>},
          {"conv3x3_depthwise_forward", convolution_forward_kernel<conv3x3_depthwise>},
          {"conv3x3_depthwise_backward", convolution_backward_kernel<conv3x3_depthwise>},
          {"linear_forward", linear_forward_kernel},
          {"linear_backward", linear_backward_kernel},
          {"embedding_forward", embedding_forward_kernel},
          {"embedding_backward", embedding_backward_kernel},
          {"attention_forward", attention_forward_kernel},
          {"attention_backward", attention_backward_kernel}};
}

}  // namespace dbsim::bench
