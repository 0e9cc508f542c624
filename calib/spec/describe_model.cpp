// The keys of a model file.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "calib/spec/layer_keys.hpp"
#include "calib/spec/model_draft.hpp"

namespace dbsim::calib {

namespace {

constexpr WholeRange repeat_range{.least = 1, .most = 1000};
constexpr WholeRange argument_range{.least = 0, .most = largest_size};

/// What the names in a layer can mean.
struct Scope {
  std::span<const BlockDraft> blocks;
  std::span<const std::string> parameters;  // of the block around the layer
};

void describe_layer(Fields& element, const Scope& scope, LayerDraft& layer);

void describe_layers(Fields& fields, const Key& key, const Scope& scope,
                     std::vector<LayerDraft>& layers) {
  fields.items(key, [&](Fields& element) {
    LayerDraft layer;
    describe_layer(element, scope, layer);
    layers.push_back(std::move(layer));
  });
}

template <class Named>
std::optional<std::size_t> index_of(std::span<const Named> all, std::string_view name) {
  const auto match = std::ranges::find(all, name, &Named::name);
  if (match == all.end()) return std::nullopt;
  return static_cast<std::size_t>(match - all.begin());
}

void choose_operation(Fields& table, LayerDraft& layer) {
  std::vector<std::string_view> names;
  for (const OperationKind& kind : operation_kinds()) names.push_back(kind.name);
  std::string name;
  table.choice({"op", "Which operation."}, names, name);
  layer.kind = index_of(operation_kinds(), name);
}

void choose_block(Fields& table, std::span<const BlockDraft> blocks, LayerDraft& layer) {
  const Key key{"use", "Or which block."};
  std::string name;
  if (blocks.empty() && !table.describing()) {
    if (table.text(key, name) && !name.empty())
      table.problem("use", fmt::format("\"{}\"", name), "a block, and the file has none");
    return;
  }
  std::vector<std::string_view> names;
  for (const BlockDraft& block : blocks) names.push_back(block.name);
  if (table.describing()) {
    table.text(key, name);
  } else {
    table.choice(key, names, name);
  }
  layer.block = index_of(blocks, name);
}

void describe_branches(Fields& table, const Scope& scope, LayerDraft& layer) {
  const Key key{"branches",
                "With add, multiply and concat: lists of layers that all take the same input; [] "
                "is that input itself.",
                table.describing() ? Need::optional : Need::required};
  table.items(key, [&](Fields& branch) {
    if (branch.describing()) return;  // layers again, without end
    std::vector<LayerDraft> layers;
    describe_layers(branch, {"", "One branch."}, scope, layers);
    layer.branches.push_back(std::move(layers));
  });
}

void ignore_keys(Fields& table, const Scope& scope) {
  IgnoredKeys keys{table};
  for (const OperationKind& kind : operation_kinds()) kind.describe(keys);
  for (const BlockDraft& block : scope.blocks) {
    for (const std::string& parameter : block.parameters) keys.ignore(parameter);
  }
  keys.ignore("branches");
  keys.ignore("repeat");
}

void describe_layer_table(Fields& table, const Scope& scope, LayerDraft& layer) {
  layer.where = table.where("");
  layer.path = table.path("");
  choose_operation(table, layer);
  choose_block(table, scope.blocks, layer);
  constexpr std::array<std::string_view, 2> either{"op", "use"};
  table.one_of(either, Need::required);
  FileKeys keys{table, scope.parameters, layer.given};
  if (layer.kind) {
    const OperationKind& kind = operation_kinds()[*layer.kind];
    kind.describe(keys);
    if (kind.branches.most > 0) describe_branches(table, scope, layer);
  }
  if (table.describing()) describe_branches(table, scope, layer);
  std::int64_t given{};
  if (layer.block || table.describing())
    keys.whole({"repeat", "With use: how many times, one after another; 1 if left out."},
               repeat_range, given);
  if (layer.block) {
    for (const std::string& parameter : scope.blocks[*layer.block].parameters)
      keys.whole({parameter, "A parameter of the block.", Need::required}, argument_range, given);
  }
  if (!layer.kind && !layer.block && !table.describing()) ignore_keys(table, scope);
}

void describe_layer(Fields& element, const Scope& scope, LayerDraft& layer) {
  element.table({"", "An operation with its keys, or a use of a block with its parameters."},
                [&](Fields& table) { describe_layer_table(table, scope, layer); });
}

void describe_block_head(Fields& table, BlockDraft& block) {
  block.where = table.where("");
  block.path = table.path("");
  table.text({"name", "What uses call it.", Need::required}, block.name);
  table.items({"parameters",
               "Names of whole numbers that each use gives, and \"$name\" stands for "
               "in the layers."},
              [&](Fields& element) {
                std::string name;
                element.text({"", "Letters, digits and _."}, name);
                if (!name.empty()) block.parameters.push_back(std::move(name));
              });
}

bool is_word(std::string_view name) {
  constexpr std::string_view allowed{
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"};
  return !name.empty() && name.find_first_not_of(allowed) == std::string_view::npos;
}

void check_block_head(Fields& table, const BlockDraft& block, std::span<const BlockDraft> before) {
  if (table.describing()) return;
  if (std::ranges::find(before, block.name, &BlockDraft::name) != before.end())
    table.problem("name", fmt::format("block \"{}\" twice", block.name), "names that differ");
  std::vector<std::string_view> taken{"op", "use", "repeat"};
  for (const std::string& name : block.parameters) {
    if (!is_word(name))
      table.problem("parameters", fmt::format("\"{}\"", name), "letters, digits and _");
    if (std::ranges::find(taken, name) != taken.end())
      table.problem("parameters", fmt::format("\"{}\"", name),
                    "names that differ from each other and from op, use and repeat");
    taken.push_back(name);
  }
}

void describe_input(Fields& fields, ModelDraft& draft) {
  const auto image = [&](Fields& outer, const Key& key) {
    std::vector<std::int64_t> extents;
    outer.items(key, [&](Fields& element) {
      std::int64_t extent = 1;
      element.whole({"", "Extent."}, size_range, extent);
      extents.push_back(extent);
    });
    if (outer.describing()) return;
    if (extents.size() == 3) {
      draft.input = {extents[0], extents[1], extents[2]};
    } else {
      outer.problem(key.name, fmt::format("a list of {}", extents.size()),
                    "[height, width, channels]");
    }
  };
  const auto text = [&](Fields& outer, const Key& key) {
    outer.table(key, [&](Fields& table) {
      std::int64_t tokens = 0;
      table.whole({"tokens", "How many different tokens there are.", Need::required}, size_range,
                  tokens);
      table.whole({"length", "Tokens in one sample.", Need::required}, size_range,
                  draft.input.height);
      draft.vocabulary = tokens;
    });
  };
  const std::array<Fields::Alternative, 2> forms{Fields::Alternative{ValueType::list, image},
                                                 Fields::Alternative{ValueType::table, text}};
  fields.either(
      {"input", "One sample: [height, width, channels] of an image, or a table of tokens.",
       Need::required},
      forms);
}

}  // namespace

const Given* LayerDraft::find(std::string_view key) const {
  const auto match = std::ranges::find(given, key, &Given::key);
  return match == given.end() ? nullptr : &*match;
}

std::vector<BlockDraft> block_heads(Fields& fields) {
  std::vector<BlockDraft> heads;
  fields.items({"block", ""}, [&](Fields& element) {
    element.table({"", ""}, [&](Fields& table) {
      BlockDraft block;
      describe_block_head(table, block);
      heads.push_back(std::move(block));
    });
  });
  return heads;
}

void describe_model(Fields& fields, std::span<const BlockDraft> heads, ModelDraft& draft) {
  std::int64_t version = 1;
  fields.whole({"model", "Version of this format: 1.", Need::required}, {.least = 1, .most = 1},
               version);
  fields.text({"name", "Name of the model, which profiles of it carry.", Need::required},
              draft.name);
  describe_input(fields, draft);
  fields.whole({"classes", "Scores that the last layer gives at each place.", Need::required},
               size_range, draft.classes);
  describe_layers(fields, {"layers", "The network, from input to output.", Need::required},
                  {heads, {}}, draft.layers);
  draft.layers_where = fields.where("layers");
  fields.items({"block", "A list of layers under a name."}, [&](Fields& element) {
    element.table({"", "A block."}, [&](Fields& table) {
      BlockDraft block;
      describe_block_head(table, block);
      check_block_head(table, block, draft.blocks);
      describe_layers(table, {"layers", "What stands where the block is used.", Need::required},
                      {heads, block.parameters}, block.layers);
      draft.blocks.push_back(std::move(block));
    });
  });
}

}  // namespace dbsim::calib
