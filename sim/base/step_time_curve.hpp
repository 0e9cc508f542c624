#pragma once
// How long one step takes, by local batch: the shape that profiles hold and policies may see.
#include <optional>
#include <vector>

#include "sim/base/units.hpp"

namespace dbsim {

struct StepTimePoint {
  Samples batch;
  Seconds time;
  friend bool operator==(const StepTimePoint&, const StepTimePoint&) = default;
};

/// Median step time t(b). Between measured batches monotone cubic interpolation (Fritsch and
/// Carlson 1980), outside them the affine continuation of the nearest two points; never below zero.
class StepTimeCurve {
 public:
  /// Points with strictly rising positive batches and positive times; at least two.
  explicit StepTimeCurve(std::vector<StepTimePoint> points);
  /// t(b) = overhead + per_sample * b, which holds for every batch.
  static StepTimeCurve affine(Seconds overhead, Seconds per_sample);

  [[nodiscard]] Seconds at(double batch) const;
  [[nodiscard]] Seconds at(Samples batch) const { return at(static_cast<double>(batch.count())); }
  /// The measured range; empty when the curve holds for every batch.
  struct Range {
    Samples smallest;
    Samples largest;
  };
  [[nodiscard]] std::optional<Range> measured() const;
  /// Whether t never falls as the batch grows (true of the interpolation when it is true of the
  /// points).
  [[nodiscard]] bool rises() const;
  [[nodiscard]] const std::vector<StepTimePoint>& points() const { return points_; }
  /// The same curve with every time multiplied.
  [[nodiscard]] StepTimeCurve scaled(double factor) const;

 private:
  StepTimeCurve() = default;
  std::vector<StepTimePoint> points_;
  std::vector<double> slopes_;
  double overhead_{};
  double per_sample_{};
};

}  // namespace dbsim
