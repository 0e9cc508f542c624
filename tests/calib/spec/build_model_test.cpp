#include "tests/calib/spec/texts.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

std::string block(const std::string& name, const std::string& rest) {
  return "[[block]]\nname = \"" + name + "\"\n" + rest + "\n";
}

}  // namespace

TEST_CASE("nodes are numbered in the order they are computed, branch by branch", "[spec]") {
  const Model model = parse_model(
      image_model(R"({ op = "add", branches = [)"
                  R"([{ op = "relu" }, { op = "batch_norm" }], []] }, { op = "relu" },)" +
                  head),
      "m.toml");
  std::vector<std::string> names;
  for (const Node& node : model.nodes) names.push_back(node.name);
  CHECK(names == std::vector<std::string>{"0.relu", "1.batch_norm", "2.add", "3.relu",
                                          "4.global_average_pool", "5.linear"});
  CHECK(model.nodes[0].inputs == std::vector<std::int64_t>{model_input});
  CHECK(model.nodes[1].inputs == std::vector<std::int64_t>{0});
  CHECK(model.nodes[2].inputs == std::vector<std::int64_t>{1, model_input});
  CHECK(model.nodes[3].inputs == std::vector<std::int64_t>{2});
  REQUIRE(model.parameters.size() == 4);
  CHECK(model.parameters[0].name == "1.batch_norm.scale");
  CHECK(model.parameters[2].name == "5.linear.weight");
  CHECK(model.nodes[5].parameters == std::vector<std::int64_t>{2, 3});
}

TEST_CASE("a block stands where it is used, as often as that says, with its numbers", "[spec]") {
  const Model model = parse_model(
      image_model(
          R"({ use = "step", channels = 6, repeat = 2 }, { use = "step", channels = 5 },)" + head,
          block("step", R"(parameters = ["channels"]
layers = [{ op = "convolution", channels = "$channels", kernel = ["$channels", 1], padding = 3 }])")),
      "m.toml");
  REQUIRE(model.nodes.size() == 5);
  CHECK(model.nodes[0].shape == Shape{9, 14, 6});
  CHECK(model.nodes[1].shape == Shape{10, 20, 6});
  CHECK(model.nodes[2].shape == Shape{12, 26, 5});
}

TEST_CASE("blocks hand their numbers on to blocks inside them", "[spec]") {
  const Model model = parse_model(image_model(R"({ use = "outer", width = 3, times = 2 },)" + head,
                                              block("outer", R"(parameters = ["width", "times"]
layers = [{ op = "concat", branches = [[{ use = "inner", n = "$width", repeat = "$times" }], []] }])") +
                                                  block("inner", R"(parameters = ["n"]
layers = [{ op = "linear", features = "$n" }])")),
                                  "m.toml");
  REQUIRE(model.nodes.size() == 5);
  CHECK(model.nodes[1].name == "1.linear");
  CHECK(model.nodes[2].shape == Shape{8, 8, 7});
}

TEST_CASE("shapes that do not fit are named where the layer stands", "[spec]") {
  CHECK(problems_of(image_model(R"({ op = "convolution", channels = 4, kernel = 9 })")) ==
        "m.toml:5:11: layers[0]: found a 9x9 kernel on 8x8x4, padding 0; expected a kernel no "
        "larger than the padded input");
  CHECK(problems_of(
            image_model("\n"
                        R"({ op = "add", branches = [[{ op = "max_pool", kernel = 2 }], []] })")) ==
        "m.toml:6:1: layers[0]: found branches of 4x4x4 and 8x8x4; expected branches of equal "
        "shape");
  CHECK(problems_of(text_model(R"({ op = "embedding", features = 8 },)"
                               R"({ op = "attention", heads = 3 })")) ==
        "m.toml:5:46: layers[1]: found 3 heads for 4x1x8; expected heads that divide the features");
}

TEST_CASE("a layer inside a block is named with the use that it does not fit", "[spec]") {
  const std::string groups = block("grouped", R"(parameters = ["n"]
layers = [{ op = "group_norm", groups = "$n" }])");
  CHECK(problems_of(image_model(R"({ use = "grouped", n = 2 },
{ use = "grouped", n = 3 },)" + head,
                                groups)) ==
        "m.toml:10:11: block[0].layers[0]: found 3 groups for 8x8x4, in the block used at line 6; "
        "expected groups that divide the channels");
  CHECK(problems_of(image_model(R"({ use = "grouped", n = 0 },)" + head, groups)) ==
        "m.toml:9:41: block[0].layers[0].groups: found $n = 0, in the block used at line 5; "
        "expected from 1 to 1000000");
}

TEST_CASE("tokens go into an embedding, and nothing else does", "[spec]") {
  CHECK(problems_of(text_model(R"({ op = "convolution", channels = 4, kernel = 1 })")) ==
        "m.toml:5:11: layers[0]: found tokens as the input of convolution; expected an embedding "
        "before it");
  CHECK(problems_of(image_model(R"({ op = "embedding", features = 4 })")) ==
        "m.toml:5:11: layers[0]: found 8x8x4 as the input of embedding; expected the model's own "
        "input, with input = { tokens = ..., length = ... }");
  const Model model = parse_model(text_model(R"({ op = "embedding", features = 8 },)"
                                             R"({ op = "linear", features = 10 })"),
                                  "m.toml");
  CHECK(std::get<Embedding>(model.nodes[0].operation).vocabulary == 50);
  CHECK(model.input == Shape{4, 1, 1});
  CHECK(model.vocabulary == 50);
}

TEST_CASE("the last layer must give a score for each class", "[spec]") {
  CHECK(problems_of(image_model(R"({ op = "relu" }, { op = "global_average_pool" })")) ==
        "m.toml:5:28: layers[1]: found 1x1x4 after the last layer; expected 10 channels, one for "
        "each class");
  CHECK(problems_of(image_model(R"({ op = "linear", features = 10 })")) ==
        "m.toml:5:11: layers[0]: found 8x8x10 after the last layer; expected one place: a "
        "global_average_pool or a flatten before it");
  CHECK(problems_of(image_model("")) ==
        "m.toml:5:10: layers: found an empty list; expected at least one layer");
}

TEST_CASE("a joining operation needs its number of branches", "[spec]") {
  CHECK(problems_of(image_model(R"({ op = "add", branches = [[]] },)" + head)) ==
        "m.toml:5:11: layers[0].branches: found 1 of them; expected exactly 2");
  CHECK(problems_of(image_model(R"({ op = "concat", branches = [[]] },)" + head)) ==
        "m.toml:5:11: layers[0].branches: found 1 of them; expected at least 2");
}

TEST_CASE("blocks that come to use themselves are shown as the ring they are", "[spec]") {
  CHECK(problems_of(image_model(
            head, block("a", R"(layers = [{ use = "b" }])") +
                      block("b", R"(layers = [{ op = "add", branches = [[{ use = "c" }], []] }])") +
                      block("c", R"(layers = [{ use = "b" }])"))) ==
        "m.toml:14:11: block[2].layers[0]: found b uses c uses b; expected blocks that do not come "
        "to use themselves");
  CHECK(problems_of(image_model(head, block("a", "layers = []"))) ==
        "m.toml:6:1: block[0].layers: found an empty list; expected at least one layer");
}

TEST_CASE("a model that would fill the memory is refused instead", "[spec]") {
  const std::string many = block("ten", R"(layers = [{ use = "relu", repeat = 1000 }])") +
                           block("relu", R"(layers = [{ op = "relu" }])");
  CHECK(problems_of(image_model(R"({ use = "ten", repeat = 1000 })", many)) ==
        "m.toml:11:11: block[1].layers[0]: found one more operation, in the block used at line 8; "
        "expected at most 100000");
  CHECK(problems_of("model = 1\nname = \"m\"\ninput = [1000000, 1000000, 1000000]\n"
                    "classes = 10\nlayers = [{ op = \"relu\" }]") ==
        "m.toml:5:11: layers[0]: found 1000000x1000000x1000000 from 1000000x1000000x1000000; "
        "expected at most 1e+12 values and parameters");
  for (const bool rising : {true, false}) {
    std::string chain;
    for (int i = 0; i < 200; ++i) {
      const int next = rising ? i + 1 : i - 1;
      const bool last = next < 0 || next == 200;
      chain += block("b" + std::to_string(i),
                     last ? R"(layers = [{ op = "relu" }])"
                          : "layers = [{ use = \"b" + std::to_string(next) + "\" }]");
    }
    CHECK(problems_of(image_model(head, chain)).find("expected at most 64 deep") !=
          std::string::npos);
  }
}
