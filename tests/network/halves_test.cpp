#include "sim/network/halves.hpp"

#include <cmath>
#include <vector>

#include "sim/base/check.hpp"
#include "sim/base/random.hpp"
#include "tests/catch.hpp"

using namespace dbsim;

TEST_CASE("a straight line is predicted from half of its sizes", "[network]") {
  RandomStream draws{4};
  for (int round = 0; round < 50; ++round) {
    const double latency = 1e-5 * draws.lognormal(2.0);
    const double bandwidth = 1e9 * draws.lognormal(2.0);
    std::vector<MessageTime> measured;
    for (int exponent = 12; exponent <= 28; ++exponent) {
      const double bytes = std::ldexp(1.0, exponent);
      measured.push_back({Bytes{bytes}, Seconds{latency + bytes / bandwidth}});
    }
    const std::vector<Prediction> predictions = predict_other_half(measured);
    REQUIRE(predictions.size() == 8);
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      CHECK(predictions[i].bytes == measured[2 * i + 1].bytes);
      CHECK(predictions[i].measured == measured[2 * i + 1].time);
    }
    for (const double error : relative_errors(predictions)) CHECK(error < 1e-3);
  }
}

TEST_CASE("what is predicted moves no prediction", "[network]") {
  RandomStream draws{5};
  std::vector<MessageTime> measured;
  for (int exponent = 3; exponent <= 20; ++exponent) {
    const double bytes = std::ldexp(1.0, exponent);
    measured.push_back({Bytes{bytes}, Seconds{1e-5 + bytes * 1e-9 * draws.lognormal(0.1)}});
  }
  const std::vector<Prediction> before = predict_other_half(measured);
  for (std::size_t i = 1; i < measured.size(); i += 2) measured[i].time *= draws.lognormal(2.0);
  const std::vector<Prediction> after = predict_other_half(measured);
  REQUIRE(before.size() == after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    CHECK(before[i].predicted == after[i].predicted);
  }
}

TEST_CASE("an error is relative to what was measured", "[network]") {
  const std::vector<Prediction> predictions{{Bytes{1.0}, Seconds{2.0}, Seconds{3.0}},
                                            {Bytes{2.0}, Seconds{4.0}, Seconds{3.0}}};
  CHECK(relative_errors(predictions) == std::vector<double>{0.5, 0.25});
}

TEST_CASE("three sizes are enough, two are not", "[network]") {
  const std::vector<MessageTime> three{
      {Bytes{1000.0}, Seconds{2.0}}, {Bytes{2000.0}, Seconds{9.0}}, {Bytes{3000.0}, Seconds{4.0}}};
  CHECK(predict_other_half(three).size() == 1);
  CHECK_THROWS_AS(predict_other_half(std::span{three}.first(2)), BrokenAssumption);
}
