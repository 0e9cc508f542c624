#include "sim/engine/engine.hpp"
#include "units.hpp"
