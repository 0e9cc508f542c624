#include "calib/spec/shapes.hpp"

#include "tests/catch.hpp"

using namespace dbsim::calib;

namespace {

Shape shape_after(const Operation& operation, const std::vector<Shape>& inputs) {
  return std::get<Shape>(output_shape(operation, inputs));
}

std::string mismatch(const Operation& operation, const std::vector<Shape>& inputs) {
  const auto result = output_shape(operation, inputs);
  const auto* found = std::get_if<Mismatch>(&result);
  return found == nullptr ? "" : found->found + "; " + found->expected;
}

}  // namespace

TEST_CASE("a convolution gives one place for each window that fits", "[spec]") {
  // The formula of torch.nn.Conv2d: floor((n + 2 padding - kernel) / stride) + 1.
  const Convolution stem{
      .channels = 64, .kernel_height = 7, .kernel_width = 7, .stride = 2, .padding = 3};
  CHECK(shape_after(stem, {{224, 224, 3}}) == Shape{112, 112, 64});
  const Convolution wide{.channels = 2, .kernel_height = 1, .kernel_width = 5};
  CHECK(shape_after(wide, {{8, 8, 4}}) == Shape{8, 4, 2});
  CHECK(shape_after(Convolution{.channels = 2, .stride = 2}, {{7, 7, 1}}) == Shape{4, 4, 2});
}

TEST_CASE("a pool that rounds up lets a last window hang over, but not start outside", "[spec]") {
  // GoogLeNet in torchvision: 112 -> 56 -> 28 -> 14 -> 7.
  CHECK(shape_after(MaxPool{.kernel = 3, .stride = 2, .ceil = true}, {{112, 112, 1}}) ==
        Shape{56, 56, 1});
  CHECK(shape_after(MaxPool{.kernel = 3, .stride = 2, .ceil = false}, {{112, 112, 1}}) ==
        Shape{55, 55, 1});
  CHECK(shape_after(MaxPool{.kernel = 2, .stride = 2, .ceil = true}, {{14, 14, 1}}) ==
        Shape{7, 7, 1});
  // The third window would begin at 4, behind all 4 values.
  CHECK(shape_after(MaxPool{.kernel = 1, .stride = 2, .ceil = true}, {{4, 4, 1}}) ==
        Shape{2, 2, 1});
  CHECK(shape_after(AveragePool{.kernel = 2, .stride = 2}, {{5, 5, 3}}) == Shape{2, 2, 3});
}

TEST_CASE("places and channels go where the operation says", "[spec]") {
  CHECK(shape_after(Linear{.features = 5}, {{4, 1, 3}}) == Shape{4, 1, 5});
  CHECK(shape_after(GlobalAveragePool{}, {{4, 6, 3}}) == Shape{1, 1, 3});
  CHECK(shape_after(Flatten{}, {{4, 6, 3}}) == Shape{1, 1, 72});
  CHECK(shape_after(Concat{}, {{4, 6, 3}, {4, 6, 1}, {4, 6, 2}}) == Shape{4, 6, 6});
  CHECK(shape_after(Embedding{.vocabulary = 9, .features = 6}, {{4, 1, 1}}) == Shape{4, 1, 6});
  CHECK(shape_after(Multiply{}, {{4, 6, 3}, {1, 1, 3}}) == Shape{4, 6, 3});
  for (const Operation& same :
       std::vector<Operation>{BatchNorm{}, LayerNorm{}, GroupNorm{.groups = 2}, Relu{}, Sigmoid{},
                              Gelu{}, Dropout{}, PositionalEncoding{}, Attention{.heads = 2}}) {
    CHECK(shape_after(same, {{3, 5, 4}}) == Shape{3, 5, 4});
  }
}

TEST_CASE("what does not fit names the shapes that met", "[spec]") {
  CHECK(mismatch(Convolution{.channels = 4, .kernel_height = 7, .kernel_width = 7, .padding = 1},
                 {{4, 9, 3}}) ==
        "a 7x7 kernel on 4x9x3, padding 1; a kernel no larger than the padded input");
  CHECK(mismatch(Convolution{.channels = 4, .groups = 2}, {{4, 4, 3}}) ==
        "2 groups for 4 channels from 4x4x3; groups that divide the channels on both sides");
  CHECK(mismatch(Convolution{.channels = 3, .groups = 2}, {{4, 4, 4}}) ==
        "2 groups for 3 channels from 4x4x4; groups that divide the channels on both sides");
  CHECK(mismatch(GroupNorm{.groups = 3}, {{4, 4, 4}}) ==
        "3 groups for 4x4x4; groups that divide the channels");
  CHECK(mismatch(MaxPool{.kernel = 5, .stride = 1}, {{8, 4, 4}}) ==
        "a 5x5 kernel on 8x4x4, padding 0; a kernel no larger than the padded input");
  CHECK(mismatch(AveragePool{.kernel = 3, .stride = 1, .padding = 2}, {{8, 8, 4}}) ==
        "padding 2 for a kernel of 3; at most half the kernel");
  CHECK(mismatch(Add{}, {{8, 8, 4}, {4, 4, 8}}) ==
        "branches of 8x8x4 and 4x4x8; branches of equal shape");
  CHECK(mismatch(Multiply{}, {{1, 1, 4}, {8, 8, 4}}) ==
        "branches of 1x1x4 and 8x8x4; branches of equal shape, or 1x1x4 as the second");
  CHECK(mismatch(Concat{}, {{8, 8, 4}, {8, 8, 1}, {8, 7, 4}}) ==
        "branches of 8x8x4 and 8x7x4; branches of equal height and width");
  CHECK(mismatch(Attention{.heads = 3}, {{35, 1, 200}}) ==
        "3 heads for 35x1x200; heads that divide the features");
  CHECK(mismatch(PositionalEncoding{}, {{35, 1, 7}}) ==
        "35x1x7; an even number of features: each sine has its cosine");
}
