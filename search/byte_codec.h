// Byte codec: varints and base64url, each with exactly one text per value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace locklab {

using Bytes = std::vector<std::uint8_t>;

/// LEB128: seven bits a byte, the lowest first.
void put_varint(Bytes& out, std::uint64_t value);
void put_fixed(Bytes& out, std::uint64_t value, unsigned bytes);  // Little endian.

/// Reads what the functions above wrote; every failure sticks, so that one check at the end does.
class ByteReader {
 public:
  explicit ByteReader(const Bytes& bytes, std::size_t end) : bytes_(bytes), end_(end) {}

  std::uint64_t varint();
  std::uint64_t fixed(unsigned bytes);

  bool at_end() const { return at_ == end_; }
  bool failed() const { return failed_; }

 private:
  std::uint8_t next();

  const Bytes& bytes_;
  std::size_t end_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

/// RFC 4648 section 5, without padding.
std::string base64url(const Bytes& bytes);
/// nullopt: other characters, an impossible length, or bits beyond the last byte.
std::optional<Bytes> from_base64url(std::string_view text);

/// CRC-16/CCITT-FALSE. Finds every burst of up to 16 bits and all but one in 65,536 other changes.
std::uint16_t crc16(std::string_view text, const Bytes& bytes, std::size_t count);

/// Exactly `digits` lower-case hexadecimal digits.
std::string hex(std::uint64_t value, unsigned digits);
std::optional<std::uint64_t> from_hex(std::string_view text, unsigned digits);

}  // namespace locklab
