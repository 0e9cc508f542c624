#include "calib/spec/shapes.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;

namespace {

using Extents = std::vector<std::int64_t>;

void check_parameter(const Parameter& parameter, const std::string& name, const Extents& shape,
                     Initial::Kind kind, double width) {
  CAPTURE(name);
  CHECK(parameter.name == name);
  CHECK(parameter.shape == shape);
  CHECK(parameter.initial.kind == kind);
  CHECK(parameter.initial.width == Approx(width));
}

}  // namespace

// The widths are what torch.nn documents for its layers.

TEST_CASE("a convolution starts within one over the root of its window's size", "[spec]") {
  const Convolution operation{.channels = 8, .kernel_height = 3, .kernel_width = 3, .groups = 2};
  const auto parameters = parameters_of(operation, {16, 16, 32}, "0.convolution");
  REQUIRE(parameters.size() == 2);
  const double width = 1.0 / 12.0;  // 3 x 3 x 16 inputs
  check_parameter(parameters[0], "0.convolution.weight", {3, 3, 16, 8}, Initial::Kind::uniform,
                  width);
  check_parameter(parameters[1], "0.convolution.bias", {8}, Initial::Kind::uniform, width);
  CHECK(parameters_of(Convolution{.channels = 8, .bias = false}, {4, 4, 4}, "n").size() == 1);
}

TEST_CASE("a linear layer starts likewise, or as the file says", "[spec]") {
  const auto usual = parameters_of(Linear{.features = 7}, {1, 1, 25}, "n");
  REQUIRE(usual.size() == 2);
  check_parameter(usual[0], "n.weight", {25, 7}, Initial::Kind::uniform, 0.2);
  check_parameter(usual[1], "n.bias", {7}, Initial::Kind::uniform, 0.2);
  const auto given = parameters_of(Linear{.features = 7, .uniform = 0.1}, {1, 1, 25}, "n");
  check_parameter(given[0], "n.weight", {25, 7}, Initial::Kind::uniform, 0.1);
  check_parameter(given[1], "n.bias", {7}, Initial::Kind::uniform, 0.2);
}

TEST_CASE("norms start as the identity", "[spec]") {
  for (const Operation& norm :
       std::vector<Operation>{BatchNorm{}, LayerNorm{}, GroupNorm{.groups = 2}}) {
    const auto parameters = parameters_of(norm, {3, 3, 6}, "n");
    REQUIRE(parameters.size() == 2);
    check_parameter(parameters[0], "n.scale", {6}, Initial::Kind::one, 0.0);
    check_parameter(parameters[1], "n.shift", {6}, Initial::Kind::zero, 0.0);
  }
}

TEST_CASE("an embedding starts normal, or uniform as the file says", "[spec]") {
  const Shape tokens{35, 1, 1};
  check_parameter(parameters_of(Embedding{.vocabulary = 9, .features = 4}, tokens, "n").at(0),
                  "n.weight", {9, 4}, Initial::Kind::normal, 1.0);
  check_parameter(
      parameters_of(Embedding{.vocabulary = 9, .features = 4, .uniform = 0.1}, tokens, "n").at(0),
      "n.weight", {9, 4}, Initial::Kind::uniform, 0.1);
}

TEST_CASE("attention starts as torch.nn.MultiheadAttention", "[spec]") {
  const auto parameters = parameters_of(Attention{.heads = 2}, {35, 1, 6}, "n");
  REQUIRE(parameters.size() == 4);
  check_parameter(parameters[0], "n.in_weight", {6, 18}, Initial::Kind::uniform, 0.5);  // 6 / 24
  check_parameter(parameters[1], "n.in_bias", {18}, Initial::Kind::zero, 0.0);
  check_parameter(parameters[2], "n.out_weight", {6, 6}, Initial::Kind::uniform, 0.40825);
  check_parameter(parameters[3], "n.out_bias", {6}, Initial::Kind::zero, 0.0);
}

TEST_CASE("what has nothing to learn has no parameters", "[spec]") {
  for (const Operation& operation : std::vector<Operation>{Relu{}, MaxPool{}, Flatten{}, Add{},
                                                           Dropout{}, PositionalEncoding{}}) {
    CHECK(parameters_of(operation, {4, 4, 4}, "n").empty());
  }
}
