#include "sim/report/write_results.hpp"

#include <filesystem>

#include "sim/io/files.hpp"
#include "sim/report/results_json.hpp"
#include "tests/catch.hpp"
#include "tests/report/sample_runs.hpp"

using namespace dbsim;

TEST_CASE("epochs.csv has the columns of a measured run after the policy", "[files]") {
  RunSet runs = sample::small_run_set();
  for (PolicyRuns& policy : runs.policies) {
    for (RunTrace& run : policy.repeats) run.epochs.resize(1);
  }
  runs.policies.at(1).label = "dbs, \"code\"";
  CHECK(epochs_csv(summarise(runs)) ==
        "policy,epoch,worker,batch,samples,own_s,communication_s,wait_s,epoch_s\n"
        "fixed,0,fast/0,4,4,0.4,0.1,0.6,1.1\n"
        "fixed,0,fast/1,4,4,0.4,0.1,0.6,1.1\n"
        "fixed,0,slow,4,4,1,0.1,0,1.1\n"
        "\"dbs, \"\"code\"\"\",0,fast/0,4,4,0.4,0.1,0.6,1.1\n"
        "\"dbs, \"\"code\"\"\",0,fast/1,4,4,0.4,0.1,0.6,1.1\n"
        "\"dbs, \"\"code\"\"\",0,slow,4,4,1,0.1,0,1.1\n");
}

TEST_CASE("the folder holds both files, as the functions give them", "[files]") {
  const Results results = summarise(sample::small_run_set());
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "dbsim-write-results-test" / "deeper";
  write_results(results, folder.string());
  CHECK(read_text_file((folder / "results.json").string()) == results_json(results));
  CHECK(read_text_file((folder / "epochs.csv").string()) == epochs_csv(results));
  std::filesystem::remove_all(folder.parent_path());
}
