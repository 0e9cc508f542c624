#include "sim/import/nccl_tests.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"
#include "tests/import/nccl_runs.hpp"

using namespace dbsim;
using namespace dbsim::test;

namespace {

NcclTests read(const std::string& text) { return parse_nccl_tests(text, "t.txt"); }

std::string problems_of(const std::string& text) {
  try {
    (void)read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// Sizes and times of both groups, in the order of sizes.
std::vector<std::vector<double>> numbers(const NcclTests& tests) {
  std::vector<std::vector<double>> all;
  for (const NcclRow& row : tests.rows) {
    all.push_back({row.size.count()});
    for (const auto& time : {row.out_of_place, row.in_place}) {
      if (!time) continue;
      all.back().push_back(time->seconds.value);
      if (time->algbw) all.back().push_back(time->algbw->value);
      if (time->busbw) all.back().push_back(time->busbw->value);
    }
  }
  std::ranges::sort(all);
  return all;
}

void agrees(const NcclTests& tests, const NcclRun& run, double precision) {
  REQUIRE(tests.rows.size() == run.sizes.size());
  for (std::size_t i = 0; i < run.sizes.size(); ++i) {
    const NcclRow& row = tests.rows[i];
    CHECK(row.size.count() == run.sizes[i]);
    const double time = 1e-6 * run.in_place_us(run.sizes[i]);
    REQUIRE(row.in_place);
    REQUIRE(row.out_of_place);
    CHECK(row.in_place->seconds.value == Approx(time).epsilon(precision));
    CHECK(row.out_of_place->seconds.value == Approx(1.05 * time).epsilon(precision));
    REQUIRE(row.in_place->busbw);
    const double busbw = run.sizes[i] / time * 2.0 * (run.ranks() - 1) / run.ranks();
    CHECK(std::abs(row.in_place->busbw->value - busbw) <= 0.0051e9);
  }
  CHECK(tests.ranks_per_host ==
        std::vector<std::int64_t>(static_cast<std::size_t>(run.hosts), run.ranks_on_host));
  CHECK(tests.devices == std::vector<std::string>{"Imaginary GPU 9000"});
}

constexpr const char* message = "host0:101:133 [0] NCCL INFO Channel 00/02 : 0 1 2 3\n";

}  // namespace

TEST_CASE("both generations of text and JSON say the same", "[import]") {
  const NcclRun run;
  const NcclTests old = read(old_text(run));
  agrees(old, run, 1e-3);
  CHECK(old.operations == 20);
  CHECK(old.nccl_version.empty());
  const NcclTests recent = read(new_text(run));
  agrees(recent, run, 1e-3);
  CHECK(recent.operations == 50);
  CHECK(recent.nccl_version == "2.28.9");
  CHECK(recent.tests_version == "2.17.6");
  const NcclTests json = read(json_of(run));
  agrees(json, run, 1e-7);
  CHECK(json.operations == 50);
  CHECK(json.nccl_version == "2.28.9");
  CHECK(json.date == "2026-01-02T03:04:05");
  CHECK(numbers(old) == numbers(recent));
}

TEST_CASE("columns are where the heading says", "[import]") {
  const std::string text =
      "#                                       in-place           out-of-place\n"
      "# redop count size cputime busbw extra time algbw\n"
      "#      (elements) (kB) (ms) (MB/s)        (s) (GB/s)\n"
      "  sum   250    1    2.00  1.0     x    0.04  0.01\n";
  const NcclTests tests = read(text);
  REQUIRE(tests.rows.size() == 1);
  const NcclRow& row = tests.rows.front();
  CHECK(row.size == Bytes{1000.0});
  CHECK(row.in_place->seconds.value == Approx(0.002));
  CHECK(row.in_place->seconds.rounding == Approx(5e-6));
  CHECK(row.in_place->busbw->value == Approx(1e6));
  CHECK(row.in_place->busbw->rounding == Approx(5e4));
  CHECK_FALSE(row.in_place->algbw);
  CHECK(row.out_of_place->seconds.value == Approx(0.04));
  CHECK(row.out_of_place->algbw->value == Approx(1e7));
  CHECK_FALSE(row.out_of_place->busbw);
}

TEST_CASE("the order of rows does not matter", "[import]") {
  RandomStream draws{7};
  const NcclRun run;
  const auto expected = numbers(read(new_text(run)));
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> rows = new_rows(run);
    for (std::size_t i = rows.size() - 1; i > 0; --i) {
      std::swap(rows[i],
                rows[static_cast<std::size_t>(draws.whole(0, static_cast<std::int64_t>(i)))]);
    }
    CHECK(numbers(read(joined(new_heading(run)) + joined(rows))) == expected);
  }
}

TEST_CASE("what others write between lines does not matter", "[import]") {
  RandomStream draws{8};
  const NcclRun run;
  const std::vector<std::string> noise{
      "host0:101:133 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>",
      "host1:104:104 [-1] NCCL INFO cudaDriverVersion 12040",
      "[2026-01-02 03:04:05] host0:101:133 [2] misc/socket.cc:58 NCCL WARN slow",
      "NCCL version 2.19.3+cuda12.3",
      "",
      "WARNING: Open MPI will create a shared memory backing file",
      "libfabric:7:1:efa: 4 devices"};
  for (const bool old : {true, false}) {
    const auto expected = numbers(read(old ? old_text(run) : new_text(run)));
    for (int round = 0; round < 20; ++round) {
      std::string text;
      const auto add = [&](const std::vector<std::string>& lines) {
        for (const std::string& line : lines) {
          while (draws.uniform() < 0.4) {
            text += noise[static_cast<std::size_t>(
                        draws.whole(0, static_cast<std::int64_t>(noise.size()) - 1))] +
                    '\n';
          }
          text += line + (draws.uniform() < 0.5 ? "\r\n" : "\n");
        }
      };
      add(old ? old_heading(run) : new_heading(run));
      add(old ? old_rows(run) : new_rows(run));
      CAPTURE(text);
      const NcclTests tests = read(text);
      CHECK(numbers(tests) == expected);
      CHECK(tests.ranks_per_host == std::vector<std::int64_t>{4, 4});
    }
  }
}

TEST_CASE("a row that messages cut is put together, wherever it was cut", "[import]") {
  const NcclRun run;
  for (const bool old : {true, false}) {
    const std::vector<std::string> heading = old ? old_heading(run) : new_heading(run);
    const std::vector<std::string> rows = old ? old_rows(run) : new_rows(run);
    const auto expected = numbers(read(joined(heading) + joined(rows)));
    // After the operation (and root), and after the first group: where it is printed in parts.
    const std::size_t kind = rows[4].find(old ? "sum" : "-1") + (old ? 3 : 2);
    const std::size_t first_group = rows[4].find(old ? "2e-07" : "      0", kind) + (old ? 5 : 7);
    for (const bool glued : {true, false}) {
      for (const auto& cuts :
           {std::vector{kind}, std::vector{first_group}, std::vector{kind, first_group}}) {
        std::vector<std::string> broken = rows;
        for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
          broken[4].insert(*cut, std::string{glued ? "" : " "} + message + message);
        }
        CAPTURE(broken[4]);
        const NcclTests tests = read(joined(heading) + joined(broken));
        CHECK(numbers(tests) == expected);
        REQUIRE(tests.remarks.size() == 1);
        CHECK_THAT(tests.remarks[0], Catch::Matchers::StartsWith("1 row was broken"));
      }
    }
  }
}

TEST_CASE("mpirun's tags are no part of a line", "[import]") {
  const NcclRun run;
  std::string text;
  for (const auto& lines : {new_heading(run), new_rows(run)}) {
    for (const std::string& line : lines) text += "[1,0]<stdout>:" + line + '\n';
  }
  const NcclTests tests = read(text);
  CHECK(numbers(tests) == numbers(read(new_text(run))));
  CHECK(tests.ranks_per_host == std::vector<std::int64_t>{4, 4});
}

TEST_CASE("what was not measured is not there", "[import]") {
  const NcclTests json = read(R"({"results": [{"size": 0, "in_place": {"time": 3}},
{"size": 8, "out_of_place": null, "in_place": {"cpu_time": 2.5}}]})");
  REQUIRE(json.rows.size() == 1);
  CHECK_FALSE(json.rows[0].out_of_place);
  CHECK(json.rows[0].in_place->seconds.value == Approx(2.5e-6));
  CHECK_FALSE(json.rows[0].in_place->busbw);
  CHECK(json.ranks_per_host.empty());
  const NcclTests text = read("# size count time\n 0 0 0.00\n 8 2 1.00\n");
  REQUIRE(text.rows.size() == 1);
  CHECK(text.rows[0].out_of_place->seconds.value == Approx(1e-6));
  CHECK_FALSE(text.rows[0].in_place);
}

TEST_CASE("groups, wrong sums and several operations are remarked on", "[import]") {
  std::string text =
      "#  Rank  0 Group  0 Pid 1 on a device 0 [0x1] G\n"
      "#  Rank  1 Group  1 Pid 2 on a device 1 [0x2] G\n"
      "#  Rank  2 Group  0 Pid 3 on b device 0 [0x1] H\n"
      "#  Rank  3 Group  1 Pid 4 on b device 1 [0x2] H\n"
      "# size count type redop time\n 8 2 float sum 1.00\n 8 4 half prod 2.00\n"
      "# Out of bounds values : 3 FAILED\n";
  const NcclTests tests = read(text);
  CHECK(tests.ranks_per_host == std::vector<std::int64_t>{1, 1});
  CHECK(tests.devices == std::vector<std::string>{"G", "H"});
  REQUIRE(tests.remarks.size() == 3);
  CHECK_THAT(tests.remarks[0], Catch::Matchers::Contains("wrong sums"));
  CHECK_THAT(tests.remarks[1], Catch::Matchers::StartsWith("2 groups of ranks"));
  CHECK_THAT(tests.remarks[2], Catch::Matchers::Contains("float sum and half prod"));
}

TEST_CASE("a process with many ranks is listed once in JSON, and counts as many", "[import]") {
  const std::string results = R"("results": [{"size": 8, "in_place": {"time": 3}}])";
  const auto ranks = [&](const std::string& config) {
    return read("{\"config\": {" + config + "}, " + results + "}").ranks_per_host;
  };
  CHECK(ranks(R"("nthreads": 2, "ngpus": 4, "devices": [{"rank": 0, "hostname": "a"}])") ==
        std::vector<std::int64_t>{8});
  CHECK(ranks(R"("nthreads": 1, "ngpus": 2, "devices": [{"rank": 0, "hostname": "a"},
 {"rank": 2, "hostname": "a"}, {"rank": 4, "hostname": "b"}])") == std::vector<std::int64_t>{4, 2});
  CHECK(ranks(R"("nthreads": 1, "ngpus": 2, "devices": [{"rank": 0, "hostname": "a"},
 {"rank": 1, "hostname": "a"}])") == std::vector<std::int64_t>{2});
}

TEST_CASE("what cannot be read is said with its place", "[import]") {
  const std::string heading = "# size count type redop time algbw busbw error\n";
  CHECK(problems_of("") ==
        "t.txt: found no table; expected what all_reduce_perf prints, with a line of column names "
        "such as # size count type redop root time algbw busbw");
  CHECK(problems_of(heading) ==
        "t.txt: found column names only; expected a row for each message size");
  CHECK(problems_of(heading + " 8 2 float sum 1.00 0.01 0.01 0\n 16 4 float sum 1.00 0.02\n" +
                    " 32 8 float sum 1.00 0.03 0.03 0\n 64 16 float sum 1.o0 0.06 0.06 0\n"
                    " 128 32 float sum 0.00 0.06 0.06 0\n") ==
        "t.txt:3:2: found 6 values; expected 8, as many as column names\n"
        "t.txt:5:18: time: found \"1.o0\"; expected a number, at least 0\n"
        "t.txt:6:19: time: found \"0.00\"; expected more than 0 and at most a day");
  CHECK(problems_of(heading + " 8 2 float sum 1.00 0.01 0.01 0 7\n") ==
        "t.txt:2:2: found 9 values; expected 8, as many as column names");
  CHECK(problems_of(heading + " 8 2 float none 1.00 0.01 0.01 0\n") ==
        "t.txt:2:12: redop: found \"none\"; expected an operation such as sum: only all-reduces "
        "are read");
  CHECK(problems_of("# size count type redop algbw busbw\n 8 2 float sum 1 1\n") ==
        "t.txt:1:3: found 0 columns named time; expected one out of place and one in place, or one "
        "of them");
  CHECK(problems_of("# size count time\n# (B) (elements) (fortnights)\n 8 2 1.00\n") ==
        "t.txt:2:18: time: found \"(fortnights)\"; expected one of ns, us, ms, s, min, h, d in "
        "brackets");
  CHECK(problems_of("# size count time\n# (B) (elements)\n 8 2 1.00\n") ==
        "t.txt:2:3: time: found no unit for this column; expected units below column names, such "
        "as (B), (us) and (GB/s)");
  CHECK(problems_of(heading + " 8 2 float sum 1.00 0.01 0.01 0\n" + heading) ==
        "t.txt:3:3: found a second line of column names; expected one run a file: cut it in two "
        "before the second begins");
  CHECK(problems_of("# Collective test starting: all_gather_perf\n" + heading +
                    " 8 2 float sum 1.00 0.01 0.01 0\n") ==
        "t.txt:1:29: found \"all_gather_perf\"; expected all_reduce_perf");
}

TEST_CASE("what cannot be read in JSON is said with its place", "[import]") {
  CHECK(problems_of("{\n}") ==
        "t.txt:1:1: found no \"results\"; expected what all_reduce_perf writes with -J");
  CHECK(problems_of("{\"results\": []}") ==
        "t.txt:1:13: results: found no result; expected one for each message size");
  CHECK(
      problems_of("{\"args\": [\"./all_gather_perf\"],\n\"config\": 3, \"results\": [\n"
                  "{\"size\": -8},\n{\"in_place\": {}}, 4,\n{\"size\": 8, \"in_place\": {\"time\": "
                  "\"nan\"}},\n{\"size\": 8, \"in_place\": {\"time\": 0}}]}") ==
      "t.txt:1:11: args: found \"./all_gather_perf\"; expected all_reduce_perf\n"
      "t.txt:2:11: config: found 3; expected a table\n"
      "t.txt:3:10: size: found -8; expected from 0 to 1125899906842624\n"
      "t.txt:4:1: results: found no \"size\"; expected the size of the message\n"
      "t.txt:4:19: results: found 4; expected a table\n"
      "t.txt:5:34: time: found text \"nan\"; expected a number, at least 0\n"
      "t.txt:6:34: time: found 0; expected microseconds, more than 0 and at most a day");
  CHECK_THAT(problems_of("{\"results\": [{\"size\": 8, "), Catch::Matchers::StartsWith("t.txt:1:"));
}

TEST_CASE("any bytes are either a run or a list of problems", "[import]") {
  RandomStream draws{12};
  const std::string start = "# size count type redop time algbw busbw\n";
  const std::string alphabet = "1280. \n\tefN/A#[]:-+NCCL INFO\"{}";
  for (int round = 0; round < 2000; ++round) {
    std::string text = draws.uniform() < 0.7 ? start : "";
    for (std::int64_t left = draws.whole(0, 120); left > 0; --left) {
      text += alphabet[static_cast<std::size_t>(
          draws.whole(0, static_cast<std::int64_t>(alphabet.size()) - 1))];
    }
    try {
      const NcclTests tests = read(text);
      REQUIRE_FALSE(tests.rows.empty());
    } catch (const InputError& error) {
      REQUIRE_FALSE(error.problems().empty());
    }
  }
}
