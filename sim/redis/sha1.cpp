// SHA-1 (FIPS 180-4, sections 5.1.1, 5.3.1 and 6.1.2).
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/sha1.h"

#include <bit>
#include <cstddef>
#include <cstring>

namespace locklab::redis {
namespace {

constexpr std::size_t kBlockBytes = 64;
using State = std::array<std::uint32_t, 5>;
using Block = std::array<std::uint8_t, kBlockBytes>;

struct Round {
  std::uint32_t f;
  std::uint32_t k;
};

Round round_of(std::size_t t, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (t < 20) return {(b & c) | (~b & d), 0x5A827999};
  if (t < 40) return {b ^ c ^ d, 0x6ED9EBA1};
  if (t < 60) return {(b & c) | (b & d) | (c & d), 0x8F1BBCDC};
  return {b ^ c ^ d, 0xCA62C1D6};
}

void absorb(State& state, const Block& block) {
  std::array<std::uint32_t, 80> w;
  for (std::size_t t = 0; t < 16; ++t) {
    w[t] = std::uint32_t{block[4 * t]} << 24 | std::uint32_t{block[4 * t + 1]} << 16 |
           std::uint32_t{block[4 * t + 2]} << 8 | std::uint32_t{block[4 * t + 3]};
  }
  for (std::size_t t = 16; t < 80; ++t) {
    w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  }
  auto [a, b, c, d, e] = state;
  for (std::size_t t = 0; t < 80; ++t) {
    const Round round = round_of(t, b, c, d);
    const std::uint32_t next = std::rotl(a, 5) + round.f + e + round.k + w[t];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

}  // namespace

Sha1 sha1(std::string_view text) {
  State state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  Block block;
  std::string_view rest = text;
  for (; rest.size() >= kBlockBytes; rest.remove_prefix(kBlockBytes)) {
    std::memcpy(block.data(), rest.data(), kBlockBytes);
    absorb(state, block);
  }
  block.fill(0);
  if (!rest.empty()) std::memcpy(block.data(), rest.data(), rest.size());
  block[rest.size()] = 0x80;
  if (rest.size() + 1 > kBlockBytes - 8) {
    absorb(state, block);
    block.fill(0);
  }
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (std::size_t i = 0; i < 8; ++i) {
    block[kBlockBytes - 1 - i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
  absorb(state, block);
  Sha1 digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

Sha1Hex to_hex(const Sha1& digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  Sha1Hex hex;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    hex[2 * i] = kDigits[digest[i] >> 4];
    hex[2 * i + 1] = kDigits[digest[i] & 0xF];
  }
  return hex;
}

}  // namespace locklab::redis
