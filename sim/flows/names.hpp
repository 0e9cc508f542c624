#pragma once
// Names of things in a file: found again by name, suggested where one was mistyped.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/io/nearest.hpp"

namespace dbsim {

/// Names of one kind, by the order in which they came.
class Names {
 public:
  /// False when it is there already.
  bool add(const std::string& name) {
    names_.push_back(name);
    return places_.emplace(name, static_cast<std::uint32_t>(names_.size() - 1)).second;
  }
  [[nodiscard]] std::optional<std::uint32_t> find(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? std::nullopt : std::optional{found->second};
  }
  /// The nearest of them; only a few times, since each asks all names.
  [[nodiscard]] std::string suggest(std::string_view name) {
    constexpr int most = 20;
    if (++suggested_ > most) return {};
    return nearest(name, std::vector<std::string_view>{names_.begin(), names_.end()});
  }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::string& operator[](std::size_t place) const { return names_[place]; }
  [[nodiscard]] std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> places_;
  int suggested_{};
};

}  // namespace dbsim
