#pragma once
// Bodies that turn values into a value, one position at a time. Launchers load and store.
#include <cmath>

#include "calib/kernels/host_device.hpp"
#include "calib/kernels/ops.hpp"
#include "calib/kernels/random.hpp"

namespace dbsim::calib {

// Called as body(position, values...) by Launcher::map.

template <class T>
struct ReluForward {
  DBSIM_HOST_DEVICE T operator()(Index, T x) const { return x > T{0} ? x : T{0}; }
};

template <class T>
struct ReluBackward {
  DBSIM_HOST_DEVICE T operator()(Index, T y, T dy) const { return y > T{0} ? dy : T{0}; }
};

template <class T>
struct SigmoidForward {
  DBSIM_HOST_DEVICE T operator()(Index, T x) const { return T{1} / (T{1} + std::exp(-x)); }
};

template <class T>
struct SigmoidBackward {
  DBSIM_HOST_DEVICE T operator()(Index, T y, T dy) const { return dy * y * (T{1} - y); }
};

/// x * Phi(x), Phi the normal distribution function (Hendrycks and Gimpel 2016, equation 1).
template <class T>
struct GeluForward {
  DBSIM_HOST_DEVICE T operator()(Index, T x) const {
    return T(0.5) * x * (T{1} + std::erf(x * T(0.70710678118654752)));
  }
};

template <class T>
struct GeluBackward {
  DBSIM_HOST_DEVICE T operator()(Index, T x, T dy) const {
    const T below = T(0.5) * (T{1} + std::erf(x * T(0.70710678118654752)));
    const T density = T(0.39894228040143268) * std::exp(T(-0.5) * x * x);
    return dy * (below + x * density);
  }
};

template <class T>
struct AddValues {
  DBSIM_HOST_DEVICE T operator()(Index, T a, T b) const { return a + b; }
};

template <class T>
struct AddThenRelu {
  DBSIM_HOST_DEVICE T operator()(Index, T a, T b) const { return a + b > T{0} ? a + b : T{0}; }
};

template <class T>
struct MultiplyValues {
  DBSIM_HOST_DEVICE T operator()(Index, T a, T b) const { return a * b; }
};

template <class T>
struct DropValues {
  std::uint64_t key;
  T probability;
  T factor;  // 1 / (1 - probability)
  DBSIM_HOST_DEVICE T operator()(Index position, T x) const {
    return uniform<T>(key, static_cast<std::uint64_t>(position)) < probability ? T{0} : x * factor;
  }
};

// Called as body(row, channel, values...) by Launcher::map_channels.

template <class T>
struct DropChannels {
  std::uint64_t key;
  T probability;
  T factor;
  Index places;
  Index channels;
  DBSIM_HOST_DEVICE T operator()(Index row, Index channel, T x) const {
    const Index sample = quotient(row, places);
    return uniform<T>(key, static_cast<std::uint64_t>(sample * channels + channel)) < probability
               ? T{0}
               : x * factor;
  }
};

template <class T>
struct AddBias {
  const T* bias;
  DBSIM_HOST_DEVICE T operator()(Index, Index channel, T x) const { return x + bias[channel]; }
};

template <class T>
struct AddTable {
  const T* table;
  Index places;
  Index channels;
  DBSIM_HOST_DEVICE T operator()(Index row, Index channel, T x) const {
    return x + table[remainder(row, places) * channels + channel];
  }
};

template <class T>
struct ScaleChannels {
  const T* factor;
  Index places;
  Index channels;
  DBSIM_HOST_DEVICE T operator()(Index row, Index channel, T x) const {
    return x * factor[quotient(row, places) * channels + channel];
  }
};

// Called as body(position) by Launcher::for_each.

/// Sutskever et al. 2013, in the form PyTorch uses: the rate multiplies the velocity.
template <class T>
struct SgdUpdate {
  T rate;
  T momentum;
  T weight_decay;
  const T* gradient;
  T* velocity;
  T* value;
  DBSIM_HOST_DEVICE void operator()(Index i) const {
    velocity[i] = momentum * velocity[i] + gradient[i] + weight_decay * value[i];
    value[i] -= rate * velocity[i];
  }
};

}  // namespace dbsim::calib
