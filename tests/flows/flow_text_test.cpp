#include "sim/flows/flow_text.hpp"

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/catch.hpp"

using namespace dbsim;

namespace {

/// One link of 1 GB/s from host 0 to host 1; each flow sends 1 GB, one after the other.
FlowCase queue(std::size_t flows) {
  FlowCase one;
  one.name = "queue";
  one.description = "One after the other.";
  one.topology = Topology{star(2, BytesPerSecond{1e9}, Seconds{0.0})};
  for (std::size_t i = 0; i < flows; ++i) {
    one.names.push_back("f" + std::to_string(i));
    one.flows.push_back({.route = one.topology.route(0, 1).value(), .size = Bytes{1e9}});
    if (i > 0) one.flows.back().after = {i - 1};
    one.answers.emplace_back(Seconds{static_cast<double>(i + 1)});
  }
  return one;
}

}  // namespace

TEST_CASE("a case is a heading, a summary and a row for each flow", "[flow_text]") {
  FlowCase one = queue(3);
  one.answers[1] = Seconds{2.0002};
  one.answers[2] = std::nullopt;
  CHECK(flow_case_text(one, solve(one), {}, {}) ==
        "queue\n"
        "  One after the other.\n"
        "  3 flows, makespan 3.000000000 s, largest difference 1.0e-04 (flow f1)\n"
        "\n"
        "flow       finish       answer  difference\n"
        "                s            s    relative\n"
        "------------------------------------------\n"
        "f0    1.000000000  1.000000000           0\n"
        "f1    2.000000000  2.000200000     1.0e-04\n"
        "f2    3.000000000            -           -\n");
}

TEST_CASE("without answers there are only times", "[flow_text]") {
  FlowCase one = queue(1);
  one.description.clear();
  one.answers[0] = std::nullopt;
  CHECK(flow_case_text(one, solve(one), {}, {}) ==
        "queue\n"
        "  1 flow, makespan 1.000000000 s\n"
        "\n"
        "flow       finish\n"
        "                s\n"
        "-----------------\n"
        "f0    1.000000000\n");
}

TEST_CASE("a large case is a summary with its worst flow, unless all are wanted", "[flow_text]") {
  FlowCase one = queue(21);
  one.answers[9] = Seconds{8.0};
  CHECK(flow_case_text(one, solve(one), {}, {}) ==
        "queue\n"
        "  One after the other.\n"
        "  21 flows, makespan 21.000000000 s, largest difference 2.5e-01 (flow f9:\n"
        "  10.000000000 s, answer 8.000000000 s)\n");
  const std::string all = flow_case_text(one, solve(one), {.all = true}, {});
  CHECK(all.find("\nf20   21.000000000  21.000000000           0\n") != std::string::npos);
}

TEST_CASE("flows that never finish are named, and so are routes that dbsim would not take",
          "[flow_text]") {
  FlowCase one = queue(8);
  one.answers.assign(8, std::nullopt);
  one.flows[1].after = {1};
  one.detours = {0, 3};
  const std::string text = flow_case_text(one, solve(one), {}, {});
  CHECK(text.find("  7 flows never finish: f1, f2, f3, f4, f5 and 2 more\n") != std::string::npos);
  CHECK(text.find("  2 flows over given routes other than the one that dbsim would choose: f0, "
                  "f3\n") != std::string::npos);
  CHECK(text.find("makespan") == std::string::npos);
  CHECK(text.find("f1          never\n") != std::string::npos);
}

TEST_CASE("no line is wider than the terminal", "[flow_text]") {
  FlowCase one = queue(3);
  one.names[2] = std::string(90, 'x');
  one.answers[2] = Seconds{1e8};
  std::istringstream lines{flow_case_text(one, solve(one), {}, {})};
  lines.ignore(1000, '-');  // a name without spaces cannot be wrapped in the summary
  for (std::string line; std::getline(lines, line);) CHECK(display_width(line) <= 80);
}

TEST_CASE("the verdict is one line", "[flow_text]") {
  FlowCase one = queue(2);
  FlowVerdict verdict;
  verdict.add(solve(one), 1e-6);
  CHECK(verdict_line(verdict, 1e-6) == "Largest difference 0; 1 of 1 case within 1e-06\n");
  one.answers[0] = Seconds{2.0};
  verdict.add(solve(one), 1e-6);
  CHECK(verdict_line(verdict, 1e-6) == "Largest difference 5.0e-01; 1 of 2 cases within 1e-06\n");
  one.answers.assign(2, std::nullopt);
  one.flows[0].after = {0};
  FlowVerdict bare;
  bare.add(solve(one), 1e-6);
  CHECK(verdict_line(bare, 1e-6) ==
        "1 case solved; no answers to compare with; 2 flows never finish\n");
  verdict.add(solve(one), 1e-6);
  CHECK(verdict_line(verdict, 1e-6) ==
        "Largest difference 5.0e-01; 1 of 2 cases within 1e-06; 1 without answers; 2 flows never "
        "finish\n");
}

TEST_CASE("JSON holds every flow, and null where a time never comes", "[flow_text]") {
  FlowCases file{.file = "a.json", .source = "by hand", .cases = {}};
  file.cases.push_back(queue(30));
  file.cases.push_back(queue(1));
  file.cases[1].flows[0].after = {0};
  file.cases[1].answers[0] = std::nullopt;
  std::vector<std::vector<FlowCaseResult>> results(1);
  for (const FlowCase& one : file.cases) results[0].push_back(solve(one));
  const auto json = nlohmann::json::parse(flow_results_json(std::span{&file, 1}, results, 1e-6));
  CHECK(json["schema"] == "dbsim.flow-results/1");
  CHECK(json["files"][0]["file"] == "a.json");
  CHECK(json["files"][0]["answers"] == "by hand");
  const auto& cases = json["files"][0]["cases"];
  CHECK(cases[0]["makespan_s"] == 30.0);
  CHECK(cases[0]["flows"].size() == 30);
  CHECK(
      cases[0]["flows"][29] ==
      nlohmann::json{{"name", "f29"}, {"finish_s", 30.0}, {"answer_s", 30.0}, {"difference", 0.0}});
  CHECK(cases[1]["makespan_s"].is_null());
  CHECK(cases[1]["flows"][0]["finish_s"].is_null());
  CHECK(!cases[1].contains("difference"));
  CHECK(json["within"] == 1e-6);
  CHECK(json["cases_with_answers"] == 1);
  CHECK(json["cases_within"] == 1);
  CHECK(json["flows_unfinished"] == 1);
}
