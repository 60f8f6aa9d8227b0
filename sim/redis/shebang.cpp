// Parsing of the first line of a script.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/shebang.h"

namespace locklab::redis {
namespace {

/// Takes the text up to the separator off `rest`.
std::string_view take_part(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

bool apply_flag(Shebang& shebang, std::string_view flag) {
  if (flag == "no-writes") return shebang.no_writes = true;
  if (flag == "allow-oom") return shebang.allow_oom = true;
  if (flag == "allow-stale") return shebang.allow_stale = true;
  // These two matter to a cluster only.
  return flag == "no-cluster" || flag == "allow-cross-slot-keys";
}

std::string parse_flags(Shebang& shebang, std::string_view flags) {
  while (!flags.empty()) {
    const std::string_view flag = take_part(flags, ',');
    if (!apply_flag(shebang, flag)) {
      return "Unexpected flag in script shebang: " + std::string(flag);
    }
  }
  return {};
}

}  // namespace

ParsedShebang parse_shebang(std::string_view body) {
  ParsedShebang parsed;
  if (!body.starts_with("#!")) return parsed;
  const std::size_t end = body.find('\n');
  if (end == std::string_view::npos) {
    parsed.error = "Invalid script shebang";
    return parsed;
  }
  parsed.shebang.present = true;
  parsed.shebang.length = end;
  std::string_view rest = body.substr(0, end);
  const std::string_view engine = take_part(rest, ' ');
  if (engine != "#!lua") {
    parsed.error = "Unexpected engine in script shebang: " + std::string(engine);
    return parsed;
  }
  constexpr std::string_view kFlags = "flags=";
  while (!rest.empty() && parsed.error.empty()) {
    const std::string_view part = take_part(rest, ' ');
    if (part.empty()) continue;
    parsed.error = part.starts_with(kFlags)
                       ? parse_flags(parsed.shebang, part.substr(kFlags.size()))
                       : "Unknown lua shebang option: " + std::string(part);
  }
  return parsed;
}

}  // namespace locklab::redis
