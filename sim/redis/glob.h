// Glob patterns as KEYS and PSUBSCRIBE know them: * ? [abc] [^a-z] and backslash.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace locklab::redis {

/// Whether the whole of `text` matches. Takes at most |pattern| · |text| steps.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace locklab::redis
