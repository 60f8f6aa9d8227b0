// Setting: a world as it is searched: its scenario, checked, and the locks that its clients use.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "properties/property.h"
#include "scenarios/scenario.h"
#include "search/explore.h"

namespace locklab {

/// A property as tests name it: the function that properties/ defines, or one of the user's own.
using PropertyMaker = Property (*)();

namespace testkit {

/// A lock that no catalogue has. `info` shows `name`.
struct OwnLock {
  std::string name;
  LockInfo info;
};

struct Setting {
  /// Its hash is of the whole; which properties are judged is left to the question.
  Scenario scenario;
  std::deque<OwnLock> locks;
  std::string problem;  // Why it cannot be run; else empty.

  Setting() = default;
  Setting(const Setting&) = delete;  // `find` and the infos look into it.
  Setting& operator=(const Setting&) = delete;

  const LockInfo* find(std::string_view name) const;
  /// To judge one property, or none.
  Laboratory laboratory_of(PropertyMaker property) const;
  /// To judge all, and that one.
  Laboratory laboratory_of_all(PropertyMaker property) const;
};
using SharedSetting = std::shared_ptr<const Setting>;

}  // namespace testkit
}  // namespace locklab
