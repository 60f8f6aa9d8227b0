// Suggest: edit distance with neighbouring letters exchanged as one edit.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/suggest.h"

#include <algorithm>
#include <cstddef>

namespace locklab {
namespace {

constexpr std::size_t kLongestWord = 64;  // Longer words are not typing errors.
constexpr std::size_t kListed = 12;       // More names than this would hide the message.

/// Optimal string alignment distance (Damerau–Levenshtein without repeated edits).
std::size_t distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> cell((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return cell[i * columns + j];
  };
  for (std::size_t i = 0; i <= a.size(); ++i)
    at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j)
    at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return at(a.size(), b.size());
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  if (word.empty() || word.size() > kLongestWord) return best;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const bool extended = word.size() >= 3 && candidate.substr(0, word.size()) == word;
    const std::size_t edits = extended ? 1 : distance(word, candidate);
    if (edits < best_distance && edits < std::max(word.size(), candidate.size())) {
      best = candidate;
      best_distance = edits;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view near = nearest(word, candidates);
  if (!near.empty()) return "did you mean \"" + std::string(near) + "\"?";
  if (candidates.empty() || candidates.size() > kListed) return {};
  std::string out = "one of: ";
  for (const std::string_view candidate : candidates) {
    out += (candidate == candidates.front() ? "" : ", ") + std::string(candidate);
  }
  return out;
}

}  // namespace locklab
