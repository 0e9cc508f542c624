#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/io/parse.hpp"
#include "sim/io/toml_trap.hpp"
#include "sim/io/utf8.hpp"
#include "sim/io/wording.hpp"

namespace dbsim {

namespace {

Position position_of(const toml::source_region& source) {
  return {static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

class Converter {
 public:
  explicit Converter(const std::string& file) : file_{file} {}

  Value value(const toml::node& node, const std::string& path) {
    const Position at = position_of(node.source());
    switch (node.type()) {
      case toml::node_type::boolean:
        return {node.as_boolean()->get(), at};
      case toml::node_type::integer:
        return {node.as_integer()->get(), at};
      case toml::node_type::floating_point:
        return {node.as_floating_point()->get(), at};
      case toml::node_type::string:
        return {node.as_string()->get(), at};
      case toml::node_type::array:
        return {list(*node.as_array(), path), at};
      case toml::node_type::table:
        return {table(*node.as_table(), path), at};
      default:
        problems_.push_back({{file_, at.line, at.column},
                             path,
                             "a date or time of day",
                             "text in quotes, or a number",
                             {}});
        return {false, at};
    }
  }

  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

 private:
  List list(const toml::array& array, const std::string& path) {
    List result;
    result.reserve(array.size());
    for (const toml::node& node : array) {
      result.push_back(value(node, fmt::format("{}[{}]", path, result.size())));
    }
    return result;
  }

  Table table(const toml::table& source, const std::string& path) {
    Table result;
    result.reserve(source.size());
    for (const auto& [key, node] : source) {
      const std::string_view name = key.str();
      result.push_back(
          {std::string{name}, position_of(key.source()), value(node, joined_path(path, name))});
    }
    // toml++ sorts keys by name.
    std::ranges::sort(result, {}, [](const Entry& entry) {
      return std::tuple{entry.key_at.line, entry.key_at.column};
    });
    return result;
  }

  const std::string& file_;
  std::vector<Problem> problems_;
};

std::string with_article(std::string_view noun) {
  const bool vowel = std::string_view{"aeio"}.find(noun.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

std::string_view line_of(std::string_view text, int line) {
  for (; line > 1; --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

// What stands at a place, up to where a value must end.
std::string word_at(std::string_view line, int column) {
  std::size_t begin = 0;
  for (; begin < line.size() && column > 1; --column) {
    do ++begin;
    while (begin < line.size() && continues_character(line[begin]));
  }
  const std::string_view rest = line.substr(begin);
  return printable(rest.substr(0, rest.find_first_of(" \t\r,]}#")));
}

// toml++'s names for what it expected, in words for people.
std::string expected_words(std::string_view words) {
  if (words == "a comment or whitespace") return "the end of the line";
  if (words.starts_with("bare key starting character")) return "a key";
  return printable(words);
}

/// toml++ says "Error while parsing SCOPE: expected A, saw 'B'" or "Error while parsing SCOPE:
/// REASON".
class Complaint {
 public:
  Complaint(const toml::parse_error& error, std::string_view text, const std::string& file)
      : reason_{error.description()}, file_{file}, at_{position_of(error.source())} {
    constexpr std::string_view lead = "Error while parsing ";
    const std::size_t colon = reason_.find(": ");
    if (reason_.starts_with(lead) && colon != std::string_view::npos) {
      scope_ = reason_.substr(lead.size(), colon - lead.size());
      reason_.remove_prefix(colon + 2);
    }
    line_ = line_of(text, at_.line);
  }

  [[nodiscard]] Problem problem() {
    constexpr std::string_view saw = ", saw '";
    const std::size_t split = reason_.find(saw);
    if (reason_.find("encountered end-of-file") != std::string_view::npos) {
      return at("the end of the file", "the rest of " + with_article(scope_));
    }
    if (reason_.starts_with("expected ") && split != std::string_view::npos) {
      return at(printable(reason_.substr(split + saw.size() - 1)),
                expected_words(reason_.substr(9, split - 9)));
    }
    if (reason_.starts_with("cannot redefine existing")) return duplicate();
    if (reason_.starts_with("could not determine value type")) {
      return at(word_at(line_, at_.column),
                "text in quotes, a number, true or false, a list or a table");
    }
    if (reason_.starts_with("unescaped control characters")) {
      const bool is_line_end = at_.column >= advanced({1, 1}, line_).column;
      return is_line_end ? at("the end of the line", "the quote that ends the text")
                         : at("a control character", "an escape such as \\n or \\u0007");
    }
    if (reason_.find("not representable in 64 bits") != std::string_view::npos) {
      return at("a number beyond 64 bits", "a number that fits");
    }
    return at("TOML that cannot be read: " + printable(reason_), {});
  }

 private:
  [[nodiscard]] Problem at(std::string found, std::string expected) const {
    return {{file_, at_.line, at_.column}, {}, std::move(found), std::move(expected), {}};
  }

  [[nodiscard]] Problem duplicate() {
    std::string_view name = reason_.substr(std::min(reason_.find('\''), reason_.size()));
    name = name.substr(0, name.find('\'', 1) + 1);
    // toml++ stands behind the value by now; a line that opens with the key tells the better place.
    const std::size_t indent = std::min(line_.find_first_not_of(" \t"), line_.size());
    if (name.size() < 3) return at("a key a second time", "each key and table once");
    const std::string_view key = name.substr(1, name.size() - 2);
    if (line_.substr(indent).starts_with(key)) at_.column = static_cast<int>(indent) + 1;
    return at(printable(name) + " a second time", "each key and table once");
  }

  std::string_view reason_;
  std::string_view scope_{"value"};
  const std::string& file_;
  Position at_;
  std::string_view line_;
};

}  // namespace

Value parse_toml(std::string_view text, const std::string& file) {
  if (const auto trap = first_trap(text)) {
    const Position at = advanced({1, 1}, text.substr(0, trap->offset));
    throw InputError{{{{file, at.line, at.column}, {}, trap->found, trap->expected, {}}}};
  }
  try {
    const toml::table root = toml::parse(text);
    Converter converter{file};
    Value value = converter.value(root, {});
    if (!converter.problems().empty()) throw InputError{converter.problems()};
    return value;
  } catch (const toml::parse_error& error) {
    throw InputError{{Complaint{error, text, file}.problem()}};
  }
}

}  // namespace dbsim
