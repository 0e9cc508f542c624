#pragma once
// Breaks no rule.
#include <vector>
namespace dbsim {
struct Line {};
}  // namespace dbsim
