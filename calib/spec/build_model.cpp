// From a draft to a network: blocks in place, shapes inferred, parameters named.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "calib/spec/model_draft.hpp"
#include "calib/spec/operations.hpp"
#include "calib/spec/shapes.hpp"
#include "sim/io/wording.hpp"

namespace dbsim::calib {

namespace {

// Larger models are slips of a number, and would only fill the memory.
constexpr std::size_t most_nodes = 100'000;
constexpr double most_values = 1e12;
// Uses within uses; deeper ones would exhaust the stack.
constexpr std::size_t deepest_use = 64;

using Arguments = std::map<std::string, std::int64_t, std::less<>>;

[[noreturn]] void fail(const Where& where, const std::string& path, std::string found,
                       std::string expected) {
  throw InputError{{{where, path, std::move(found), std::move(expected), {}}}};
}

/// Where in the expansion of blocks a layer stands.
struct Context {
  const Arguments& arguments;  // of the block around the layer
  const LayerDraft* use;       // that put the block there; null outside of blocks
};

/// "..., in the block used at line 12", for layers that are fine elsewhere.
std::string in_context(std::string found, const Context& context) {
  if (context.use == nullptr) return found;
  return fmt::format("{}, in the block used at line {}", found, context.use->where.line);
}

/// Gives an operation what its layer says, with the block's parameters put in.
class DraftKeys final : public Keys {
 public:
  DraftKeys(const LayerDraft& layer, const Context& context) : layer_{layer}, context_{context} {}

  void whole(const Key& key, const WholeRange& range, std::int64_t& value) override {
    take(key.name, range, value);
  }
  void pair(const Key& key, const WholeRange& range, std::int64_t& height,
            std::int64_t& width) override {
    if (take(key.name, range, height)) width = height;
    take(fmt::format("{}.height", key.name), range, height);
    take(fmt::format("{}.width", key.name), range, width);
  }
  void number(const Key& key, const NumberRange& /*range*/, double& value) override {
    if (const Given* given = layer_.find(key.name)) value = std::get<double>(given->value);
  }
  void boolean(const Key& key, bool& value) override {
    if (const Given* given = layer_.find(key.name)) value = std::get<bool>(given->value);
  }

 private:
  bool take(std::string_view name, const WholeRange& range, std::int64_t& value) {
    const Given* given = layer_.find(name);
    if (given == nullptr) return false;
    if (const auto* number = std::get_if<std::int64_t>(&given->value)) {
      value = *number;
      return true;
    }
    const std::string& parameter = std::get<ParameterName>(given->value).name;
    const std::int64_t number = context_.arguments.at(parameter);
    if (number < range.least || number > range.most) {
      fail(given->where, given->path,
           in_context(fmt::format("${} = {}", parameter, number), context_), range_words(range));
    }
    value = number;
    return true;
  }

  const LayerDraft& layer_;
  const Context& context_;
};

class Builder {
 public:
  explicit Builder(const ModelDraft& draft) : draft_{draft} {
    model_.name = draft.name;
    model_.input = draft.input;
    model_.vocabulary = draft.vocabulary;
    model_.classes = draft.classes;
  }

  Model build() && {
    if (draft_.layers.empty())
      fail(draft_.layers_where, "layers", "an empty list", "at least one layer");
    const Arguments none;
    append(draft_.layers, {none, nullptr}, model_input);
    check_output();
    return std::move(model_);
  }

 private:
  // All of these take the node whose output the layers see, and return the one that they end in.

  std::int64_t append(const std::vector<LayerDraft>& layers, const Context& context,
                      std::int64_t from) {
    for (const LayerDraft& layer : layers) {
      from = layer.block ? append_use(layer, context, from) : append_node(layer, context, from);
    }
    return from;
  }

  std::int64_t append_use(const LayerDraft& layer, const Context& context, std::int64_t from) {
    const BlockDraft& block = draft_.blocks[*layer.block];
    constexpr WholeRange any{};
    DraftKeys keys{layer, context};
    Arguments arguments;
    for (const std::string& parameter : block.parameters)
      keys.whole({parameter, {}}, any, arguments[parameter]);
    std::int64_t repeat = 1;
    keys.whole({"repeat", {}}, size_range, repeat);
    for (std::int64_t i = 0; i < repeat; ++i) {
      from = append(block.layers, {arguments, &layer}, from);
    }
    return from;
  }

  std::int64_t append_node(const LayerDraft& layer, const Context& context, std::int64_t from) {
    const OperationKind& kind = operation_kinds()[*layer.kind];
    DraftKeys keys{layer, context};
    Node node{.name = {},
              .operation = kind.describe(keys),
              .inputs = inputs_of(layer, context, from),
              .parameters = {},
              .shape = {}};
    const auto bad = [&](std::string found, std::string expected) {
      fail(layer.where, layer.path, in_context(std::move(found), context), std::move(expected));
    };
    if (model_.nodes.size() >= most_nodes)
      bad("one more operation", fmt::format("at most {}", most_nodes));
    node.name = fmt::format("{}.{}", model_.nodes.size(), kind.name);

    const bool wants_tokens = std::holds_alternative<Embedding>(node.operation);
    const bool sees_tokens =
        model_.vocabulary && std::ranges::find(node.inputs, model_input) != node.inputs.end();
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      shapes.push_back(model_.input_shape(node, i));
    if (sees_tokens && !wants_tokens)
      bad(fmt::format("tokens as the input of {}", kind.name), "an embedding before it");
    if (wants_tokens && !sees_tokens) {
      bad(fmt::format("{} as the input of embedding", to_text(shapes.front())),
          "the model's own input, with input = { tokens = ..., length = ... }");
    }
    if (wants_tokens) std::get<Embedding>(node.operation).vocabulary = *model_.vocabulary;

    auto result = output_shape(node.operation, shapes);
    if (auto* mismatch = std::get_if<Mismatch>(&result))
      bad(std::move(mismatch->found), std::move(mismatch->expected));
    node.shape = std::get<Shape>(result);
    if (!keep_sizes(node, shapes.front())) {
      bad(fmt::format("{} from {}", to_text(node.shape), to_text(shapes.front())),
          fmt::format("at most {:.0e} values and parameters", most_values));
    }
    model_.nodes.push_back(std::move(node));
    return static_cast<std::int64_t>(model_.nodes.size()) - 1;
  }

  std::vector<std::int64_t> inputs_of(const LayerDraft& layer, const Context& context,
                                      std::int64_t from) {
    const OperationKind& kind = operation_kinds()[*layer.kind];
    if (kind.branches.most == 0) return {from};
    const std::size_t count = layer.branches.size();
    if (count < kind.branches.least || count > kind.branches.most) {
      fail(layer.where, layer.path + ".branches", fmt::format("{} of them", count),
           kind.branches.most == kind.branches.least
               ? fmt::format("exactly {}", kind.branches.least)
               : fmt::format("at least {}", kind.branches.least));
    }
    std::vector<std::int64_t> inputs;
    for (const std::vector<LayerDraft>& branch : layer.branches) {
      inputs.push_back(append(branch, context, from));
    }
    return inputs;
  }

  /// Adds the node's parameters. False, and nothing is added, when it is absurdly large.
  bool keep_sizes(Node& node, const Shape& input) {
    const auto product = [](const auto& extents) {
      double result = 1.0;
      for (const std::int64_t extent : extents) result *= static_cast<double>(extent);
      return result;
    };
    if (product(std::initializer_list<std::int64_t>{node.shape.height, node.shape.width,
                                                    node.shape.channels}) > most_values) {
      return false;
    }
    std::vector<Parameter> parameters = parameters_of(node.operation, input, node.name);
    for (Parameter& parameter : parameters) {
      if (product(parameter.shape) > most_values) return false;
      node.parameters.push_back(static_cast<std::int64_t>(model_.parameters.size()));
      model_.parameters.push_back(std::move(parameter));
    }
    return true;
  }

  void check_output() const {
    const Shape& last = model_.nodes.back().shape;
    const LayerDraft& layer = draft_.layers.back();
    if (last.channels != model_.classes) {
      fail(layer.where, layer.path, fmt::format("{} after the last layer", to_text(last)),
           fmt::format("{} channels, one for each class", model_.classes));
    }
    if (!model_.vocabulary && last.places() != 1) {
      fail(layer.where, layer.path, fmt::format("{} after the last layer", to_text(last)),
           "one place: a global_average_pool or a flatten before it");
    }
  }

  const ModelDraft& draft_;
  Model model_;
};

/// Walks the uses of blocks; a block that comes to use itself has no end.
class CycleSearch {
 public:
  explicit CycleSearch(const ModelDraft& draft) : draft_{draft}, depth_(draft.blocks.size()) {}

  void run() {
    for (std::size_t i = 0; i < draft_.blocks.size(); ++i) {
      const BlockDraft& block = draft_.blocks[i];
      if (block.layers.empty())
        fail(block.where, block.path + ".layers", "an empty list", "at least one layer");
      (void)depth_of(i);
    }
  }

 private:
  /// Of the uses below a block, itself included.
  std::size_t depth_of(std::size_t block) {
    if (depth_[block] > 0) return depth_[block];
    chain_.push_back(block);
    const std::size_t depth = 1 + depth_of(draft_.blocks[block].layers);
    chain_.pop_back();
    return depth_[block] = depth;
  }

  std::size_t depth_of(const std::vector<LayerDraft>& layers) {
    std::size_t deepest = 0;
    for (const LayerDraft& layer : layers) {
      for (const std::vector<LayerDraft>& branch : layer.branches)
        deepest = std::max(deepest, depth_of(branch));
      if (!layer.block) continue;
      refuse_cycle(layer);
      // The chain is what this search is in, the depth what is known from before.
      const bool deep = chain_.size() >= deepest_use || depth_of(*layer.block) >= deepest_use;
      if (deep)
        fail(layer.where, layer.path, "one more block within blocks",
             fmt::format("at most {} deep", deepest_use));
      deepest = std::max(deepest, depth_[*layer.block]);
    }
    return deepest;
  }

  void refuse_cycle(const LayerDraft& layer) const {
    auto again = std::ranges::find(chain_, *layer.block);
    if (again == chain_.end()) return;
    std::string names;
    for (; again != chain_.end(); ++again)
      names += fmt::format("{} uses ", draft_.blocks[*again].name);
    fail(layer.where, layer.path, names + draft_.blocks[*layer.block].name,
         "blocks that do not come to use themselves");
  }

  const ModelDraft& draft_;
  std::vector<std::size_t> depth_;  // 0: not known yet
  std::vector<std::size_t> chain_;
};

}  // namespace

Model build_model(const ModelDraft& draft) {
  CycleSearch{draft}.run();
  return Builder{draft}.build();
}

}  // namespace dbsim::calib
