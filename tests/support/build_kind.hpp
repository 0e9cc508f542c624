#pragma once
// What this build can be asked to do in reasonable time.

namespace dbsim::test {

/// Some optimisation, perhaps under sanitizers.
#ifdef __OPTIMIZE__
inline constexpr bool optimised = true;
#else
inline constexpr bool optimised = false;
#endif

/// What users run: optimised, no sanitizers.
#ifdef NDEBUG
inline constexpr bool released = true;
#else
inline constexpr bool released = false;
#endif

}  // namespace dbsim::test
