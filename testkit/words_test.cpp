// Names of tests and classes as scenarios take them.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/words.h"

#include <gtest/gtest.h>

#include "testkit/locks_testing.h"
#include "testkit/own_lock.h"

namespace locklab::testkit {
namespace {

template <class T>
struct Tagged {};
struct Local {};

TEST(Words, AreCutWhereACapitalBegins) {
  EXPECT_EQ(word_in("CheckoutLock.SurvivesFailover"), "checkout-lock-survives-failover");
  EXPECT_EQ(word_in("RPCLock"), "rpc-lock");
  EXPECT_EQ(word_in("Redlock5Nodes"), "redlock5-nodes");
  EXPECT_EQ(word_in("Inst/Suite.Name/0"), "inst-suite-name-0");
}

TEST(Words, HaveNeitherLooseDashesNorOtherSigns) {
  EXPECT_EQ(word_in("__a__b__"), "a-b");
  EXPECT_EQ(word_in("Gr\xc3\xb6\xc3\x9f"
                    "e"),
            "gr-e");
  EXPECT_EQ(word_in(""), "");
  EXPECT_EQ(word_in("/._"), "");
}

TEST(Words, ThatAreLongEndInAHashOfTheWhole) {
  const std::string name(100, 'a');

  const std::string word = word_in(name);

  EXPECT_EQ(word.size(), 64U);
  EXPECT_EQ(word_in(name), word);
  EXPECT_NE(word_in(name + "b"), word);
}

TEST(Words, AreTheNamesOfClassesWithoutTheirScopes) {
  EXPECT_EQ(word_of(spelled_type<testing::Careful>()), "careful");
  EXPECT_EQ(word_of(spelled_type<Local>()), "local");
  EXPECT_EQ(word_of(spelled_type<Tagged<testing::Careful>>()), "tagged");
}

TEST(Words, AreTheSameWhoeverSpells) {
  EXPECT_EQ(word_of("constexpr std::string_view spelled_type() [with L = {anonymous}::MyLock; "
                    "std::string_view = std::basic_string_view<char>]"),
            "my-lock");
  EXPECT_EQ(word_of("std::string_view spelled_type() [L = (anonymous namespace)::MyLock]"),
            "my-lock");
  EXPECT_EQ(word_of("no compiler spells so"), "lock");
}

}  // namespace
}  // namespace locklab::testkit
