#pragma once
// Labelled images in memory, ready to be taken in any order.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dbsim::calib {

/// Of pixels between 0 and 1, over a whole data set.
struct PixelStatistics {
  double mean{0.0};
  double deviation{1.0};
};

struct ImageSet {
  std::int64_t height{};
  std::int64_t width{};
  std::vector<float> pixels;  // images x height x width, normalised: mean 0, deviation 1
  std::vector<std::int32_t> labels;
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
};

/// From two idx files, of images and of their labels below `classes`. InputError where they do not
/// fit together.
[[nodiscard]] ImageSet load_image_set(const std::string& images, const std::string& labels,
                                      std::int64_t classes, const PixelStatistics& statistics);

/// Images of a set by index, one after the other.
struct ImageBatch {
  std::vector<float> pixels;
  std::vector<std::int32_t> labels;
};
[[nodiscard]] ImageBatch take_images(const ImageSet& set, std::span<const std::int64_t> indices);

}  // namespace dbsim::calib
