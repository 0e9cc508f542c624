// Networks with answers that others computed; they are kept beside the repository, not in it.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sim/flows/flow_cases.hpp"
#include "sim/flows/flow_results.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

std::optional<std::string> path_of(const std::string& file) {
  const std::filesystem::path path =
      std::filesystem::path{DBSIM_SOURCE_DIR} / ".." / "shared" / "network-cases" / file;
  if (std::filesystem::exists(path)) return path.string();
  WARN(file << " is not here: nothing to compare with");
  return std::nullopt;
}

void check_finishes(const std::string& path, std::size_t cases) {
  const FlowCases file = load_flow_cases(path);
  CHECK(file.cases.size() == cases);
  for (const FlowCase& one : file.cases) {
    CAPTURE(one.name);
    const FlowCaseResult result = solve(one);
    REQUIRE(result.makespan);
    REQUIRE(one.makespan);
    CHECK(result.makespan->count() == Approx(one.makespan->count()).epsilon(1e-6));
    for (std::size_t i = 0; i < result.flows.size(); ++i) {
      CAPTURE(one.names[i]);
      REQUIRE(one.answers[i]);
      REQUIRE(result.flows[i].finish);
      CHECK(result.flows[i].finish->count() == Approx(one.answers[i]->count()).epsilon(1e-6));
    }
    CHECK(result.within(1e-6));
  }
}

}  // namespace

TEST_CASE("every flow of the named networks finishes when it should", "[network_cases]") {
  if (const auto path = path_of("named-networks.json")) check_finishes(*path, 12);
}

TEST_CASE("every flow over given routes finishes when it should", "[network_cases]") {
  if (const auto path = path_of("given-routes.json")) check_finishes(*path, 13);
}

TEST_CASE("our routes through the named networks are theirs", "[network_cases]") {
  const auto path = path_of("named-networks.json");
  if (!path) return;
  const FlowCases theirs = load_flow_cases(*path);
  std::ifstream stream{*path};
  nlohmann::json json = nlohmann::json::parse(stream);
  for (nlohmann::json& one : json["cases"]) {
    for (nlohmann::json& flow : one["flows"]) flow.erase("route");
  }
  const FlowCases ours = parse_flow_cases(json.dump(), "without-routes.json");
  for (std::size_t k = 0; k < theirs.cases.size(); ++k) {
    CAPTURE(theirs.cases[k].name);
    CHECK(theirs.cases[k].detours.empty());
    for (std::size_t i = 0; i < theirs.cases[k].flows.size(); ++i) {
      CHECK(ours.cases[k].flows[i].route == theirs.cases[k].flows[i].route);
    }
  }
}

TEST_CASE("the shipped network has the finish times of its description", "[network_cases]") {
  check_finishes(DBSIM_SOURCE_DIR "/scenarios/networks/two-pairs.json", 1);
}
