// locklab in GoogleTest: a world, what must hold in it, and a failure that tells the story.
// SPDX-License-Identifier: Apache-2.0
//
// Public: <locklab/gtest.h>. docs/testing.md shows how to use it.
#pragma once

#include <locklab/properties.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testkit/matchers.h"
#include "testkit/world.h"

namespace locklab::testkit {

/// For EXPECT_PRED_FORMAT1, which puts the message at the line of the test: the whole of it, and
/// the token as the property "locklab.replay" of the test.
::testing::AssertionResult is_yes(const char* expression, const Judgement& judgement);

}  // namespace locklab::testkit

/// TEST() with a `world` in it, named after the test.
#define LOCKLAB_TEST(suite, name)                                         \
  static void locklab_body_##suite##_##name(::locklab::TestWorld& world); \
  TEST(suite, name) {                                                     \
    ::locklab::TestWorld world;                                           \
    locklab_body_##suite##_##name(world);                                 \
  }                                                                       \
  static void locklab_body_##suite##_##name(::locklab::TestWorld& world)

// The rest of the arguments: a property, and optionally runs(n).
#define EXPECT_HOLDS(world, ...) \
  EXPECT_PRED_FORMAT1(::locklab::testkit::is_yes, (world).holds(__VA_ARGS__))
#define ASSERT_HOLDS(world, ...) \
  ASSERT_PRED_FORMAT1(::locklab::testkit::is_yes, (world).holds(__VA_ARGS__))
/// A known trap: fails when it no longer bites.
#define EXPECT_VIOLATES(world, ...) \
  EXPECT_PRED_FORMAT1(::locklab::testkit::is_yes, (world).violates(__VA_ARGS__))
#define ASSERT_VIOLATES(world, ...) \
  ASSERT_PRED_FORMAT1(::locklab::testkit::is_yes, (world).violates(__VA_ARGS__))
// The rest of the arguments: the name of a kind of event, and optionally runs(n).
#define EXPECT_REACHES(world, ...) \
  EXPECT_PRED_FORMAT1(::locklab::testkit::is_yes, (world).reaches(__VA_ARGS__))
#define ASSERT_REACHES(world, ...) \
  ASSERT_PRED_FORMAT1(::locklab::testkit::is_yes, (world).reaches(__VA_ARGS__))
/// Two runs of the same choices, that may be compared fairly.
#define EXPECT_SAME_SCHEDULE(a, b) EXPECT_PRED_FORMAT2(::locklab::testkit::same_schedule, a, b)
