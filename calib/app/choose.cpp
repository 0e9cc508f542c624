#include "calib/app/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "calib/spec/model_file.hpp"
#include "calib/spec/model_shelf.hpp"
#include "sim/io/nearest.hpp"
#include "sim/report/layout.hpp"

namespace dbsim::calib {

namespace {

std::vector<ChosenDevice> all_devices(const DeviceFamilies& families) {
  std::vector<ChosenDevice> all;
  for (const std::unique_ptr<DeviceFamily>& family : families) {
    for (ListedDevice& device : family->list()) all.push_back({family.get(), std::move(device)});
  }
  return all;
}

std::string meant(const std::string& found, const std::vector<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string close = nearest(found, names);
  return close.empty() ? std::string{} : fmt::format("; did you mean '{}'?", close);
}

std::string how_to_use_the_cpu(const std::vector<ChosenDevice>& all) {
  const bool usable = std::any_of(all.begin(), all.end(), [](const ChosenDevice& chosen) {
    return chosen.device.name == "cpu" && chosen.device.unusable.empty();
  });
  return usable ? "; to measure the CPU instead: --device cpu" : "";
}

[[noreturn]] void refuse_all(const std::vector<ChosenDevice>& all) {
  std::string text = "no device can be used";
  if (all.empty()) text += ": this build contains none";
  for (const ChosenDevice& chosen : all) {
    text += fmt::format("\n  {}: {}", chosen.device.name, chosen.device.unusable);
  }
  throw UsageError{text};
}

[[noreturn]] void refuse_unknown(const std::string& name, const std::vector<ChosenDevice>& all) {
  std::vector<std::string> names;
  for (const ChosenDevice& chosen : all) names.push_back(chosen.device.name);
  if (names.empty()) {
    throw UsageError{
        fmt::format("--device: found '{}'; this build contains no device at all", name)};
  }
  const std::string close = meant(name, names);
  throw UsageError{fmt::format("--device: found '{}'; expected one of {}{}{}", name,
                               fmt::join(names, ", "), close,
                               close.empty() ? how_to_use_the_cpu(all) : "")};
}

void require_listed(std::string_view option, const std::string& found,
                    const std::vector<std::string>& known, const std::string& device) {
  if (std::find(known.begin(), known.end(), found) != known.end()) return;
  throw UsageError{fmt::format("--{}: found '{}'; expected one of {} on {}{}", option, found,
                               fmt::join(known, ", "), device, meant(found, known))};
}

ChosenDevice named_or_first(const std::vector<ChosenDevice>& all, const Request& request) {
  if (!request.device) {
    const auto first = std::find_if(all.begin(), all.end(), [](const ChosenDevice& chosen) {
      return chosen.device.unusable.empty();
    });
    if (first == all.end()) refuse_all(all);
    return *first;
  }
  const auto named = std::find_if(all.begin(), all.end(), [&](const ChosenDevice& chosen) {
    return chosen.device.name == *request.device;
  });
  if (named == all.end()) refuse_unknown(*request.device, all);
  if (!named->device.unusable.empty()) {
    throw UsageError{fmt::format("--device: {} cannot be used: {}{}", named->device.name,
                                 named->device.unusable, how_to_use_the_cpu(all))};
  }
  return *named;
}

std::string device_lines(const ListedDevice& device) {
  const std::string lead = fmt::format("  {:<10}", device.name);
  if (!device.unusable.empty()) {
    return wrapped_after(lead, "cannot be used: " + device.unusable, {});
  }
  return wrapped_after(
      lead,
      fmt::format("{}; --backend auto, {}; --precision {}", device.description,
                  fmt::join(device.backends, ", "), fmt::join(device.precisions, ", ")),
      {});
}

}  // namespace

ChosenDevice choose_device(const DeviceFamilies& families, const Request& request) {
  ChosenDevice chosen = named_or_first(all_devices(families), request);
  std::vector<std::string> backends{"auto"};
  backends.insert(backends.end(), chosen.device.backends.begin(), chosen.device.backends.end());
  require_listed("backend", request.backend, backends, chosen.device.name);
  require_listed("precision", request.precision, chosen.device.precisions, chosen.device.name);
  return chosen;
}

Model choose_model(const Request& request, const std::filesystem::path& folder) {
  if (request.model.ends_with(".toml")) {
    if (!request.dataset.empty()) {
      throw UsageError{"--dataset: names a model that comes with dbsim, not one in a file"};
    }
    return load_model(request.model);
  }
  const std::string name =
      request.dataset.empty() ? request.model : request.model + "-" + request.dataset;
  return find_model(name, folder.string());
}

std::string listing(const DeviceFamilies& families, const std::filesystem::path& folder) {
  std::string text = "Devices\n";
  const std::vector<ChosenDevice> devices = all_devices(families);
  if (devices.empty()) text += "  none: this build contains no backend\n";
  for (const ChosenDevice& chosen : devices) text += device_lines(chosen.device);
  text += "\nModels\n";
  for (const ModelSummary& model : list_models(folder.string())) {
    constexpr double mega = 1e6;
    constexpr double giga = 1e9;
    text += fmt::format("  {:<32}{:>7.2f} M parameters, {:>8.3f} G multiply-adds\n", model.name,
                        static_cast<double>(model.parameters) / mega,
                        model.forward_multiply_adds / giga);
    text += wrapped_after("      ", model.description, {});
  }
  return text + fmt::format("\nModels are in {}\n", folder.string());
}

}  // namespace dbsim::calib
