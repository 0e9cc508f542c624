#include "calib/backend/network_runner.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "calib/backend/cpu_device.hpp"
#include "calib/spec/model_file.hpp"
#include "tests/catch.hpp"

namespace {

using namespace dbsim::calib;

Model shipped(const std::string& name) {
  return load_model(std::string{DBSIM_SOURCE_DIR} + "/scenarios/models/" + name + ".toml");
}

NetworkRunner runner_of(const std::string& name) {
  return {shipped(name), make_cpu_device(1, CpuLibrary::eigen),
          make_cpu_ops<float>(1, CpuLibrary::eigen), 1};
}

}  // namespace

TEST_CASE("buckets hold every gradient once, filled from the last parameter on",
          "[network_runner]") {
  for (const char* name : {"mnistnet-mnist", "resnet18-cifar10", "densenet121-imagenet"}) {
    const Model model = shipped(name);
    const auto buckets = gradient_buckets(model);
    std::int64_t bytes = 0;
    std::size_t next = model.parameters.size();
    for (const BucketOfParameters& bucket : buckets) {
      CHECK(bucket.last + 1 == next);
      CHECK(bucket.first <= bucket.last);
      next = bucket.first;
      bytes += bucket.bytes;
    }
    CHECK(next == 0);
    CHECK(bytes == 4 * model.parameter_count());
  }
}

TEST_CASE("the first bucket of ResNet-18 ends with the convolution that fills a mebibyte",
          "[network_runner]") {
  // Linear bias and weight, shift and scale of the last batch norm, its 3 x 3 convolution.
  CHECK(gradient_buckets(shipped("resnet18-cifar10")).front().bytes ==
        std::int64_t{4} * (10 + 5'120 + 512 + 512 + std::int64_t{9} * 512 * 512));
}

TEST_CASE("the phases of a step fill it, and buckets become ready in order", "[network_runner]") {
  NetworkRunner runner = runner_of("resnet18-cifar10");
  REQUIRE(runner.prepare(1));
  const StepTimes times = runner.step();
  CHECK(times.forward > 0.0);
  CHECK(times.backward > 0.0);
  CHECK(times.update > 0.0);
  CHECK(times.forward + times.backward + times.update == Approx(times.step).epsilon(1e-6));
  REQUIRE(times.bucket_ready.size() == runner.buckets().size());
  CHECK(std::ranges::is_sorted(times.bucket_ready));
  CHECK(times.bucket_ready.front() > 0.0);
  CHECK(times.bucket_ready.back() <= times.backward);
}

TEST_CASE("a batch that does not fit is refused, and a smaller one works afterwards",
          "[network_runner]") {
  NetworkRunner runner = runner_of("mnistnet-mnist");
  CHECK_FALSE(runner.prepare(100'000'000));
  REQUIRE(runner.prepare(4));
  CHECK(runner.step().step > 0.0);
  CHECK(runner.memory_bytes() > std::int64_t{12} * shipped("mnistnet-mnist").parameter_count());
}

TEST_CASE("language models run on random tokens", "[network_runner]") {
  NetworkRunner runner = runner_of("transformer-wikitext2");
  REQUIRE(runner.prepare(1));
  CHECK(runner.step().step > 0.0);
}
