#include "sim/base/units.hpp"

#include <concepts>

#include "sim/base/instant.hpp"
#include "tests/catch.hpp"

using namespace dbsim;
using namespace std::chrono_literals;

namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

}  // namespace

TEST_CASE("different units cannot be added, nor two instants", "[units]") {
  STATIC_REQUIRE(Addable<Samples, Samples>);
  STATIC_REQUIRE_FALSE(Addable<Samples, Bytes>);
  STATIC_REQUIRE_FALSE(Addable<Samples, std::int64_t>);
  STATIC_REQUIRE_FALSE(Addable<Instant, Instant>);
  STATIC_REQUIRE(Addable<Instant, Span>);
  STATIC_REQUIRE_FALSE(std::convertible_to<std::int64_t, Samples>);
}

TEST_CASE("samples add, subtract and compare by count", "[units]") {
  Samples samples{5};
  samples += Samples{3};
  samples -= Samples{1};
  CHECK(samples == Samples{7});
  CHECK((Samples{7} - Samples{9}).count() == -2);
  CHECK(Samples{1} < Samples{2});
}

TEST_CASE("bytes over a rate are seconds", "[units]") {
  CHECK((Bytes{44.7e6} / BytesPerSecond{1.25e9}).count() == Approx(0.03576));
}

TEST_CASE("seconds become the nearest nanosecond, and ties the even one", "[units]") {
  CHECK(to_span(Seconds{1.0}) == Span{1'000'000'000});
  CHECK(to_span(Seconds{2.4e-9}) == Span{2});
  CHECK(to_span(Seconds{2.6e-9}) == Span{3});
  CHECK(to_span(Seconds{0x1p-1 * 1e-9}) == Span{0});
  CHECK(to_seconds(Span{1'500'000'000}).count() == 1.5);
}

TEST_CASE("ten times a tenth of a second is one second", "[units]") {
  Instant now{};
  for (int i = 0; i < 10; ++i) now += to_span(Seconds{0.1});
  CHECK(now == Instant{} + to_span(Seconds{1.0}));
}

TEST_CASE("durations read as a person would write them", "[units]") {
  CHECK(to_text(Seconds{0.0}) == "0 s");
  CHECK(to_text(Seconds{3e-9}) == "3 ns");
  CHECK(to_text(Seconds{25e-6}) == "25 us");
  CHECK(to_text(Seconds{0.1208}) == "120.8 ms");
  CHECK(to_text(Seconds{62.44}) == "62.44 s");
  CHECK(to_text(Seconds{185.0}) == "3 min 05 s");
  CHECK(to_text(Seconds{3840.0}) == "1 h 04 min");
  CHECK(to_text(Seconds{-0.1208}) == "-120.8 ms");
  CHECK(to_text(Seconds{-185.0}) == "-3 min 05 s");
}

TEST_CASE("data sizes read in decimal units", "[units]") {
  CHECK(to_text(Bytes{0.0}) == "0 B");
  CHECK(to_text(Bytes{999.0}) == "999 B");
  CHECK(to_text(Bytes{44.7e6}) == "44.7 MB");
  CHECK(to_text(Bytes{1.5e9}) == "1.5 GB");
  CHECK(to_text(Bytes{2e16}) == "2e+04 TB");
}
