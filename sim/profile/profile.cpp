#include "sim/profile/profile.hpp"

#include <cmath>

namespace dbsim {

double lognormal_sigma(double spread) { return std::sqrt(std::log1p(spread * spread)); }

}  // namespace dbsim
