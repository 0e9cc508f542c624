#include <string>

#include "sim/io/document.hpp"
#include "tests/catch.hpp"
#include "tests/io/saying.hpp"

namespace dbsim {
namespace {

constexpr std::string_view scenario = R"(seed = 1
[job]
epochs = 2
gradient = "44.7 MB"
[[worker]]
name = "fast"
count = 3
[[worker]]
name = "slow"
count = 4
)";

struct Values {
  std::int64_t seed{};
  std::int64_t epochs{};
  std::string gradient;
  std::vector<std::int64_t> counts;
  std::string problems;
};

Values values_of(const Document& document) {
  Values values;
  values.problems = reading(document, [&](Fields& root) {
    std::string text;
    root.whole({"seed", ""}, {}, values.seed);
    root.table({"job", ""}, [&](Fields& job) {
      job.whole({"epochs", ""}, at_least_one, values.epochs);
      job.text({"gradient", ""}, values.gradient);
    });
    root.table({"network", ""}, [&](Fields& network) {
      network.table({"star", ""}, [&](Fields& star) { star.text({"latency", ""}, text); });
    });
    root.items({"worker", ""}, [&](Fields& element) {
      element.table({"", ""}, [&](Fields& worker) {
        std::int64_t count = 0;
        worker.text({"name", ""}, text);
        worker.whole({"count", ""}, at_least_one, count);
        values.counts.push_back(count);
      });
    });
  });
  return values;
}

Values with(std::string_view key, std::string_view value) {
  Document document = Document::toml(scenario, "s.toml");
  document.set(key, value);
  return values_of(document);
}

std::string refusal(std::string_view key, std::string_view value) {
  Document document = Document::toml(scenario, "s.toml");
  std::string text = complaint([&] { document.set(key, value); });
  const Values after = values_of(document);
  CHECK(after.problems.empty());
  CHECK(after.counts == std::vector<std::int64_t>{3, 4});
  return text;
}

TEST_CASE("a value is changed at the top, in a table, by index and by name", "[io]") {
  CHECK(with("seed", "7").seed == 7);
  CHECK(with("job.epochs", "1_024").epochs == 1024);
  CHECK(with("worker[0].count", "9").counts == std::vector<std::int64_t>{9, 4});
  CHECK(with("worker.slow.count", "9").counts == std::vector<std::int64_t>{3, 9});
}

TEST_CASE("a whole element, list or table can be given", "[io]") {
  CHECK(with("worker[1]", "{name = \"x\", count = 1}").counts == std::vector<std::int64_t>{3, 1});
  CHECK(with("worker", "[{count = 8}]").counts == std::vector<std::int64_t>{8});
  CHECK(with("job", "{epochs = 5}").epochs == 5);
}

TEST_CASE("text needs no quotes", "[io]") {
  CHECK(with("job.gradient", "25 MB").gradient == "25 MB");
  CHECK(with("job.gradient", "\"25 MB\"").gradient == "25 MB");
  CHECK(with("job.gradient", "").gradient.empty());
  CHECK(with("job.gradient", "a = b # c").gradient == "a = b # c");
  CHECK(with("job.gradient", "x\nepochs = 9").gradient == "x\nepochs = 9");
}

TEST_CASE("missing keys and tables are made on the way", "[io]") {
  CHECK(with("network.star.latency", "25 us").problems.empty());
}

TEST_CASE("what is wrong with a changed value is said of the option", "[io]") {
  CHECK(with("job.epochs", "0").problems ==
        "--set job.epochs: job.epochs: found 0; expected at least 1");
  CHECK(with("job.epoch", "3").problems ==
        "--set job.epoch: job.epoch: unknown key; did you mean 'epochs'?");
  CHECK(with("network.star", "{latency = 3}").problems ==
        "--set network.star: network.star.latency: found 3; expected text");
}

TEST_CASE("a path that leads nowhere is refused and changes nothing", "[io]") {
  CHECK(refusal("worker[2].count", "1") ==
        "--set worker[2].count: worker: found index 2; expected an index from [0] to [1]");
  CHECK(refusal("worker.slwo.count", "1") ==
        "--set worker.slwo.count: worker.slwo: found no element of this name; "
        "expected one of fast, slow; did you mean 'slow'?");
  CHECK(refusal("seed.x", "1") == "--set seed.x: seed: found 1; expected a table or a list");
  CHECK(refusal("job[0]", "1") == "--set job[0]: job: found a table; expected a list");
  CHECK(refusal("network.link[0].latency", "1") ==
        "--set network.link[0].latency: network.link: found nothing; expected a list");
}

TEST_CASE("a path that is none is refused", "[io]") {
  const std::string key =
      GENERATE("", ".", "job.", ".job", "job..epochs", "[0]", "worker[", "worker[]", "worker[-1]",
               "worker[0", "worker[0]x", "worker]0[", "worker[99999999999999999999]");
  CHECK(refusal(key, "1") == "--set " + key + ": found \"" + key +
                                 "\"; expected a path such as \"job.epochs\", "
                                 "\"worker[0].count\" or \"worker.slow.count\"");
}

TEST_CASE("a value that begins as TOML and is none is refused", "[io]") {
  CHECK(refusal("seed", "[1, 2") ==
        "--set seed: found the end of the file; expected the rest of an array");
  CHECK(refusal("seed", "{a = 1}\nb = 2") ==
        "--set seed: found \"{a = 1}\\nb = 2\"; expected a value on one line");
  CHECK(refusal("job.gradient", "\xFF") ==
        "--set job.gradient: found \"\\xFF\"; expected text in UTF-8");
}

TEST_CASE("of two changes of one key the later one holds", "[io]") {
  Document document = Document::toml(scenario, "s.toml");
  document.set("seed", "2");
  document.set("seed", "3");
  CHECK(values_of(document).seed == 3);
}

TEST_CASE("a JSON document is changed in the same way", "[io]") {
  Document document = Document::json(R"({"job": {"epochs": 1}})", "s.json");
  document.set("job.epochs", "5");
  CHECK(values_of(document).epochs == 5);
}

}  // namespace
}  // namespace dbsim
