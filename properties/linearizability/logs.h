// Logs: histories from files: our JSON lines, Jepsen's log of etcd, and key-value logs in EDN.
// SPDX-License-Identifier: Apache-2.0
//
// docs/linearizability.md has the formats. One line is one event; its place in the file is its
// place in the order. Size, length of a line and number of operations are bounded, and so is what
// hostile input can cost. The first error ends the reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "properties/linearizability/model.h"
#include "properties/linearizability/operation.h"
#include "scenarios/diagnostic.h"

namespace locklab::linearizability {

struct LogLimits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t line = std::size_t{64} << 10;
  std::size_t operations = 1'000'000;
};

struct Log {
  Names names;
  History history;
  /// By operation: the line of its invocation, from 1.
  std::vector<std::uint32_t> lines;
  Spec spec;
  /// Neither the caller nor the file has said it: it is the strictest that has all functions.
  bool spec_is_guess = false;
};

struct LogResult {
  std::optional<Log> log;
  std::vector<Diagnostic> errors;  // One, or none if there is a log.
};

/// `wanted` outweighs what the file says.
LogResult parse_log(const SourceText& source, const std::optional<Spec>& wanted = {},
                    const LogLimits& limits = {});

}  // namespace locklab::linearizability
