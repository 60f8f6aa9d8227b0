// locklab in RapidCheck: worlds drawn at random, each searched, and a failure that is shrunk twice.
// SPDX-License-Identifier: Apache-2.0
//
// Public: <locklab/rapidcheck.h>. RapidCheck draws and shrinks what a world is made of; of each the
// schedules are searched, and of the smallest that fails the schedule is shrunk by search/.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include <rapidcheck.h>

#include "testkit/gtest.h"

namespace locklab {

/// Plans of these kinds alone, or with these labels alone.
rc::Gen<FaultPlan> any_faults(const Faults& of);

namespace testkit {

/// How often the cases of one property failed, and how the last of them did. RapidCheck goes from
/// a failing case to a smaller failing one, so that the last is the smallest.
struct Cases {
  std::uint64_t run = 0;
  std::uint64_t exercised = 0;
  Judgement failure;
};

/// → whether the case passes.
bool count_case(const Judgement& judgement, Cases& cases);
/// RapidCheck's seed is LOCKLAB_SEED, or 1, unless RC_PARAMS has one.
void check_property(const std::function<rc::detail::TestResult(const rc::detail::TestMetadata&,
                                                               const rc::detail::TestParams&)>& run,
                    const Cases& cases, const char* file, int line);

/// A world for one case: it has few runs, as there are many cases.
TestWorld world_of_case();

template <class... Parts>
void check_worlds(Judgement (*body)(TestWorld& world, Parts... parts), const char* file, int line) {
  Cases cases;
  const auto testable = [body, &cases](const std::decay_t<Parts>&... parts) {
    TestWorld world = world_of_case();
    return count_case(body(world, parts...), cases);
  };
  check_property(
      [&testable](const auto& metadata, const auto& params) {
        return rc::detail::checkTestable(testable, metadata, params);
      },
      cases, file, line);
}

}  // namespace testkit
}  // namespace locklab

namespace rc {

template <>
struct Arbitrary<locklab::FaultPlan> {
  static Gen<locklab::FaultPlan> arbitrary();
};
template <>
struct Arbitrary<locklab::LockParams> {
  static Gen<locklab::LockParams> arbitrary();
};
template <>
struct Arbitrary<locklab::Deployment> {
  static Gen<locklab::Deployment> arbitrary();
};
template <>
struct Arbitrary<locklab::Seed> {
  static Gen<locklab::Seed> arbitrary();
};
template <>
struct Arbitrary<locklab::Plan> {
  static Gen<locklab::Plan> arbitrary();
};

}  // namespace rc

#define LOCKLAB_PARTS(...) __VA_ARGS__
/// A property of worlds: LOCKLAB_PROP(Suite, Name, (const Plan& plan)) { return world…holds(…); }.
/// Parts shrink in the order in which they stand.
#define LOCKLAB_PROP(suite, name, parts)                                                  \
  static ::locklab::Judgement locklab_case_##suite##_##name(::locklab::TestWorld& world,  \
                                                            LOCKLAB_PARTS parts);         \
  TEST(suite, name) {                                                                     \
    ::locklab::testkit::check_worlds(&locklab_case_##suite##_##name, __FILE__, __LINE__); \
  }                                                                                       \
  static ::locklab::Judgement locklab_case_##suite##_##name(::locklab::TestWorld& world,  \
                                                            LOCKLAB_PARTS parts)
