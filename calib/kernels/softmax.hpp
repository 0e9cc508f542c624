#pragma once
// Softmax over rows, one team of threads a row: the loss, and attention's weights.
#include <cmath>

#include "calib/kernels/host_device.hpp"
#include "calib/kernels/random.hpp"

namespace dbsim::calib {

template <class T>
struct SoftmaxCrossEntropy {
  Index rows;
  Index classes;
  const T* scores;
  const std::int32_t* labels;
  T* loss;
  T* correct;
  T* dscores;  // may be null

  template <class Team>
  DBSIM_HOST_DEVICE void operator()(Index row, const Team& team) const {
    const T* score = scores + row * classes;
    T largest = score[0];
    for (Index c = team.rank(); c < classes; c += team.size()) {
      largest = score[c] > largest ? score[c] : largest;
    }
    largest = team.max(largest);
    T sum{0};
    for (Index c = team.rank(); c < classes; c += team.size()) sum += std::exp(score[c] - largest);
    sum = team.sum(sum);
    const Index label = labels[row];
    if (team.rank() == 0) {
      loss[row] = std::log(sum) + largest - score[label];
      correct[row] = score[label] == largest ? T{1} : T{0};
    }
    if (dscores == nullptr) return;
    const T weight = T{1} / static_cast<T>(rows);
    for (Index c = team.rank(); c < classes; c += team.size()) {
      const T probability = std::exp(score[c] - largest) / sum;
      dscores[row * classes + c] = (c == label ? probability - T{1} : probability) * weight;
    }
  }
};

/// Rows are samples x heads x length, each over `length` scores, in place. Causal: a place sees
/// itself and what came before.
template <class T>
struct AttentionSoftmax {
  Index length;
  bool causal;
  T factor;  // scores are multiplied by it first
  T* weights;

  template <class Team>
  DBSIM_HOST_DEVICE void operator()(Index row, const Team& team) const {
    T* weight = weights + row * length;
    const Index seen = causal ? remainder(row, length) + 1 : length;
    T largest = weight[0];
    for (Index c = team.rank(); c < seen; c += team.size()) {
      largest = weight[c] > largest ? weight[c] : largest;
    }
    largest = team.max(largest) * factor;
    T sum{0};
    for (Index c = team.rank(); c < seen; c += team.size()) {
      sum += std::exp(weight[c] * factor - largest);
    }
    sum = team.sum(sum);
    for (Index c = team.rank(); c < length; c += team.size()) {
      weight[c] = c < seen ? std::exp(weight[c] * factor - largest) / sum : T{0};
    }
  }
};

/// From the gradient of the weights (in place, dropout already undone) to that of the scores.
template <class T>
struct AttentionSoftmaxBackward {
  Index length;
  T factor;
  const T* weights;
  T* gradient;

  template <class Team>
  DBSIM_HOST_DEVICE void operator()(Index row, const Team& team) const {
    const T* weight = weights + row * length;
    T* d = gradient + row * length;
    T sum{0};
    for (Index c = team.rank(); c < length; c += team.size()) sum += weight[c] * d[c];
    sum = team.sum(sum);
    for (Index c = team.rank(); c < length; c += team.size()) {
      d[c] = weight[c] * (d[c] - sum) * factor;
    }
  }
};

}  // namespace dbsim::calib
