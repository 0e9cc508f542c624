#include "calib/backend/worker_load.hpp"

#include <atomic>
#include <stdexcept>

#include "calib/backend/cpu_family.hpp"
#include "calib/backend/cpu_load.hpp"
#include "calib/spec/model_file.hpp"
#include "tests/catch.hpp"

namespace {
using namespace dbsim::calib;
}

TEST_CASE("as many threads work as are asked for, until they are stopped",
          "[worker_load][threads]") {
  std::atomic<int> started{0};
  std::atomic<std::int64_t> work{0};
  std::atomic<std::int64_t> batch_seen{0};
  WorkerLoad load{"test", [&](std::int64_t batch) {
                    ++started;
                    batch_seen = batch;
                    return [&] { ++work; };
                  }};
  load.start(3, 32);
  CHECK(started == 3);
  CHECK(work >= 3);  // each has worked once before start returns
  CHECK(batch_seen == 32);
  load.stop();
  const std::int64_t done = work;
  CHECK(work == done);
  load.start(1, 8);
  load.stop();
  CHECK(started == 4);
}

TEST_CASE("a load that cannot start says why and leaves nothing running",
          "[worker_load][threads]") {
  WorkerLoad load{
      "test", [](std::int64_t) -> std::function<void()> { throw std::runtime_error{"no memory"}; }};
  CHECK_THROWS_WITH(load.start(2, 1), "no memory");
  load.stop();
}

TEST_CASE("the CPU offers loads of each kind, and each of them runs", "[cpu_load]") {
  const auto family = make_cpu_family();
  StepRunnerRequest request;
  request.device = "cpu";
  request.threads = 1;
  request.model =
      load_model(std::string{DBSIM_SOURCE_DIR} + "/scenarios/models/mnistnet-mnist.toml");
  std::vector<std::string> kinds;
  for (const auto& load : family->make_background_loads(request)) {
    kinds.push_back(load->kind());
    load->start(1, 2);
    load->stop();
  }
  CHECK(kinds == std::vector<std::string>{"compute", "memory", "training"});
}

TEST_CASE("the CPU is listed with what this build has for it", "[cpu_family]") {
  const auto devices = make_cpu_family()->list();
  REQUIRE(devices.size() == 1);
  CHECK(devices[0].name == "cpu");
  CHECK(devices[0].unusable.empty());
  CHECK(devices[0].backends.back() == "eigen");
  CHECK(devices[0].precisions == std::vector<std::string>{"fp32"});
}
