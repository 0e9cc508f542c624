#include "tests/calib/support/ops_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

#include "calib/backend/cpu_device.hpp"
#include "calib/backend/network.hpp"
#include "calib/kernels/random.hpp"

namespace dbsim::calib::test {

namespace {

// Not a number in float and double, so that what nobody wrote, or what was read outside a tensor,
// shows in the results.
constexpr std::uint8_t poison = 0xFF;
constexpr std::size_t guard = 1024;

std::size_t values_of(const Tensor& tensor) {
  return std::max({tensor.values.size(), tensor.whole.size(), tensor.bytes.size()});
}

template <class T>
std::size_t size_of(const Tensor& tensor) {
  if (!tensor.whole.empty()) return tensor.whole.size() * sizeof(std::int32_t);
  if (!tensor.bytes.empty()) return tensor.bytes.size();
  return tensor.values.size() * sizeof(T);
}

bool comes_out(const Tensor& tensor) {
  return tensor.role == Role::output || tensor.role == Role::updated;
}

/// The tensors of a case between guards, as bytes.
template <class T>
struct Picture {
  std::vector<std::size_t> offsets;
  std::vector<std::byte> bytes;

  Picture(const OpCase& each, Alignment alignment) {
    std::size_t end = guard;
    for (const Tensor& tensor : each.tensors) {
      const std::size_t shift = alignment == Alignment::off_by_one ? sizeof(T) : 0;
      offsets.push_back((end + 255) / 256 * 256 + shift);
      end = offsets.back() + size_of<T>(tensor) + guard;
    }
    bytes.assign(end, std::byte{poison});
    for (std::size_t i = 0; i < each.tensors.size(); ++i) write(each.tensors[i], offsets[i]);
  }

 private:
  void write(const Tensor& tensor, std::size_t offset) {
    if (tensor.role != Role::input && tensor.role != Role::updated) return;
    std::byte* to = bytes.data() + offset;
    const std::vector<T> values(tensor.values.begin(), tensor.values.end());
    if (!values.empty()) std::memcpy(to, values.data(), size_of<T>(tensor));
    if (!tensor.whole.empty()) std::memcpy(to, tensor.whole.data(), size_of<T>(tensor));
    if (!tensor.bytes.empty()) std::memcpy(to, tensor.bytes.data(), size_of<T>(tensor));
  }
};

template <class T>
std::vector<double> read(const Tensor& tensor, const std::byte* from) {
  if (!tensor.bytes.empty()) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(from);
    return {bytes, bytes + tensor.bytes.size()};
  }
  std::vector<T> values(tensor.values.size());
  std::memcpy(values.data(), from, values.size() * sizeof(T));
  return {values.begin(), values.end()};
}

/// Everything outside the tensors that come out must be as it was.
template <class T>
void check_surroundings(const OpCase& each, const Picture<T>& before, const Picture<T>& after,
                        Outcome& outcome) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= each.tensors.size(); ++i) {
    const bool last = i == each.tensors.size();
    const std::size_t end = last ? before.bytes.size() : before.offsets[i];
    const auto from = before.bytes.begin();
    if (!std::equal(from + static_cast<std::ptrdiff_t>(begin),
                    from + static_cast<std::ptrdiff_t>(end),
                    after.bytes.begin() + static_cast<std::ptrdiff_t>(begin))) {
      outcome.problems.push_back(fmt::format("memory before tensor {} was written to", i));
    }
    if (last) break;
    const std::size_t size = size_of<T>(each.tensors[i]);
    if (each.tensors[i].role == Role::input &&
        std::memcmp(before.bytes.data() + end, after.bytes.data() + end, size) != 0) {
      outcome.problems.push_back(fmt::format("tensor {}, an input, was written to", i));
    }
    begin = end + size;
  }
}

template <class T, class Run>
Outcome outcome_of(const OpCase& each, Ops<T>& ops, Device& device, Alignment alignment,
                   const Run& run) {
  const Picture<T> before{each, alignment};
  const DeviceMemory memory{device, static_cast<std::int64_t>(before.bytes.size())};
  device.upload(memory.data(), before.bytes.data(), before.bytes.size());
  run(ops, Placed<T>{memory.data(), before.offsets});
  device.wait();
  Picture<T> after = before;
  device.download(after.bytes.data(), memory.data(), after.bytes.size());
  Outcome outcome;
  check_surroundings(each, before, after, outcome);
  for (std::size_t i = 0; i < each.tensors.size(); ++i) {
    const bool out = comes_out(each.tensors[i]);
    outcome.tensors.push_back(out ? read<T>(each.tensors[i], after.bytes.data() + after.offsets[i])
                                  : std::vector<double>{});
  }
  return outcome;
}

/// The reference on inputs that were each moved by this part of themselves, up or down.
Outcome outcome_of_moved(const OpCase& each, double part, std::uint64_t key) {
  OpCase moved = each;
  for (std::size_t i = 0; i < moved.tensors.size(); ++i) {
    const std::uint64_t stream = random_bits(key, i);
    std::vector<float>& values = moved.tensors[i].values;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const bool up = uniform<double>(stream, static_cast<std::uint64_t>(k)) < 0.5;
      values[k] *= static_cast<float>(up ? 1.0 + part : 1.0 - part);
    }
  }
  return outcome_in_double(moved);
}

bool few_values(const OpCase& each) {
  std::size_t values = 0;
  for (const Tensor& tensor : each.tensors) values += tensor.values.size();
  return values < 4'096;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

Outcome outcome_in_double(const OpCase& each) {
  const auto device = make_cpu_device(1, CpuLibrary::eigen);
  const auto ops = make_cpu_ops<double>(1, CpuLibrary::eigen);
  return outcome_of<double>(each, *ops, *device, Alignment::whole, each.run_double);
}

Outcome outcome_on(const OpCase& each, Ops<float>& ops, Device& device, Alignment alignment) {
  return outcome_of<float>(each, ops, device, alignment, each.run);
}

// A sum of n terms that a device adds in any order is off by about sqrt(n) roundings of what it has
// so far, since roundings go either way; eight times that is beyond chance for a whole tensor, and
// covers the exponentials and error functions of every device, which are good to two units. What
// one rounding is worth is the larger of that of the tensor's largest value and of what rounding
// the inputs does to it: where terms cancel, the latter is much more.
std::vector<double> allowed_errors(const OpCase& each, const Outcome& reference,
                                   double unit_roundoff) {
  // Far more than a rounding, so that float holds the moved inputs; the operations are smooth.
  constexpr double move = 1.0 / 65'536.0;
  std::vector<double> shift(each.tensors.size(), 0.0);
  // Where few values move, a draw may happen to leave the result where it is.
  const std::uint64_t draws = few_values(each) ? 16 : 2;
  for (std::uint64_t key = 1; key <= draws; ++key) {
    const Outcome elsewhere = outcome_of_moved(each, move, key);
    for (std::size_t i = 0; i < shift.size(); ++i) {
      for (std::size_t k = 0; k < reference.tensors[i].size(); ++k) {
        const double moved = std::abs(elsewhere.tensors[i][k] - reference.tensors[i][k]);
        shift[i] = std::max(shift[i], moved / move);
      }
    }
  }
  std::vector<double> allowed;
  for (std::size_t i = 0; i < shift.size(); ++i) {
    const Tensor& tensor = each.tensors[i];
    const double scale = std::max({largest(reference.tensors[i]), shift[i], tensor.inner});
    allowed.push_back(each.tensors[i].exact ? 0.0
                                            : 8.0 * std::sqrt(static_cast<double>(each.terms)) *
                                                  unit_roundoff * scale);
  }
  return allowed;
}

std::string disagreement(const OpCase& each, const Outcome& reference,
                         const std::vector<double>& allowed, const Outcome& outcome) {
  std::string text;
  for (const std::string& problem : outcome.problems) text += problem + "\n";
  for (std::size_t i = 0; i < each.tensors.size(); ++i) {
    const std::vector<double>& wanted = reference.tensors[i];
    std::size_t wrong = 0;
    std::size_t worst = 0;
    double most = -1.0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const double error = std::abs(outcome.tensors[i][k] - wanted[k]);
      if (error <= allowed[i]) continue;  // not a number is no less either
      ++wrong;
      if (!(error <= most)) {
        most = error;
        worst = k;
      }
    }
    if (wrong == 0) continue;
    text += fmt::format(
        "tensor {}: {} of {} values are off; [{}] is {} where {} is right, +- {:.2g}\n", i, wrong,
        values_of(each.tensors[i]), worst, outcome.tensors[i][worst], wanted[worst], allowed[i]);
  }
  return text;
}

}  // namespace dbsim::calib::test
