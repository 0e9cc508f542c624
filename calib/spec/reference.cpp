// The keys of a model file as Markdown, from the description that reads them.
#include <fmt/format.h>

#include <vector>

#include "calib/spec/layer_keys.hpp"
#include "calib/spec/model_draft.hpp"
#include "calib/spec/model_file.hpp"
#include "sim/io/schema.hpp"
#include "sim/io/shape.hpp"

namespace dbsim::calib {

namespace {

std::string form_of(const dbsim::Shape& shape) {
  using Kind = dbsim::Shape::Kind;
  if (shape.kind == Kind::list) return "a list, each: " + form_of(shape.parts.front());
  if (shape.kind != Kind::either) return shape.form;
  std::vector<std::string> forms;
  for (const dbsim::Shape& part : shape.parts) forms.push_back(form_of(part));
  return fmt::format("{}", fmt::join(forms, "; or "));
}

std::string section_of(const OperationKind& kind) {
  const dbsim::Shape shape = shape_of([&](Fields& fields) {
    std::vector<Given> given;
    FileKeys keys{fields, {}, given};
    kind.describe(keys);
  });
  std::string text = fmt::format("\n### `{}`\n\n{}\n", kind.name, kind.meaning);
  if (kind.branches.most > 0) {
    const bool exactly = kind.branches.least == kind.branches.most;
    text += fmt::format("\nTakes `branches`: {} {}.\n", exactly ? "exactly" : "at least",
                        kind.branches.least);
  }
  if (shape.members.empty()) return text;
  text += "\n| key | value | needed | meaning |\n| --- | --- | --- | --- |\n";
  for (const dbsim::Shape& member : shape.members) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", member.name, form_of(member),
                        member.need == Need::required ? "yes" : "no", member.meaning);
  }
  return text;
}

}  // namespace

std::string model_reference() {
  std::string text = markdown_reference("Keys of a model file", [](Fields& fields) {
    ModelDraft draft;
    describe_model(fields, {}, draft);
  });
  text += "\n## Operations\n";
  for (const OperationKind& kind : operation_kinds()) text += section_of(kind);
  return text;
}

}  // namespace dbsim::calib
