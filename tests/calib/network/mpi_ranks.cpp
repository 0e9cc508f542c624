// One rank of a real measurement: dbsim_test_mpi_ranks FILE RANKS, under mpirun. Rank 0 reads the
// file back and says what is wrong with it.
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include "calib/network/calibrate_network.hpp"
#include "sim/io/files.hpp"
#include "sim/network/network_document.hpp"
#include "sim/report/network_text.hpp"

using namespace dbsim;

namespace {

int failures = 0;

void expect(bool holds, const std::string& claim) {
  if (holds) return;
  std::cerr << "failed: " << claim << '\n';
  ++failures;
}

void look_at(const NetworkDocument& document, int ranks, std::size_t sizes) {
  expect(document.ranks() == ranks, "all ranks are counted");
  expect(document.ranks_per_host.size() == 1, "they share one host");
  expect(document.devices.size() == 1, "its processor is named once");
  expect(document.library.find("MPI") != std::string::npos, "the library is named");
  expect(document.points.size() == sizes, "every size was measured");
  expect(document.points.back().time.median > document.points.front().time.median,
         "a megabyte takes longer than 8 bytes");
  expect(document.fit && document.fit->bandwidth.count() > 1e6, "there is a bandwidth");
}

}  // namespace

int main(int count, char* words[]) {
  if (count != 3) return 2;
  try {
    calib::NetworkMeasureOptions options;
    options.sizes = calib::message_sizes(8, 1 << 20, 8.0);
    constexpr double budget_s = 2.0;
    options.budget_s = budget_s;
    const auto now = [] {
      const auto instant = std::chrono::steady_clock::now().time_since_epoch();
      return std::chrono::duration<double>(instant).count();
    };
    const auto document =
        calib::calibrate_network(options, {.now = now, .stop = {}, .report = {}}, "a test", "");
    if (!document) return 0;  // not rank 0
    write_text_file(words[1], to_json(*document));
    const NetworkDocument read = load_network_document(words[1]);
    expect(read == *document, "the file says what was measured");
    look_at(read, std::atoi(words[2]), options.sizes.size());
    std::cout << network_text(read, {});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 3;
  }
  return failures == 0 ? 0 : 1;
}
