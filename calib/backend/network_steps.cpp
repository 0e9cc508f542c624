// What each operation asks of the device, forward and backward.
#include <variant>

#include "calib/backend/network.hpp"
#include "calib/kernels/random.hpp"

namespace dbsim::calib {

namespace {

ConvolutionShape convolution_shape(Index samples, const Shape& in, const Shape& out,
                                   const Convolution& layer) {
  return {samples,      in.height,           in.width,
          in.channels,  out.height,          out.width,
          out.channels, layer.kernel_height, layer.kernel_width,
          layer.stride, layer.padding,       layer.groups};
}

template <class Pool>
PoolShape pool_shape(Index samples, const Shape& in, const Shape& out, const Pool& layer) {
  return {samples,   in.height,    in.width,     in.channels,  out.height,
          out.width, layer.kernel, layer.stride, layer.padding};
}

DropoutDraw dropout_draw(std::uint64_t draw, std::size_t step, const Dropout& layer) {
  return {layer.probability, random_bits(draw, step), layer.whole_channels};
}

DropoutDraw dropout_draw(std::uint64_t draw, std::size_t step, const Attention& layer, bool on) {
  return {on ? layer.dropout : 0.0, random_bits(draw, step), false};
}

AttentionShape attention_shape(Index samples, const Shape& in, const Attention& layer) {
  return {samples, in.places(), in.channels, layer.heads, layer.causal};
}

constexpr Activation activation(const Relu&) { return Activation::relu; }
constexpr Activation activation(const Sigmoid&) { return Activation::sigmoid; }
constexpr Activation activation(const Gelu&) { return Activation::gelu; }

/// One factor a channel, or one a value.
bool scales_channels(const Shape& x, const Shape& factor) { return !(factor == x); }

}  // namespace

/// What each operation does in a forward pass: called with it.
template <class T>
struct Network<T>::Forward {
  Network& net;
  std::size_t number;
  const PlannedStep& step;
  const Node& node;
  const Shape& in;
  const Shape& out;
  const T* x;
  T* y;
  bool training;

  void operator()(const Convolution& layer) const {
    net.ops_.convolution_forward(convolution_shape(net.samples_, in, out, layer), x,
                                 net.value(node, 0), net.value(node, 1), y);
  }
  void operator()(const Linear&) const {
    net.ops_.linear_forward(net.samples_ * in.places(), in.channels, out.channels, x,
                            net.value(node, 0), net.value(node, 1), y);
  }
  void operator()(const BatchNorm& layer) const {
    T* running_mean = net.statistics(number, Statistic::running_mean);
    T* running_variance = net.statistics(number, Statistic::running_variance);
    const Index rows = net.samples_ * in.places();
    if (training) {
      net.ops_.batch_norm_forward(
          rows, in.channels, x, net.value(node, 0), net.value(node, 1), layer.epsilon,
          layer.momentum, step.relu, y, net.statistics(number, Statistic::mean),
          net.statistics(number, Statistic::inverse_deviation), running_mean, running_variance);
    } else {
      net.ops_.batch_norm_inference(rows, in.channels, x, net.value(node, 0), net.value(node, 1),
                                    running_mean, running_variance, layer.epsilon, step.relu, y);
    }
  }
  void operator()(const GroupNorm& layer) const {
    net.ops_.group_norm_forward(net.channels(in), layer.groups, x, net.value(node, 0),
                                net.value(node, 1), layer.epsilon, y, kept(0), kept(1));
  }
  void operator()(const LayerNorm& layer) const {
    net.ops_.layer_norm_forward(net.samples_ * in.places(), in.channels, x, net.value(node, 0),
                                net.value(node, 1), layer.epsilon, y, kept(0), kept(1));
  }
  void operator()(const Relu& layer) const { activate(layer); }
  void operator()(const Sigmoid& layer) const { activate(layer); }
  void operator()(const Gelu& layer) const { activate(layer); }
  void operator()(const MaxPool& layer) const {
    net.ops_.max_pool_forward(pool_shape(net.samples_, in, out, layer), x, y,
                              reinterpret_cast<std::uint8_t*>(kept(0)));
  }
  void operator()(const AveragePool& layer) const {
    net.ops_.average_pool_forward(pool_shape(net.samples_, in, out, layer), x, y);
  }
  void operator()(const GlobalAveragePool&) const {
    net.ops_.global_average_forward(net.channels(in), x, y);
  }
  void operator()(const Flatten&) const {}
  void operator()(const Add&) const {
    net.ops_.add(net.samples_ * out.size(), x, net.input_at(step, 1), step.relu, y);
  }
  void operator()(const Multiply&) const {
    if (scales_channels(in, net.model_.input_shape(node, 1))) {
      net.ops_.scale_channels_forward(net.channels(in), x, net.input_at(step, 1), y);
    } else {
      net.ops_.multiply(net.samples_ * out.size(), x, net.input_at(step, 1), y);
    }
  }
  void operator()(const Concat&) const {
    Index first = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Index width = net.model_.input_shape(node, i).channels;
      net.ops_.copy_columns(net.samples_ * out.places(), width, net.input_at(step, i), width,
                            y + first, out.channels);
      first += width;
    }
  }
  void operator()(const Dropout& layer) const {
    if (training) {
      net.ops_.dropout(net.channels(in), dropout_draw(net.draw_, number, layer), x, y);
    } else {
      net.ops_.copy_columns(1, net.samples_ * in.size(), x, 0, y, 0);
    }
  }
  void operator()(const Embedding& layer) const {
    const Index rows = net.samples_ * net.model_.nodes.back().shape.places();
    net.ops_.embedding_forward(net.samples_ * in.size(), layer.features,
                               reinterpret_cast<std::int32_t*>(net.whole_.data()) + rows,
                               net.value(node, 0), layer.scale, y);
  }
  void operator()(const PositionalEncoding&) const {
    net.ops_.add_table(net.channels(in), x,
                       reinterpret_cast<T*>(net.tables_.data()) + net.table_offset_[number], y);
  }
  void operator()(const Attention& layer) const {
    const Index rows = net.samples_ * in.places();
    net.ops_.linear_forward(rows, in.channels, 3 * in.channels, x, net.value(node, 0),
                            net.value(node, 1), kept(0));
    net.ops_.attention_forward(attention_shape(net.samples_, in, layer),
                               dropout_draw(net.draw_, number, layer, training), kept(0), kept(1),
                               kept(3), kept(2));
    net.ops_.linear_forward(rows, in.channels, in.channels, kept(2), net.value(node, 2),
                            net.value(node, 3), y);
  }

  [[nodiscard]] T* kept(std::size_t which) const { return net.at(step.kept[which]); }
  template <class Layer>
  void activate(const Layer& layer) const {
    net.ops_.activation_forward(activation(layer), net.samples_ * in.size(), x, y);
  }
};

template <class T>
void Network<T>::forward_step(std::size_t number, Pass pass) {
  const PlannedStep& step = plan_.steps[number];
  const Node& node = node_of(step);
  std::visit(Forward{*this, number, step, node, model_.input_shape(node), node.shape,
                     input_at(step, 0), at(step.output), pass == Pass::training},
             node.operation);
}

/// What each operation does in a backward pass: called with it.
template <class T>
struct Network<T>::Backward {
  Network& net;
  std::size_t number;
  const PlannedStep& step;
  const Node& node;
  const Shape& in;
  const Shape& out;
  const T* x;
  const T* y;
  const T* dy;
  T* dx;

  void operator()(const Convolution& layer) const {
    net.ops_.convolution_backward(convolution_shape(net.samples_, in, out, layer), x,
                                  net.value(node, 0), dy, dx, net.slope(node, 0),
                                  net.slope(node, 1));
  }
  void operator()(const Linear&) const {
    net.ops_.linear_backward(net.samples_ * in.places(), in.channels, out.channels, x,
                             net.value(node, 0), dy, dx, net.slope(node, 0), net.slope(node, 1));
  }
  void operator()(const BatchNorm&) const {
    net.ops_.batch_norm_backward(net.samples_ * in.places(), in.channels, x, y, net.value(node, 0),
                                 net.statistics(number, Statistic::mean),
                                 net.statistics(number, Statistic::inverse_deviation), step.relu,
                                 dy, dx, net.slope(node, 0), net.slope(node, 1));
  }
  void operator()(const GroupNorm& layer) const {
    net.ops_.group_norm_backward(net.channels(in), layer.groups, x, net.value(node, 0), kept(0),
                                 kept(1), dy, dx, net.slope(node, 0), net.slope(node, 1));
  }
  void operator()(const LayerNorm&) const {
    net.ops_.layer_norm_backward(net.samples_ * in.places(), in.channels, x, net.value(node, 0),
                                 kept(0), kept(1), dy, dx, net.slope(node, 0), net.slope(node, 1));
  }
  void operator()(const Relu& layer) const { activate(layer); }
  void operator()(const Sigmoid& layer) const { activate(layer); }
  void operator()(const Gelu& layer) const { activate(layer); }
  void operator()(const MaxPool& layer) const {
    net.ops_.max_pool_backward(pool_shape(net.samples_, in, out, layer),
                               reinterpret_cast<const std::uint8_t*>(kept(0)), dy, dx);
  }
  void operator()(const AveragePool& layer) const {
    net.ops_.average_pool_backward(pool_shape(net.samples_, in, out, layer), dy, dx);
  }
  void operator()(const GlobalAveragePool&) const {
    net.ops_.global_average_backward(net.channels(in), dy, dx);
  }
  void operator()(const Flatten&) const {}
  void operator()(const Add&) const {
    if (step.passed_gradient != no_buffer) {
      net.ops_.activation_backward(Activation::relu, net.samples_ * out.size(), x, y, dy,
                                   net.at(step.passed_gradient));
    }
  }
  void operator()(const Multiply&) const {
    T* dfactor = net.at(step.input_gradients[1].written);
    if (scales_channels(in, net.model_.input_shape(node, 1))) {
      net.ops_.scale_channels_backward(net.channels(in), x, net.input_at(step, 1), dy, dx, dfactor);
    } else {
      net.ops_.multiply(net.samples_ * out.size(), dy, net.input_at(step, 1), dx);
      net.ops_.multiply(net.samples_ * out.size(), dy, x, dfactor);
    }
  }
  void operator()(const Concat&) const {
    Index first = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Index width = net.model_.input_shape(node, i).channels;
      if (T* part = net.at(step.input_gradients[i].written); part != nullptr) {
        net.ops_.copy_columns(net.samples_ * out.places(), width, dy + first, out.channels, part,
                              width);
      }
      first += width;
    }
  }
  void operator()(const Dropout& layer) const {
    net.ops_.dropout(net.channels(in), dropout_draw(net.draw_, number, layer), dy, dx);
  }
  void operator()(const Embedding& layer) const {
    const Index rows = net.samples_ * net.model_.nodes.back().shape.places();
    const Index tokens = net.samples_ * in.size();
    const auto* token = reinterpret_cast<const std::int32_t*>(net.whole_.data()) + rows;
    net.ops_.embedding_backward(tokens, layer.features, layer.vocabulary, net.different_tokens_,
                                token, token + tokens, token + 2 * tokens, dy, layer.scale,
                                net.slope(node, 0));
  }
  void operator()(const PositionalEncoding&) const {}
  void operator()(const Attention& layer) const {
    const Index rows = net.samples_ * in.places();
    net.ops_.linear_backward(rows, in.channels, in.channels, kept(2), net.value(node, 2), dy,
                             working(1), net.slope(node, 2), net.slope(node, 3));
    net.ops_.attention_backward(attention_shape(net.samples_, in, layer),
                                dropout_draw(net.draw_, number, layer, true), kept(0), kept(1),
                                working(0), working(1), working(2));
    net.ops_.linear_backward(rows, in.channels, 3 * in.channels, x, net.value(node, 0), working(2),
                             dx, net.slope(node, 0), net.slope(node, 1));
  }

  [[nodiscard]] T* kept(std::size_t which) const { return net.at(step.kept[which]); }
  [[nodiscard]] T* working(std::size_t which) const { return net.at(step.backward_kept[which]); }
  template <class Layer>
  void activate(const Layer& layer) const {
    net.ops_.activation_backward(activation(layer), net.samples_ * in.size(), x, y, dy, dx);
  }
};

template <class T>
void Network<T>::backward_step(std::size_t number) {
  const PlannedStep& step = plan_.steps[number];
  const Node& node = node_of(step);
  std::visit(
      Backward{*this, number, step, node, model_.input_shape(node), node.shape, input_at(step, 0),
               at(step.output), at(step.output_gradient), at(step.input_gradients[0].written)},
      node.operation);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const InputGradient& gradient = step.input_gradients[i];
    if (gradient.former == no_buffer) continue;
    ops_.add(samples_ * model_.input_shape(node, i).size(), at(gradient.former),
             at(gradient.written), false, at(gradient.sum));
  }
}

template void Network<float>::forward_step(std::size_t, Pass);
template void Network<double>::forward_step(std::size_t, Pass);
template void Network<float>::backward_step(std::size_t);
template void Network<double>::backward_step(std::size_t);

}  // namespace dbsim::calib
