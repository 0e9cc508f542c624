#include "bench/kernel_cases.hpp"

namespace dbsim::bench {

namespace {

using Ops = calib::Ops<float>;

constexpr Index extent = 32;
constexpr Index channels = 64;

ChannelShape image(Index samples) { return {samples, extent * extent, channels}; }

template <Activation kind>
Kernel activation_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index size = image(samples).size();
  const float* x = tensors.values(size);
  float* y = tensors.values(size);
  return {activation_forward(kind, size), [=, &ops] { ops.activation_forward(kind, size, x, y); }};
}

template <Activation kind>
Kernel activation_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index size = image(samples).size();
  const float* x = tensors.values(size);
  const float* y = tensors.values(size);
  const float* dy = tensors.values(size);
  float* dx = tensors.values(size);
  return {activation_backward(kind, size),
          [=, &ops] { ops.activation_backward(kind, size, x, y, dy, dx); }};
}

// As ResNet pools: 3x3, every second place.
PoolShape pool(Index samples) {
  return {samples, extent, extent, channels, extent / 2, extent / 2, 3, 2, 1};
}

Kernel max_pool_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const PoolShape shape = pool(samples);
  const PoolSizes n{shape};
  const float* x = tensors.values(n.in);
  float* y = tensors.values(n.out);
  auto* chosen = tensors.copied(std::vector<std::uint8_t>(static_cast<std::size_t>(n.out)));
  return {max_pool_forward(shape), [=, &ops] { ops.max_pool_forward(shape, x, y, chosen); }};
}

Kernel max_pool_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const PoolShape shape = pool(samples);
  const PoolSizes n{shape};
  const float* x = tensors.values(n.in);
  float* dx = tensors.values(n.in);
  float* y = tensors.values(n.out);
  const float* dy = tensors.values(n.out);
  auto* chosen = tensors.copied(std::vector<std::uint8_t>(static_cast<std::size_t>(n.out)));
  ops.max_pool_forward(shape, x, y, chosen);
  return {max_pool_backward(shape), [=, &ops] { ops.max_pool_backward(shape, chosen, dy, dx); }};
}

Kernel average_pool_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const PoolShape shape = pool(samples);
  const PoolSizes n{shape};
  const float* x = tensors.values(n.in);
  float* y = tensors.values(n.out);
  return {average_pool_forward(shape), [=, &ops] { ops.average_pool_forward(shape, x, y); }};
}

Kernel average_pool_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const PoolShape shape = pool(samples);
  const PoolSizes n{shape};
  const float* dy = tensors.values(n.out);
  float* dx = tensors.values(n.in);
  return {average_pool_backward(shape), [=, &ops] { ops.average_pool_backward(shape, dy, dx); }};
}

Kernel global_average_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const ChannelShape shape = image(samples);
  const float* x = tensors.values(shape.size());
  float* y = tensors.values(samples * channels);
  return {global_average_forward(shape), [=, &ops] { ops.global_average_forward(shape, x, y); }};
}

Kernel global_average_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const ChannelShape shape = image(samples);
  const float* dy = tensors.values(samples * channels);
  float* dx = tensors.values(shape.size());
  return {global_average_backward(shape),
          [=, &ops] { ops.global_average_backward(shape, dy, dx); }};
}

Kernel add_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index size = image(samples).size();
  const float* a = tensors.values(size);
  const float* b = tensors.values(size);
  float* y = tensors.values(size);
  return {pairwise(size), [=, &ops] { ops.add(size, a, b, false, y); }};
}

Kernel multiply_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index size = image(samples).size();
  const float* a = tensors.values(size);
  const float* b = tensors.values(size);
  float* y = tensors.values(size);
  return {pairwise(size), [=, &ops] { ops.multiply(size, a, b, y); }};
}

Kernel add_table_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const ChannelShape shape = image(samples);
  const float* x = tensors.values(shape.size());
  const float* table = tensors.values(shape.places * channels);
  float* y = tensors.values(shape.size());
  return {add_table(shape), [=, &ops] { ops.add_table(shape, x, table, y); }};
}

Kernel scale_channels_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const ChannelShape shape = image(samples);
  const float* x = tensors.values(shape.size());
  const float* factor = tensors.values(samples * channels);
  float* y = tensors.values(shape.size());
  return {scale_channels_forward(shape),
          [=, &ops] { ops.scale_channels_forward(shape, x, factor, y); }};
}

Kernel scale_channels_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const ChannelShape shape = image(samples);
  const float* x = tensors.values(shape.size());
  const float* factor = tensors.values(samples * channels);
  const float* dy = tensors.values(shape.size());
  float* dx = tensors.values(shape.size());
  float* dfactor = tensors.values(samples * channels);
  return {scale_channels_backward(shape),
          [=, &ops] { ops.scale_channels_backward(shape, x, factor, dy, dx, dfactor); }};
}

// One of two equal parts of a concatenation.
Kernel concat_copy_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const ChannelShape shape = image(samples);
  const float* part = tensors.values(shape.size());
  float* whole = tensors.values(2 * shape.size());
  return {copy(shape.size()), [=, &ops] {
            ops.copy_columns(shape.rows(), channels, part, channels, whole, 2 * channels);
          }};
}

template <bool whole_channels>
Kernel dropout_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const ChannelShape shape = image(samples);
  const calib::DropoutDraw draw{.probability = 0.5, .key = 1, .whole_channels = whole_channels};
  const float* x = tensors.values(shape.size());
  float* y = tensors.values(shape.size());
  return {dropout(shape.size()), [=, &ops] { ops.dropout(shape, draw, x, y); }};
}

Kernel softmax_cross_entropy_kernel(Ops& ops, Tensors& tensors, Index samples) {
  constexpr Index classes = 1000;
  const Index rows = samples * 32;
  const float* scores = tensors.values(rows * classes);
  const std::int32_t* labels = tensors.whole(rows, classes);
  float* loss = tensors.values(rows);
  float* correct = tensors.values(rows);
  float* dscores = tensors.values(rows * classes);
  return {softmax_cross_entropy(rows, classes), [=, &ops] {
            ops.softmax_cross_entropy(rows, classes, scores, labels, loss, correct, dscores);
          }};
}

// Parameters do not grow with the batch: about those of a ResNet-18.
Kernel sgd_kernel(Ops& ops, Tensors& tensors, Index) {
  constexpr Index size = 12'000'000;
  constexpr calib::SgdSettings almost_still{
      .learning_rate = 1e-9, .momentum = 0.9, .weight_decay = 5e-4};
  const float* gradient = tensors.values(size);
  float* velocity = tensors.values(size);
  float* value = tensors.values(size);
  return {sgd(size), [=, &ops] { ops.sgd(size, almost_still, gradient, velocity, value); }};
}

}  // namespace

std::vector<KernelCase> plain_kernels() {
  return {{"relu_forward", activation_forward_kernel<Activation::relu>},
          {"relu_backward", activation_backward_kernel<Activation::relu>},
          {"sigmoid_forward", activation_forward_kernel<Activation::sigmoid>},
          {"sigmoid_backward", activation_backward_kernel<Activation::sigmoid>},
          {"gelu_forward", activation_forward_kernel<Activation::gelu>},
          {"gelu_backward", activation_backward_kernel<Activation::gelu>},
          {"max_pool_forward", max_pool_forward_kernel},
          {"max_pool_backward", max_pool_backward_kernel},
          {"average_pool_forward", average_pool_forward_kernel},
          {"average_pool_backward", average_pool_backward_kernel},
          {"global_average_forward", global_average_forward_kernel},
          {"global_average_backward", global_average_backward_kernel},
          {"add", add_kernel},
          {"multiply", multiply_kernel},
          {"add_table", add_table_kernel},
          {"scale_channels_forward", scale_channels_forward_kernel},
          {"scale_channels_backward", scale_channels_backward_kernel},
          {"concat_copy", concat_copy_kernel},
          {"dropout", dropout_kernel<false>},
          {"dropout_channels", dropout_kernel<true>},
          {"softmax_cross_entropy", softmax_cross_entropy_kernel},
          {"sgd", sgd_kernel}};
}

}  // namespace dbsim::bench
