// How long training steps take on this CPU, for tools/compare-with-pytorch: seconds, one line each.
//
//   dbsim_step_times MODEL.toml SAMPLES THREADS STEPS
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "calib/backend/cpu_device.hpp"
#include "calib/backend/network.hpp"
#include "calib/spec/model_file.hpp"
#include "tests/calib/backend/batches.hpp"

namespace {

using namespace dbsim::calib;

constexpr std::uint64_t warm_up = 3;
constexpr SgdSettings sgd{.learning_rate = 0.01, .momentum = 0.9, .weight_decay = 0.0};

int number(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void time_steps(const std::string& path, Index samples, int threads, std::uint64_t steps) {
  const Model model = load_model(path);
  const CpuLibrary library = has_onednn() ? CpuLibrary::onednn : CpuLibrary::eigen;
  const auto device = make_cpu_device(threads, library);
  const auto ops = make_cpu_ops<float>(threads, library);
  Network<float> network{model, *ops, *device, 1};
  network.prepare(samples);
  network.load(tests::random_batch<float>(model, samples, 2).view());
  for (std::uint64_t step = 0; step < warm_up + steps; ++step) {
    device->mark(0);
    network.forward(Pass::training, step);
    network.backward();
    network.update(sgd);
    device->mark(1);
    device->wait();
    if (step >= warm_up) fmt::print("{:.9f}\n", device->seconds(0, 1));
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() != 4 || number(arguments[1]) < 1 || number(arguments[2]) < 1 ||
      number(arguments[3]) < 1) {
    fmt::print(stderr, "usage: dbsim_step_times MODEL.toml SAMPLES THREADS STEPS\n");
    return 2;
  }
  time_steps(arguments[0], number(arguments[1]), number(arguments[2]),
             static_cast<std::uint64_t>(number(arguments[3])));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 3;
}
