// A command called by a script: who may call what, and how the call joins the script's effects.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/lua/host.h"

namespace locklab::redis::lua {
namespace {

/// The state of the server, which only a script that has written nothing yet must respect
/// (redis/src/script.c scriptVerifyWriteCommandAllow, scriptVerifyOOM).
std::optional<Reply> unwelcome(const Run& run, const CommandSpec& spec) {
  if (!spec.has(kWrite)) return std::nullopt;
  if (run.read_only) {
    return Reply::error("ERR Write commands are not allowed from read-only scripts.");
  }
  if (run.wrote) return std::nullopt;
  const Context& context = run.call->context();
  if (context.role == Role::replica) return errors::kReadOnly;
  if (context.too_few_replicas) return errors::kNoReplicas;
  if (context.out_of_memory && spec.has(kDenyOom)) return errors::kOutOfMemory;
  return std::nullopt;
}

/// In the order of redis/src/script.c scriptCall.
std::optional<Reply> refusal(const Run& run, const CommandSpec* spec, Command argv) {
  const bool unknown_subcommand = spec != nullptr && spec->has(kContainer) && argv.size() > 1;
  if (spec == nullptr || unknown_subcommand) {
    return Reply::error("ERR Unknown Redis command called from script");
  }
  if (!spec->accepts(argv.size())) {
    return Reply::error("ERR Wrong number of args calling Redis command from script");
  }
  // Without a handler it needs a connection, which a script does not have.
  if (spec->has(kNoScript) || spec->handler == nullptr) {
    return Reply::error("ERR This Redis command is not allowed from script");
  }
  if (run.call->context().stale && !spec->has(kStale)) {
    return Reply::error("ERR Can not execute the command on a stale replica");
  }
  return unwelcome(run, *spec);
}

}  // namespace

Reply call_command(Run& run, Command argv) {
  const CommandSpec* spec = find_command(argv);
  if (std::optional<Reply> refused = refusal(run, spec, argv)) return *refused;
  if (spec->has(kWrite)) run.wrote = true;
  Call call = run.call->nested(argv, *spec, run.replicated);
  return spec->handler(call);
}

}  // namespace locklab::redis::lua
