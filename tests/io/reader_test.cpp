#include "sim/io/reader.hpp"

#include <array>
#include <string>
#include <vector>

#include "sim/io/wording.hpp"
#include "tests/catch.hpp"
#include "tests/io/saying.hpp"

namespace dbsim {
namespace {

using Alternative = Fields::Alternative;

constexpr std::array<std::string_view, 2> algorithms{"ring", "tree"};

TEST_CASE("good values arrive, and nothing is said", "[io]") {
  std::string text;
  std::string choice;
  bool flag = false;
  std::int64_t whole = 0;
  double number = 0.0;
  double from_whole = 0.0;
  Seconds time{};
  Bytes size{};
  BytesPerSecond rate{};
  const std::string said = reading(
      R"(text = "a"
choice = "tree"
flag = true
whole = 50_000
number = 0.5
from_whole = 2
time = "25 us"
size = "44.7 MB"
rate = "10 Gbit/s"
)",
      [&](Fields& fields) {
        CHECK(fields.text({"text", ""}, text));
        CHECK(fields.choice({"choice", ""}, algorithms, choice));
        CHECK(fields.boolean({"flag", ""}, flag));
        CHECK(fields.whole({"whole", ""}, at_least_one, whole));
        CHECK(fields.number({"number", ""}, positive, number));
        CHECK(fields.number({"from_whole", ""}, positive, from_whole));
        CHECK(fields.duration({"time", ""}, positive, time));
        CHECK(fields.size({"size", ""}, positive, size));
        CHECK(fields.bandwidth({"rate", ""}, positive, rate));
        CHECK_FALSE(fields.describing());
      });
  CHECK(said.empty());
  CHECK(text == "a");
  CHECK(choice == "tree");
  CHECK(flag);
  CHECK(whole == 50'000);
  CHECK(number == 0.5);
  CHECK(from_whole == 2.0);
  CHECK(time == Seconds{25e-6});
  CHECK(size == Bytes{44.7e6});
  CHECK(rate == BytesPerSecond{1.25e9});
}

TEST_CASE("an absent optional key leaves the value alone and counts as absent", "[io]") {
  std::int64_t whole = 7;
  const std::string said = reading("", [&](Fields& fields) {
    CHECK_FALSE(fields.whole({"whole", ""}, at_least_one, whole));
    CHECK_FALSE(fields.items({"list", ""}, [](Fields&) { FAIL("no list, no element"); }));
    CHECK_FALSE(fields.table({"table", ""}, [](Fields&) { FAIL("no table"); }));
  });
  CHECK(said.empty());
  CHECK(whole == 7);
}

TEST_CASE("a bad value is reported, is present, and is not written", "[io]") {
  std::int64_t whole = 7;
  (void)reading("whole = 0", [&](Fields& fields) {
    CHECK(fields.whole({"whole", ""}, at_least_one, whole));
  });
  CHECK(whole == 7);
}

// One line of TOML `k = ...` and what reading it as each kind of value says.
std::string as_text(const std::string& value) {
  return reading("k = " + value, [](Fields& fields) {
    std::string text;
    fields.text({"k", ""}, text);
  });
}
std::string as_choice(const std::string& value) {
  return reading("k = " + value, [](Fields& fields) {
    std::string text;
    fields.choice({"k", ""}, algorithms, text);
  });
}
std::string as_boolean(const std::string& value) {
  return reading("k = " + value, [](Fields& fields) {
    bool flag = false;
    fields.boolean({"k", ""}, flag);
  });
}
std::string as_whole(const std::string& value, const WholeRange& range) {
  return reading("k = " + value, [&](Fields& fields) {
    std::int64_t whole = 0;
    fields.whole({"k", ""}, range, whole);
  });
}
std::string as_number(const std::string& value, const NumberRange& range) {
  return reading("k = " + value, [&](Fields& fields) {
    double number = 0.0;
    fields.number({"k", ""}, range, number);
  });
}

TEST_CASE("a value of the wrong type says what it is and what is wanted", "[io]") {
  CHECK(as_text("44") == "f.toml:1:5: k: found 44; expected text");
  CHECK(as_text("[1]") == "f.toml:1:5: k: found a list; expected text");
  CHECK(as_choice("{}") == "f.toml:1:5: k: found a table; expected one of ring, tree");
  CHECK(as_boolean("\"yes\"") == "f.toml:1:5: k: found text \"yes\"; expected true or false");
  CHECK(as_boolean("1") == "f.toml:1:5: k: found 1; expected true or false");
  CHECK(as_whole("\"abc\"", at_least_one) ==
        "f.toml:1:5: k: found text \"abc\"; expected a whole number, at least 1");
  CHECK(as_whole("true", {}) == "f.toml:1:5: k: found true; expected a whole number");
  CHECK(as_number("\"4\"", positive) ==
        "f.toml:1:5: k: found text \"4\"; expected a number, more than 0");
}

TEST_CASE("a whole number is one without a decimal point", "[io]") {
  CHECK(as_whole("8.0", {}) == "f.toml:1:5: k: found 8.0; expected a whole number");
  CHECK(as_whole("0x10", {}).empty());
}

TEST_CASE("values outside their range name the range", "[io]") {
  CHECK(as_whole("0", at_least_one) == "f.toml:1:5: k: found 0; expected at least 1");
  CHECK(as_whole("9", {.least = 1, .most = 8}) == "f.toml:1:5: k: found 9; expected from 1 to 8");
  CHECK(as_number("0", positive) == "f.toml:1:5: k: found 0; expected more than 0");
  CHECK(as_number("-0.5", not_negative) == "f.toml:1:5: k: found -0.5; expected at least 0");
  CHECK(as_number("1.5", {.least = 0.0, .most = 1.0}) ==
        "f.toml:1:5: k: found 1.5; expected from 0 to 1");
  CHECK(as_number("1", {.least = 0.0, .most = 1.0}).empty());
}

TEST_CASE("nan and infinity are no numbers for us", "[io]") {
  CHECK(as_number("nan", {}) == "f.toml:1:5: k: found nan; expected a finite number");
  CHECK(as_number("-inf", positive) ==
        "f.toml:1:5: k: found -inf; expected a finite number, more than 0");
}

TEST_CASE("a word that is not among the choices gets the nearest one suggested", "[io]") {
  CHECK(as_choice("\"rign\"") ==
        "f.toml:1:5: k: found \"rign\"; expected one of ring, tree; did you mean 'ring'?");
  CHECK(as_choice("\"butterfly\"") ==
        "f.toml:1:5: k: found \"butterfly\"; expected one of ring, tree");
}

TEST_CASE("binary noise in text stays readable", "[io]") {
  CHECK(as_choice("\"\\u001b[31m\\u0000\"") ==
        "f.toml:1:5: k: found \"\\u001B[31m\\u0000\"; expected one of ring, tree");
}

TEST_CASE("quantities without a unit, or with a wrong one, list the units", "[io]") {
  const Description description = [](Fields& fields) {
    Seconds time{};
    Bytes size{};
    BytesPerSecond rate{};
    fields.duration({"t", ""}, positive, time);
    fields.size({"s", ""}, positive, size);
    fields.bandwidth({"r", ""}, positive, rate);
  };
  CHECK(reading("s = 44", description) ==
        "f.toml:1:5: s: found 44; expected a size with a unit, e.g. \"44.7 MB\" "
        "(B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)");
  CHECK(reading("s = \"44 Mb\"", description) ==
        "f.toml:1:5: s: found \"44 Mb\"; expected a size with a unit, e.g. \"44.7 MB\" "
        "(B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)");
  CHECK(reading("t = 0.5", description) ==
        "f.toml:1:5: t: found 0.5; expected a time with a unit, e.g. \"25 us\" "
        "(ns, us, ms, s, min, h, d)");
  CHECK(reading("r = \"10\"", description) ==
        "f.toml:1:5: r: found \"10\"; expected a bandwidth with a unit, e.g. \"10 Gbit/s\" "
        "(bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, B/s, kB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s)");
  CHECK(reading("r = \"-10 Gbit/s\"", description) ==
        "f.toml:1:5: r: found -10 Gbit/s; expected more than 0");
}

TEST_CASE("limits of quantities are said with their unit", "[io]") {
  const auto said = [](const std::string& value) {
    return reading("t = \"" + value + "\"", [](Fields& fields) {
      Seconds time{};
      fields.duration({"t", ""}, {.least = 0.0, .most = 60.0}, time);
    });
  };
  CHECK(said("2 min") == "f.toml:1:5: t: found 2 min; expected from 0 to 60 s");
  CHECK(said("0 s").empty());
}

TEST_CASE("text of a form of its own is refused by its parser's word", "[io]") {
  const auto said = [](const std::string& value) {
    return reading("k = " + value, [](Fields& fields) {
      fields.parsed({"k", ""}, "\"epoch 4\"", "^epoch [0-9]+$",
                    [](std::string_view text) { return text == "epoch 4"; });
    });
  };
  CHECK(said("\"epoch 4\"").empty());
  CHECK(said("\"epoch x\"") == "f.toml:1:5: k: found \"epoch x\"; expected \"epoch 4\"");
  CHECK(said("4") == "f.toml:1:5: k: found 4; expected \"epoch 4\"");
}

TEST_CASE("a missing required key is reported where its table begins", "[io]") {
  const Description description = [](Fields& fields) {
    std::int64_t whole = 0;
    fields.table({"job", ""}, [&](Fields& job) {
      job.whole({"epochs", "", Need::required}, at_least_one, whole);
    });
    fields.table({"network", "", Need::required}, [](Fields&) {});
  };
  CHECK(reading("\n[job]\n", description) ==
        "f.toml:1:1: network: found nothing; expected a table\n"
        "f.toml:2:1: job.epochs: found nothing; expected a whole number, at least 1");
}

// A list of tables, each with a required name.
void describe_workers(Fields& fields) {
  fields.items({"worker", ""}, [](Fields& element) {
    element.table({"", ""}, [](Fields& worker) {
      std::string name;
      std::int64_t count = 0;
      worker.text({"name", "", Need::required}, name);
      worker.whole({"count", ""}, at_least_one, count);
      worker.text({"device", ""}, name);
    });
  });
}

TEST_CASE("elements of lists are named by their index", "[io]") {
  CHECK(reading("[[worker]]\nname = \"a\"\n[[worker]]\nname = \"b\"\ncount = 0\n",
                describe_workers) == "f.toml:5:9: worker[1].count: found 0; expected at least 1");
  CHECK(reading("worker = [3, {}]", describe_workers) ==
        "f.toml:1:11: worker[0]: found 3; expected a table\n"
        "f.toml:1:14: worker[1].name: found nothing; expected text");
  CHECK(reading("worker = {name = \"a\"}", describe_workers) ==
        "f.toml:1:10: worker: found a table; expected a list");
}

TEST_CASE("unknown keys are reported at the key, with the nearest known one", "[io]") {
  CHECK(reading("[[worker]]\nname = \"a\"\n  devise = \"x\"\n", describe_workers) ==
        "f.toml:3:3: worker[0].devise: unknown key; did you mean 'device'?");
}

TEST_CASE("an unknown key that is like no other lists the keys that are known", "[io]") {
  CHECK(reading("[[worker]]\nname = \"a\"\nthroughput = 3\n", describe_workers) ==
        "f.toml:3:1: worker[0].throughput: unknown key; expected one of name, count, device");
}

TEST_CASE("a misspelled required key is one problem, not two", "[io]") {
  CHECK(reading("[[worker]]\nnmae = \"a\"\n", describe_workers) ==
        "f.toml:2:1: worker[0].nmae: unknown key; did you mean 'name'?");
}

TEST_CASE("a table that the description does not mention is an unknown key", "[io]") {
  CHECK(reading("[worker2]\nx = 1\n", [](Fields& fields) {
          std::string text;
          fields.text({"name", ""}, text);
        }) == "f.toml:1:2: worker2: unknown key; expected name");
}

// A path, or a table with a batch.
void describe_profile(Fields& fields) {
  std::string path;
  std::int64_t batch = 0;
  const std::array<Alternative, 2> forms{
      Alternative{ValueType::text, [&](Fields& f, const Key& key) { f.text(key, path); }},
      Alternative{ValueType::table, [&](Fields& f, const Key& key) {
                    f.table(key, [&](Fields& table) {
                      table.whole({"batch", "", Need::required}, at_least_one, batch);
                    });
                  }}};
  fields.either({"profile", "", Need::required}, forms);
}

TEST_CASE("a value of several types is told apart by its type", "[io]") {
  CHECK(reading("profile = \"a.json\"", describe_profile).empty());
  CHECK(reading("profile = {batch = 3}", describe_profile).empty());
  CHECK(reading("profile = {batch = 0}", describe_profile) ==
        "f.toml:1:20: profile.batch: found 0; expected at least 1");
  CHECK(reading("profile = 3", describe_profile) ==
        "f.toml:1:11: profile: found 3; expected text or a table");
  CHECK(reading("", describe_profile) ==
        "f.toml:1:1: profile: found nothing; expected text or a table");
}

TEST_CASE("a whole number serves where a number is one of several types", "[io]") {
  double number = 0.0;
  CHECK(reading("k = 3", [&](Fields& fields) {
          const std::array<Alternative, 1> forms{
              Alternative{ValueType::number,
                          [&](Fields& f, const Key& key) { f.number(key, positive, number); }}};
          fields.either({"k", ""}, forms);
        }).empty());
  CHECK(number == 3.0);
}

TEST_CASE("keys that exclude each other", "[io]") {
  constexpr std::array<std::string_view, 3> kinds{"star", "graph", "fixed"};
  const auto said = [&](const std::string& toml, Need need) {
    return reading("[n]\n" + toml, [&](Fields& root) {
      root.table({"n", ""}, [&](Fields& fields) {
        std::int64_t value = 0;
        for (const std::string_view kind : kinds) fields.whole({kind, ""}, {}, value);
        fields.one_of(kinds, need);
      });
    });
  };
  CHECK(said("star = 1", Need::required).empty());
  CHECK(said("", Need::optional).empty());
  CHECK(said("", Need::required) ==
        "f.toml:1:1: n: found nothing; expected one of star, graph, fixed");
  CHECK(said("fixed = 2\nstar = 1", Need::optional) ==
        "f.toml:2:9: n.fixed: found star and fixed together; "
        "expected only one of star, graph, fixed");
}

TEST_CASE("a description's own problems stand at its keys", "[io]") {
  const Description description = [](Fields& root) {
    root.table({"job", ""}, [](Fields& job) {
      std::int64_t epochs = 0;
      job.whole({"epochs", ""}, {}, epochs);
      job.problem("epochs", "too many", "fewer", "2");
      CHECK(job.path("epochs") == "job.epochs");
      CHECK(job.path("") == "job");
      CHECK(job.where("epochs") == Where{"f.toml", 2, 10});
      CHECK(job.where("absent") == Where{"f.toml", 1, 1});
      CHECK(job.where("") == Where{"f.toml", 1, 1});
    });
  };
  CHECK(reading("[job]\nepochs = 3", description) ==
        "f.toml:2:10: job.epochs: found too many; expected fewer; did you mean '2'?");
}

TEST_CASE("problems come in the order of the file", "[io]") {
  CHECK(reading("z = 1\nb = 0\na = 0\n",
                [](Fields& fields) {
                  std::int64_t value = 0;
                  fields.whole({"a", ""}, at_least_one, value);
                  fields.whole({"b", ""}, at_least_one, value);
                }) ==
        "f.toml:1:1: z: unknown key; expected one of a, b\n"
        "f.toml:2:5: b: found 0; expected at least 1\n"
        "f.toml:3:5: a: found 0; expected at least 1");
}

TEST_CASE("a file full of problems reports the first thousand", "[io]") {
  std::string toml = "list = [";
  for (int i = 0; i < 5000; ++i) toml += "0,";
  std::vector<Problem> problems;
  Document::toml(toml + "]", "f.toml")
      .read(
          [](Fields& fields) {
            fields.items({"list", ""}, [](Fields& element) {
              std::int64_t value = 0;
              element.whole({"", ""}, at_least_one, value);
            });
          },
          problems);
  CHECK(problems.size() == 1000);
}

}  // namespace
}  // namespace dbsim
