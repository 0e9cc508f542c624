// What each operation asks of the device, forward and backward.
#include <variant>

#include "calib/backend/network.hpp"
#include "calib/kernels/random.hpp"

namespace dbsim::calib {

namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

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

template <class T>
void Network<T>::forward_step(std::size_t number, Pass pass) {
  const PlannedStep& step = plan_.steps[number];
  const Node& node = node_of(step);
  const Shape& in = model_.input_shape(node);
  const Shape& out = node.shape;
  const T* x = input_at(step, 0);
  T* y = at(step.output);
  const bool training = pass == Pass::training;
  const auto kept = [&](std::size_t which) { return at(step.kept[which]); };

  const auto activate = [&](const auto& layer) {
    ops_.activation_forward(activation(layer), samples_ * in.size(), x, y);
  };
  std::visit(
      Overloaded{
          [&](const Convolution& layer) {
            ops_.convolution_forward(convolution_shape(samples_, in, out, layer), x, value(node, 0),
                                     value(node, 1), y);
          },
          [&](const Linear&) {
            ops_.linear_forward(samples_ * in.places(), in.channels, out.channels, x,
                                value(node, 0), value(node, 1), y);
          },
          [&](const BatchNorm& layer) {
            T* mean = statistics(number);
            const Index width = (out.channels + 63) / 64 * 64;
            T* running = mean + 2 * width;
            if (training) {
              ops_.batch_norm_forward(samples_ * in.places(), in.channels, x, value(node, 0),
                                      value(node, 1), layer.epsilon, layer.momentum, step.relu, y,
                                      mean, mean + width, running, running + width);
            } else {
              ops_.batch_norm_inference(samples_ * in.places(), in.channels, x, value(node, 0),
                                        value(node, 1), running, running + width, layer.epsilon,
                                        step.relu, y);
            }
          },
          [&](const GroupNorm& layer) {
            ops_.group_norm_forward(channels(in), layer.groups, x, value(node, 0), value(node, 1),
                                    layer.epsilon, y, kept(0), kept(1));
          },
          [&](const LayerNorm& layer) {
            ops_.layer_norm_forward(samples_ * in.places(), in.channels, x, value(node, 0),
                                    value(node, 1), layer.epsilon, y, kept(0), kept(1));
          },
          [&](const Relu& layer) { activate(layer); },
          [&](const Sigmoid& layer) { activate(layer); },
          [&](const Gelu& layer) { activate(layer); },
          [&](const MaxPool& layer) {
            ops_.max_pool_forward(pool_shape(samples_, in, out, layer), x, y,
                                  reinterpret_cast<std::uint8_t*>(kept(0)));
          },
          [&](const AveragePool& layer) {
            ops_.average_pool_forward(pool_shape(samples_, in, out, layer), x, y);
          },
          [&](const GlobalAveragePool&) { ops_.global_average_forward(channels(in), x, y); },
          [&](const Flatten&) {},  // never a step of its own
          [&](const Add&) { ops_.add(samples_ * out.size(), x, input_at(step, 1), step.relu, y); },
          [&](const Multiply&) {
            if (scales_channels(in, model_.input_shape(node, 1))) {
              ops_.scale_channels_forward(channels(in), x, input_at(step, 1), y);
            } else {
              ops_.multiply(samples_ * out.size(), x, input_at(step, 1), y);
            }
          },
          [&](const Concat&) {
            Index first = 0;
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
              const Index width = model_.input_shape(node, i).channels;
              ops_.copy_columns(samples_ * out.places(), width, input_at(step, i), width, y + first,
                                out.channels);
              first += width;
            }
          },
          [&](const Dropout& layer) {
            if (training) {
              ops_.dropout(channels(in), dropout_draw(draw_, number, layer), x, y);
            } else {
              ops_.copy_columns(1, samples_ * in.size(), x, 0, y, 0);
            }
          },
          [&](const Embedding& layer) {
            const Index rows = samples_ * model_.nodes.back().shape.places();
            ops_.embedding_forward(samples_ * in.size(), layer.features,
                                   reinterpret_cast<std::int32_t*>(whole_.data()) + rows,
                                   value(node, 0), layer.scale, y);
          },
          [&](const PositionalEncoding&) {
            ops_.add_table(channels(in), x,
                           reinterpret_cast<T*>(tables_.data()) + table_offset_[number], y);
          },
          [&](const Attention& layer) {
            const Index rows = samples_ * in.places();
            ops_.linear_forward(rows, in.channels, 3 * in.channels, x, value(node, 0),
                                value(node, 1), kept(0));
            ops_.attention_forward(attention_shape(samples_, in, layer),
                                   dropout_draw(draw_, number, layer, training), kept(0), kept(1),
                                   kept(3), kept(2));
            ops_.linear_forward(rows, in.channels, in.channels, kept(2), value(node, 2),
                                value(node, 3), y);
          }},
      node.operation);
}

template <class T>
void Network<T>::backward_step(std::size_t number) {
  const PlannedStep& step = plan_.steps[number];
  const Node& node = node_of(step);
  const Shape& in = model_.input_shape(node);
  const Shape& out = node.shape;
  const T* x = input_at(step, 0);
  const T* y = at(step.output);
  const T* dy = at(step.output_gradient);
  T* dx = at(step.input_gradients[0].written);
  const auto kept = [&](std::size_t which) { return at(step.kept[which]); };
  const auto working = [&](std::size_t which) { return at(step.backward_kept[which]); };

  const auto activate = [&](const auto& layer) {
    ops_.activation_backward(activation(layer), samples_ * in.size(), x, y, dy, dx);
  };
  std::visit(
      Overloaded{
          [&](const Convolution& layer) {
            ops_.convolution_backward(convolution_shape(samples_, in, out, layer), x,
                                      value(node, 0), dy, dx, slope(node, 0), slope(node, 1));
          },
          [&](const Linear&) {
            ops_.linear_backward(samples_ * in.places(), in.channels, out.channels, x,
                                 value(node, 0), dy, dx, slope(node, 0), slope(node, 1));
          },
          [&](const BatchNorm&) {
            const T* mean = statistics(number);
            const Index width = (out.channels + 63) / 64 * 64;
            ops_.batch_norm_backward(samples_ * in.places(), in.channels, x, y, value(node, 0),
                                     mean, mean + width, step.relu, dy, dx, slope(node, 0),
                                     slope(node, 1));
          },
          [&](const GroupNorm& layer) {
            ops_.group_norm_backward(channels(in), layer.groups, x, value(node, 0), kept(0),
                                     kept(1), dy, dx, slope(node, 0), slope(node, 1));
          },
          [&](const LayerNorm&) {
            ops_.layer_norm_backward(samples_ * in.places(), in.channels, x, value(node, 0),
                                     kept(0), kept(1), dy, dx, slope(node, 0), slope(node, 1));
          },
          [&](const Relu& layer) { activate(layer); },
          [&](const Sigmoid& layer) { activate(layer); },
          [&](const Gelu& layer) { activate(layer); },
          [&](const MaxPool& layer) {
            ops_.max_pool_backward(pool_shape(samples_, in, out, layer),
                                   reinterpret_cast<const std::uint8_t*>(kept(0)), dy, dx);
          },
          [&](const AveragePool& layer) {
            ops_.average_pool_backward(pool_shape(samples_, in, out, layer), dy, dx);
          },
          [&](const GlobalAveragePool&) { ops_.global_average_backward(channels(in), dy, dx); },
          [&](const Flatten&) {},
          [&](const Add&) {
            if (step.passed_gradient != no_buffer) {
              ops_.activation_backward(Activation::relu, samples_ * out.size(), x, y, dy,
                                       at(step.passed_gradient));
            }
          },
          [&](const Multiply&) {
            T* dfactor = at(step.input_gradients[1].written);
            if (scales_channels(in, model_.input_shape(node, 1))) {
              ops_.scale_channels_backward(channels(in), x, input_at(step, 1), dy, dx, dfactor);
            } else {
              ops_.multiply(samples_ * out.size(), dy, input_at(step, 1), dx);
              ops_.multiply(samples_ * out.size(), dy, x, dfactor);
            }
          },
          [&](const Concat&) {
            Index first = 0;
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
              const Index width = model_.input_shape(node, i).channels;
              if (T* part = at(step.input_gradients[i].written); part != nullptr) {
                ops_.copy_columns(samples_ * out.places(), width, dy + first, out.channels, part,
                                  width);
              }
              first += width;
            }
          },
          [&](const Dropout& layer) {
            ops_.dropout(channels(in), dropout_draw(draw_, number, layer), dy, dx);
          },
          [&](const Embedding& layer) {
            const Index rows = samples_ * model_.nodes.back().shape.places();
            const Index tokens = samples_ * in.size();
            const auto* token = reinterpret_cast<const std::int32_t*>(whole_.data()) + rows;
            ops_.embedding_backward(tokens, layer.features, layer.vocabulary, different_tokens_,
                                    token, token + tokens, token + 2 * tokens, dy, layer.scale,
                                    slope(node, 0));
          },
          [&](const PositionalEncoding&) {},
          [&](const Attention& layer) {
            const Index rows = samples_ * in.places();
            ops_.linear_backward(rows, in.channels, in.channels, kept(2), value(node, 2), dy,
                                 working(1), slope(node, 2), slope(node, 3));
            ops_.attention_backward(attention_shape(samples_, in, layer),
                                    dropout_draw(draw_, number, layer, true), kept(0), kept(1),
                                    working(0), working(1), working(2));
            ops_.linear_backward(rows, in.channels, 3 * in.channels, x, value(node, 0), working(2),
                                 dx, slope(node, 0), slope(node, 1));
          }},
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
