#include "sim/profile/compare.hpp"

#include "tests/catch.hpp"

using namespace dbsim;

namespace {

ProfileDocument affine(double overhead, double per_sample, const std::vector<int>& batches) {
  ProfileDocument document;
  for (const int batch : batches) {
    document.points.push_back(
        {.batch = Samples{batch}, .step = {.median = overhead + per_sample * batch}});
  }
  return document;
}

}  // namespace

TEST_CASE("profiles are compared where either measured and both reach", "[profile]") {
  // Monotone interpolation keeps a straight line, so the expected times are those of the two laws.
  const std::vector<ProfileDifference> rows =
      differences(affine(1.0, 0.5, {2, 8, 16, 32}), affine(2.0, 1.0, {4, 8, 24, 64}));
  std::vector<std::int64_t> batches;
  for (const ProfileDifference& row : rows) {
    batches.push_back(row.batch.count());
    const auto batch = static_cast<double>(row.batch.count());
    CHECK(row.first == Approx(1.0 + 0.5 * batch));
    CHECK(row.second == Approx(2.0 + 1.0 * batch));
    CHECK(row.ratio() == Approx(2.0));
    CHECK(row.common() == (row.batch == Samples{8}));
  }
  CHECK(batches == std::vector<std::int64_t>{4, 8, 16, 24, 32});
}

TEST_CASE("the largest difference is that of batch sizes both measured, in either direction",
          "[profile]") {
  ProfileDocument first = affine(0.0, 1.0, {1, 2, 4});
  ProfileDocument second = affine(0.0, 1.0, {1, 2, 3, 4});
  second.points[1].step.median = 1.5;  // a quarter less than 2
  second.points[2].step.median = 3.9;
  second.points[3].step.median = 4.4;
  CHECK(largest_difference(differences(first, second)) == Approx(0.25));
  CHECK_FALSE(largest_difference(differences(affine(0, 1, {2, 8}), affine(0, 1, {3, 9}))));
  CHECK(differences(affine(0, 1, {1, 2}), affine(0, 1, {3, 4})).empty());
  CHECK(largest_difference(differences(first, first)) == 0.0);
}

TEST_CASE("intervals overlap, lie apart, or are not known", "[profile]") {
  ProfileDocument first = affine(0.0, 1.0, {1, 2, 3});
  ProfileDocument second = first;
  for (ProfileDocument* document : {&first, &second}) {
    for (ProfilePoint& point : document->points) {
      point.step.low = point.step.median - 0.1;
      point.step.high = point.step.median + 0.1;
    }
  }
  second.points[0].step.low = 1.1;  // touches
  second.points[0].step.high = 1.3;
  second.points[1].step.low = 2.2;
  second.points[1].step.high = 2.3;
  second.points[2].step.low.reset();
  const std::vector<ProfileDifference> rows = differences(first, second);
  CHECK(rows.at(0).intervals_overlap == true);
  CHECK(rows.at(1).intervals_overlap == false);
  CHECK_FALSE(rows.at(2).intervals_overlap.has_value());
}
