// Every key that says what happens on a network reaches the run, beside what it must cost by hand.
#include <initializer_list>
#include <string>
#include <utility>

#include "sim/io/files.hpp"
#include "tests/catch.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/support/shipped.hpp"

using namespace dbsim;

namespace {

/// Two workers compute for 11 ms; then a ring of two rounds of 10 MB at 1 GB/s.
constexpr const char* one_step = R"(dbsim = 1
name = "one step"
policies = ["fixed"]
job = { model = "m", samples = 2, epochs = 1, global_batch = 2, gradient = "20 MB" }
worker = [{ name = "w", count = 2, profile = { overhead = "10 ms", per_sample = "1 ms" } }]
[network]
star = { bandwidth = "1 GB/s" }
)";

Span communication_of(const std::string& keys, const std::string& folder) {
  const Document document = Document::toml(one_step + keys, folder + "/s.toml");
  const RunSet runs = predict(load_scenario(document, catalog()), catalog(), {});
  return runs.policies.front().repeats.front().epochs.front().workers.front().communication;
}

}  // namespace

TEST_CASE("every key of a network in use costs what it must", "[predict]") {
  const TemporaryFolder folder;
  write_text_file(folder / "delays.csv", "delay\n2 ms\n2 ms\n");
  write_text_file(folder / "half.csv", "time, bandwidth\n21 ms, 0.5 GB/s\n");
  write_text_file(folder / "flows.csv", "start, from, to, size\n11 ms, w/0, w/1, 10 MB\n");
  const std::string flow = "traffic = [{ from = \"w/0\", to = \"w/1\"";
  for (const auto& [keys, milliseconds] : std::initializer_list<std::pair<std::string, double>>{
           {"", 20},
           {"overhead = \"1 ms\"", 22},
           {"efficiency = { size = [\"1 MB\"], fraction = [0.5] }", 40},
           {"jitter = { samples = \"delays.csv\" }", 24},
           {"jitter = { median = \"3 ms\", sigma = 0 }", 26},
           {"spike = { chance = 1, length = \"5 ms\" }", 30},
           {"link = [{ worker = \"w\", profile = \"half.csv\" }]", 30},
           {"link = [{ ends = [\"switch/0\", \"w/1\"], profile = \"half.csv\" }]", 30},
           {flow + " }]", 40},
           {flow + ", limit = \"0.2 GB/s\" }]", 25},
           // On until 16 ms: 2.5 MB in the first 5 ms, and then all of the link.
           {flow + ", on = \"16 ms\", off = \"100 ms\" }]", 22.5},
           {"traffic = [{ trace = \"flows.csv\" }]", 30}}) {
    CAPTURE(keys);
    for (const char* detail : {"message", "fluid"}) {
      const Span found = communication_of(keys + "\ncollective = { detail = \"" + detail + "\" }\n",
                                          folder.path());
      CHECK(to_seconds(found).count() == Approx(1e-3 * milliseconds).epsilon(1e-6));
    }
  }
}
