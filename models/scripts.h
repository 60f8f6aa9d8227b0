// Server scripts that several locks use.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/client.h"

namespace locklab::scripts {

/// Deletes the key if it still holds this attempt's nonce. → 1 deleted, 0 not ours.
/// Source: redis.io, "Distributed Locks with Redis", "Correct Implementation with a Single
/// Instance".
constexpr Script kCompareAndDelete = {"compare-and-delete",
                                      "if redis.call('GET', KEYS[1]) == ARGV[1] then "
                                      "return redis.call('DEL', KEYS[1]) end "
                                      "return 0"};

/// Sets the key's expiry anew if it still holds this attempt's nonce. ARGV[2]: milliseconds.
/// → 1 renewed, 0 not ours. The same comparison before another command.
constexpr Script kCompareAndExpire = {"compare-and-expire",
                                      "if redis.call('GET', KEYS[1]) == ARGV[1] then "
                                      "return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end "
                                      "return 0"};

}  // namespace locklab::scripts
