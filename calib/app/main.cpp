// Program dbsim-calibrate.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "calib/app/calibrate.hpp"
#include "calib/backend/cpu_family.hpp"
#include "calib/backend/devices.hpp"
#include "calib/cuda/cuda_family.hpp"
#include "sim/program/execute.hpp"

namespace {

using namespace dbsim;

/// In the order in which a device is looked for where none is named.
calib::DeviceFamilies families_of_this_build() {
  calib::DeviceFamilies families;
  families.push_back(calib::make_cuda_family());
  families.push_back(calib::make_cpu_family());
  return families;
}

}  // namespace

int main(int count, char* words[]) {
  try {
    const std::vector<std::string> given{words + 1, words + count};
    const calib::DeviceFamilies families = families_of_this_build();
    Exit exit = execute("dbsim-calibrate", calib::calibrate_command(families), given);
    if (std::fflush(stdout) != 0)
      exit = fail(Exit::no, "dbsim-calibrate: standard output could not be written");
    return static_cast<int>(exit);
  } catch (const std::exception& error) {
    return static_cast<int>(fail(Exit::internal_error, error.what()));
  }
}
