// Subject: the one run that a verb is about: of a token, a trace file, or found in a scenario.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/lab.h"

namespace locklab::cli {

struct SubjectWish {
  std::string word;              // A token, a trace file, or a scenario's name or path.
  std::string file;              // The scenario of a token that is not embedded; may be empty.
  std::vector<std::string> set;  // Of its scenario.
  std::string property;          // What must be violated; empty: what a telling would show.
  bool must_fail = true;         // Else a run in which all holds will do.
  bool shrinks = true;
};

struct Subject {
  LoadedScenario loaded;
  std::vector<Deviation> choices;
  std::string property;  // Violated in the run; empty: none is.
  std::string told;      // "seed 28, shrunk from 12 to 1 deviation in 24 runs".
};

/// Of a scenario the run of --seed; without one, what the first seeds show. Progress on stderr.
/// Throws Failure: kNotViolated if nothing is violated that must be, kDiverged for a recording that
/// is not of this scenario, and what loading throws.
Subject subject_of(const SubjectWish& wish, const Arguments& arguments, const Console& console);

/// The word can only be a token.
bool is_token(const std::string& word);

}  // namespace locklab::cli
