#include "sim/report/batches_text.hpp"

#include <vector>

#include "sim/report/layout.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

struct Given {
  std::string worker;
  std::int64_t batch;
};

std::string text_of(const std::vector<Given>& given, std::size_t room) {
  std::vector<std::string> workers;
  EpochTrace epoch;
  for (const auto& [worker, batch] : given) {
    workers.push_back(worker);
    epoch.workers.push_back({.batch = Samples{batch}, .samples = {}});
  }
  return batches_text(workers, epoch, room);
}

}  // namespace

TEST_CASE("neighbours with one name and one batch share an entry", "[batches]") {
  CHECK(text_of({{"fast/0", 165}, {"fast/1", 165}, {"fast/2", 165}, {"slow", 24}}, 100) ==
        "fast/0-2: 165, slow: 24");
  CHECK(text_of({{"fast/0", 165}, {"fast/1", 164}, {"fast/2", 165}}, 100) ==
        "fast/0: 165, fast/1: 164, fast/2: 165");
  CHECK(text_of({{"a", 5}, {"b", 5}, {"c", 6}}, 100) == "a: 5, b: 5, c: 6");
  CHECK(text_of({{"a/0", 5}, {"b/0", 5}, {"b/1", 6}}, 100) == "a/0: 5, b/0: 5, b/1: 6");
}

TEST_CASE("one batch for all is said once", "[batches]") {
  CHECK(text_of({{"fast/0", 128}, {"slow", 128}}, 100) == "all 2 workers: 128");
  CHECK(text_of({{"solo", 128}}, 100) == "solo: 128");
  CHECK(text_of({}, 100).empty());
}

TEST_CASE("where the place is short, one name gives one range", "[batches]") {
  CHECK(text_of({{"fast/0", 165}, {"fast/1", 164}, {"fast/2", 166}, {"slow", 24}}, 30) ==
        "fast/0-2: 164 to 166, slow: 24");
}

TEST_CASE("a thousand names of their own are counted, not listed", "[batches]") {
  std::vector<Given> given;
  given.reserve(1000);
  for (int i = 0; i < 1000; ++i) given.push_back({"node" + std::to_string(i) + "x", 1 + i % 7});
  const std::string text = text_of(given, 200);
  CHECK(display_width(text) <= 200);
  CHECK(text.starts_with("node0x: 1, node1x: 2, "));
  CHECK(text.ends_with(" workers more"));
}

TEST_CASE("a name without a number is its own family", "[batches]") {
  CHECK(family_name("fast/12") == "fast");
  CHECK(family_name("fast") == "fast");
  CHECK(family_name("a/b") == "a/b");
  CHECK(family_name("a/") == "a/");
}
