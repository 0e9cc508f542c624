#include <fmt/format.h>

#include "tests/calib/support/ops_cases.hpp"

namespace dbsim::calib::test {

namespace {

void add_pool(const PoolShape& shape, Draws& draws, OpCases& cases) {
  const std::string name =
      fmt::format("{} x {} x {} x {} to {} x {}, kernel {}, stride {}, padding {}", shape.samples,
                  shape.in_height, shape.in_width, shape.channels, shape.out_height,
                  shape.out_width, shape.kernel, shape.stride, shape.padding);
  const Index in = shape.samples * shape.in_height * shape.in_width * shape.channels;
  const Index out = shape.samples * shape.out_height * shape.out_width * shape.channels;
  const Index window = shape.kernel * shape.kernel;
  cases.push_back(op_case("max pool " + name + ", forward",
                          {draws.input(in), exact_output(out), byte_output(out)}, 1,
                          [=](auto& ops, const auto& m) {
                            ops.max_pool_forward(shape, m.value(0), m.value(1), m.bytes(2));
                          }));
  Tensor chosen;
  for (const std::int32_t place : draws.whole(out, window).whole) {
    chosen.bytes.push_back(static_cast<std::uint8_t>(place));
  }
  cases.push_back(op_case("max pool " + name + ", backward", {chosen, draws.input(out), output(in)},
                          window, [=](auto& ops, const auto& m) {
                            ops.max_pool_backward(shape, m.bytes(0), m.value(1), m.value(2));
                          }));
  cases.push_back(op_case(
      "average pool " + name + ", forward", {draws.input(in), output(out)}, window,
      [=](auto& ops, const auto& m) { ops.average_pool_forward(shape, m.value(0), m.value(1)); }));
  cases.push_back(op_case(
      "average pool " + name + ", backward", {draws.input(out), output(in)}, window,
      [=](auto& ops, const auto& m) { ops.average_pool_backward(shape, m.value(0), m.value(1)); }));
}

void add_per_sample(const ChannelShape& shape, Draws& draws, OpCases& cases) {
  const std::string name = fmt::format("{} x {} x {}", shape.samples, shape.places, shape.channels);
  const Index size = shape.size();
  const Index factors = shape.samples * shape.channels;
  cases.push_back(op_case("global average " + name + ", forward",
                          {draws.input(size), output(factors)}, shape.places,
                          [=](auto& ops, const auto& m) {
                            ops.global_average_forward(shape, m.value(0), m.value(1));
                          }));
  cases.push_back(op_case("global average " + name + ", backward",
                          {draws.input(factors), output(size)}, 1, [=](auto& ops, const auto& m) {
                            ops.global_average_backward(shape, m.value(0), m.value(1));
                          }));
  cases.push_back(op_case("scale channels " + name + ", forward",
                          {draws.input(size), draws.input(factors), output(size)}, 1,
                          [=](auto& ops, const auto& m) {
                            ops.scale_channels_forward(shape, m.value(0), m.value(1), m.value(2));
                          }));
  cases.push_back(op_case(
      "scale channels " + name + ", backward",
      {draws.input(size), draws.input(factors), draws.input(size), output(size), output(factors)},
      shape.places, [=](auto& ops, const auto& m) {
        ops.scale_channels_backward(shape, m.value(0), m.value(1), m.value(2), m.value(3),
                                    m.value(4));
      }));
}

}  // namespace

OpCases pooling_cases(std::uint64_t seed) {
  Draws draws{seed};
  OpCases cases;
  add_pool({1, 2, 2, 1, 1, 1, 2, 2, 0}, draws, cases);
  add_pool({3, 9, 9, 17, 4, 4, 2, 2, 0}, draws, cases);  // an edge that no window covers
  add_pool({2, 16, 16, 64, 8, 8, 2, 2, 0}, draws, cases);
  add_pool({3, 11, 12, 33, 6, 6, 3, 2, 1}, draws, cases);  // windows that overlap
  add_pool({2, 8, 8, 4, 4, 4, 3, 2, 0}, draws, cases);     // a last window over the edge
  add_pool({2, 7, 7, 20, 7, 7, 3, 1, 1}, draws, cases);
  add_pool({2, 15, 15, 3, 1, 1, 15, 1, 0}, draws, cases);
  add_pool({67, 14, 14, 4, 7, 7, 2, 2, 0}, draws, cases);
  add_per_sample({1, 1, 1}, draws, cases);
  add_per_sample({3, 49, 17}, draws, cases);
  add_per_sample({33, 16, 512}, draws, cases);
  add_per_sample({2, 3136, 20}, draws, cases);
  add_per_sample({1000, 33, 3}, draws, cases);
  add_per_sample({66'001, 2, 3}, draws, cases);  // more segments than a grid has on one side
  return cases;
}

}  // namespace dbsim::calib::test
