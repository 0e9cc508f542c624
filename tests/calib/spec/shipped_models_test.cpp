// The shipped models against what others publish of them.
#include <algorithm>
#include <filesystem>

#include "calib/spec/model_shelf.hpp"
#include "sim/io/files.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using namespace dbsim::calib;

namespace {

struct Published {
  const char* name;
  std::int64_t parameters;
  double multiply_adds;  // forward, of one sample
};

// Parameters ("num_params") and billions of multiply-adds ("_ops") from the tables of weights in
// torchvision 0.15, models/{resnet,densenet,googlenet,regnet}.py; GoogLeNet without its auxiliary
// heads there too.
constexpr Published imagenet[] = {
    {"resnet18-imagenet", 11'689'512, 1.814e9},  {"resnet50-imagenet", 25'557'032, 4.089e9},
    {"resnet101-imagenet", 44'549'160, 7.801e9}, {"densenet121-imagenet", 7'978'856, 2.834e9},
    {"googlenet-imagenet", 6'624'904, 1.498e9},  {"regnety-400mf-imagenet", 4'344'144, 0.402e9}};

// The same networks written with torch.nn modules, counted by torch (numel of the parameters; a
// hook on every Conv2d and Linear for the multiply-adds).
constexpr Published cifar[] = {{"resnet18-cifar10", 11'173'962, 555'422'720},
                               {"resnet50-cifar10", 23'520'842, 1'297'829'888},
                               {"resnet101-cifar10", 42'512'970, 2'509'983'744},
                               {"resnet101-groupnorm-cifar10", 42'512'970, 2'509'983'744},
                               {"densenet121-cifar10", 6'956'298, 888'350'720},
                               {"googlenet-cifar10", 6'166'250, 1'521'756'160},
                               {"regnety-400mf-cifar10", 5'714'362, 467'089'152}};

// By hand. MnistNet: 24 x 24 x 10 x 25, 8 x 8 x 20 x 250, 320 x 50, 50 x 10. Transformer, 35
// places: twice 4 x 200 x 200 and 2 x 35 x 200 for attention and 2 x 200 x 200, then 200 x 33278.
constexpr Published small[] = {{"mnistnet-mnist", 21'840, 144'000 + 320'000 + 16'000 + 500},
                               {"transformer-wikitext2", 13'828'478,
                                35.0 * (2.0 * (160'000 + 14'000 + 80'000) + 200.0 * 33'278)}};

template <class Table>
void check_table(const Table& table, double tolerance) {
  for (const Published& published : table) {
    CAPTURE(published.name);
    const Model model = find_model(published.name, DBSIM_SOURCE_DIR "/scenarios/models");
    CHECK(model.parameter_count() == published.parameters);
    CHECK(model.forward_multiply_adds() == Approx(published.multiply_adds).epsilon(tolerance));
  }
}

}  // namespace

TEST_CASE("ImageNet models have the published parameters and multiply-adds", "[spec]") {
  check_table(imagenet, 0.01);
}

TEST_CASE("CIFAR models have the parameters and multiply-adds that torch counts", "[spec]") {
  check_table(cifar, 1e-12);
}

TEST_CASE("the small models have the parameters and multiply-adds counted by hand", "[spec]") {
  check_table(small, 1e-12);
}

TEST_CASE("every shipped model is in one of these tables, and says its name and source", "[spec]") {
  const std::string folder = DBSIM_SOURCE_DIR "/scenarios/models";
  const std::vector<ModelSummary> models = list_models(folder);
  CHECK(models.size() == std::size(imagenet) + std::size(cifar) + std::size(small));
  for (const ModelSummary& model : models) {
    CAPTURE(model.name);
    CHECK(find_model(model.name, folder).name == model.name);
    CHECK(model.description.ends_with('.'));
    const std::string text = read_text_file(folder + "/" + model.name + ".toml");
    CHECK(text.find("\n# Source: ") != std::string::npos);
  }
}
