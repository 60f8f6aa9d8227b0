// Task: a move-only callable in place, so that starting a fiber allocates nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace locklab {

class Task {
 public:
  static constexpr std::size_t kCapacity = 96;

  Task() = default;
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, Task>>>
  Task(F&& function) {  // NOLINT(google-explicit-constructor): a lambda is a task.
    using Fn = std::decay_t<F>;
    static_assert(sizeof(Fn) <= kCapacity, "capture less, or by reference");
    static_assert(alignof(Fn) <= alignof(std::max_align_t));
    ::new (static_cast<void*>(storage_)) Fn(std::forward<F>(function));
    call_ = [](void* self) { (*static_cast<Fn*>(self))(); };
    move_ = [](void* to, void* from) {
      if (to != nullptr) ::new (to) Fn(std::move(*static_cast<Fn*>(from)));
      static_cast<Fn*>(from)->~Fn();
    };
  }
  Task(Task&& other) noexcept { take(other); }
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() { reset(); }

  void operator()() { call_(storage_); }
  explicit operator bool() const { return call_ != nullptr; }
  void reset() {
    if (call_ != nullptr) move_(nullptr, storage_);
    call_ = nullptr;
  }

 private:
  void take(Task& other) {
    call_ = std::exchange(other.call_, nullptr);
    move_ = other.move_;
    if (call_ != nullptr) move_(storage_, other.storage_);
  }

  alignas(std::max_align_t) std::byte storage_[kCapacity];
  void (*call_)(void*) = nullptr;
  void (*move_)(void* to, void* from) = nullptr;
};

}  // namespace locklab
