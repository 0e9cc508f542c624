// Runs one training step of a model, with every CPU library that has the precision, and writes
// weights, batch and results to standard output for compare.py.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "calib/backend/cpu_device.hpp"
#include "calib/backend/network.hpp"
#include "calib/kernels/random.hpp"
#include "calib/spec/model_file.hpp"
#include "sim/base/check.hpp"
#include "tests/calib/backend/batches.hpp"

namespace {

using namespace dbsim;
using namespace dbsim::calib;

constexpr int threads = 2;
constexpr std::uint64_t seed = 5;

template <class T>
void put(std::span<const T> values) {
  check(std::fwrite(values.data(), sizeof(T), values.size(), stdout) == values.size(),
        "standard output takes what is written");
}
template <class T>
void put(const std::vector<T>& values) {
  put(std::span<const T>{values});
}

/// The masks come from generators of our own, so the comparison is without dropout.
void leave_out_dropout(Model& model) {
  for (Node& node : model.nodes) {
    if (auto* dropout = std::get_if<Dropout>(&node.operation)) dropout->probability = 0.0;
    if (auto* attention = std::get_if<Attention>(&node.operation)) attention->dropout = 0.0;
  }
}

/// As the model says, but nothing stays at zero or one, where a mix-up of two parameters would not
/// show. In float, which every library can start from.
std::vector<std::vector<float>> start_values(const Model& model) {
  const auto device = make_cpu_device(1, CpuLibrary::eigen);
  const auto ops = make_cpu_ops<float>(1, CpuLibrary::eigen);
  const Network<float> network{model, *ops, *device, seed};
  std::vector<std::vector<float>> values;
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    values.push_back(network.parameter(p));
    const Initial::Kind kind = model.parameters[p].initial.kind;
    if (kind != Initial::Kind::zero && kind != Initial::Kind::one) continue;
    const std::uint64_t key = random_bits(seed + 1, p);
    for (std::size_t i = 0; i < values.back().size(); ++i) {
      values.back()[i] += 0.4F * uniform<float>(key, i) - 0.2F;
    }
  }
  return values;
}

/// Eigen does both; where this build has oneDNN, that does float.
std::vector<CpuLibrary> libraries_for(std::string_view precision) {
  if (precision == "float" && has_onednn()) return {CpuLibrary::eigen, CpuLibrary::onednn};
  return {CpuLibrary::eigen};
}

std::string header(const Model& model, std::span<const CpuLibrary> libraries, Index samples) {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : model.parameters) {
    parameters.push_back(
        fmt::format(R"(["{}", [{}]])", parameter.name, fmt::join(parameter.shape, ", ")));
  }
  std::vector<std::string> names;
  for (const CpuLibrary library : libraries) {
    names.emplace_back(library == CpuLibrary::eigen ? R"("Eigen")" : R"("oneDNN")");
  }
  return fmt::format(
      R"({{"batch": [{}, {}, {}, {}], "tokens": {}, "labels": {}, "parameters": [{}], )"
      R"("runs": [{}]}})",
      samples, model.input.height, model.input.width, model.input.channels,
      model.vocabulary.has_value(), samples * model.nodes.back().shape.places(),
      fmt::join(parameters, ", "), fmt::join(names, ", "));
}

template <class T>
void put_step(const Model& model, const std::vector<std::vector<float>>& parameters,
              const tests::HostBatch<float>& batch, CpuLibrary library, Index samples) {
  const auto device = make_cpu_device(threads, library);
  const auto ops = make_cpu_ops<T>(threads, library);
  Network<T> network{model, *ops, *device, seed};
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    network.set_parameter(p, std::vector<T>(parameters[p].begin(), parameters[p].end()));
  }
  network.prepare(samples);
  const std::vector<T> images(batch.images.begin(), batch.images.end());
  network.load({images, batch.tokens, batch.labels});
  network.forward(Pass::training, 0);
  const double loss = network.loss().mean;
  put(std::span{&loss, 1});
  put(network.scores());
  network.backward();
  for (std::size_t p = 0; p < parameters.size(); ++p) put(network.gradient(p));
  network.forward(Pass::inference, 0);
  put(network.scores());
}

/// A line of JSON, then bare arrays: parameters and images (float) or tokens (int32), labels
/// (int32); of each run the loss (double), the scores of the training pass, the gradients, and the
/// scores of an inference pass that follows.
void put_steps(const std::string& path, Index samples, std::string_view precision) {
  Model model = load_model(path);
  leave_out_dropout(model);
  const std::vector<std::vector<float>> parameters = start_values(model);
  const auto batch = tests::random_batch<float>(model, samples, seed + 2);
  const std::vector<CpuLibrary> libraries = libraries_for(precision);
  fmt::print("{}\n", header(model, libraries, samples));
  for (const std::vector<float>& parameter : parameters) put(parameter);
  put(batch.images);
  put(batch.tokens);
  put(batch.labels);
  for (const CpuLibrary library : libraries) {
    if (precision == "double") {
      put_step<double>(model, parameters, batch, library, samples);
    } else {
      put_step<float>(model, parameters, batch, library, samples);
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  Index samples = 0;
  if (arguments.size() == 3) {
    std::from_chars(arguments[1].data(), arguments[1].data() + arguments[1].size(), samples);
  }
  if (samples < 1 || (arguments[2] != "double" && arguments[2] != "float")) {
    fmt::print(stderr, "usage: dbsim_write_steps MODEL.toml SAMPLES double|float\n");
    return 2;
  }
  put_steps(std::string{arguments[0]}, samples, arguments[2]);
  return std::fflush(stdout) == 0 ? 0 : 3;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 3;
}
