#include "policies/catalog.hpp"

#include <algorithm>
#include <set>

#include "sim/base/check.hpp"
#include "tests/catch.hpp"
#include "tests/policies/support.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

const PolicyKind& kind(std::string_view name) {
  const auto found = std::ranges::find(catalog(), name, &PolicyKind::name);
  REQUIRE(found != catalog().end());
  return *found;
}

// What a policy decides at first, and when the last worker halves its speed from step to step.
std::vector<Decision> decisions_of(Policy& policy, const ClusterView& cluster) {
  std::vector<Decision> decisions{policy.start(cluster)};
  double slowness = 1.0;
  for (int call = 0; call < 6; ++call) {
    std::vector<Measurement> measured = steps_of(cluster, decisions.back(), 1);
    measured.back().own *= slowness;
    decisions.push_back(next_of(policy, measured, decisions.back()));
    slowness *= 2.0;
  }
  return decisions;
}

}  // namespace

TEST_CASE("the catalog lists the baseline first and the bound last", "[catalog]") {
  std::vector<std::string> names;
  for (const PolicyKind& listed : catalog()) names.push_back(listed.name);
  CHECK(names.front() == "fixed");
  CHECK(names.back() == "oracle");
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
}

TEST_CASE("every policy says its rule and where it was published", "[catalog]") {
  for (const PolicyKind& listed : catalog()) {
    INFO(listed.name);
    CHECK(listed.summary.ends_with('.'));
    CHECK_FALSE(listed.source.empty());
    std::set<std::string> names;
    for (const Parameter& parameter : listed.parameters) {
      INFO(parameter.name);
      CHECK(names.insert(parameter.name).second);
      CHECK(parameter.meaning.ends_with('.'));
      CHECK((parameter.kind == Parameter::Kind::choice) == !parameter.choices.empty());
    }
  }
}

TEST_CASE("every policy starts without parameters on a known cluster", "[catalog]") {
  const ClusterView cluster = cluster_of(lbb_lines(), 512);
  for (const PolicyKind& listed : catalog()) {
    INFO(listed.name);
    const Decision decision = listed.make({})->start(cluster);
    CHECK(decision.local_batches.size() == 4);
    CHECK(sum_of(decision.local_batches) == 512);
  }
}

TEST_CASE("every policy can be started again, and a copy of it starts alike", "[catalog]") {
  const ClusterView cluster = cluster_of(lbb_lines(), 512);
  for (const PolicyKind& listed : catalog()) {
    INFO(listed.name);
    const std::unique_ptr<Policy> policy = listed.make({});
    const std::vector<Decision> first = decisions_of(*policy, cluster);
    CHECK(decisions_of(*policy, cluster) == first);
    CHECK(decisions_of(*policy->clone(), cluster) == first);
  }
}

TEST_CASE("the first choice of a parameter is what holds when nothing is said", "[catalog]") {
  const ClusterView cluster = cluster_of(lbb_lines(), 500);
  for (const PolicyKind& listed : catalog()) {
    for (const Parameter& parameter : listed.parameters) {
      if (parameter.kind != Parameter::Kind::choice) continue;
      INFO(listed.name << " " << parameter.name);
      const std::vector<Decision> unsaid = decisions_of(*listed.make({}), cluster);
      const Parameters first{{parameter.name, parameter.choices.front()}};
      CHECK(decisions_of(*listed.make(first), cluster) == unsaid);
      for (std::size_t i = 1; i < parameter.choices.size(); ++i) {
        const Parameters other{{parameter.name, parameter.choices[i]}};
        CHECK_FALSE(decisions_of(*listed.make(other), cluster) == unsaid);
      }
    }
  }
}

TEST_CASE("parameters reach the policies", "[catalog]") {
  const ClusterView cluster = unknown_cluster(4, 512);
  const Parameters by_hand{{"batches", Whole{300, 300, 200, 200}}};
  CHECK(counts_of(kind("fixed").make(by_hand)->start(cluster).local_batches) ==
        Whole{300, 300, 200, 200});
  const Parameters published{{"mode", std::string{"code"}}, {"weights", std::string{"uniform"}}};
  const Decision decision = kind("dbs").make(published)->start(cluster);
  CHECK(decision.slices.size() == 4);
  CHECK(decision.weights == std::vector<double>(4, 0.25));
}

TEST_CASE("a parameter that the scenario should have refused is a broken assumption", "[catalog]") {
  const Parameters wrong_type{{"mode", true}};
  const Parameters wrong_word{{"mode", std::string{"papre"}}};
  CHECK_THROWS_AS(kind("dbs").make(wrong_type), BrokenAssumption);
  CHECK_THROWS_AS(kind("dbs").make(wrong_word), BrokenAssumption);
}
