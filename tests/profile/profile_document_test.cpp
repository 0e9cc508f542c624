#include "sim/profile/profile_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"
#include "tests/support/draws.hpp"

using namespace dbsim;
using dbsim::test::coin;
using dbsim::test::some_text;

namespace {

TimeStatistics some_statistics(RandomStream& draws) {
  TimeStatistics statistics{.median = draws.lognormal(2.0)};
  if (coin(draws)) statistics.p05 = statistics.median * draws.uniform();
  if (coin(draws)) statistics.p95 = statistics.median * (1.0 + draws.uniform());
  if (coin(draws)) statistics.cv = 30.0 * draws.uniform();  // a disturbed machine's are above 10
  if (coin(draws)) {
    statistics.low = statistics.median * draws.uniform();
    statistics.high = *statistics.low + draws.uniform();
  }
  if (coin(draws)) statistics.repetitions = draws.whole(1, 1'000'000'000'000);
  return statistics;
}

std::optional<TimeStatistics> perhaps_statistics(RandomStream& draws) {
  return coin(draws) ? std::optional{some_statistics(draws)} : std::nullopt;
}

std::optional<Bytes> perhaps_bytes(RandomStream& draws) {
  return coin(draws) ? std::optional{Bytes{draws.lognormal(20.0)}} : std::nullopt;
}

ProfileDocument some_document(RandomStream& draws) {
  ProfileDocument document;
  document.device = {some_text(draws), perhaps_bytes(draws), some_text(draws), some_text(draws),
                     some_text(draws)};
  document.model = {.name = some_text(draws),
                    .input_shape = {},
                    .parameter_bytes = perhaps_bytes(draws),
                    .precision = some_text(draws)};
  for (std::int64_t left = draws.whole(0, 3); left > 0; --left) {
    document.model.input_shape.push_back(draws.whole(1, 1000));
    document.remarks.push_back(some_text(draws));
    document.buckets.push_back({Bytes{draws.lognormal(5.0)}, draws.uniform()});
    document.interference.push_back({some_text(draws), draws.lognormal(1.0), draws.lognormal(1.0)});
  }
  document.backend = some_text(draws);
  document.date = some_text(draws);
  document.source = some_text(draws);
  std::int64_t batch = 0;
  for (std::int64_t left = draws.whole(2, 6); left > 0; --left) {
    batch += draws.whole(1, 1000);
    document.points.push_back({.batch = Samples{batch},
                               .step = some_statistics(draws),
                               .forward = perhaps_statistics(draws),
                               .backward = perhaps_statistics(draws),
                               .update = perhaps_statistics(draws),
                               .memory = perhaps_bytes(draws)});
  }
  if (coin(draws)) document.max_batch = Samples{draws.whole(1, 100'000)};
  return document;
}

std::string problems_of(const std::string& text) {
  try {
    (void)parse_profile_document(text, "p.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("any profile that is written reads back the same", "[profile]") {
  RandomStream draws{17};
  for (int i = 0; i < 500; ++i) {
    const ProfileDocument document = some_document(draws);
    const std::string text = to_json(document);
    CAPTURE(text);
    const ProfileDocument again = parse_profile_document(text, "again.json");
    REQUIRE(again == document);
    REQUIRE(to_json(again) == text);
  }
}

TEST_CASE("a written profile has one point a line, and no key for what was not measured",
          "[profile]") {
  ProfileDocument document;
  document.device.name = "T4";
  document.model.name = "m";
  document.remarks = {"Fast."};
  document.points = {{.batch = Samples{1}, .step = {.median = 0.1, .low = 0.0625, .high = 0.25}},
                     {.batch = Samples{2}, .step = {.median = 0.3}, .memory = Bytes{4e9}}};
  CHECK(to_json(document) == R"({
  "schema": "dbsim.profile/1",
  "device": {"name": "T4"},
  "model": {"name": "m"},
  "remarks": [
    "Fast."
  ],
  "points": [
    {"batch": 1, "step_s": {"median": 0.1, "low": 0.0625, "high": 0.25}},
    {"batch": 2, "step_s": {"median": 0.3}, "memory_bytes": 4000000000}
  ]
}
)");
}

TEST_CASE("every key of a profile file arrives", "[profile]") {
  const ProfileDocument document = parse_profile_document(R"({
"schema": "dbsim.profile/1",
"device": {"name": "T4", "memory_bytes": 16e9, "driver": "535", "clocks": "1590 MHz",
 "temperature": "71 degrees Celsius"},
"model": {"name": "m", "input_shape": [3, 32, 32], "parameter_bytes": 44, "precision": "fp16"},
"backend": "b", "date": "2026-11-30T12:00:00Z", "source": "s", "remarks": ["One.", "Two."],
"points": [
{"batch": 8, "step_s": {"median": 1, "p05": 0.5, "p95": 2, "cv": 0.125, "low": 0.75, "high": 1.5,
 "repetitions": 9}, "forward_s": {"median": 0.25}, "backward_s": {"median": 0.5},
 "update_s": {"median": 0.125}, "memory_bytes": 3},
{"batch": 16, "step_s": {"median": 2, "cv": 0.25}}],
"buckets": [{"bytes": 40, "ready": 0.5}, {"bytes": 4, "ready": 1}],
"max_batch": 32,
"interference": [{"load": "training", "intensity": 2, "slowdown": 1.5}]})",
                                                          "p.json");
  CHECK(document.device ==
        ProfileDocument::Device{"T4", Bytes{16e9}, "535", "1590 MHz", "71 degrees Celsius"});
  CHECK(document.model == ProfileDocument::Model{"m", {3, 32, 32}, Bytes{44.0}, "fp16"});
  CHECK(document.backend == "b");
  CHECK(document.date == "2026-11-30T12:00:00Z");
  CHECK(document.remarks == std::vector<std::string>{"One.", "Two."});
  REQUIRE(document.points.size() == 2);
  CHECK(document.points[0] ==
        ProfilePoint{Samples{8}, TimeStatistics{1.0, 0.5, 2.0, 0.125, 0.75, 1.5, 9},
                     TimeStatistics{0.25, {}, {}, {}, {}, {}, {}},
                     TimeStatistics{0.5, {}, {}, {}, {}, {}, {}},
                     TimeStatistics{0.125, {}, {}, {}, {}, {}, {}}, Bytes{3.0}});
  CHECK(document.buckets == std::vector<ProfileBucket>{{Bytes{40.0}, 0.5}, {Bytes{4.0}, 1.0}});
  CHECK(document.interference == std::vector<InterferenceRow>{{"training", 2.0, 1.5}});
  const Profile profile = to_profile(document);
  CHECK(profile.device == "T4");
  CHECK(profile.model == "m");
  CHECK(profile.source == "s");
  CHECK(profile.spread == 0.25);  // the largest of the points'
  CHECK(profile.max_batch == Samples{32});
  CHECK(profile.parameter_bytes == Bytes{44.0});
  CHECK(profile.backward_share == 0.5);  // of the only point that was measured in phases
  CHECK(profile.buckets == document.buckets);
  CHECK(profile.step_time.points() ==
        std::vector<StepTimePoint>{{Samples{8}, Seconds{1.0}}, {Samples{16}, Seconds{2.0}}});
}

TEST_CASE("an interval that ends before it begins is refused", "[profile]") {
  const auto with = [](const char* interval) {
    return problems_of(fmt::format(
        "{{\"schema\": \"dbsim.profile/1\", \"device\": {{\"name\": \"d\"}},\n"
        "\"model\": {{\"name\": \"m\"}}, \"points\": [\n{{\"batch\": 1, \"step_s\": {{\"median\": "
        "1, {}}}}},\n{{\"batch\": 2, \"step_s\": {{\"median\": 2}}}}]}}",
        interval));
  };
  CHECK(with("\"low\": 0.5, \"high\": 1.5").empty());
  CHECK(with("\"low\": 1.5, \"high\": 0.5") ==
        "p.json:3:45: points[0].step_s.low: found 1.5; expected at most high, 0.5");
  CHECK(with("\"p05\": 1.5, \"p95\": 0.5") ==
        "p.json:3:45: points[0].step_s.p05: found 1.5; expected at most p95, 0.5");
}
