#include "sim/import/csv_steps.hpp"

#include <fmt/format.h>

#include <string>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

namespace {

std::vector<MeasuredBatch> read(std::string_view text) { return parse_csv_steps(text, "t.csv"); }

std::string problems_of(std::string_view text) {
  try {
    (void)read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("every way to say a time says the same", "[import]") {
  for (const char* text :
       {"batch,seconds\n32,0.25\n", "batch,step_s\n32,0.25\n", "batch,ms\n32,250\n",
        "batch,step_ms\n32,250", "step_ms,batch\n250,32", "batch,samples_per_second\n32,128\n"}) {
    CAPTURE(text);
    const std::vector<MeasuredBatch> measured = read(text);
    REQUIRE(measured.size() == 1);
    CHECK(measured[0].batch == Samples{32});
    CHECK(measured[0].step == std::vector<double>{0.25});
  }
}

TEST_CASE("parts are in the unit of the step unless they name their own", "[import]") {
  const std::vector<MeasuredBatch> measured =
      read("batch, ms, forward, backward_s, update\n8, 10, 3, 0.006, \n8, 12, 4, 0.007, 1\n");
  REQUIRE(measured.size() == 1);
  CHECK(measured[0].step == std::vector<double>{0.010, 0.012});
  CHECK(measured[0].forward == std::vector<double>{0.003, 0.004});
  CHECK(measured[0].backward == std::vector<double>{0.006, 0.007});
  CHECK(measured[0].update == std::vector<double>{0.001});  // an empty cell was not measured
}

TEST_CASE("comments, empty lines, other columns and foreign line ends are passed over",
          "[import]") {
  const std::vector<MeasuredBatch> measured = read(
      "\xEF\xBB\xBF# taken on a Monday\r\ngpu,batch,ms\r\n\r\nT4,16,5\r\n  # again\r\nT4,8,3\r\n");
  REQUIRE(measured.size() == 2);
  CHECK(measured[0].batch == Samples{16});
  CHECK(measured[0].step == std::vector<double>{0.005});
  CHECK(measured[1].batch == Samples{8});
}

TEST_CASE("any table that is written is read back", "[import]") {
  RandomStream draws{3};
  for (int round = 0; round < 100; ++round) {
    std::string text = "batch,seconds\n";
    std::vector<double> times;
    for (std::int64_t left = draws.whole(1, 50); left > 0; --left) {
      times.push_back(draws.lognormal(2.0));
      text += fmt::format("7,{}\n", times.back());
    }
    const std::vector<MeasuredBatch> measured = read(text);
    REQUIRE(measured.size() == 1);
    REQUIRE(measured[0].step == times);
  }
}

TEST_CASE("all that is wrong in a table is said at once, with its place", "[import]") {
  CHECK(problems_of("batch,ms\nmany,5\n8,-3\n16\n0,1\n8,1e9\n8,5 ms\n") ==
        "t.csv:2:1: batch: found \"many\"; expected a whole number, from 1 to 1000000000\n"
        "t.csv:3:3: ms: found \"-3\"; expected a number, more than 0 and at most a day\n"
        "t.csv:4:1: found 1 value; expected 2, as many as column names\n"
        "t.csv:5:1: batch: found \"0\"; expected a whole number, from 1 to 1000000000\n"
        "t.csv:6:3: ms: found \"1e9\"; expected a number, more than 0 and at most a day\n"
        "t.csv:7:3: ms: found \"5 ms\"; expected a number, more than 0 and at most a day");
}

TEST_CASE("column names that say too little or too much are refused", "[import]") {
  CHECK(problems_of("bacth,ms\n8,5\n") ==
        "t.csv:1:1: found column \"bacth\"; did you mean 'batch'?");
  CHECK(problems_of("gpu,ms\nT4,5\n") ==
        "t.csv:1:1: found no column \"batch\"; expected column names in the first row");
  CHECK(problems_of("batch,gpu\n8,T4\n") ==
        "t.csv:1:1: found no time; expected a column seconds, step_s, ms, step_ms or "
        "samples_per_second");
  CHECK(problems_of("batch,ms,seconds\n8,5,1\n") ==
        "t.csv:1:10: found columns \"ms\" and \"seconds\"; expected one of them only");
  CHECK(problems_of("batch,samples_per_second,forward\n8,5,1\n") ==
        "t.csv:1:26: found column \"forward\"; expected forward_s or forward_ms beside "
        "samples_per_second");
  CHECK(problems_of("8,5\n16,9\n").starts_with("t.csv:1:1: found no column \"batch\""));
  CHECK(problems_of("") ==
        "t.csv: found no row; expected batch and seconds, step_s, ms, step_ms or "
        "samples_per_second");
  CHECK(problems_of("batch,ms\n") ==
        "t.csv: found column names only; expected a row for each measured step");
}

TEST_CASE("any bytes are either a table or a list of problems", "[import]") {
  RandomStream draws{11};
  const std::string alphabet = "batch,ms\n\r\t #-+.0159eE\xEF\xBB\xBF\"\x01";
  for (int round = 0; round < 2000; ++round) {
    std::string text = draws.uniform() < 0.5 ? "batch,ms\n" : "";
    for (std::int64_t left = draws.whole(0, 60); left > 0; --left) {
      text += alphabet[static_cast<std::size_t>(
          draws.whole(0, static_cast<std::int64_t>(alphabet.size()) - 1))];
    }
    try {
      for (const MeasuredBatch& measured : read(text)) REQUIRE(measured.batch >= Samples{1});
    } catch (const InputError& error) {
      REQUIRE_FALSE(error.problems().empty());
    }
  }
}
