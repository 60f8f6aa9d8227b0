// Log builder: pairs the events of a log into operations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "properties/linearizability/log_event.h"
#include "properties/linearizability/logs.h"

namespace locklab::linearizability {

class LogBuilder {
 public:
  explicit LogBuilder(std::size_t most_operations) : most_(most_operations) {}

  /// Empty, or what is wrong with it.
  std::string add(const LogEvent& event, std::uint32_t line);
  /// Without a spec. Operations that nothing was heard of have an unknown result.
  Log finish();

 private:
  struct Started {
    Operation operation;
    std::uint32_t line;
    bool took_place = true;
  };
  using Numbers = std::map<std::string, std::uint32_t, std::less<>>;

  std::string invoke(const LogEvent& event, std::uint32_t client, std::uint32_t line);
  std::string complete(const LogEvent& event, std::uint32_t client);
  static std::uint32_t number_of(const std::string& name, Numbers& numbers,
                                 std::vector<std::string>& names);
  bool has_values_of(const Operation& operation, const LogEvent& event) const;
  Value value_of(const std::optional<std::string>& text);

  std::size_t most_;
  Names names_;
  Numbers clients_;
  Numbers keys_;
  Numbers values_;
  std::vector<Started> started_;
  std::map<std::uint32_t, std::size_t> open_;  // By client: what it has under way.
  Position now_ = 0;
};

}  // namespace locklab::linearizability
