// Test run: one run of a test's world, kept whole, so that matchers can look at it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/property.h"
#include "sim/choice.h"
#include "sim/history.h"
#include "testkit/setting.h"

namespace locklab {

class TestRun {
 public:
  /// What a run left behind, copied: it outlives the runner.
  struct Data {
    testkit::SharedSetting setting;
    History history;
    std::vector<Deviation> choices;
    std::uint64_t digest = 0;
    std::string token;
    std::string problem;  // It was not run, or is not the recorded one.
  };
  explicit TestRun(Data data) : data_(std::make_shared<const Data>(std::move(data))) {}

  /// Why there is no run to look at; "" if there is one.
  const std::string& problem() const { return data_->problem; }
  const std::string& token() const { return data_->token; }
  std::uint64_t digest() const { return data_->digest; }
  const History& history() const { return data_->history; }
  std::span<const Deviation> choices() const { return data_->choices; }

  Finding finding(PropertyMaker property) const;
  /// What the authority for the key stores when the run ends; nullopt: nothing. With several nodes,
  /// what was stored last.
  std::optional<std::string> final_value(std::string_view key) const;
  /// How many appends the resource has accepted.
  std::uint64_t final_version(std::uint32_t object = 0) const;
  /// The story, with the command that replays it, as the failure of this property.
  std::string told(PropertyMaker property) const;

 private:
  std::shared_ptr<const Data> data_;
};

std::ostream& operator<<(std::ostream& out, const TestRun& run);

}  // namespace locklab
