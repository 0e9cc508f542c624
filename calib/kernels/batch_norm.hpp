#pragma once
// Batch normalisation (Ioffe and Szegedy 2015) and what follows it in one pass.
#include <cmath>

#include "calib/kernels/host_device.hpp"

namespace dbsim::calib {

/// Column sums of x - x[0] and its square: the shift keeps the variance exact where the mean is
/// large.
template <class T>
struct BatchNormMoments {
  static constexpr int sums = 2;
  Index rows;
  Index channels;
  const T* x;
  double epsilon;
  T momentum;
  T* mean;
  T* inverse_deviation;
  T* running_mean;
  T* running_variance;

  DBSIM_HOST_DEVICE void load(Index row, Index channel, T (&out)[sums]) const {
    const T value = x[row * channels + channel] - x[channel];
    out[0] = value;
    out[1] = value * value;
  }
  DBSIM_HOST_DEVICE void store(Index, Index channel, const double (&sum)[sums]) const {
    const auto count = static_cast<double>(rows);
    const double shifted = sum[0] / count;
    const double spread = sum[1] / count - shifted * shifted;
    const double variance = spread > 0.0 ? spread : 0.0;
    const double centre = static_cast<double>(x[channel]) + shifted;
    mean[channel] = static_cast<T>(centre);
    inverse_deviation[channel] = static_cast<T>(1.0 / std::sqrt(variance + epsilon));
    const double unbiased = rows > 1 ? variance * count / (count - 1.0) : variance;
    running_mean[channel] += momentum * (static_cast<T>(centre) - running_mean[channel]);
    running_variance[channel] += momentum * (static_cast<T>(unbiased) - running_variance[channel]);
  }
};

/// (x - mean) * inverse_deviation * scale + shift, then max(0, .) if Relu.
template <class T, bool Relu>
struct BatchNormApply {
  const T* mean;
  const T* inverse_deviation;
  const T* scale;
  const T* shift;
  DBSIM_HOST_DEVICE T operator()(Index, Index c, T x) const {
    const T y = (x - mean[c]) * (inverse_deviation[c] * scale[c]) + shift[c];
    return Relu && !(y > T{0}) ? T{0} : y;
  }
};

/// The same with a variance instead of an inverse deviation.
template <class T, bool Relu>
struct BatchNormInference {
  const T* mean;
  const T* variance;
  const T* scale;
  const T* shift;
  T epsilon;
  DBSIM_HOST_DEVICE T operator()(Index, Index c, T x) const {
    const T y = (x - mean[c]) * (scale[c] / std::sqrt(variance[c] + epsilon)) + shift[c];
    return Relu && !(y > T{0}) ? T{0} : y;
  }
};

/// Column sums for the gradients of scale and shift, and from them the three factors with which
/// dx = own * dy + slope * (x - mean) + level.
template <class T, bool Relu>
struct BatchNormGradientSums {
  static constexpr int sums = 2;
  Index rows;
  Index channels;
  const T* x;
  const T* y;
  const T* dy;
  const T* mean;
  const T* inverse_deviation;
  const T* scale;
  T* dscale;
  T* dshift;
  T* own;
  T* slope;
  T* level;

  DBSIM_HOST_DEVICE void load(Index row, Index channel, T (&out)[sums]) const {
    const Index i = row * channels + channel;
    const T gradient = Relu && !(y[i] > T{0}) ? T{0} : dy[i];
    out[0] = gradient;
    out[1] = gradient * (x[i] - mean[channel]);
  }
  DBSIM_HOST_DEVICE void store(Index, Index channel, const double (&sum)[sums]) const {
    const auto count = static_cast<double>(rows);
    const auto inverse = static_cast<double>(inverse_deviation[channel]);
    const double through = static_cast<double>(scale[channel]) * inverse;
    const double along = sum[1] * inverse;
    dshift[channel] = static_cast<T>(sum[0]);
    dscale[channel] = static_cast<T>(along);
    own[channel] = static_cast<T>(through);
    slope[channel] = static_cast<T>(-through * inverse * along / count);
    level[channel] = static_cast<T>(-through * sum[0] / count);
  }
};

template <class T, bool Relu>
struct BatchNormGradient {
  const T* mean;
  const T* own;
  const T* slope;
  const T* level;
  DBSIM_HOST_DEVICE T operator()(Index, Index c, T x, T y, T dy) const {
    const T gradient = Relu && !(y > T{0}) ? T{0} : dy;
    return own[c] * gradient + (slope[c] * (x - mean[c]) + level[c]);
  }
  DBSIM_HOST_DEVICE T operator()(Index, Index c, T x, T dy) const {
    return own[c] * dy + (slope[c] * (x - mean[c]) + level[c]);
  }
};

}  // namespace dbsim::calib
