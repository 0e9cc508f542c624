#pragma once
// Pooling. Backward gathers: every input looks at the windows that cover it, so nothing is added to
// by two threads.
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

/// The part of a window from `first` on that lies inside 0..extent.
DBSIM_HOST_DEVICE inline WindowRange inside(Index first, Index kernel, Index extent) {
  return {first < 0 ? 0 : first, first + kernel < extent ? first + kernel : extent};
}

/// A row's sample, line and column.
struct PlaceOf {
  Index sample;
  Index line;
  Index column;
  DBSIM_HOST_DEVICE PlaceOf(Index row, Index height, Index width)
      : sample{quotient(row, height * width)},
        line{remainder(quotient(row, width), height)},
        column{remainder(row, width)} {}
};

// Called as body.at(row)(channel), so that a row's place is worked out once; rows are samples x
// height x width of what is written.

template <class T>
struct MaxPoolForward {
  PoolShape shape;
  const T* x;
  T* y;
  std::uint8_t* chosen;

  struct Place {
    PoolShape shape;
    WindowRange lines;  // of the input, inside it
    WindowRange columns;
    Index top;
    Index left;
    const T* x;  // of this sample
    T* y;
    std::uint8_t* chosen;
    DBSIM_HOST_DEVICE void operator()(Index channel) const {
      T best = x[(lines.first * shape.in_width + columns.first) * shape.channels + channel];
      Index where = (lines.first - top) * shape.kernel + columns.first - left;
      for (Index h = lines.first; h < lines.end; ++h) {
        for (Index w = columns.first; w < columns.end; ++w) {
          const T value = x[(h * shape.in_width + w) * shape.channels + channel];
          const bool better = value > best;
          best = better ? value : best;
          where = better ? (h - top) * shape.kernel + w - left : where;
        }
      }
      y[channel] = best;
      chosen[channel] = static_cast<std::uint8_t>(where);
    }
  };

  DBSIM_HOST_DEVICE Place at(Index row) const {
    const PlaceOf out{row, shape.out_height, shape.out_width};
    const Index top = out.line * shape.stride - shape.padding;
    const Index left = out.column * shape.stride - shape.padding;
    return {shape,
            inside(top, shape.kernel, shape.in_height),
            inside(left, shape.kernel, shape.in_width),
            top,
            left,
            x + out.sample * shape.in_height * shape.in_width * shape.channels,
            y + row * shape.channels,
            chosen + row * shape.channels};
  }
};

/// The output windows that cover one place of the input.
template <class T>
struct CoveringWindows {
  PoolShape shape;
  WindowRange lines{};
  WindowRange columns{};
  Index line;  // of the input, padding included
  Index column;
  Index first_out;  // the sample's first output value
  T* dx;

  DBSIM_HOST_DEVICE CoveringWindows(const PoolShape& pool, Index row, T* all)
      : shape{pool}, dx{all + row * pool.channels} {
    const PlaceOf in{row, pool.in_height, pool.in_width};
    lines = windows_over(in.line, pool.padding, pool.kernel, pool.stride, pool.out_height);
    columns = windows_over(in.column, pool.padding, pool.kernel, pool.stride, pool.out_width);
    line = in.line + pool.padding;
    column = in.column + pool.padding;
    first_out = in.sample * pool.out_height * pool.out_width * pool.channels;
  }
  [[nodiscard]] DBSIM_HOST_DEVICE Index out(Index i, Index j, Index channel) const {
    return first_out + (i * shape.out_width + j) * shape.channels + channel;
  }
  /// Where in window i, j this place of the input is.
  [[nodiscard]] DBSIM_HOST_DEVICE Index tap(Index i, Index j) const {
    return (line - i * shape.stride) * shape.kernel + column - j * shape.stride;
  }
};

template <class T>
struct MaxPoolBackward {
  PoolShape shape;
  const std::uint8_t* chosen;
  const T* dy;
  T* dx;

  struct Place {
    CoveringWindows<T> over;
    const std::uint8_t* chosen;
    const T* dy;
    bool one;  // a single window covers this place, at `first` of the output
    Index first;
    Index here;  // where in that window this place is
    DBSIM_HOST_DEVICE void operator()(Index channel) const {
      over.dx[channel] = one ? only(channel) : sum(channel);
    }

   private:
    [[nodiscard]] DBSIM_HOST_DEVICE T only(Index channel) const {
      return static_cast<Index>(chosen[first + channel]) == here ? dy[first + channel] : T{0};
    }
    [[nodiscard]] DBSIM_HOST_DEVICE T sum(Index channel) const {
      T total{0};
      for (Index i = over.lines.first; i < over.lines.end; ++i) {
        for (Index j = over.columns.first; j < over.columns.end; ++j) {
          const Index out = over.out(i, j, channel);
          total += static_cast<Index>(chosen[out]) == over.tap(i, j) ? dy[out] : T{0};
        }
      }
      return total;
    }
  };

  DBSIM_HOST_DEVICE Place at(Index row) const {
    const CoveringWindows<T> over{shape, row, dx};
    const bool one =
        over.lines.end == over.lines.first + 1 && over.columns.end == over.columns.first + 1;
    return {over,
            chosen,
            dy,
            one,
            over.out(over.lines.first, over.columns.first, 0),
            over.tap(over.lines.first, over.columns.first)};
  }
};

template <class T>
struct AveragePoolForward {
  PoolShape shape;
  const T* x;
  T* y;

  struct Place {
    PoolShape shape;
    WindowRange lines;
    WindowRange columns;
    const T* x;
    T* y;
    DBSIM_HOST_DEVICE void operator()(Index channel) const {
      T sum{0};
      for (Index h = lines.first; h < lines.end; ++h) {
        for (Index w = columns.first; w < columns.end; ++w) {
          sum += x[(h * shape.in_width + w) * shape.channels + channel];
        }
      }
      y[channel] = sum / static_cast<T>(shape.kernel * shape.kernel);
    }
  };

  DBSIM_HOST_DEVICE Place at(Index row) const {
    const PlaceOf out{row, shape.out_height, shape.out_width};
    return {shape, inside(out.line * shape.stride - shape.padding, shape.kernel, shape.in_height),
            inside(out.column * shape.stride - shape.padding, shape.kernel, shape.in_width),
            x + out.sample * shape.in_height * shape.in_width * shape.channels,
            y + row * shape.channels};
  }
};

template <class T>
struct AveragePoolBackward {
  PoolShape shape;
  const T* dy;
  T* dx;

  struct Place {
    CoveringWindows<T> over;
    const T* dy;
    DBSIM_HOST_DEVICE void operator()(Index channel) const {
      T sum{0};
      for (Index i = over.lines.first; i < over.lines.end; ++i) {
        for (Index j = over.columns.first; j < over.columns.end; ++j) {
          sum += dy[over.out(i, j, channel)];
        }
      }
      over.dx[channel] = sum / static_cast<T>(over.shape.kernel * over.shape.kernel);
    }
  };

  DBSIM_HOST_DEVICE Place at(Index row) const { return {CoveringWindows<T>{shape, row, dx}, dy}; }
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

  struct Place {
    T share;
    const T* dy;
    T* dx;
    DBSIM_HOST_DEVICE void operator()(Index channel) const { dx[channel] = dy[channel] * share; }
  };

  DBSIM_HOST_DEVICE Place at(Index row) const {
    return {T{1} / static_cast<T>(places), dy + quotient(row, places) * channels,
            dx + row * channels};
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
