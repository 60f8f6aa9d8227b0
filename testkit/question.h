// Question: searches the schedules of a setting, or runs the one that LOCKLAB_REPLAY names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "testkit/judgement.h"
#include "testkit/setting.h"

namespace locklab::testkit {

enum class Wanted : std::uint8_t { holds, violated };

/// A range of seeds; where the test names no first one, it is that of LOCKLAB_SEED, or 1.
struct Range {
  std::optional<std::uint64_t> first;
  Runs runs;
};

Judgement ask(const SharedSetting& setting, PropertyMaker property, Wanted wanted,
              const Range& range);
Judgement ask_for_event(const SharedSetting& setting, std::string_view event, const Range& range);

}  // namespace locklab::testkit
