#include "calib/spec/model.hpp"

#include <stdexcept>

#include "tests/calib/spec/texts.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;

TEST_CASE("parameters and multiply-adds of a small network, by hand", "[spec]") {
  const Model model = parse_model(
      test::image_model(R"({ op = "convolution", channels = 6, kernel = 3, groups = 2 },)"
                        R"({ op = "flatten" }, { op = "linear", features = 10, bias = false })"),
      "m.toml");
  // 3 x 3 x (4 / 2) x 6 weights and 6 biases; 6 x 6 x 6 = 216 values onto 10 classes.
  CHECK(model.parameter_count() == 108 + 6 + 2160);
  // 36 places x 6 channels x 18 factors, and 2160.
  CHECK(model.forward_multiply_adds() == 3888.0 + 2160.0);
  CHECK(model.forward_multiply_adds(model.nodes[0]) == 3888.0);
  CHECK(model.forward_multiply_adds(model.nodes[1]) == 0.0);
}

TEST_CASE("attention multiplies in its projections and for all pairs of places", "[spec]") {
  const Model model =
      parse_model(test::text_model(R"({ op = "embedding", features = 6 },)"
                                   R"({ op = "attention", heads = 2, causal = true },)"
                                   R"({ op = "linear", features = 10 })"),
                  "m.toml");
  // 4 places: onto 18, onto 6; 4 x 4 scores of 6 factors and as many weighted values.
  CHECK(model.forward_multiply_adds(model.nodes[1]) == 4 * 6 * 18 + 4 * 6 * 6 + 2 * 16 * 6);
  CHECK(model.forward_multiply_adds(model.nodes[0]) == 0.0);
}

TEST_CASE("a node's inputs have the shapes of the nodes they come from", "[spec]") {
  const Model model =
      parse_model(test::image_model(
                      R"({ op = "multiply", branches = [[], [{ op = "global_average_pool" }]] },)" +
                      test::head),
                  "m.toml");
  const Node& product = model.nodes[1];
  CHECK(model.input_shape(product, 0) == Shape{8, 8, 4});
  CHECK(model.input_shape(product, 1) == Shape{1, 1, 4});
  CHECK_THROWS_AS(model.input_shape(product, 2), std::logic_error);
}
