// Words: names of tests and classes in the form that scenarios and tokens take.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace locklab::testkit {

/// "CheckoutLock.SurvivesFailover" → "checkout-lock-survives-failover". At most 64 bytes: what is
/// longer ends in a hash of the whole. Empty if there is no letter and no digit.
std::string word_in(std::string_view name);

}  // namespace locklab::testkit
