#include "sim/report/results_json.hpp"

#include <string_view>
#include <utility>

#include "sim/io/json_writer.hpp"

namespace dbsim {

namespace {

using Layout = JsonWriter::Layout;

void write_text(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  json.text(value);
}

void write_number(JsonWriter& json, std::string_view key, double value) {
  json.key(key);
  json.number(value);
}

void write_whole(JsonWriter& json, std::string_view key, std::int64_t value) {
  json.key(key);
  json.whole(value);
}

void write_seconds(JsonWriter& json, std::string_view key, Span span) {
  write_number(json, key, to_seconds(span).count());
}

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key);
  json.open_array(Layout::row);
  for (const std::string& text : texts) json.text(text);
  json.close();
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::size_t>& indices,
                 const std::vector<std::string>& workers) {
  json.key(key);
  json.open_array(Layout::row);
  for (const std::size_t index : indices) json.text(workers.at(index));
  json.close();
}

/// Leaves the object open, for what else belongs in it.
void open_estimate(JsonWriter& json, std::string_view key, const Estimate& estimate) {
  json.key(key);
  json.open_object(Layout::row);
  write_number(json, "mean", estimate.mean);
  json.key("ci95");
  if (!estimate.ci95) {
    json.null();
    return;
  }
  json.open_array(Layout::row);
  json.number(estimate.ci95->low);
  json.number(estimate.ci95->high);
  json.close();
}

void write_worker(JsonWriter& json, std::string_view name, const WorkerEpoch& worker) {
  json.open_object(Layout::row);
  write_text(json, "worker", name);
  write_whole(json, "batch", worker.batch.count());
  write_number(json, "share", worker.share);
  write_number(json, "weight", worker.weight);
  write_whole(json, "steps", worker.steps);
  write_whole(json, "samples", worker.samples.count());
  write_seconds(json, "own_s", worker.own);
  write_seconds(json, "communication_s", worker.communication);
  write_seconds(json, "wait_s", worker.wait);
  json.close();
}

void write_epochs(JsonWriter& json, const std::vector<EpochTrace>& epochs,
                  const std::vector<std::string>& workers) {
  json.key("epochs");
  json.open_array(Layout::lines);
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    json.open_object(Layout::lines);
    write_whole(json, "epoch", static_cast<std::int64_t>(i));
    write_seconds(json, "time_s", epochs[i].end - epochs[i].begin);
    write_whole(json, "resizings", epochs[i].resizings);
    write_seconds(json, "rebalancing_s", epochs[i].rebalancing);
    json.key("workers");
    json.open_array(Layout::lines);
    for (std::size_t k = 0; k < epochs[i].workers.size(); ++k) {
      write_worker(json, workers.at(k), epochs[i].workers[k]);
    }
    json.close();
    json.close();
  }
  json.close();
}

void write_deadlocks(JsonWriter& json, const PolicySummary& policy,
                     const std::vector<std::string>& workers) {
  json.key("deadlocks");
  json.open_array(Layout::lines);
  for (const Deadlock& deadlock : policy.deadlocks) {
    const Instant begin = policy.epochs.empty() ? Instant{} : policy.epochs.front().begin;
    json.open_object(Layout::row);
    write_whole(json, "epoch", deadlock.epoch);
    write_whole(json, "step", deadlock.step);
    write_seconds(json, "at_s", deadlock.at - begin);
    write_names(json, "waiting", deadlock.waiting, workers);
    write_names(json, "missing", deadlock.missing, workers);
    json.close();
  }
  json.close();
  write_number(json, "deadlock_cost_s", policy.deadlock_cost_s);
}

void write_worker_summaries(JsonWriter& json, const std::vector<WorkerSummary>& summaries,
                            const std::vector<std::string>& workers) {
  json.key("workers");
  json.open_array(Layout::lines);
  for (std::size_t k = 0; k < summaries.size(); ++k) {
    json.open_object(Layout::row);
    write_text(json, "worker", workers.at(k));
    write_number(json, "idle_share", summaries[k].idle_share);
    write_number(json, "sample_share", summaries[k].sample_share);
    write_number(json, "weight_share", summaries[k].weight_share);
    json.close();
  }
  json.close();
}

void write_policy(JsonWriter& json, const PolicySummary& policy,
                  const std::vector<std::string>& workers) {
  json.open_object(Layout::lines);
  write_text(json, "label", policy.label);
  write_whole(json, "global_batch", policy.global_batch.count());
  open_estimate(json, "total_time_s", policy.total_time_s);
  json.key("values");
  json.open_array(Layout::row);
  for (const double value : policy.total_time_values_s) json.number(value);
  json.close();
  json.close();
  open_estimate(json, "saving", policy.saving);
  json.close();
  write_number(json, "speedup", policy.speedup);
  write_number(json, "throughput_samples_per_s", policy.throughput);
  write_number(json, "utilization", policy.utilization);
  json.key("time_shares");
  json.open_object(Layout::row);
  write_number(json, "own", policy.time_shares.own);
  write_number(json, "communication", policy.time_shares.communication);
  write_number(json, "wait", policy.time_shares.wait);
  write_number(json, "rebalancing", policy.time_shares.rebalancing);
  json.close();
  write_text(json, "timing", policy.observed_timing ? "observed" : "own");
  write_number(json, "rebalance_cost_s", policy.rebalance_cost.count());
  write_whole(json, "resizings", policy.resizings);
  write_number(json, "weight_bias", policy.weight_bias);
  write_worker_summaries(json, policy.workers, workers);
  write_whole(json, "samples_lost", policy.samples_lost);
  write_deadlocks(json, policy, workers);
  write_texts(json, "warnings", policy.warnings);
  write_epochs(json, policy.epochs, workers);
  json.close();
}

}  // namespace

std::string results_json(const Results& results) {
  JsonWriter json;
  json.open_object(Layout::lines);
  write_text(json, "schema", "dbsim.results/1");
  write_text(json, "scenario", results.scenario);
  json.key("seed");
  json.natural(results.seed);
  json.key("repeats");
  json.natural(results.repeats);
  write_text(json, "baseline", results.baseline);
  write_texts(json, "workers", results.workers);
  json.key("policies");
  json.open_array(Layout::lines);
  for (const PolicySummary& policy : results.policies) write_policy(json, policy, results.workers);
  json.close();
  json.close();
  return std::move(json).finish();
}

}  // namespace dbsim
