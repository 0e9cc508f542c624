#pragma once
// The next value of a series of positive numbers.
#include <algorithm>

namespace dbsim {

/// Exponentially weighted average; the newest counts `newest`, from 0 (excluded) to 1.
class MovingAverage {
 public:
  explicit MovingAverage(double newest) : newest_{newest} {}
  void add(double value) {
    value_ = known_ ? newest_ * value + (1.0 - newest_) * value_ : value;
    known_ = true;
  }
  void forget() { known_ = false; }
  [[nodiscard]] bool known() const { return known_; }
  [[nodiscard]] double value() const { return value_; }

 private:
  double newest_;
  double value_{};
  bool known_{false};
};

/// ARIMA(1,1,0): the next change is phi times the last one; phi in [-1, 1] by least squares in
/// which a pair of changes counts 0.9 of the pair after it. Never below half the last value, nor
/// above twice.
class ChangeForecast {
 public:
  void add(double value) {
    const double change = seen_ > 0 ? value - last_ : 0.0;
    if (seen_ > 1) {
      constexpr double kept = 0.9;
      products_ = kept * products_ + change * change_;
      squares_ = kept * squares_ + change_ * change_;
    }
    last_ = value;
    change_ = change;
    seen_ = std::min(seen_ + 1, 2);
  }
  [[nodiscard]] bool known() const { return seen_ > 0; }
  [[nodiscard]] double next() const {
    if (!(squares_ > 0.0)) return last_;
    const double phi = std::clamp(products_ / squares_, -1.0, 1.0);
    return std::clamp(last_ + phi * change_, 0.5 * last_, 2.0 * last_);
  }

 private:
  double last_{};
  double change_{};
  double products_{};
  double squares_{};
  int seen_{0};
};

}  // namespace dbsim
