#include "calib/app/request.hpp"

#include "calib/app/calibrate.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using namespace dbsim::calib;
using Batches = std::vector<std::int64_t>;

namespace {

Request request_of(const std::vector<std::string>& words) {
  const DeviceFamilies none;
  return request_from(parse(calibrate_command(none).options, words));
}

MeasureOptions batches_of(const std::string& text) {
  MeasureOptions options;
  read_batches(text, options);
  return options;
}

}  // namespace

TEST_CASE("batches are a range, a range with a factor, or a list", "[request]") {
  CHECK(batches_of("8:64").batches == Batches{8, 16, 32, 64});
  CHECK_FALSE(batches_of("8:64").only_these);
  CHECK(batches_of("10:40:4").batches == Batches{10, 40});
  CHECK(batches_of("1:max").batches.size() == 21);
  CHECK(batches_of("1:max").batches.back() == 1048576);
  CHECK(batches_of("24,8,16,8").batches == Batches{8, 16, 24});
  CHECK(batches_of("24,8").only_these);
}

TEST_CASE("batches that make no sense are shown with what would", "[request]") {
  for (const char* text : {"", "8", "8,8", "x", "0:8", "8:", ":8", "16:8", "8:8", "8:16:1",
                           "8:16:x", "8:16:-2", "8:16:inf", "8:16:nan", "-8,16", "8,2000000",
                           "8:64:2:2", "8.5,16", "99999999999999999999:8"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(batches_of(text), UsageError);
  }
  CHECK_THROWS_WITH(
      batches_of("16:8"),
      "--batches: found '16:8'; expected LOW:HIGH such as 8:512, LOW:max, or at least "
      "two batch sizes such as 8,16,24, each from 1 to 1048576");
}

TEST_CASE("what is left out has a default", "[request]") {
  const Request request = request_of({"--model", "m"});
  CHECK(request.model == "m");
  CHECK_FALSE(request.device.has_value());
  CHECK(request.backend == "auto");
  CHECK(request.precision == "fp32");
  CHECK(request.threads == 0);
  CHECK(request.measuring.batches.back() == 512);
  CHECK(request.measuring.precision == 0.01);
  CHECK(request.measuring.budget_s == 180.0);
}

TEST_CASE("numbers reach the measurement in its units", "[request]") {
  const Request request = request_of(
      {"--model", "m", "--accuracy", "0.5", "--budget", "2.5", "--seed", "7", "--threads", "3"});
  CHECK(request.measuring.precision == Approx(0.005));
  CHECK(request.measuring.budget_s == 2.5);
  CHECK(request.measuring.seed == 7);
  CHECK(request.threads == 3);
}

TEST_CASE("a request that cannot be met is refused before any device is touched", "[request]") {
  CHECK_THROWS_WITH(request_of({}), Catch::StartsWith("--model is missing"));
  CHECK_THROWS_WITH(request_of({"--model", "m", "resnet18"}),
                    Catch::StartsWith("found 'resnet18'; expected options only"));
  for (const char* value : {"0", "-1", "x", "101", "nan", "1e400", "5%"}) {
    CAPTURE(value);
    CHECK_THROWS_AS(request_of({"--model", "m", std::string{"--accuracy="} + value}), UsageError);
  }
  CHECK_THROWS_AS(request_of({"--model", "m", "--budget", "inf"}), UsageError);
  CHECK_THROWS_AS(request_of({"--model", "m", "--threads", "0"}), UsageError);
  CHECK_THROWS_AS(request_of({"--model", "m", "--threads", "5000"}), UsageError);
}
