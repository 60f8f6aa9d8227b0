// Arguments: what the command line said, after parsing and before meaning.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "search/shard.h"

namespace locklab::cli {

/// What --report asks for beside what --out writes anyway.
struct ReportWish {
  bool html = false;
  bool junit = false;  // check only: it tells a search.
  bool any() const { return html || junit; }
};

/// What certify enumerates; its defaults are those of Bound.
struct CertifyWish {
  std::uint32_t faults = 2;
  std::uint32_t orders = 0;
  std::optional<std::uint32_t> deviations;  // Default: the greater of the two.
  std::uint32_t steps = 2;
  bool every_target = true;
  std::uint32_t start_phases = 2;
  std::uint32_t poll_phases = 2;
  std::uint32_t work_times = 2;
  std::string resume;  // A file; empty: none.
  std::string verify;
};

/// All flags of all verbs; a verb reads those that its own help lists.
struct Arguments {
  std::string verb;
  std::vector<std::string> words;  // Scenarios, a token, what to list.
  PaperWish paper;
  bool json = false;

  std::optional<std::uint64_t> seed;
  bool calm = false;  // Every choice is the default.
  bool timeline = false;
  bool full = false;
  std::uint64_t first_seed = 1;
  std::uint64_t last_seed = 1000;
  std::string strategy = "swarm";  // kSwarm
  bool until_violation = false;
  std::optional<Shard> shard;  // check, certify: this part of the work; nullopt: all of it.
  bool coverage = false;       // check, merge: the table too.
  unsigned jobs = 0;           // 0: as many as the machine has.
  bool shrink = true;
  std::uint32_t shrink_runs = 2000;
  bool actors = false;            // shrink: the scenario too.
  std::uint32_t forks = 200;      // why: runs from each point.
  std::string property;           // why, compare, shrink: what must be violated; empty: the worst.
  std::string with;               // compare: another algorithm for all clients.
  std::vector<std::string> base;  // compare: "path=value" of both scenarios.

  std::vector<std::string> set;  // "path=value"
  std::string tag;
  std::string out;  // A directory; empty: none.
  ReportWish report;
  std::string corpus;  // A directory; empty: kCorpusFolder.
  std::string status;  // Of a new corpus entry; empty: by what the scenario expects.
  CertifyWish certify;

  // Of history.
  std::string model;              // Of a history; empty: what the file says.
  std::int64_t time_ms = 60'000;  // For each file.
  std::uint32_t memory_mib = 1024;
};

}  // namespace locklab::cli
