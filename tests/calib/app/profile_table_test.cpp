#include "calib/app/profile_table.hpp"

#include "tests/catch.hpp"

using namespace dbsim;
using namespace dbsim::calib;
using Catch::Contains;

namespace {

ProfilePoint point(std::int64_t batch, double step_s) {
  const TimeStatistics step{.median = step_s, .low = 0.98 * step_s, .high = 1.01 * step_s};
  return {.batch = Samples{batch},
          .step = step,
          .forward = TimeStatistics{.median = 0.3 * step_s},
          .backward = TimeStatistics{.median = 0.6 * step_s},
          .update = {},
          .memory = Bytes{1.5e9}};
}

ProfileDocument document() {
  ProfileDocument result;
  result.device.name = "A device with a long name that goes on and on, revision B, 2 threads";
  result.model.name = "resnet18-cifar10";
  result.model.precision = "fp32";
  result.backend = "library 1.2.3, another library 4.5.6 and a third one that is needed, 7.8.9";
  result.points = {point(1, 0.00001234), point(128, 0.0512), point(1'048'576, 86'000.0)};
  result.remarks = {
      "A remark that is so long that it does not fit into one line of eighty columns "
      "and therefore has to be wrapped."};
  return result;
}

}  // namespace

TEST_CASE("a row says what was measured, in four figures", "[table]") {
  const std::string text = profile_table(document(), {});
  // 51.2 ms; the wider side of the interval is 2 %; 128 samples in 51.2 ms are 2,500 a second.
  CHECK_THAT(text,
             Contains("    128     51.20  2.0     15.36     30.72       -      2,500  1.5 GB\n"));
}

TEST_CASE("the table fits 80 columns", "[table]") {
  ProfileDocument wide = document();
  wide.interference = {{"compute", 1.0, 1.234}, {"memory", 16.0, 12.5}};
  const std::string text = profile_table(wide, {});
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    CAPTURE(line);
    // The heading is of the device's own making.
    if (begin > 0) CHECK(display_width(line) <= 80);
    begin = end + 1;
  }
  CHECK_THAT(text, Contains("compute         1      1.23"));
}

TEST_CASE("the memory's limit is told, or how to find it", "[table]") {
  ProfileDocument known = document();
  known.max_batch = Samples{4096};
  CHECK_THAT(profile_table(known, {}), Contains("Largest batch that fits in memory: 4,096."));
  CHECK_THAT(profile_table(document(), {}), Contains("--batches LOW:max"));
}
