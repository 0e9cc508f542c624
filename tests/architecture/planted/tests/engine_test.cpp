// Tests may include everything, but only what exists.
#include <toml++/toml.h>
#include "sim/engine/engine.hpp"
#include "sim/engine/gone.hpp"
