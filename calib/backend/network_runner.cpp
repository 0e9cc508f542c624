#include "calib/backend/network_runner.hpp"

#include <new>
#include <utility>

#include "calib/kernels/random.hpp"
#include "sim/base/check.hpp"

namespace dbsim::calib {

namespace {

constexpr SgdSettings almost_still{.learning_rate = 1e-9, .momentum = 0.9, .weight_decay = 5e-4};

// Marks of a step.
constexpr int start = 0;
constexpr int forward_end = 1;
constexpr int backward_end = 2;
constexpr int end = 3;
constexpr int first_bucket = 4;

}  // namespace

std::vector<BucketOfParameters> gradient_buckets(const Model& model) {
  constexpr std::int64_t mebibyte = 1'048'576;
  std::vector<BucketOfParameters> buckets;
  std::int64_t full = mebibyte;
  for (std::size_t p = model.parameters.size(); p-- > 0;) {
    if (buckets.empty() || buckets.back().bytes >= full) {
      if (!buckets.empty()) full = 25 * mebibyte;
      buckets.push_back({p, p, 0});
    }
    buckets.back().first = p;
    buckets.back().bytes += model.parameters[p].size() * static_cast<std::int64_t>(sizeof(float));
  }
  return buckets;
}

NetworkRunner::NetworkRunner(Model model, std::unique_ptr<Device> device,
                             std::unique_ptr<Ops<float>> ops, std::uint64_t seed)
    : model_{std::move(model)},
      device_{std::move(device)},
      ops_{std::move(ops)},
      seed_{seed},
      network_{std::make_unique<Network<float>>(model_, *ops_, *device_, seed)},
      parameters_of_bucket_{gradient_buckets(model_)} {
  for (const BucketOfParameters& bucket : parameters_of_bucket_) buckets_.push_back({bucket.bytes});
}

NetworkRunner::~NetworkRunner() = default;

bool NetworkRunner::prepare(std::int64_t batch) {
  try {
    network_->prepare(batch);
    load_random();
    step();  // what libraries take as they go must fit too
    return true;
  } catch (const OutOfMemory&) {
    network_->give_back();
    return false;
  } catch (const std::bad_alloc&) {
    network_->give_back();
    return false;
  }
}

void NetworkRunner::load_random() {
  const Index samples = network_->samples();
  const Index values = samples * model_.input.size();
  const auto whole = [&](std::uint64_t stream, Index i, Index limit) {
    return static_cast<std::int32_t>(
        random_bits(random_bits(seed_, stream), static_cast<std::uint64_t>(i)) %
        static_cast<std::uint64_t>(limit));
  };
  std::vector<float> images;
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> labels;
  if (model_.vocabulary) {
    for (Index i = 0; i < values; ++i) tokens.push_back(whole(0, i, *model_.vocabulary));
  } else {
    const std::uint64_t key = random_bits(seed_, 1);
    images.resize(static_cast<std::size_t>(values));
    for (std::size_t i = 0; i < images.size(); ++i) {
      images[i] = 3.4F * uniform<float>(key, i) - 1.7F;  // mean 0, deviation about 1
    }
  }
  const Index scores = samples * model_.nodes.back().shape.places();
  for (Index i = 0; i < scores; ++i) labels.push_back(whole(2, i, model_.classes));
  network_->load({images, tokens, labels});
}

StepTimes NetworkRunner::step() {
  check(network_->samples() > 0, "a batch is prepared before a step");
  device_->wait();
  device_->mark(start);
  network_->forward(Pass::training, steps_++);
  device_->mark(forward_end);
  std::size_t bucket = 0;
  network_->backward([&](Index complete_from) {
    while (bucket < parameters_of_bucket_.size() &&
           complete_from <= static_cast<Index>(parameters_of_bucket_[bucket].first)) {
      device_->mark(first_bucket + static_cast<int>(bucket++));
    }
  });
  device_->mark(backward_end);
  network_->update(almost_still);
  device_->mark(end);
  device_->wait();
  StepTimes times{.step = device_->seconds(start, end),
                  .forward = device_->seconds(start, forward_end),
                  .backward = device_->seconds(forward_end, backward_end),
                  .update = device_->seconds(backward_end, end),
                  .bucket_ready = {}};
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    times.bucket_ready.push_back(device_->seconds(forward_end, first_bucket + static_cast<int>(i)));
  }
  return times;
}

std::int64_t NetworkRunner::memory_bytes() const { return network_->memory_bytes(); }

}  // namespace dbsim::calib
