#pragma once
// Units as types: different things cannot be added, and each name says what it counts.
#include <chrono>
#include <compare>
#include <cstdint>
#include <string>

namespace dbsim {

using Seconds = std::chrono::duration<double>;  // modelled or measured, never an instant

template <class Tag, class Rep>
class Quantity {
 public:
  using rep = Rep;
  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep count) : count_{count} {}
  [[nodiscard]] constexpr Rep count() const { return count_; }
  constexpr Quantity& operator+=(Quantity other) {
    count_ += other.count_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    count_ -= other.count_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity{a.count_ + b.count_};
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity{a.count_ - b.count_};
  }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  Rep count_{};
};

using Samples = Quantity<struct SamplesTag, std::int64_t>;
using Bytes =
    Quantity<struct BytesTag, double>;  // a chunk of a gradient may be a fraction of a byte
using BytesPerSecond = Quantity<struct BytesPerSecondTag, double>;

[[nodiscard]] constexpr Seconds operator/(Bytes size, BytesPerSecond rate) {
  return Seconds{size.count() / rate.count()};
}

/// A duration as a person reads it: "120.8 ms", "62.4 s", "1 h 04 min".
[[nodiscard]] std::string to_text(Seconds duration);
/// A data size in decimal units: "44.7 MB".
[[nodiscard]] std::string to_text(Bytes size);

}  // namespace dbsim
