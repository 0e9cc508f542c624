#include "sim/flows/flow_cases.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "sim/flows/case_reader.hpp"
#include "sim/io/document.hpp"

namespace dbsim {

namespace {

constexpr std::string_view schema_name = "dbsim.network-cases/1";

void describe(Fields& fields, FlowCases& file, std::vector<Problem>& late) {
  constexpr std::array<std::string_view, 1> schemas{schema_name};
  std::string word;
  fields.choice({"schema", "Version of this format.", Need::required}, schemas, word);
  fields.text({"answers", "Where the finish times come from."}, file.source);
  const bool listed = fields.items(
      {"cases", "Networks, each with its flows.", Need::required}, [&](Fields& element) {
        element.table({"", "One case."},
                      [&](Fields& inner) { read_case(inner, file.cases.emplace_back(), late); });
      });
  if (listed && file.cases.empty()) fields.problem("cases", "no case", "at least one", {});
}

FlowCases read(const Document& document) {
  FlowCases file;
  file.file = document.file();
  std::vector<Problem> problems;
  std::vector<Problem> late;
  document.read([&](Fields& fields) { describe(fields, file, late); }, problems);
  problems.insert(problems.end(), late.begin(), late.end());
  std::ranges::stable_sort(problems, {}, [](const Problem& problem) {
    return std::tuple{problem.where.line, problem.where.column};
  });
  if (!problems.empty()) throw InputError{std::move(problems)};
  return file;
}

}  // namespace

void describe_flow_cases(Fields& fields) {
  FlowCases file;
  std::vector<Problem> late;
  describe(fields, file, late);
}

FlowCases load_flow_cases(const std::string& path) { return read(Document::load(path)); }

FlowCases parse_flow_cases(std::string_view text, const std::string& name) {
  return read(Document::json(text, name));
}

}  // namespace dbsim
