#include "calib/spec/model_shelf.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/io/files.hpp"
#include "tests/calib/spec/texts.hpp"
#include "tests/catch.hpp"
#include "tests/io/temporary_folder.hpp"

using namespace dbsim;
using namespace dbsim::calib;

TEST_CASE("a folder's models are listed by name, with what they cost", "[spec]") {
  const TemporaryFolder folder;
  write_text_file(folder / "small.toml", "# Small.\n" + test::image_model(test::head));
  write_text_file(folder / "large.toml", test::image_model(test::head));
  write_text_file(folder / "notes.txt", "no model");
  const std::vector<ModelSummary> models = list_models(folder.path());
  REQUIRE(models.size() == 2);
  CHECK(models[0].name == "large");
  CHECK(models[1].name == "small");
  CHECK(models[1].description == "Small.");
  CHECK(models[1].parameters == 50);
  CHECK(models[1].forward_multiply_adds == 40.0);
}

TEST_CASE("a model is found by its name", "[spec]") {
  CHECK(find_model("resnet18-cifar10", DBSIM_SOURCE_DIR "/scenarios/models").name ==
        "resnet18-cifar10");
}

TEST_CASE("an unknown name is answered with the nearest one", "[spec]") {
  const TemporaryFolder folder;
  for (const char* name : {"resnet18-cifar10", "mnistnet-mnist"})
    write_text_file(folder / (std::string{name} + ".toml"), "");
  try {
    (void)find_model("resnet81-cifar10", folder.path());
    FAIL("found a model that is not there");
  } catch (const InputError& error) {
    CHECK(error.what() == folder.path() +
                              ": found \"resnet81-cifar10\"; expected one of mnistnet-mnist, "
                              "resnet18-cifar10; did you mean 'resnet18-cifar10'?");
  }
  CHECK_THROWS_AS(find_model("../m", folder.path()), InputError);
  CHECK_THROWS_AS(list_models(folder / "nowhere"), InputError);
}
