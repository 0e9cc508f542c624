#include "calib/spec/operations.hpp"

#include <set>

#include "tests/calib/spec/texts.hpp"
#include "tests/catch.hpp"

using namespace dbsim::calib;

namespace {

/// The first operation of a file with nothing but what is needed.
template <class Kind>
Kind first(const std::string& layer) {
  const Model model = parse_model(test::image_model(layer + "," + test::head), "m.toml");
  return std::get<Kind>(model.nodes.at(0).operation);
}

}  // namespace

TEST_CASE("every operation has a name of its own, in the order of the alternatives", "[spec]") {
  std::set<std::string_view> names;
  for (const OperationKind& kind : operation_kinds()) names.insert(kind.name);
  CHECK(names.size() == std::variant_size_v<Operation>);
  CHECK(name_of(Convolution{}) == "convolution");
  CHECK(name_of(GroupNorm{}) == "group_norm");
  CHECK(name_of(Gelu{}) == "gelu");
  CHECK(name_of(GlobalAveragePool{}) == "global_average_pool");
  CHECK(name_of(Multiply{}) == "multiply");
  CHECK(name_of(Embedding{}) == "embedding");
  CHECK(name_of(Attention{}) == "attention");
}

// As torch.nn has them.
TEST_CASE("what a layer leaves out has PyTorch's default", "[spec]") {
  const auto convolution =
      first<Convolution>(R"({ op = "convolution", channels = 4, kernel = 3 })");
  CHECK(convolution.kernel_height == 3);
  CHECK(convolution.kernel_width == 3);
  CHECK(convolution.stride == 1);
  CHECK(convolution.padding == 0);
  CHECK(convolution.groups == 1);
  CHECK(convolution.bias);
  const auto norm = first<BatchNorm>(R"({ op = "batch_norm" })");
  CHECK(norm.epsilon == 1e-5);
  CHECK(norm.momentum == 0.1);
  const auto pool = first<MaxPool>(R"({ op = "max_pool", kernel = 3 })");
  CHECK(pool.stride == 3);
  CHECK(pool.padding == 0);
  CHECK_FALSE(pool.ceil);
  CHECK(first<AveragePool>(R"({ op = "average_pool", kernel = 4 })").stride == 4);
  const auto dropout = first<Dropout>(R"({ op = "dropout" })");
  CHECK(dropout.probability == 0.5);
  CHECK_FALSE(dropout.whole_channels);
  const auto attention = first<Attention>(R"({ op = "attention", heads = 2 })");
  CHECK_FALSE(attention.causal);
  CHECK(attention.dropout == 0.0);
}

TEST_CASE("what a layer gives is what the operation has", "[spec]") {
  const auto convolution = first<Convolution>(
      R"({ op = "convolution", channels = 8, kernel = [3, 5], stride = 2, padding = 1,)"
      R"( groups = 4, bias = false })");
  CHECK(convolution.channels == 8);
  CHECK(convolution.kernel_height == 3);
  CHECK(convolution.kernel_width == 5);
  CHECK(convolution.stride == 2);
  CHECK(convolution.padding == 1);
  CHECK(convolution.groups == 4);
  CHECK_FALSE(convolution.bias);
  const auto norm = first<GroupNorm>(R"({ op = "group_norm", groups = 2, epsilon = 0.001 })");
  CHECK(norm.groups == 2);
  CHECK(norm.epsilon == 0.001);
  const auto pool =
      first<MaxPool>(R"({ op = "max_pool", kernel = 3, stride = 2, padding = 1, ceil = true })");
  CHECK(pool.stride == 2);
  CHECK(pool.padding == 1);
  CHECK(pool.ceil);
  const auto dropout =
      first<Dropout>(R"({ op = "dropout", probability = 0.2, whole_channels = true })");
  CHECK(dropout.probability == 0.2);
  CHECK(dropout.whole_channels);
}
