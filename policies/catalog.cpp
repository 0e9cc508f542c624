#include "policies/catalog.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "policies/dbs.hpp"
#include "policies/fixed.hpp"
#include "policies/lb_bsp.hpp"
#include "policies/lbb.hpp"
#include "policies/omnilearn.hpp"
#include "policies/oracle.hpp"
#include "policies/proportional.hpp"
#include "policies/proportional_controller.hpp"
#include "policies/virtual_workers.hpp"
#include "sim/base/check.hpp"

namespace dbsim {

namespace {

// What was given under a name, or what holds when nothing was. Scenarios are checked against the
// catalog before they get here, so a value of another type is a mistake of ours.
template <class T>
T given(const Parameters& parameters, const std::string& name, T otherwise) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return otherwise;
  const T* value = std::get_if<T>(&found->second);
  check(value != nullptr, "a policy's parameter has the type that the catalog names");
  return *value;
}

bool chosen(const Parameters& parameters, const std::string& name, std::string_view choice,
            std::string_view otherwise) {
  const auto word = given<std::string>(parameters, name, std::string{otherwise});
  check(word == choice || word == otherwise, "a policy's parameter is one of its choices");
  return word == choice;
}

std::optional<std::int64_t> given_whole(const Parameters& parameters, const std::string& name) {
  const auto value = given<std::int64_t>(parameters, name, 0);
  return value > 0 ? std::optional{value} : std::nullopt;
}

Parameter choice(std::string name, std::string meaning, std::vector<std::string> choices) {
  return {.name = std::move(name),
          .kind = Parameter::Kind::choice,
          .meaning = std::move(meaning),
          .choices = std::move(choices)};
}

Parameter yes_or_no(std::string name, std::string meaning) {
  return {.name = std::move(name),
          .kind = Parameter::Kind::yes_or_no,
          .meaning = std::move(meaning),
          .choices = {}};
}

constexpr double most_samples = 1e12;  // as a scenario's job may have

Parameter whole(std::string name, std::string meaning) {
  return {.name = std::move(name),
          .kind = Parameter::Kind::whole,
          .meaning = std::move(meaning),
          .choices = {},
          .least = 1.0,
          .most = most_samples};
}

Parameter number(std::string name, std::string meaning, double least, double most) {
  return {.name = std::move(name),
          .kind = Parameter::Kind::number,
          .meaning = std::move(meaning),
          .choices = {},
          .least = least,
          .most = most};
}

Parameter newest(std::string otherwise) {
  constexpr double least = 0.01;
  return number("newest",
                "Weight of the newest measurement in its moving average; " + std::move(otherwise),
                least, 1.0);
}

Parameter dead_band(std::string meaning) {
  return number("dead_band", std::move(meaning), 0.0, 10.0);
}

Parameter every() { return whole("every", "Steps between its decisions; 1 if left out."); }

PolicyKind fixed_kind() {
  return {
      .name = "fixed",
      .summary = "Synchronous SGD: every worker has the same local batch, or the one set by hand.",
      .source = "the baseline S-SGD of Ye et al., arXiv 2007.11831",
      .parameters = {{.name = "batches",
                      .kind = Parameter::Kind::batches,
                      .meaning = "Local batches set by hand, one for each worker; their sum is "
                                 "then the global batch.",
                      .choices = {}}},
      .make = [](const Parameters& parameters) {
        return make_fixed(given<std::vector<std::int64_t>>(parameters, "batches", {}));
      }};
}

PolicyKind proportional_kind() {
  return {.name = "proportional",
          .summary =
              "Static: local batches in proportion to each worker's profiled speed at an "
              "equal share.",
          .source = "static batching, Tyagi and Sharma, ACSOS 2020, arXiv 2305.12213",
          .parameters = {},
          .make = [](const Parameters&) { return make_proportional(); }};
}

PolicyKind dbs_kind() {
  return {
      .name = "dbs",
      .summary =
          "Dynamic batch size: after each epoch, shares in proportion to the speed each "
          "worker has just shown.",
      .source =
          "Ye, Zhou, Shi, Sun and Lv, arXiv 2007.11831; "
          "https://github.com/Soptq/Dynamic_Load_Balance_DistributedDNN at d3b514d",
      .parameters = {{.name = "mode",
                      .kind = Parameter::Kind::choice,
                      .meaning = "The rule as the paper states it, or as the authors' program "
                                 "computes it, lost samples and unequal step counts included.",
                      .choices = {"paper", "code"}},
                     {.name = "weights",
                      .kind = Parameter::Kind::choice,
                      .meaning = "How gradients are combined: by share of the samples, or all "
                                 "alike as in the program's first version (c91601c).",
                      .choices = {"share", "uniform"}},
                     newest("1 if left out, as in the paper."),
                     dead_band("No change while every local batch would change by at most this "
                               "part of it; 0 if left out, as in the paper.")},
      .make = [](const Parameters& parameters) {
        return make_dbs(
            {.mode = chosen(parameters, "mode", "code", "paper") ? DbsMode::code : DbsMode::paper,
             .weights = chosen(parameters, "weights", "uniform", "share") ? DbsWeights::uniform
                                                                          : DbsWeights::share,
             .newest = given<double>(parameters, "newest", 1.0),
             .dead_band = given<double>(parameters, "dead_band", 0.0)});
      }};
}

LbBspPredictor predictor_of(const Parameters& parameters) {
  const auto word = given<std::string>(parameters, "predictor", "average");
  if (word == "last") return LbBspPredictor::last;
  if (word == "arima") return LbBspPredictor::arima;
  check(word == "average", "a policy's parameter is one of its choices");
  return LbBspPredictor::average;
}

PolicyKind lb_bsp_kind() {
  return {
      .name = "lb-bsp",
      .summary =
          "Semi-dynamic load balancing: at every barrier, local batches for the speeds predicted "
          "for the next step.",
      .source = "LB-BSP, Chen et al., SoCC 2020, arXiv 1806.02508",
      .parameters =
          {choice("rule",
                  "For CPUs, batches in proportion to speed; for GPUs, equal finish of lines above "
                  "a floor that are fitted to the profiles.",
                  {"cpu", "gpu"}),
           choice("predictor",
                  "Of the next speed: a moving average, the last one, or ARIMA(1,1,0), the last "
                  "change continued; they stand in for the paper's recurrent network.",
                  {"average", "last", "arima"}),
           newest("0.3 if left out."), every(),
           yes_or_no("halving",
                     "When a share moves back the way it came, all later moves are half as large; "
                     "false if left out.")},
      .make = [](const Parameters& parameters) {
        const LbBspSettings usual;
        return make_lb_bsp(
            {.rule = chosen(parameters, "rule", "gpu", "cpu") ? LbBspRule::gpu : LbBspRule::cpu,
             .predictor = predictor_of(parameters),
             .newest = given<double>(parameters, "newest", usual.newest),
             .every = given<std::int64_t>(parameters, "every", usual.every),
             .halving = given<bool>(parameters, "halving", usual.halving)});
      }};
}

PolicyKind proportional_controller_kind() {
  return {
      .name = "proportional-controller",
      .summary =
          "A controller with a dead-band: each local batch times the mean step time over its own.",
      .source = "dynamic batching, Tyagi and Sharma, ACSOS 2020, arXiv 2305.12213",
      .parameters = {dead_band("All local batches change as soon as one would by more than this "
                               "part of it; 0.05 if left out."),
                     newest("0.5 if left out."), every(),
                     whole("least", "The smallest local batch; 1 if left out."),
                     whole("most", "The largest local batch; what memory holds if left out."),
                     yes_or_no("lower_limits",
                               "A worker that got slower by getting more is never given more "
                               "again; true if left out.")},
      .make = [](const Parameters& parameters) {
        const ControllerSettings usual;
        return make_proportional_controller(
            {.dead_band = given<double>(parameters, "dead_band", usual.dead_band),
             .newest = given<double>(parameters, "newest", usual.newest),
             .every = given<std::int64_t>(parameters, "every", usual.every),
             .least = given<std::int64_t>(parameters, "least", usual.least),
             .most = given_whole(parameters, "most"),
             .lower_limits = given<bool>(parameters, "lower_limits", usual.lower_limits)});
      }};
}

PolicyKind omnilearn_kind() {
  return {
      .name = "omnilearn",
      .summary =
          "The controller once per epoch, each worker with its own dead-band, the sum mended "
          "afterwards.",
      .source =
          "Tyagi and Sharma, IEEE TPDS 2025, arXiv 2503.17469; "
          "https://github.com/sahiltyagi4/OmniLearn at 7db5cb0",
      .parameters = {choice("mode",
                            "With the sum kept, or as the authors' program rounds, by which the "
                            "global batch may grow by a sample per worker.",
                            {"paper", "code"}),
                     dead_band("A local batch changes when the new one differs by at least this "
                               "part of it; 0.2 if left out."),
                     whole("least", "The smallest local batch; 1 if left out, 16 with mode code."),
                     whole("most",
                           "The largest local batch; what memory holds if left out, 96 "
                           "with mode code.")},
      .make = [](const Parameters& parameters) {
        const OmniLearnSettings usual;
        return make_omnilearn({.mode = chosen(parameters, "mode", "code", "paper")
                                           ? OmniLearnMode::code
                                           : OmniLearnMode::paper,
                               .dead_band = given<double>(parameters, "dead_band", usual.dead_band),
                               .least = given_whole(parameters, "least"),
                               .most = given_whole(parameters, "most")});
      }};
}

PolicyKind lbb_kind() {
  return {
      .name = "lbb",
      .summary =
          "Load-balanced batching: from the profiles, then after every step one sample moved, or "
          "all solved anew where times lie far apart.",
      .source = "Yao, Liu and Gao; https://github.com/FLYING37520/LBB at beab406",
      .parameters =
          {choice("mode",
                  "Thresholds 0.05 and 0.3 of the paper, or the authors' program: 0.06 and 0.15, "
                  "and a global batch that may drift.",
                  {"paper", "code"}),
           choice("start", "From the profiles, or from equal batches.", {"profile", "equal"}),
           whole("window", "Steps of fine tuning after all was solved anew; 30 if left out.")},
      .make = [](const Parameters& parameters) {
        const LbbSettings usual;
        return make_lbb(
            {.mode = chosen(parameters, "mode", "code", "paper") ? LbbMode::code : LbbMode::paper,
             .start = chosen(parameters, "start", "equal", "profile") ? LbbStart::equal
                                                                      : LbbStart::profile,
             .window = given<std::int64_t>(parameters, "window", usual.window)});
      }};
}

PolicyKind virtual_workers_kind() {
  return {.name = "virtual-workers",
          .summary =
              "Static: the same local batch for every replica, several replicas on a fast worker.",
          .source = "IIDP and JABAS, EuroSys 2025; https://github.com/unist-ssl/IIDP at 1de2e40",
          .parameters = {whole("local_batch",
                               "Samples of one replica; the best that all profiles have measured "
                               "if left out.")},
          .make = [](const Parameters& parameters) {
            return make_virtual_workers({.local_batch = given_whole(parameters, "local_batch")});
          }};
}

PolicyKind oracle_kind() {
  return {.name = "oracle",
          .summary = "Static and exact: the local batches whose slowest profiled step is shortest.",
          .source =
              "min-max resource allocation, Ibaraki and Katoh, Resource Allocation Problems, "
              "MIT Press 1988",
          .parameters = {},
          .make = [](const Parameters&) { return make_oracle(); }};
}

}  // namespace

Catalog catalog() {
  static const std::array<PolicyKind, 9> kinds{
      fixed_kind(),  proportional_kind(), virtual_workers_kind(),
      dbs_kind(),    omnilearn_kind(),    proportional_controller_kind(),
      lb_bsp_kind(), lbb_kind(),          oracle_kind()};
  return kinds;
}

}  // namespace dbsim
