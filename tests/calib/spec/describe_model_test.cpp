#include <algorithm>

#include "tests/calib/spec/texts.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

TEST_CASE("a misspelt operation is one problem, whatever its keys", "[spec]") {
  CHECK(problems_of(image_model(R"({ op = "convolutoin", channels = "8", kernel = 3 },)" + head))
            .ends_with("; did you mean 'convolution'?"));
  const std::string text = problems_of(image_model(
      R"({ op = "ad", branches = [[{ op = "rule" }]] }, { use = "blok", n = 3 },)" + head,
      "[[block]]\nname = \"block\"\nparameters = [\"n\"]\nlayers = [{ op = \"relu\" }]"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
  CHECK(text.ends_with(
      "m.toml:5:66: layers[1].use: found \"blok\"; expected block; did you mean 'block'?"));
}

TEST_CASE("a misspelt key is named with the nearest one", "[spec]") {
  CHECK(problems_of(image_model(R"({ op = "max_pool", kernel = 2, strid = 2 },)" + head)) ==
        "m.toml:5:42: layers[0].strid: unknown key; did you mean 'stride'?");
  CHECK(problems_of(image_model(head) + "clases = 3\n") ==
        "m.toml:6:1: clases: unknown key; did you mean 'classes'?");
}

TEST_CASE("a layer is an operation or a block, not both and not neither", "[spec]") {
  const std::string block = "[[block]]\nname = \"b\"\nlayers = [{ op = \"relu\" }]";
  CHECK(problems_of(image_model(R"({ op = "relu", use = "b" },)" + head, block)) ==
        "m.toml:5:32: layers[0].use: found op and use together; expected only one of op, use");
  CHECK(problems_of(image_model("{ kernel = 3 }," + head)) ==
        "m.toml:5:11: layers[0]: found nothing; expected one of op, use");
  CHECK(problems_of(image_model(R"({ use = "b" },)" + head)) ==
        "m.toml:5:19: layers[0].use: found \"b\"; expected a block, and the file has none");
}

TEST_CASE("a use gives all the numbers of its block, and no others", "[spec]") {
  const std::string block =
      "[[block]]\nname = \"b\"\nparameters = [\"n\"]\nlayers = [{ op = \"relu\" }]";
  CHECK(problems_of(image_model(R"({ use = "b" },)" + head, block)) ==
        "m.toml:5:11: layers[0].n: found nothing; expected a whole number, from 0 to 1000000");
  CHECK(problems_of(image_model(R"({ use = "b", n = 1, m = 2 },)" + head, block)) ==
        "m.toml:5:31: layers[0].m: unknown key; expected one of op, use, repeat, n");
  CHECK(problems_of(image_model(R"({ use = "b", n = 1, repeat = 0 },)" + head, block)) ==
        "m.toml:5:40: layers[0].repeat: found 0; expected from 1 to 1000");
}

TEST_CASE("the input has three extents or is a table of tokens", "[spec]") {
  const auto with_input = [](const std::string& input) {
    return problems_of("model = 1\nname = \"m\"\ninput = " + input + "\nclasses = 10\nlayers = [" +
                       head + "]");
  };
  CHECK(with_input("[8, 8]") ==
        "m.toml:3:9: input: found a list of 2; expected [height, width, channels]");
  CHECK(with_input("[8, 8, 0]") == "m.toml:3:16: input[2]: found 0; expected from 1 to 1000000");
  CHECK(with_input("{ tokens = 5 }") ==
        "m.toml:3:9: input.length: found nothing; expected a whole number, from 1 to 1000000");
  CHECK(with_input("8") == "m.toml:3:9: input: found 8; expected a list or a table");
}

TEST_CASE("the heads of blocks are checked", "[spec]") {
  const auto with_head = [](const std::string& lines) {
    return problems_of(
        image_model(head, "[[block]]\n" + lines + "\nlayers = [{ op = \"relu\" }]\n"));
  };
  CHECK(with_head("name = \"b\"\nparameters = [\"repeat\"]") ==
        "m.toml:8:14: block[0].parameters: found \"repeat\"; expected names that differ from each "
        "other and from op, use and repeat");
  CHECK(with_head("name = \"b\"\nparameters = [\"a b\"]") ==
        "m.toml:8:14: block[0].parameters: found \"a b\"; expected letters, digits and _");
  CHECK(with_head("name = \"b\"\nlayers = [{ op = \"relu\" }]\n[[block]]\nname = \"b\"") ==
        "m.toml:10:8: block[1].name: found block \"b\" twice; expected names that differ");
  CHECK(with_head("") == "m.toml:6:1: block[0].name: found nothing; expected text");
}

TEST_CASE("all problems of a file are said at once, from top to bottom", "[spec]") {
  CHECK(problems_of("model = 2\ninput = [8, 8, 4]\nclasses = 0\nlayers = [7]\n") ==
        "m.toml:1:1: name: found nothing; expected text\n"
        "m.toml:1:9: model: found 2; expected exactly 1\n"
        "m.toml:3:11: classes: found 0; expected from 1 to 1000000\n"
        "m.toml:4:11: layers[0]: found 7; expected a table");
}
