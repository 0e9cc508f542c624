#include "sim/report/network_text.hpp"

#include <sstream>

#include "tests/catch.hpp"

using namespace dbsim;

namespace {

/// 134217728 bytes in 974.9 us is a row of a published table: see network_fit_test.cpp.
NetworkDocument published() {
  NetworkDocument document;
  document.ranks_per_host = {4};
  document.library = "NCCL";
  document.devices = {"NVIDIA A100-SXM4-80GB"};
  document.points = {{Bytes{8.0}, {.median = 15.29e-6}},
                     {Bytes{134'217'728.0},
                      {.median = 974.9e-6, .low = 970e-6, .high = 990e-6, .repetitions = 20}}};
  document.fit = fit_network(document);
  document.remarks = {"A remark."};
  return document;
}

}  // namespace

TEST_CASE("a row says what nccl-tests would", "[report]") {
  const std::string text = network_text(published(), {});
  INFO(text);
  CHECK_THAT(text, Catch::Matchers::Contains("All-reduce between 4 ranks on 1 host\n"));
  CHECK_THAT(text, Catch::Matchers::Contains("134,217,728"));
  CHECK_THAT(text, Catch::Matchers::Contains("974.9"));
  CHECK_THAT(text, Catch::Matchers::Contains("137.7"));
  CHECK_THAT(text, Catch::Matchers::Contains("206.5"));
  CHECK_THAT(text, Catch::Matchers::Contains("- A remark.\n"));
}

TEST_CASE("the largest numbers that occur fit in 80 columns", "[report]") {
  NetworkDocument document = published();
  document.ranks_per_host.assign(8, 8);
  document.points.push_back(
      {Bytes{4'294'967'296.0}, {.median = 99.0, .low = 9.0, .high = 199.0, .repetitions = 99'999}});
  document.library = std::string(300, 'x') + " " + std::string(70, 'y');
  document.library.insert(60, " ").insert(120, " ").insert(180, " ").insert(240, " ");
  document.fit = fit_network(document);
  std::istringstream lines{network_text(document, {})};
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(display_width(line) <= 80);
  }
}

TEST_CASE("what the fit takes stands beside what was measured; unknown columns do not",
          "[report]") {
  NetworkDocument document = published();
  document.points[1].time = {.median = 974.9e-6};
  const std::string text = network_text(document, {});
  INFO(text);
  CHECK(text.find("+-") == std::string::npos);
  CHECK(text.find("times") == std::string::npos);
  // Two sizes make a line: the fit passes through both.
  CHECK_THAT(text, Catch::Matchers::Contains("206.5    0.0  974.9    0.0\n"));
  document.fit->efficiency = {{Bytes{134'217'728.0}, 0.5}};
  CHECK_THAT(network_text(document, {}), Catch::Matchers::Contains(" +98.4\n"));
}

TEST_CASE("predictions are summed up by file: median, 95th percentile, and the worst with its size",
          "[report]") {
  const std::vector<Prediction> predictions{{Bytes{1024.0}, Seconds{2.0}, Seconds{1.0}},
                                            {Bytes{2048.0}, Seconds{2.0}, Seconds{2.02}},
                                            {Bytes{4096.0}, Seconds{2.0}, Seconds{2.4}}};
  const std::string text = predictions_text({{"a.txt", predictions}}, {});
  INFO(text);
  // Errors of 1, 20 and 50 %: the percentile lies nine tenths of the way from the second.
  CHECK_THAT(text, Catch::Matchers::Contains("a.txt          3    20.0   47.0   50.0  1,024\n"));
}
