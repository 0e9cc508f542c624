#pragma once
// Runs kernel bodies on the cores of this machine: the launch patterns of
// calib/kernels/layer_ops.hpp with OpenMP. Work is cut into pieces whose size does not depend on
// the number of threads, and partial sums are added in the order of the pieces: same bytes out on
// any number.
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "calib/backend/matrix_product.hpp"
#include "calib/kernels/host_device.hpp"

namespace dbsim::calib {

/// The CPU's team: one thread, which has every sum at once.
struct OneThread {
  static constexpr Index rank() { return 0; }
  static constexpr Index size() { return 1; }
  template <class T>
  static constexpr T sum(T value) {
    return value;
  }
  template <class T>
  static constexpr T max(T value) {
    return value;
  }
};

template <class T>
class CpuLauncher {
 public:
  using Value = T;

  CpuLauncher(int threads, std::unique_ptr<MatrixProduct<T>> product)
      : threads_{threads}, product_{std::move(product)} {}

  template <class Body, class... Inputs>
  void map(Index n, const Body& body, T* out, const Inputs*... in) const {
    in_pieces(n, 1, [&](Index begin, Index end) {
#pragma omp simd
      for (Index i = begin; i < end; ++i) out[i] = body(i, in[i]...);
    });
  }

  template <class Body, class... Inputs>
  void map_channels(Index rows, Index channels, const Body& body, T* out,
                    const Inputs*... in) const {
    in_pieces(rows, channels, [&](Index begin, Index end) {
      for (Index row = begin; row < end; ++row) {
        const Index first = row * channels;
#pragma omp simd
        for (Index c = 0; c < channels; ++c) {
          out[first + c] = body(row, c, in[first + c]...);
        }
      }
    });
  }

  template <class Body>
  void for_each(Index n, const Body& body) const {
    in_pieces(n, 1, [&](Index begin, Index end) {
#pragma omp simd
      for (Index i = begin; i < end; ++i) body(i);
    });
  }

  template <class Body>
  void for_each_channel(Index rows, Index channels, const Body& body) const {
    in_pieces(rows, channels, [&](Index begin, Index end) {
      for (Index row = begin; row < end; ++row) {
        const auto place = body.at(row);
        for (Index c = 0; c < channels; ++c) place(c);
      }
    });
  }

  template <class Body>
  void for_each_team(Index teams, Index width, const Body& body) const {
    in_pieces(teams, width, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) body(i, OneThread{});
    });
  }

  template <class Body>
  void sum_columns(Index segments, Index rows, Index columns, const Body& body) {
    constexpr int sums = Body::sums;
    const Index pieces = (rows + rows_at_once - 1) / rows_at_once;
    partial_.resize(static_cast<std::size_t>(segments * pieces * sums * columns));
    in_pieces(segments * pieces, rows_at_once * columns, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const Index first = (i / pieces) * rows + (i % pieces) * rows_at_once;
        const Index last = std::min(first + rows_at_once, (i / pieces + 1) * rows);
        sum_rows<sums>(first, last, columns, body, partial_.data() + i * sums * columns);
      }
    });
    in_pieces(segments, columns * pieces, [&](Index begin, Index end) {
      for (Index segment = begin; segment < end; ++segment) {
        for (Index c = 0; c < columns; ++c) {
          double total[sums] = {};
          for (Index piece = 0; piece < pieces; ++piece) {
            const T* part = partial_.data() + (segment * pieces + piece) * sums * columns;
            for (int k = 0; k < sums; ++k) total[k] += static_cast<double>(part[k * columns + c]);
          }
          body.store(segment, c, total);
        }
      }
    });
  }

  void copy_columns(Index rows, Index columns, const T* from, Index from_stride, T* to,
                    Index to_stride) const {
    in_pieces(rows, columns, [&](Index begin, Index end) {
      for (Index row = begin; row < end; ++row) {
        std::copy_n(from + row * from_stride, columns, to + row * to_stride);
      }
    });
  }

  void zero(Index n, T* to) const {
    in_pieces(n, 1, [&](Index begin, Index end) { std::fill(to + begin, to + end, T{0}); });
  }

  void matmul(const Matmul& shape, const T* a, const T* b, T* c) const {
    (*product_)(shape, a, b, c);
  }

  [[nodiscard]] T* scratch(Index n) {
    if (static_cast<std::size_t>(n) > scratch_.size()) scratch_.resize(static_cast<std::size_t>(n));
    return scratch_.data();
  }

  /// Half a megabyte of floats: patches are read back while they are still in the second cache.
  [[nodiscard]] static constexpr Index patch_values() { return Index{1} << 17U; }

  [[nodiscard]] int threads() const { return threads_; }

 private:
  /// Longer sums in float lose digits: the error of a sum of n grows as n^1.5.
  static constexpr Index rows_at_once = 64;
  static constexpr Index values_at_once = 4'096;

  /// Cuts n items of so many values into pieces; below a few pieces one thread does it all.
  template <class Work>
  void in_pieces(Index n, Index values, const Work& work) const {
    const Index length = std::max<Index>(1, values_at_once / std::max<Index>(1, values));
    const Index pieces = (n + length - 1) / length;
    if (threads_ == 1 || pieces < 2) {
      if (n > 0) work(Index{0}, n);
      return;
    }
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (Index piece = 0; piece < pieces; ++piece) {
      work(piece * length, std::min(n, (piece + 1) * length));
    }
  }

  template <int Sums, class Body>
  static void sum_rows(Index first, Index last, Index columns, const Body& body, T* sum) {
    std::fill(sum, sum + Sums * columns, T{0});
    for (Index row = first; row < last; ++row) {
#pragma omp simd
      for (Index c = 0; c < columns; ++c) {
        T value[Sums];
        body.load(row, c, value);
        for (int k = 0; k < Sums; ++k) sum[k * columns + c] += value[k];
      }
    }
  }

  int threads_;
  std::unique_ptr<MatrixProduct<T>> product_;
  std::vector<T> partial_;
  std::vector<T> scratch_;
};

}  // namespace dbsim::calib
