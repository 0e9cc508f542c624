#pragma once
// Rows of a table picked by token. Backward sums per token, over a list sorted on the host.
#include "calib/kernels/host_device.hpp"

namespace dbsim::calib {

template <class T>
struct EmbeddingForward {
  Index features;
  const std::int32_t* tokens;
  const T* weights;
  T scale;
  T* y;
  DBSIM_HOST_DEVICE void operator()(Index row, Index column) const {
    y[row * features + column] = weights[tokens[row] * features + column] * scale;
  }
};

template <class T>
struct EmbeddingBackward {
  Index features;
  const std::int32_t* tokens;
  const std::int32_t* order;
  const std::int32_t* begin;
  const T* dy;
  T scale;
  T* dweights;
  DBSIM_HOST_DEVICE void operator()(Index token, Index column) const {
    T sum{0};
    for (Index i = begin[token]; i < begin[token + 1]; ++i) {
      sum += dy[order[i] * features + column];
    }
    dweights[tokens[order[begin[token]]] * features + column] = sum * scale;
  }
};

}  // namespace dbsim::calib
