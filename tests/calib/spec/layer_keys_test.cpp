#include "tests/calib/spec/texts.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

std::string in_block(const std::string& layer) {
  return problems_of(image_model(
      R"({ use = "b", channels = 4 },)" + head,
      "[[block]]\nname = \"b\"\nparameters = [\"channels\"]\nlayers = [" + layer + "]"));
}

}  // namespace

TEST_CASE("a size inside a block is a number or one of the block's parameters", "[spec]") {
  CHECK(in_block(R"({ op = "linear", features = "$channels" })").empty());
  CHECK(in_block(R"({ op = "linear", features = "$chanels" })") ==
        "m.toml:9:39: block[0].layers[0].features: found \"$chanels\"; expected $channels; "
        "did you mean '$channels'?");
  CHECK(in_block(R"({ op = "linear", features = 2.5 })") ==
        "m.toml:9:39: block[0].layers[0].features: found 2.5; expected a whole number or text");
  CHECK(in_block(R"({ op = "linear", features = 0 })") ==
        "m.toml:9:39: block[0].layers[0].features: found 0; expected from 1 to 1000000");
}

TEST_CASE("outside of blocks there are no parameters", "[spec]") {
  CHECK(problems_of(image_model(R"({ op = "linear", features = "$channels" })")) ==
        "m.toml:5:39: layers[0].features: found text \"$channels\"; expected a whole number, from "
        "1 to 1000000");
}

TEST_CASE("a kernel is one number or two", "[spec]") {
  CHECK(in_block(R"({ op = "convolution", channels = 1, kernel = "$channels" })").empty());
  CHECK(in_block(R"({ op = "convolution", channels = 1, kernel = [1, "$channels"] })").empty());
  CHECK(in_block(R"({ op = "convolution", channels = 1, kernel = [1, 2, 3] })") ==
        "m.toml:9:56: block[0].layers[0].kernel: found a list of 3; expected [height, width]");
  CHECK(problems_of(image_model(R"({ op = "convolution", channels = 1, kernel = [1, 0] })")) ==
        "m.toml:5:60: layers[0].kernel[1]: found 0; expected from 1 to 1000");
  CHECK(problems_of(image_model(R"({ op = "convolution", channels = 1, kernel = true })")) ==
        "m.toml:5:56: layers[0].kernel: found true; expected a whole number or a list");
}

TEST_CASE("other values keep their type", "[spec]") {
  CHECK(problems_of(image_model(R"({ op = "dropout", probability = 1 })")) ==
        "m.toml:5:43: layers[0].probability: found 1; expected from 0 to 0.99");
  CHECK(problems_of(image_model(R"({ op = "linear", features = 10, bias = 0 })")) ==
        "m.toml:5:50: layers[0].bias: found 0; expected true or false");
}
