#include "sim/report/verdict.hpp"

#include "tests/catch.hpp"
#include "tests/report/sample_runs.hpp"

using namespace dbsim;

namespace {

const std::vector<std::string> pair{"left", "right"};

/// "fixed" and `label` on two workers, one repeat of two epochs.
RunSet two_policies(const std::string& label, const std::vector<sample::Row>& fixed,
                    const std::vector<sample::Row>& other, std::int64_t communication_ms) {
  const auto runs_of = [&](const std::vector<sample::Row>& rows) {
    return std::vector<RunTrace>{sample::run_of(pair, {rows, rows}, communication_ms)};
  };
  return {.scenario = "s",
          .seed = 1,
          .baseline = "fixed",
          .policies = {{"fixed", Samples{20}, runs_of(fixed), {}},
                       {label, Samples{20}, runs_of(other), {}}}};
}

std::string sentence(const RunSet& runs) { return saving_sentence(summarise(runs)); }

Estimate between(double low, double high) {
  return {.mean = (low + high) / 2.0, .ci95 = Interval{low, high}};
}

}  // namespace

TEST_CASE("the interval decides what may be claimed", "[verdict]") {
  CHECK(outcome_of(between(0.1, 0.2)) == Outcome::saves);
  CHECK(outcome_of(between(-0.2, -0.1)) == Outcome::costs);
  CHECK(outcome_of(between(-0.005, 0.006)) == Outcome::nothing);
  CHECK(outcome_of(between(0.0002, 0.0004)) == Outcome::nothing);
  CHECK(outcome_of(between(-0.1, 0.2)) == Outcome::inconclusive);
  CHECK(outcome_of({.mean = 0.1, .ci95 = std::nullopt}) == Outcome::saves);
  CHECK(outcome_of({.mean = -0.1, .ci95 = std::nullopt}) == Outcome::costs);
  CHECK(outcome_of({.mean = 0.0, .ci95 = std::nullopt}) == Outcome::nothing);
}

TEST_CASE("a saving is said with its interval and both times", "[verdict]") {
  CHECK(sentence(sample::small_run_set()) ==
        "dbs saves 26.8 % of the training time of fixed (95 % interval 21.0 to 32.6): 1.61 s "
        "instead of 2.2 s.");
}

TEST_CASE("a policy that saves more than the subject is named", "[verdict]") {
  CHECK(sentence(sample::four_cards()) ==
        "dbs saves 50.5 % of the training time of fixed (95 % interval 50.5 to 50.5): 41 min 12 s "
        "instead of 1 h 23 min. oracle saves more: 56.5 %.");
}

TEST_CASE("no saving is said plainly, with communication as the reason", "[verdict]") {
  CHECK(sentence(two_policies("dbs", {{10, 80}, {10, 80}}, {{11, 80}, {9, 80}}, 920)) ==
        "dbs saves nothing here: communication is 92 % of the time, and dividing the work "
        "anew does not take it away.");
}

TEST_CASE("no saving is said plainly where there was no waiting", "[verdict]") {
  CHECK(sentence(two_policies("dbs", {{10, 1000}, {10, 1000}}, {{11, 1000}, {9, 1000}}, 10)) ==
        "dbs saves nothing here: under fixed workers wait 0 % of the time, so there is little to "
        "even out.");
}

TEST_CASE("a policy that changes nothing is said to change nothing", "[verdict]") {
  CHECK(sentence(two_policies("dbs", {{10, 1000}, {10, 400}}, {{10, 1000}, {10, 400}}, 10)) ==
        "dbs saves nothing here: it gives every worker the same batches as fixed.");
}

TEST_CASE("a loss is called a loss", "[verdict]") {
  CHECK(sentence(two_policies("dbs", {{10, 900}, {10, 600}}, {{5, 450}, {15, 990}}, 100)) ==
        "dbs costs time here: it takes 9.0 % longer than fixed, 2.18 s instead of 2 s; workers "
        "still wait 25 % of the time, 15 % under fixed.");
}

TEST_CASE("a policy that does save is named beside one that does not", "[verdict]") {
  RunSet runs = two_policies("dbs", {{10, 900}, {10, 600}}, {{5, 450}, {15, 990}}, 100);
  runs.policies.push_back(runs.policies.front());
  runs.policies.back().label = "plan";
  runs.policies.back().repeats.at(0) =
      sample::run_of(pair, {{{8, 700}, {12, 700}}, {{8, 700}, {12, 700}}}, 100);
  const std::string text = sentence(runs);
  CHECK(text.ends_with("15 % under fixed. plan saves 20.0 %."));
}

TEST_CASE("noise is not called a saving", "[verdict]") {
  RunSet runs = sample::small_run_set();
  RunTrace& slow_repeat = runs.policies.at(1).repeats.at(1);
  slow_repeat.epochs.clear();
  sample::add_epoch(slow_repeat, {{4, 400}, {4, 400}, {4, 1300}}, 100);
  sample::add_epoch(slow_repeat, {{4, 400}, {4, 400}, {4, 1000}}, 100);
  CHECK(sentence(runs) ==
        "Whether dbs saves time cannot be told from 2 repeats: 6.8 % (95 % interval -253.1 to "
        "266.7); more repeats would tell.");
}

TEST_CASE("a lone baseline is not compared with itself", "[verdict]") {
  RunSet runs = sample::small_run_set();
  runs.policies.pop_back();
  const Results results = summarise(runs);
  CHECK(subject_of(results) == nullptr);
  CHECK(saving_sentence(results) == "fixed takes 2.2 s; name a second policy to compare it with.");
  CHECK(waiting_sentence(results) ==
        "Under fixed, workers spend 36 % of their time waiting for slow.");
}

TEST_CASE("the sentences are about dbs, else about the first other policy, else the oracle",
          "[verdict]") {
  CHECK(subject_of(summarise(sample::four_cards()))->label == "dbs");
  RunSet runs = sample::four_cards();
  runs.policies.erase(runs.policies.begin() + 1);
  CHECK(subject_of(summarise(runs))->label == "as published");
  std::swap(runs.policies.at(1), runs.policies.at(2));
  CHECK(subject_of(summarise(runs))->label == "as published");
  runs.policies.erase(runs.policies.begin() + 2);
  CHECK(subject_of(summarise(runs))->label == "oracle");
}

TEST_CASE("whom the others wait for is named: one, a family, or nobody in particular",
          "[verdict]") {
  CHECK(waiting_sentence(summarise(sample::four_cards())) ==
        "Under fixed, workers spend 49 % of their time waiting for slow/0; under dbs 11 %.");
  CHECK(waiting_sentence(summarise(sample::many_workers(10))) ==
        "Under fixed, workers spend 29 % of their time waiting for slow/0-4; under dbs 13 %.");
  RunSet scattered = sample::four_cards();
  scattered.policies.at(0).repeats.at(0) = sample::run_of(
      scattered.policies.at(0).repeats.at(0).workers,
      std::vector<std::vector<sample::Row>>(10, {{1, 900}, {1, 100}, {1, 900}, {1, 900}}), 10);
  CHECK(waiting_sentence(summarise(scattered)).find("for fast/0 and 2 others;") !=
        std::string::npos);
  RunSet taking_turns = two_policies("dbs", {{10, 1000}, {10, 600}}, {{10, 10}, {10, 10}}, 100);
  taking_turns.policies.at(0).repeats.at(0) =
      sample::run_of(pair, {{{10, 1000}, {10, 600}}, {{10, 600}, {10, 1000}}}, 100);
  CHECK(waiting_sentence(summarise(taking_turns)) ==
        "Under fixed, workers spend 18 % of their time waiting for each other; under dbs 0 %.");
}

TEST_CASE("a hang is told with who waits for whom and what it costs", "[verdict]") {
  const Results results = summarise(sample::four_cards());
  CHECK(
      hang_notes(results) ==
      std::vector<std::string>{
          "as published would hang in epoch 3 after 99 steps: fast/0 and 2 others wait for slow/0, "
          "which has finished; at least 49 min 15 s lost (time-out of 30 min included)."});
  RunSet only_published = sample::four_cards();
  only_published.policies.erase(only_published.policies.begin() + 1);
  CHECK(sentence(only_published).find(" But it would hang: see the notes.") != std::string::npos);
}

TEST_CASE("notes say what was lost, what differs, and each warning once", "[verdict]") {
  RunSet runs = sample::four_cards();
  runs.policies.at(3).global_batch = Samples{1024};
  for (PolicyRuns& policy : runs.policies) policy.warnings.push_back("said by all");
  runs.policies.at(1).warnings.push_back("said by one");
  CHECK(notes(summarise(runs)) ==
        std::vector<std::string>{
            "oracle trains with a global batch of 1,024, fixed with 512: equal times need not mean "
            "equal accuracy.",
            "as published: 5,120 of 5,150 samples are trained on; 30 are lost (0.58 %).",
            "said by all", "dbs: said by one"});
}
