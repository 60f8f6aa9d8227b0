// A Redis reply as a small value whose text and children live elsewhere, usually in an arena.
// SPDX-License-Identifier: Apache-2.0
//
// A Reply is trivially copyable and owns nothing: keep the arena that it was made in, or take a
// copy into another one. Texts are binary safe.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "sim/arena.h"

namespace locklab::redis {

enum class ReplyKind : std::uint8_t { nil, null_array, status, error, integer, bulk, array };

class Reply {
 public:
  /// The null bulk, RESP2 "$-1".
  constexpr Reply() = default;
  static constexpr Reply nil() { return Reply(); }
  /// RESP2 "*-1".
  static constexpr Reply null_array() { return Reply(ReplyKind::null_array, {}); }
  static constexpr Reply status(std::string_view text) { return Reply(ReplyKind::status, text); }
  static constexpr Reply ok() { return status("OK"); }
  /// `text` begins with its code ("ERR syntax error") and has no leading '-'.
  static constexpr Reply error(std::string_view text) { return Reply(ReplyKind::error, text); }
  static constexpr Reply integer(std::int64_t value) {
    Reply reply(ReplyKind::integer, {});
    reply.integer_ = value;
    return reply;
  }
  static constexpr Reply boolean(bool value) { return integer(value ? 1 : 0); }
  static constexpr Reply bulk(std::string_view text) { return Reply(ReplyKind::bulk, text); }
  static constexpr Reply array(std::span<const Reply> children) {
    Reply reply(ReplyKind::array, {});
    reply.children_ = children.data();
    reply.integer_ = static_cast<std::int64_t>(children.size());
    return reply;
  }

  [[nodiscard]] constexpr ReplyKind kind() const { return kind_; }
  /// Status "OK".
  [[nodiscard]] constexpr bool is_ok() const {
    return kind_ == ReplyKind::status && text() == "OK";
  }
  /// A null bulk or a null array.
  [[nodiscard]] constexpr bool is_nil() const {
    return kind_ == ReplyKind::nil || kind_ == ReplyKind::null_array;
  }
  [[nodiscard]] constexpr bool is_error() const { return kind_ == ReplyKind::error; }
  /// An error whose text begins with `prefix`: is_error("NOSCRIPT").
  [[nodiscard]] constexpr bool is_error(std::string_view prefix) const {
    return is_error() && text().substr(0, prefix.size()) == prefix;
  }
  [[nodiscard]] constexpr bool is_integer(std::int64_t value) const {
    return kind_ == ReplyKind::integer && integer_ == value;
  }
  /// The value of an integer reply, 0 for all other kinds.
  [[nodiscard]] constexpr std::int64_t integer() const {
    return kind_ == ReplyKind::integer ? integer_ : 0;
  }
  /// The text of a status, error or bulk; empty for all other kinds.
  [[nodiscard]] constexpr std::string_view text() const {
    const bool has_text =
        kind_ == ReplyKind::status || kind_ == ReplyKind::error || kind_ == ReplyKind::bulk;
    return has_text ? std::string_view(text_, static_cast<std::size_t>(integer_))
                    : std::string_view();
  }
  /// The children of an array; empty for all other kinds.
  [[nodiscard]] constexpr std::span<const Reply> children() const {
    return kind_ == ReplyKind::array
               ? std::span<const Reply>(children_, static_cast<std::size_t>(integer_))
               : std::span<const Reply>();
  }

  /// Deep equality, by kind and content.
  friend bool operator==(const Reply& a, const Reply& b);

 private:
  constexpr Reply(ReplyKind kind, std::string_view text)
      : kind_(kind), integer_(static_cast<std::int64_t>(text.size())), text_(text.data()) {}

  ReplyKind kind_ = ReplyKind::nil;
  std::int64_t integer_ = 0;  // The integer, or the length of the text or of the children.
  union {
    const char* text_ = nullptr;
    const Reply* children_;
  };
};

/// A copy whose text and children live in `arena`.
Reply copy(const Reply& reply, Arena& arena);

/// As redis-cli prints it: `OK`, `(integer) 1`, `"text"`, `(nil)`, `(error) ERR …`; nested arrays
/// are written on one line, `[1) "a", 2) (nil)]`.
std::string to_string(const Reply& reply);
std::ostream& operator<<(std::ostream& out, const Reply& reply);

/// Appends the RESP2 bytes. Line breaks inside a status or an error become spaces, as a reply of
/// one line must not hold them.
void append_resp2(std::string& out, const Reply& reply);

}  // namespace locklab::redis
