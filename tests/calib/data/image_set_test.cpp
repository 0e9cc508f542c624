#include "calib/data/image_set.hpp"

#include <fstream>
#include <string>
#include <vector>

#include "sim/base/check.hpp"
#include "tests/catch.hpp"
#include "tests/io/saying.hpp"
#include "tests/io/temporary_folder.hpp"

namespace dbsim::calib {
namespace {

using namespace std::string_literals;

class Files {
 public:
  Files(const std::string& images, const std::string& labels) {
    std::ofstream{folder_ / "images", std::ios::binary} << images;
    std::ofstream{folder_ / "labels", std::ios::binary} << labels;
  }
  [[nodiscard]] ImageSet load(const PixelStatistics& statistics = {}) const {
    return load_image_set(folder_ / "images", folder_ / "labels", 10, statistics);
  }
  [[nodiscard]] std::string complaint() const {
    std::string text = dbsim::complaint([this] { (void)load(); });
    for (std::size_t at = 0; (at = text.find(folder_.path() + "/")) != std::string::npos;) {
      text.erase(at, folder_.path().size() + 1);
    }
    return text;
  }

 private:
  TemporaryFolder folder_;
};

const std::string two_images =
    "\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x03"s + "\0\x33\xff\xff\x66\x33"s;
const std::string two_labels = "\0\0\x08\x01\0\0\0\x02\x09\x04"s;

TEST_CASE("pixels are shares of white, less the mean, over the deviation", "[data]") {
  const ImageSet set = Files{two_images, two_labels}.load({.mean = 0.2, .deviation = 0.5});
  CHECK(set.count() == 2);
  CHECK(set.height == 1);
  CHECK(set.width == 3);
  const std::vector<float> expected{-0.4F, 0.0F, 1.6F, 1.6F, 0.4F, 0.0F};
  REQUIRE(set.pixels.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(set.pixels[i] == Approx(expected[i]).margin(1e-7));
  }
  CHECK(set.labels == std::vector<std::int32_t>{9, 4});
}

TEST_CASE("images are taken in the order asked for, with their labels", "[data]") {
  const ImageSet set = Files{two_images, two_labels}.load();
  const ImageBatch batch = take_images(set, std::vector<std::int64_t>{1, 0, 1});
  CHECK(batch.labels == std::vector<std::int32_t>{4, 9, 4});
  CHECK(batch.pixels == std::vector<float>{1.0F, 0.4F, 0.2F, 0.0F, 0.2F, 1.0F, 1.0F, 0.4F, 0.2F});
  CHECK_THROWS_AS(take_images(set, std::vector<std::int64_t>{2}), BrokenAssumption);
}

TEST_CASE("images and labels that do not belong together are refused", "[data]") {
  CHECK(Files{two_labels, two_labels}.complaint() ==
        "images: found an array with 1 sizes; expected images: number, height and width");
  CHECK(Files{two_images, two_images}.complaint() ==
        "labels: found an array with 3 sizes; expected labels: their number only");
  CHECK(Files{two_images, "\0\0\x08\x01\0\0\0\x01\x09"s}.complaint() ==
        "labels: found 1 labels; expected one for each of the 2 images in images");
  CHECK(Files{two_images, "\0\0\x08\x01\0\0\0\x02\x09\x0a"s}.complaint() ==
        "labels: found label 10; expected labels 0 to 9");
}

}  // namespace
}  // namespace dbsim::calib
