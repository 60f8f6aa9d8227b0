// FiberPool: the only file that knows how Boost.Fiber resumes a context.
// SPDX-License-Identifier: Apache-2.0
#include "sim/fibers.h"

#include <array>
#include <cstring>
#include <cxxabi.h>
#include <utility>

#include <boost/context/stack_context.hpp>
#include <boost/fiber/algo/round_robin.hpp>
#include <boost/fiber/context.hpp>
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/operations.hpp>
#include <boost/fiber/scheduler.hpp>

#include "sim/contract.h"
#include "sim/stack_fill.h"

namespace locklab {
namespace {

namespace bf = boost::fibers;

// Enough for a lock algorithm and a formatted message; far below the size at which malloc turns to
// mmap, which costs a page fault per fiber.
constexpr std::size_t kStackBytes = std::size_t{64} * 1024;
constexpr std::uint64_t kCanary = 0x6c6f636b6c616221ULL;

/// The exception state of one stack. libstdc++ keeps it per thread (Itanium C++ ABI, 2.2.2); a
/// fiber that parks inside a handler or a destructor must not leave its own to the next one.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

/// See sim/stack_fill.h.
thread_local std::optional<std::uint8_t> stack_fill;

/// Fills the stack that it runs on, from behind the canary to its own frame.
[[gnu::noinline]] void fill_stack(const std::uint64_t* canary, std::uint8_t byte) {
  constexpr std::ptrdiff_t kOwnFrame = 512;  // With some to spare.
  volatile auto* const stack = const_cast<volatile std::uint64_t*>(canary);
  const std::ptrdiff_t size = static_cast<volatile char*>(__builtin_frame_address(0)) -
                              reinterpret_cast<volatile char*>(stack) - kOwnFrame;
  const std::uint64_t word = byte * 0x0101010101010101ULL;
  for (std::ptrdiff_t i = 1; i < size / static_cast<std::ptrdiff_t>(sizeof(word)); ++i)
    stack[i] = word;
}

struct PooledStacks {
  std::vector<void*>* all;

  boost::context::stack_context allocate() const {
    void* memory = std::malloc(kStackBytes);
    if (memory == nullptr) throw std::bad_alloc();
    std::memcpy(memory, &kCanary, sizeof(kCanary));
    all->push_back(memory);
    boost::context::stack_context context;
    context.size = kStackBytes;
    context.sp = static_cast<char*>(memory) + kStackBytes;
    return context;
  }
  void deallocate(boost::context::stack_context& context) const noexcept {
    void* memory = static_cast<char*>(context.sp) - context.size;
    std::erase(*all, memory);
    std::free(memory);
  }
};

}  // namespace

struct FiberPool::Impl {
  struct Slot {
    bf::context* context = nullptr;
    Body body = nullptr;
    void* argument = nullptr;
    FiberState state = FiberState::idle;
    bool quit = false;
    const std::uint64_t* canary = nullptr;
    ExceptionState exceptions;
  };

  class Algorithm;

  std::vector<Slot> slots;
  std::vector<std::uint32_t> idle;
  std::vector<void*> stacks;
  std::vector<std::uint32_t> awakened;
  bf::context* main = nullptr;
  bf::context* dispatcher = nullptr;
  bf::context* created = nullptr;
  bool run_dispatcher = false;
  bool closing = false;
  bool ask_when = false;
  Instant next_foreign = Instant::never();
  ExceptionState* thread_exceptions = nullptr;

  void swap_exceptions(ExceptionState& other) const { std::swap(*thread_exceptions, other); }
  std::uint32_t slot_of(const bf::context* context) const {
    for (std::uint32_t id = 0; id < slots.size(); ++id) {
      if (slots[id].context == context) return id;
    }
    return kNone;
  }
};

/// Lets Boost's scheduler hand everything back to the main loop.
class FiberPool::Impl::Algorithm final : public bf::algo::algorithm {
 public:
  explicit Algorithm(Impl& impl) : impl_(&impl) {}

  void awakened(bf::context* context) noexcept override {
    if (context->is_context(bf::type::dispatcher_context)) {
      impl_->dispatcher = context;
    } else if (context->is_context(bf::type::worker_context)) {
      const std::uint32_t id = impl_->slot_of(context);
      if (id == kNone) {
        impl_->created = context;
      } else {
        impl_->awakened.push_back(id);
      }
    }
  }

  bf::context* pick_next() noexcept override {
    if ((impl_->run_dispatcher || impl_->closing) && impl_->dispatcher != nullptr) {
      impl_->run_dispatcher = false;
      return std::exchange(impl_->dispatcher, nullptr);
    }
    if (impl_->ask_when) return nullptr;  // The dispatcher then tells suspend_until() when.
    return impl_->main;
  }

  bool has_ready_fibers() const noexcept override {
    return !impl_->closing || impl_->dispatcher != nullptr;
  }
  void suspend_until(const std::chrono::steady_clock::time_point& when) noexcept override {
    impl_->ask_when = false;
    impl_->next_foreign = when == std::chrono::steady_clock::time_point::max()
                              ? Instant::never()
                              : instant_from_bits(when.time_since_epoch().count());
  }
  void notify() noexcept override {}

 private:
  Impl* impl_;
};

void fill_stacks_of_this_thread(std::optional<std::uint8_t> byte) {
  stack_fill = byte;
}

FiberPool& FiberPool::of_thread() {
  static thread_local FiberPool pool;
  return pool;
}

FiberPool::FiberPool() : impl_(std::make_unique<Impl>()) {
  impl_->main = bf::context::active();
  impl_->thread_exceptions = reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
  bf::use_scheduling_algorithm<Impl::Algorithm>(*impl_);
}

FiberPool::~FiberPool() {
  for (std::uint32_t id = 0; id < impl_->slots.size(); ++id) {
    Impl::Slot& slot = impl_->slots[id];
    if (slot.state == FiberState::foreign) {
      slot.context->worker_unlink();  // Else Boost's scheduler would wait for it for ever.
      continue;
    }
    slot.quit = true;
    slot.context->resume();
  }
  impl_->run_dispatcher = true;  // It frees the terminated contexts.
  boost::this_fiber::yield();
  // Boost's own thread exit runs after this destructor and needs an algorithm that still lives.
  impl_->closing = true;
  bf::use_scheduling_algorithm<bf::algo::round_robin>();
}

std::uint32_t FiberPool::spawn(Body body, void* argument) {
  if (impl_->idle.empty()) {
    const auto id = static_cast<std::uint32_t>(impl_->slots.size());
    impl_->slots.reserve(impl_->slots.size() + 1);
    impl_->created = nullptr;
    auto loop = [impl = impl_.get(), id] {
      for (;;) {
        if (impl->slots[id].quit) return;
        if (stack_fill) fill_stack(impl->slots[id].canary, *stack_fill);
        impl->slots[id].body(impl->slots[id].argument);
        impl->slots[id].state = FiberState::idle;
        impl->main->resume();
      }
    };
    bf::fiber(bf::launch::post, std::allocator_arg, PooledStacks{&impl_->stacks}, loop).detach();
    SIM_ASSERT(impl_->created != nullptr);
    Impl::Slot slot;
    slot.context = impl_->created;
    slot.canary = static_cast<const std::uint64_t*>(impl_->stacks.back());
    impl_->slots.push_back(slot);
    impl_->idle.push_back(id);
  }
  const std::uint32_t id = impl_->idle.back();
  impl_->idle.pop_back();
  Impl::Slot& slot = impl_->slots[id];
  slot.body = body;
  slot.argument = argument;
  slot.state = FiberState::ready;
  slot.exceptions = {};
  return id;
}

FiberState FiberPool::resume(std::uint32_t id) {
  SIM_ASSERT(current_ == kNone);
  SIM_ASSERT(impl_->slots[id].state != FiberState::idle);
  impl_->slots[id].state = FiberState::running;
  current_ = id;
  impl_->swap_exceptions(impl_->slots[id].exceptions);
  impl_->slots[id].context->resume();
  impl_->swap_exceptions(impl_->slots[id].exceptions);
  current_ = kNone;

  Impl::Slot& slot = impl_->slots[id];
  SIM_ASSERT(*slot.canary == kCanary);  // A fiber overran its stack.
  if (slot.state == FiberState::running) slot.state = FiberState::foreign;
  if (slot.state == FiberState::idle) impl_->idle.push_back(id);
  return slot.state;
}

void FiberPool::park() {
  SIM_ASSERT(current_ != kNone);
  impl_->slots[current_].state = FiberState::parked;
  impl_->main->resume();
}

FiberState FiberPool::state(std::uint32_t id) const {
  return impl_->slots[id].state;
}

void FiberPool::abandon(std::uint32_t id) {
  SIM_ASSERT(impl_->slots[id].state == FiberState::foreign);
}

std::vector<std::uint32_t> FiberPool::take_awakened() {
  return std::exchange(impl_->awakened, {});
}

Instant FiberPool::poll_foreign_timers() {
  SIM_ASSERT(current_ == kNone);
  impl_->run_dispatcher = true;
  impl_->ask_when = true;
  impl_->next_foreign = Instant::never();
  boost::this_fiber::yield();
  impl_->ask_when = false;
  return impl_->next_foreign;
}

}  // namespace locklab
