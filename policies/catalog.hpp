#pragma once
// All policies that come with dbsim, by name: one table, in the order in which people read it.
#include "sim/policy/catalog.hpp"

namespace dbsim {

[[nodiscard]] Catalog catalog();

}  // namespace dbsim
