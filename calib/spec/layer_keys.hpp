#pragma once
// How the keys of a layer are read: sizes are numbers, or inside a block perhaps its parameters.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "calib/spec/model_draft.hpp"
#include "calib/spec/operations.hpp"

namespace dbsim::calib {

/// Notes what the file gives. `parameters` are those of the block around the layer, if any.
class FileKeys final : public Keys {
 public:
  FileKeys(Fields& fields, std::span<const std::string> parameters, std::vector<Given>& given);
  void whole(const Key& key, const WholeRange& range, std::int64_t& value) override;
  void pair(const Key& key, const WholeRange& range, std::int64_t& height,
            std::int64_t& width) override;
  void number(const Key& key, const NumberRange& range, double& value) override;
  void boolean(const Key& key, bool& value) override;

 private:
  void read_size(Fields& fields, const Key& key, const WholeRange& range, std::string_view as);

  Fields& fields_;
  std::vector<std::string> words_;  // "$channels", ...
  std::vector<Given>& given_;
};

/// Lets every key pass unread: for layers whose operation is misspelt, so that one slip is one
/// problem.
class IgnoredKeys final : public Keys {
 public:
  explicit IgnoredKeys(Fields& fields) : fields_{fields} {}
  void ignore(std::string_view name);
  void whole(const Key& key, const WholeRange& range, std::int64_t& value) override;
  void pair(const Key& key, const WholeRange& range, std::int64_t& height,
            std::int64_t& width) override;
  void number(const Key& key, const NumberRange& range, double& value) override;
  void boolean(const Key& key, bool& value) override;

 private:
  Fields& fields_;
};

}  // namespace dbsim::calib
