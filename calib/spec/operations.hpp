#pragma once
// The operations as model files name them, each with the keys it can be given.
#include <cstdint>
#include <span>
#include <string_view>

#include "calib/spec/model.hpp"
#include "sim/io/fields.hpp"

namespace dbsim::calib {

/// Handed to the description of an operation, which says every key once: to read a file, to fill
/// the operation in where a block is used, to document it. A value that is not given is left alone.
class Keys {
 public:
  virtual ~Keys() = default;
  virtual void whole(const Key& key, const WholeRange& range, std::int64_t& value) = 0;
  /// One whole number for both, or a list of two.
  virtual void pair(const Key& key, const WholeRange& range, std::int64_t& height,
                    std::int64_t& width) = 0;
  virtual void number(const Key& key, const NumberRange& range, double& value) = 0;
  virtual void boolean(const Key& key, bool& value) = 0;
};

/// Larger sizes than this are slips.
inline constexpr std::int64_t largest_size = 1'000'000;
inline constexpr WholeRange size_range{.least = 1, .most = largest_size};

struct OperationKind {
  /// Of how many branches it takes the outputs; none: it takes the output of the layer before.
  struct Branches {
    std::size_t least{0};
    std::size_t most{0};
  };

  std::string_view name;
  std::string_view meaning;
  Operation (*describe)(Keys& keys);
  Branches branches{};
};

/// In the order of the alternatives of Operation.
[[nodiscard]] std::span<const OperationKind> operation_kinds();
/// "convolution".
[[nodiscard]] std::string_view name_of(const Operation& operation);

}  // namespace dbsim::calib
