// Model: the names of the specifications, and which one judges what.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/model.h"

#include <algorithm>
#include <charconv>

#include "properties/linearizability/lock_models.h"
#include "properties/linearizability/value_models.h"
#include "sim/contract.h"

namespace locklab::linearizability {
namespace {

constexpr std::uint32_t kLimitMost = 65535;

constexpr std::array<std::string_view, kKinds> kNames = {
    "register",          "key-value",       "queue",        "mutex",
    "owner-aware-mutex", "reentrant-mutex", "fenced-mutex", "reentrant-fenced-mutex",
    "semaphore"};

}  // namespace

bool Spec::has_limit() const {
  return kind == Kind::reentrant_mutex || kind == Kind::reentrant_fenced_mutex ||
         kind == Kind::semaphore;
}

bool Spec::has(Function function) const {
  switch (function) {
    case Function::read:
    case Function::write:
      return kind == Kind::reg || kind == Kind::key_value;
    case Function::cas:
      return kind == Kind::reg;
    case Function::append:
      return kind == Kind::key_value;
    case Function::enqueue:
    case Function::dequeue:
      return kind == Kind::queue;
    case Function::acquire:
    case Function::release:
      return is_lock();
  }
  return false;
}

const std::array<std::string_view, kKinds>& model_names() {
  return kNames;
}

std::string name_of(const Spec& spec) {
  std::string name(kNames[static_cast<std::size_t>(spec.kind)]);
  return spec.has_limit() ? name + ":" + std::to_string(spec.limit) : name;
}

std::optional<Spec> spec_named(std::string_view name) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  const auto* const found = std::find(kNames.begin(), kNames.end(), name.substr(0, colon));
  if (found == kNames.end()) return std::nullopt;
  Spec spec;
  spec.kind = static_cast<Kind>(found - kNames.begin());
  if (colon == name.size()) return spec;
  const std::string_view digits = name.substr(colon + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), spec.limit);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!whole || !spec.has_limit() || spec.limit < 1 || spec.limit > kLimitMost) return std::nullopt;
  return spec;
}

bool only_looks(const Operation& operation) {
  if (operation.is_unknown()) return operation.function == Function::read;
  switch (operation.function) {
    case Function::read:
      return true;
    case Function::cas:
    case Function::acquire:
      return operation.result == Result::refused;
    case Function::dequeue:
      return operation.output == kNil;
    default:
      return false;
  }
}

std::unique_ptr<Model> make_model(const Spec& spec, const Names& names) {
  switch (spec.kind) {
    case Kind::reg:
      return make_register();
    case Kind::key_value:
      return make_key_value(names);
    case Kind::queue:
      return make_queue();
    case Kind::mutex:
      return make_mutex();
    case Kind::owner_aware_mutex:
      return make_reentrant_mutex(1);
    case Kind::reentrant_mutex:
      return make_reentrant_mutex(spec.limit);
    case Kind::fenced_mutex:
      return make_fenced_mutex(1);
    case Kind::reentrant_fenced_mutex:
      return make_fenced_mutex(spec.limit);
    case Kind::semaphore:
      return make_semaphore(spec.limit);
  }
  SIM_UNREACHABLE("no such model");
}

}  // namespace locklab::linearizability
