// The first line of a script, "#!lua flags=no-writes", and what it declares.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace locklab::redis {

struct Shebang {
  bool present = false;
  bool no_writes = false;
  bool allow_oom = false;
  bool allow_stale = false;
  std::size_t length =
      0;  // Bytes before the line feed, which stays so that lines keep their numbers.
};

struct ParsedShebang {
  Shebang shebang;
  std::string error;  // Not empty: the text behind "ERR ".
};

/// redis/src/eval.c evalExtractShebangFlags.
ParsedShebang parse_shebang(std::string_view body);

}  // namespace locklab::redis
