// Setting: where a search finds the locks and the properties of a test.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/setting.h"

#include <algorithm>

namespace locklab::testkit {

const LockInfo* Setting::find(std::string_view name) const {
  for (const OwnLock& own : locks) {
    if (own.name == name) return &own.info;
  }
  return find_lock(name);
}

Laboratory Setting::laboratory_of(PropertyMaker property) const {
  Laboratory laboratory;
  laboratory.find = [this](std::string_view name) { return find(name); };
  laboratory.properties.clear();
  if (property != nullptr) laboratory.properties.push_back(property());
  return laboratory;
}

Laboratory Setting::laboratory_of_all(PropertyMaker property) const {
  Laboratory laboratory = laboratory_of(property);
  for (const Property& other : all_properties()) {
    const bool known =
        std::any_of(laboratory.properties.begin(), laboratory.properties.end(),
                    [&other](const Property& listed) { return listed.name == other.name; });
    if (!known) laboratory.properties.push_back(other);
  }
  return laboratory;
}

}  // namespace locklab::testkit
