#include "calib/spec/model_file.hpp"

#include "tests/calib/spec/texts.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

TEST_CASE("a model carries its name, its classes and its opening sentence", "[spec]") {
  const Model model =
      parse_model("# A tiny network. It is not meant to learn.\n" + image_model(head), "m.toml");
  CHECK(model.name == "m");
  CHECK(model.classes == 10);
  CHECK(model.description == "A tiny network.");
  CHECK(model.input == Shape{8, 8, 4});
  CHECK_FALSE(model.vocabulary.has_value());
}

TEST_CASE("text that is no TOML is refused at its place", "[spec]") {
  CHECK(problems_of("model = 1\nname = ").starts_with("m.toml:2:8: "));
}

TEST_CASE("a model file that is not there is refused by name", "[spec]") {
  CHECK_THROWS_AS(load_model("/nowhere/m.toml"), dbsim::InputError);
}
