#include "calib/measure/partial_file.hpp"

#include "sim/base/error.hpp"
#include "tests/calib/support/samples.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

const Conditions conditions{{"model", "m"}, {"device", "d \"quoted\""}, {"batches", "8:64"}};

Measurement some_measurement() {
  Measurement measurement;
  measurement.elapsed_s = 12.3456789012345;
  measurement.explored = true;
  measurement.memory = {.fits = 64, .fails = 65};
  measurement.left_out = 48;
  measurement.fewer_later = true;
  measurement.batches = {samples_of(8, {0.1, 1.0 / 3.0}), samples_of(16, {})};
  measurement.batches[0].visits[1].throttled = true;
  measurement.interference = {{"compute", 2, 8, {{0.1, 0.15}, {0.1, 0.17}}}};
  return measurement;
}

}  // namespace

TEST_CASE("what is kept is read again without loss", "[partial]") {
  const Measurement measurement = some_measurement();
  CHECK(parse_partial(partial_text(measurement, conditions), "p", conditions) == measurement);
  const Measurement empty;
  CHECK(parse_partial(partial_text(empty, conditions), "p", conditions) == empty);
}

TEST_CASE("samples of another measurement are refused, with every difference", "[partial]") {
  const std::string text = partial_text(some_measurement(), conditions);
  const Conditions others{{"model", "n"}, {"device", "d \"quoted\""}, {"batches", "8:512"}};
  try {
    (void)parse_partial(text, "out.json.partial", others);
    FAIL("it was accepted");
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 2);
    CHECK(to_text(error.problems()[0]) ==
          "out.json.partial:4:14: conditions.model: found 'm'; expected 'n', as this run has it; "
          "begin anew without this file, or repeat the run that wrote it");
    CHECK(error.problems()[1].key == "conditions.batches");
  }
}

TEST_CASE("a spoilt file is refused", "[partial]") {
  const std::string text = partial_text(some_measurement(), conditions);
  CHECK_THROWS_AS(parse_partial("", "p", conditions), InputError);
  CHECK_THROWS_AS(parse_partial(text.substr(0, text.size() / 2), "p", conditions), InputError);
  const auto with = [&](const std::string& old, const std::string& fresh) {
    std::string changed = text;
    changed.replace(changed.find(old), old.size(), fresh);
    return changed;
  };
  CHECK_THROWS_AS(parse_partial(with("\"batch\": 16", "\"batch\": 8"), "p", conditions),
                  InputError);
  CHECK_THROWS_AS(parse_partial(with("0.03", "-0.03"), "p", conditions), InputError);
  CHECK_THROWS_AS(parse_partial(with("[0.1, 0.15]", "[0.1]"), "p", conditions), InputError);
  CHECK_THROWS_AS(parse_partial(with("dbsim.calibration/1", "dbsim.profile/1"), "p", conditions),
                  InputError);
}

TEST_CASE("no file is no measurement", "[partial]") {
  CHECK_FALSE(load_partial("/nowhere/at/all.json.partial", conditions).has_value());
}
