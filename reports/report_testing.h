// Report testing: judged runs of embedded and changed scenarios, and lines that can be measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run_view.h"
#include "scenarios/decoder.h"
#include "scenarios/loader.h"
#include "sim/sources.h"

namespace locklab::testing_reports {

inline Scenario embedded(const std::string& name) {
  LoadResult loaded = load_scenario(name);
  if (!loaded.scenario) throw std::runtime_error("no embedded scenario " + name);
  return *std::move(loaded.scenario);
}

/// One scenario and its latest run.
class Judged {
 public:
  explicit Judged(Scenario scenario)
      : scenario_(std::move(scenario)),
        judge_(choose_properties(all_properties(), scenario_.properties).value()) {}

  RunView run(std::uint64_t seed) {
    SeededSource source(seed);
    return run(source);
  }
  RunView calm() {
    ZeroSource source;
    return run(source);
  }

 private:
  RunView run(ChoiceSource& source) {
    const Execution& execution = runner_.run(scenario_, source);
    judge_.judge(*execution.history);
    RunView view = view_of(execution, judge_);
    view.token = "ll1:token";
    view.replay = "locklab replay ll1:token";
    return view;
  }

  Scenario scenario_;
  Runner runner_;
  Judge judge_;
};

inline std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

/// What a strict reader of XML objects to: tags that do not match, bare '<' and '&'. "" if nothing.
inline std::string objection_to(std::string_view markup) {
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = markup.find_first_of("<&", at)) != std::string_view::npos;) {
    const std::string_view rest = markup.substr(at);
    const std::size_t end = rest.find(rest.front() == '<' ? '>' : ';');
    if (end == std::string_view::npos) return "it ends within " + std::string(rest.substr(0, 40));
    const std::string_view inner = rest.substr(1, end - 1);
    at += end + 1;
    if (rest.front() == '&') {
      const bool known =
          inner == "amp" || inner == "lt" || inner == "gt" || inner == "quot" || inner == "#39";
      if (!known) return "a bare & before " + std::string(inner.substr(0, 40));
    } else if (inner.find('<') != std::string_view::npos) {
      return "a bare < in " + std::string(inner.substr(0, 40));
    } else if (inner.starts_with('/')) {
      if (open.empty() || open.back() != inner.substr(1)) return "it closes " + std::string(inner);
      open.pop_back();
    } else if (!inner.starts_with('!') && !inner.starts_with('?') && !inner.ends_with('/')) {
      open.emplace_back(inner.substr(0, inner.find(' ')));
    }
  }
  return open.empty() ? "" : "it leaves open " + open.back();
}

}  // namespace locklab::testing_reports
