// Runs one simulation through the installed libraries: a scenario file in, a time out.
#include <chrono>
#include <exception>
#include <iostream>
#include <stdexcept>

#include "policies/catalog.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/io/document.hpp"
#include "sim/model/setup.hpp"
#include "sim/scenario/load.hpp"

int main(int count, char* words[]) {
  try {
    if (count != 2) throw std::runtime_error("usage: consumer SCENARIO");
    const dbsim::Catalog catalog = dbsim::catalog();
    const dbsim::Scenario scenario = dbsim::load_scenario(dbsim::Document::load(words[1]), catalog);
    const dbsim::PolicySpec& policy = scenario.policies.front();
    const dbsim::RunTrace trace =
        dbsim::simulate(dbsim::make_setup(scenario), catalog[policy.kind].make(policy.parameters),
                        dbsim::RandomStreams{scenario.seed});
    std::cout << policy.label << ": " << trace.epochs.size() << " epochs in "
              << std::chrono::duration<double>{trace.total()}.count() << " s\n";
    return trace.epochs.empty() ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
