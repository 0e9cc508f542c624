#pragma once
// Pooling. Backward gathers: every input looks at the windows that cover it, so nothing is added to
// by two threads.
#include <limits>

#include "calib/kernels/host_device.hpp"
#include "calib/kernels/ops.hpp"

namespace dbsim::calib {

/// The windows along one axis that cover a position: first <= window < end.
struct WindowRange {
  Index first;
  Index end;
};
DBSIM_HOST_DEVICE inline WindowRange windows_over(Index position, Index padding, Index kernel,
                                                  Index stride, Index windows) {
  const Index padded = position + padding;
  const Index first = padded < kernel ? 0 : (padded - kernel) / stride + 1;
  const Index last = padded / stride;
  return {first, last + 1 < windows ? last + 1 : windows};
}

// Called as body(row, channel); rows are samples x height x width of what is written.

template <class T>
struct MaxPoolForward {
  PoolShape shape;
  const T* x;
  T* y;
  std::uint8_t* chosen;
  DBSIM_HOST_DEVICE void operator()(Index row, Index channel) const {
    const Index column = row % shape.out_width;
    const Index line = (row / shape.out_width) % shape.out_height;
    const Index sample = row / (shape.out_width * shape.out_height);
    const Index top = line * shape.stride - shape.padding;
    const Index left = column * shape.stride - shape.padding;
    bool any = false;
    T best{0};
    Index where = 0;
    for (Index i = 0; i < shape.kernel; ++i) {
      for (Index j = 0; j < shape.kernel; ++j) {
        const Index h = top + i;
        const Index w = left + j;
        if (h < 0 || h >= shape.in_height || w < 0 || w >= shape.in_width) continue;
        const T value =
            x[((sample * shape.in_height + h) * shape.in_width + w) * shape.channels + channel];
        if (!any || value > best) {
          any = true;
          best = value;
          where = i * shape.kernel + j;
        }
      }
    }
    y[row * shape.channels + channel] = best;
    chosen[row * shape.channels + channel] = static_cast<std::uint8_t>(where);
  }
};

template <class T>
struct MaxPoolBackward {
  PoolShape shape;
  const std::uint8_t* chosen;
  const T* dy;
  T* dx;
  DBSIM_HOST_DEVICE void operator()(Index row, Index channel) const {
    const Index w = row % shape.in_width;
    const Index h = (row / shape.in_width) % shape.in_height;
    const Index sample = row / (shape.in_width * shape.in_height);
    const WindowRange lines =
        windows_over(h, shape.padding, shape.kernel, shape.stride, shape.out_height);
    const WindowRange columns =
        windows_over(w, shape.padding, shape.kernel, shape.stride, shape.out_width);
    T sum{0};
    for (Index i = lines.first; i < lines.end; ++i) {
      for (Index j = columns.first; j < columns.end; ++j) {
        const Index out =
            ((sample * shape.out_height + i) * shape.out_width + j) * shape.channels + channel;
        const Index here = (h + shape.padding - i * shape.stride) * shape.kernel +
                           (w + shape.padding - j * shape.stride);
        if (static_cast<Index>(chosen[out]) == here) sum += dy[out];
      }
    }
    dx[row * shape.channels + channel] = sum;
  }
};

template <class T>
struct AveragePoolForward {
  PoolShape shape;
  const T* x;
  T* y;
  DBSIM_HOST_DEVICE void operator()(Index row, Index channel) const {
    const Index column = row % shape.out_width;
    const Index line = (row / shape.out_width) % shape.out_height;
    const Index sample = row / (shape.out_width * shape.out_height);
    T sum{0};
    for (Index i = 0; i < shape.kernel; ++i) {
      for (Index j = 0; j < shape.kernel; ++j) {
        const Index h = line * shape.stride - shape.padding + i;
        const Index w = column * shape.stride - shape.padding + j;
        if (h < 0 || h >= shape.in_height || w < 0 || w >= shape.in_width) continue;
        sum += x[((sample * shape.in_height + h) * shape.in_width + w) * shape.channels + channel];
      }
    }
    y[row * shape.channels + channel] = sum / static_cast<T>(shape.kernel * shape.kernel);
  }
};

template <class T>
struct AveragePoolBackward {
  PoolShape shape;
  const T* dy;
  T* dx;
  DBSIM_HOST_DEVICE void operator()(Index row, Index channel) const {
    const Index w = row % shape.in_width;
    const Index h = (row / shape.in_width) % shape.in_height;
    const Index sample = row / (shape.in_width * shape.in_height);
    const WindowRange lines =
        windows_over(h, shape.padding, shape.kernel, shape.stride, shape.out_height);
    const WindowRange columns =
        windows_over(w, shape.padding, shape.kernel, shape.stride, shape.out_width);
    T sum{0};
    for (Index i = lines.first; i < lines.end; ++i) {
      for (Index j = columns.first; j < columns.end; ++j) {
        sum +=
            dy[((sample * shape.out_height + i) * shape.out_width + j) * shape.channels + channel];
      }
    }
    dx[row * shape.channels + channel] = sum / static_cast<T>(shape.kernel * shape.kernel);
  }
};

/// Column sums within each sample.
template <class T>
struct GlobalAverageForward {
  static constexpr int sums = 1;
  Index places;
  Index channels;
  const T* x;
  T* y;
  DBSIM_HOST_DEVICE void load(Index row, Index channel, T (&out)[sums]) const {
    out[0] = x[row * channels + channel];
  }
  DBSIM_HOST_DEVICE void store(Index sample, Index channel, const double (&sum)[sums]) const {
    y[sample * channels + channel] = static_cast<T>(sum[0] / static_cast<double>(places));
  }
};

template <class T>
struct GlobalAverageBackward {
  Index places;
  Index channels;
  const T* dy;
  T* dx;
  DBSIM_HOST_DEVICE void operator()(Index row, Index channel) const {
    dx[row * channels + channel] = dy[(row / places) * channels + channel] / static_cast<T>(places);
  }
};

/// Sums of dy * x within each sample: the gradient of a factor per sample and channel.
template <class T>
struct ChannelFactorGradient {
  static constexpr int sums = 1;
  Index channels;
  const T* x;
  const T* dy;
  T* dfactor;
  DBSIM_HOST_DEVICE void load(Index row, Index channel, T (&out)[sums]) const {
    out[0] = x[row * channels + channel] * dy[row * channels + channel];
  }
  DBSIM_HOST_DEVICE void store(Index sample, Index channel, const double (&sum)[sums]) const {
    dfactor[sample * channels + channel] = static_cast<T>(sum[0]);
  }
};

}  // namespace dbsim::calib
