#pragma once
// Random batches for the networks of the tests.
#include <cstdint>
#include <vector>

#include "calib/backend/network.hpp"
#include "calib/kernels/random.hpp"

namespace dbsim::calib::tests {

template <class T>
struct HostBatch {
  std::vector<T> images;
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> labels;
  [[nodiscard]] Batch<T> view() const { return {images, tokens, labels}; }
};

template <class T>
HostBatch<T> random_batch(const Model& model, Index samples, std::uint64_t seed) {
  HostBatch<T> batch;
  const auto below = [](std::uint64_t key, Index i, Index limit) {
    return static_cast<std::int32_t>(random_bits(key, static_cast<std::uint64_t>(i)) %
                                     static_cast<std::uint64_t>(limit));
  };
  for (Index i = 0; i < samples * model.input.size(); ++i) {
    if (model.vocabulary) {
      batch.tokens.push_back(below(seed, i, *model.vocabulary));
    } else {
      batch.images.push_back(
          static_cast<T>(3.0 * uniform<double>(seed, static_cast<std::uint64_t>(i)) - 1.5));
    }
  }
  for (Index i = 0; i < samples * model.nodes.back().shape.places(); ++i) {
    batch.labels.push_back(below(seed + 1, i, model.classes));
  }
  return batch;
}

}  // namespace dbsim::calib::tests
