#include "calib/backend/network.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "calib/backend/cpu_device.hpp"
#include "calib/spec/model_file.hpp"
#include "tests/calib/backend/batches.hpp"
#include "tests/catch.hpp"

namespace {

using namespace dbsim::calib;

Model image_model(const std::string& layers) {
  return parse_model("model = 1\nname = \"m\"\ninput = [6, 6, 2]\nclasses = 4\nlayers = [" +
                         layers + ", { op = \"flatten\" }, { op = \"linear\", features = 4 }]\n",
                     "m.toml");
}

struct Trained {
  explicit Trained(const Model& of)
      : model{of},
        device{make_cpu_device(1, CpuLibrary::eigen)},
        ops{make_cpu_ops<double>(1, CpuLibrary::eigen)},
        network{model, *ops, *device, 4} {}
  Model model;
  std::unique_ptr<Device> device;
  std::unique_ptr<Ops<double>> ops;
  Network<double> network;
};

}  // namespace

TEST_CASE("scores of an untrained network lose about the logarithm of the classes", "[network]") {
  Trained trained{image_model("{ op = \"convolution\", channels = 3, kernel = 1 }")};
  trained.network.prepare(64);
  const auto batch = tests::random_batch<double>(trained.model, 64, 1);
  trained.network.load(batch.view());
  trained.network.forward(Pass::inference, 0);
  CHECK(trained.network.loss().mean == Approx(std::log(4.0)).epsilon(0.2));
}

TEST_CASE("a network learns a batch by heart", "[network]") {
  Trained trained{image_model(
      "{ op = \"convolution\", channels = 8, kernel = 3, padding = 1, bias = false }, { op = "
      "\"batch_norm\" }, { op = \"relu\" }, { op = \"max_pool\", kernel = 2 }")};
  trained.network.prepare(16);
  const auto batch = tests::random_batch<double>(trained.model, 16, 2);
  trained.network.load(batch.view());
  for (std::uint64_t step = 0; step < 150; ++step) {
    trained.network.forward(Pass::training, step);
    trained.network.backward();
    trained.network.update({.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.0});
  }
  trained.network.forward(Pass::training, 0);
  CHECK(trained.network.loss().mean < 0.01);
  CHECK(trained.network.loss().correct == 1.0);
  // The running statistics have followed: inference knows the batch too.
  trained.network.forward(Pass::inference, 0);
  CHECK(trained.network.loss().correct == 1.0);
}

TEST_CASE("a step of SGD is what its formula says", "[network]") {
  Trained trained{image_model("{ op = \"relu\" }")};
  trained.network.prepare(8);
  const auto batch = tests::random_batch<double>(trained.model, 8, 3);
  trained.network.load(batch.view());
  constexpr SgdSettings settings{.learning_rate = 0.2, .momentum = 0.5, .weight_decay = 0.1};
  double velocity = 0.0;
  for (std::uint64_t step = 0; step < 3; ++step) {
    trained.network.forward(Pass::training, step);
    trained.network.backward();
    const double value = trained.network.parameter(0)[0];
    velocity = 0.5 * velocity + trained.network.gradient(0)[0] + 0.1 * value;
    trained.network.update(settings);
    CHECK(trained.network.parameter(0)[0] == Approx(value - 0.2 * velocity).epsilon(1e-12));
  }
}

TEST_CASE("the same seed starts with the same parameters, another with others", "[network]") {
  const Model model = image_model("{ op = \"convolution\", channels = 3, kernel = 1 }");
  Trained one{model};
  Trained same{model};
  CHECK(one.network.parameter(0) == same.network.parameter(0));
  Network<double> other{model, *one.ops, *one.device, 5};
  CHECK(one.network.parameter(0) != other.parameter(0));
}

TEST_CASE("the mean gradient of a batch is the weighted mean of its parts", "[network]") {
  // What lets unequal local batches replace one batch, as long as no layer looks across samples.
  const Model model = image_model(
      "{ op = \"convolution\", channels = 3, kernel = 3 }, { op = \"group_norm\", groups = 3 }, { "
      "op = \"gelu\" }");
  const auto batch = tests::random_batch<double>(model, 8, 6);
  const auto gradient_of = [&](Index first, Index samples) {
    Trained trained{model};
    trained.network.prepare(samples);
    const std::span<const double> images{batch.images};
    const std::span<const std::int32_t> labels{batch.labels};
    const auto size = static_cast<std::size_t>(model.input.size());
    const auto begin = static_cast<std::size_t>(first);
    const auto count = static_cast<std::size_t>(samples);
    trained.network.load(
        {images.subspan(begin * size, count * size), {}, labels.subspan(begin, count)});
    trained.network.forward(Pass::training, 0);
    trained.network.backward();
    return trained.network.gradient(0);
  };
  const auto whole = gradient_of(0, 8);
  const auto small = gradient_of(0, 3);
  const auto large = gradient_of(3, 5);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CHECK(whole[i] == Approx((3.0 * small[i] + 5.0 * large[i]) / 8.0).margin(1e-14));
  }
}
