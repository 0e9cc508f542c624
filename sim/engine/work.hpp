#pragma once
// Work whose rate may change while it is under way, integrated exactly over piecewise-constant
// rates.
#include "sim/base/instant.hpp"
#include "sim/base/units.hpp"

namespace dbsim {

class Work {
 public:
  Work() = default;
  /// `amount` is the time the work takes at rate 1.
  Work(Instant begin, Seconds amount, double rate) : since_{begin}, left_{amount}, rate_{rate} {}

  /// The rate from `now` on; `now` is never before an earlier call.
  void set_rate(Instant now, double rate) {
    left_ -= to_seconds(now - since_) * rate_;
    if (left_.count() < 0.0) left_ = Seconds{0.0};  // the end was rounded to a whole nanosecond
    since_ = now;
    rate_ = rate;
  }
  /// From the latest change of rate until it is done, if the rate stays as it is.
  [[nodiscard]] Seconds time_left() const { return left_ / rate_; }
  [[nodiscard]] Instant end() const { return since_ + to_span(time_left()); }
  /// As of the latest change of rate, in time at rate 1.
  [[nodiscard]] Seconds left() const { return left_; }
  /// When so much is left, which is not more than left(), if the rate stays as it is.
  [[nodiscard]] Instant when_left(Seconds left) const {
    return since_ + to_span((left_ - left) / rate_);
  }

 private:
  Instant since_{};
  Seconds left_{};
  double rate_{1.0};
};

}  // namespace dbsim
