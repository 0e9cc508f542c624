#include "tests/calib/support/ops_cases.hpp"

#include <cstdlib>
#include <random>

#include "calib/kernels/random.hpp"

namespace dbsim::calib::test {

const std::vector<OpGroup>& op_groups() {
  static const std::vector<OpGroup> groups{{"products", product_cases},
                                           {"norms", norm_cases},
                                           {"pooling", pooling_cases},
                                           {"elementwise", elementwise_cases},
                                           {"sequences", sequence_cases}};
  return groups;
}

std::uint64_t test_seed() {
  static const std::uint64_t seed = [] {
    const char* given = std::getenv("DBSIM_TEST_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10)
                            : std::uint64_t{std::random_device{}()};
  }();
  return seed;
}

Tensor Draws::input(Index size, double low, double high) {
  Tensor tensor;
  const std::uint64_t key = random_bits(seed_, stream_++);
  for (Index i = 0; i < size; ++i) {
    tensor.values.push_back(static_cast<float>(
        low + (high - low) * uniform<double>(key, static_cast<std::uint64_t>(i))));
  }
  return tensor;
}

Tensor Draws::updated(Index size, double low, double high) {
  Tensor tensor = input(size, low, high);
  tensor.role = Role::updated;
  return tensor;
}

Tensor Draws::rectified(Index size) {
  Tensor tensor = input(size);
  for (float& value : tensor.values) value = value > 0.0F ? value : 0.0F;
  return tensor;
}

Tensor Draws::whole(Index size, Index limit) {
  Tensor tensor;
  const std::uint64_t key = random_bits(seed_, stream_++);
  for (Index i = 0; i < size; ++i) {
    tensor.whole.push_back(static_cast<std::int32_t>(
        random_bits(key, static_cast<std::uint64_t>(i)) % static_cast<std::uint64_t>(limit)));
  }
  return tensor;
}

Tensor output(Index size) {
  Tensor tensor;
  tensor.role = Role::output;
  tensor.values.resize(static_cast<std::size_t>(size));
  return tensor;
}

Tensor exact_output(Index size) {
  Tensor tensor = output(size);
  tensor.exact = true;
  return tensor;
}

Tensor byte_output(Index size) {
  Tensor tensor;
  tensor.role = Role::output;
  tensor.exact = true;
  tensor.bytes.resize(static_cast<std::size_t>(size));
  return tensor;
}

Tensor scratch(Index size) {
  Tensor tensor = output(size);
  tensor.role = Role::scratch;
  return tensor;
}

}  // namespace dbsim::calib::test
