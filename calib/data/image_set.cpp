#include "calib/data/image_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "calib/data/idx_file.hpp"
#include "sim/base/check.hpp"
#include "sim/base/error.hpp"

namespace dbsim::calib {

namespace {

[[noreturn]] void refuse(const std::string& path, std::string found, std::string expected) {
  throw InputError{{{{path, 0, 0}, {}, std::move(found), std::move(expected), {}}}};
}

}  // namespace

ImageSet load_image_set(const std::string& images, const std::string& labels, std::int64_t classes,
                        const PixelStatistics& statistics) {
  const IdxArray image_bytes = read_idx(images);
  if (image_bytes.sizes.size() != 3) {
    refuse(images, fmt::format("an array with {} sizes", image_bytes.sizes.size()),
           "images: number, height and width");
  }
  const IdxArray label_bytes = read_idx(labels);
  if (label_bytes.sizes.size() != 1) {
    refuse(labels, fmt::format("an array with {} sizes", label_bytes.sizes.size()),
           "labels: their number only");
  }
  if (label_bytes.sizes[0] != image_bytes.sizes[0]) {
    refuse(labels, fmt::format("{} labels", label_bytes.sizes[0]),
           fmt::format("one for each of the {} images in {}", image_bytes.sizes[0], images));
  }
  const auto wrong = std::ranges::find_if(label_bytes.values,
                                          [&](std::uint8_t label) { return label >= classes; });
  if (wrong != label_bytes.values.end()) {
    refuse(labels, fmt::format("label {}", *wrong), fmt::format("labels 0 to {}", classes - 1));
  }
  std::array<float, 256> normalised{};
  for (std::size_t byte = 0; byte < normalised.size(); ++byte) {
    normalised[byte] = static_cast<float>((static_cast<double>(byte) / 255.0 - statistics.mean) /
                                          statistics.deviation);
  }
  ImageSet set;
  set.height = image_bytes.sizes[1];
  set.width = image_bytes.sizes[2];
  set.pixels.reserve(image_bytes.values.size());
  for (const std::uint8_t byte : image_bytes.values) set.pixels.push_back(normalised[byte]);
  set.labels.assign(label_bytes.values.begin(), label_bytes.values.end());
  return set;
}

ImageBatch take_images(const ImageSet& set, std::span<const std::int64_t> indices) {
  ImageBatch batch;
  const std::int64_t size = set.height * set.width;
  batch.pixels.reserve(indices.size() * static_cast<std::size_t>(size));
  for (const std::int64_t index : indices) {
    check(index >= 0 && index < set.count(), "an index of the set");
    const auto first = set.pixels.begin() + index * size;
    batch.pixels.insert(batch.pixels.end(), first, first + size);
    batch.labels.push_back(set.labels[static_cast<std::size_t>(index)]);
  }
  return batch;
}

}  // namespace dbsim::calib
