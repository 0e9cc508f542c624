#pragma once
// A model file as it is read: blocks not yet put where they are used, sizes perhaps "$name".
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "calib/spec/model.hpp"
#include "sim/base/error.hpp"
#include "sim/io/fields.hpp"

namespace dbsim::calib {

/// "$name": whatever the use of the block says.
struct ParameterName {
  std::string name;
};

struct Given {
  std::string key;
  std::variant<bool, std::int64_t, double, ParameterName> value;
  Where where;
  std::string path;
};

struct LayerDraft {
  std::optional<std::size_t> kind;   // of operation_kinds(), or ...
  std::optional<std::size_t> block;  // ... of ModelDraft::blocks
  std::vector<Given> given;
  std::vector<std::vector<LayerDraft>> branches;
  Where where;
  std::string path;

  [[nodiscard]] const Given* find(std::string_view key) const;
};

struct BlockDraft {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<LayerDraft> layers;
  Where where;
  std::string path;
};

struct ModelDraft {
  std::string name;
  Shape input;
  std::optional<std::int64_t> vocabulary;
  std::int64_t classes{};
  std::vector<LayerDraft> layers;
  Where layers_where;
  std::vector<BlockDraft> blocks;
};

/// The names and parameters of the blocks alone: uses may stand before what they use.
[[nodiscard]] std::vector<BlockDraft> block_heads(Fields& fields);
/// All keys of a model file. `heads` are its block_heads().
void describe_model(Fields& fields, std::span<const BlockDraft> heads, ModelDraft& draft);

/// Puts the blocks where they are used, infers all shapes, names all parameters. Throws InputError
/// at the first layer that does not fit: the shapes of all later ones depend on it.
[[nodiscard]] Model build_model(const ModelDraft& draft);

}  // namespace dbsim::calib
