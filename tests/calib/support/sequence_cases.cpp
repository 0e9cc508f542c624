#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tests/calib/support/ops_cases.hpp"

namespace dbsim::calib::test {

namespace {

void add_embedding(Index rows, Index features, Index vocabulary, Draws& draws, OpCases& cases) {
  const std::string name = fmt::format("embedding of {} in {} x {}", rows, vocabulary, features);
  const Tensor tokens = draws.whole(rows, vocabulary);
  const double scale = 1.5;
  cases.push_back(op_case(
      name + ", forward", {tokens, draws.input(vocabulary * features), output(rows * features)}, 1,
      [=](auto& ops, const auto& m) {
        ops.embedding_forward(rows, features, m.whole(0), m.value(1), scale, m.value(2));
      }));
  Tensor order;
  order.whole.resize(static_cast<std::size_t>(rows));
  std::iota(order.whole.begin(), order.whole.end(), 0);
  const auto token_of = [&](std::int32_t row) {
    return tokens.whole[static_cast<std::size_t>(row)];
  };
  std::stable_sort(order.whole.begin(), order.whole.end(),
                   [&](auto a, auto b) { return token_of(a) < token_of(b); });
  Tensor begin;
  for (std::size_t i = 0; i < order.whole.size(); ++i) {
    if (i == 0 || token_of(order.whole[i]) != token_of(order.whole[i - 1])) {
      begin.whole.push_back(static_cast<std::int32_t>(i));
    }
  }
  const auto different = static_cast<Index>(begin.whole.size());
  begin.whole.push_back(static_cast<std::int32_t>(rows));
  cases.push_back(
      op_case(name + ", backward",
              {tokens, order, begin, draws.input(rows * features), output(vocabulary * features)},
              rows, [=](auto& ops, const auto& m) {
                ops.embedding_backward(rows, features, vocabulary, different, m.whole(0),
                                       m.whole(1), m.whole(2), m.value(3), scale, m.value(4));
              }));
}

void add_attention(const AttentionShape& shape, double probability, Draws& draws, OpCases& cases) {
  const std::string name = fmt::format(
      "attention {} x {} x {}, heads {}{}{}", shape.samples, shape.length, shape.features,
      shape.heads, shape.causal ? ", causal" : "", probability > 0.0 ? ", dropout" : "");
  const DropoutDraw draw{probability, 0xBB67AE8584CAA73BU, false};
  const Index rows = shape.samples * shape.length;
  const Index weights = shape.samples * shape.heads * shape.length * shape.length;
  const Index terms = std::max(shape.length, shape.features / shape.heads);
  cases.push_back(op_case(name + ", forward",
                          {draws.input(rows * 3 * shape.features), output(weights),
                           scratch(weights), output(rows * shape.features)},
                          terms, [=](auto& ops, const auto& m) {
                            ops.attention_forward(shape, draw, m.value(0), m.value(1), m.value(2),
                                                  m.value(3));
                          }));
  cases.push_back(
      op_case(name + ", backward",
              {draws.input(rows * 3 * shape.features),
               draws.input(weights, 0.0, 2.0 / static_cast<double>(shape.length)), scratch(weights),
               draws.input(rows * shape.features), output(rows * 3 * shape.features)},
              terms, [=](auto& ops, const auto& m) {
                ops.attention_backward(shape, draw, m.value(0), m.value(1), m.value(2), m.value(3),
                                       m.value(4));
              }));
}

void add_loss(Index rows, Index classes, double spread, Draws& draws, OpCases& cases) {
  const std::string name =
      fmt::format("softmax cross-entropy {} x {}, scores to {}", rows, classes, spread);
  const Tensor scores = draws.input(rows * classes, -spread, spread);
  const Tensor labels = draws.whole(rows, classes);
  Tensor loss = output(rows);
  loss.inner = spread;
  Tensor dscores = output(rows * classes);
  dscores.inner = 1.0 / static_cast<double>(rows);  // a probability less one
  cases.push_back(op_case(name, {scores, labels, loss, exact_output(rows), dscores}, classes,
                          [=](auto& ops, const auto& m) {
                            ops.softmax_cross_entropy(rows, classes, m.value(0), m.whole(1),
                                                      m.value(2), m.value(3), m.value(4));
                          }));
  cases.push_back(op_case(name + ", no gradient", {scores, labels, loss, exact_output(rows)},
                          classes, [=](auto& ops, const auto& m) {
                            ops.softmax_cross_entropy(rows, classes, m.value(0), m.whole(1),
                                                      m.value(2), m.value(3),
                                                      decltype(m.value(0)){nullptr});
                          }));
}

}  // namespace

OpCases sequence_cases(std::uint64_t seed) {
  Draws draws{seed};
  OpCases cases;
  add_embedding(1, 1, 1, draws, cases);
  add_embedding(17, 33, 7, draws, cases);
  add_embedding(700, 20, 1000, draws, cases);
  add_embedding(1001, 64, 3, draws, cases);
  add_attention({1, 1, 1, 1, false}, 0.0, draws, cases);
  add_attention({2, 17, 12, 3, true}, 0.0, draws, cases);
  add_attention({3, 33, 24, 2, false}, 0.25, draws, cases);
  add_attention({2, 35, 200, 2, true}, 0.25, draws, cases);
  add_attention({1, 1000, 16, 1, true}, 0.0, draws, cases);
  add_attention({1, 1100, 8, 2, true}, 0.25, draws, cases);  // a block a row
  add_loss(1, 2, 1.7, draws, cases);
  add_loss(3, 10, 1.7, draws, cases);
  add_loss(33, 17, 80.0, draws, cases);
  add_loss(128, 1000, 5.0, draws, cases);
  add_loss(17, 1024, 5.0, draws, cases);
  add_loss(17, 1025, 5.0, draws, cases);
  add_loss(70, 28'782, 5.0, draws, cases);
  add_loss(1001, 10, 5.0, draws, cases);
  return cases;
}

}  // namespace dbsim::calib::test
