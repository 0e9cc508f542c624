#include "sim/flows/flow_cases.hpp"

#include <string>

#include "sim/base/error.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

/// Hosts a and b with links up and down to a switch s, and these flows.
std::string with_flows(const std::string& flows) {
  return R"({"schema": "dbsim.network-cases/1", "cases": [{"name": "c",
"hosts": ["a", "b"], "switches": ["s"],
"links": [{"name": "up", "from": "a", "to": "s", "bandwidth_Bps": 1e9},
{"name": "down", "from": "s", "to": "b", "bandwidth_Bps": 1e9}],
"flows": [)" +
         flows + "]}]}";
}

std::string flow(const std::string& name, const std::string& rest) {
  return R"({"name": ")" + name + R"(", "from": "a", "to": "b", "bytes": 1, )" + rest + "}";
}

std::string problems_of(const std::string& text) {
  try {
    (void)parse_flow_cases(text, "n.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("every key of a file of cases arrives where it belongs", "[flow_cases]") {
  const FlowCases file = parse_flow_cases(R"({"schema": "dbsim.network-cases/1",
"answers": "by hand", "cases": [{"name": "c", "description": "d", "hosts": ["a", "b"], "switches": ["s"],
"links": [
 {"name": "l0", "from": "a", "to": "s", "bandwidth_Bps": 1e9, "latency_s": 0.25, "duplex": "shared",
  "bandwidth_changes": [{"at_s": 2, "bandwidth_Bps": 5e8}]},
 {"name": "l1", "from": "b", "to": "s", "bandwidth_Bps": 2e9, "latency_s": 0.5, "duplex": "full",
  "bandwidth_changes": [{"at_s": 3, "bandwidth_Bps": 0}]}],
"flows": [
 {"name": "f0", "from": "a", "to": "b", "after": ["f1"], "delay_s": 0.125, "bytes": 7, "finish_s": 9},
 {"name": "f1", "from": "b", "to": "a", "start_s": 1.5, "bytes": 0, "max_rate_Bps": 3, "route": ["l1>", "l0<"]}],
"makespan_s": 9.5}]})",
                                          "n.json");
  CHECK(file.file == "n.json");
  CHECK(file.source == "by hand");
  REQUIRE(file.cases.size() == 1);
  const FlowCase& one = file.cases[0];
  CHECK(one.name == "c");
  CHECK(one.description == "d");
  const Network& network = one.topology.network();
  CHECK(network.hosts == 2);
  CHECK(network.switches == 1);
  CHECK(network.links ==
        std::vector<Link>{{0, 2, BytesPerSecond{1e9}, Seconds{0.25}, Duplex::shared},
                          {1, 2, BytesPerSecond{2e9}, Seconds{0.5}, Duplex::full}});
  REQUIRE(one.bandwidth_steps.size() == 3);  // one channel and two
  CHECK(one.bandwidth_steps[0].bandwidth == BytesPerSecond{5e8});
  CHECK(one.bandwidth_steps[0].at == Seconds{2.0});
  CHECK(one.bandwidth_steps[2].bandwidth == BytesPerSecond{0.0});
  CHECK(one.names == std::vector<std::string>{"f0", "f1"});
  CHECK(one.answers == std::vector<std::optional<Seconds>>{Seconds{9.0}, std::nullopt});
  CHECK(one.makespan == Seconds{9.5});
  CHECK(one.flows[0].after == std::vector<std::size_t>{1});
  CHECK(one.flows[0].start == Seconds{0.125});
  CHECK(one.flows[0].limit == unlimited);
  CHECK(one.flows[0].route ==
        one.topology.along(std::vector<Hop>{{0, Direction::forward}, {1, Direction::backward}}));
  CHECK(one.flows[1].start == Seconds{1.5});
  CHECK(one.flows[1].size == Bytes{0.0});
  CHECK(one.flows[1].limit == BytesPerSecond{3.0});
  CHECK(one.detours.empty());
}

TEST_CASE("given routes are taken as they are", "[flow_cases]") {
  const FlowCases file = parse_flow_cases(R"({"schema": "dbsim.network-cases/1",
"cases": [{"name": "c", "routes": "given",
"links": [{"name": "l", "from": "x", "to": "y", "bandwidth_Bps": 1}, {"name": "m", "bandwidth_Bps": 1}],
"flows": [{"name": "f", "start_s": 0, "bytes": 1, "route": ["m<", "l<", "m>"]}]}]})",
                                          "n.json");
  const FlowCase& one = file.cases.at(0);
  CHECK(one.flows[0].route ==
        one.topology.along(std::vector<Hop>{
            {1, Direction::backward}, {0, Direction::backward}, {1, Direction::forward}}));
}

TEST_CASE("a longer way than ours is taken, and remembered", "[flow_cases]") {
  const FlowCases file = parse_flow_cases(
      with_flows(flow("f", R"("start_s": 0, "route": ["up>", "down>", "down<", "down>"])") + "," +
                 flow("g", R"("start_s": 0, "route": ["up>", "down>"])")),
      "n.json");
  CHECK(file.cases[0].detours == std::vector<std::size_t>{0});
  CHECK(file.cases[0].flows[0].route.channels.size() == 4);
}

TEST_CASE("routes that lead elsewhere are refused", "[flow_cases]") {
  const auto routed = [](const std::string& route) {
    return problems_of(with_flows(flow("f", R"("start_s": 0, "route": )" + route)));
  };
  CHECK(routed(R"(["up>"])") ==
        "n.json:5:84: cases[0].flows[0].route: found a way that ends at \"s\"; expected one from "
        "\"a\" to \"b\"");
  CHECK(routed(R"(["down>"])") ==
        "n.json:5:84: cases[0].flows[0].route: found a way that breaks off at \"a\"; expected one "
        "from \"a\" to \"b\"");
  CHECK(routed(R"(["upp>", "down"])") ==
        "n.json:5:85: cases[0].flows[0].route[0]: found \"upp>\"; expected a link of this case and "
        "its direction; did you mean 'up>'?\n"
        "n.json:5:93: cases[0].flows[0].route[1]: found \"down\"; expected a link and its "
        "direction, \"l0>\" or \"l0<\"");
}

TEST_CASE("flows without any way name both ends", "[flow_cases]") {
  CHECK(problems_of(R"({"schema": "dbsim.network-cases/1", "cases": [{"name": "c",
"hosts": ["a", "b"], "links": [],
"flows": [{"name": "f", "from": "a", "to": "b", "start_s": 0, "bytes": 1}]}]})") ==
        "n.json:3:44: cases[0].flows[0].to: found no way from \"a\" to \"b\"; expected hosts that "
        "links and switches join");
}

TEST_CASE("flows that wait for themselves are refused, with all that wait for each other",
          "[flow_cases]") {
  CHECK(problems_of(with_flows(flow("f", R"("after": ["f"])"))) ==
        "n.json:5:71: cases[0].flows[0].after[0]: found \"f\" after \"f\"; expected flows that do "
        "not wait for themselves");
  CHECK(problems_of(with_flows(
            flow("f", R"("start_s": 0)") + "," + flow("g", R"("after": ["f", "i"])") + "," +
            flow("h", R"("after": ["g"])") + "," + flow("i", R"("after": ["h", "f"])"))) ==
        "n.json:5:140: cases[0].flows[1].after[1]: found \"g\" after \"i\" after \"h\" after "
        "\"g\"; expected flows that do not wait for themselves");
}

TEST_CASE("names must be known and differ", "[flow_cases]") {
  CHECK(problems_of(with_flows(flow("flow", R"("after": ["other"])") + "," +
                               flow("flow", R"("after": ["folw"])"))) ==
        "n.json:5:74: cases[0].flows[0].after[0]: found \"other\"; expected a flow of this case\n"
        "n.json:5:93: cases[0].flows[1].name: found \"flow\" twice; expected names that differ\n"
        "n.json:5:147: cases[0].flows[1].after[0]: found \"folw\"; expected a flow of this case; "
        "did you mean 'flow'?");
  CHECK(problems_of(R"({"schema": "dbsim.network-cases/1", "cases": [{"name": "c",
"hosts": ["host-a", "host-b", "host-a"], "switches": ["host-b", "switch"],
"links": [{"name": "l", "from": "host-c", "to": "switsh", "bandwidth_Bps": 1},
{"name": "l", "from": "host-a", "to": "switch", "bandwidth_Bps": -1}],
"flows": [{"name": "f", "from": "host-d", "to": "switch", "start_s": 0, "bytes": 1}]}]})") ==
        "n.json:2:31: cases[0].hosts[2]: found \"host-a\" twice; expected names that differ, hosts "
        "and switches alike\n"
        "n.json:2:55: cases[0].switches[0]: found \"host-b\" twice; expected names that differ, "
        "hosts and switches alike\n"
        "n.json:3:33: cases[0].links[0].from: found \"host-c\"; expected a host or switch of this "
        "case; did you mean 'host-a'?\n"
        "n.json:3:49: cases[0].links[0].to: found \"switsh\"; expected a host or switch of this "
        "case; did you mean 'switch'?\n"
        "n.json:4:10: cases[0].links[1].name: found \"l\" twice; expected names that differ\n"
        "n.json:4:66: cases[0].links[1].bandwidth_Bps: found -1; expected at least 0\n"
        "n.json:5:33: cases[0].flows[0].from: found \"host-d\"; expected a host of this case; did "
        "you mean 'host-a'?\n"
        "n.json:5:49: cases[0].flows[0].to: found switch \"switch\"; expected a host of this case");
}

TEST_CASE("a flow starts at a time or after others", "[flow_cases]") {
  CHECK(problems_of(with_flows(flow("f", R"("max_rate_Bps": 1)"))) ==
        "n.json:5:11: cases[0].flows[0]: found nothing; expected one of start_s, after");
  CHECK(problems_of(with_flows(flow("f", R"("start_s": 0, "after": [])"))) ==
        "n.json:5:84: cases[0].flows[0].after: found start_s and after together; expected only one "
        "of start_s, after");
  CHECK(problems_of(with_flows(flow("f", R"("start_s": 0, "delay_s": 1)"))) ==
        "n.json:5:86: cases[0].flows[0].delay_s: found no after; expected after and delay_s, or "
        "start_s");
}

TEST_CASE("times beyond what anybody means are refused", "[flow_cases]") {
  CHECK(
      problems_of(with_flows(flow("f", R"("start_s": 2e9, "finish_s": 1e11)"))) ==
      "n.json:5:72: cases[0].flows[0].start_s: found 2000000000.0; expected from 0 to 1000000000\n"
      "n.json:5:89: cases[0].flows[0].finish_s: found 100000000000.0; expected from 0 to "
      "10000000000");
}

TEST_CASE("a file without cases or flows, or of another kind, is refused", "[flow_cases]") {
  CHECK(problems_of(R"({"schema": "dbsim.network-cases/2", "cases": [], "case": 1})") ==
        "n.json:1:12: schema: found \"dbsim.network-cases/2\"; expected "
        "dbsim.network-cases/1; did you mean 'dbsim.network-cases/1'?\n"
        "n.json:1:46: cases: found no case; expected at least one\n"
        "n.json:1:50: case: unknown key; did you mean 'cases'?");
  CHECK(problems_of(with_flows("")) ==
        "n.json:5:10: cases[0].flows: found no flow; expected at least one");
}
