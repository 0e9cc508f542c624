#include <fmt/format.h>

#include "tests/calib/support/ops_cases.hpp"

namespace dbsim::calib::test {

namespace {

const char* name_of(Activation kind) {
  switch (kind) {
    case Activation::relu:
      return "ReLU";
    case Activation::sigmoid:
      return "sigmoid";
    case Activation::gelu:
      return "GELU";
  }
  return "";
}

void add_activation(Activation kind, Index size, Draws& draws, OpCases& cases) {
  const std::string name = fmt::format("{} of {}", name_of(kind), size);
  const std::size_t first = cases.size();
  cases.push_back(op_case(name + ", forward", {draws.input(size, -5.0, 5.0), output(size)}, 1,
                          [=](auto& ops, const auto& m) {
                            ops.activation_forward(kind, size, m.value(0), m.value(1));
                          }));
  // What sigmoid and ReLU read is y; GELU reads x.
  const Tensor y = kind == Activation::relu ? draws.rectified(size) : draws.input(size, 0.0, 1.0);
  cases.push_back(op_case(
      name + ", backward", {draws.input(size, -5.0, 5.0), y, draws.input(size), output(size)}, 1,
      [=](auto& ops, const auto& m) {
        ops.activation_backward(kind, size, m.value(0), m.value(1), m.value(2), m.value(3));
      }));
  cases.push_back(
      op_case(name + ", backward in place", {draws.input(size, -5.0, 5.0), y, draws.updated(size)},
              1, [=](auto& ops, const auto& m) {
                ops.activation_backward(kind, size, m.value(0), m.value(1), m.value(2), m.value(2));
              }));
  if (kind != Activation::gelu) return;
  // 1 + erf cancels where x is far below 0.
  for (std::size_t i = first; i < cases.size(); ++i) cases[i].tensors.back().inner = 5.0;
}

void add_sums(Index size, Draws& draws, OpCases& cases) {
  for (const bool relu : {false, true}) {
    const std::string name = fmt::format("add {}{}", size, relu ? ", ReLU" : "");
    cases.push_back(op_case(name, {draws.input(size), draws.input(size), output(size)}, 1,
                            [=](auto& ops, const auto& m) {
                              ops.add(size, m.value(0), m.value(1), relu, m.value(2));
                            }));
    cases.push_back(op_case(name + " in place", {draws.updated(size), draws.input(size)}, 1,
                            [=](auto& ops, const auto& m) {
                              ops.add(size, m.value(0), m.value(1), relu, m.value(0));
                            }));
  }
  cases.push_back(op_case(
      fmt::format("multiply {}", size), {draws.input(size), draws.input(size), output(size)}, 1,
      [=](auto& ops, const auto& m) { ops.multiply(size, m.value(0), m.value(1), m.value(2)); }));
  cases.push_back(op_case(
      fmt::format("multiply {} in place", size), {draws.input(size), draws.updated(size)}, 1,
      [=](auto& ops, const auto& m) { ops.multiply(size, m.value(0), m.value(1), m.value(1)); }));
  const SgdSettings settings{0.1, 0.9, 5e-4};
  cases.push_back(op_case(fmt::format("SGD {}", size),
                          {draws.input(size), draws.updated(size), draws.updated(size)}, 1,
                          [=](auto& ops, const auto& m) {
                            ops.sgd(size, settings, m.value(0), m.value(1), m.value(2));
                          }));
}

void add_channels(const ChannelShape& shape, Draws& draws, OpCases& cases) {
  const std::string name = fmt::format("{} x {} x {}", shape.samples, shape.places, shape.channels);
  const Index size = shape.size();
  cases.push_back(op_case(
      "add table " + name,
      {draws.input(size), draws.input(shape.places * shape.channels), output(size)}, 1,
      [=](auto& ops, const auto& m) { ops.add_table(shape, m.value(0), m.value(1), m.value(2)); }));
  // A quarter and three eighths are the same in float and double, and so are the values dropped.
  for (const double probability : {0.0, 0.25, 0.375}) {
    for (const bool whole : {false, true}) {
      const DropoutDraw draw{probability, 0x5DEECE66DU + static_cast<std::uint64_t>(size), whole};
      const std::string dropout =
          fmt::format("dropout {} of {}{}", probability, name, whole ? ", whole channels" : "");
      cases.push_back(op_case(
          dropout, {draws.input(size), output(size)}, 1,
          [=](auto& ops, const auto& m) { ops.dropout(shape, draw, m.value(0), m.value(1)); }));
      // Of ones: which places are dropped is the same on every device.
      cases.push_back(op_case(
          dropout + ", of ones in place", {draws.updated(size, 1.0, 1.0)}, 1,
          [=](auto& ops, const auto& m) { ops.dropout(shape, draw, m.value(0), m.value(0)); }));
    }
  }
}

/// A block inside matrices whose other columns must stay.
void add_copy(Index rows, Index columns, Index from_stride, Index to_stride, Draws& draws,
              OpCases& cases) {
  const Index size = (rows - 1) * to_stride + columns;
  cases.push_back(op_case(fmt::format("copy {} x {} from rows of {} to rows of {}", rows, columns,
                                      from_stride, to_stride),
                          {draws.input((rows - 1) * from_stride + columns), draws.updated(size)}, 1,
                          [=](auto& ops, const auto& m) {
                            ops.copy_columns(rows, columns, m.value(0), from_stride, m.value(1),
                                             to_stride);
                          }));
  cases.back().tensors[1].exact = true;
}

}  // namespace

OpCases elementwise_cases(std::uint64_t seed) {
  Draws draws{seed};
  OpCases cases;
  for (const Index size : {1, 3, 17, 33, 1000, 40'001, 65'536}) {
    for (const Activation kind : {Activation::relu, Activation::sigmoid, Activation::gelu}) {
      add_activation(kind, size, draws, cases);
    }
    add_sums(size, draws, cases);
  }
  add_channels({1, 1, 1}, draws, cases);
  add_channels({3, 5, 17}, draws, cases);
  add_channels({2, 49, 64}, draws, cases);
  add_channels({17, 1, 20}, draws, cases);
  add_channels({5, 35, 200}, draws, cases);
  add_copy(1, 1, 1, 1, draws, cases);
  add_copy(17, 3, 3, 10, draws, cases);
  add_copy(33, 8, 20, 8, draws, cases);
  add_copy(33, 8, 20, 12, draws, cases);
  add_copy(33, 8, 21, 12, draws, cases);
  add_copy(1001, 33, 50, 40, draws, cases);
  add_copy(1, 1000, 0, 0, draws, cases);
  return cases;
}

}  // namespace dbsim::calib::test
