#pragma once
// Layer normalisation (Ba, Kiros and Hinton 2016): one team of threads a row.
#include <cmath>

#include "calib/kernels/host_device.hpp"

namespace dbsim::calib {

template <class T>
struct LayerNormForward {
  Index channels;
  const T* x;
  const T* scale;
  const T* shift;
  T epsilon;
  T* y;
  T* mean;
  T* inverse_deviation;

  template <class Team>
  DBSIM_HOST_DEVICE void operator()(Index row, const Team& team) const {
    const T* values = x + row * channels;
    T sum{0};
    for (Index c = team.rank(); c < channels; c += team.size()) sum += values[c];
    const T centre = team.sum(sum) / static_cast<T>(channels);
    T squares{0};
    for (Index c = team.rank(); c < channels; c += team.size()) {
      squares += (values[c] - centre) * (values[c] - centre);
    }
    const T inverse = T{1} / std::sqrt(team.sum(squares) / static_cast<T>(channels) + epsilon);
    for (Index c = team.rank(); c < channels; c += team.size()) {
      y[row * channels + c] = (values[c] - centre) * inverse * scale[c] + shift[c];
    }
    if (team.rank() == 0) {
      mean[row] = centre;
      inverse_deviation[row] = inverse;
    }
  }
};

template <class T>
struct LayerNormBackward {
  Index channels;
  const T* x;
  const T* scale;
  const T* mean;
  const T* inverse_deviation;
  const T* dy;
  T* dx;

  template <class Team>
  DBSIM_HOST_DEVICE void operator()(Index row, const Team& team) const {
    const T centre = mean[row];
    const T inverse = inverse_deviation[row];
    T plain{0};
    T along{0};
    for (Index c = team.rank(); c < channels; c += team.size()) {
      const Index i = row * channels + c;
      plain += dy[i] * scale[c];
      along += dy[i] * scale[c] * (x[i] - centre) * inverse;
    }
    plain = team.sum(plain) / static_cast<T>(channels);
    along = team.sum(along) / static_cast<T>(channels);
    for (Index c = team.rank(); c < channels; c += team.size()) {
      const Index i = row * channels + c;
      dx[i] = inverse * (dy[i] * scale[c] - plain - (x[i] - centre) * inverse * along);
    }
  }
};

/// Column sums over the rows.
template <class T>
struct LayerNormParameterGradients {
  static constexpr int sums = 2;
  Index channels;
  const T* x;
  const T* dy;
  const T* mean;
  const T* inverse_deviation;
  T* dscale;
  T* dshift;
  DBSIM_HOST_DEVICE void load(Index row, Index channel, T (&out)[sums]) const {
    const Index i = row * channels + channel;
    out[0] = dy[i];
    out[1] = dy[i] * (x[i] - mean[row]) * inverse_deviation[row];
  }
  DBSIM_HOST_DEVICE void store(Index, Index channel, const double (&sum)[sums]) const {
    dshift[channel] = static_cast<T>(sum[0]);
    dscale[channel] = static_cast<T>(sum[1]);
  }
};

}  // namespace dbsim::calib
