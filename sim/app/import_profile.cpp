// dbsim import profile: step times that people already have.
#include <fmt/format.h>

#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "sim/app/import.hpp"
#include "sim/import/csv_steps.hpp"
#include "sim/import/torch_trace.hpp"
#include "sim/io/files.hpp"
#include "sim/io/quantity.hpp"
#include "sim/profile/profile_document.hpp"
#include "sim/program/terminal.hpp"
#include "sim/report/profile_text.hpp"

namespace dbsim {

namespace {

struct TraceFile {
  std::string path;
  Samples batch;
};

TraceFile parse_trace(const std::string& word) {
  const std::size_t equals = word.rfind('=');
  std::int64_t batch = 0;
  if (equals != std::string::npos && equals > 0) {
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + equals + 1, end, batch);
    constexpr std::int64_t most = 1'000'000'000;
    if (error == std::errc{} && stop == end && batch >= 1 && batch <= most) {
      return {word.substr(0, equals), Samples{batch}};
    }
  }
  throw UsageError{
      fmt::format("--trace: found '{}'; expected FILE=BATCH, such as trace.json=32", word)};
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  for (const std::string& known : list) {
    if (known == text) return;
  }
  list.push_back(text);
}

void add_trace(const TorchTrace& trace, const std::string& path, ProfileDocument& document,
               std::vector<MeasuredBatch>& measured) {
  measured.push_back(trace.times);
  if (document.device.name.empty()) document.device.name = trace.device.name;
  if (!document.device.memory) document.device.memory = trace.device.memory;
  // The parameters are the same at every batch size: the first that says how they travel is enough.
  if (document.buckets.empty() && !trace.buckets.empty()) {
    document.buckets = trace.buckets;
    add_once(document.remarks, fmt::format("The buckets are those of {}.", path));
  }
  for (const std::string& remark : trace.remarks) add_once(document.remarks, remark);
}

ProfileDocument described(const Arguments& arguments) {
  ProfileDocument document;
  document.model.name = arguments.text("model").value_or("");
  document.device.name = arguments.text("device").value_or("");
  document.source = arguments.text("source").value_or("");
  if (document.model.name.empty()) {
    throw UsageError{"found no --model; expected the model's name, as scenarios say it"};
  }
  if (const auto size = arguments.text("parameters")) {
    document.model.parameter_bytes = parse_size(*size);
    const bool good = document.model.parameter_bytes && document.model.parameter_bytes->count() > 0;
    if (!good) {
      throw UsageError{
          fmt::format("--parameters: found '{}'; expected a size such as \"44.7 MB\"", *size)};
    }
  }
  if (const auto batch = arguments.whole("max-batch", 1)) {
    document.max_batch = Samples{static_cast<std::int64_t>(*batch)};
  }
  return document;
}

void complete(ProfileDocument& document) {
  if (document.points.size() < 2) {
    throw UsageError{
        fmt::format("found {} batch size; expected at least 2, so that other batches can be told "
                    "from them",
                    document.points.size())};
  }
  if (document.device.name.empty()) {
    throw UsageError{"found no --device; expected the device's name, which the files do not say"};
  }
  if (!document.model.parameter_bytes && !document.buckets.empty()) {
    Bytes all{};
    for (const ProfileBucket& bucket : document.buckets) all += bucket.bytes;
    document.model.parameter_bytes = all;
  }
}

}  // namespace

Exit import_profile(const Arguments& arguments, const std::vector<std::string>& files) {
  for (const char* other : {"place", "ranks", "halves", "within"})
    arguments.refuse(other, "profile");
  std::vector<TraceFile> traces;
  for (const std::string& word : arguments.texts("trace")) traces.push_back(parse_trace(word));
  if (files.empty() && traces.empty()) {
    throw UsageError{"found no file; expected a CSV file, or --trace FILE=BATCH"};
  }
  ProfileDocument document = described(arguments);
  std::vector<MeasuredBatch> measured;
  for (const std::string& path : files) {
    for (MeasuredBatch& batch : parse_csv_steps(read_text_file(path), path)) {
      measured.push_back(std::move(batch));
    }
  }
  for (const TraceFile& trace : traces) {
    add_trace(read_torch_trace(trace.path, trace.batch), trace.path, document, measured);
  }
  document.points = to_points(measured);
  complete(document);
  const std::string text = to_json(document);
  const auto out = arguments.text("out");
  // What was imported must be what a profile allows.
  (void)parse_profile_document(text, out.value_or("what was imported"));
  if (!out) {
    fmt::print("{}", text);
    return Exit::success;
  }
  write_text_file(*out, text);
  fmt::print("{}\nWritten to {}\n", profile_text(document, style_of_standard_output()), *out);
  return Exit::success;
}

}  // namespace dbsim
