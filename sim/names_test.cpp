// Names: unique, readable back, and the ones that other files spell out.
// SPDX-License-Identifier: Apache-2.0

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "sim/choice.h"
#include "sim/fault_kind.h"
#include "sim/history.h"
#include "sim/label.h"
#include "sim/world_config.h"

namespace locklab {
namespace {

/// The names of the enumerators [first, last].
template <class Enum>
std::vector<std::string> names_between(Enum first, Enum last) {
  std::vector<std::string> names;
  for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i) {
    names.emplace_back(name_of(static_cast<Enum>(i)));
  }
  return names;
}

template <class Enum>
Enum before(Enum end) {
  return static_cast<Enum>(static_cast<int>(end) - 1);
}

void expect_unique_and_spoken(const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    EXPECT_FALSE(name.empty());
    EXPECT_NE(name, "?");
    EXPECT_TRUE(seen.insert(name).second) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz.-_@+"), std::string::npos) << name;
  }
}

TEST(Names, EveryEnumeratorHasItsOwn) {
  expect_unique_and_spoken(names_between(Label::acq_before_send, before(Label::count)));
  expect_unique_and_spoken(names_between(FaultKind::none, before(FaultKind::count)));
  expect_unique_and_spoken(names_between(ChoiceKind::defer, before(ChoiceKind::count)));
  expect_unique_and_spoken(names_between(EventKind::none, before(EventKind::count)));
  expect_unique_and_spoken(names_between(Operation::none, Operation::probe));
  expect_unique_and_spoken(names_between(Outcome::none, Outcome::renewed));
  expect_unique_and_spoken(names_between(LeaveReason::none, LeaveReason::killed));
  expect_unique_and_spoken(names_between(EndKind::none, EndKind::ended));
  expect_unique_and_spoken(names_between(EndReason::none, EndReason::unsupported));
  expect_unique_and_spoken(names_between(BlockingFact::none, BlockingFact::other));
  expect_unique_and_spoken(names_between(ResourceOp::none, ResourceOp::append));
  expect_unique_and_spoken(names_between(ResourceMode::none, before(ResourceMode::count)));
}

TEST(Names, AreReadBack) {
  for (int i = 0; i < static_cast<int>(Label::count); ++i) {
    EXPECT_EQ(label_named(name_of(static_cast<Label>(i))), static_cast<Label>(i));
  }
  for (int i = 0; i < static_cast<int>(FaultKind::count); ++i) {
    EXPECT_EQ(fault_kind_named(name_of(static_cast<FaultKind>(i))), static_cast<FaultKind>(i));
  }
  for (int i = 0; i < static_cast<int>(ResourceMode::count); ++i) {
    const auto mode = static_cast<ResourceMode>(i);
    EXPECT_EQ(resource_mode_named(name_of(mode)), mode);
  }
}

TEST(Names, OfNothingAreNotFound) {
  EXPECT_EQ(label_named("acq.before-send"), std::nullopt);
  EXPECT_EQ(label_named("?"), std::nullopt);
  EXPECT_EQ(fault_kind_named("lost_reply"), std::nullopt);
  EXPECT_EQ(fault_kind_named(""), std::nullopt);
  EXPECT_EQ(resource_mode_named("ge-rw"), std::nullopt);
}

TEST(Names, AreThoseOfTheSpecification) {
  EXPECT_EQ(name_of(Label::none), "");
  EXPECT_EQ(name_of(Label::rel_between_get_del), "rel.between_get_del");
  EXPECT_EQ(name_of(Label::failover_before_promote), "failover.before_promote");
  EXPECT_EQ(name_of(FaultKind::none), "none");
  EXPECT_EQ(name_of(FaultKind::lost_reply), "lost-reply");
  EXPECT_EQ(name_of(ChoiceKind::delay_at_link), "delay@link");
  EXPECT_EQ(name_of(ChoiceKind::reply_vs_deadline), "reply-vs-deadline");
  EXPECT_EQ(name_of(EventKind::key_lost), "key_lost");
  EXPECT_EQ(name_of(Outcome::not_held), "not-held");
  EXPECT_EQ(name_of(ResourceMode::ge_rw_cas_id), "ge_rw+cas+id");
}

TEST(Names, OfDamagedValuesAreAQuestionMark) {
  EXPECT_EQ(name_of(static_cast<FaultKind>(200)), "?");
  EXPECT_EQ(name_of(EventKind::count), "?");
}

TEST(Names, OnlyModesThatLookAtFencesEnforceThem) {
  EXPECT_FALSE(enforces_fence(ResourceMode::none));
  EXPECT_FALSE(enforces_fence(ResourceMode::cas));
  EXPECT_FALSE(enforces_fence(ResourceMode::cas_token));
  EXPECT_TRUE(enforces_fence(ResourceMode::ge_rw));
  EXPECT_TRUE(enforces_fence(ResourceMode::ge_rw_cas_id));
  EXPECT_TRUE(enforces_fence(ResourceMode::cached));
}

}  // namespace
}  // namespace locklab
