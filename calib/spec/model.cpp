#include "calib/spec/model.hpp"

#include <functional>
#include <numeric>

#include "sim/base/check.hpp"

namespace dbsim::calib {

namespace {

struct MultiplyAdds {
  const Shape& input;
  const Shape& output;

  double operator()(const Convolution& operation) const {
    const std::int64_t window = operation.kernel_height * operation.kernel_width;
    return static_cast<double>(output.size()) *
           static_cast<double>(window * (input.channels / operation.groups));
  }
  double operator()(const Linear&) const {
    return static_cast<double>(output.size()) * static_cast<double>(input.channels);
  }
  // Projections in and out; scores of all pairs of places, and values weighted by them.
  double operator()(const Attention&) const {
    const auto places = static_cast<double>(input.places());
    const auto features = static_cast<double>(input.channels);
    return places * 4.0 * features * features + 2.0 * places * places * features;
  }
  template <class Other>
  double operator()(const Other&) const {
    return 0.0;
  }
};

}  // namespace

std::int64_t Parameter::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>{});
}

std::int64_t Model::parameter_count() const {
  std::int64_t count = 0;
  for (const Parameter& parameter : parameters) count += parameter.size();
  return count;
}

double Model::forward_multiply_adds() const {
  double sum = 0.0;
  for (const Node& node : nodes) sum += forward_multiply_adds(node);
  return sum;
}

double Model::forward_multiply_adds(const Node& node) const {
  return std::visit(MultiplyAdds{input_shape(node), node.shape}, node.operation);
}

const Shape& Model::input_shape(const Node& node, std::size_t which) const {
  check(which < node.inputs.size(), "a node is asked for an input that it has");
  const std::int64_t from = node.inputs[which];
  return from == model_input ? input : nodes[static_cast<std::size_t>(from)].shape;
}

}  // namespace dbsim::calib
