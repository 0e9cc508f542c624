#pragma once
// What an operation makes of its inputs: the shape it gives, the parameters it needs.
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "calib/spec/model.hpp"

namespace dbsim::calib {

/// "32x32x64".
[[nodiscard]] std::string to_text(const Shape& shape);

/// Why an operation cannot take its inputs.
struct Mismatch {
  std::string found;
  std::string expected;
};

/// The shape of the output, of one sample.
[[nodiscard]] std::variant<Shape, Mismatch> output_shape(const Operation& operation,
                                                         std::span<const Shape> inputs);

/// The parameters of an operation on inputs that fit it, in the documented order, initialised as
/// PyTorch does. `node` is the first part of their names.
[[nodiscard]] std::vector<Parameter> parameters_of(const Operation& operation, const Shape& input,
                                                   const std::string& node);

}  // namespace dbsim::calib
