// Fuzz target: tokens, as text and as a list of choices under a right checksum.
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <string>

#include "search/byte_codec.h"
#include "search/token.h"
#include "sim/contract.h"

namespace locklab {
namespace {

void check(const std::string& text) {
  const TokenResult result = parse_token(text);
  if (result.error.empty()) {
    SIM_ASSERT(to_string(result.token) == text);
  } else {
    SIM_ASSERT(result.error.find('\n') == std::string::npos);
  }
}

/// Random bytes have a right checksum too seldom for a fuzzer to get behind it.
std::string with_checksum(Bytes bytes) {
  const std::string head = "ll1:x@00000001:";
  put_fixed(bytes, crc16(head + "00000002", bytes, bytes.size()), 2);
  return head + "c." + base64url(bytes) + ".00000002";
}

}  // namespace
}  // namespace locklab

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  locklab::check(std::string(data, data + size));
  locklab::check(locklab::with_checksum(locklab::Bytes(data, data + size)));
  return 0;
}
