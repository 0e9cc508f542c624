#include "calib/spec/model_file.hpp"
#include "sim/io/files.hpp"
#include "tests/calib/spec/texts.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using namespace dbsim::calib;

TEST_CASE("docs/models.md ends with what the reader says of itself", "[spec]") {
  const std::string document = read_text_file(DBSIM_SOURCE_DIR "/docs/models.md");
  const std::string reference = model_reference();
  CHECK(document.ends_with(reference));
}

TEST_CASE("the example in docs/models.md is a model", "[spec]") {
  const std::string document = read_text_file(DBSIM_SOURCE_DIR "/docs/models.md");
  const std::size_t begin = document.find("```toml\n") + 8;
  const std::string example = document.substr(begin, document.find("```\n", begin) - begin);
  const Model model = parse_model(example, "example.toml");
  // Stem, three blocks of a convolution and a norm, 16 x 10 and 10.
  CHECK(model.parameter_count() == 432 + 32 + 3 * (2304 + 32) + 170);
}
