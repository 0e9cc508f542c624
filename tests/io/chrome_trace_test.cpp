#include "sim/io/chrome_trace.hpp"

#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/io/files.hpp"
#include "tests/catch.hpp"
#include "tests/io/temporary_folder.hpp"

using namespace dbsim;

namespace {

std::vector<TraceEvent> events_of(const std::string& text) {
  const TemporaryFolder folder;
  write_text_file(folder / "t.json", text);
  std::vector<TraceEvent> events;
  (void)read_chrome_trace(folder / "t.json",
                          [&](const TraceEvent& event) { events.push_back(event); });
  return events;
}

}  // namespace

TEST_CASE("complete events are handed over in order, all others passed over", "[trace]") {
  const std::vector<TraceEvent> events = events_of(R"({"a": [{"traceEvents": [{"ph": "X"}]}],
    "traceEvents": [
      {"ph": "M", "name": "process_name", "args": {"name": "python"}},
      {"ph": "X", "name": "k", "cat": "kernel", "ts": 1712667379482786.5, "dur": 2,
       "args": {"correlation": 3, "External id": 4, "In msg nelems": 5, "dtype": "Float",
                "stack": [{"name": "not this", "ph": "i"}], "nothing": null, "yes": true}},
      {"name": "last", "args": {"name": "nor this"}, "external id": 9, "ts": 7, "ph": "X"}
    ]})");
  REQUIRE(events.size() == 2);
  CHECK(events[0].name == "k");
  CHECK(events[0].category == "kernel");
  CHECK(events[0].start_us == 1712667379482786.5);
  CHECK(events[0].duration_us == 2.0);
  CHECK(events[0].correlation == 3);
  CHECK(events[0].external_id == 4);
  CHECK(events[0].elements == 5);
  CHECK(events[0].element_type == "Float");
  CHECK(events[1].name == "last");
  CHECK(events[1].duration_us == 0.0);
  CHECK_FALSE(events[1].correlation.has_value());
  CHECK_FALSE(events[1].external_id.has_value());  // only arguments count
}

TEST_CASE("an operator's inputs are counted together", "[trace]") {
  const std::vector<TraceEvent> events = events_of(R"([
    {"ph": "X", "args": {"Input Dims": [[20, 3], [], [7]], "Input type": ["float", "", "long"]}},
    {"ph": "X", "args": {"Input Dims": [], "Input type": []}},
    {"ph": "X", "args": {"Output Dims": [[5]], "Input Dims": [[1099511627777, 2]]}}])");
  REQUIRE(events.size() == 3);
  CHECK(events[0].input_elements == 67);
  CHECK(events[0].input_type == "float");
  CHECK_FALSE(events[1].input_elements.has_value());
  CHECK(events[2].input_elements == 2);  // an extent that no tensor has is passed over
}

TEST_CASE("a bare list is a trace too", "[trace]") {
  CHECK(events_of(R"([{"ph": "X", "name": "a"}, {"ph": "B"}, {"name": "b", "ph": "X"}])").size() ==
        2);
  CHECK(events_of("[]").empty());
  CHECK(events_of("7").empty());
}

TEST_CASE("what is no JSON is refused at its place", "[trace]") {
  CHECK_THROWS_WITH(events_of("[{\"ph\":\n\"\xC3\xA9\", oops"),
                    Catch::Contains("t.json:2:6: found what is no JSON; expected a trace"));
  CHECK_THROWS_WITH(events_of("[{\"ph\": \"X\"}"),
                    Catch::Contains("t.json:1:13: found the end of the file"));
  CHECK_THROWS_WITH(events_of("\x1F\x8B compressed"),
                    Catch::Contains("a compressed file; expected JSON text: unpack it"));
}

TEST_CASE("what is no file is refused", "[trace]") {
  const TemporaryFolder folder;
  const auto ignore = [](const TraceEvent&) {};
  CHECK_THROWS_WITH(read_chrome_trace(folder / "none.json", ignore),
                    Catch::Contains("none.json: found no file that can be read"));
  CHECK_THROWS_AS(read_chrome_trace(folder.path(), ignore), InputError);
}
