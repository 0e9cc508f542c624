#pragma once
// Group normalisation (Wu and He 2018): statistics per sample and group of channels.
#include <cmath>

#include "calib/kernels/host_device.hpp"

namespace dbsim::calib {

/// Mean and summed squared deviation of every channel of every sample.
template <class T>
struct SampleMoments {
  static constexpr int sums = 2;
  Index places;
  Index channels;
  const T* x;
  T* channel_mean;
  T* channel_squares;

  DBSIM_HOST_DEVICE void load(Index row, Index channel, T (&out)[sums]) const {
    const T first = x[quotient(row, places) * places * channels + channel];
    const T value = x[row * channels + channel] - first;
    out[0] = value;
    out[1] = value * value;
  }
  DBSIM_HOST_DEVICE void store(Index sample, Index channel, const double (&sum)[sums]) const {
    const auto count = static_cast<double>(places);
    const auto first = static_cast<double>(x[sample * places * channels + channel]);
    channel_mean[sample * channels + channel] = static_cast<T>(first + sum[0] / count);
    channel_squares[sample * channels + channel] = static_cast<T>(sum[1] - sum[0] * sum[0] / count);
  }
};

/// Pools the channels of a group. Called with the position in samples x groups.
template <class T>
struct PoolMoments {
  Index places;
  Index channels;
  Index groups;
  double epsilon;
  const T* channel_mean;
  const T* channel_squares;
  T* mean;
  T* inverse_deviation;

  DBSIM_HOST_DEVICE void operator()(Index position) const {
    const Index width = channels / groups;
    const Index first = (position / groups) * channels + (position % groups) * width;
    double centre = 0.0;
    for (Index c = first; c < first + width; ++c) centre += static_cast<double>(channel_mean[c]);
    centre /= static_cast<double>(width);
    double squares = 0.0;
    for (Index c = first; c < first + width; ++c) {
      const double off = static_cast<double>(channel_mean[c]) - centre;
      squares += static_cast<double>(channel_squares[c]) + static_cast<double>(places) * off * off;
    }
    const double variance = squares / static_cast<double>(places * width);
    mean[position] = static_cast<T>(centre);
    inverse_deviation[position] = static_cast<T>(1.0 / std::sqrt(variance + epsilon));
  }
};

/// Spreads a group's statistics to its channels: y = (x - centre) * factor + shift. Called with the
/// position in samples x channels.
template <class T>
struct SpreadMoments {
  Index channels;
  Index groups;
  const T* mean;
  const T* inverse_deviation;
  const T* scale;
  T* centre;
  T* factor;

  DBSIM_HOST_DEVICE void operator()(Index position) const {
    const Index channel = position % channels;
    const Index group = (position / channels) * groups + quotient(channel, channels / groups);
    centre[position] = mean[group];
    factor[position] = inverse_deviation[group] * scale[channel];
  }
};

template <class T>
struct GroupNormApply {
  Index places;
  Index channels;
  const T* centre;
  const T* factor;
  const T* shift;
  DBSIM_HOST_DEVICE T operator()(Index row, Index channel, T x) const {
    const Index position = quotient(row, places) * channels + channel;
    return (x - centre[position]) * factor[position] + shift[channel];
  }
};

/// Per sample and channel: sums of dy and of dy times the normalised x.
template <class T>
struct SampleGradientSums {
  static constexpr int sums = 2;
  Index places;
  Index channels;
  Index groups;
  const T* x;
  const T* dy;
  const T* mean;
  const T* inverse_deviation;
  T* plain;
  T* along;

  DBSIM_HOST_DEVICE void load(Index row, Index channel, T (&out)[sums]) const {
    const Index i = row * channels + channel;
    const Index first = quotient(row, places) * places * channels + channel;
    out[0] = dy[i];
    out[1] = dy[i] * (x[i] - x[first]);
  }
  DBSIM_HOST_DEVICE void store(Index sample, Index channel, const double (&sum)[sums]) const {
    const Index group = sample * groups + quotient(channel, channels / groups);
    const double off = static_cast<double>(x[sample * places * channels + channel]) -
                       static_cast<double>(mean[group]);
    const auto inverse = static_cast<double>(inverse_deviation[group]);
    plain[sample * channels + channel] = static_cast<T>(sum[0]);
    along[sample * channels + channel] = static_cast<T>((sum[1] + off * sum[0]) * inverse);
  }
};

/// Over the samples: the gradients of scale and shift.
template <class T>
struct AffineGradients {
  static constexpr int sums = 2;
  Index channels;
  const T* plain;
  const T* along;
  T* dscale;
  T* dshift;
  DBSIM_HOST_DEVICE void load(Index sample, Index channel, T (&out)[sums]) const {
    out[0] = plain[sample * channels + channel];
    out[1] = along[sample * channels + channel];
  }
  DBSIM_HOST_DEVICE void store(Index, Index channel, const double (&sum)[sums]) const {
    dshift[channel] = static_cast<T>(sum[0]);
    dscale[channel] = static_cast<T>(sum[1]);
  }
};

/// Per sample and group: dx = factor * dy + slope * (x - mean) + level. Position in samples x
/// groups.
template <class T>
struct GroupGradientFactors {
  Index places;
  Index channels;
  Index groups;
  const T* scale;
  const T* inverse_deviation;
  const T* plain;
  const T* along;
  T* slope;
  T* level;
  DBSIM_HOST_DEVICE void operator()(Index position) const {
    const Index width = channels / groups;
    const Index sample = position / groups;
    const Index begin = (position % groups) * width;
    double constant = 0.0;
    double parallel = 0.0;
    for (Index c = begin; c < begin + width; ++c) {
      constant += static_cast<double>(scale[c] * plain[sample * channels + c]);
      parallel += static_cast<double>(scale[c] * along[sample * channels + c]);
    }
    const auto count = static_cast<double>(places * width);
    const auto inverse = static_cast<double>(inverse_deviation[position]);
    slope[position] = static_cast<T>(-inverse * inverse * parallel / count);
    level[position] = static_cast<T>(-inverse * constant / count);
  }
};

template <class T>
struct GroupNormGradient {
  Index places;
  Index channels;
  Index groups;
  const T* scale;
  const T* mean;
  const T* inverse_deviation;
  const T* slope;
  const T* level;
  DBSIM_HOST_DEVICE T operator()(Index row, Index channel, T x, T dy) const {
    const Index group = quotient(row, places) * groups + quotient(channel, channels / groups);
    return inverse_deviation[group] * scale[channel] * dy + slope[group] * (x - mean[group]) +
           level[group];
  }
};

}  // namespace dbsim::calib
