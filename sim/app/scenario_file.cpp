#include "sim/app/scenario_file.hpp"

#include <fmt/format.h>

namespace dbsim {

Document load_with_settings(const std::string& file, const std::vector<std::string>& settings) {
  Document document = Document::load(file);
  for (const std::string& setting : settings) {
    const std::size_t sign = setting.find('=');
    if (sign == std::string::npos || sign == 0) {
      throw UsageError{
          fmt::format("--set: found '{}'; expected KEY=VALUE, such as job.epochs=20", setting)};
    }
    document.set(setting.substr(0, sign), setting.substr(sign + 1));
  }
  return document;
}

}  // namespace dbsim
