#include "tests/calib/support/networks_agree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "calib/backend/cpu_device.hpp"
#include "calib/backend/network.hpp"
#include "calib/spec/model_shelf.hpp"
#include "tests/calib/backend/batches.hpp"

namespace dbsim::calib::test {

namespace {

constexpr std::uint64_t draw = 5;

std::vector<double> widened(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

double length(const std::vector<double>& values) {
  double squares = 0.0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares);
}

double distance(const std::vector<float>& a, const std::vector<double>& b) {
  std::vector<double> apart = widened(a);
  for (std::size_t i = 0; i < apart.size(); ++i) apart[i] -= b[i];
  return length(apart);
}

}  // namespace

Model shipped_model(const std::string& name) {
  return find_model(name, DBSIM_SOURCE_DIR "/scenarios/models");
}

StepInDouble::StepInDouble(Model model, Index samples, std::uint64_t seed)
    : model_{std::move(model)}, samples_{samples}, seed_{seed} {
  const auto device = make_cpu_device(1, CpuLibrary::eigen);
  const auto ops = make_cpu_ops<double>(1, CpuLibrary::eigen);
  const auto float_ops = make_cpu_ops<float>(1, CpuLibrary::eigen);
  const Network<float> start{model_, *float_ops, *device, seed_};
  Network<double> network{model_, *ops, *device, seed_};
  for (std::size_t p = 0; p < model_.parameters.size(); ++p) {
    network.set_parameter(p, widened(start.parameter(p)));
  }
  const auto batch = tests::random_batch<float>(model_, samples_, seed_);
  const std::vector<double> images = widened(batch.images);
  network.prepare(samples_);
  network.load({images, batch.tokens, batch.labels});
  network.forward(Pass::training, draw);
  network.backward();
  loss_ = network.loss().mean;
  for (std::size_t p = 0; p < model_.parameters.size(); ++p) {
    gradients_.push_back(network.gradient(p));
  }
}

StepError StepInDouble::error_on(Ops<float>& ops, Device& device) const {
  Network<float> network{model_, ops, device, seed_};
  const auto batch = tests::random_batch<float>(model_, samples_, seed_);
  network.prepare(samples_);
  network.load(batch.view());
  network.forward(Pass::training, draw);
  network.backward();
  StepError error{};
  error.loss = std::abs(network.loss().mean - loss_) / loss_;
  double longest = 0.0;
  for (const std::vector<double>& wanted : gradients_) {
    longest = std::max(longest, length(wanted));
  }
  double all_off = 0.0;
  double all = 0.0;
  for (std::size_t p = 0; p < gradients_.size(); ++p) {
    const double wanted = length(gradients_[p]);
    const double off = distance(network.gradient(p), gradients_[p]);
    all_off = std::hypot(all_off, off);
    all = std::hypot(all, wanted);
    // Some have no influence, such as the bias of a key in attention: what is left is rounding.
    const double relative = off / std::max(wanted, 1e-3 * longest);
    if (relative <= error.worst) continue;
    error.worst = relative;
    error.parameter = model_.parameters[p].name;
  }
  error.gradient = all_off / all;
  return error;
}

StepsInDouble::StepsInDouble(Model model, Index samples, std::uint64_t seed)
    : model_{std::move(model)}, samples_{samples}, seed_{seed} {}

StepError StepsInDouble::least_error_on(Ops<float>& ops, Device& device, double enough) {
  constexpr std::size_t most_batches = 16;  // of a ResNet-18, every second has a unit at a corner
  StepError least{};
  for (std::size_t i = 0; i < most_batches; ++i) {
    if (i == steps_.size()) steps_.emplace_back(model_, samples_, seed_ + i);
    const StepError error = steps_[i].error_on(ops, device);
    if (i == 0 || error.gradient < least.gradient) least = error;
    if (least.gradient <= enough) break;
  }
  return least;
}

std::vector<float> trained(const Model& model, Index samples, std::uint64_t seed, Ops<float>& ops,
                           Device& device) {
  Network<float> network{model, ops, device, seed};
  network.prepare(samples);
  const auto batch = tests::random_batch<float>(model, samples, seed);
  network.load(batch.view());
  constexpr std::uint64_t steps = 3;
  for (std::uint64_t step = 0; step < steps; ++step) {
    network.forward(Pass::training, step);
    network.backward();
    network.update({.learning_rate = 0.01, .momentum = 0.9, .weight_decay = 5e-4});
  }
  std::vector<float> all;
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    const std::vector<float> values = network.parameter(p);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

}  // namespace dbsim::calib::test
