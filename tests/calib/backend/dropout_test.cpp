// Dropout's masks come from a generator of our own, so they are held to what chance must give.
#include <cmath>
#include <cstdint>
#include <vector>

#include "calib/backend/cpu_device.hpp"
#include "calib/backend/network.hpp"
#include "calib/kernels/ops.hpp"
#include "calib/spec/model_file.hpp"
#include "tests/catch.hpp"

namespace {

using namespace dbsim::calib;

constexpr ChannelShape shape{.samples = 40, .places = 49, .channels = 32};

std::vector<float> dropped(const std::vector<float>& x, const DropoutDraw& draw) {
  const auto ops = make_cpu_ops<float>(2, CpuLibrary::eigen);
  std::vector<float> y(x.size());
  ops->dropout(shape, draw, x.data(), y.data());
  return y;
}

/// Nothing is zero before it is dropped.
std::vector<float> ramp() {
  std::vector<float> x;
  for (Index i = 0; i < shape.size(); ++i) x.push_back(1.0F + 0.25F * static_cast<float>(i % 7));
  return x;
}

/// Whether a share of `trials` is as chance gives it: five standard deviations, one in a million.
bool is_likely(Index hits, Index trials, double probability) {
  const double expected = probability * static_cast<double>(trials);
  const double deviation = std::sqrt(expected * (1.0 - probability));
  return std::abs(static_cast<double>(hits) - expected) <= 5.0 * deviation;
}

Index kept_of(const std::vector<float>& y) {
  Index kept = 0;
  for (const float value : y) kept += value != 0.0F ? 1 : 0;
  return kept;
}

constexpr double probabilities[] = {0.1, 0.2, 0.5, 0.9};

}  // namespace

TEST_CASE("dropout keeps its share of the values and scales what it keeps", "[dropout]") {
  const std::vector<float> x = ramp();
  for (const double probability : probabilities) {
    const std::vector<float> y = dropped(x, {probability, 77, false});
    CHECK(is_likely(kept_of(y), shape.size(), 1.0 - probability));
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (y[i] == 0.0F) continue;
      CHECK(y[i] == Approx(static_cast<double>(x[i]) / (1.0 - probability)));
    }
  }
}

TEST_CASE("dropout of whole channels drops all places of a sample's channel or none", "[dropout]") {
  const std::vector<float> x = ramp();
  for (const double probability : probabilities) {
    const std::vector<float> y = dropped(x, {probability, 78, true});
    Index kept = 0;
    Index torn = 0;
    for (Index sample = 0; sample < shape.samples; ++sample) {
      for (Index channel = 0; channel < shape.channels; ++channel) {
        Index places = 0;
        for (Index place = 0; place < shape.places; ++place) {
          const Index row = sample * shape.places + place;
          places += y[static_cast<std::size_t>(row * shape.channels + channel)] != 0.0F ? 1 : 0;
        }
        kept += places > 0 ? 1 : 0;
        torn += places > 0 && places < shape.places ? 1 : 0;
      }
    }
    CHECK(torn == 0);
    CHECK(is_likely(kept, shape.samples * shape.channels, 1.0 - probability));
  }
}

TEST_CASE("masks of different draws know nothing of each other", "[dropout]") {
  const std::vector<float> x = ramp();
  constexpr double probability = 0.3;
  const std::vector<float> first = dropped(x, {probability, 79, false});
  for (const std::uint64_t key : {80U, 81U, 1'000'000U}) {
    const std::vector<float> second = dropped(x, {probability, key, false});
    Index both = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      both += first[i] != 0.0F && second[i] != 0.0F ? 1 : 0;
    }
    CHECK(is_likely(both, shape.size(), (1.0 - probability) * (1.0 - probability)));
  }
}

TEST_CASE("backward drops what forward dropped; inference drops nothing", "[dropout]") {
  // Every token once, and scores that are the embedding after dropout.
  constexpr std::size_t tokens = 40;
  const Model model = parse_model(
      "model = 1\nname = \"m\"\ninput = { tokens = 40, length = 40 }\nclasses = 40\nlayers = [\n"
      "{ op = \"embedding\", features = 40 }, { op = \"dropout\", probability = 0.4 },\n"
      "{ op = \"linear\", features = 40, bias = false } ]\n",
      "m.toml");
  const auto device = make_cpu_device(1, CpuLibrary::eigen);
  const auto ops = make_cpu_ops<double>(1, CpuLibrary::eigen);
  Network<double> network{model, *ops, *device, 3};
  std::vector<double> identity(tokens * tokens, 0.0);
  std::vector<std::int32_t> each;
  for (std::size_t i = 0; i < tokens; ++i) {
    identity[i * tokens + i] = 1.0;
    each.push_back(static_cast<std::int32_t>(i));
  }
  network.set_parameter(1, identity);
  network.prepare(1);
  network.load({{}, each, each});
  const std::vector<double> embedding = network.parameter(0);

  network.forward(Pass::training, 5);
  const std::vector<double> first = network.scores();
  network.backward();
  const std::vector<double> gradient = network.gradient(0);
  Index kept = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK((first[i] == 0.0) == (gradient[i] == 0.0));
    if (first[i] == 0.0) continue;
    CHECK(first[i] == Approx(embedding[i] / 0.6));
    ++kept;
  }
  CHECK(is_likely(kept, tokens * tokens, 0.6));

  network.forward(Pass::training, 5);
  CHECK(network.scores() == first);
  network.forward(Pass::training, 6);
  CHECK(network.scores() != first);
  network.forward(Pass::inference, 5);
  CHECK(network.scores() == embedding);
}
