#pragma once
// Breaks no rule.
#include <vector>
