#include <fmt/format.h>

#include <utility>

#include "tests/calib/support/ops_cases.hpp"

namespace dbsim::calib::test {

namespace {

struct Convolved {
  Index samples, height, width, in, out, kernel_height, kernel_width, stride, padding, groups;
};

ConvolutionShape shape_of(const Convolved& c) {
  const auto places = [&](Index extent, Index kernel) {
    return (extent + 2 * c.padding - kernel) / c.stride + 1;
  };
  return {c.samples,
          c.height,
          c.width,
          c.in,
          places(c.height, c.kernel_height),
          places(c.width, c.kernel_width),
          c.out,
          c.kernel_height,
          c.kernel_width,
          c.stride,
          c.padding,
          c.groups};
}

void add_convolution(const Convolved& c, bool bias, bool needs_dx, Draws& draws, OpCases& cases) {
  const ConvolutionShape shape = shape_of(c);
  const Index x = c.samples * c.height * c.width * c.in;
  const Index rows = c.samples * shape.out_height * shape.out_width;
  const Index columns = c.kernel_height * c.kernel_width * c.in / c.groups;
  const std::string name = fmt::format(
      "convolution {} x {} x {} x {} to {}, kernel {} x {}, stride {}, padding {}, groups {}{}",
      c.samples, c.height, c.width, c.in, c.out, c.kernel_height, c.kernel_width, c.stride,
      c.padding, c.groups, bias ? ", bias" : "");
  cases.push_back(op_case(
      name + ", forward",
      {draws.input(x), draws.input(columns * c.out), draws.input(c.out), output(rows * c.out)},
      columns, [=](auto& ops, const auto& m) {
        ops.convolution_forward(shape, m.value(0), m.value(1), bias ? m.value(2) : nullptr,
                                m.value(3));
      }));
  cases.back().convolution = true;
  std::vector<Tensor> tensors{draws.input(x), draws.input(columns * c.out),
                              draws.input(rows * c.out), output(columns * c.out)};
  tensors.push_back(needs_dx ? output(x) : scratch(1));
  tensors.push_back(bias ? output(c.out) : scratch(1));
  cases.push_back(op_case(name + ", backward", std::move(tensors), rows + columns,
                          [=](auto& ops, const auto& m) {
                            ops.convolution_backward(shape, m.value(0), m.value(1), m.value(2),
                                                     needs_dx ? m.value(4) : nullptr, m.value(3),
                                                     bias ? m.value(5) : nullptr);
                          }));
  cases.back().convolution = true;
}

void add_linear(Index rows, Index in, Index out, bool bias, Draws& draws, OpCases& cases) {
  const std::string name =
      fmt::format("linear {} x {} to {}{}", rows, in, out, bias ? ", bias" : "");
  cases.push_back(
      op_case(name + ", forward",
              {draws.input(rows * in), draws.input(in * out), draws.input(out), output(rows * out)},
              in, [=](auto& ops, const auto& m) {
                ops.linear_forward(rows, in, out, m.value(0), m.value(1),
                                   bias ? m.value(2) : nullptr, m.value(3));
              }));
  std::vector<Tensor> tensors{draws.input(rows * in), draws.input(in * out),
                              draws.input(rows * out), output(rows * in), output(in * out)};
  tensors.push_back(bias ? output(out) : scratch(1));
  cases.push_back(
      op_case(name + ", backward", std::move(tensors), rows + out, [=](auto& ops, const auto& m) {
        ops.linear_backward(rows, in, out, m.value(0), m.value(1), m.value(2), m.value(3),
                            m.value(4), bias ? m.value(5) : nullptr);
      }));
  cases.push_back(op_case(
      name + ", backward to the weights only",
      {draws.input(rows * in), draws.input(in * out), draws.input(rows * out), output(in * out)},
      rows, [=](auto& ops, const auto& m) {
        ops.linear_backward(rows, in, out, m.value(0), m.value(1), m.value(2),
                            decltype(m.value(0)){nullptr}, m.value(3),
                            decltype(m.value(0)){nullptr});
      }));
}

}  // namespace

OpCases product_cases(std::uint64_t seed) {
  Draws draws{seed};
  OpCases cases;
  const std::vector<Convolved> convolutions{
      {1, 1, 1, 1, 1, 1, 1, 1, 0, 1},       // as small as can be
      {3, 9, 9, 3, 17, 3, 3, 1, 1, 1},      // the first layer of an image model
      {2, 16, 16, 32, 64, 3, 3, 1, 1, 1},   // vectors
      {3, 17, 15, 16, 33, 3, 3, 2, 1, 1},   // an edge that the stride does not reach
      {2, 8, 8, 16, 24, 3, 3, 2, 0, 1},     // an edge that no window covers
      {2, 33, 33, 3, 8, 7, 7, 2, 3, 1},     // the first layer of ImageNet's
      {4, 8, 8, 64, 256, 1, 1, 1, 0, 1},    // patches are the input
      {3, 9, 9, 20, 12, 1, 1, 2, 0, 1},     // places left out
      {2, 10, 12, 6, 10, 2, 3, 1, 0, 1},    // oblong
      {2, 4, 4, 5, 3, 5, 5, 1, 4, 1},       // windows that see nothing but padding at the corners
      {2, 9, 9, 24, 36, 3, 3, 1, 1, 3},     // groups
      {3, 9, 9, 12, 8, 3, 3, 2, 1, 2},      // groups
      {3, 13, 13, 20, 20, 3, 3, 1, 1, 20},  // depthwise
      {2, 14, 14, 33, 33, 3, 3, 2, 1, 33},  // depthwise
      {128, 8, 8, 3, 16, 3, 3, 1, 1, 1},    // more patches than the CPU gathers at once
  };
  bool bias = true;
  for (const Convolved& convolved : convolutions) {
    add_convolution(convolved, bias, true, draws, cases);
    bias = !bias;
  }
  add_convolution(convolutions[1], true, false, draws, cases);
  add_convolution(convolutions[6], false, false, draws, cases);
  add_convolution(convolutions[12], true, false, draws, cases);
  bias = true;
  struct Linear {
    Index rows, in, out;
  };
  for (const Linear& l : {Linear{1, 1, 1}, Linear{3, 17, 33}, Linear{17, 4, 8}, Linear{33, 256, 10},
                          Linear{128, 512, 1000}, Linear{1001, 33, 7}, Linear{2047, 64, 64}}) {
    add_linear(l.rows, l.in, l.out, bias, draws, cases);
    bias = !bias;
  }
  return cases;
}

}  // namespace dbsim::calib::test
