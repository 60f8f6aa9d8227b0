// The budget of a run: instructions, walks of library functions and bytes through the allocator.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/lua/host.h"

namespace locklab::redis::lua {
namespace {

// How often the counter looks: rarely enough to cost nothing, often enough to stop soon.
constexpr int kCountEvery = 1000;
// Copying bytes is cheaper than interpreting: 32 of them count as one instruction.
constexpr std::size_t kBytesPerInstruction = 32;
// A walk over everything the script has built, half a kilobyte of it (about a dozen table slots) at
// the price of an instruction.
constexpr std::size_t kScannedBytesPerInstruction = 512;
// A single instruction may compare or convert the longest string there is, out of the counter's
// sight: the more a script holds, the sooner its budget ends.
constexpr std::size_t kHeldBytesPerInstruction = 16;

constexpr const char* kExhausted = "Script exceeded its instruction limit";

/// Moves the allocator's work since the last look into the budget.
std::int64_t allocation_work(Host& host) {
  const std::size_t total = host.heap.total_allocated();
  const std::size_t bytes = total - host.run.charged_bytes;
  host.run.charged_bytes = total;
  return static_cast<std::int64_t>(bytes / kBytesPerInstruction);
}

/// What the heap has grown by since the run began.
std::size_t held_bytes(const Host& host) {
  const std::size_t in_use = host.heap.in_use();
  return in_use > host.run.heap_at_start ? in_use - host.run.heap_at_start : 0;
}

void count(lua_State* state, lua_Debug*) {
  Host& host = host_of(state);
  const auto held = static_cast<std::int64_t>(held_bytes(host) / kHeldBytesPerInstruction);
  // Once spent, every instruction fails: pcall cannot keep the script alive.
  const bool was_exhausted = host.run.exhausted;
  if (spend(host.run, kCountEvery + allocation_work(host) + held)) return;
  if (!was_exhausted) lua_sethook(state, count, LUA_MASKCOUNT, 1);
  luaL_error(state, kExhausted);
}

}  // namespace

bool spend(Run& run, std::int64_t work) {
  run.instructions_left -= work;
  if (run.instructions_left < 0) run.exhausted = true;
  return !run.exhausted;
}

void charge(lua_State* state, std::int64_t work) {
  Host& host = host_of(state);
  if (!spend(host.run, work + allocation_work(host))) luaL_error(state, kExhausted);
}

void charge_scan(lua_State* state) {
  const std::size_t held = held_bytes(host_of(state));
  charge(state, static_cast<std::int64_t>(1 + held / kScannedBytesPerInstruction));
}

void install_counter(lua_State* state) {
  lua_sethook(state, count, LUA_MASKCOUNT, kCountEvery);
}

void raise(lua_State* state, std::string_view text) {
  push(state, text);
  lua_error(state);
  __builtin_unreachable();
}

}  // namespace locklab::redis::lua
