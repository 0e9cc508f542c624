// A comment before the pragma.
#pragma once
#include <fmt/format.h>
namespace dbsim {
struct Line {};
}  // namespace dbsim
