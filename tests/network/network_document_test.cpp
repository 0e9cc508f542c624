#include "sim/network/network_document.hpp"

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"
#include "tests/support/draws.hpp"

using namespace dbsim;
using dbsim::test::coin;
using dbsim::test::some_text;

namespace {

OperationTime some_time(RandomStream& draws) {
  OperationTime time{.median = draws.lognormal(2.0)};
  if (coin(draws)) {
    time.p05 = time.median * draws.uniform();
    time.p95 = time.median * (1.0 + draws.uniform());
  }
  if (coin(draws)) {
    time.low = time.median * draws.uniform();
    time.high = *time.low + draws.uniform();
  }
  if (coin(draws)) time.repetitions = draws.whole(1, 1'000'000'000'000);
  return time;
}

NetworkDocument some_document(RandomStream& draws) {
  NetworkDocument document;
  document.ranks_per_host.push_back(draws.whole(1, 16));
  for (std::int64_t left = draws.whole(0, 3); left > 0; --left) {
    document.ranks_per_host.push_back(draws.whole(1, 16));
    document.devices.push_back(some_text(draws));
    document.remarks.push_back(some_text(draws));
  }
  document.library = some_text(draws);
  document.date = some_text(draws);
  document.source = some_text(draws);
  double bytes = 0.0;
  for (std::int64_t left = draws.whole(1, 6); left > 0; --left) {
    bytes += draws.lognormal(5.0);
    document.points.push_back({.bytes = Bytes{bytes}, .time = some_time(draws)});
  }
  if (coin(draws)) {
    NetworkFit& fit = document.fit.emplace();
    fit.latency = Seconds{draws.uniform()};
    fit.bandwidth = BytesPerSecond{draws.lognormal(20.0)};
    fit.affine_from = Bytes{coin(draws) ? draws.lognormal(5.0) : 0.0};
    fit.affine_residual = draws.uniform();
    fit.residual = draws.uniform();
    for (const NetworkPoint& point : document.points) {
      fit.efficiency.push_back({point.bytes, draws.lognormal(2.0)});
    }
    if (coin(draws)) fit.efficiency.clear();
  }
  return document;
}

std::string problems_of(const std::string& text) {
  try {
    (void)parse_network_document(text, "n.json");
  } catch (const InputError& error) {
    std::string all;
    for (const Problem& problem : error.problems()) all += to_text(problem) + '\n';
    return all;
  }
  return {};
}

std::string with_points(const std::string& points) {
  return fmt::format(
      "{{\"schema\": \"dbsim.network/1\", \"operation\": \"all_reduce\",\n"
      "\"ranks_per_host\": [2], \"points\": [{}]}}",
      points);
}

}  // namespace

TEST_CASE("every network document survives being written and read again", "[network]") {
  RandomStream draws{1};
  for (int i = 0; i < 1000; ++i) {
    const NetworkDocument document = some_document(draws);
    const std::string text = to_json(document);
    INFO(text);
    CHECK(parse_network_document(text, "n.json") == document);
  }
}

TEST_CASE("every key of a network file arrives where it belongs", "[network]") {
  const NetworkDocument document = parse_network_document(R"({
"schema": "dbsim.network/1", "operation": "all_reduce", "ranks_per_host": [4, 2],
"library": "NCCL 2.21.5", "devices": ["T4"], "date": "2026-11-30T12:00:00Z", "source": "s",
"remarks": ["One.", "Two."],
"points": [{"bytes": 8, "time_s": {"median": 0.5, "p05": 0.25, "p95": 2, "low": 0.375,
 "high": 0.75, "repetitions": 9}}, {"bytes": 16, "time_s": {"median": 1}}],
"fit": {"latency_s": 0.125, "bandwidth_bytes_per_s": 32, "affine_from_bytes": 16,
 "affine_residual": 0.25, "residual": 0.5, "efficiency": [{"bytes": 8, "efficiency": 0.75}]}})",
                                                          "n.json");
  CHECK(document.ranks_per_host == std::vector<std::int64_t>{4, 2});
  CHECK(document.ranks() == 6);
  CHECK(document.library == "NCCL 2.21.5");
  CHECK(document.devices == std::vector<std::string>{"T4"});
  CHECK(document.date == "2026-11-30T12:00:00Z");
  CHECK(document.source == "s");
  CHECK(document.remarks == std::vector<std::string>{"One.", "Two."});
  REQUIRE(document.points.size() == 2);
  CHECK(document.points[0] ==
        NetworkPoint{Bytes{8.0}, OperationTime{0.5, 0.25, 2.0, 0.375, 0.75, 9}});
  CHECK(document.points[1] == NetworkPoint{Bytes{16.0}, OperationTime{.median = 1.0}});
  CHECK(document.fit ==
        NetworkFit{
            Seconds{0.125}, BytesPerSecond{32.0}, Bytes{16.0}, 0.25, 0.5, {{Bytes{8.0}, 0.75}}});
}

TEST_CASE("the fit of a document is the fit to its medians", "[network]") {
  NetworkDocument document;
  document.points = {{Bytes{1000.0}, {.median = 2.0, .p05 = 1.0}},
                     {Bytes{3000.0}, {.median = 4.0, .p05 = 1.0}}};
  const NetworkFit fit = fit_network(document);
  CHECK(fit.latency.count() == Approx(1.0));
  CHECK(fit.bandwidth.count() == Approx(1000.0));
}

TEST_CASE("a network file that cannot be meant is refused with all that is wrong", "[network]") {
  CHECK(problems_of(with_points(R"({"bytes": 8, "time_s": {"median": 1}})")).empty());
  CHECK(problems_of(with_points("\n{\"bytes\": 8, \"time_s\": {\"median\": 1}},"
                                "{\"bytes\": 4, \"time_s\": {\"median\": 1}}")) ==
        "n.json:2:34: points: found 8 bytes before 4; expected sizes that rise\n");
  CHECK(problems_of(with_points("\n{\"bytes\": 8, \"time_s\": {\"median\": 1,\n"
                                "\"low\": 2, \"high\": 1}}")) ==
        "n.json:4:8: points[0].time_s.low: found 2; expected at most high, 1\n");
  CHECK(problems_of(with_points("")) ==
        "n.json:2:34: points: found no usable point; expected at least one\n");
  const std::string many = problems_of(
      "{\"schema\": \"dbsim.network/1\", \"operation\": \"all_gather\", \"ranks_per_host\": [],\n"
      "\"pionts\": []}");
  CHECK_THAT(many, Catch::Matchers::Contains("operation: found \"all_gather\""));
  CHECK_THAT(many, Catch::Matchers::Contains("ranks_per_host: found no host"));
  CHECK_THAT(many, Catch::Matchers::Contains("did you mean 'points'?"));
}
