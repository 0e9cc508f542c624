#include "calib/backend/network.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "calib/kernels/random.hpp"
#include "sim/base/check.hpp"

namespace dbsim::calib {

DeviceMemory::DeviceMemory(Device& device, std::int64_t bytes)
    : device_{&device},
      memory_{bytes > 0 ? device.allocate(static_cast<std::size_t>(bytes)) : nullptr},
      bytes_{bytes} {
  if (bytes > 0 && memory_ == nullptr) throw OutOfMemory{};
}
DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : device_{other.device_},
      memory_{std::exchange(other.memory_, nullptr)},
      bytes_{std::exchange(other.bytes_, 0)} {}
DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(memory_, other.memory_);
  std::swap(bytes_, other.bytes_);
  return *this;
}
DeviceMemory::~DeviceMemory() {
  if (memory_ != nullptr) device_->release(memory_);
}

namespace {

constexpr Index parameter_alignment = 64;

Index padded(Index size) {
  return (size + parameter_alignment - 1) / parameter_alignment * parameter_alignment;
}

template <class T>
std::int64_t bytes_of(Index values) {
  return values * static_cast<std::int64_t>(sizeof(T));
}

template <class T>
T* values_in(const DeviceMemory& memory) {
  return reinterpret_cast<T*>(memory.data());
}

double start_value(const Initial& initial, std::uint64_t key, std::uint64_t counter) {
  switch (initial.kind) {
    case Initial::Kind::zero:
      return 0.0;
    case Initial::Kind::one:
      return 1.0;
    case Initial::Kind::uniform:
      return initial.width * (2.0 * uniform<double>(key, counter) - 1.0);
    case Initial::Kind::normal: {  // Box and Muller 1958
      const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform<double>(key, 2 * counter)));
      return initial.width * radius *
             std::cos(6.283185307179586 * uniform<double>(key, 2 * counter + 1));
    }
  }
  return 0.0;
}

/// Sines and cosines of Vaswani et al. 2017, section 3.5: places x channels.
template <class T>
void write_positions(const Shape& shape, T* table) {
  for (Index place = 0; place < shape.places(); ++place) {
    for (Index c = 0; c < shape.channels; ++c) {
      const Index pair = c - c % 2;  // a sine and a cosine turn at the same rate
      const double rate =
          std::pow(10'000.0, -static_cast<double>(pair) / static_cast<double>(shape.channels));
      const double angle = static_cast<double>(place) * rate;
      table[place * shape.channels + c] =
          static_cast<T>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
}

}  // namespace

template <class T>
Network<T>::Network(const Model& model, Ops<T>& ops, Device& device, std::uint64_t seed)
    : model_{model}, ops_{ops}, device_{device}, plan_{plan_steps(model)} {
  for (const Parameter& parameter : model_.parameters) {
    parameter_offset_.push_back(padded_);
    padded_ += padded(parameter.size());
  }
  values_ = DeviceMemory{device_, bytes_of<T>(padded_)};
  gradients_ = DeviceMemory{device_, bytes_of<T>(padded_)};
  velocities_ = DeviceMemory{device_, bytes_of<T>(padded_)};
  initialise(seed);
  make_tables();
}

template <class T>
Network<T>::~Network() = default;

template <class T>
void Network<T>::initialise(std::uint64_t seed) {
  std::vector<T> host(static_cast<std::size_t>(padded_), T{0});
  device_.upload(gradients_.data(), host.data(), host.size() * sizeof(T));
  device_.upload(velocities_.data(), host.data(), host.size() * sizeof(T));
  for (std::size_t p = 0; p < model_.parameters.size(); ++p) {
    const std::uint64_t key = random_bits(seed, p);
    for (Index i = 0; i < model_.parameters[p].size(); ++i) {
      host[static_cast<std::size_t>(parameter_offset_[p] + i)] = static_cast<T>(
          start_value(model_.parameters[p].initial, key, static_cast<std::uint64_t>(i)));
    }
  }
  device_.upload(values_.data(), host.data(), host.size() * sizeof(T));
}

template <class T>
void Network<T>::make_tables() {
  std::vector<T> statistics;
  std::vector<T> tables;
  for (const PlannedStep& step : plan_.steps) {
    const Node& node = node_of(step);
    statistics_offset_.push_back(static_cast<Index>(statistics.size()));
    table_offset_.push_back(static_cast<Index>(tables.size()));
    if (std::holds_alternative<BatchNorm>(node.operation)) {
      const auto count = static_cast<std::size_t>(padded(node.shape.channels));
      statistics.resize(statistics.size() + 3 * count, T{0});
      statistics.resize(statistics.size() + count, T{1});  // running variance
    } else if (std::holds_alternative<PositionalEncoding>(node.operation)) {
      tables.resize(tables.size() + static_cast<std::size_t>(node.shape.size()));
      write_positions(node.shape, tables.data() + table_offset_.back());
    }
  }
  statistics_ = DeviceMemory{device_, bytes_of<T>(static_cast<Index>(statistics.size()))};
  tables_ = DeviceMemory{device_, bytes_of<T>(static_cast<Index>(tables.size()))};
  if (!statistics.empty()) {
    device_.upload(statistics_.data(), statistics.data(), statistics.size() * sizeof(T));
  }
  if (!tables.empty()) device_.upload(tables_.data(), tables.data(), tables.size() * sizeof(T));
}

template <class T>
void Network<T>::prepare(Index samples) {
  check(samples > 0, "a batch has samples");
  give_back();
  // Kernel bodies count positions in 32 bits.
  for (const Buffer& buffer : plan_.buffers) {
    if (buffer.values_per_sample * samples > std::numeric_limits<std::uint32_t>::max()) {
      throw OutOfMemory{};
    }
  }
  arena_plan_ = place_buffers(plan_.buffers, samples, sizeof(T));
  const Index rows = samples * model_.nodes.back().shape.places();
  const Index tokens = model_.vocabulary ? samples * model_.input.size() : 0;
  const Index images = model_.vocabulary ? 0 : samples * model_.input.size();
  arena_ = DeviceMemory{device_, arena_plan_.bytes};
  images_ = DeviceMemory{device_, bytes_of<T>(images)};
  whole_ = DeviceMemory{device_, bytes_of<std::int32_t>(3 * tokens + 1 + rows)};
  results_ = DeviceMemory{device_, bytes_of<T>(2 * rows)};
  samples_ = samples;
}

template <class T>
void Network<T>::give_back() {
  samples_ = 0;
  for (DeviceMemory* memory : {&arena_, &images_, &whole_, &results_}) *memory = DeviceMemory{};
}

template <class T>
void Network<T>::load(const Batch<T>& batch) {
  check(samples_ > 0, "prepare comes before load");
  const Index rows = samples_ * model_.nodes.back().shape.places();
  check(static_cast<Index>(batch.labels.size()) == rows, "one label a score");
  auto* whole = values_in<std::int32_t>(whole_);
  device_.upload(whole, batch.labels.data(), batch.labels.size_bytes());
  const std::size_t values = static_cast<std::size_t>(samples_ * model_.input.size());
  if (model_.vocabulary) {
    check(batch.tokens.size() == values, "one token a place");
    device_.upload(whole + rows, batch.tokens.data(), batch.tokens.size_bytes());
    sort_tokens(batch.tokens);
  } else {
    check(batch.images.size() == values, "images of the input's shape");
    device_.upload(images_.data(), batch.images.data(), batch.images.size_bytes());
  }
}

/// Which rows hold each token, for the embedding's backward.
template <class T>
void Network<T>::sort_tokens(std::span<const std::int32_t> tokens) {
  const std::size_t count = tokens.size();
  std::vector<std::int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  const auto token_of = [&](std::int32_t row) { return tokens[static_cast<std::size_t>(row)]; };
  std::ranges::stable_sort(order, {}, token_of);
  std::vector<std::int32_t> begin;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || token_of(order[i]) != token_of(order[i - 1])) {
      begin.push_back(static_cast<std::int32_t>(i));
    }
  }
  different_tokens_ = static_cast<Index>(begin.size());
  begin.push_back(static_cast<std::int32_t>(count));
  const Index rows = samples_ * model_.nodes.back().shape.places();
  auto* to = values_in<std::int32_t>(whole_) + rows + count;
  device_.upload(to, order.data(), count * sizeof(std::int32_t));
  device_.upload(to + count, begin.data(), begin.size() * sizeof(std::int32_t));
}

template <class T>
void Network<T>::forward(Pass pass, std::uint64_t draw) {
  draw_ = draw;
  for (std::size_t s = 0; s < plan_.steps.size(); ++s) forward_step(s, pass);
  const Index rows = samples_ * model_.nodes.back().shape.places();
  T* loss = values_in<T>(results_);
  ops_.softmax_cross_entropy(rows, model_.classes, at(plan_.scores),
                             values_in<std::int32_t>(whole_), loss, loss + rows,
                             pass == Pass::training ? at(plan_.scores_gradient) : nullptr);
}

template <class T>
void Network<T>::update(const SgdSettings& settings) {
  ops_.sgd(padded_, settings, gradients(), values_in<T>(velocities_), parameters());
}

template <class T>
typename Network<T>::Loss Network<T>::loss() {
  const auto rows = static_cast<std::size_t>(samples_ * model_.nodes.back().shape.places());
  std::vector<T> host(2 * rows);
  device_.download(host.data(), results_.data(), host.size() * sizeof(T));
  const auto mean = [&](std::size_t first) {
    double sum = 0.0;
    for (std::size_t i = first; i < first + rows; ++i) sum += static_cast<double>(host[i]);
    return sum / static_cast<double>(rows);
  };
  return {mean(0), mean(rows)};
}

template <class T>
std::vector<T> Network<T>::scores() {
  std::vector<T> host(static_cast<std::size_t>(samples_ * model_.nodes.back().shape.size()));
  device_.download(host.data(), at(plan_.scores), host.size() * sizeof(T));
  return host;
}

template <class T>
std::vector<T> Network<T>::parameter(std::size_t index) const {
  std::vector<T> host(static_cast<std::size_t>(model_.parameters[index].size()));
  device_.download(host.data(), parameters() + parameter_offset_[index], host.size() * sizeof(T));
  return host;
}

template <class T>
std::vector<T> Network<T>::gradient(std::size_t index) const {
  std::vector<T> host(static_cast<std::size_t>(model_.parameters[index].size()));
  device_.download(host.data(), gradients() + parameter_offset_[index], host.size() * sizeof(T));
  return host;
}

template <class T>
void Network<T>::set_parameter(std::size_t index, std::span<const T> values) {
  check(static_cast<Index>(values.size()) == model_.parameters[index].size(),
        "a parameter keeps its size");
  device_.upload(parameters() + parameter_offset_[index], values.data(), values.size_bytes());
}

template <class T>
T* Network<T>::gradients() const {
  return values_in<T>(gradients_);
}
template <class T>
T* Network<T>::parameters() const {
  return values_in<T>(values_);
}

template <class T>
std::int64_t Network<T>::memory_bytes() const {
  std::int64_t sum = 0;
  for (const DeviceMemory* memory : {&values_, &gradients_, &velocities_, &statistics_, &tables_,
                                     &arena_, &images_, &whole_, &results_}) {
    sum += memory->bytes();
  }
  return sum;
}

template <class T>
T* Network<T>::at(BufferId buffer) const {
  if (buffer == no_buffer) return nullptr;
  return reinterpret_cast<T*>(arena_.data() +
                              arena_plan_.offsets[static_cast<std::size_t>(buffer)]);
}

template <class T>
const T* Network<T>::input_at(const PlannedStep& step, std::size_t which) const {
  const BufferId buffer = step.inputs[which];
  return buffer == no_buffer ? values_in<T>(images_) : at(buffer);
}

template <class T>
T* Network<T>::value(const Node& node, std::size_t which) const {
  if (which >= node.parameters.size()) return nullptr;
  return parameters() + parameter_offset_[static_cast<std::size_t>(node.parameters[which])];
}

template <class T>
T* Network<T>::slope(const Node& node, std::size_t which) const {
  if (which >= node.parameters.size()) return nullptr;
  return gradients() + parameter_offset_[static_cast<std::size_t>(node.parameters[which])];
}

template <class T>
T* Network<T>::statistics(std::size_t step, Statistic which) const {
  const Index channels = node_of(plan_.steps[step]).shape.channels;
  return values_in<T>(statistics_) + statistics_offset_[step] +
         static_cast<Index>(which) * padded(channels);
}

/// Backward down to this step has completed the gradients of this parameter and all later ones.
template <class T>
Index Network<T>::first_parameter(std::size_t step) const {
  for (std::size_t s = step; s < plan_.steps.size(); ++s) {
    const Node& node = node_of(plan_.steps[s]);
    if (!node.parameters.empty()) return node.parameters.front();
  }
  return static_cast<Index>(model_.parameters.size());
}

template <class T>
ChannelShape Network<T>::channels(const Shape& shape) const {
  return {samples_, shape.places(), shape.channels};
}

template <class T>
const Node& Network<T>::node_of(const PlannedStep& step) const {
  return model_.nodes[static_cast<std::size_t>(step.node)];
}

template class Network<float>;
template class Network<double>;

}  // namespace dbsim::calib
