// Words: lower case, with a dash where a word ends.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/words.h"

#include <cstdint>

#include "search/byte_codec.h"
#include "sim/mix.h"

namespace locklab::testkit {
namespace {

constexpr std::size_t kMost = 64;  // Bytes of a scenario's name.
constexpr unsigned kDigits = 8;

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// "SurvivesAPause", "RPCLock": a capital begins a word after a small letter, and before one.
bool begins_word(std::string_view name, std::size_t at) {
  if (at == 0 || !is_upper(name[at])) return false;
  const bool before_lower = at + 1 < name.size() && name[at + 1] >= 'a' && name[at + 1] <= 'z';
  return is_lower(name[at - 1]) || (is_upper(name[at - 1]) && before_lower);
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  for (const char c : text)
    hash = mix(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace

std::string word_in(std::string_view name) {
  std::string word;
  const auto dash = [&word] {
    if (!word.empty() && word.back() != '-') word += '-';
  };
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (begins_word(name, at)) dash();
    if (is_upper(name[at])) {
      word += static_cast<char>(name[at] - 'A' + 'a');
    } else if (is_lower(name[at])) {
      word += name[at];
    } else {
      dash();
    }
  }
  if (!word.empty() && word.back() == '-') word.pop_back();
  if (word.size() <= kMost) return word;
  return word.substr(0, kMost - kDigits - 1) + "-" + hex(hash_of(word) >> 32, kDigits);
}

}  // namespace locklab::testkit
