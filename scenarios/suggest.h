// Suggest: the name that a misspelt one was probably meant to be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace locklab {

/// The nearest candidate by edit distance, the first of equals; "" if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// `did you mean "x"?`, or, when nothing is near and there are few candidates, `one of: a, b, c`.
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace locklab
