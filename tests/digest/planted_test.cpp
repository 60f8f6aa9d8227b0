// Nondeterminism put into a lock on purpose: the check that passes for ours must catch it.
// SPDX-License-Identifier: Apache-2.0
#include <ctime>
#include <set>

#include <gtest/gtest.h>

#include "scenarios/loader.h"
#include "tests/digest/twice.h"

namespace locklab::testing {
namespace {

constexpr std::uint64_t kSeeds = 10;

/// Grants at once; asks the server for one key more whenever `odd()` says so.
template <class Odd>
class Planted : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    if (odd_()) client.redis().get("odd");
    Lease lease;
    lease.key = request.key;
    lease.nonce = client.new_nonce();
    return Acquired::lease_of(lease);
  }
  Outcome release(Client&, const Lease&) override { return Outcome::released; }

 private:
  Odd odd_;
};

struct Never {
  bool operator()() { return false; }
};

/// The first of two elements of a set of pointers is the one that was made first, or is not.
struct AddressOrder {
  bool operator()() {
    const auto first = std::make_unique<int>(1);
    const auto second = std::make_unique<int>(2);
    const std::set<const int*> both = {first.get(), second.get()};
    return **both.begin() == 1;
  }
};

struct UninitialisedRead {
  bool operator()() {
    auto* const bytes = static_cast<volatile unsigned char*>(::operator new(64));
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): it is what is planted.
    const bool odd = (bytes[17] & 1U) != 0;
    ::operator delete(const_cast<unsigned char*>(bytes));
    return odd;
  }
};

// Not const, so that a compiler cannot say that nobody has written it.
[[gnu::noinline]] bool is_odd(volatile unsigned char* byte) {
  return (*byte & 1U) != 0;
}

/// Of a buffer on the fiber's stack, where lock code runs.
template <std::size_t kBytes>
struct UninitialisedStack {
  [[gnu::noinline]] bool operator()() {
    volatile unsigned char bytes[kBytes];
    return is_odd(&bytes[17]);
  }
};

struct RealClock {
  bool operator()() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_nsec / 256) % 2 != 0;
  }
};

struct LeftOver {
  bool operator()() {
    static int calls = 0;
    return ++calls % 3 == 0;
  }
};

template <class Odd>
std::string what_differs_with() {
  const LockInfo info{
      .name = "planted", .summary = {}, .source = {}, .make = make_lock<Planted<Odd>>};
  const Scenario calm = *load_scenario("calm").scenario;
  return what_differs(
      calm, [&info](std::string_view) { return &info; }, kSeeds);
}

TEST(PlantedNondeterminism, IsNotSeenWhereThereIsNone) {
  EXPECT_EQ(what_differs_with<Never>(), "");
}

TEST(PlantedNondeterminism, OfAnAddressOrderedContainerIsCaught) {
  EXPECT_NE(what_differs_with<AddressOrder>().find("on the other heap"), std::string::npos);
}

TEST(PlantedNondeterminism, OfAnUninitialisedReadIsCaught) {
  EXPECT_NE(what_differs_with<UninitialisedRead>().find("on the other heap"), std::string::npos);
}

TEST(PlantedNondeterminism, OfAnUninitialisedReadOfAFibersStackIsCaught) {
  for (const std::string& difference :
       {what_differs_with<UninitialisedStack<64>>(), what_differs_with<UninitialisedStack<8192>>(),
        what_differs_with<UninitialisedStack<32768>>()}) {
    EXPECT_NE(difference.find("on the other heap"), std::string::npos) << difference;
  }
}

TEST(PlantedNondeterminism, OfARealClockIsCaught) {
  // Ten runs of dozens of reads: the odds that two such series agree are below one in 2^100.
  EXPECT_NE(what_differs_with<RealClock>(), "");
}

TEST(PlantedNondeterminism, OfStateThatOutlivesARunIsCaught) {
  EXPECT_NE(what_differs_with<LeftOver>(), "");
}

}  // namespace
}  // namespace locklab::testing
