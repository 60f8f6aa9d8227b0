// Decoding: errors sorted by place.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/decoding.h"

#include <algorithm>
#include <utility>

namespace locklab::schema {

void Decoding::error(const Place& place, std::string message, std::string hint) {
  // A list of wrong values must not make a list of messages as long as the file.
  if (errors_.size() >= kMostErrors) return;
  errors_.push_back(diagnostic_at(place, std::move(message), std::move(hint)));
}

void Decoding::error_at(std::string_view path, std::string message, std::string hint) {
  auto found = places_.find(path);
  while (found == places_.end()) {
    const std::size_t dot = path.rfind('.');
    path = dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
    found = places_.find(path);
  }
  error(found->second, std::move(message), std::move(hint));
}

Decoding::Step::Step(Decoding& decoding, std::string_view key, const JsonValue& value)
    : decoding_(decoding), before_(decoding.path_.size()) {
  std::string& path = decoding_.path_;
  if (!path.empty()) path += '.';
  path += key;
  decoding_.places_.insert_or_assign(path, decoding_.place_of(value.offset, value.length));
}

std::vector<Diagnostic> Decoding::take_errors() {
  std::stable_sort(errors_.begin(), errors_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  });
  return std::move(errors_);
}

}  // namespace locklab::schema
