#include "tests/import/nccl_runs.hpp"

#include <fmt/format.h>

namespace dbsim::test {

namespace {

constexpr double out_of_place = 1.05;

/// Fewer decimals the larger the number, as nccl-tests prints.
std::string narrow(double value, int width) {
  const int decimals = value < 1000.0 ? 2 : value < 10'000.0 ? 1 : 0;
  return fmt::format("{:>{}.{}f}", value, width, decimals);
}

double bus_factor(const NcclRun& run) { return 2.0 * (run.ranks() - 1) / run.ranks(); }

std::string group(const NcclRun& run, double size, double microseconds, std::string_view wrong) {
  const double algbw = size / microseconds / 1000.0;
  return fmt::format("  {}  {}  {}  {:>5}", narrow(microseconds, 7), narrow(algbw, 6),
                     narrow(algbw * bus_factor(run), 6), wrong);
}

std::string rank_line(const NcclRun& run, int rank, std::string_view group) {
  const int device = rank % run.ranks_on_host;
  return fmt::format("#  Rank {:2} {}Pid {:6} on {:>10} device {:2} [0x{:02x}] Imaginary GPU 9000",
                     rank, group, 100 + rank, fmt::format("host{}", rank / run.ranks_on_host),
                     device, 16 + device);
}

std::vector<std::string> rows(const NcclRun& run, std::string_view kind, std::string_view wrong) {
  std::vector<std::string> lines;
  for (const double size : run.sizes) {
    const double time = run.in_place_us(size);
    lines.push_back(fmt::format("{:12.0f}  {:12.0f}  {}", size, size / 4, kind) +
                    group(run, size, time * out_of_place, wrong) + group(run, size, time, wrong));
  }
  return lines;
}

std::string json_time(const NcclRun& run, double size, double microseconds) {
  const double algbw = size / microseconds / 1000.0;
  return fmt::format(R"({{"time":{:.6f},"alg_bw":{:.6f},"bus_bw":{:.6f},"nwrong":null}})",
                     microseconds, algbw, algbw * bus_factor(run));
}

}  // namespace

std::vector<std::string> old_heading(const NcclRun& run) {
  std::vector<std::string> lines{
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 268435456 warmup iters: 5 iters: 20 validation: 1",
      "#", "# Using devices"};
  for (int rank = 0; rank < run.ranks(); ++rank) lines.push_back(rank_line(run, rank, ""));
  lines.insert(lines.end(),
               {"#", "#                                        out-of-place         in-place",
                "#  size  count  type  redop  time  algbw  busbw  error  time  algbw  busbw  error",
                "#  (B)  (elements)  (us)  (GB/s)  (GB/s)  (us)  (GB/s)  (GB/s)"});
  return lines;
}

std::vector<std::string> old_rows(const NcclRun& run) { return rows(run, "float  sum", "2e-07"); }

std::vector<std::string> new_heading(const NcclRun& run) {
  std::vector<std::string> lines{
      "# nccl-tests version 2.17.6 nccl-headers=22703 nccl-library=22809",
      "# Collective test starting: all_reduce_perf",
      "# nThread 1 nGpus 1 step: 4(factor) warmup iters: 1 iters: 50 agg iters: 1 graph: 0", "#",
      "# Using devices"};
  for (int rank = 0; rank < run.ranks(); ++rank) lines.push_back(rank_line(run, rank, "Group  0 "));
  lines.insert(
      lines.end(),
      {"#", "#                                               out-of-place          in-place",
       "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  #wrong",
       "#  (B)  (elements)  (us)  (GB/s)  (GB/s)  (us)  (GB/s)  (GB/s)"});
  return lines;
}

std::vector<std::string> new_rows(const NcclRun& run) { return rows(run, "float  sum  -1", "0"); }

std::string json_of(const NcclRun& run) {
  std::string devices;
  // One entry a process: a host.
  for (int host = 0; host < run.hosts; ++host) {
    devices += fmt::format(R"({}{{"rank":{},"group":0,"pid":{},"hostname":"host{}","device":0,)"
                           R"("device_info":"Imaginary GPU 9000"}})",
                           host == 0 ? "" : ",", host * run.ranks_on_host, 100 + host, host);
  }
  std::string results;
  for (const double size : run.sizes) {
    const double time = run.in_place_us(size);
    results += fmt::format(
        R"({}{{"size":{:.0f},"count":{:.0f},"type":"float","redop":"sum","root":"    -1",)"
        R"("out_of_place":{},"in_place":{},"actual_iterations":50,"experiment_name":null}})",
        results.empty() ? "" : ",\n", size, size / 4, json_time(run, size, time * out_of_place),
        json_time(run, size, time));
  }
  return fmt::format(
      R"({{"version":2,"start_time":"2026-01-02 03:04:05","args":["./all_reduce_perf","-J","x.json"],
"env":["A=b"],"nccl_version":22809,
"config":{{"nthreads":1,"ngpus":{},"iterations":50,"devices":[{}]}},
"results":[{}],
"out_of_bounds":{{"count":0,"okay":"true"}},
"average_bus_bandwidth":{{"bandwidth":1.0,"okay":"unchecked"}}}})",
      run.ranks_on_host, devices, results);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string old_text(const NcclRun& run) {
  return joined(old_heading(run)) + joined(old_rows(run)) +
         "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 1.0\n#\n";
}

std::string new_text(const NcclRun& run) {
  return joined(new_heading(run)) + joined(new_rows(run)) +
         "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 1.0\n#\n";
}

}  // namespace dbsim::test
