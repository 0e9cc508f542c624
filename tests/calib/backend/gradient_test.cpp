// Every layer's backward against central differences of its forward, in double.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "calib/backend/cpu_device.hpp"
#include "calib/backend/network.hpp"
#include "calib/kernels/random.hpp"
#include "calib/spec/model_file.hpp"
#include "tests/calib/backend/batches.hpp"
#include "tests/catch.hpp"

namespace {

using namespace dbsim::calib;

constexpr std::uint64_t draw = 11;

double loss_at(Network<double>& network) {
  network.forward(Pass::training, draw);
  return network.loss().mean;
}

/// The largest relative distance, over the parameters, between backward's gradient and the one that
/// the loss itself shows.
double worst_gradient_error(const std::string& text, Index samples) {
  const Model model = parse_model(text, "model.toml");
  const auto device = make_cpu_device(1, CpuLibrary::eigen);
  const auto ops = make_cpu_ops<double>(1, CpuLibrary::eigen);
  Network<double> network{model, *ops, *device, 3};
  network.prepare(samples);
  const auto batch = tests::random_batch<double>(model, samples, 17);
  network.load(batch.view());
  network.forward(Pass::training, draw);
  network.backward();
  double worst = 0.0;
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    const std::vector<double> gradient = network.gradient(p);
    std::vector<double> value = network.parameter(p);
    double distance = 0.0;
    double length = 0.0;
    const std::size_t stride = std::max<std::size_t>(1, value.size() / 24);
    for (std::size_t i = 0; i < value.size(); i += stride) {
      constexpr double small = 1e-5;
      const double here = value[i];
      value[i] = here + small;
      network.set_parameter(p, value);
      const double above = loss_at(network);
      value[i] = here - small;
      network.set_parameter(p, value);
      const double below = loss_at(network);
      value[i] = here;
      const double slope = (above - below) / (2.0 * small);
      distance += (slope - gradient[i]) * (slope - gradient[i]);
      length += slope * slope;
    }
    network.set_parameter(p, value);
    // A parameter before a batch norm may have no influence at all.
    worst = std::max(worst, std::sqrt(distance) / std::max(std::sqrt(length), 1e-4));
  }
  return worst;
}

std::string image_model(const std::string& layers, int size = 6, int channels = 4) {
  return "model = 1\nname = \"small\"\ninput = [" + std::to_string(size) + ", " +
         std::to_string(size) + ", 3]\nclasses = 5\nlayers = [\n" +
         "{ op = \"convolution\", channels = " + std::to_string(channels) +
         ", kernel = 3, padding = 1 },\n" + layers +
         ",\n{ op = \"flatten\" }, { op = \"linear\", features = 5 } ]\n";
}

std::string sequence_model(const std::string& layers) {
  return "model = 1\nname = \"small\"\ninput = { tokens = 7, length = 5 }\nclasses = 7\nlayers = "
         "[\n{ op = \"embedding\", features = 6, scale = 2.0 },\n" +
         layers + ",\n{ op = \"linear\", features = 7 } ]\n";
}

}  // namespace

TEST_CASE("backward is the slope of forward", "[gradient]") {
  struct Case {
    const char* name;
    std::string model;
  };
  const std::vector<Case> cases{
      {"convolution, stride 2",
       image_model("{ op = \"convolution\", channels = 6, kernel = 3, stride = 2, padding = 1 }")},
      {"convolution, stride 2 over an edge that does not fit",
       image_model("{ op = \"convolution\", channels = 6, kernel = 3, stride = 2 }", 8)},
      {"convolution, one place, no bias",
       image_model("{ op = \"convolution\", channels = 6, kernel = 1, bias = false }")},
      {"convolution, one place, stride 2",
       image_model("{ op = \"convolution\", channels = 6, kernel = 1, stride = 2 }")},
      {"convolution, oblong kernel",
       image_model("{ op = \"convolution\", channels = 6, kernel = [2, 3] }")},
      {"grouped convolution",
       image_model("{ op = \"convolution\", channels = 6, kernel = 3, padding = 1, groups = 2 }")},
      {"depthwise convolution",
       image_model("{ op = \"convolution\", channels = 4, kernel = 3, stride = 2, padding = 1, "
                   "groups = 4 }")},
      {"linear on every place", image_model("{ op = \"linear\", features = 3 }")},
      {"batch norm", image_model("{ op = \"batch_norm\" }")},
      {"batch norm, then ReLU in the same pass",
       image_model("{ op = \"batch_norm\" }, { op = \"relu\" }")},
      {"group norm", image_model("{ op = \"group_norm\", groups = 2 }")},
      {"layer norm", image_model("{ op = \"layer_norm\" }")},
      {"ReLU", image_model("{ op = \"relu\" }")},
      {"sigmoid", image_model("{ op = \"sigmoid\" }")},
      {"GELU", image_model("{ op = \"gelu\" }")},
      {"max pool", image_model("{ op = \"max_pool\", kernel = 2 }")},
      {"max pool with windows that overlap",
       image_model("{ op = \"max_pool\", kernel = 3, stride = 2, padding = 1 }")},
      {"max pool with a window over the edge",
       image_model("{ op = \"max_pool\", kernel = 3, stride = 2, ceil = true }")},
      {"average pool",
       image_model("{ op = \"average_pool\", kernel = 3, stride = 2, padding = 1 }")},
      {"global average pool", image_model("{ op = \"global_average_pool\" }")},
      {"add, then ReLU in the same pass",
       image_model("{ op = \"add\", branches = [ [ { op = \"convolution\", channels = 4, kernel = "
                   "3, padding = 1 } ], [] ] }, { op = \"relu\" }")},
      {"two sums in a row",
       image_model("{ op = \"add\", branches = [ [], [ { op = \"add\", branches = [ [], [ { op = "
                   "\"gelu\" } ] ] }, { op = \"sigmoid\" } ] ] }")},
      {"a value added to itself", image_model("{ op = \"add\", branches = [ [], [] ] }")},
      {"squeeze and excitation",
       image_model("{ op = \"multiply\", branches = [ [], [ { op = \"global_average_pool\" }, { op "
                   "= \"linear\", features = 4 }, { op = \"sigmoid\" } ] ] }")},
      {"product of equal shapes",
       image_model("{ op = \"multiply\", branches = [ [], [ { op = \"sigmoid\" } ] ] }")},
      {"concat",
       image_model("{ op = \"concat\", branches = [ [], [ { op = \"convolution\", channels = 2, "
                   "kernel = 1 }, { op = \"relu\" } ], [ { op = \"gelu\" } ] ] }")},
      {"dropout", image_model("{ op = \"dropout\", probability = 0.4 }")},
      {"dropout of whole channels",
       image_model("{ op = \"dropout\", probability = 0.4, whole_channels = true }")},
      {"embedding and positions",
       sequence_model("{ op = \"positional_encoding\" }, { op = \"dropout\" }")},
      {"attention", sequence_model("{ op = \"attention\", heads = 2 }")},
      {"causal attention with dropout",
       sequence_model("{ op = \"attention\", heads = 3, causal = true, dropout = 0.3 }")},
      {"attention on images", image_model("{ op = \"attention\", heads = 2 }", 4)},
      {"transformer layer",
       sequence_model("{ op = \"add\", branches = [ [], [ { op = \"attention\", heads = 2, causal "
                      "= true } ] ] }, { op = \"layer_norm\" }, { op = \"add\", branches = [ [], [ "
                      "{ op = \"linear\", features = 9 }, { op = \"relu\" }, { op = \"linear\", "
                      "features = 6 } ] ] }, { op = \"layer_norm\" }")},
  };
  for (const Case& each : cases) {
    INFO(each.name);
    CHECK(worst_gradient_error(each.model, 3) < 1e-6);
  }
}
