// MnistNet on Fashion-MNIST as the DBS authors train it: does it learn as theirs does?
//
//   dbsim_fashion_mnist FOLDER SEEDS EPOCHS     exit status: 0 it does, 1 it does not, 77 no data
//
// Their program (github.com/Soptq/Dynamic_Load_Balance_DistributedDNN, without the balancing) gave
// the test accuracies below in one run. Four workers with batches of 128 and averaged gradients
// take the same steps as one with 512, so the network sees the four batches as one. Single runs
// scatter by about a per cent: what is said of the fourth epoch needs the mean of five.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "calib/backend/cpu_device.hpp"
#include "calib/backend/network.hpp"
#include "calib/data/image_set.hpp"
#include "calib/data/sample_order.hpp"
#include "calib/spec/model_file.hpp"
#include "sim/base/random.hpp"

namespace {

using namespace dbsim;
using namespace dbsim::calib;

constexpr std::array<double, 4> theirs{70.2, 74.0, 76.0, 77.4};  // per cent
constexpr double allowed_first = 3.0;
constexpr double allowed_last = 1.5;

constexpr std::size_t workers = 4;
constexpr std::size_t local_batch = 128;
constexpr SgdSettings sgd{.learning_rate = 0.01, .momentum = 0.9, .weight_decay = 0.0};
constexpr PixelStatistics pixels{.mean = 0.1307, .deviation = 0.3081};  // they keep MNIST's
constexpr Index test_batch = 500;
constexpr int not_run = 77;

struct Data {
  ImageSet training;
  ImageSet test;
};

Data load(const std::string& folder, Index classes) {
  const auto set = [&](const char* name) {
    return load_image_set(fmt::format("{}/{}-images-idx3-ubyte.gz", folder, name),
                          fmt::format("{}/{}-labels-idx1-ubyte.gz", folder, name), classes, pixels);
  };
  return {set("train"), set("t10k")};
}

class Training {
 public:
  Training(const Model& model, const Data& data, std::uint64_t seed)
      : data_{data},
        streams_{RandomStreams{1}.repeat(seed)},
        device_{make_cpu_device(threads, library())},
        ops_{make_cpu_ops<float>(threads, library())},
        network_{model, *ops_, *device_, streams_.stream("initial weights").bits()},
        dealt_{deal_samples(data.training.count(), workers, streams_)} {}

  /// Every sample once; the last step takes what is left.
  void epoch(std::size_t number) {
    std::vector<SampleOrder> orders;
    for (std::size_t w = 0; w < workers; ++w) {
      orders.push_back(epoch_order(dealt_[w], w, number, streams_));
    }
    for (std::size_t first = 0; first < orders[0].size(); first += local_batch) {
      SampleOrder step;
      for (const SampleOrder& order : orders) {
        const std::size_t end = std::min(first + local_batch, order.size());
        step.insert(step.end(), order.begin() + static_cast<std::ptrdiff_t>(first),
                    order.begin() + static_cast<std::ptrdiff_t>(end));
      }
      show(data_.training, step);
      network_.forward(Pass::training, masks_.bits());
      network_.backward();
      network_.update(sgd);
    }
  }

  /// Per cent of the test images.
  [[nodiscard]] double accuracy() {
    double correct = 0.0;
    for (Index first = 0; first < data_.test.count(); first += test_batch) {
      SampleOrder batch(static_cast<std::size_t>(std::min(test_batch, data_.test.count() - first)));
      std::iota(batch.begin(), batch.end(), first);
      show(data_.test, batch);
      network_.forward(Pass::inference, 0);
      correct += network_.loss().correct * static_cast<double>(batch.size());
    }
    return 100.0 * correct / static_cast<double>(data_.test.count());
  }

 private:
  static constexpr int threads = 2;
  static CpuLibrary library() { return has_onednn() ? CpuLibrary::onednn : CpuLibrary::eigen; }

  void show(const ImageSet& set, const SampleOrder& samples) {
    const auto count = static_cast<Index>(samples.size());
    if (network_.samples() != count) network_.prepare(count);
    const ImageBatch batch = take_images(set, samples);
    network_.load({batch.pixels, {}, batch.labels});
  }

  const Data& data_;
  RandomStreams streams_;
  RandomStream masks_{streams_.stream("dropout")};
  std::unique_ptr<Device> device_;
  std::unique_ptr<Ops<float>> ops_;
  Network<float> network_;
  std::vector<SampleOrder> dealt_;
};

bool train(const std::string& folder, std::uint64_t seeds, std::size_t epochs) {
  const Model model = load_model(DBSIM_SOURCE_DIR "/scenarios/models/mnistnet-mnist.toml");
  const Data data = load(folder, model.classes);
  std::array<std::vector<double>, theirs.size()> accuracies;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Training training{model, data, seed};
    for (std::size_t e = 0; e < epochs; ++e) {
      training.epoch(e);
      accuracies[e].push_back(training.accuracy());
    }
  }
  std::array<double, theirs.size()> distances{};
  for (std::size_t e = 0; e < epochs; ++e) {
    const auto [low, high] = std::ranges::minmax(accuracies[e]);
    const double mean = std::accumulate(accuracies[e].begin(), accuracies[e].end(), 0.0) /
                        static_cast<double>(seeds);
    distances[e] = std::abs(mean - theirs[e]);
    fmt::print("epoch {}: {:.2f} % of the test images ({:.2f} to {:.2f}, {} seeds); theirs {} %\n",
               e + 1, mean, low, high, seeds, theirs[e]);
  }
  return distances.front() <= allowed_first && distances.back() <= allowed_last;
}

std::uint64_t number(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::uint64_t seeds = arguments.size() == 3 ? number(arguments[1]) : 0;
  const std::uint64_t epochs = arguments.size() == 3 ? number(arguments[2]) : 0;
  if (seeds == 0 || epochs == 0 || epochs > theirs.size()) {
    fmt::print(stderr, "usage: dbsim_fashion_mnist FOLDER SEEDS EPOCHS (at most {})\n",
               theirs.size());
    return 2;
  }
  if (!std::filesystem::is_directory(arguments[0])) {
    fmt::print("skipped: {} (Debian: dataset-fashion-mnist) is not there\n", arguments[0]);
    return not_run;
  }
  return train(arguments[0], seeds, epochs) ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 3;
}
