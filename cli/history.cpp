// history: whether a black box's history is linearizable, and the part of it that is not.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <malloc.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/failure.h"
#include "cli/interrupt.h"
#include "cli/lab.h"
#include "cli/verbs.h"
#include "properties/linearizability/checker.h"
#include "properties/linearizability/failing_part.h"
#include "properties/linearizability/logs.h"
#include "reports/operation_table.h"

namespace locklab::cli {
namespace {

namespace lin = linearizability;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// A step costs some 50 ns; what one check of a candidate may spend is then well under a second.
constexpr std::uint64_t kCheckStepsLeast = 100'000;
constexpr std::uint64_t kCheckStepsMost = 5'000'000;
constexpr std::size_t kRowsMost = 40;
// The verdict is known by then; a part that is not the smallest is still a part that fails.
constexpr std::chrono::seconds kReducing{10};

struct Judged {
  lin::Log log;
  lin::Answer answer;
  lin::FailingPart failing;          // If violated.
  std::vector<std::uint32_t> lines;  // Of the failing part.
  bool out_of_time = false;
};

/// A search frees and takes memory again all the time; giving it back to the system in between
/// costs more than the search (docs/linearizability.md).
void keep_memory() {
  constexpr int kMapped = 32 << 20;  // The most that glibc takes.
  constexpr int kKept = 1 << 30;
  // There is one thread.
  mallopt(M_MMAP_THRESHOLD, kMapped);  // NOLINT(concurrency-mt-unsafe)
  mallopt(M_TRIM_THRESHOLD, kKept);    // NOLINT(concurrency-mt-unsafe)
}

lin::Log log_in(const std::string& path, const std::string& text, const Arguments& arguments) {
  std::optional<lin::Spec> wanted;
  if (!arguments.model.empty()) wanted = lin::spec_named(arguments.model);
  const SourceText source{path, text};
  lin::LogResult result = lin::parse_log(source, wanted);
  if (!result.log) fail_with(result.errors, kBadData);
  if (result.log->history.operations.empty()) {
    throw Failure(kNothingRun, locklab::quoted(path) + " has no operation: it says nothing");
  }
  return *std::move(result.log);
}

/// By operation of one object: its index among all.
std::vector<std::uint32_t> indices_of(const lin::History& history, std::uint32_t key) {
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < history.operations.size(); ++i) {
    if (history.operations[i].key == key) indices.push_back(i);
  }
  return indices;
}

Judged judged(lin::Log log, const Arguments& arguments) {
  Clock::time_point end = Clock::now() + std::chrono::milliseconds(arguments.time_ms);
  Judged judged;
  judged.log = std::move(log);
  lin::Budget budget;
  budget.bytes = std::size_t{arguments.memory_mib} << 20;
  budget.stop = [&] {
    judged.out_of_time = judged.out_of_time || Clock::now() >= end;
    return judged.out_of_time || is_interrupted();
  };
  judged.answer = check_history(judged.log.history, judged.log.spec, judged.log.names, budget);
  if (judged.answer.verdict != Verdict::violated) return judged;
  end = std::min(end, Clock::now() + kReducing);
  const lin::History& object = *judged.answer.object;
  const std::uint64_t steps =
      std::clamp(2 * judged.answer.steps, kCheckStepsLeast, kCheckStepsMost);
  judged.failing = failing_part(object, judged.log.spec, judged.log.names, steps, budget);
  const auto indices = indices_of(judged.log.history, object.operations[0].key);
  for (const std::uint32_t i : judged.failing.part.origin)
    judged.lines.push_back(judged.log.lines[indices[i]]);
  return judged;
}

std::string_view word_for(Verdict verdict) {
  return verdict == Verdict::holds ? "ok" : verdict == Verdict::unknown ? "unknown" : "illegal";
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string headline(const std::string& path, const Judged& judged, const Paper& paper) {
  const Verdict verdict = judged.answer.verdict;
  std::string text = fmt::format("{}: {}: {}", path, word_for(verdict),
                                 counted(judged.log.history.operations.size(), "operation"));
  if (judged.log.names.keys.size() > 1)
    text += " on " + counted(judged.log.names.keys.size(), "key");
  text += fmt::format(", judged as {}{}", name_of(judged.log.spec),
                      judged.log.spec_is_guess ? " (a guess; --model says otherwise)" : "");
  if (verdict == Verdict::unknown)
    text += is_interrupted()     ? "; it was interrupted"
            : judged.out_of_time ? "; --time has run out"
                                 : "; --memory has run out";
  const bool good = verdict == Verdict::holds;
  const Ink ink = good ? Ink::green : verdict == Verdict::unknown ? Ink::yellow : Ink::red;
  return paper.paragraph(good ? "✓ " : verdict == Verdict::unknown ? "? " : "✗ ", text, 2, ink);
}

std::string told(const Judged& judged, const Paper& paper) {
  const lin::Part& part = judged.failing.part;
  const std::size_t count = part.history.operations.size();
  const std::string& key = judged.log.names.keys[part.history.operations[0].key];
  std::string text =
      fmt::format("{} of them{} {} no order that one object would allow; {}.", count,
                  key.empty() ? "" : " on " + locklab::quoted(key), count == 1 ? "has" : "have",
                  judged.failing.is_smallest ? "if any result were not known there would be one"
                                             : "the time or memory allowed no smaller part");
  std::string out = "\n" + paper.paragraph("", text, 0);
  if (count > kRowsMost) {
    return out + paper.paragraph("", "That is too many to draw; --json has them.", 0);
  }
  out += "\n" + operation_table(part, judged.lines, judged.log.names, paper) + "\n";
  bool unknown = false;
  for (const lin::Operation& operation : part.history.operations)
    unknown = unknown || operation.is_unknown();
  if (unknown) {
    out += paper.paragraph("",
                           "unknown: it may have taken effect at any time from there on, or "
                           "never; not even that would help.",
                           0);
  }
  return out;
}

Json json_of(const std::string& path, const Judged& judged) {
  Json json;
  json["schema"] = "locklab.linearizability/1";
  json["file"] = path;
  json["verdict"] = word_for(judged.answer.verdict);
  json["model"] = name_of(judged.log.spec);
  json["model_guessed"] = judged.log.spec_is_guess;
  json["operations"] = judged.log.history.operations.size();
  json["keys"] = judged.log.names.keys.size();
  json["steps"] = judged.answer.steps;
  if (judged.answer.verdict != Verdict::violated) return json;
  json["smallest"] = judged.failing.is_smallest;
  for (std::size_t i = 0; i < judged.lines.size(); ++i) {
    const lin::Operation& operation = judged.failing.part.history.operations[i];
    json["failing_part"].push_back({{"line", judged.lines[i]},
                                    {"client", judged.log.names.clients[operation.client]},
                                    {"key", judged.log.names.keys[operation.key]},
                                    {"operation", operation_text(operation, judged.log.names)}});
  }
  return json;
}

ExitCode code_for(Verdict worst) {
  if (worst == Verdict::violated) return kViolated;
  return worst == Verdict::unknown ? kInconclusive : kOk;
}

}  // namespace

ExitCode history(const Arguments& arguments, Console& console) {
  if (arguments.words[0] != "check") {
    throw Failure(kUsage,
                  "history knows check FILE..., not " + locklab::quoted(arguments.words[0]));
  }
  keep_memory();
  Verdict worst = Verdict::holds;
  for (std::size_t i = 1; i < arguments.words.size(); ++i) {
    const std::string& path = arguments.words[i];
    const std::string text = file_text(path, lin::LogLimits{}.bytes);
    const Judged result = judged(log_in(path, text, arguments), arguments);
    worst = std::max(worst, result.answer.verdict);
    if (arguments.json) {
      console.print(json_of(path, result).dump(-1, ' ', false, Json::error_handler_t::replace) +
                    "\n");
    } else {
      console.print(headline(path, result, console.paper()));
      if (result.answer.verdict == Verdict::violated) console.print(told(result, console.paper()));
    }
    if (is_interrupted()) return kInterrupted;
  }
  return code_for(worst);
}

}  // namespace locklab::cli
