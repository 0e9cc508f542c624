#include "sim/io/schema.hpp"

#include <array>
#include <string>

#include "tests/catch.hpp"

namespace dbsim {
namespace {

using Alternative = Fields::Alternative;

// One key of every kind.
void describe(Fields& fields) {
  constexpr std::array<std::string_view, 2> algorithms{"ring", "tree"};
  constexpr std::array<std::string_view, 2> exclusive{"flag", "share"};
  std::string text;
  bool flag = false;
  std::int64_t whole = 0;
  double number = 0.0;
  Seconds time{};
  fields.text({"name", "What it is called.", Need::required}, text);
  fields.choice({"algorithm", "How."}, algorithms, text);
  fields.boolean({"flag", "Whether a|b."}, flag);
  fields.number({"share", "Part of it."},
                {.least = 0.0, .most = 1.0, .lower = NumberRange::Lower::open}, number);
  fields.one_of(exclusive, Need::optional);
  fields.items({"worker", "Who works.", Need::required}, [&](Fields& element) {
    element.table({"", ""}, [&](Fields& worker) {
      worker.whole({"count", "How many."}, at_least_one, whole);
      const std::array<Alternative, 2> forms{
          Alternative{ValueType::text,
                      [](Fields& f, const Key& key) {
                        f.parsed(key, "\"epoch 4\"", "^epoch [0-9]+$",
                                 [](std::string_view) { return true; });
                      }},
          Alternative{ValueType::table, [&](Fields& f, const Key& key) {
                        f.table(key, [&](Fields& table) {
                          table.duration({"time", "When."}, not_negative, time);
                        });
                      }}};
      worker.either({"start", "Its beginning."}, forms);
    });
  });
}

constexpr std::string_view expected_schema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "test/1",
  "title": "A test",
  "type": "object",
  "properties": {
    "name": {
      "description": "What it is called.",
      "type": "string"
    },
    "algorithm": {
      "description": "How.",
      "type": "string",
      "enum": [
        "ring",
        "tree"
      ]
    },
    "flag": {
      "description": "Whether a|b.",
      "type": "boolean"
    },
    "share": {
      "description": "Part of it.",
      "type": "number",
      "exclusiveMinimum": 0.0,
      "maximum": 1.0
    },
    "worker": {
      "description": "Who works.",
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "count": {
            "description": "How many.",
            "type": "integer",
            "minimum": 1
          },
          "start": {
            "description": "Its beginning.",
            "anyOf": [
              {
                "type": "string",
                "pattern": "^epoch [0-9]+$"
              },
              {
                "type": "object",
                "properties": {
                  "time": {
                    "description": "When.",
                    "type": "string",
                    "pattern": "^\\+?[0-9]+(_[0-9]+)*(\\.[0-9]+(_[0-9]+)*)?([eE][+-]?[0-9]+)? ?(ns|us|ms|s|min|h|d)$"
                  }
                },
                "additionalProperties": false
              }
            ]
          }
        },
        "additionalProperties": false
      }
    }
  },
  "required": [
    "name",
    "worker"
  ],
  "additionalProperties": false,
  "allOf": [
    {
      "not": {
        "anyOf": [
          {
            "required": [
              "flag",
              "share"
            ]
          }
        ]
      }
    }
  ]
}
)";

TEST_CASE("a description becomes a JSON Schema", "[io]") {
  CHECK(json_schema("test/1", "A test", describe) == expected_schema);
}

constexpr std::string_view expected_reference = R"(# A test

## Top level

| key | value | needed | meaning |
| --- | --- | --- | --- |
| `name` | text | yes | What it is called. |
| `algorithm` | one of "ring", "tree" | no | How. |
| `flag` | true or false | no | Whether a\|b. |
| `share` | a number, more than 0 and at most 1 | no | Part of it. |
| `worker` | a list, each: a table, see `worker[]` | yes | Who works. |

At most one of `flag`, `share` is given.

## `worker[]`

| key | value | needed | meaning |
| --- | --- | --- | --- |
| `count` | a whole number, at least 1 | no | How many. |
| `start` | "epoch 4"; or a table, see `worker[].start` | no | Its beginning. |

## `worker[].start`

| key | value | needed | meaning |
| --- | --- | --- | --- |
| `time` | a time with a unit, e.g. "25 us", at least 0 | no | When. |

## Units

- time: ns, us, ms, s, min, h, d
)";

TEST_CASE("a description becomes a reference for people", "[io]") {
  CHECK(markdown_reference("A test", describe) == expected_reference);
}

TEST_CASE("exactly one of several keys is said as such", "[io]") {
  const Description description = [](Fields& fields) {
    constexpr std::array<std::string_view, 2> kinds{"a", "b"};
    bool flag = false;
    fields.boolean({"a", ""}, flag);
    fields.boolean({"b", ""}, flag);
    fields.one_of(kinds, Need::required);
  };
  CHECK(markdown_reference("T", description).find("Exactly one of `a`, `b` is given.") !=
        std::string::npos);
  const std::string schema = json_schema("i", "t", description);
  CHECK(schema.find("\"oneOf\"") != std::string::npos);
}

TEST_CASE("when describing, every key is absent and nothing is written", "[io]") {
  (void)json_schema("i", "t", [](Fields& fields) {
    std::string text = "kept";
    CHECK_FALSE(fields.text({"a", "", Need::required}, text));
    CHECK(text == "kept");
    CHECK(fields.describing());
    CHECK(fields.path("a") == "a");
    fields.problem("a", "x", "y");
  });
}

}  // namespace
}  // namespace dbsim
