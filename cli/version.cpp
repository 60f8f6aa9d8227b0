// version: program, formats and compiler.
// SPDX-License-Identifier: Apache-2.0
#include "cli/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/verbs.h"
#include "sim/history.h"

namespace locklab::cli {
namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "clang " __clang_version__;
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

}  // namespace

std::string version_line() {
  return fmt::format("locklab {}, model epoch {}, history format {}", LOCKLAB_VERSION,
                     History::kModelEpoch, History::kFormat);
}

ExitCode version(const Arguments& arguments, Console& console) {
  if (!arguments.json) {
    console.print(fmt::format("{}\ntokens ll1, scenario files 1, {}\n", version_line(), kCompiler));
    return kOk;
  }
  nlohmann::ordered_json json;
  json["schema"] = "locklab.version/1";
  json["version"] = LOCKLAB_VERSION;
  json["model_epoch"] = History::kModelEpoch;
  json["history_format"] = History::kFormat;
  json["token_format"] = "ll1";
  json["scenario_format"] = 1;
  json["compiler"] = kCompiler;
  console.print(json.dump() + "\n");
  return kOk;
}

}  // namespace locklab::cli
