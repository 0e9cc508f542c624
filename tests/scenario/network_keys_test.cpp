// The keys of [network] beside its form: what messages cost, links that change, others' flows.
#include <string>

#include "policies/catalog.hpp"
#include "sim/base/error.hpp"
#include "sim/io/files.hpp"
#include "sim/scenario/load.hpp"
#include "tests/catch.hpp"
#include "tests/io/temporary_folder.hpp"

using namespace dbsim;

namespace {

constexpr const char* on_a_star = "star = { bandwidth = \"10 Gbit/s\", latency = \"2 us\" }\n";

std::string text_of(const std::string& network) {
  return R"(dbsim = 1
name = "s"
policies = ["fixed"]
[job]
model = "m"
samples = 1000
epochs = 3
global_batch = 40
gradient = "100 MB"
[[worker]]
name = "a"
count = 2
profile = { overhead = "10 ms", per_sample = "1 ms" }
[[worker]]
name = "b"
profile = { overhead = "10 ms", per_sample = "1 ms" }
[network]
)" + network;
}

PlayedNetwork load(const std::string& network, const std::string& file = "s.toml") {
  const Document document = Document::toml(text_of(network), file);
  return std::get<PlayedNetwork>(load_scenario(document, catalog()).network);
}

std::string refusal(const std::string& network, const std::string& file = "s.toml") {
  try {
    (void)load(network, file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("what messages cost is what the keys say", "[scenario]") {
  const MessageSpec quiet = load(on_a_star).messages;
  CHECK(quiet == MessageSpec{});
  const MessageSpec messages =
      load(std::string{on_a_star} +
           "overhead = \"3 us\"\n"
           "efficiency = { size = [\"4 KiB\", \"1 MiB\"], fraction = [0.5, 0.9] }\n"
           "jitter = { median = \"20 us\", sigma = 0.8 }\n"
           "spike = { chance = 0.001, length = \"5 ms\" }\n")
          .messages;
  CHECK(messages.overhead == Seconds{3e-6});
  CHECK(messages.efficiency ==
        std::vector<Efficiency>{{Bytes{4096.0}, 0.5}, {Bytes{1'048'576.0}, 0.9}});
  CHECK(messages.jitter == DelaySpec{LognormalDelay{Seconds{20e-6}, 0.8}});
  CHECK(messages.spike == SpikeSpec{.chance = 0.001, .length = Seconds{5e-3}});
  CHECK(load(std::string{on_a_star} + "jitter = { mean = \"1 ms\" }\n").messages.jitter ==
        DelaySpec{ExponentialDelay{Seconds{1e-3}}});
}

TEST_CASE("half a distribution is none", "[scenario]") {
  const std::string text{on_a_star};
  CHECK(refusal(text + "jitter = { median = \"20 us\" }\n") ==
        "s.toml:19:21: network.jitter.median: found no sigma beside it; expected median and sigma "
        "together");
  CHECK(refusal(text + "jitter = { sigma = 0.5 }\n") ==
        "s.toml:19:10: network.jitter: found nothing; expected one of median, mean, samples\n"
        "s.toml:19:20: network.jitter.sigma: found no median beside it; expected median and sigma "
        "together");
  CHECK(refusal(text + "efficiency = { size = [\"1 MB\", \"1 kB\"], fraction = [0.5, 0.9] }\n") ==
        "s.toml:19:23: network.efficiency.size: found 1 MB before 1 kB; expected sizes that rise");
  CHECK(refusal(text + "efficiency = { size = [\"1 MB\"], fraction = [0.5, 0.9] }\n") ==
        "s.toml:19:44: network.efficiency.fraction: found 2 for 1 sizes; expected one for each "
        "size");
}

TEST_CASE("links and flows are found by the names of workers and nodes", "[scenario]") {
  const TemporaryFolder folder;
  write_text_file(folder / "p.csv", "time, bandwidth\n5 s, 1 GB/s\n");
  write_text_file(folder / "t.csv", "start, from, to, size\n1 s, b, host/0, 1 MB\n");
  const PlayedNetwork network = load(std::string{on_a_star} + R"(
[[network.link]]
worker = "a"
profile = "p.csv"
[[network.link]]
ends = ["switch/0", "b"]
profile = "p.csv"
loop = "9 s"
[[network.traffic]]
from = "a/1"
to = "b"
limit = "1 GB/s"
[[network.traffic]]
from = "a/1"
to = "b"
on = "2 s"
off = "3 s"
[[network.traffic]]
from = "a/1"
to = "b"
on = "2 s"
off = "3 s"
random = true
[[network.traffic]]
trace = "t.csv"
)",
                                     folder / "s.toml");
  const std::vector<BandwidthAt> lines{{Seconds{5.0}, BytesPerSecond{1e9}}};
  CHECK(network.links == std::vector<LinkProfileSpec>{
                             {.links = {0, 1}, .profile = {.lines = lines}},
                             {.links = {2}, .profile = {.lines = lines, .loop = Seconds{9.0}}}});
  const ConstantTraffic flow{.ends = {1, 2}};
  CHECK(network.traffic ==
        std::vector<TrafficSpec>{
            ConstantTraffic{.ends = {1, 2}, .limit = BytesPerSecond{1e9}},
            OnOffTraffic{.flow = flow, .on = Seconds{2.0}, .off = Seconds{3.0}, .name = "a/1>b"},
            OnOffTraffic{.flow = flow,
                         .on = Seconds{2.0},
                         .off = Seconds{3.0},
                         .random = true,
                         .name = "a/1>b#2"},
            TracedTraffic{{{.start = Seconds{1.0}, .ends = {2, 0}, .size = Bytes{1e6}}}}});
}

TEST_CASE("names that lead nowhere, and links that change twice, are refused together",
          "[scenario]") {
  const TemporaryFolder folder;
  write_text_file(folder / "p.csv", "time, bandwidth\n5 s, 1 GB/s\n");
  const std::string file = folder / "s.toml";
  CHECK(refusal(std::string{on_a_star} + R"(
[[network.link]]
worker = "a/0"
profile = "p.csv"
loop = "5 s"
[[network.link]]
ends = ["host/0", "switch/0"]
profile = "p.csv"
[[network.link]]
ends = ["a/0", "b"]
profile = "p.csv"
[[network.traffic]]
from = "a/2"
to = "switch/0"
[[network.traffic]]
from = "b"
to = "b"
)",
                file) ==
        file +
            ":23:8: network.link[0].loop: found 5 s; expected more than 5 s, the last line of "
            "the profile\n" +
            file +
            ":26:11: network.link[1].profile: found a link that has a profile already; "
            "expected one for each link\n" +
            file +
            ":28:16: network.link[2].ends[1]: found \"b\", which no link joins to \"a/0\"; "
            "expected the two ends of a link\n" +
            file +
            ":31:8: network.traffic[0].from: found \"a/2\"; expected a worker or a host of "
            "the network; did you mean 'a/0'?\n" +
            file +
            ":32:6: network.traffic[0].to: found \"switch/0\", a switch; expected a worker "
            "or a host of the network\n" +
            file +
            ":35:6: network.traffic[1].to: found the host that it comes from; expected "
            "another one");
}

TEST_CASE("a flow needs a path, and a worker's own link a network that has one", "[scenario]") {
  const TemporaryFolder folder;
  write_text_file(folder / "p.csv", "time, bandwidth\n5 s, 1 GB/s\n");
  write_text_file(folder / "g.toml",
                  "graph = 1\nhost = [{ name = \"h\", count = 3 }, { name = \"far\" }]\n"
                  "switch = [{ name = \"s\" }]\n"
                  "link = [{ from = \"h\", to = \"s\", bandwidth = \"1 GB/s\" }]\n");
  const std::string file = folder / "s.toml";
  CHECK(refusal(R"(graph = "g.toml"
[[network.link]]
worker = "b"
profile = "p.csv"
[[network.traffic]]
from = "h/0"
to = "far"
)",
                file) ==
        file +
            ":20:10: network.link[0].worker: found a worker on this network; expected "
            "network.star, measured, leaf_spine, fat_tree or dragonfly beside it; or ends, two "
            "nodes\n" +
            file +
            ":24:6: network.traffic[0].to: found \"far\", which no path joins to \"h/0\"; "
            "expected links and switches between them");
}

TEST_CASE("a measured network is a star with its efficiencies by message", "[scenario]") {
  const TemporaryFolder folder;
  // Two hosts of two ranks: 30 us, 3 GB/s of message, half of it at 4 MB.
  write_text_file(folder / "net.json", R"({"schema": "dbsim.network/1", "operation": "all_reduce",
    "ranks_per_host": [2, 2], "points": [{"bytes": 4e6, "time_s": {"median": 0.002696666}}],
    "fit": {"latency_s": 30e-6, "bandwidth_bytes_per_s": 3e9,
            "efficiency": [{"bytes": 4e6, "efficiency": 0.5}]}})");
  const std::string file = folder / "s.toml";
  const PlayedNetwork network = load("measured = \"net.json\"\noverhead = \"1 us\"\n", file);
  const auto& shape = std::get<SingleSwitch>(network.topology);
  CHECK(shape.link.bandwidth.count() == Approx(4.5e9));
  CHECK(shape.link.latency.count() == Approx(5e-6));
  CHECK(network.messages.efficiency == std::vector<Efficiency>{{Bytes{1e6}, 0.5}});
  CHECK(network.messages.overhead == Seconds{1e-6});
  CHECK(network.measured == MeasuredRange{4, Bytes{4e6}, Bytes{4e6}});
  CHECK(refusal("measured = \"net.json\"\n"
                "efficiency = { size = [\"1 MB\"], fraction = [0.5] }\n",
                file) ==
        file +
            ":19:14: network.efficiency: found measured and efficiency together; expected only "
            "one of measured, efficiency");
  write_text_file(folder / "one.json",
                  R"({"schema": "dbsim.network/1", "operation": "all_reduce",
    "ranks_per_host": [1], "points": [{"bytes": 4e6, "time_s": {"median": 0.1}}]})");
  CHECK(refusal("measured = \"one.json\"\n", file) ==
        file +
            ":18:12: network.measured: found a network of one rank; expected one that at least "
            "two ranks measured");
}
