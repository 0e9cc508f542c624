// Counted by hand, on shapes small enough for it, and on layers whose counts others published.
#include "bench/kernel_work.hpp"
#include "tests/catch.hpp"

using namespace dbsim::bench;

namespace {

ConvolutionShape convolution(Index extent, Index in, Index after, Index out, Index kernel,
                             Index stride, Index padding, Index groups) {
  return {1, extent, extent, in, after, after, out, kernel, kernel, stride, padding, groups};
}

void check_work(const Work& work, double flops, double bytes) {
  CHECK(work.flops == flops);
  CHECK(work.bytes == bytes);
}

}  // namespace

TEST_CASE("a 3x3 convolution of 64 to 64 channels at 32x32", "[bench]") {
  const ConvolutionShape shape = convolution(32, 64, 32, 64, 3, 1, 1, 1);
  // 1024 places x 576 weights a channel x 64 channels, two FLOP each; x and y of 65,536 values, and
  // 36,864 weights.
  check_work(convolution_forward(shape), 75'497'472, 4.0 * (65'536 + 65'536 + 36'864));
  // Once more for each gradient; dx and dweights come out.
  check_work(convolution_backward(shape), 150'994'944, 4.0 * (3 * 65'536 + 2 * 36'864));
}

TEST_CASE("work of a convolution grows with the batch, and its weights do not", "[bench]") {
  ConvolutionShape shape = convolution(32, 64, 32, 64, 3, 1, 1, 1);
  shape.samples = 8;
  check_work(convolution_forward(shape), 8 * 75'497'472.0, 4.0 * (16 * 65'536 + 36'864));
}

TEST_CASE("AlexNet's convolutions have the published multiply-adds", "[bench]") {
  // Krizhevsky et al. 2012, section 3.5 and figure 2. First layer, strided: 55 x 55 places, 96
  // kernels of 11 x 11 x 3. Second, in two groups: 27 x 27 places, 256 kernels of 5 x 5 x 48.
  CHECK(convolution_forward(convolution(227, 3, 55, 96, 11, 4, 0, 1)).flops == 2.0 * 105'415'200);
  CHECK(convolution_forward(convolution(27, 96, 27, 256, 5, 1, 2, 2)).flops == 2.0 * 223'948'800);
}

TEST_CASE("a depthwise convolution has one kernel a channel", "[bench]") {
  // 4 x 4 places x 2 channels x 9.
  check_work(convolution_forward(convolution(4, 2, 4, 2, 3, 1, 1, 2)), 576, 4.0 * (32 + 32 + 18));
}

TEST_CASE("a linear layer of 3 to 4 features on 2 rows", "[bench]") {
  // Forward: 24 multiply-adds, 8 biases added; x 6, weights 12, bias 4, y 8. Backward: 48
  // multiply-adds, 8 added up; x, dx 6; weights, dweights 12; dbias 4; dy 8.
  check_work(linear_forward(2, 3, 4), 48 + 8, 4.0 * 30);
  check_work(linear_backward(2, 3, 4), 96 + 8, 4.0 * 48);
}

TEST_CASE("norms of 5 rows of 2 channels", "[bench]") {
  // x, y; of each channel scale, shift, mean, deviation, two running statistics in and out.
  check_work(batch_norm_forward(5, 2), 70, 4.0 * (10 + 10 + 16));
  // x, dy, dx; of each channel scale, mean, deviation, dscale, dshift.
  check_work(batch_norm_backward(5, 2), 100, 4.0 * (30 + 10));
  // Scale and shift a channel; mean and deviation a sample and group.
  check_work(group_norm_forward({1, 5, 2}, 1), 70, 4.0 * (20 + 4 + 2));
  check_work(group_norm_backward({1, 5, 2}, 2), 100, 4.0 * (30 + 6 + 4));
  // Mean and deviation a row.
  check_work(layer_norm_forward(5, 2), 70, 4.0 * (20 + 4 + 10));
  check_work(layer_norm_backward(5, 2), 100, 4.0 * (30 + 6 + 10));
}

TEST_CASE("layers that work value by value, on 10 values", "[bench]") {
  check_work(activation_forward(Activation::relu, 10), 10, 80);
  // -x, exp, +1, division.
  check_work(activation_forward(Activation::sigmoid, 10), 40, 80);
  // x / sqrt(2), erf, +1, times x, halved.
  check_work(activation_forward(Activation::gelu, 10), 50, 80);
  check_work(activation_backward(Activation::relu, 10), 10, 120);
  // 1 - y, times y, times dy.
  check_work(activation_backward(Activation::sigmoid, 10), 30, 120);
  // Distribution 4; density 4; times x, added, times dy.
  check_work(activation_backward(Activation::gelu, 10), 110, 120);
  check_work(pairwise(10), 10, 120);
  check_work(copy(10), 0, 80);
  check_work(dropout(10), 10, 80);
  // Decay 2, momentum 2, step 2; gradient, velocity and value in, the latter two out.
  check_work(sgd(10), 60, 200);
}

TEST_CASE("a 2x2 pool of 4x4 places of 3 channels", "[bench]") {
  // 48 values in, 12 out; three comparisons a window, whose choice is a byte.
  const PoolShape pool{1, 4, 4, 3, 2, 2, 2, 2, 0};
  check_work(max_pool_forward(pool), 36, 4.0 * 60 + 12);
  check_work(max_pool_backward(pool), 12, 4.0 * 60 + 12);
  // Three additions and a factor; a factor and four places to add to.
  check_work(average_pool_forward(pool), 48, 4.0 * 60);
  check_work(average_pool_backward(pool), 60, 4.0 * 60);
}

TEST_CASE("layers with one value a sample and channel: 2 samples, 5 places, 3 channels",
          "[bench]") {
  const ChannelShape shape{2, 5, 3};
  // Four additions and a factor for each of six means; six factors.
  check_work(global_average_forward(shape), 30, 4.0 * (30 + 6));
  check_work(global_average_backward(shape), 6, 4.0 * (30 + 6));
  check_work(scale_channels_forward(shape), 30, 4.0 * (30 + 6 + 30));
  // dx; products for dfactor, added up. x, dy, dx; factor and dfactor.
  check_work(scale_channels_backward(shape), 90, 4.0 * (90 + 12));
  // A table of 5 places x 3 channels.
  check_work(add_table(shape), 30, 4.0 * (60 + 15));
}

TEST_CASE("an embedding of 6 tokens, 4 of them different, of 10, in 3 features", "[bench]") {
  // Tokens 6, rows of the table 12, y 18.
  check_work(embedding_forward(6, 3, 4), 18, 4.0 * 36);
  // 18 additions, 12 factors. Tokens 6, order 6, beginnings 5, dy 18, table 30.
  check_work(embedding_backward(6, 3, 10, 4), 30, 4.0 * 65);
}

TEST_CASE("attention of 2 heads over 4 places of 6 features", "[bench]") {
  // Scores: 16 pairs x 6 multiply-adds; weighted sums: as many; 32 weights of 6 FLOP. qkv 72,
  // weights 32, y 24.
  const AttentionShape shape{1, 4, 6, 2, false};
  check_work(attention_forward(shape), 2 * 192 + 192, 4.0 * 128);
  // Gradients of values, weights, queries and keys; 5 FLOP a weight. qkv, dqkv 72; weights; dy 24.
  check_work(attention_backward(shape), 4 * 192 + 160, 4.0 * 200);
}

TEST_CASE("loss and gradient of 2 rows of 5 scores", "[bench]") {
  // Scores and their gradient 10 each; labels, loss, correctness 2 each.
  check_work(softmax_cross_entropy(2, 5), 60, 4.0 * 26);
}
