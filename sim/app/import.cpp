// dbsim import: measurements that people already have, as files that dbsim reads.
#include "sim/app/import.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "sim/app/commands.hpp"
#include "sim/io/nearest.hpp"

namespace dbsim {

namespace {

struct Kind {
  std::string_view name;
  Exit (*execute)(const Arguments&, const std::vector<std::string>&);
};

Exit import(const Arguments& arguments) {
  constexpr std::array<Kind, 2> kinds{
      {{"profile", import_profile}, {"nccl-tests", import_nccl_tests}}};
  const std::vector<std::string>& words = arguments.words();
  constexpr std::string_view known = "profile or nccl-tests";
  if (words.empty()) {
    throw UsageError{fmt::format("found nothing; expected what to import: {}", known)};
  }
  std::vector<std::string_view> names;
  for (const Kind& kind : kinds) {
    if (kind.name == words.front()) {
      return kind.execute(arguments, {words.begin() + 1, words.end()});
    }
    names.push_back(kind.name);
  }
  const std::string close = nearest(words.front(), names);
  throw UsageError{
      fmt::format("found '{}'; expected what to import: {}{}", words.front(), known,
                  close.empty() ? std::string{} : fmt::format("; did you mean '{}'?", close))};
}

}  // namespace

Command import_command() {
  return {.name = "import",
          .summary = "Makes profiles and networks of what other programs measured.",
          .usage = "profile [CSV...] [options] | nccl-tests FILE... [options]",
          .example = "dbsim import profile steps.csv --model resnet18 --device T4 --out t4.json",
          .options =
              {{"trace", "FILE=BATCH",
                "profile: a trace of PyTorch's profiler and the local batch it was taken at; "
                "may be given many times",
                Option::Times::many},
               {"model", "NAME", "profile: the model's name, as scenarios say it"},
               {"device", "NAME", "profile: the device's name; a trace's own if left out"},
               {"parameters", "SIZE", "profile: bytes all-reduced per step, such as \"44.7 MB\""},
               {"max-batch", "N", "profile: the largest local batch that fits the device's memory"},
               {"place", "WHICH",
                "nccl-tests: times of operations in place (in, the default, as gradients are "
                "summed), out of place (out), or the shorter of both (faster)"},
               {"ranks", "N,N,...",
                "nccl-tests: ranks on each host, instead of those that the file lists"},
               {"halves", "",
                "nccl-tests: fit every second size and say how far the others are predicted "
                "from what was measured"},
               {"within", "PERCENT",
                "nccl-tests: with --halves, exit 1 if a file's median error is above this"},
               {"source", "TEXT", "who published the numbers"},
               {"out", "PATH",
                "write here; networks of several files into this folder. A profile goes to "
                "standard output if left out"},
               {"help", "", "this text"}},
          .execute = import};
}

}  // namespace dbsim
