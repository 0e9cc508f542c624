#pragma once
// From a model to the order of its work and the life of every buffer: which ReLUs ride along with
// the layer before them, what backward still needs, which gradients share memory.
#include <cstdint>
#include <vector>

#include "calib/spec/model.hpp"

namespace dbsim::calib {

using BufferId = std::int32_t;
inline constexpr BufferId no_buffer = -1;

struct Buffer {
  std::int64_t values_per_sample{};
  std::int64_t bytes_per_value{};  // 0: the size of the network's number type
  // Time: forward of step i is at i, the loss at S (the number of steps), backward of step i at
  // 2 S - i. Used from born to died, both included.
  std::int64_t born{};
  std::int64_t died{};
};

/// What backward does with the gradient for one of a step's inputs.
struct InputGradient {
  BufferId written{no_buffer};  // where the step writes; none: nobody needs it, or it is shared
  BufferId former{no_buffer};   // what was there before: sum = former + written
  BufferId sum{no_buffer};      // may be `former` itself
};

struct PlannedStep {
  std::int64_t node{};
  bool relu{false};              // followed by one, in the same pass
  std::vector<BufferId> inputs;  // no_buffer: the sample itself
  BufferId output{};
  std::vector<BufferId> kept;  // what the operation wants to see again in backward, or works in
  BufferId output_gradient{};
  /// Where the output's gradient is rewritten without the ReLU's closed places (add only).
  BufferId passed_gradient{no_buffer};
  std::vector<InputGradient> input_gradients;  // one an input
  std::vector<BufferId> backward_kept;         // room that only backward works in
};

struct StepPlan {
  std::vector<PlannedStep> steps;
  std::vector<Buffer> buffers;
  BufferId scores{};           // of the last step
  BufferId scores_gradient{};  // written by the loss
};

[[nodiscard]] StepPlan plan_steps(const Model& model);

/// Offsets into one arena such that buffers in use at the same time do not overlap.
struct ArenaPlan {
  std::vector<std::int64_t> offsets;  // bytes, by buffer
  std::int64_t bytes{};
};
[[nodiscard]] ArenaPlan place_buffers(const std::vector<Buffer>& buffers, std::int64_t batch,
                                      std::int64_t bytes_per_value);

}  // namespace dbsim::calib
