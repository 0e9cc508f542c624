#pragma once
// An owned object of a class family that copies with its owner, so that state holding it stays a
// plain value.
#include <memory>
#include <utility>

namespace dbsim {

template <class T>
class Cloned {
 public:
  explicit Cloned(std::unique_ptr<T> object) : object_{std::move(object)} {}
  Cloned(const Cloned& other) : object_{other.object_ ? other.object_->clone() : nullptr} {}
  Cloned(Cloned&&) noexcept = default;
  Cloned& operator=(const Cloned& other) {
    if (this != &other) *this = Cloned{other};
    return *this;
  }
  Cloned& operator=(Cloned&&) noexcept = default;
  ~Cloned() = default;
  [[nodiscard]] T& operator*() const { return *object_; }
  [[nodiscard]] T* operator->() const { return object_.get(); }

 private:
  std::unique_ptr<T> object_;
};

}  // namespace dbsim
