// Every operation of the CPU's devices against itself in double, by the cases and the bounds that
// hold GPUs too (tests/gpu).
#include <functional>
#include <memory>
#include <string>

#include "calib/backend/cpu_device.hpp"
#include "tests/calib/support/networks_agree.hpp"
#include "tests/calib/support/ops_cases.hpp"
#include "tests/catch.hpp"
#include "tests/support/build_kind.hpp"

using namespace dbsim::calib;
using namespace dbsim::calib::test;

namespace {

struct UnderTest {
  std::string name;
  std::unique_ptr<Ops<float>> ops;
  std::unique_ptr<Device> device;
};

std::vector<UnderTest> devices() {
  std::vector<UnderTest> made;
  const auto add = [&](const char* name, int threads, CpuLibrary library) {
    made.push_back(
        {name, make_cpu_ops<float>(threads, library), make_cpu_device(threads, library)});
  };
  add("Eigen, one thread", 1, CpuLibrary::eigen);
  add("Eigen, two threads", 2, CpuLibrary::eigen);
  if (has_onednn()) add("oneDNN, two threads", 2, CpuLibrary::onednn);
  return made;
}

void check_group(const OpGroup& group) {
  if (!dbsim::test::optimised) {
    WARN("skipped: takes minutes without optimisation");
    return;
  }
  INFO("DBSIM_TEST_SEED=" << test_seed() << " repeats this");
  const std::vector<UnderTest> under_test = devices();
  for (const OpCase& each : group.cases(test_seed())) {
    INFO(each.name);
    const Outcome reference = outcome_in_double(each);
    const std::vector<double> allowed = allowed_errors(each, reference, float_roundoff);
    CHECK(disagreement(each, reference, allowed, reference) == "");
    for (const UnderTest& one : under_test) {
      for (const Alignment alignment : {Alignment::whole, Alignment::off_by_one}) {
        INFO(one.name << (alignment == Alignment::whole ? "" : ", not aligned"));
        CHECK(disagreement(each, reference, allowed,
                           outcome_on(each, *one.ops, *one.device, alignment)) == "");
      }
    }
  }
}

}  // namespace

TEST_CASE("products agree with double on every CPU library", "[ops]") {
  check_group(op_groups()[0]);
}
TEST_CASE("norms agree with double on every CPU library", "[ops]") { check_group(op_groups()[1]); }
TEST_CASE("pooling agrees with double on every CPU library", "[ops]") {
  check_group(op_groups()[2]);
}
TEST_CASE("elementwise operations agree with double on every CPU library", "[ops]") {
  check_group(op_groups()[3]);
}
TEST_CASE("operations on sequences agree with double on every CPU library", "[ops]") {
  check_group(op_groups()[4]);
}

TEST_CASE("what an operation does wrong is seen", "[ops]") {
  Draws draws{test_seed()};
  constexpr Index size = 100;
  const std::vector<Tensor> tensors{draws.input(size), output(size)};
  const auto seen = [&](const std::function<void(const float*, float*)>& wrong) {
    OpCase each = op_case("sigmoid", tensors, 1, [](auto& ops, const auto& m) {
      ops.activation_forward(Activation::sigmoid, size, m.value(0), m.value(1));
    });
    const Outcome reference = outcome_in_double(each);
    const std::vector<double> allowed = allowed_errors(each, reference, float_roundoff);
    each.run = [&](Ops<float>& ops, const Placed<float>& m) {
      ops.activation_forward(Activation::sigmoid, size, m.value(0), m.value(1));
      wrong(m.value(0), m.value(1));
    };
    const auto ops = make_cpu_ops<float>(1, CpuLibrary::eigen);
    const auto device = make_cpu_device(1, CpuLibrary::eigen);
    return disagreement(each, reference, allowed,
                        outcome_on(each, *ops, *device, Alignment::whole));
  };
  CHECK(seen([](const float*, float*) {}) == "");
  CHECK(seen([](const float*, float* y) { y[size] = 0.0F; }) ==
        "memory before tensor 2 was written to\n");
  CHECK(seen([](const float*, float* y) { y[-1] = 0.0F; }) ==
        "memory before tensor 1 was written to\n");
  CHECK(seen([](const float* x, float*) { const_cast<float*>(x)[3] = 9.0F; }) ==
        "tensor 0, an input, was written to\n");
  const auto begins = [](const std::string& text, const std::string& words) {
    return text.rfind(words, 0) == 0;
  };
  CHECK(begins(seen([](const float* x, float* y) { y[7] = x[size]; }),
               "tensor 1: 1 of 100 values are off; [7] is "));
  CHECK(begins(seen([](const float*, float* y) { y[99] *= 1.00001F; }),
               "tensor 1: 1 of 100 values are off; [99] is "));
}

TEST_CASE("a step of a whole model agrees with double on every CPU library", "[ops][models]") {
  if (!dbsim::test::released) {
    WARN("skipped: takes minutes without optimisation");
    return;
  }
  INFO("DBSIM_TEST_SEED=" << test_seed() << " repeats this");
  for (const char* name : {"mnistnet-mnist", "resnet18-cifar10", "transformer-wikitext2"}) {
    StepsInDouble steps{shipped_model(name), 2, test_seed()};
    for (const UnderTest& one : devices()) {
      const StepError error = steps.least_error_on(*one.ops, *one.device, 1e-4);
      INFO(name << ", " << one.name << ": " << error.parameter << " is furthest off");
      CHECK(error.loss < 1e-5);
      CHECK(error.gradient <= 1e-4);
      // A unit that rounding moves across a ReLU's corner weighs this much among few.
      CHECK(error.worst < 1e-2);
    }
  }
}

TEST_CASE("the same steps come out in the same bits on any number of threads", "[ops][models]") {
  const Model model = shipped_model("mnistnet-mnist");
  std::vector<std::vector<float>> results;
  for (const UnderTest& one : devices()) {
    if (one.name == "oneDNN, two threads") continue;
    results.push_back(trained(model, 33, test_seed(), *one.ops, *one.device));
    CHECK(results.back() == trained(model, 33, test_seed(), *one.ops, *one.device));
  }
  CHECK(results.front() == results.back());
}
