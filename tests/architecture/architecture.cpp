// Compares the tree on disk with what CMake was told: arrows between rooms, listed sources, homes
// of libraries. And no two types of a namespace have one name.
//
//   dbsim_architecture DESCRIPTION ROOT     exit 0: all rules hold; 1: the violations are printed;
//   2: unusable input
#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

// Written by cmake/DbsimArchitecture.cmake, one fact a line.
struct Description {
  int most_lines{};                                    // of code, in a file of a room
  std::map<std::string, std::set<std::string>> rooms;  // room -> rooms it may include
  std::map<std::string, std::string>
      homes;                   // third-party library -> the room that may include it, * is all
  std::set<std::string> open;  // folders that may include everything
  std::set<std::string> skipped;
  std::set<std::string> sources;  // what some target compiles
};

Description read_description(const fs::path& path) {
  std::ifstream in{path};
  if (!in) throw std::runtime_error(path.string() + ": cannot be read");
  Description result;
  for (std::string line; std::getline(in, line);) {
    std::istringstream stream{line};
    std::string kind;
    std::string name;
    stream >> kind >> name;
    if (kind == "most-lines") result.most_lines = std::stoi(name);
    const std::set<std::string> rest{std::istream_iterator<std::string>{stream}, {}};
    if (kind == "room") result.rooms[name] = rest;
    if (kind == "home") result.homes[name] = rest.empty() ? "*" : *rest.begin();
    if (kind == "open") result.open.insert(name);
    if (kind == "skip") result.skipped.insert(name);
    if (kind == "source") result.sources.insert(name);
  }
  return result;
}

// True for "sim/io" itself and all that is under it.
bool is_under(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_under_any(std::string_view path, const std::set<std::string>& folders) {
  return std::ranges::any_of(folders, [&](const auto& folder) { return is_under(path, folder); });
}

std::string folder_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string{path.substr(0, slash == std::string_view::npos ? 0 : slash)};
}

// True for <boost/math.hpp> and <boost/math/all.hpp> of library boost/math.
bool is_part_of(std::string_view header, std::string_view library) {
  return header.starts_with(library) &&
         header.find_first_of("/.", library.size()) == library.size();
}

bool is_header(std::string_view path) { return path.ends_with(".hpp") || path.ends_with(".cuh"); }
bool is_source(std::string_view path) { return path.ends_with(".cpp") || path.ends_with(".cu"); }

struct Include {
  std::string path;
  bool quoted{};
};

std::optional<Include> parse_include(const std::string& line) {
  std::istringstream stream{line};
  char hash{};
  std::string word;
  if (!(stream >> hash) || hash != '#' || !(stream >> word) || !word.starts_with("include"))
    return std::nullopt;
  const auto begin = line.find_first_of("<\"");
  if (begin == std::string::npos) return std::nullopt;
  const bool quoted = line[begin] == '"';
  const auto end = line.find(quoted ? '"' : '>', begin + 1);
  return Include{line.substr(begin + 1, end - begin - 1), quoted};
}

// The type that a line outside all types begins to define: "struct Name {" or "class Name".
std::optional<std::string> defined_type(const std::string& line) {
  if (line.ends_with(';') && !line.ends_with("{};")) return std::nullopt;
  std::istringstream stream{line};
  std::string word;
  stream >> word;
  if (!line.starts_with(word)) return std::nullopt;
  if (word == "enum") stream >> word;
  if (word != "struct" && word != "class") return std::nullopt;
  while (stream >> word && word.starts_with("[[")) {
  }
  const bool name = word.find_first_of(":<") == std::string::npos;
  return name ? std::optional{word} : std::nullopt;
}

// Which namespaces surround a line, as our formatting shows it.
class Namespaces {
 public:
  void read(const std::string& line) {
    if (line.starts_with("namespace ") && line.ends_with('{')) {
      inside_.push_back(line.substr(10, line.size() - 11));
    } else if (line.starts_with("}  // namespace") && !inside_.empty()) {
      inside_.pop_back();
    }
  }
  // Empty where names are the file's own.
  [[nodiscard]] std::string name() const {
    std::string result;
    for (const std::string& one : inside_) {
      if (one.empty()) return {};
      result += one.substr(0, one.find(' ')) + "::";
    }
    return result;
  }

 private:
  std::vector<std::string> inside_;
};

class Checker {
 public:
  Checker(Description description, fs::path root)
      : description_{std::move(description)}, root_{std::move(root)} {}

  // All violations, in the order of the paths.
  std::vector<std::string> run() {
    for (const auto& path : files()) check_file(path);
    return std::move(violations_);
  }

 private:
  // Every C++ file below the folders that hold rooms or are open.
  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> tops = description_.open;
    for (const auto& [room, uses] : description_.rooms) tops.insert(room.substr(0, room.find('/')));
    std::set<std::string> result;
    for (const auto& top : tops) {
      if (!fs::is_directory(root_ / top)) continue;
      for (const auto& entry : fs::recursive_directory_iterator{root_ / top}) {
        const std::string path = entry.path().lexically_relative(root_).generic_string();
        const bool ours = is_header(path) || is_source(path);
        if (ours && !is_under_any(path, description_.skipped)) result.insert(path);
      }
    }
    return result;
  }

  void check_file(const std::string& path) {
    const bool open = is_under_any(path, description_.open);
    const std::string room = folder_of(path);
    if (!description_.sources.contains(path) && !(open && is_header(path)))
      violation(path, 1, "is on disk but no target lists it");
    if (!open && !description_.rooms.contains(room)) {
      violation(path, 1, "'" + room + "' is not a room; declare it with dbsim_room");
      return;
    }
    std::ifstream in{root_ / path};
    int code = 0;
    int number = 0;
    Namespaces namespaces;
    for (std::string line; std::getline(in, line);) {
      ++number;
      namespaces.read(line);
      if (const auto type = defined_type(line)) check_name(path, number, namespaces.name(), *type);
      if (number == 1 && is_header(path) && line != "#pragma once")
        violation(path, number, "a header opens with #pragma once");
      const auto first = line.find_first_not_of(" \t");
      if (first != std::string::npos && line.compare(first, 2, "//") != 0) ++code;
      if (const auto include = parse_include(line)) check_include(path, number, *include);
    }
    if (!open && code > description_.most_lines)
      violation(path, number,
                std::to_string(code) + " lines of code; a file has at most " +
                    std::to_string(description_.most_lines));
  }

  // Two types of one name do not meet in one file as a rule, and linkers take either one's
  // functions.
  void check_name(const std::string& path, int line, const std::string& space,
                  const std::string& type) {
    if (space.empty()) return;
    const auto [known, fresh] = types_.emplace(space + type, path);
    if (!fresh) violation(path, line, space + type + " is another type in " + known->second);
  }

  void check_include(const std::string& path, int line, const Include& include) {
    if (include.quoted)
      check_own(path, line, include.path);
    else
      check_third_party(path, line, include.path);
  }

  void check_own(const std::string& path, int line, const std::string& included) {
    if (!fs::exists(root_ / included)) {
      violation(path, line, "\"" + included + "\" is not a path from the root of the tree");
      return;
    }
    if (is_under_any(path, description_.open)) return;
    const std::string from = folder_of(path);
    const std::string to = folder_of(included);
    if (from == to || description_.rooms.at(from).contains(to)) return;
    violation(path, line, "no arrow " + from + " -> " + to + " (\"" + included + "\")");
  }

  void check_third_party(const std::string& path, int line, const std::string& included) {
    if (is_under_any(path, description_.open)) return;
    const bool standard = included.find_first_of("/.") == std::string::npos;
    if (standard) return;
    // A .cuh is part of the .cu files around it.
    if (is_header(path) && !path.ends_with(".cuh")) {
      violation(path, line, "<" + included + "> in a header; libraries stay in .cpp files");
      return;
    }
    const auto home = std::ranges::find_if(
        description_.homes, [&](const auto& known) { return is_part_of(included, known.first); });
    if (home == description_.homes.end()) {
      // The C library of the system: <unistd.h>, <sys/stat.h>.
      if (included.find('/') == std::string::npos || included.starts_with("sys/")) return;
      violation(path, line,
                "<" + included + "> has no home; name one in cmake/DbsimArchitecture.cmake");
    } else if (home->second != "*" && home->second != folder_of(path)) {
      violation(path, line, "<" + included + "> does not live here; its home is " + home->second);
    }
  }

  void violation(const std::string& path, int line, const std::string& what) {
    violations_.push_back(path + ":" + std::to_string(line) + ": " + what);
  }

  Description description_;
  fs::path root_;
  std::map<std::string, std::string> types_;  // where each is defined
  std::vector<std::string> violations_;
};

}  // namespace

int main(int count, char* words[]) {
  try {
    if (count != 3) throw std::runtime_error("usage: dbsim_architecture DESCRIPTION ROOT");
    Checker checker{read_description(words[1]), words[2]};
    const auto violations = checker.run();
    for (const auto& violation : violations) std::cout << violation << '\n';
    return violations.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "dbsim_architecture: " << error.what() << '\n';
    return 2;
  }
}
