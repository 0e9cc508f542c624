#include <stdexcept>

#include "calib/network/mpi_all_reduce.hpp"

namespace dbsim::calib {

std::string mpi_unusable() {
  return "dbsim was built without MPI (Debian: libopenmpi-dev, openmpi-bin)";
}

std::unique_ptr<AllReduce> make_mpi_all_reduce(std::int64_t) {
  throw std::runtime_error{mpi_unusable()};
}

}  // namespace dbsim::calib
