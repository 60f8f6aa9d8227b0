// Stage: what is remembered over executions.
// SPDX-License-Identifier: Apache-2.0
#include "sim/stage.h"

namespace locklab {

std::string_view Stage::sha_of(std::string_view body) {
  for (const auto& script : scripts_) {
    if (script->body == body) return {script->sha.data(), script->sha.size()};
  }
  scripts_.push_back(std::make_unique<KnownScript>());
  scripts_.back()->body = body;
  scripts_.back()->sha = redis::to_hex(redis::sha1(body));
  return {scripts_.back()->sha.data(), scripts_.back()->sha.size()};
}

}  // namespace locklab
