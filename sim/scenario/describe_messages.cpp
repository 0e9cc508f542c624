#include "sim/scenario/describe_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/network_limits.hpp"

namespace dbsim {

namespace {

constexpr NumberRange part_range{.least = 0.0, .most = 1.0, .lower = NumberRange::Lower::open};
constexpr NumberRange some_time{
    .least = 0.0, .most = latency_range.most, .lower = NumberRange::Lower::open};
// Of the logarithm: at 5, one delay in twenty is above 3,000 times the median.
constexpr NumberRange sigma_range{.least = 0.0, .most = 5.0};

void describe_efficiency(Fields& fields, std::vector<Efficiency>& efficiency) {
  std::vector<Bytes> sizes;
  std::vector<double> fractions;
  fields.items({"size", "Sizes of a message, rising.", Need::required}, [&](Fields& element) {
    element.size({"", "Bytes of one message."}, positive, sizes.emplace_back());
  });
  fields.items(
      {"fraction",
       "Part of the bandwidth that messages of each of these sizes reach; between two "
       "sizes its logarithm is linear in that of the size, outside the nearest holds.",
       Need::required},
      [&](Fields& element) {
        element.number({"", "Part of the bandwidth."}, part_range, fractions.emplace_back());
      });
  if (fields.describing() || sizes.empty()) return;
  if (sizes.size() != fractions.size()) {
    fields.problem("fraction", fmt::format("{} for {} sizes", fractions.size(), sizes.size()),
                   "one for each size");
    return;
  }
  const bool good = std::ranges::all_of(sizes, [](Bytes size) { return size.count() > 0.0; }) &&
                    std::ranges::all_of(fractions, [](double part) { return part > 0.0; });
  if (!good) return;  // each bad element is a problem already
  const auto fall = std::ranges::adjacent_find(sizes, std::ranges::greater_equal{});
  if (fall != sizes.end()) {
    fields.problem("size", fmt::format("{} before {}", to_text(*fall), to_text(*(fall + 1))),
                   "sizes that rise");
    return;
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) efficiency.push_back({sizes[i], fractions[i]});
}

void describe_jitter(Fields& fields, MessageDraft& draft) {
  LognormalDelay lognormal;
  const bool has_median =
      fields.duration({"median", "Of a log-normal distribution."}, some_time, lognormal.median);
  const bool has_sigma =
      fields.number({"sigma", "Its spread: the standard deviation of the logarithm."}, sigma_range,
                    lognormal.sigma);
  ExponentialDelay exponential;
  const bool has_mean =
      fields.duration({"mean", "Or of an exponential distribution."}, some_time, exponential.mean);
  Placed<std::string> samples;
  const bool has_samples = fields.text(
      {"samples",
       "Or the path of a file of measured delays (relative to this file), each as likely as the "
       "others: a line \"delay\", then one such as \"18.4 us\" a line."},
      samples.value);
  constexpr std::array<std::string_view, 3> kinds{"median", "mean", "samples"};
  fields.one_of(kinds, Need::required);
  if (has_sigma && !has_median) {
    fields.problem("sigma", "no median beside it", "median and sigma together");
  }
  if (has_median && !has_sigma) {
    fields.problem("median", "no sigma beside it", "median and sigma together");
  }
  if (has_median) draft.spec.jitter = lognormal;
  if (has_mean) draft.spec.jitter = exponential;
  if (!has_samples) return;
  place(fields, "samples", samples);
  draft.jitter_samples = std::move(samples);
}

}  // namespace

void describe_messages(Fields& network, MessageDraft& draft) {
  network.duration({"overhead",
                    "Time that each message takes before it uses the links; 0 if left "
                    "out."},
                   latency_range, draft.spec.overhead);
  network.table({"efficiency",
                 "Part of the links' bandwidth that a message reaches, by its size; all of it if "
                 "left out."},
                [&](Fields& fields) { describe_efficiency(fields, draft.spec.efficiency); });
  network.table(
      {"jitter", "A random delay added to the latency of each message; none if left out."},
      [&](Fields& fields) { describe_jitter(fields, draft); });
  SpikeSpec spike;
  if (network.table(
          {"spike", "A rare and long delay of a message; none if left out."}, [&](Fields& fields) {
            fields.number({"chance", "Part of the messages that it meets.", Need::required},
                          part_range, spike.chance);
            fields.duration({"length", "What it adds to their latency.", Need::required}, some_time,
                            spike.length);
          })) {
    draft.spec.spike = spike;
  }
}

}  // namespace dbsim
