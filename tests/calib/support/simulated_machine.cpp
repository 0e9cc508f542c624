#include "tests/calib/support/simulated_machine.hpp"

#include <cmath>

namespace dbsim::calib::test {

void SimulatedMachine::pass(double seconds) {
  now_ += seconds;
  const double kept = std::exp(-seconds / traits_.drift_s);
  drift_ = kept * drift_ + traits_.drift * std::sqrt(1.0 - kept * kept) * normal();
  walk_ += traits_.walk * std::sqrt(seconds) * normal();
}

double SimulatedMachine::factor(double since_start) const {
  const double warming = traits_.warming * (1.0 - std::exp(-since_start / traits_.warming_s));
  const double throttling = throttled() ? 4.0 / 3.0 : 1.0;
  return std::exp(drift_ + walk_) * (1.0 + warming) * throttling * (1.0 + cost_of_load * loads);
}

DeviceDescription SimulatedRunner::device() const {
  return {.name = "Simulated device",
          .memory_bytes = 1'000'000'000,
          .driver = "",
          .backend = "simulation 1"};
}

DeviceState SimulatedRunner::state() {
  const double full = 1.5e9;
  return {.clock_hz = machine_.throttled() ? 0.75 * full : full,
          .temperature_celsius = 50.0,
          .throttled = machine_.throttled()};
}

bool SimulatedRunner::prepare(std::int64_t batch) {
  prepared.push_back(batch);
  machine_.pass(0.02);
  if (batch > machine_.traits().largest_batch) return false;
  batch_ = batch;
  visit_factor_ = std::exp(machine_.traits().visit_noise * machine_.normal());
  if (machine_.uniform() < machine_.traits().spike_probability) {
    visit_factor_ *= machine_.traits().spike_factor;
  }
  return true;
}

StepTimes SimulatedRunner::step() {
  const MachineTraits& traits = machine_.traits();
  const double memory = traits.step_memory;
  noise_ =
      memory * noise_ + traits.step_noise * std::sqrt(1.0 - memory * memory) * machine_.normal();
  const double time = traits.law(batch_) * visit_factor_ * std::exp(noise_) *
                      machine_.factor(machine_.now() - started_);
  machine_.pass(time);
  return {.step = time,
          .forward = 0.3 * time,
          .backward = 0.6 * time,
          .update = 0.1 * time,
          .bucket_ready = {0.6 * time * 0.25, 0.6 * time}};
}

Surroundings undisturbed(const SimulatedMachine& machine) {
  return {.now = [&machine] { return machine.now(); },
          .stop = [] { return false; },
          .report = {},
          .keep = {}};
}

}  // namespace dbsim::calib::test
