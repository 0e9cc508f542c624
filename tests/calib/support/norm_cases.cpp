#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/calib/support/ops_cases.hpp"

namespace dbsim::calib::test {

namespace {

constexpr double epsilon = 1e-5;

/// Statistics as inputs of backward: any numbers will do, so that forward's errors stay out of it.
Tensor deviations(Index size, Draws& draws) { return draws.input(size, 0.5, 1.5); }

/// What y may owe to its mean's place among the floats, which no change of the inputs does: the
/// largest |mean| / deviation times the largest scale. Value i belongs to statistic `of(i)`.
template <class Of>
double owed_to_mean(const Tensor& x, Index statistics, const Of& of) {
  struct Sums {
    double count{0.0};
    double first{0.0};
    double second{0.0};
  };
  std::vector<Sums> sums(static_cast<std::size_t>(statistics));
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const auto value = static_cast<double>(x.values[i]);
    Sums& at = sums[static_cast<std::size_t>(of(static_cast<Index>(i)))];
    at.count += 1.0;
    at.first += value;
    at.second += value * value;
  }
  double most = 0.0;
  for (const Sums& at : sums) {
    const double mean = at.first / at.count;
    const double variance = std::max(0.0, at.second / at.count - mean * mean);
    most = std::max(most, std::abs(mean) / std::sqrt(variance + epsilon));
  }
  return 1.7 * most;
}

void add_batch_norm(Index rows, Index channels, bool relu, double centre, Draws& draws,
                    OpCases& cases) {
  const std::string name = fmt::format("batch norm {} x {}{}{}", rows, channels,
                                       relu ? ", ReLU" : "", centre > 0.0 ? ", far from 0" : "");
  const Index size = rows * channels;
  cases.push_back(op_case(name + ", forward",
                          {draws.input(size, centre - 1.7, centre + 1.7), draws.input(channels),
                           draws.input(channels), output(size), output(channels), output(channels),
                           draws.updated(channels), draws.updated(channels, 0.5, 1.5)},
                          rows, [=](auto& ops, const auto& m) {
                            ops.batch_norm_forward(rows, channels, m.value(0), m.value(1),
                                                   m.value(2), epsilon, 0.1, relu, m.value(3),
                                                   m.value(4), m.value(5), m.value(6), m.value(7));
                          }));
  std::vector<Tensor>& forward = cases.back().tensors;
  forward[3].inner = owed_to_mean(forward[0], channels, [=](Index i) { return i % channels; });
  cases.push_back(op_case(
      name + ", backward",
      {draws.input(size, centre - 1.7, centre + 1.7), draws.rectified(size), draws.input(channels),
       draws.input(channels, centre - 0.1, centre + 0.1), deviations(channels, draws),
       draws.input(size), output(size), output(channels), output(channels)},
      rows, [=](auto& ops, const auto& m) {
        ops.batch_norm_backward(rows, channels, m.value(0), m.value(1), m.value(2), m.value(3),
                                m.value(4), relu, m.value(5), m.value(6), m.value(7), m.value(8));
      }));
  cases.push_back(op_case(
      name + ", backward in place",
      {draws.input(size), draws.rectified(size), draws.input(channels), draws.input(channels),
       deviations(channels, draws), draws.updated(size), output(channels), output(channels)},
      rows, [=](auto& ops, const auto& m) {
        ops.batch_norm_backward(rows, channels, m.value(0), m.value(1), m.value(2), m.value(3),
                                m.value(4), relu, m.value(5), m.value(5), m.value(6), m.value(7));
      }));
  cases.push_back(op_case(name + ", inference",
                          {draws.input(size), draws.input(channels), draws.input(channels),
                           draws.input(channels), draws.input(channels, 0.5, 1.5), output(size)},
                          1, [=](auto& ops, const auto& m) {
                            ops.batch_norm_inference(rows, channels, m.value(0), m.value(1),
                                                     m.value(2), m.value(3), m.value(4), epsilon,
                                                     relu, m.value(5));
                          }));
}

void add_group_norm(const ChannelShape& shape, Index groups, double centre, Draws& draws,
                    OpCases& cases) {
  const std::string name =
      fmt::format("group norm {} x {} x {}, groups {}{}", shape.samples, shape.places,
                  shape.channels, groups, centre > 0.0 ? ", far from 0" : "");
  const Index size = shape.size();
  const Index channels = shape.channels;
  const Index statistics = shape.samples * groups;
  const Index terms = shape.places * channels / groups;
  cases.push_back(
      op_case(name + ", forward",
              {draws.input(size, centre - 1.7, centre + 1.7), draws.input(channels),
               draws.input(channels), output(size), output(statistics), output(statistics)},
              terms, [=](auto& ops, const auto& m) {
                ops.group_norm_forward(shape, groups, m.value(0), m.value(1), m.value(2), epsilon,
                                       m.value(3), m.value(4), m.value(5));
              }));
  std::vector<Tensor>& forward = cases.back().tensors;
  forward[3].inner = owed_to_mean(forward[0], statistics, [=](Index i) {
    return i / (shape.places * channels) * groups + i % channels / (channels / groups);
  });
  cases.push_back(
      op_case(name + ", backward",
              {draws.input(size, centre - 1.7, centre + 1.7), draws.input(channels),
               draws.input(statistics, centre - 0.1, centre + 0.1), deviations(statistics, draws),
               draws.input(size), output(size), output(channels), output(channels)},
              terms + shape.samples * shape.places, [=](auto& ops, const auto& m) {
                ops.group_norm_backward(shape, groups, m.value(0), m.value(1), m.value(2),
                                        m.value(3), m.value(4), m.value(5), m.value(6), m.value(7));
              }));
}

void add_layer_norm(Index rows, Index channels, double centre, Draws& draws, OpCases& cases) {
  const std::string name =
      fmt::format("layer norm {} x {}{}", rows, channels, centre > 0.0 ? ", far from 0" : "");
  const Index size = rows * channels;
  cases.push_back(op_case(name + ", forward",
                          {draws.input(size, centre - 1.7, centre + 1.7), draws.input(channels),
                           draws.input(channels), output(size), output(rows), output(rows)},
                          channels, [=](auto& ops, const auto& m) {
                            ops.layer_norm_forward(rows, channels, m.value(0), m.value(1),
                                                   m.value(2), epsilon, m.value(3), m.value(4),
                                                   m.value(5));
                          }));
  std::vector<Tensor>& forward = cases.back().tensors;
  forward[3].inner = owed_to_mean(forward[0], rows, [=](Index i) { return i / channels; });
  cases.push_back(op_case(name + ", backward",
                          {draws.input(size, centre - 1.7, centre + 1.7), draws.input(channels),
                           draws.input(rows, centre - 0.1, centre + 0.1), deviations(rows, draws),
                           draws.input(size), output(size), output(channels), output(channels)},
                          rows + channels, [=](auto& ops, const auto& m) {
                            ops.layer_norm_backward(rows, channels, m.value(0), m.value(1),
                                                    m.value(2), m.value(3), m.value(4), m.value(5),
                                                    m.value(6), m.value(7));
                          }));
}

}  // namespace

OpCases norm_cases(std::uint64_t seed) {
  Draws draws{seed};
  OpCases cases;
  // One row is no batch to normalise: its deviation is the epsilon's.
  add_batch_norm(2, 1, true, 0.0, draws, cases);
  add_batch_norm(3, 17, false, 0.0, draws, cases);
  add_batch_norm(257, 33, true, 0.0, draws, cases);
  add_batch_norm(1001, 64, true, 0.0, draws, cases);
  add_batch_norm(1001, 64, false, 100.0, draws, cases);
  add_batch_norm(8192, 12, false, 0.0, draws, cases);
  add_batch_norm(33, 1028, true, 0.0, draws, cases);
  add_group_norm({1, 9, 4}, 2, 0.0, draws, cases);
  add_group_norm({3, 49, 64}, 32, 0.0, draws, cases);
  add_group_norm({3, 49, 64}, 1, 100.0, draws, cases);
  add_group_norm({17, 15, 33}, 3, 0.0, draws, cases);
  add_group_norm({2, 1024, 20}, 5, 0.0, draws, cases);
  add_group_norm({1025, 3, 6}, 2, 0.0, draws, cases);
  add_layer_norm(1, 3, 0.0, draws, cases);
  add_layer_norm(17, 33, 0.0, draws, cases);
  add_layer_norm(70, 200, 100.0, draws, cases);
  add_layer_norm(1001, 64, 0.0, draws, cases);
  add_layer_norm(33, 1024, 0.0, draws, cases);  // the most that a warp shares
  add_layer_norm(33, 1025, 0.0, draws, cases);  // a block
  add_layer_norm(5, 4100, 0.0, draws, cases);
  return cases;
}

}  // namespace dbsim::calib::test
