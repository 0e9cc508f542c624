#pragma once
// Rows of a table picked by token. Backward sums per token, over a list sorted on the host. Called
// as body.at(row)(column).
#include "calib/kernels/host_device.hpp"

namespace dbsim::calib {

template <class T>
struct EmbeddingForward {
  Index features;
  const std::int32_t* tokens;
  const T* weights;
  T scale;
  T* y;

  struct Place {
    const T* from;
    T scale;
    T* to;
    DBSIM_HOST_DEVICE void operator()(Index column) const { to[column] = from[column] * scale; }
  };

  DBSIM_HOST_DEVICE Place at(Index row) const {
    return {weights + tokens[row] * features, scale, y + row * features};
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

  struct Place {
    Index features;
    const std::int32_t* first;
    const std::int32_t* last;
    const T* dy;
    T scale;
    T* to;
    DBSIM_HOST_DEVICE void operator()(Index column) const {
      T sum{0};
      for (const std::int32_t* row = first; row != last; ++row) sum += dy[*row * features + column];
      to[column] = sum * scale;
    }
  };

  DBSIM_HOST_DEVICE Place at(Index token) const {
    const std::int32_t* first = order + begin[token];
    return {features, first, order + begin[token + 1],
            dy,       scale, dweights + tokens[*first] * features};
  }
};

}  // namespace dbsim::calib
