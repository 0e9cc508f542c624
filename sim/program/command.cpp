#include "sim/program/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>

#include "sim/io/lines.hpp"
#include "sim/io/nearest.hpp"
#include "sim/report/layout.hpp"

namespace dbsim {

namespace po = boost::program_options;

namespace {

po::options_description described(std::span<const Option> options) {
  po::options_description description;
  for (const Option& option : options) {
    const std::string name{option.name};
    const std::string meaning{option.meaning};
    if (option.value.empty()) {
      description.add_options()(name.c_str(), meaning.c_str());
    } else {
      auto* value = po::value<std::vector<std::string>>();
      if (option.times == Option::Times::many) value->composing();
      description.add_options()(name.c_str(), value, meaning.c_str());
    }
  }
  return description;
}

std::string unknown_option(std::span<const Option> options, std::string word) {
  word = word.substr(0, word.find('='));
  const std::size_t dashes = word.find_first_not_of('-');
  std::vector<std::string_view> names;
  for (const Option& option : options) names.push_back(option.name);
  const std::string close =
      nearest(dashes == std::string::npos ? word : word.substr(dashes), names);
  return fmt::format("unknown option '{}'{}", word,
                     close.empty() ? std::string{} : fmt::format("; did you mean '--{}'?", close));
}

}  // namespace

bool Arguments::has(std::string_view option) const { return given_.contains(option); }

std::optional<std::string> Arguments::text(std::string_view option) const {
  const auto found = given_.find(option);
  if (found == given_.end()) return std::nullopt;
  return found->second.back();
}

std::vector<std::string> Arguments::texts(std::string_view option) const {
  const auto found = given_.find(option);
  return found == given_.end() ? std::vector<std::string>{} : found->second;
}

std::optional<std::uint64_t> Arguments::whole(std::string_view option, std::uint64_t least) const {
  const std::optional<std::string> word = text(option);
  if (!word) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word->data(), word->data() + word->size(), value);
  constexpr std::uint64_t most = INT64_MAX;
  if (error != std::errc{} || end != word->data() + word->size() || value < least || value > most) {
    throw UsageError{fmt::format("--{}: found '{}'; expected a whole number, at least {}", option,
                                 *word, least)};
  }
  return value;
}

std::optional<double> Arguments::percent(std::string_view option) const {
  const std::optional<std::string> word = text(option);
  if (!word) return std::nullopt;
  const std::optional<double> value = parse_number(*word);
  if (!value || *value < 0.0) {
    throw UsageError{fmt::format("--{}: found '{}'; expected percent, at least 0", option, *word)};
  }
  return value;
}

void Arguments::refuse(std::string_view option, std::string_view action) const {
  if (!has(option)) return;
  throw UsageError{fmt::format("found --{} beside {}, which has no use for it", option, action)};
}

Arguments parse(std::span<const Option> options, const std::vector<std::string>& words) {
  const po::options_description description = described(options);
  Arguments arguments;
  try {
    const auto parsed =
        po::command_line_parser(words)
            .options(description)
            .style(po::command_line_style::default_style & ~po::command_line_style::allow_guessing)
            .run();
    for (const auto& option : parsed.options) {
      if (option.position_key >= 0) {
        arguments.words_.insert(arguments.words_.end(), option.value.begin(), option.value.end());
        continue;
      }
      std::vector<std::string>& values = arguments.given_[option.string_key];
      const auto declared =
          std::ranges::find(options, std::string_view{option.string_key}, &Option::name);
      if (declared != options.end() && declared->times == Option::Times::once && !values.empty()) {
        throw UsageError{fmt::format("--{} is given twice", option.string_key)};
      }
      values.insert(values.end(), option.value.begin(), option.value.end());
      if (option.value.empty()) values.emplace_back();
    }
  } catch (const po::unknown_option& error) {
    throw UsageError{unknown_option(options, error.get_option_name())};
  } catch (const po::error& error) {
    throw UsageError{error.what()};
  }
  return arguments;
}

std::vector<std::string> split_at_commas(const std::string& list) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    if (comma > begin) words.push_back(list.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return words;
}

std::string help_text(std::string_view called, const Command& command) {
  std::string text = fmt::format("Usage: {} {}\n\n{}\n", called, command.usage, command.summary);
  if (!command.options.empty()) text += "\nOptions:\n";
  for (const Option& option : command.options) {
    std::string left = fmt::format("  --{}", option.name);
    if (!option.value.empty()) left += fmt::format(" {}", option.value);
    text += wrapped_after(fmt::format("{:<24}", left), option.meaning, {});
  }
  if (!command.example.empty()) text += fmt::format("\nExample:\n  {}\n", command.example);
  return text;
}

}  // namespace dbsim
