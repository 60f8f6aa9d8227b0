// RESP: the bytes that clients, servers and the driver of this folder exchange.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/reply.h"

namespace locklab::real {

using Words = std::vector<std::string>;

/// One value that came over a socket.
struct Value {
  redis::ReplyKind kind = redis::ReplyKind::nil;
  std::int64_t integer = 0;  // Of an integer.
  std::string text;          // Of a status, an error or a bulk.
  std::vector<Value> children;

  bool is_error() const { return kind == redis::ReplyKind::error; }
};

/// An array of bulks: a command, or a message between driver and client.
std::string encode(const Words& words);
/// The length of the first value of `bytes`; 0: it is not complete yet.
std::size_t value_length(std::string_view bytes);
/// Of the bytes of one whole value.
Value decode(std::string_view bytes);
/// The texts of an array.
Words words_of(const Value& value);
/// As records have it (sim/redis/node.h reply_code()).
std::int64_t code_of(const Value& value);

std::int64_t number_of(const std::string& word);
std::string word_of(std::int64_t number);

}  // namespace locklab::real
