// The C++ equivalents of known scripts.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/native_scripts.h"

#include <array>

namespace locklab::redis {

NativeScript native_script_of(std::string_view body) {
  if (body == kCompareAndDelete) return NativeScript::compare_and_delete;
  if (body == kCompareAndPexpire) return NativeScript::compare_and_pexpire;
  return NativeScript::none;
}

std::optional<Reply> run_native(NativeScript script, lua::Run& run, Command keys,
                                Command arguments) {
  const std::size_t needed = script == NativeScript::compare_and_pexpire ? 2 : 1;
  if (keys.empty() || arguments.size() < needed) return std::nullopt;
  const std::array get = {std::string_view("get"), keys[0]};
  const Reply value = lua::call_command(run, get);
  if (value.is_error()) return value;
  if (value.kind() != ReplyKind::bulk || value.text() != arguments[0]) return Reply::integer(0);
  if (script == NativeScript::compare_and_delete) {
    const std::array del = {std::string_view("del"), keys[0]};
    return lua::call_command(run, del);
  }
  const std::array pexpire = {std::string_view("pexpire"), keys[0], arguments[1]};
  return lua::call_command(run, pexpire);
}

}  // namespace locklab::redis
