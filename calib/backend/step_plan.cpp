#include "calib/backend/step_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>

namespace dbsim::calib {

namespace {

template <class Kind>
bool is(const Node& node) {
  return std::holds_alternative<Kind>(node.operation);
}

/// Backward reads the inputs.
bool reads_inputs(const Node& node) {
  return is<Convolution>(node) || is<Linear>(node) || is<BatchNorm>(node) || is<GroupNorm>(node) ||
         is<LayerNorm>(node) || is<Gelu>(node) || is<Multiply>(node) || is<Attention>(node);
}

/// Backward reads the output.
bool reads_output(const Node& node, bool relu) {
  return relu || is<Relu>(node) || is<Sigmoid>(node);
}

/// The input's gradient may take the place of the output's.
bool works_in_place(const Node& node) {
  return is<BatchNorm>(node) || is<Relu>(node) || is<Sigmoid>(node) || is<Gelu>(node) ||
         is<Dropout>(node);
}

/// Can leave the input's gradient out where nobody needs it.
bool may_leave_out(const Node& node) {
  return is<Convolution>(node) || is<Linear>(node) || is<Attention>(node) || is<Embedding>(node);
}

/// The input's gradient is the output's.
bool passes_through(const Node& node) { return is<Add>(node) || is<PositionalEncoding>(node); }

class Planner {
 public:
  explicit Planner(const Model& model) : model_{model} {}

  StepPlan run() {
    choose_steps();
    plan_forward();
    plan_backward();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] const Node& node(std::int64_t number) const {
    return model_.nodes[static_cast<std::size_t>(number)];
  }

  BufferId add_buffer(std::int64_t values, std::int64_t born, std::int64_t bytes = 0) {
    plan_.buffers.push_back({values, bytes, born, born});
    return static_cast<BufferId>(plan_.buffers.size() - 1);
  }

  void use(BufferId buffer, std::int64_t time) {
    if (buffer == no_buffer) return;
    auto& died = plan_.buffers[static_cast<std::size_t>(buffer)].died;
    died = std::max(died, time);
  }

  /// A ReLU that alone reads the batch norm or sum before it is done in the same pass.
  void choose_steps() {
    const std::size_t count = model_.nodes.size();
    std::vector<int> readers(count, 0);
    for (const Node& reader : model_.nodes) {
      for (const std::int64_t input : reader.inputs) {
        if (input != model_input) ++readers[static_cast<std::size_t>(input)];
      }
    }
    home_.resize(count);
    std::iota(home_.begin(), home_.end(), std::int64_t{0});
    std::vector<bool> rides(count, false);
    std::vector<bool> carries(count, false);
    for (std::size_t i = 0; i < count; ++i) {
      const Node& here = model_.nodes[i];
      const std::int64_t before = here.inputs.front();
      if (is<Flatten>(here)) {
        rides[i] = true;
        home_[i] = home(before);
      } else if (is<Relu>(here) && before != model_input) {
        const auto source = static_cast<std::size_t>(before);
        const bool fusible = is<BatchNorm>(node(before)) || is<Add>(node(before));
        if (!fusible || readers[source] != 1) continue;
        carries[source] = true;
        rides[i] = true;
        home_[i] = before;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (rides[i]) continue;
      PlannedStep step;
      step.node = static_cast<std::int64_t>(i);
      step.relu = carries[i];
      plan_.steps.push_back(std::move(step));
    }
    step_of_.assign(count, 0);
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      step_of_[static_cast<std::size_t>(plan_.steps[s].node)] = s;
    }
  }

  /// The node whose step writes this node's value, or model_input.
  [[nodiscard]] std::int64_t home(std::int64_t number) const {
    return number == model_input ? model_input : home_[static_cast<std::size_t>(number)];
  }

  /// The step whose output this value is, for values that are not the sample itself.
  [[nodiscard]] std::size_t producer(std::int64_t number) const {
    return step_of_[static_cast<std::size_t>(home(number))];
  }

  [[nodiscard]] std::int64_t backward_time(std::size_t step) const {
    return 2 * static_cast<std::int64_t>(plan_.steps.size()) - static_cast<std::int64_t>(step);
  }

  void plan_forward() {
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      PlannedStep& step = plan_.steps[s];
      const Node& here = node(step.node);
      const auto now = static_cast<std::int64_t>(s);
      step.output = add_buffer(here.shape.size(), now);
      for (const std::int64_t input : here.inputs) {
        const BufferId from =
            home(input) == model_input ? no_buffer : plan_.steps[producer(input)].output;
        step.inputs.push_back(from);
        use(from, reads_inputs(here) ? backward_time(s) : now);
      }
      if (reads_output(here, step.relu)) use(step.output, backward_time(s));
      keep(step, here, now, backward_time(s));
    }
    plan_.scores = plan_.steps.back().output;
    use(plan_.scores, static_cast<std::int64_t>(plan_.steps.size()));
  }

  void keep(PlannedStep& step, const Node& here, std::int64_t now, std::int64_t later) {
    const Shape& input = model_.input_shape(here);
    const auto add = [&](std::int64_t values, std::int64_t last, std::int64_t bytes = 0) {
      step.kept.push_back(add_buffer(values, now, bytes));
      use(step.kept.back(), last);
    };
    if (is<MaxPool>(here)) {
      add(here.shape.size(), later, 1);
    } else if (const auto* norm = std::get_if<GroupNorm>(&here.operation)) {
      add(norm->groups, later);
      add(norm->groups, later);
    } else if (is<LayerNorm>(here)) {
      add(input.places(), later);
      add(input.places(), later);
    } else if (const auto* attention = std::get_if<Attention>(&here.operation)) {
      const std::int64_t weights = attention->heads * input.places() * input.places();
      add(3 * input.size(), later);  // query, key, value
      add(weights, later);
      add(input.size(), later);  // before the last projection
      add(weights, now);
      step.backward_kept = {add_buffer(weights, later), add_buffer(input.size(), later),
                            add_buffer(3 * input.size(), later)};
    }
  }

  // Which outputs' gradients a buffer holds that backward has yet to consume, by buffer.
  using Holders = std::set<std::size_t>;
  Holders& holders(BufferId buffer) {
    holders_.resize(std::max(holders_.size(), plan_.buffers.size()));
    return holders_[static_cast<std::size_t>(buffer)];
  }

  void plan_backward() {
    gradient_.assign(plan_.steps.size(), no_buffer);
    const auto loss_time = static_cast<std::int64_t>(plan_.steps.size());
    const std::size_t last = plan_.steps.size() - 1;
    plan_.scores_gradient = add_buffer(node(plan_.steps[last].node).shape.size(), loss_time);
    give(last, plan_.scores_gradient);
    for (std::size_t s = plan_.steps.size(); s-- > 0;) plan_step_backward(s);
  }

  void give(std::size_t step, BufferId buffer) {
    gradient_[step] = buffer;
    holders(buffer).insert(step);
  }

  void plan_step_backward(std::size_t s) {
    PlannedStep& step = plan_.steps[s];
    const Node& here = node(step.node);
    const std::int64_t now = backward_time(s);
    step.output_gradient = gradient_[s];
    use(step.output_gradient, now);
    BufferId passed = step.output_gradient;
    if (is<Add>(here) && step.relu) {
      if (holders(passed).size() > 1) passed = add_buffer(here.shape.size(), now);
      step.passed_gradient = passed;
    }
    holders(step.output_gradient).erase(s);
    for (std::size_t i = 0; i < here.inputs.size(); ++i) {
      InputGradient gradient;
      if (home(here.inputs[i]) != model_input) {
        const std::size_t source = producer(here.inputs[i]);
        const std::int64_t values = model_.input_shape(here, i).size();
        gradient = passes_through(here) ? pass(source, passed, values, now)
                                        : compute(source, here, passed, values, now);
      } else if (!may_leave_out(here) && !passes_through(here)) {
        gradient.written = add_buffer(model_.input_shape(here, i).size(), now);
      }
      step.input_gradients.push_back(gradient);
    }
  }

  InputGradient pass(std::size_t source, BufferId passed, std::int64_t values, std::int64_t now) {
    InputGradient gradient;
    use(passed, now);
    if (gradient_[source] == no_buffer) {
      give(source, passed);
    } else {
      gradient.written = passed;
      accumulate(source, gradient, values, now);
    }
    return gradient;
  }

  InputGradient compute(std::size_t source, const Node& here, BufferId from, std::int64_t values,
                        std::int64_t now) {
    InputGradient gradient;
    const bool first = gradient_[source] == no_buffer;
    const bool replace = first && works_in_place(here) && holders(from).empty();
    gradient.written = replace ? from : add_buffer(values, now);
    use(gradient.written, now);
    if (first) {
      give(source, gradient.written);
    } else {
      accumulate(source, gradient, values, now);
    }
    return gradient;
  }

  /// Adds to what is there; in place unless others still wait to read it.
  void accumulate(std::size_t source, InputGradient& gradient, std::int64_t values,
                  std::int64_t now) {
    gradient.former = gradient_[source];
    use(gradient.former, now);
    holders(gradient.former).erase(source);
    gradient.sum = holders(gradient.former).empty() ? gradient.former : add_buffer(values, now);
    give(source, gradient.sum);
  }

  const Model& model_;
  StepPlan plan_;
  std::vector<std::int64_t> home_;    // by node: the node whose step writes its value
  std::vector<std::size_t> step_of_;  // by node
  std::vector<BufferId> gradient_;    // by step: its output's gradient so far
  std::vector<Holders> holders_;      // by buffer
};

constexpr std::int64_t alignment = 256;

std::int64_t bytes_of(const Buffer& buffer, std::int64_t batch, std::int64_t bytes_per_value) {
  const std::int64_t each = buffer.bytes_per_value > 0 ? buffer.bytes_per_value : bytes_per_value;
  const std::int64_t bytes = buffer.values_per_sample * batch * each;
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

StepPlan plan_steps(const Model& model) { return Planner{model}.run(); }

ArenaPlan place_buffers(const std::vector<Buffer>& buffers, std::int64_t batch,
                        std::int64_t bytes_per_value) {
  ArenaPlan plan;
  plan.offsets.assign(buffers.size(), 0);
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return buffers[i].born; });
  struct Placed {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t died;
  };
  std::vector<Placed> live;  // by place
  for (const std::size_t i : order) {
    const std::int64_t size = bytes_of(buffers[i], batch, bytes_per_value);
    std::erase_if(live, [&](const Placed& other) { return other.died < buffers[i].born; });
    std::int64_t place = 0;
    auto next = live.begin();
    for (; next != live.end() && next->begin < place + size; ++next) {
      place = std::max(place, next->end);
    }
    live.insert(next, {place, place + size, buffers[i].died});
    plan.offsets[i] = place;
    plan.bytes = std::max(plan.bytes, place + size);
  }
  return plan;
}

}  // namespace dbsim::calib
