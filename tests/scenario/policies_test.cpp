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
