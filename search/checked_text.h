// Checked text: our own JSON files, closed by a sum over all that stands before it.
// SPDX-License-Identifier: Apache-2.0
//
// The sum finds accidents: a file cut short, a byte that tipped over, an edit. Whoever changes a
// file on purpose can also write a new sum.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/json_reader.h"

namespace locklab {

/// The text of an object without its last brace, with the sum as its last key and a newline.
std::string with_check_sum(std::string text);
/// Whether the text ends with the sum of what stands before it. `root` is what it was read to.
bool check_sum_holds(std::string_view text, const JsonValue& root);

}  // namespace locklab
