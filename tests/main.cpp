// One runner for all test programs: Catch2's own main is compiled once.
#if __has_include(<catch2/catch.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#else
#include <catch2/catch_session.hpp>
int main(int count, char* words[]) { return Catch::Session().run(count, words); }
#endif
