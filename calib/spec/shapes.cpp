#include "calib/spec/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace dbsim::calib {

namespace {

using Inputs = std::span<const Shape>;
using Result = std::variant<Shape, Mismatch>;

struct Window {
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t padding;
};

// How many windows fit; with `ceil`, one more that starts inside the input or its left padding.
std::int64_t windows(std::int64_t extent, const Window& window, bool ceil = false) {
  const std::int64_t room = extent + 2 * window.padding - window.kernel;
  const std::int64_t whole = room / window.stride + 1;
  const bool hangs_over =
      ceil && room % window.stride != 0 && whole * window.stride < extent + window.padding;
  return hangs_over ? whole + 1 : whole;
}

Result convolved(const Convolution& operation, const Shape& input) {
  const std::int64_t padding = 2 * operation.padding;
  if (operation.kernel_height > input.height + padding ||
      operation.kernel_width > input.width + padding) {
    return Mismatch{fmt::format("a {}x{} kernel on {}, padding {}", operation.kernel_height,
                                operation.kernel_width, to_text(input), operation.padding),
                    "a kernel no larger than the padded input"};
  }
  if (input.channels % operation.groups != 0 || operation.channels % operation.groups != 0) {
    return Mismatch{fmt::format("{} groups for {} channels from {}", operation.groups,
                                operation.channels, to_text(input)),
                    "groups that divide the channels on both sides"};
  }
  return Shape{
      windows(input.height, {operation.kernel_height, operation.stride, operation.padding}),
      windows(input.width, {operation.kernel_width, operation.stride, operation.padding}),
      operation.channels};
}

Result pooled(const Window& window, const Shape& input, bool ceil) {
  if (2 * window.padding > window.kernel) {
    return Mismatch{fmt::format("padding {} for a kernel of {}", window.padding, window.kernel),
                    "at most half the kernel"};
  }
  const std::int64_t smaller = std::min(input.height, input.width);
  if (window.kernel > smaller + 2 * window.padding) {
    return Mismatch{fmt::format("a {}x{} kernel on {}, padding {}", window.kernel, window.kernel,
                                to_text(input), window.padding),
                    "a kernel no larger than the padded input"};
  }
  return Shape{windows(input.height, window, ceil), windows(input.width, window, ceil),
               input.channels};
}

Result joined(Inputs inputs) {
  Shape result = inputs.front();
  for (const Shape& other : inputs.subspan(1)) {
    if (other.height != result.height || other.width != result.width) {
      return Mismatch{fmt::format("branches of {} and {}", to_text(inputs.front()), to_text(other)),
                      "branches of equal height and width"};
    }
    result.channels += other.channels;
  }
  return result;
}

/// One overload for each operation with something to say; the rest keep the shape.
struct OutputShape {
  Inputs inputs;

  Result operator()(const Convolution& operation) const {
    return convolved(operation, inputs.front());
  }
  Result operator()(const Linear& operation) const {
    return Shape{inputs.front().height, inputs.front().width, operation.features};
  }
  Result operator()(const GroupNorm& operation) const {
    const Shape& input = inputs.front();
    if (input.channels % operation.groups == 0) return input;
    return Mismatch{fmt::format("{} groups for {}", operation.groups, to_text(input)),
                    "groups that divide the channels"};
  }
  Result operator()(const MaxPool& operation) const {
    return pooled({operation.kernel, operation.stride, operation.padding}, inputs.front(),
                  operation.ceil);
  }
  Result operator()(const AveragePool& operation) const {
    return pooled({operation.kernel, operation.stride, operation.padding}, inputs.front(), false);
  }
  Result operator()(const GlobalAveragePool&) const { return Shape{1, 1, inputs.front().channels}; }
  Result operator()(const Flatten&) const { return Shape{1, 1, inputs.front().size()}; }
  Result operator()(const Add&) const {
    if (inputs[0] == inputs[1]) return inputs[0];
    return Mismatch{fmt::format("branches of {} and {}", to_text(inputs[0]), to_text(inputs[1])),
                    "branches of equal shape"};
  }
  Result operator()(const Multiply&) const {
    const Shape one_place{1, 1, inputs[0].channels};
    if (inputs[0] == inputs[1] || inputs[1] == one_place) return inputs[0];
    return Mismatch{
        fmt::format("branches of {} and {}", to_text(inputs[0]), to_text(inputs[1])),
        fmt::format("branches of equal shape, or {} as the second", to_text(one_place))};
  }
  Result operator()(const Concat&) const { return joined(inputs); }
  Result operator()(const Embedding& operation) const {
    return Shape{inputs.front().height, inputs.front().width, operation.features};
  }
  Result operator()(const PositionalEncoding&) const {
    if (inputs.front().channels % 2 == 0) return inputs.front();
    return Mismatch{to_text(inputs.front()),
                    "an even number of features: each sine has its cosine"};
  }
  Result operator()(const Attention& operation) const {
    const Shape& input = inputs.front();
    if (input.channels % operation.heads == 0) return input;
    return Mismatch{fmt::format("{} heads for {}", operation.heads, to_text(input)),
                    "heads that divide the features"};
  }
  template <class Other>
  Result operator()(const Other&) const {
    return inputs.front();
  }
};

}  // namespace

std::string to_text(const Shape& shape) {
  return fmt::format("{}x{}x{}", shape.height, shape.width, shape.channels);
}

std::variant<Shape, Mismatch> output_shape(const Operation& operation, Inputs inputs) {
  return std::visit(OutputShape{inputs}, operation);
}

}  // namespace dbsim::calib
