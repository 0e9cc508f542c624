#pragma once
// What one training step computes: a network as a list of operations, each reading earlier ones.
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dbsim::calib {

/// Of one sample. Images: height, width, channels. Sequences: length, 1, features. Vectors:
/// 1, 1, features. In memory the channels of one place lie together (NHWC).
struct Shape {
  std::int64_t height{1};
  std::int64_t width{1};
  std::int64_t channels{1};
  [[nodiscard]] std::int64_t places() const { return height * width; }
  [[nodiscard]] std::int64_t size() const { return height * width * channels; }
  friend bool operator==(const Shape&, const Shape&) = default;
};

// Each operation, with what its shapes do not say.

/// Weights: kernel_height x kernel_width x (input channels / groups) x channels, then the bias.
struct Convolution {
  std::int64_t channels{};
  std::int64_t kernel_height{1};
  std::int64_t kernel_width{1};
  std::int64_t stride{1};
  std::int64_t padding{0};  // zeros on each side
  std::int64_t groups{1};   // groups == channels == input channels: depthwise
  bool bias{true};
};
/// On the channels of every place. Weights: input channels x features, then the bias.
struct Linear {
  std::int64_t features{};
  bool bias{true};
  double uniform{0.0};  // weights start within plus and minus this; 0: PyTorch's default
};
/// Per channel over batch and places. Parameters: scale, shift.
struct BatchNorm {
  double epsilon{1e-5};
  double momentum{0.1};  // weight of the newest batch in the running statistics
};
/// Per sample and group of channels. Parameters: scale, shift.
struct GroupNorm {
  std::int64_t groups{1};
  double epsilon{1e-5};
};
/// Per place over the channels. Parameters: scale, shift.
struct LayerNorm {
  double epsilon{1e-5};
};
struct Relu {};
struct Sigmoid {};
struct Gelu {};  // the exact form, with the error function
struct MaxPool {
  std::int64_t kernel{2};
  std::int64_t stride{2};
  std::int64_t padding{0};
  bool ceil{false};  // a last window may hang over the edge
};
struct AveragePool {
  std::int64_t kernel{2};
  std::int64_t stride{2};
  std::int64_t padding{0};  // padded zeros count in the mean
};
struct GlobalAveragePool {};
/// All values of a sample as channels of one place, in the order of memory: row, column, channel.
struct Flatten {};
/// Of two inputs of equal shape.
struct Add {};
/// Of two inputs. The second input may be one place (1, 1, channels), which then scales every
/// place.
struct Multiply {};
/// Of two or more inputs, along the channels.
struct Concat {};
struct Dropout {
  double probability{0.5};
  bool whole_channels{false};  // drops channels of a sample, not single values
};
/// From whole numbers (tokens) to rows. Parameters: vocabulary x features.
struct Embedding {
  std::int64_t vocabulary{};
  std::int64_t features{};
  double scale{1.0};    // rows are multiplied by it
  double uniform{0.0};  // rows start within plus and minus this; 0: normal, as PyTorch's default
};
/// Adds the fixed sines and cosines of Vaswani et al. 2017, section 3.5.
struct PositionalEncoding {};
/// Multi-head self-attention over the places of a sample. Parameters: features x 3 features (query,
/// key, value side by side) and bias, features x features and bias.
struct Attention {
  std::int64_t heads{1};
  bool causal{false};
  double dropout{0.0};  // of the attention weights
};

using Operation = std::variant<Convolution, Linear, BatchNorm, GroupNorm, LayerNorm, Relu, Sigmoid,
                               Gelu, MaxPool, AveragePool, GlobalAveragePool, Flatten, Add,
                               Multiply, Concat, Dropout, Embedding, PositionalEncoding, Attention>;

/// How a parameter starts.
struct Initial {
  enum class Kind { zero, one, uniform, normal } kind{Kind::zero};
  double width{};  // uniform: half the range; normal: standard deviation
};

struct Parameter {
  std::string name;                 // "3.convolution.weight": node and role
  std::vector<std::int64_t> shape;  // as documented at its operation
  Initial initial;
  [[nodiscard]] std::int64_t size() const;
};

/// Where a node takes an input from: another node, or the sample itself.
inline constexpr std::int64_t model_input = -1;

struct Node {
  std::string name;  // "3.convolution": its place in Model::nodes, and its operation
  Operation operation;
  std::vector<std::int64_t> inputs;      // earlier nodes, or model_input
  std::vector<std::int64_t> parameters;  // into Model::parameters, in the order documented above
  Shape shape;                           // of the output
};

/// A network whose last node gives the scores of each class, at one place (classification) or at
/// every place (language models). The loss is softmax cross-entropy, mean over samples and places.
struct Model {
  std::string name;
  std::string description;
  Shape input;
  std::optional<std::int64_t> vocabulary;  // inputs are whole numbers below it
  std::int64_t classes{};
  std::vector<Node> nodes;
  std::vector<Parameter> parameters;

  [[nodiscard]] std::int64_t parameter_count() const;
  /// Multiply-adds of a forward pass of one sample: convolutions, linear layers and attention.
  [[nodiscard]] double forward_multiply_adds() const;
  /// The same of one node.
  [[nodiscard]] double forward_multiply_adds(const Node& node) const;
  [[nodiscard]] const Shape& input_shape(const Node& node, std::size_t which = 0) const;
};

}  // namespace dbsim::calib
