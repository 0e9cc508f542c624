#include <fmt/format.h>

#include <cmath>

#include "calib/spec/shapes.hpp"

namespace dbsim::calib {

namespace {

constexpr Initial zero{.kind = Initial::Kind::zero};
constexpr Initial one{.kind = Initial::Kind::one};

Initial uniform(double width) { return {.kind = Initial::Kind::uniform, .width = width}; }

// torch.nn.Conv2d and torch.nn.Linear: He et al.'s uniform law with the leak sqrt(5), which leaves
// 1 / sqrt(fan in); their biases start within the same bounds.
Initial by_fan_in(std::int64_t fan_in) {
  return uniform(1.0 / std::sqrt(static_cast<double>(fan_in)));
}

// Glorot and Bengio 2010, as torch.nn.MultiheadAttention initialises its joint projection.
Initial by_fans(std::int64_t fan_in, std::int64_t fan_out) {
  return uniform(std::sqrt(6.0 / static_cast<double>(fan_in + fan_out)));
}

std::vector<Parameter> scale_and_shift(std::int64_t channels) {
  return {{"scale", {channels}, one}, {"shift", {channels}, zero}};
}

/// One overload for each operation that has parameters; names are roles only.
struct Parameters {
  const Shape& input;

  std::vector<Parameter> operator()(const Convolution& operation) const {
    const std::int64_t channels = input.channels / operation.groups;
    const Initial initial = by_fan_in(operation.kernel_height * operation.kernel_width * channels);
    std::vector<Parameter> result{
        {"weight",
         {operation.kernel_height, operation.kernel_width, channels, operation.channels},
         initial}};
    if (operation.bias) result.push_back({"bias", {operation.channels}, initial});
    return result;
  }
  std::vector<Parameter> operator()(const Linear& operation) const {
    const Initial usual = by_fan_in(input.channels);
    const Initial initial = operation.uniform > 0.0 ? uniform(operation.uniform) : usual;
    std::vector<Parameter> result{{"weight", {input.channels, operation.features}, initial}};
    if (operation.bias) result.push_back({"bias", {operation.features}, usual});
    return result;
  }
  std::vector<Parameter> operator()(const BatchNorm&) const {
    return scale_and_shift(input.channels);
  }
  std::vector<Parameter> operator()(const GroupNorm&) const {
    return scale_and_shift(input.channels);
  }
  std::vector<Parameter> operator()(const LayerNorm&) const {
    return scale_and_shift(input.channels);
  }
  std::vector<Parameter> operator()(const Embedding& operation) const {
    const Initial initial = operation.uniform > 0.0
                                ? uniform(operation.uniform)
                                : Initial{.kind = Initial::Kind::normal, .width = 1.0};
    return {{"weight", {operation.vocabulary, operation.features}, initial}};
  }
  std::vector<Parameter> operator()(const Attention&) const {
    const std::int64_t features = input.channels;
    return {{"in_weight", {features, 3 * features}, by_fans(features, 3 * features)},
            {"in_bias", {3 * features}, zero},
            {"out_weight", {features, features}, by_fan_in(features)},
            {"out_bias", {features}, zero}};
  }
  template <class Other>
  std::vector<Parameter> operator()(const Other&) const {
    return {};
  }
};

}  // namespace

std::vector<Parameter> parameters_of(const Operation& operation, const Shape& input,
                                     const std::string& node) {
  std::vector<Parameter> result = std::visit(Parameters{input}, operation);
  for (Parameter& parameter : result) parameter.name = fmt::format("{}.{}", node, parameter.name);
  return result;
}

}  // namespace dbsim::calib
