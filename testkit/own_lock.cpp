// Own lock: the name of a class as compilers spell it, made a word.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/own_lock.h"

#include "testkit/words.h"

namespace locklab::testkit {

std::string word_of(std::string_view spelled_type) {
  constexpr std::string_view kBefore = "L = ";
  const std::size_t begin = spelled_type.find(kBefore);
  if (begin == std::string_view::npos) return "lock";
  std::string_view name = spelled_type.substr(begin + kBefore.size());
  name = name.substr(0, name.find_first_of("];<"));
  const std::size_t colon = name.rfind(':');
  if (colon != std::string_view::npos) name.remove_prefix(colon + 1);
  const std::string word = word_in(name);
  return word.empty() ? "lock" : word;
}

}  // namespace locklab::testkit
