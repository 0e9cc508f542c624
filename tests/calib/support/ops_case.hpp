#pragma once
// One operation of a device on random tensors: run between guards, held against the same operation
// in double.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "calib/backend/device.hpp"
#include "calib/kernels/ops.hpp"

namespace dbsim::calib::test {

enum class Role {
  input,
  output,
  updated,  // read and written
  scratch   // written, and nobody's business
};

struct Tensor {
  Role role{Role::input};
  std::vector<float> values;        // of either these,
  std::vector<std::int32_t> whole;  // these,
  std::vector<std::uint8_t> bytes;  // or these: the input, or as many as come out
  bool exact{false};                // every device has the same bits
  double inner{0.0};                // what is rounded on the way, where no input shows it
};

/// Where the tensors of a case lie in a device's memory.
template <class T>
class Placed {
 public:
  Placed(std::byte* memory, std::vector<std::size_t> offsets)
      : memory_{memory}, offsets_{std::move(offsets)} {}
  [[nodiscard]] T* value(std::size_t i) const { return at<T>(i); }
  [[nodiscard]] std::int32_t* whole(std::size_t i) const { return at<std::int32_t>(i); }
  [[nodiscard]] std::uint8_t* bytes(std::size_t i) const { return at<std::uint8_t>(i); }

 private:
  template <class Value>
  [[nodiscard]] Value* at(std::size_t i) const {
    return reinterpret_cast<Value*>(memory_ + offsets_[i]);
  }
  std::byte* memory_;
  std::vector<std::size_t> offsets_;
};

struct OpCase {
  std::string name;
  std::vector<Tensor> tensors;
  Index terms{1};  // of the longest sum
  bool convolution{false};
  std::function<void(Ops<float>&, const Placed<float>&)> run;
  std::function<void(Ops<double>&, const Placed<double>&)> run_double;
};

/// `body` takes (ops, placed) for either number type.
template <class Body>
OpCase op_case(std::string name, std::vector<Tensor> tensors, Index terms, Body body) {
  OpCase made;
  made.name = std::move(name);
  made.tensors = std::move(tensors);
  made.terms = terms;
  made.run = body;
  made.run_double = body;
  return made;
}

/// Whether tensors begin at multiples of 16 bytes or one value behind.
enum class Alignment { whole, off_by_one };

/// What came out, as double; empty for a tensor that does not come out.
struct Outcome {
  std::vector<std::vector<double>> tensors;
  std::vector<std::string> problems;  // what was not written, or written where it should not be
};

[[nodiscard]] Outcome outcome_in_double(const OpCase& each);
[[nodiscard]] Outcome outcome_on(const OpCase& each, Ops<float>& ops, Device& device,
                                 Alignment alignment);

/// How far from the reference each tensor may be. See ops_case.cpp for the reasons.
[[nodiscard]] std::vector<double> allowed_errors(const OpCase& each, const Outcome& reference,
                                                 double unit_roundoff);

/// Everything that is wrong, one line a problem; empty when all is well.
[[nodiscard]] std::string disagreement(const OpCase& each, const Outcome& reference,
                                       const std::vector<double>& allowed, const Outcome& outcome);

/// Half the distance from 1 to the next float.
inline constexpr double float_roundoff = 1.0 / 16'777'216.0;

}  // namespace dbsim::calib::test
