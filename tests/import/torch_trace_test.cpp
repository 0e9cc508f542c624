#include "sim/import/torch_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/base/error.hpp"
#include "sim/io/files.hpp"
#include "tests/catch.hpp"
#include "tests/io/temporary_folder.hpp"

using namespace dbsim;

namespace {

/// Writes down events as the profiler does, times in microseconds.
class Events {
 public:
  void add(std::string_view category, std::string_view name, double from, double to,
           std::string_view args = {}) {
    text_ += fmt::format(
        "{}{{\"ph\": \"X\", \"cat\": \"{}\", \"name\": \"{}\", \"pid\": 1, \"tid\": 2, \"ts\": {}, "
        "\"dur\": {}, \"args\": {{{}}}}}",
        text_.empty() ? "" : ",\n", category, name, from, to - from, args);
  }
  /// A kernel, and the call that launched it.
  void kernel(std::string_view name, double launched, double from, double to,
              std::string_view args = {}) {
    const std::string id = fmt::format("\"correlation\": {}", ++correlation_);
    add("cuda_runtime", "cudaLaunchKernel", launched, launched + 1, id);
    add("kernel", name, from, to, args.empty() ? id : fmt::format("{}, {}", id, args));
  }
  [[nodiscard]] std::string list() const { return "[" + text_ + "]"; }
  [[nodiscard]] std::string table() const {
    return "{\"schemaVersion\": 1,\n\"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA T4\", "
           "\"totalGlobalMem\": 16000000000}],\n\"traceEvents\": [\n" +
           text_ + "\n], \"traceName\": \"t.json\"}";
  }

 private:
  std::string text_;
  int correlation_{0};
};

TorchTrace read(const std::string& text) {
  const TemporaryFolder folder;
  write_text_file(folder / "t.json", text);
  return read_torch_trace(folder / "t.json", Samples{32});
}

/// One step whose launches begin at `cpu` and whose kernels begin at `gpu`; the second all-reduce
/// runs alone for `alone`.
void add_step(Events& events, int number, double cpu, double gpu, double alone) {
  events.add("user_annotation", fmt::format("ProfilerStep#{}", number), cpu, cpu + 100);
  events.kernel("forward", cpu + 10, gpu + 15, gpu + 35);
  events.add("cpu_op", "autograd::engine::evaluate_function: AddmmBackward0", cpu + 30, cpu + 50);
  events.add("cpu_op", "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad",
             cpu + 50, cpu + 60);
  events.kernel("grad", cpu + 35, gpu + 40, gpu + 80);
  events.kernel("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", cpu + 45, gpu + 50,
                gpu + 90, "\"In msg nelems\": 1000, \"dtype\": \"Float\"");
  events.kernel("grad", cpu + 55, gpu + 80, gpu + 100);
  events.add(
      "cpu_op", "record_param_comms", cpu + 57, cpu + 58,
      fmt::format("\"External id\": {}, \"In msg nelems\": 500, \"dtype\": \"c10::Half\"", number));
  events.kernel("ncclDevKernel_AllReduce_Sum_f16_RING_LL(ncclDevKernelArgs)", cpu + 58, gpu + 100,
                gpu + 100 + alone, fmt::format("\"External id\": {}", number));
  events.add("cpu_op", "Optimizer.step#SGD.step", cpu + 65, cpu + 75);
  events.kernel("update", cpu + 70, gpu + 100 + alone, gpu + 110 + alone);
}

std::vector<double> microseconds(std::vector<double> seconds) {
  for (double& value : seconds) value = std::round(value * 1e9) / 1e3;
  return seconds;
}

bool says(const TorchTrace& trace, std::string_view words) {
  return std::ranges::any_of(trace.remarks, [&](const std::string& remark) {
    return remark.find(words) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("on a CPU the operators' own times count", "[import]") {
  Events events;
  for (const double at : {0.0, 1000.0}) {
    events.add("user_annotation", "ProfilerStep#4", at, at + 900);
    events.add("cpu_op", "aten::linear", at + 10, at + 250);
    events.add("cpu_op", "autograd::engine::evaluate_function: A", at + 300, at + 400);
    events.add("cpu_op", "autograd::engine::evaluate_function: B", at + 420, at + 700);
    events.add("cpu_op", "Optimizer.step#Adam.step", at + 720, at + 800);
  }
  for (const std::string& text : {events.list(), events.table()}) {  // both shapes are met
    const TorchTrace trace = read(text);
    CHECK(trace.times.batch == Samples{32});
    CHECK(microseconds(trace.times.step) == std::vector<double>{900, 900});
    CHECK(microseconds(trace.times.forward) == std::vector<double>{300, 300});
    CHECK(microseconds(trace.times.backward) == std::vector<double>{400, 400});
    CHECK(microseconds(trace.times.update) == std::vector<double>{80, 80});
    CHECK(trace.buckets.empty());
    CHECK_FALSE(says(trace, "NCCL"));
  }
  CHECK(read(events.list()).device.name.empty());
  CHECK(read(events.table()).device.name == "NVIDIA T4");
  CHECK(read(events.table()).device.memory == Bytes{16e9});
}

TEST_CASE("on a GPU a step lasts to its last kernel, without the time NCCL runs alone",
          "[import]") {
  Events events;
  add_step(events, 1, 0, 20, 20);     // ends at 150: where the next is measured from
  add_step(events, 2, 100, 160, 20);  // ends at 290
  add_step(events, 3, 200, 300, 30);  // ends at 440
  const TorchTrace trace = read(events.table());
  // 290 - 150 - 20 and 440 - 290 - 30.
  CHECK(microseconds(trace.times.step) == std::vector<double>{120, 120});
  CHECK(microseconds(trace.times.forward) == std::vector<double>{50, 50});   // 150 to 160 + 40
  CHECK(microseconds(trace.times.backward) == std::vector<double>{60, 60});  // 40 to 100
  CHECK(microseconds(trace.times.update) == std::vector<double>{10, 10});
  // The all-reduces begin 10 and 60 of 60 after backward does; 1000 floats and 500 halves.
  REQUIRE(trace.buckets.size() == 2);
  CHECK(trace.buckets[0].bytes == Bytes{4000.0});
  CHECK(trace.buckets[0].ready == Approx(1.0 / 6.0));
  CHECK(trace.buckets[1].bytes == Bytes{1000.0});
  CHECK(trace.buckets[1].ready == Approx(1.0));
  CHECK(says(trace, "waiting for slower ranks"));
}

TEST_CASE("all-reduces of unknown size make a remark and no buckets", "[import]") {
  Events events;
  for (const double at : {0.0, 100.0}) {
    events.add("Operator", "ProfilerStep#1", at, at + 100);
    events.kernel("forward", at + 5, at + 10, at + 20);
    events.add("Operator", "autograd::engine::evaluate_function: A", at + 10, at + 30);
    events.kernel("grad", at + 12, at + 20, at + 60);
    events.kernel("ncclKernel_AllReduce_RING_LL_Sum_float", at + 25, at + 50, at + 80);
  }
  const TorchTrace trace = read(events.list());
  CHECK(trace.buckets.empty());
  CHECK(says(trace, "began after 75 % of backward"));
  CHECK(microseconds(trace.times.step) == std::vector<double>{80});  // 80 to 180, 160 to 180 alone
}

TEST_CASE("older traces say the size of an all-reduce in the shape of its input", "[import]") {
  Events events;
  for (const double at : {0.0, 100.0}) {
    events.add("user_annotation", "ProfilerStep#1", at, at + 100);
    events.add("cpu_op", "autograd::engine::evaluate_function: A", at + 10, at + 30);
    events.kernel("grad", at + 12, at + 20, at + 60);
    events.add("cpu_op", "nccl:all_reduce", at + 20, at + 26,
               R"("External id": 5, "Input Dims": [[2000]], "Input type": ["float"])");
    events.kernel("ncclKernel_AllReduce_RING_LL_Sum_float", at + 25, at + 50, at + 80,
                  "\"external id\": 5");
  }
  const TorchTrace trace = read(events.list());
  CHECK(trace.buckets == std::vector<ProfileBucket>{{Bytes{8000.0}, 0.75}});
}

TEST_CASE("kernels whose launch the trace does not hold are left out", "[import]") {
  Events events;
  events.add("kernel", "before the trace", 0, 500, "\"correlation\": 99");
  events.add("user_annotation", "ProfilerStep#1", 0, 100);
  events.kernel("work", 10, 20, 70);
  CHECK(microseconds(read(events.table()).times.step) == std::vector<double>{70});
}

TEST_CASE("a trace without steps is refused", "[import]") {
  Events events;
  events.add("cpu_op", "aten::linear", 0, 1);
  CHECK_THROWS_WITH(read(events.table()),
                    Catch::Contains("found no ProfilerStep#N; expected a trace taken with "
                                    "torch.profiler, its step() called after every step"));
  events.add("user_annotation", "ProfilerStep#1", 1, 1);
  CHECK_THROWS_WITH(read(events.table()), Catch::Contains("only steps that take no time"));
}
