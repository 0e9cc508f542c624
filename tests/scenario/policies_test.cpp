#include "policies/catalog.hpp"
#include "sim/io/document.hpp"
#include "sim/scenario/describe.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

PolicyDraft read_policy(const std::string& toml, std::vector<Problem>& problems) {
  PolicyDraft draft;
  const Document document = Document::toml("p = [" + toml + "]", "p.toml");
  document.read(
      [&](Fields& fields) {
        fields.items({"p", "Policies."},
                     [&](Fields& element) { describe_policy(element, catalog(), draft); });
      },
      problems);
  return draft;
}

}  // namespace

TEST_CASE("a policy is a name, or a table with a name, a label and what it is told", "[scenario]") {
  std::vector<Problem> problems;
  CHECK(read_policy("\"dbs\"", problems).name.value == "dbs");
  const PolicyDraft draft =
      read_policy("{ name = \"dbs\", mode = \"code\", label = \"as published\" }", problems);
  CHECK(problems.empty());
  CHECK(draft.label == "as published");
  CHECK(std::get<std::string>(draft.parameters.at("mode")) == "code");
}

TEST_CASE("a policy is told only what it understands", "[scenario]") {
  std::vector<Problem> problems;
  (void)read_policy("{ name = \"oracle\", mode = \"code\" }", problems);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].found == "unknown key");
}

TEST_CASE("hand-set batches arrive as they were written", "[scenario]") {
  std::vector<Problem> problems;
  const PolicyDraft draft =
      read_policy("{ name = \"fixed\", batches = [300, 300, 200, 200] }", problems);
  REQUIRE(problems.empty());
  CHECK(std::get<std::vector<std::int64_t>>(draft.parameters.at("batches")) ==
        std::vector<std::int64_t>{300, 300, 200, 200});
}

TEST_CASE("what a change costs and what is seen belong to a policy of the scenario", "[scenario]") {
  std::vector<Problem> problems;
  const PolicyDraft plain = read_policy("{ name = \"lb-bsp\", every = 10 }", problems);
  CHECK(plain.terms.rebalance_cost == Seconds{0.0});
  CHECK(plain.terms.timing == Timing::own);
  CHECK(std::get<std::int64_t>(plain.parameters.at("every")) == 10);
  const PolicyDraft told = read_policy(
      "{ name = \"dbs\", rebalance_cost = \"25 s\", timing = \"observed\", newest = 0.5 }",
      problems);
  CHECK(told.terms.rebalance_cost == Seconds{25.0});
  CHECK(told.terms.timing == Timing::observed);
  CHECK(std::get<double>(told.parameters.at("newest")) == 0.5);
  CHECK(problems.empty());
}

TEST_CASE("a cost without a unit, an unknown timing and a weight of nothing are refused",
          "[scenario]") {
  for (const char* wrong : {"rebalance_cost = 25", "rebalance_cost = \"-1 s\"", "timing = \"wall\"",
                            "newest = 0.0", "dead_band = -0.1"}) {
    INFO(wrong);
    std::vector<Problem> problems;
    (void)read_policy(std::string{"{ name = \"dbs\", "} + wrong + " }", problems);
    CHECK(problems.size() == 1);
  }
}
