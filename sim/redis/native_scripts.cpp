// The C++ equivalents of known scripts.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/native_scripts.h"

#include <array>

namespace locklab::redis {
namespace {

constexpr std::array kScripts = {
    NativeScript{kCompareAndDelete, "get", "del", false},
    NativeScript{kCompareAndDeleteShort, "GET", "DEL", false},
    NativeScript{kCompareAndPexpire, "get", "pexpire", true},
    NativeScript{kCompareAndPexpireShort, "GET", "PEXPIRE", true},
};

}  // namespace

const NativeScript* native_script_of(std::string_view body) {
  for (const NativeScript& script : kScripts) {
    if (script.body == body) return &script;
  }
  return nullptr;
}

std::optional<Reply> run_native(const NativeScript& script, lua::Run& run, Command keys,
                                Command arguments) {
  const std::size_t needed = script.passes_argument ? 2 : 1;
  if (keys.empty() || arguments.size() < needed) return std::nullopt;
  const std::array get = {script.get, keys[0]};
  const Reply value = lua::call_command(run, get);
  if (value.is_error()) return value;
  if (value.kind() != ReplyKind::bulk || value.text() != arguments[0]) return Reply::integer(0);
  const std::array change = {script.change, keys[0], arguments[needed - 1]};
  return lua::call_command(run, Command(change).first(script.passes_argument ? 3 : 2));
}

}  // namespace locklab::redis
