#pragma once
// What dbsim import can make, each from files that other programs wrote.
#include <string>
#include <vector>

#include "sim/program/command.hpp"

namespace dbsim {

/// A profile of step times.
Exit import_profile(const Arguments& arguments, const std::vector<std::string>& files);
/// Networks of what nccl-tests measured, one of each file.
Exit import_nccl_tests(const Arguments& arguments, const std::vector<std::string>& files);

}  // namespace dbsim
