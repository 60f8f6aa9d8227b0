// The scenario files as they were when the program was built: it runs without its source tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace locklab {

struct EmbeddedFile {
  std::string_view path;  // Relative to scenarios/, with '/' on every system.
  std::string_view text;  // Its bytes, unchanged.
};

/// One entry per scenarios/**/*.json, sorted by path.
std::span<const EmbeddedFile> embedded_scenarios();

}  // namespace locklab
