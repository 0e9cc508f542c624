#include <fmt/format.h>
#include <toml++/toml.h>
#include <unheard/of.hpp>
#include <box/math/all.hpp>
#  include "sim/io/reader.hpp"
#include "sim/io/reader.cpp"
#include "tests/engine_test.cpp"
