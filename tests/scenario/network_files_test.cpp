// The files that tell how a network behaves over time.
#include "sim/scenario/network_files.hpp"

#include "sim/scenario/row_file.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

std::optional<FlowEnds> ends_of(const RowCell& from, const RowCell& to,
                                std::vector<Problem>& problems) {
  if (from.text == "a" && to.text == "b") return FlowEnds{0, 1};
  problems.push_back({from.where, {}, "other hosts", "a and b", {}});
  return std::nullopt;
}

template <class Read>
std::string refusal(const Read& read) {
  try {
    (void)read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string profile_refusal(const std::string& text, std::optional<Seconds> loop = {}) {
  return refusal([&] { return read_bandwidth_profile(text, "p.csv", loop); });
}

}  // namespace

TEST_CASE("delays come one a line, with comments and blank lines between", "[network_files]") {
  const auto delays =
      read_delays("# measured at night\ndelay\n18.4 us\n\n0 s\r\n 3 ms \n", "d.csv");
  CHECK(delays == std::vector{Seconds{18.4e-6}, Seconds{0.0}, Seconds{3e-3}});
  CHECK(refusal([] { return read_delays("delay\n", "d.csv"); }) ==
        "d.csv: found no delay; expected one a line");
  CHECK(refusal([] { return read_delays("", "d.csv"); }) ==
        "d.csv:1:1: found nothing; expected rows");
  CHECK(
      refusal([] { return read_delays("delay\n-3 us\n5\n", "d.csv"); }) ==
      "d.csv:2:1: delay: found \"-3 us\"; expected a time, not negative, with a unit: ns, us, ms, "
      "s, min, h, d\n"
      "d.csv:3:1: delay: found \"5\"; expected a time, not negative, with a unit: ns, us, ms, s, "
      "min, h, d");
  CHECK(refusal([] { return read_delays("delay\n300 d\n40000 d\n", "d.csv"); }) ==
        "d.csv:3:1: delay: found \"40000 d\"; expected at most 100 years");
}

TEST_CASE("columns may stand in any order", "[network_files]") {
  const auto profile =
      read_bandwidth_profile("bandwidth, time\n10 Gbit/s,0 s\n5 Gbit/s,90 s\n", "p.csv", {});
  CHECK(profile.lines == std::vector<BandwidthAt>{{Seconds{0.0}, BytesPerSecond{1.25e9}},
                                                  {Seconds{90.0}, BytesPerSecond{0.625e9}}});
  CHECK(profile_refusal("time, bandwith\n0 s, 1 GB/s\n") ==
        "p.csv:1:7: found column \"bandwith\"; expected a first line with the columns time, "
        "bandwidth; did you mean 'bandwidth'?\n"
        "p.csv:1:1: found no column \"bandwidth\"; expected a first line with the columns time, "
        "bandwidth");
  CHECK(profile_refusal("time, time, bandwidth\n0 s, 0 s, 1 GB/s\n") ==
        "p.csv:1:7: found the same column again; expected each column once");
}

TEST_CASE("times of a profile rise, and a link gets some bandwidth in the end", "[network_files]") {
  CHECK(profile_refusal("time, bandwidth\n2 s, 1 GB/s\n2 s, 2 GB/s\n") ==
        "p.csv:3:1: found \"2 s\"; expected a time after that of the line before");
  CHECK(profile_refusal("time, bandwidth\n2 s\n") ==
        "p.csv:2:1: found 1 cell; expected 2, one for each column");
  const std::string outage = "time, bandwidth\n1 s, 1 GB/s\n2 s, 0 GB/s\n";
  CHECK(profile_refusal(outage) ==
        "p.csv:3:6: found no bandwidth for good; expected some in the end, or messages never "
        "arrive");
  CHECK(profile_refusal(outage, Seconds{3.0}) == "accepted");
  CHECK(profile_refusal("time, bandwidth\n1 s, 0 GB/s\n", Seconds{3.0}) ==
        "p.csv:2:6: found no bandwidth for good; expected some in the end, or messages never "
        "arrive");
}

TEST_CASE("flows of a trace come out by their start", "[network_files]") {
  const TracedTraffic trace = read_traffic_trace(
      "start, from, to, size, limit\n2 s, a, b, 1 GB,\n500 ms, a, b, 3 kB, 1 MB/s\n", "t.csv",
      ends_of);
  CHECK(
      trace.flows ==
      std::vector<TracedFlow>{
          {.start = Seconds{0.5}, .ends = {0, 1}, .size = Bytes{3e3}, .limit = BytesPerSecond{1e6}},
          {.start = Seconds{2.0}, .ends = {0, 1}, .size = Bytes{1e9}}});
  CHECK(read_traffic_trace("start, from, to, size\n2 s, a, b, 1 GB\n", "t.csv", ends_of)
            .flows.size() == 1);
  CHECK(read_traffic_trace("start, from, to, size\n", "t.csv", ends_of).flows.empty());
  CHECK(refusal([] {
          return read_traffic_trace("start, from, to, size, limit\n1 s, b, a, 1 GB, 0 B/s\n",
                                    "t.csv", ends_of);
        }) ==
        "t.csv:2:6: found other hosts; expected a and b\n"
        "t.csv:2:18: found a flow without bandwidth; expected a limit above zero, or none");
}
