// Any bytes, read as TOML and as JSON with a description of every kind of key: an InputError is an
// answer, all else is a bug.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/io/document.hpp"

namespace {

using namespace dbsim;

// The keys are short, so that random bytes hit them.
void describe(Fields& fields);

void describe_leaves(Fields& fields) {
  constexpr std::array<std::string_view, 2> words{"ring", "tree"};
  constexpr std::array<std::string_view, 3> exclusive{"t", "c", "b"};
  std::string text;
  bool flag = false;
  std::int64_t whole = 0;
  double number = 0.0;
  Seconds time{};
  Bytes size{};
  BytesPerSecond rate{};
  fields.text({"t", ""}, text);
  fields.choice({"c", ""}, words, text);
  fields.boolean({"b", ""}, flag);
  fields.whole({"w", ""}, at_least_one, whole);
  fields.number({"n", "", Need::required}, positive, number);
  fields.duration({"d", ""}, positive, time);
  fields.size({"s", ""}, not_negative, size);
  fields.bandwidth({"r", ""}, positive, rate);
  fields.parsed({"p", ""}, "a form", ".*", [](std::string_view form) { return form.size() > 3; });
  fields.one_of(exclusive, Need::required);
}

void describe(Fields& fields) {
  describe_leaves(fields);
  fields.table({"job", ""}, describe_leaves);
  fields.items({"l", ""}, [](Fields& element) {
    std::int64_t whole = 0;
    const std::array<Fields::Alternative, 2> forms{
        Fields::Alternative{ValueType::whole,
                            [&](Fields& f, const Key& key) { f.whole(key, {}, whole); }},
        Fields::Alternative{ValueType::table,
                            [](Fields& f, const Key& key) { f.table(key, describe_leaves); }}};
    element.either({"", ""}, forms);
  });
}

void read(Document document, std::string_view rest) {
  std::vector<Problem> problems;
  document.read(describe, problems);
  for (const Problem& problem : problems) (void)to_text(problem);
  document.set("l[0].w", rest);
  document.set("l[0].x.y", rest);
  document.read(describe, problems);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string_view rest =
      std::string_view{text}.substr(size - std::min<std::size_t>(size, 8));
  for (const auto parse : {Document::toml, Document::json}) {
    try {
      read(parse(text, "fuzz"), rest);
    } catch (const InputError& error) {
      (void)error.problems();
    }
  }
  return 0;
}
