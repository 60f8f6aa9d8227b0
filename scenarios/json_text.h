// JSON text: strings quoted, and compact text laid out for people.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace locklab {

/// A JSON string with its quotes; control characters become \u escapes.
std::string json_quoted(std::string_view text);

/// Compact JSON, indented by two blanks; lists of plain values stay on one line.
std::string pretty_json(std::string_view compact);

}  // namespace locklab
