#include "calib/app/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "calib/app/choose.hpp"
#include "calib/app/measure_network.hpp"
#include "calib/app/profile_table.hpp"
#include "calib/app/request.hpp"
#include "calib/app/side_file.hpp"
#include "calib/app/watched.hpp"
#include "calib/fit/make_profile.hpp"
#include "calib/measure/interference.hpp"
#include "calib/measure/measure.hpp"
#include "sim/figure/svg.hpp"
#include "sim/io/files.hpp"
#include "sim/profile/profile_document.hpp"
#include "sim/program/execute.hpp"
#include "sim/program/interrupt.hpp"
#include "sim/program/shipped.hpp"
#include "sim/program/terminal.hpp"
#include "sim/report/profile_figure.hpp"

namespace dbsim::calib {

namespace {

std::string file_for(const Request& request, const Model& model, const ListedDevice& device) {
  if (request.out) return *request.out;
  std::string name = model.name + "-" + device.name + ".json";
  name.erase(std::remove(name.begin(), name.end(), ':'), name.end());
  return name;
}

Conditions conditions_of(const Request& request, const Model& model,
                         const DeviceDescription& device) {
  return {{"model", model.name},
          {"parameters", std::to_string(model.parameter_count())},
          {"device", device.name},
          {"backend", device.backend},
          {"precision", request.precision},
          {"threads", std::to_string(request.threads)},
          {"batches", request.batches}};
}

void require_room(const Measurement& measurement, const Request& request) {
  if (!measurement.explored) return;
  const std::int64_t fits = measurement.memory.fits;
  if (fits == 0) throw UsageError{"not even one sample of the model fits in the device's memory"};
  if (measurement.batches.size() >= 2) return;
  throw UsageError{fmt::format(
      "--batches: of '{}' fewer than two fit; the largest batch that fits in memory is {}",
      request.batches, fits)};
}

/// The middle one of those that were measured: large enough to matter, small enough to be quick.
std::int64_t batch_for_interference(const Measurement& measurement) {
  return measurement.batches[measurement.batches.size() / 2].batch;
}

/// Everything about one calibration once its device and model are there.
class Calibration {
 public:
  Calibration(const Request& request, const ChosenDevice& chosen, Model model)
      : request_{request},
        making_{.device = chosen.device.name,
                .backend = request.backend,
                .precision = request.precision,
                .threads = request.threads,
                .seed = request.measuring.seed,
                .model = std::move(model)},
        family_{*chosen.family},
        runner_{family_.make_step_runner(making_)},
        file_{file_for(request, making_.model, chosen.device)},
        side_file_{file_, conditions_of(request, making_.model, runner_->device())} {}

  Exit run() {
    const InterruptGuard interrupt;
    Measurement measurement = side_file_.load().value_or(Measurement{});
    if (!measurement.batches.empty()) {
      fmt::print(stderr, "dbsim-calibrate: going on from {}\n", side_file_.path());
    }
    measurement = watched(interrupt, std::move(measurement));
    require_room(measurement, request_);
    if (interrupt.token().stop_requested()) return keep(measurement);
    publish(profile_of(measurement));
    side_file_.remove();
    return Exit::success;
  }

 private:
  Measurement watched(const InterruptGuard& interrupt, Measurement measurement) {
    const bool shown = standard_error_is_terminal() && !request_.quiet;
    Watch watch{interrupt, side_file_, shown ? ProgressBar::Shown::yes : ProgressBar::Shown::no};
    const Surroundings surroundings = watch.surroundings();
    measurement = measure(*runner_, request_.measuring, std::move(measurement), surroundings);
    if (!request_.interference || surroundings.stop() || measurement.batches.empty()) {
      return measurement;
    }
    const auto loads = family_.make_background_loads(making_);
    measurement.interference = measure_interference(
        *runner_, loads,
        {.batch = batch_for_interference(measurement), .visit_s = request_.measuring.visit_s},
        std::move(measurement.interference), surroundings);
    return measurement;
  }

  [[nodiscard]] ProfileDocument profile_of(const Measurement& measurement) const {
    return make_profile(measurement, request_.measuring,
                        {.model = making_.model,
                         .device = runner_->device(),
                         .buckets = runner_->buckets(),
                         .precision = request_.precision,
                         .date = now_utc()});
  }

  void publish(const ProfileDocument& document) const {
    write_text_file(file_, to_json(document));
    if (request_.svg) write_text_file(*request_.svg, svg(profile_figure({{file_, document}})));
    if (request_.quiet) return;
    fmt::print("{}", profile_table(document, style_of_standard_output()));
    fmt::print(
        "\nProfile: {}\n{}Next, with a scenario that trains {}:\n"
        "  dbsim run SCENARIO.toml --set 'worker[0].profile={}'\n",
        file_, request_.svg ? fmt::format("Picture: {}\n", *request_.svg) : "", document.model.name,
        std::filesystem::absolute(file_).string());
  }

  /// After Ctrl-C: the samples for a rerun, and a profile where they make one.
  Exit keep(const Measurement& measurement) const {
    side_file_.save(measurement);
    const ProfileDocument document = profile_of(measurement);
    const bool enough = document.points.size() >= 2;
    if (enough) publish(document);
    fmt::print(stderr, "dbsim-calibrate: interrupted; {}; samples are in {}; run again to go on\n",
               enough ? "the profile is of what was complete"
                      : "fewer than two batch sizes were complete, so there is no profile",
               side_file_.path());
    return Exit::interrupted;
  }

  const Request& request_;
  StepRunnerRequest making_;
  const DeviceFamily& family_;
  std::unique_ptr<StepRunner> runner_;
  std::string file_;
  SideFile side_file_;
};

Exit calibrate(const DeviceFamilies& families, const Arguments& arguments) {
  if (arguments.has("version")) {
    fmt::print("dbsim-calibrate {}\n", DBSIM_VERSION);
    return Exit::success;
  }
  const std::filesystem::path models = shipped_scenarios() / "models";
  if (arguments.has("list")) {
    fmt::print("{}", listing(families, models));
    return Exit::success;
  }
  if (arguments.has("network")) return measure_network(arguments);
  if (arguments.has("messages")) throw UsageError{"--messages goes with --network"};
  const Request request = request_from(arguments);
  const ChosenDevice chosen = choose_device(families, request);
  try {
    return Calibration{request, chosen, choose_model(request, models)}.run();
  } catch (const DeviceError& error) {
    return fail(Exit::no, fmt::format("dbsim-calibrate: {} failed: {}; samples that were saved are "
                                      "used when it runs again",
                                      chosen.device.name, error.what()));
  }
}

}  // namespace

Command calibrate_command(const DeviceFamilies& families) {
  return {
      .name = "dbsim-calibrate",
      .summary = "Measures how long this machine's devices take to train a model, by batch size.",
      .usage = "--model NAME [options] | --network [options]",
      .example = "dbsim-calibrate --model resnet18 --dataset cifar10 --batches 8:512",
      .options = {{"model", "NAME", "a model that --list shows, or a file NAME.toml"},
                  {"dataset", "NAME", "the model is called MODEL-NAME: resnet18, cifar10"},
                  {"device", "NAME", "cpu, cuda:0; the first usable one if left out"},
                  {"backend", "NAME", "libraries to compute with; auto if left out"},
                  {"precision", "NAME", "fp32, tf32, fp16 or bf16; fp32 if left out"},
                  {"threads", "N", "of the host; as many as it has cores if left out"},
                  {"batches", "SIZES",
                   "8:512 doubles, 8:512:1.5 grows by that factor, 8:max ends where memory "
                   "does, 8,16,24 are exactly these; 8:512 if left out"},
                  {"out", "FILE", "the profile; MODEL-DEVICE.json if left out"},
                  {"svg", "FILE", "also draw the profile: step time and throughput by batch"},
                  {"accuracy", "PERCENT", "until each median is known this well; 1 if left out"},
                  {"budget", "SECONDS", "or until this is spent; 180 if left out"},
                  {"interference", "", "also measure the slowdown beside other tasks"},
                  {"network", "",
                   "instead, time all-reduces by message size: between the ranks of mpirun, else "
                   "between this host's GPUs; the file is network.json if --out is left out"},
                  {"messages", "SIZES",
                   "with --network: doubles from the one to the other; '8 B:256 MiB' if left out"},
                  {"seed", "N", "of data, parameters and the order of batches; 1 if left out"},
                  {"list", "", "show the devices and the models, measure nothing"},
                  {"quiet", "", "no table and no progress bar"},
                  {"version", "", "the version"},
                  {"help", "", "this text"}},
      .execute = [&families](const Arguments& arguments) {
        return calibrate(families, arguments);
      }};
}

}  // namespace dbsim::calib
