#include "sim/io/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <system_error>

namespace dbsim {

namespace {

// A small unit divides by an exact power of ten: 25 / 1e6 is the double nearest to 25 us, 25 * 1e-6
// is not.
struct Unit {
  std::string_view name;
  double times{1.0};
  double over{1.0};
};

constexpr std::array<Unit, 7> time_table{{{"ns", 1.0, 1e9},
                                          {"us", 1.0, 1e6},
                                          {"ms", 1.0, 1e3},
                                          {"s", 1.0, 1.0},
                                          {"min", 60.0, 1.0},
                                          {"h", 3600.0, 1.0},
                                          {"d", 86400.0, 1.0}}};

constexpr std::array<Unit, 9> size_table{{{"B", 1.0, 1.0},
                                          {"kB", 1e3, 1.0},
                                          {"MB", 1e6, 1.0},
                                          {"GB", 1e9, 1.0},
                                          {"TB", 1e12, 1.0},
                                          {"KiB", 0x1p10, 1.0},
                                          {"MiB", 0x1p20, 1.0},
                                          {"GiB", 0x1p30, 1.0},
                                          {"TiB", 0x1p40, 1.0}}};

constexpr std::array<Unit, 12> rate_table{{{"bit/s", 1.0, 8.0},
                                           {"kbit/s", 1e3, 8.0},
                                           {"Mbit/s", 1e6, 8.0},
                                           {"Gbit/s", 1e9, 8.0},
                                           {"Tbit/s", 1e12, 8.0},
                                           {"B/s", 1.0, 1.0},
                                           {"kB/s", 1e3, 1.0},
                                           {"MB/s", 1e6, 1.0},
                                           {"GB/s", 1e9, 1.0},
                                           {"KiB/s", 0x1p10, 1.0},
                                           {"MiB/s", 0x1p20, 1.0},
                                           {"GiB/s", 0x1p30, 1.0}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes a number off the front of a text; what is left behind is the unit.
class NumberScanner {
 public:
  explicit NumberScanner(std::string_view text) : rest_{text} {}

  std::optional<double> number() {
    if (!take('-', digits_)) skip('+');
    if (!group()) return std::nullopt;
    if (take('.', digits_) && !group()) return std::nullopt;
    exponent();
    double value = 0.0;
    const char* const end = digits_.data() + digits_.size();
    const auto [stop, error] = std::from_chars(digits_.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
  }

  void skip(char c) {
    if (rest_.starts_with(c)) rest_.remove_prefix(1);
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  bool take(char c, std::string& into) {
    if (!rest_.starts_with(c)) return false;
    into += c;
    rest_.remove_prefix(1);
    return true;
  }

  // Digits with single underscores between them.
  bool group() {
    if (rest_.empty() || !is_digit(rest_.front())) return false;
    while (!rest_.empty()) {
      const bool between = rest_.size() > 1 && rest_[0] == '_' && is_digit(rest_[1]);
      if (!between && !is_digit(rest_[0])) break;
      if (!between) digits_ += rest_[0];
      rest_.remove_prefix(1);
    }
    return true;
  }

  // Only a whole exponent is taken: an 'e' may as well begin the unit.
  void exponent() {
    const std::string_view before = rest_;
    std::string exponent;
    if (!take('e', exponent) && !take('E', exponent)) return;
    if (!take('-', exponent)) skip('+');
    while (!rest_.empty() && is_digit(rest_.front())) {
      exponent += rest_.front();
      rest_.remove_prefix(1);
    }
    if (is_digit(exponent.back())) {
      digits_ += exponent;
    } else {
      rest_ = before;
    }
  }

  std::string_view rest_;
  std::string digits_;
};

std::optional<double> parse(std::string_view text, std::span<const Unit> units) {
  NumberScanner scanner{text};
  const std::optional<double> number = scanner.number();
  if (!number) return std::nullopt;
  scanner.skip(' ');
  for (const Unit& unit : units) {
    if (unit.name != scanner.rest()) continue;
    const double value = *number * unit.times / unit.over;
    return std::isfinite(value) ? std::optional{value} : std::nullopt;
  }
  return std::nullopt;
}

template <class Result>
std::optional<Result> as(std::optional<double> value) {
  return value ? std::optional<Result>{Result{*value}} : std::nullopt;
}

}  // namespace

std::optional<Seconds> parse_duration(std::string_view text) {
  return as<Seconds>(parse(text, time_table));
}

std::optional<Bytes> parse_size(std::string_view text) {
  return as<Bytes>(parse(text, size_table));
}

std::optional<BytesPerSecond> parse_bandwidth(std::string_view text) {
  return as<BytesPerSecond>(parse(text, rate_table));
}

}  // namespace dbsim
