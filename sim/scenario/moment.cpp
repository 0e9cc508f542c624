#include "sim/scenario/moment.hpp"

#include <fmt/format.h>

#include <charconv>

#include "sim/io/quantity.hpp"

namespace dbsim {

std::optional<Moment> parse_moment(std::string_view text) {
  constexpr std::string_view word = "epoch ";
  if (text.starts_with(word)) {
    text.remove_prefix(word.size());
    std::int64_t epoch = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), epoch);
    if (error != std::errc{} || end != text.data() + text.size() || epoch < 0) return std::nullopt;
    return EpochStart{epoch};
  }
  const std::optional<Seconds> time = parse_duration(text);
  if (!time || time->count() < 0.0) return std::nullopt;
  return *time;
}

std::string to_text(const Moment& moment) {
  if (const auto* start = std::get_if<EpochStart>(&moment)) {
    return fmt::format("epoch {}", start->epoch);
  }
  return to_text(std::get<Seconds>(moment));
}

}  // namespace dbsim
