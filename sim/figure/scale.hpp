#pragma once
// From values to places along an axis, with ticks at round values.
#include <cstddef>
#include <string>
#include <vector>

namespace dbsim {

enum class Spacing {
  even,      // ticks at multiples of 1, 2 or 5 times a power of ten
  decades,   // logarithmic, ticks at 1, 2 and 5 times powers of ten
  doublings  // logarithmic, ticks at powers of two, as batch sizes are
};

class Scale {
 public:
  /// As short as it can be with a tick at or below `low` and one at or above `high`, and at most
  /// `most` ticks (at least four). Logarithmic ones take positive values only.
  [[nodiscard]] static Scale covering(Spacing spacing, double low, double high,
                                      std::size_t most = 7);
  /// Rows from the top down: row i is from i to i + 1, with its tick in the middle.
  [[nodiscard]] static Scale rows(std::size_t count);

  /// The same ticks on a scale that reaches these values too.
  [[nodiscard]] Scale reaching(double low, double high) const;

  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] bool holds(double value) const { return low_ <= value && value <= high_; }
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }
  /// 0 at the low end, 1 at the high end; of rows, 1 at the top.
  [[nodiscard]] double part(double value) const;

 private:
  enum class Kind { even, logarithmic, rows };
  Scale(Kind kind, std::vector<double> ticks)
      : kind_{kind}, ticks_{std::move(ticks)}, low_{ticks_.front()}, high_{ticks_.back()} {}
  Kind kind_;
  std::vector<double> ticks_;
  double low_;
  double high_;
};

/// A tick's value as a person reads it: "0.05", "20", "16,384".
[[nodiscard]] std::string tick_text(double value);

}  // namespace dbsim
