// Byte codec: the text forms of numbers and bytes in tokens and trace files.
// SPDX-License-Identifier: Apache-2.0

#include "search/byte_codec.h"

namespace locklab {
namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view kHex = "0123456789abcdef";

std::uint16_t crc_step(std::uint16_t crc, std::uint8_t byte) {
  unsigned value = crc ^ static_cast<unsigned>(byte) << 8;
  for (int bit = 0; bit < 8; ++bit)
    value = (value & 0x8000U) != 0 ? value << 1 ^ 0x1021U : value << 1;
  return static_cast<std::uint16_t>(value);
}

}  // namespace

void put_varint(Bytes& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<std::uint8_t>(value | 0x80U));
    value >>= 7;
  }
  out.push_back(static_cast<std::uint8_t>(value));
}

void put_fixed(Bytes& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

std::uint8_t ByteReader::next() {
  if (failed_ || at_ == end_) {
    failed_ = true;
    return 0;
  }
  return bytes_[at_++];
}

std::uint64_t ByteReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = next();
    const std::uint64_t bits = byte & 0x7fU;
    // The tenth byte has room for one bit only; a last byte of 0 would be a second spelling.
    if ((shift == 63 && bits > 1) || (shift > 0 && byte == 0)) break;
    value |= bits << shift;
    if ((byte & 0x80U) == 0) return failed_ ? 0 : value;
  }
  failed_ = true;
  return 0;
}

std::uint64_t ByteReader::fixed(unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i)
    value |= static_cast<std::uint64_t>(next()) << (8 * i);
  return value;
}

std::string base64url(const Bytes& bytes) {
  std::string out;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const std::uint8_t byte : bytes) {
    bits = (bits << 8 | byte) & 0xffffU;
    count += 8;
    for (; count >= 6; count -= 6)
      out += kBase64[bits >> (count - 6) & 0x3fU];
  }
  if (count > 0) out += kBase64[bits << (6 - count) & 0x3fU];
  return out;
}

std::optional<Bytes> from_base64url(std::string_view text) {
  if (text.size() % 4 == 1) return std::nullopt;
  Bytes out;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t digit = kBase64.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6 | static_cast<std::uint32_t>(digit)) & 0xffffU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<std::uint8_t>(bits >> count));
  }
  if ((bits & ((1U << count) - 1)) != 0) return std::nullopt;
  return out;
}

std::uint16_t crc16(std::string_view text, const Bytes& bytes, std::size_t count) {
  std::uint16_t crc = 0xffff;
  for (const char c : text)
    crc = crc_step(crc, static_cast<std::uint8_t>(c));
  for (std::size_t i = 0; i < count; ++i)
    crc = crc_step(crc, bytes[i]);
  return crc;
}

std::string hex(std::uint64_t value, unsigned digits) {
  std::string out(digits, '0');
  for (unsigned i = digits; i > 0; --i, value >>= 4)
    out[i - 1] = kHex[value & 0xfU];
  return out;
}

std::optional<std::uint64_t> from_hex(std::string_view text, unsigned digits) {
  if (text.size() != digits) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const std::size_t digit = kHex.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    value = value << 4 | digit;
  }
  return value;
}

}  // namespace locklab
