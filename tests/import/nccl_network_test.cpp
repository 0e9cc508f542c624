#include "sim/import/nccl_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"
#include "tests/import/nccl_runs.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

using Place = NcclChoice::Place;

NetworkDocument network(const std::string& text, const NcclChoice& choice = {}) {
  return to_network(parse_nccl_tests(text, "t.txt"), choice, "t.txt");
}

std::string problems_of(const std::string& text, const NcclChoice& choice = {}) {
  try {
    (void)network(text, choice);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

bool says(const NetworkDocument& document, std::string_view words) {
  return std::ranges::any_of(document.remarks, [&](const std::string& remark) {
    return remark.find(words) != std::string::npos;
  });
}

std::string without_ranks(std::string text) {
  for (std::size_t at = text.find("#  Rank"); at != std::string::npos; at = text.find("#  Rank")) {
    text.erase(at, text.find('\n', at) + 1 - at);
  }
  return text;
}

}  // namespace

TEST_CASE("a run becomes the network that it was made of", "[import]") {
  const NcclRun run{.hosts = 4, .ranks_on_host = 2, .latency_us = 35.0, .bytes_per_us = 1200.0};
  for (const std::string& text : {old_text(run), new_text(run), json_of(run)}) {
    const NetworkDocument document = network(text);
    CHECK(document.ranks_per_host == std::vector<std::int64_t>{2, 2, 2, 2});
    REQUIRE(document.fit);
    CHECK(document.fit->latency.count() == Approx(35e-6).epsilon(1e-3));
    CHECK(document.fit->bandwidth.count() == Approx(1.2e9).epsilon(1e-3));
    CHECK(document.fit->residual < 1e-3);
    CHECK(document.points.size() == run.sizes.size());
    CHECK(parse_network_document(to_json(document), "n.json") == document);
  }
  CHECK(network(new_text(run)).library == "NCCL 2.28.9, measured by nccl-tests 2.17.6");
  CHECK(network(old_text(run)).library == "NCCL, measured by nccl-tests");
  CHECK(says(network(old_text(run)), "the mean of 20 operations"));
}

TEST_CASE("one can choose between the two times of a size", "[import]") {
  const NcclRun run;
  const auto last = [&](Place place) {
    return network(json_of(run), {.place = place}).points.back().time.median;
  };
  const double in_place = 1e-6 * run.in_place_us(run.sizes.back());
  CHECK(last(Place::in_place) == Approx(in_place));
  CHECK(last(Place::out_of_place) == Approx(1.05 * in_place));
  CHECK(last(Place::faster) == Approx(in_place));
  CHECK(network(json_of(run)).points == network(json_of(run), {.place = Place::in_place}).points);
}

TEST_CASE("of a size with many rows the median is taken", "[import]") {
  const NetworkDocument document = network(
      "# Rank 0 on a device 0 [0x1] G\n# Rank 1 on a device 1 [0x2] G\n"
      "# size count time\n 8 2 3.00\n 800 200 9.00\n 8 2 1.00\n 8 2 2.00\n",
      {.place = Place::out_of_place});
  REQUIRE(document.points.size() == 2);
  CHECK(document.points[0].time.median == Approx(2e-6));
  CHECK(document.points[0].time.repetitions == 3);
  CHECK_FALSE(document.points[1].time.repetitions);
  CHECK(says(document, "up to 3 rows"));
  CHECK(says(document, "no busbw"));
}

TEST_CASE("where nobody lists the ranks, busbw tells how many there were", "[import]") {
  RandomStream draws{9};
  for (int round = 0; round < 200; ++round) {
    // Fast enough that two decimals of busbw are enough.
    const NcclRun run{.hosts = static_cast<int>(draws.whole(1, 4)),
                      .ranks_on_host = static_cast<int>(draws.whole(2, 8)),
                      .latency_us = 10.0 * draws.lognormal(1.0),
                      .bytes_per_us = 150'000.0 * draws.lognormal(0.3)};
    const NetworkDocument document = network(without_ranks(new_text(run)));
    CHECK(document.ranks_per_host == std::vector<std::int64_t>{run.ranks()});
    CHECK(says(document, fmt::format("busbw says that there were {}.", run.ranks())));
  }
}

TEST_CASE("ranks that busbw cannot tell must be said", "[import]") {
  const NcclRun run{.hosts = 8, .bytes_per_us = 300.0};
  const std::string text = without_ranks(old_text(run));
  CHECK_THAT(problems_of(text), Catch::Matchers::StartsWith("t.txt: found no list of ranks, and "
                                                            "busbw allows "));
  CHECK_THAT(problems_of(text), Catch::Matchers::EndsWith("as --ranks 4,4"));
  const std::vector<std::int64_t> ranks(8, 4);
  const NetworkDocument document = network(text, {.ranks_per_host = ranks});
  CHECK(document.ranks_per_host == ranks);
  CHECK(problems_of("# size count time\n 8 2 3.00\n 800 200 9.00\n") ==
        "t.txt: found no list of ranks, and no busbw to tell how many; expected the number of "
        "ranks on each host, as --ranks 4,4");
}

TEST_CASE("ranks that contradict busbw are refused, naming both", "[import]") {
  // 1 MB in 1000 us: 1 GB/s, and 1.75 times as much on the bus of 8 ranks.
  std::string text =
      "# Rank 0 on a device 0 [0x1] G\n# Rank 1 on a device 1 [0x2] G\n"
      "# size count time algbw busbw\n 8 2 3.00 0.00 0.00\n"
      " 1000000 250000 1000.00 1.0000 1.7500\n";
  const NcclChoice out{.place = Place::out_of_place};
  CHECK(problems_of(text, out) ==
        "t.txt:5:17: busbw: found 1.75 GB/s, that of 8 ranks; expected 1 GB/s, that of the 2 ranks "
        "listed in the file");
  NcclChoice asked = out;
  asked.ranks_per_host = {5};
  CHECK(problems_of(text, asked) ==
        "t.txt:5:17: busbw: found 1.75 GB/s, that of 8 ranks; expected 1.6 GB/s, that of the 5 "
        "ranks asked for");
  asked.ranks_per_host = {4, 4};
  CHECK(says(network(text, asked), "The file lists 2 ranks; 8 were asked for."));
}

TEST_CASE("the right number of ranks agrees with busbw however it is rounded", "[import]") {
  RandomStream draws{10};
  for (int round = 0; round < 300; ++round) {
    const NcclRun run{.hosts = static_cast<int>(draws.whole(1, 40)),
                      .ranks_on_host = static_cast<int>(draws.whole(2, 16)),
                      .latency_us = 20.0 * draws.lognormal(1.5),
                      .bytes_per_us = 5'000.0 * draws.lognormal(2.0)};
    CHECK(network(old_text(run)).ranks() == run.ranks());
    CHECK(network(json_of(run)).ranks() == run.ranks());
  }
}

TEST_CASE("times and rates of different units are told by their algbw", "[import]") {
  CHECK(problems_of("# Rank 0 on a device 0 [0x1] G\n# size count time algbw busbw\n"
                    " 1000000 250000 1.00 1.00 1.75\n",
                    {.ranks_per_host = {8}}) ==
        "t.txt:3:17: algbw: found 1 GB/s; expected 1000 GB/s: 1000000 bytes in 1 us");
}

TEST_CASE("one rank, or one size, makes no network", "[import]") {
  CHECK(problems_of("# Rank 0 on a device 0 [0x1] G\n# size count time algbw busbw\n"
                    " 8 2 1.00 0.01 0.00\n 16 4 1.00 0.02 0.00\n") ==
        "t.txt: found 1 rank; expected two at least: built without MPI, nccl-tests runs alone in "
        "every process");
  const std::string one = "# size count time algbw busbw\n 8 2 1.00 0.01 0.01\n";
  CHECK(problems_of(one, {.place = Place::out_of_place, .ranks_per_host = {4}}) ==
        "t.txt: found 1 message size measured out of place; expected two at least, so that others "
        "can be told from them, or another --place");
  CHECK_THAT(problems_of(one, {.ranks_per_host = {4}}),
             Catch::Matchers::Contains("found 0 message sizes measured in place"));
}
