#pragma once
// Convolution as a matrix product: patches (rows: output places; columns: kernel place, then
// channel) times weights. Depthwise convolution has too few columns for that and goes direct.
#include "calib/kernels/host_device.hpp"
#include "calib/kernels/ops.hpp"
#include "calib/kernels/pooling.hpp"

namespace dbsim::calib {

/// Where the patches of all groups lie: group by group, each rows x taps x width.
struct PatchShape {
  Index first_sample;
  Index rows;  // output places gathered at once, whole samples
  Index taps;
  Index width;  // channels of a group
  [[nodiscard]] DBSIM_HOST_DEVICE Index columns() const { return taps * width; }
};

/// One team a pair of output place and kernel place; the team shares the channels.
template <class T>
struct GatherPatches {
  ConvolutionShape shape;
  PatchShape patch;
  const T* x;
  T* patches;

  template <class Team>
  DBSIM_HOST_DEVICE void operator()(Index index, const Team& team) const {
    const Index row = quotient(index, patch.taps);
    const Index tap = index - row * patch.taps;
    const PlaceOf out{row, shape.out_height, shape.out_width};
    const Index sample = patch.first_sample + out.sample;
    const Index h = out.line * shape.stride - shape.padding + quotient(tap, shape.kernel_width);
    const Index w = out.column * shape.stride - shape.padding + remainder(tap, shape.kernel_width);
    const bool inside = h >= 0 && h < shape.in_height && w >= 0 && w < shape.in_width;
    const T* from = x + ((sample * shape.in_height + h) * shape.in_width + w) * shape.in_channels;
    for (Index group = 0; group < shape.groups; ++group) {
      T* to = patches + ((group * patch.rows + row) * patch.taps + tap) * patch.width;
      const T* part = from + group * patch.width;
      for (Index c = team.rank(); c < patch.width; c += team.size())
        to[c] = inside ? part[c] : T{0};
    }
  }
};

/// The reverse: every input place sums the patch entries that were copied from it. One team a
/// place, counted from the first sample's first.
template <class T>
struct ScatterPatches {
  ConvolutionShape shape;
  PatchShape patch;
  const T* patches;
  T* dx;

  template <class Team>
  DBSIM_HOST_DEVICE void operator()(Index row, const Team& team) const {
    const PlaceOf in{row, shape.in_height, shape.in_width};
    const WindowRange lines =
        windows_over(in.line, shape.padding, shape.kernel_height, shape.stride, shape.out_height);
    const WindowRange across =
        windows_over(in.column, shape.padding, shape.kernel_width, shape.stride, shape.out_width);
    const Index place = patch.first_sample * shape.in_height * shape.in_width + row;
    T* to = dx + place * shape.in_channels;
    for (Index c = team.rank(); c < shape.in_channels; c += team.size()) to[c] = T{0};
    for (Index i = lines.first; i < lines.end; ++i) {
      for (Index j = across.first; j < across.end; ++j) {
        const Index tap = (in.line + shape.padding - i * shape.stride) * shape.kernel_width +
                          (in.column + shape.padding - j * shape.stride);
        const Index out = (in.sample * shape.out_height + i) * shape.out_width + j;
        for (Index group = 0; group < shape.groups; ++group) {
          const T* from = patches + ((group * patch.rows + out) * patch.taps + tap) * patch.width;
          T* part = to + group * patch.width;
          for (Index c = team.rank(); c < patch.width; c += team.size()) part[c] += from[c];
        }
      }
    }
  }
};

// Depthwise: one filter a channel. Called as body.at(row)(channel), rows as in pooling.

template <class T>
struct DepthwiseForward {
  ConvolutionShape shape;
  const T* x;
  const T* weights;
  T* y;

  struct Place {
    ConvolutionShape shape;
    WindowRange lines;
    WindowRange columns;
    Index top;
    Index left;
    const T* x;
    const T* weights;
    T* y;
    DBSIM_HOST_DEVICE void operator()(Index channel) const {
      T sum{0};
      for (Index h = lines.first; h < lines.end; ++h) {
        for (Index w = columns.first; w < columns.end; ++w) {
          sum +=
              x[(h * shape.in_width + w) * shape.in_channels + channel] *
              weights[((h - top) * shape.kernel_width + w - left) * shape.out_channels + channel];
        }
      }
      y[channel] = sum;
    }
  };

  DBSIM_HOST_DEVICE Place at(Index row) const {
    const PlaceOf out{row, shape.out_height, shape.out_width};
    const Index top = out.line * shape.stride - shape.padding;
    const Index left = out.column * shape.stride - shape.padding;
    return {shape,
            inside(top, shape.kernel_height, shape.in_height),
            inside(left, shape.kernel_width, shape.in_width),
            top,
            left,
            x + out.sample * shape.in_height * shape.in_width * shape.in_channels,
            weights,
            y + row * shape.out_channels};
  }
};

template <class T>
struct DepthwiseBackward {
  ConvolutionShape shape;
  const T* weights;
  const T* dy;
  T* dx;

  struct Place {
    ConvolutionShape shape;
    WindowRange lines;
    WindowRange columns;
    Index line;
    Index column;
    const T* weights;
    const T* dy;
    T* dx;
    DBSIM_HOST_DEVICE void operator()(Index channel) const {
      T sum{0};
      for (Index i = lines.first; i < lines.end; ++i) {
        for (Index j = columns.first; j < columns.end; ++j) {
          const Index tap =
              (line - i * shape.stride) * shape.kernel_width + column - j * shape.stride;
          sum += dy[(i * shape.out_width + j) * shape.out_channels + channel] *
                 weights[tap * shape.out_channels + channel];
        }
      }
      dx[channel] = sum;
    }
  };

  DBSIM_HOST_DEVICE Place at(Index row) const {
    const PlaceOf in{row, shape.in_height, shape.in_width};
    return {
        shape,
        windows_over(in.line, shape.padding, shape.kernel_height, shape.stride, shape.out_height),
        windows_over(in.column, shape.padding, shape.kernel_width, shape.stride, shape.out_width),
        in.line + shape.padding,
        in.column + shape.padding,
        weights,
        dy + in.sample * shape.out_height * shape.out_width * shape.out_channels,
        dx + row * shape.in_channels};
  }
};

/// Column sums over the output places, for one tap of the filters.
template <class T>
struct DepthwiseWeightGradient {
  static constexpr int sums = 1;
  ConvolutionShape shape;
  Index tap_h;
  Index tap_w;
  const T* x;
  const T* dy;
  T* dweights;
  DBSIM_HOST_DEVICE void load(Index row, Index channel, T (&out)[sums]) const {
    const PlaceOf out_place{row, shape.out_height, shape.out_width};
    const Index h = out_place.line * shape.stride - shape.padding + tap_h;
    const Index w = out_place.column * shape.stride - shape.padding + tap_w;
    const Index sample = out_place.sample;
    const bool inside = h >= 0 && h < shape.in_height && w >= 0 && w < shape.in_width;
    out[0] = inside ? x[((sample * shape.in_height + h) * shape.in_width + w) * shape.in_channels +
                        channel] *
                          dy[row * shape.out_channels + channel]
                    : T{0};
  }
  DBSIM_HOST_DEVICE void store(Index, Index channel, const double (&sum)[sums]) const {
    dweights[(tap_h * shape.kernel_width + tap_w) * shape.out_channels + channel] =
        static_cast<T>(sum[0]);
  }
};

/// Column sums of dy: the gradient of a bias.
template <class T>
struct BiasGradient {
  static constexpr int sums = 1;
  Index channels;
  const T* dy;
  T* dbias;
  DBSIM_HOST_DEVICE void load(Index row, Index channel, T (&out)[sums]) const {
    out[0] = dy[row * channels + channel];
  }
  DBSIM_HOST_DEVICE void store(Index, Index channel, const double (&sum)[sums]) const {
    dbias[channel] = static_cast<T>(sum[0]);
  }
};

}  // namespace dbsim::calib
