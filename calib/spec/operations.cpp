#include "calib/spec/operations.hpp"

#include <array>
#include <limits>

namespace dbsim::calib {

namespace {

// Products of all these fit a 64-bit number.
constexpr WholeRange window_range{.least = 1, .most = 1000};
constexpr WholeRange padding_range{.least = 0, .most = 1000};
constexpr NumberRange probability_range{.least = 0.0, .most = 0.99};
constexpr NumberRange fraction_range{.least = 0.0, .most = 1.0};
constexpr NumberRange epsilon_range{.least = 0.0, .most = 1.0, .lower = NumberRange::Lower::open};

void epsilon(Keys& keys, double& value) {
  keys.number({"epsilon", "Added to the variance; 1e-5 if left out."}, epsilon_range, value);
}

Operation convolution(Keys& keys) {
  Convolution op;
  keys.whole({"channels", "Channels of the output.", Need::required}, size_range, op.channels);
  keys.pair(
      {"kernel", "Places that a window sees: one number, or [height, width].", Need::required},
      window_range, op.kernel_height, op.kernel_width);
  keys.whole({"stride", "Places from one window to the next; 1 if left out."}, window_range,
             op.stride);
  keys.whole({"padding", "Zeros on each side; 0 if left out."}, padding_range, op.padding);
  keys.whole({"groups",
              "Groups of channels that do not mix; 1 if left out, as many as channels: depthwise."},
             size_range, op.groups);
  keys.boolean({"bias", "Whether a bias is added; true if left out."}, op.bias);
  return op;
}

Operation linear(Keys& keys) {
  Linear op;
  keys.whole({"features", "Channels of the output.", Need::required}, size_range, op.features);
  keys.boolean({"bias", "Whether a bias is added; true if left out."}, op.bias);
  keys.number({"uniform", "Weights start within plus and minus this; 1/sqrt(inputs) if left out."},
              positive, op.uniform);
  return op;
}

Operation batch_norm(Keys& keys) {
  BatchNorm op;
  epsilon(keys, op.epsilon);
  keys.number({"momentum",
               "Weight of the newest batch in the running statistics; 0.1 if left "
               "out."},
              fraction_range, op.momentum);
  return op;
}

Operation group_norm(Keys& keys) {
  GroupNorm op;
  keys.whole({"groups", "Groups of channels, each with its own mean and variance.", Need::required},
             size_range, op.groups);
  epsilon(keys, op.epsilon);
  return op;
}

Operation layer_norm(Keys& keys) {
  LayerNorm op;
  epsilon(keys, op.epsilon);
  return op;
}

// The part that both kinds of pooling share.
template <class Pool>
void window(Keys& keys, Pool& op) {
  keys.whole({"kernel", "Height and width of a window.", Need::required}, window_range, op.kernel);
  op.stride = op.kernel;
  keys.whole({"stride", "Places from one window to the next; the kernel if left out."},
             window_range, op.stride);
  keys.whole({"padding", "Places added on each side; 0 if left out."}, padding_range, op.padding);
}

Operation max_pool(Keys& keys) {
  MaxPool op;
  window(keys, op);
  keys.boolean({"ceil", "Whether a last window may hang over the edge; false if left out."},
               op.ceil);
  return op;
}

Operation average_pool(Keys& keys) {
  AveragePool op;
  window(keys, op);
  return op;
}

Operation dropout(Keys& keys) {
  Dropout op;
  keys.number({"probability", "Of a value being dropped; 0.5 if left out."}, probability_range,
              op.probability);
  keys.boolean({"whole_channels",
                "Whether all places of a channel drop together; false if left "
                "out."},
               op.whole_channels);
  return op;
}

// The vocabulary is known from the model's input.
Operation embedding(Keys& keys) {
  Embedding op;
  keys.whole({"features", "Length of a row.", Need::required}, size_range, op.features);
  keys.number({"scale", "Rows are multiplied by it; 1 if left out."}, positive, op.scale);
  keys.number(
      {"uniform", "Rows start within plus and minus this; normal with deviation 1 if left out."},
      positive, op.uniform);
  return op;
}

Operation attention(Keys& keys) {
  Attention op;
  keys.whole({"heads", "Parts of the features that attend apart.", Need::required}, size_range,
             op.heads);
  keys.boolean({"causal", "Whether a place sees only itself and those before; false if left out."},
               op.causal);
  keys.number({"dropout", "Probability of a weight being dropped; 0 if left out."},
              probability_range, op.dropout);
  return op;
}

template <class Kind>
Operation without_keys(Keys& /*keys*/) {
  return Kind{};
}

constexpr OperationKind::Branches two{.least = 2, .most = 2};
constexpr OperationKind::Branches several{.least = 2,
                                          .most = std::numeric_limits<std::size_t>::max()};

constexpr std::array<OperationKind, std::variant_size_v<Operation>> kinds{{
    {"convolution", "Weighted sums over windows of places.", convolution},
    {"linear", "Weighted sums over the channels of each place.", linear},
    {"batch_norm", "Normalises each channel over the batch, then scales and shifts.", batch_norm},
    {"group_norm", "Normalises groups of channels of a sample, then scales and shifts.",
     group_norm},
    {"layer_norm", "Normalises the channels of a place, then scales and shifts.", layer_norm},
    {"relu", "Nothing below zero.", without_keys<Relu>},
    {"sigmoid", "1 / (1 + exp(-x)).", without_keys<Sigmoid>},
    {"gelu", "x times the normal law's share below x, with the error function.",
     without_keys<Gelu>},
    {"max_pool", "The largest value in each window.", max_pool},
    {"average_pool", "The mean of each window, padding included.", average_pool},
    {"global_average_pool", "The mean over all places: one is left.",
     without_keys<GlobalAveragePool>},
    {"flatten", "All values as channels of one place, by row, column, channel.",
     without_keys<Flatten>},
    {"add", "The sum of two branches of equal shape.", without_keys<Add>, two},
    {"multiply",
     "The product of two branches; the second may be one place, which then scales every place.",
     without_keys<Multiply>, two},
    {"concat", "The branches' channels, one branch after another.", without_keys<Concat>, several},
    {"dropout", "Sets values to zero by chance and scales up the others.", dropout},
    {"embedding", "From tokens to rows of numbers.", embedding},
    {"positional_encoding", "Adds fixed sines and cosines that tell places apart.",
     without_keys<PositionalEncoding>},
    {"attention", "Multi-head self-attention over the places of a sample.", attention},
}};

}  // namespace

std::span<const OperationKind> operation_kinds() { return kinds; }

std::string_view name_of(const Operation& operation) { return kinds.at(operation.index()).name; }

}  // namespace dbsim::calib
