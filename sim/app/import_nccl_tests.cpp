// dbsim import nccl-tests: all-reduce times that people already have.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/app/import.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/import/nccl_network.hpp"
#include "sim/import/nccl_tests.hpp"
#include "sim/io/files.hpp"
#include "sim/io/lines.hpp"
#include "sim/program/terminal.hpp"
#include "sim/report/network_text.hpp"

namespace dbsim {

namespace {

namespace fs = std::filesystem;

struct Imported {
  std::string file;
  NetworkDocument network;
};

NcclChoice::Place parse_place(const std::string& word) {
  using Place = NcclChoice::Place;
  constexpr std::array<std::pair<std::string_view, Place>, 3> places{
      {{"in", Place::in_place}, {"out", Place::out_of_place}, {"faster", Place::faster}}};
  for (const auto& [name, place] : places) {
    if (word == name) return place;
  }
  throw UsageError{fmt::format("--place: found '{}'; expected in, out or faster", word)};
}

std::vector<std::int64_t> parse_ranks(const std::string& word) {
  std::vector<std::int64_t> ranks;
  constexpr std::int64_t most = 1'000'000;
  for (const Word& one : split_at(word, ',')) {
    const auto count = parse_whole(one.text);
    if (!count || *count < 1 || *count > most) {
      throw UsageError{
          fmt::format("--ranks: found '{}'; expected how many each host has, such as 4,4", word)};
    }
    ranks.push_back(*count);
  }
  return ranks;
}

/// What is wrong with any of them is said at once.
std::vector<Imported> read_all(const Arguments& arguments, const std::vector<std::string>& files) {
  NcclChoice choice;
  if (const auto place = arguments.text("place")) choice.place = parse_place(*place);
  if (const auto ranks = arguments.text("ranks")) choice.ranks_per_host = parse_ranks(*ranks);
  std::vector<Imported> all;
  std::vector<Problem> problems;
  for (const std::string& file : files) {
    try {
      all.push_back({file, to_network(parse_nccl_tests(read_text_file(file), file), choice, file)});
      all.back().network.source = arguments.text("source").value_or("");
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError{std::move(problems)};
  return all;
}

/// One file's network goes to `out` itself, unless that is a folder; those of several go into it.
std::vector<fs::path> targets(const std::string& out, const std::vector<std::string>& files) {
  std::error_code error;
  const fs::path path{out};
  const bool folder = fs::is_directory(path, error) || !path.has_filename();
  if (files.size() == 1 && !folder) return {path};
  if (fs::exists(path, error) && !folder) {
    throw UsageError{fmt::format("--out: found '{}', a file; expected a folder for {} networks",
                                 out, files.size())};
  }
  std::vector<fs::path> paths;
  for (const std::string& file : files) {
    const fs::path target = path / fs::path{file}.filename().replace_extension(".json");
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (paths[i] != target) continue;
      throw UsageError{
          fmt::format("'{}' and '{}' would both become '{}'", files[i], file, target.string())};
    }
    paths.push_back(target);
  }
  return paths;
}

/// As short as tells them apart.
std::vector<std::string> short_names(const std::vector<Imported>& all) {
  std::vector<std::string> names;
  std::set<std::string> distinct;
  for (const Imported& one : all) {
    names.push_back(fs::path{one.file}.filename().string());
    distinct.insert(names.back());
  }
  if (distinct.size() == all.size()) return names;
  for (std::size_t i = 0; i < all.size(); ++i) names[i] = all[i].file;
  return names;
}

Exit predict_halves(const std::vector<Imported>& all, std::optional<double> within) {
  const std::vector<std::string> names = short_names(all);
  std::vector<NamedPredictions> files;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<MessageTime> measured;
    for (const NetworkPoint& point : all[i].network.points) {
      measured.push_back({point.bytes, Seconds{point.time.median}});
    }
    if (measured.size() < 3) {
      throw InputError{{{{all[i].file, 0, 0},
                         {},
                         fmt::format("{} message sizes", measured.size()),
                         "three at least, with --halves",
                         {}}}};
    }
    files.push_back({names[i], predict_other_half(measured)});
  }
  const TableStyle style = style_of_standard_output();
  fmt::print("{}\n{}", predictions_text(files, style),
             wrapped_after("",
                           "The law was fitted to the first, third, fifth size and so on, and "
                           "predicts the others.",
                           style));
  if (!within) return Exit::success;
  std::size_t far = 0;
  for (const NamedPredictions& file : files) {
    constexpr double hundred = 100.0;
    if (hundred * median(relative_errors(file.predictions)) > *within) ++far;
  }
  if (far == 0) {
    fmt::print("Every median error is within {} %.\n", *within);
  } else {
    fmt::print("The median error of {} of {} files is not within {} %.\n", far, files.size(),
               *within);
  }
  return far == 0 ? Exit::success : Exit::no;
}

}  // namespace

Exit import_nccl_tests(const Arguments& arguments, const std::vector<std::string>& files) {
  for (const char* other : {"trace", "model", "device", "parameters", "max-batch"}) {
    arguments.refuse(other, "nccl-tests");
  }
  if (files.empty()) {
    throw UsageError{"found no file; expected what all_reduce_perf printed, or wrote with -J"};
  }
  const bool halves = arguments.has("halves");
  const std::optional<double> within = arguments.percent("within");
  if (within && !halves) throw UsageError{"found --within; expected --halves beside it"};
  const auto out = arguments.text("out");
  if (halves) arguments.refuse("out", "--halves");
  const std::vector<fs::path> paths = out ? targets(*out, files) : std::vector<fs::path>{};
  const std::vector<Imported> all = read_all(arguments, files);
  if (halves) return predict_halves(all, within);
  for (std::size_t i = 0; i < all.size(); ++i) {
    fmt::print("{}{}\n\n{}", i == 0 ? "" : "\n", all[i].file,
               network_text(all[i].network, style_of_standard_output()));
    if (!out) continue;
    const std::string text = to_json(all[i].network);
    // What was imported must be what a network file allows.
    (void)parse_network_document(text, paths[i].string());
    write_text_file(paths[i].string(), text);
    fmt::print("\nWritten to {}\n", paths[i].string());
  }
  return Exit::success;
}

}  // namespace dbsim
