#include "sim/profile/merge.hpp"

#include <algorithm>
#include <string>

#include "sim/base/error.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

struct Measured {
  std::int64_t batch;
  double median;
  std::optional<std::int64_t> repetitions{};
};

NamedProfile profile(const std::string& file, const std::vector<Measured>& points) {
  NamedProfile result{file, {}};
  result.document.device.name = "T4";
  result.document.model.name = "m";
  for (const Measured& point : points) {
    result.document.points.push_back(
        {.batch = Samples{point.batch},
         .step = {.median = point.median, .repetitions = point.repetitions}});
  }
  return result;
}

std::vector<double> medians(const ProfileDocument& document) {
  std::vector<double> all;
  for (const ProfilePoint& point : document.points) all.push_back(point.step.median);
  return all;
}

bool says(const ProfileDocument& document, std::string_view words) {
  return std::ranges::any_of(document.remarks, [&](const std::string& remark) {
    return remark.find(words) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("a merged profile has the points of both, rising", "[profile]") {
  const ProfileDocument all =
      merged(profile("a.json", {{8, 1.0}, {32, 4.0}}), profile("b.json", {{16, 2.0}, {64, 8.0}}));
  CHECK(medians(all) == std::vector<double>{1.0, 2.0, 4.0, 8.0});
  CHECK(says(all, "Merged from a.json and b.json."));
  CHECK_FALSE(says(all, "Both measured"));
  CHECK(parse_profile_document(to_json(all), "again.json") == all);
}

TEST_CASE("of a batch size that both measured, more repetitions win, then the first", "[profile]") {
  const ProfileDocument all = merged(profile("a.json", {{8, 1.0, 5}, {16, 2.0, 9}, {32, 4.0}}),
                                     profile("b.json", {{8, 1.5, 6}, {16, 2.5, 9}, {32, 4.5}}));
  CHECK(medians(all) == std::vector<double>{1.5, 2.0, 4.0});
  CHECK(says(all, "Both measured batch 8, 16, 32"));
}

TEST_CASE("the smaller memory limit holds, and what one file does not say the other does",
          "[profile]") {
  NamedProfile a = profile("a.json", {{8, 1.0}, {16, 2.0}});
  NamedProfile b = profile("b.json", {{8, 1.0}, {16, 2.0}});
  a.document.max_batch = Samples{64};
  b.document.max_batch = Samples{48};
  a.document.source = "A";
  b.document.source = "B";
  a.document.date = "2026-01-02T00:00:00Z";
  b.document.date = "2025-12-31T00:00:00Z";
  b.document.model.parameter_bytes = Bytes{44.0};
  b.document.buckets = {{Bytes{44.0}, 1.0}};
  a.document.remarks = {"Same."};
  b.document.remarks = {"Same.", "Other."};
  const ProfileDocument all = merged(a, b);
  CHECK(all.max_batch == Samples{48});
  CHECK(says(all, "The larger memory limit, 64, is left out."));
  CHECK(all.source == "A; B");
  CHECK(all.date == "2026-01-02T00:00:00Z");
  CHECK(all.model.parameter_bytes == Bytes{44.0});
  CHECK(all.buckets == b.document.buckets);
  CHECK(std::ranges::count(all.remarks, "Same.") == 1);
  CHECK(says(all, "Other."));
}

TEST_CASE("profiles of different things are not merged, and all that differs is said",
          "[profile]") {
  NamedProfile a = profile("a.json", {{8, 1.0}, {16, 2.0}});
  NamedProfile b = a;
  b.file = "b.json";
  b.document.device.name = "A100";
  b.document.model = {"n", {3, 32, 32}, Bytes{40.0}, "fp16"};
  a.document.model.parameter_bytes = Bytes{44.0};
  a.document.model.precision = "fp32";
  try {
    (void)merged(a, b);
    FAIL("they were merged");
  } catch (const InputError& error) {
    CHECK(std::string{error.what()} ==
          "b.json: device.name: found \"A100\"; expected \"T4\" as in a.json\n"
          "b.json: model.name: found \"n\"; expected \"m\" as in a.json\n"
          "b.json: model.parameter_bytes: found 40; expected 44 as in a.json\n"
          "b.json: model.precision: found \"fp16\"; expected \"fp32\" as in a.json");
  }
}

TEST_CASE("merging a profile with itself changes nothing that was measured", "[profile]") {
  const NamedProfile one{
      "v100.json",
      load_profile_document(DBSIM_SOURCE_DIR "/scenarios/profiles/v100-resnet50.json")};
  const ProfileDocument twice = merged(one, one);
  CHECK(twice.points == one.document.points);
  CHECK(twice.source == one.document.source);
}
