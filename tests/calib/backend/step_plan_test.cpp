#include "calib/backend/step_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "calib/spec/model_file.hpp"
#include "tests/catch.hpp"

namespace {

using namespace dbsim::calib;

std::vector<Model> shipped_models() {
  std::vector<Model> models;
  const std::filesystem::path folder = std::string{DBSIM_SOURCE_DIR} + "/scenarios/models";
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    models.push_back(load_model(entry.path().string()));
  }
  return models;
}

Model image_model(const std::string& layers) {
  return parse_model("model = 1\nname = \"m\"\ninput = [4, 4, 8]\nclasses = 2\nlayers = [" +
                         layers + ", { op = \"flatten\" }, { op = \"linear\", features = 2 }]\n",
                     "m.toml");
}

bool live_together(const Buffer& a, const Buffer& b) {
  return a.born <= b.died && b.born <= a.died;
}

std::int64_t total(const StepPlan& plan) {
  std::int64_t sum = 0;
  for (const Buffer& buffer : plan.buffers) sum += buffer.values_per_sample;
  return sum;
}

}  // namespace

TEST_CASE("buffers that are in use at the same time never share memory", "[step_plan]") {
  for (const Model& model : shipped_models()) {
    INFO(model.name);
    const StepPlan plan = plan_steps(model);
    constexpr std::int64_t batch = 3;
    const ArenaPlan arena = place_buffers(plan.buffers, batch, sizeof(float));
    std::int64_t overlaps = 0;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
      const Buffer& a = plan.buffers[i];
      const std::int64_t a_bytes =
          a.values_per_sample * batch * (a.bytes_per_value > 0 ? a.bytes_per_value : 4);
      CHECK(arena.offsets[i] + a_bytes <= arena.bytes);
      CHECK(arena.offsets[i] % 256 == 0);
      for (std::size_t j = 0; j < i; ++j) {
        if (!live_together(a, plan.buffers[j])) continue;
        const Buffer& b = plan.buffers[j];
        const std::int64_t b_bytes =
            b.values_per_sample * batch * (b.bytes_per_value > 0 ? b.bytes_per_value : 4);
        const bool apart = arena.offsets[i] + a_bytes <= arena.offsets[j] ||
                           arena.offsets[j] + b_bytes <= arena.offsets[i];
        if (!apart) ++overlaps;
      }
    }
    CHECK(overlaps == 0);
  }
}

TEST_CASE("memory is used again once its values are no longer needed", "[step_plan]") {
  for (const Model& model : shipped_models()) {
    INFO(model.name);
    const StepPlan plan = plan_steps(model);
    const ArenaPlan arena = place_buffers(plan.buffers, 16, sizeof(float));
    CHECK(arena.bytes < total(plan) * 16 * 4);
  }
}

TEST_CASE("a larger batch takes more memory, in proportion but for rounding", "[step_plan]") {
  const Model model =
      load_model(std::string{DBSIM_SOURCE_DIR} + "/scenarios/models/resnet18-cifar10.toml");
  const StepPlan plan = plan_steps(model);
  const std::int64_t one = place_buffers(plan.buffers, 64, sizeof(float)).bytes;
  const std::int64_t two = place_buffers(plan.buffers, 128, sizeof(float)).bytes;
  CHECK(two == Approx(2.0 * static_cast<double>(one)).epsilon(0.001));
}

TEST_CASE("a ReLU rides with the batch norm or sum that it alone reads", "[step_plan]") {
  const StepPlan fused = plan_steps(image_model("{ op = \"batch_norm\" }, { op = \"relu\" }"));
  REQUIRE(fused.steps.size() == 2);  // batch norm with its ReLU, linear
  CHECK(fused.steps[0].relu);

  // ResNet-18 has 20 batch norms and 8 sums; a ReLU follows 9 of the former (the others end a
  // branch) and each of the latter.
  const StepPlan resnet = plan_steps(
      load_model(std::string{DBSIM_SOURCE_DIR} + "/scenarios/models/resnet18-cifar10.toml"));
  CHECK(std::ranges::count_if(resnet.steps, &PlannedStep::relu) == 17);
}

TEST_CASE("a ReLU after a value that others read too is a step of its own", "[step_plan]") {
  const StepPlan plan =
      plan_steps(image_model("{ op = \"batch_norm\" }, { op = \"add\", branches = [ [], [ { op = "
                             "\"relu\" } ] ] }"));
  CHECK(plan.steps.size() == 4);
  CHECK(std::ranges::none_of(plan.steps, &PlannedStep::relu));
}

TEST_CASE("nobody computes the gradient of the samples for a weighted first layer", "[step_plan]") {
  const StepPlan plan =
      plan_steps(image_model("{ op = \"convolution\", channels = 4, kernel = 1 }"));
  CHECK(plan.steps.front().input_gradients.front().written == no_buffer);
}
