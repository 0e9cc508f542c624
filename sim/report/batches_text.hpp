#pragma once
// Who got which batch, in as few words as the place allows: "fast/0-2: 165, slow/0: 24".
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "sim/trace/trace.hpp"

namespace dbsim {

/// Neighbours of one name (`fast/0`, `fast/1`) with the same batch share an entry. Where that takes
/// more than `room` characters, all neighbours of one name do, with the range of their batches;
/// where even that is too much, the last entries are counted instead of listed.
[[nodiscard]] std::string batches_text(std::span<const std::string> workers,
                                       const EpochTrace& epoch, std::size_t room);

/// The name with the number taken off: "fast" of "fast/0"; the whole name where there is none.
[[nodiscard]] std::string_view family_name(std::string_view worker);

/// "fast/0-2" of "fast/0" and "fast/2"; one name for a worker alone.
[[nodiscard]] std::string neighbours_name(std::string_view first, std::string_view last);

}  // namespace dbsim
