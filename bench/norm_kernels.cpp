#include "bench/kernel_cases.hpp"

namespace dbsim::bench {

namespace {

using Ops = calib::Ops<float>;

constexpr Index channels = 64;
constexpr Index groups = 32;
constexpr double epsilon = 1e-5;
constexpr double momentum = 0.1;

ChannelShape image(Index samples) { return {samples, Index{32} * 32, channels}; }
// Tokens of a transformer.
constexpr Index token_width = 512;
Index tokens(Index samples) { return samples * 128; }

Kernel batch_norm_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index rows = image(samples).rows();
  const float* x = tensors.values(rows * channels);
  const float* scale = tensors.values(channels);
  const float* shift = tensors.values(channels);
  float* y = tensors.values(rows * channels);
  float* mean = tensors.values(channels);
  float* deviation = tensors.values(channels);
  float* running_mean = tensors.values(channels);
  float* running_variance = tensors.values(channels);
  return {batch_norm_forward(rows, channels), [=, &ops] {
            ops.batch_norm_forward(rows, channels, x, scale, shift, epsilon, momentum, false, y,
                                   mean, deviation, running_mean, running_variance);
          }};
}

Kernel batch_norm_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index rows = image(samples).rows();
  const float* x = tensors.values(rows * channels);
  const float* scale = tensors.values(channels);
  const float* mean = tensors.values(channels);
  const float* deviation = tensors.values(channels);
  const float* dy = tensors.values(rows * channels);
  float* dx = tensors.values(rows * channels);
  float* dscale = tensors.values(channels);
  float* dshift = tensors.values(channels);
  return {batch_norm_backward(rows, channels), [=, &ops] {
            ops.batch_norm_backward(rows, channels, x, nullptr, scale, mean, deviation, false, dy,
                                    dx, dscale, dshift);
          }};
}

Kernel group_norm_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const ChannelShape shape = image(samples);
  const float* x = tensors.values(shape.size());
  const float* scale = tensors.values(channels);
  const float* shift = tensors.values(channels);
  float* y = tensors.values(shape.size());
  float* mean = tensors.values(samples * groups);
  float* deviation = tensors.values(samples * groups);
  return {group_norm_forward(shape, groups), [=, &ops] {
            ops.group_norm_forward(shape, groups, x, scale, shift, epsilon, y, mean, deviation);
          }};
}

Kernel group_norm_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const ChannelShape shape = image(samples);
  const float* x = tensors.values(shape.size());
  const float* scale = tensors.values(channels);
  const float* mean = tensors.values(samples * groups);
  const float* deviation = tensors.values(samples * groups);
  const float* dy = tensors.values(shape.size());
  float* dx = tensors.values(shape.size());
  float* dscale = tensors.values(channels);
  float* dshift = tensors.values(channels);
  return {group_norm_backward(shape, groups), [=, &ops] {
            ops.group_norm_backward(shape, groups, x, scale, mean, deviation, dy, dx, dscale,
                                    dshift);
          }};
}

Kernel layer_norm_forward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index rows = tokens(samples);
  const float* x = tensors.values(rows * token_width);
  const float* scale = tensors.values(token_width);
  const float* shift = tensors.values(token_width);
  float* y = tensors.values(rows * token_width);
  float* mean = tensors.values(rows);
  float* deviation = tensors.values(rows);
  return {layer_norm_forward(rows, token_width), [=, &ops] {
            ops.layer_norm_forward(rows, token_width, x, scale, shift, epsilon, y, mean, deviation);
          }};
}

Kernel layer_norm_backward_kernel(Ops& ops, Tensors& tensors, Index samples) {
  const Index rows = tokens(samples);
  const float* x = tensors.values(rows * token_width);
  const float* scale = tensors.values(token_width);
  const float* mean = tensors.values(rows);
  const float* deviation = tensors.values(rows);
  const float* dy = tensors.values(rows * token_width);
  float* dx = tensors.values(rows * token_width);
  float* dscale = tensors.values(token_width);
  float* dshift = tensors.values(token_width);
  return {layer_norm_backward(rows, token_width), [=, &ops] {
            ops.layer_norm_backward(rows, token_width, x, scale, mean, deviation, dy, dx, dscale,
                                    dshift);
          }};
}

}  // namespace

std::vector<KernelCase> norm_kernels() {
  return {{"batch_norm_forward", batch_norm_forward_kernel},
          {"batch_norm_backward", batch_norm_backward_kernel},
          {"group_norm_forward", group_norm_forward_kernel},
          {"group_norm_backward", group_norm_backward_kernel},
          {"layer_norm_forward", layer_norm_forward_kernel},
          {"layer_norm_backward", layer_norm_backward_kernel}};
}

}  // namespace dbsim::bench
