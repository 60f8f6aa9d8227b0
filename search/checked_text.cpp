// Checked text: XXH3-64, as 16 hexadecimal digits.
// SPDX-License-Identifier: Apache-2.0
#include "search/checked_text.h"

#include <xxhash.h>

#include "search/json_fields.h"

namespace locklab {
namespace {

constexpr std::string_view kKey = ",\n  \"check\": ";

/// In its quotes.
std::string sum_of(std::string_view text) {
  return quoted_hex(XXH3_64bits(text.data(), text.size()));
}

}  // namespace

std::string with_check_sum(std::string text) {
  const std::string sum = sum_of(text);
  return text.append(kKey).append(sum).append("\n}\n");
}

bool check_sum_holds(std::string_view text, const JsonValue& root) {
  const std::size_t at = text.rfind(kKey);
  const JsonMember* const sum = root.find("check");
  return at != std::string_view::npos && sum != nullptr &&
         "\"" + sum->value.text + "\"" == sum_of(text.substr(0, at));
}

}  // namespace locklab
