// locklab in RapidCheck: what is drawn, with which seed, and how a failing case is told.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/rapidcheck.h"

#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

#include "reports/text.h"
#include "testkit/environment.h"
#include "testkit/running.h"

namespace locklab {
namespace {

using rc::Gen;
namespace gen = rc::gen;

constexpr Runs kRunsOfACase{40};
constexpr std::uint64_t kUsualSeed = 1;

/// The same values, which shrink as testkit::smaller() says and in no other way.
template <class T>
Gen<T> shrinking_as_ours(Gen<T> drawn) {
  return gen::shrink(gen::noShrink(std::move(drawn)), [](const T& value) {
    return rc::seq::fromContainer(testkit::smaller(value));
  });
}

/// From its whole range, also in the first cases: the least of all times is no simple case.
template <class T>
Gen<T> full(Gen<T> drawn) {
  return gen::resize(rc::kNominalSize, std::move(drawn));
}

Gen<Duration> any_length(std::int64_t least, std::int64_t most) {
  return gen::map(full(gen::inRange<std::int64_t>(least, most + 1)),
                  [](std::int64_t ms) { return milliseconds(ms); });
}

/// Up to three of them.
template <class T>
Gen<std::vector<T>> some_of(const std::vector<T>& all) {
  return gen::mapcat(gen::inRange<std::size_t>(1, 4), [all](std::size_t count) {
    return gen::container<std::vector<T>>(count, gen::elementOf(all));
  });
}

Gen<FaultPlan> drawn_faults(const Faults& of) {
  const Gen<std::vector<Label>> labels =
      of.at.empty() ? gen::just(std::vector<Label>{}) : some_of(of.at);
  return gen::apply(
      [](std::vector<FaultKind> kinds, std::vector<Label> at, std::uint32_t max) {
        return plan_of({std::move(kinds), std::move(at), max});
      },
      some_of(of.of), labels, full(gen::inRange<std::uint32_t>(0, of.max + 1)));
}

Faults everything() {
  Faults all;
  for (int kind = 1; kind < static_cast<int>(FaultKind::count); ++kind)
    all.of.push_back(static_cast<FaultKind>(kind));
  for (int label = 1; label < static_cast<int>(Label::count); ++label)
    all.at.push_back(static_cast<Label>(label));
  all.max = 2;
  return all;
}

Gen<FaultPlan> drawn_everywhere() {
  Faults anywhere = everything();
  anywhere.at.clear();
  return gen::oneOf(drawn_faults(everything()), drawn_faults(anywhere));
}

Gen<LockParams> drawn_params() {
  return gen::map(gen::tuple(any_length(200, 5000), any_length(5, 50), any_length(10, 2000),
                             any_length(20, 500)),
                  [](const auto& drawn) {
                    const auto& [ttl, margin, work, poll] = drawn;
                    return LockParams{ttl, margin, work, poll};
                  });
}

Gen<Deployment> drawn_deployment() {
  return gen::map(gen::tuple(gen::inRange<std::uint32_t>(2, 5), gen::inRange<std::uint32_t>(0, 3),
                             gen::inRange<std::uint32_t>(1, 4), gen::inRange<std::uint32_t>(1, 3)),
                  [](const auto& drawn) {
                    const auto& [clients, replicas, rounds, effects] = drawn;
                    return Deployment{clients, replicas, rounds, effects};
                  });
}

Gen<Seed> drawn_seed() {
  return gen::noShrink(gen::map(full(gen::arbitrary<std::uint64_t>()),
                                [](std::uint64_t value) { return Seed{value >> 1}; }));
}

// --- RapidCheck's own settings ------------------------------------------------------------------

std::string rc_params() {
  const char* const text = std::getenv("RC_PARAMS");  // NOLINT(concurrency-mt-unsafe)
  return text == nullptr ? "" : text;
}

rc::detail::TestParams params_with_seed() {
  const std::string given = rc_params();
  const bool has_seed = given.starts_with("seed=") || given.find(" seed=") != std::string::npos;
  const std::uint64_t seed = testkit::environment().seed.value_or(kUsualSeed);
  if (!has_seed) {
    // Else it says that it uses a seed which nobody uses.
    const std::string whole = "seed=" + std::to_string(seed) + (given.empty() ? "" : " " + given);
    ::setenv("RC_PARAMS", whole.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  if (!has_seed) params.seed = seed;
  return params;
}

std::string to_reproduce(const std::string& id, const rc::detail::Reproduce& reproduce) {
  rc::detail::Configuration only;
  only.reproduce.emplace(id, reproduce);
  const std::string text = rc::detail::configToMinimalString(only);
  // What follows is a seed, which a case that is reproduced has no use for.
  return "RC_PARAMS=" + shell_word(text.substr(0, text.find(' '))) + " ";
}

std::string message_of(const rc::detail::TestResult& result, const std::string& id,
                       const testkit::Cases& cases) {
  std::ostringstream text;
  if (!result.is<rc::detail::FailureResult>() || cases.failure) {
    rc::detail::printResultMessage(result, text);
    return text.str();
  }
  const auto& failure = result.get<rc::detail::FailureResult>();
  const testkit::CommandPrefix prefix(to_reproduce(id, failure.reproduce));
  for (const auto& [type, value] : failure.counterExample)
    text << value << "\n";
  text << testkit::is_yes("", cases.failure).message();
  return text.str();
}

}  // namespace

rc::Gen<FaultPlan> any_faults(const Faults& of) {
  return shrinking_as_ours(drawn_faults(of));
}

namespace testkit {

TestWorld world_of_case() {
  TestWorld world;
  world.usual_runs(kRunsOfACase);
  return world;
}

bool count_case(const Judgement& judgement, Cases& cases) {
  ++cases.run;
  if (judgement.reason == Reason::never_exercised) return true;
  if (judgement.reason == Reason::yes) ++cases.exercised;
  if (judgement) return true;
  cases.failure = judgement;
  return false;
}

void check_property(const std::function<rc::detail::TestResult(const rc::detail::TestMetadata&,
                                                               const rc::detail::TestParams&)>& run,
                    const Cases& cases, const char* file, int line) {
  begin_watching();
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = running_test();
  const rc::detail::TestResult result = [&] {
    const std::string given = rc_params();  // A case that is reproduced needs it again.
    const bool again = given.find("reproduce=") != std::string::npos;
    const CommandPrefix prefix(again ? "RC_PARAMS=" + shell_word(given) + " " : "");
    return run(metadata, params_with_seed());
  }();
  const bool passed = result.is<rc::detail::SuccessResult>();
  if (!passed) {
    GTEST_MESSAGE_AT_(file, line, message_of(result, metadata.id, cases).c_str(),
                      ::testing::TestPartResult::kNonFatalFailure);
  } else if (cases.run > 0 && cases.exercised == 0 && !environment().replay) {
    ADD_FAILURE_AT(file, line) << "none of " << cases.run
                               << " worlds put the property to the test: nothing is shown";
  }
}

}  // namespace testkit
}  // namespace locklab

namespace rc {

Gen<locklab::FaultPlan> Arbitrary<locklab::FaultPlan>::arbitrary() {
  return locklab::shrinking_as_ours(locklab::drawn_everywhere());
}
Gen<locklab::LockParams> Arbitrary<locklab::LockParams>::arbitrary() {
  return locklab::shrinking_as_ours(locklab::drawn_params());
}
Gen<locklab::Deployment> Arbitrary<locklab::Deployment>::arbitrary() {
  return locklab::shrinking_as_ours(locklab::drawn_deployment());
}
Gen<locklab::Seed> Arbitrary<locklab::Seed>::arbitrary() {
  return locklab::drawn_seed();
}
Gen<locklab::Plan> Arbitrary<locklab::Plan>::arbitrary() {
  return locklab::shrinking_as_ours(
      gen::map(gen::tuple(locklab::drawn_everywhere(), locklab::drawn_deployment(),
                          locklab::drawn_params(), locklab::drawn_seed()),
               [](const auto& drawn) {
                 const auto& [faults, deployment, lock, seed] = drawn;
                 return locklab::Plan{faults, deployment, lock, seed};
               }));
}

}  // namespace rc
