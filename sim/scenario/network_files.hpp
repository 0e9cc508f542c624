#pragma once
// The files that tell how a network behaves over time, each from its text; `file` is named in
// messages. All throw InputError with everything that is wrong.
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/traffic_spec.hpp"

namespace dbsim {

struct RowCell;

/// Columns: delay.
[[nodiscard]] std::vector<Seconds> read_delays(std::string_view text, const std::string& file);

/// Columns: time, bandwidth. Times rise; a link without bandwidth gets some again.
[[nodiscard]] BandwidthProfile read_bandwidth_profile(std::string_view text,
                                                      const std::string& file,
                                                      std::optional<Seconds> loop);

/// Columns: start, from, to, size, and limit where some flows have one. `ends_of` says which hosts
/// two cells name, or files a problem. Flows come out by their start.
using EndsOf =
    std::function<std::optional<FlowEnds>(const RowCell&, const RowCell&, std::vector<Problem>&)>;
[[nodiscard]] TracedTraffic read_traffic_trace(std::string_view text, const std::string& file,
                                               const EndsOf& ends_of);

}  // namespace dbsim
