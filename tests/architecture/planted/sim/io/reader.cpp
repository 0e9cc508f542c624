// Breaks no rule: its own library, the C library, an arrow that exists.
#include <sys/stat.h>
#include <toml++/toml.h>
#include <unistd.h>

#include "sim/base/units.hpp"
#include <box/math.hpp>
