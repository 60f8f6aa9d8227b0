// Comparison, copies and the two notations of replies.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/reply.h"

#include <algorithm>
#include <charconv>
#include <ostream>

#include "sim/contract.h"

namespace locklab::redis {
namespace {

void append_number(std::string& out, std::int64_t value) {
  char digits[20];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  SIM_ASSERT(error == std::errc());
  out.append(digits, end);
}

void append_header(std::string& out, char type, std::int64_t value) {
  out += type;
  append_number(out, value);
  out += "\r\n";
}

void append_line(std::string& out, char type, std::string_view text) {
  out += type;
  for (char c : text)
    out += c == '\r' || c == '\n' ? ' ' : c;
  out += "\r\n";
}

void append_quoted(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte >= 0x7F) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 0xF];
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_readable(std::string& out, const Reply& reply) {
  switch (reply.kind()) {
    case ReplyKind::nil:
    case ReplyKind::null_array:
      out += "(nil)";
      return;
    case ReplyKind::status:
      out += reply.text();
      return;
    case ReplyKind::error:
      out += "(error) ";
      out += reply.text();
      return;
    case ReplyKind::integer:
      out += "(integer) ";
      append_number(out, reply.integer());
      return;
    case ReplyKind::bulk:
      append_quoted(out, reply.text());
      return;
    case ReplyKind::array:
      break;
  }
  if (reply.children().empty()) {
    out += "(empty array)";
    return;
  }
  out += '[';
  std::int64_t position = 0;
  for (const Reply& child : reply.children()) {
    if (position > 0) out += ", ";
    append_number(out, ++position);
    out += ") ";
    append_readable(out, child);
  }
  out += ']';
}

}  // namespace

bool operator==(const Reply& a, const Reply& b) {
  if (a.kind() != b.kind()) return false;
  return a.integer() == b.integer() && a.text() == b.text() &&
         std::equal(a.children().begin(), a.children().end(), b.children().begin(),
                    b.children().end());
}

Reply copy(const Reply& reply, Arena& arena) {
  switch (reply.kind()) {
    case ReplyKind::nil:
    case ReplyKind::null_array:
    case ReplyKind::integer:
      return reply;
    case ReplyKind::status:
      return Reply::status(arena.copy(reply.text()));
    case ReplyKind::error:
      return Reply::error(arena.copy(reply.text()));
    case ReplyKind::bulk:
      return Reply::bulk(arena.copy(reply.text()));
    case ReplyKind::array:
      break;
  }
  const std::span<Reply> children = arena.make_array<Reply>(reply.children().size());
  for (std::size_t i = 0; i < children.size(); ++i) {
    children[i] = copy(reply.children()[i], arena);
  }
  return Reply::array(children);
}

std::string to_string(const Reply& reply) {
  std::string out;
  append_readable(out, reply);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Reply& reply) {
  return out << to_string(reply);
}

void append_resp2(std::string& out, const Reply& reply) {
  switch (reply.kind()) {
    case ReplyKind::nil:
      out += "$-1\r\n";
      return;
    case ReplyKind::null_array:
      out += "*-1\r\n";
      return;
    case ReplyKind::status:
      append_line(out, '+', reply.text());
      return;
    case ReplyKind::error:
      append_line(out, '-', reply.text());
      return;
    case ReplyKind::integer:
      append_header(out, ':', reply.integer());
      return;
    case ReplyKind::bulk:
      append_header(out, '$', static_cast<std::int64_t>(reply.text().size()));
      out += reply.text();
      out += "\r\n";
      return;
    case ReplyKind::array:
      break;
  }
  append_header(out, '*', static_cast<std::int64_t>(reply.children().size()));
  for (const Reply& child : reply.children())
    append_resp2(out, child);
}

}  // namespace locklab::redis
