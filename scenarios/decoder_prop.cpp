// Decoder under hostile text: it answers, it never crashes, and what it accepts reads back.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "scenarios/decoder.h"
#include "scenarios/decoder_testing.h"

namespace locklab {
namespace {

using testing_samples::kRich;
using testing_samples::kVocabulary;

/// Either a scenario or errors, each one line with a place inside the text.
bool answers(const std::string& text) {
  const DecodeResult result = decode_scenario(text, "x.json", &kVocabulary);
  RC_ASSERT(result.scenario.has_value() == result.errors.empty());
  const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  for (const Diagnostic& error : result.errors) {
    RC_ASSERT(error.headline().find('\n') == std::string::npos);
    RC_ASSERT(error.line >= 1 && error.line <= lines);
    RC_ASSERT(error.column >= 1);
    RC_ASSERT(!error.message.empty());
  }
  if (!result.scenario) return false;
  const std::string canonical = canonical_json(*result.scenario);
  const DecodeResult again = decode_scenario(canonical, "y.json", &kVocabulary);
  RC_ASSERT(again.scenario.has_value());
  RC_ASSERT(canonical_json(*again.scenario) == canonical);
  RC_ASSERT(again.scenario->hash == result.scenario->hash);
  return true;
}

RC_GTEST_PROP(DecoderProperty, AnswersToAnyBytes, (const std::string& bytes)) {
  answers(bytes);
}

RC_GTEST_PROP(DecoderProperty, AnswersToAnySequenceOfTokens, ()) {
  const auto token = rc::gen::element<std::string>("{", "}", "[", "]", ",", ":", "\"a", "\"", "\\",
                                                   "1", "-", "1e9", "true", "null", "//", "/*",
                                                   "*/", "\n", " ", "\"schema\"", "\"clients\"",
                                                   "\"x-\"", "\"\\u0000\"", "\xc3", "\xef\xbb\xbf");
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(token))
    text += part;
  answers(text);
}

RC_GTEST_PROP(DecoderProperty, AnswersToADamagedFile, ()) {
  std::string text = kRich;
  const int edits = *rc::gen::inRange(1, 4);
  for (int i = 0; i < edits; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 9);
    const auto from = *rc::gen::inRange<std::size_t>(0, text.size());
    // Replaces a piece by another piece of the text, or by any character.
    const bool copy = *rc::gen::arbitrary<bool>();
    const std::string patch =
        copy ? text.substr(from, length) : std::string(1, *rc::gen::arbitrary<char>());
    text.replace(at, std::min(length, text.size() - at), patch);
  }
  const bool accepted = answers(text);
  RC_CLASSIFY(accepted, "still a scenario");
}

RC_GTEST_PROP(DecoderProperty, EveryPrefixOfAFileIsRefused, ()) {
  const std::size_t end = kRich.rfind('}');
  const auto length = *rc::gen::inRange<std::size_t>(0, end);
  RC_ASSERT(!answers(kRich.substr(0, length)));
}

RC_GTEST_PROP(SetProperty, AnswersToAnyAssignment, ()) {
  const auto piece = rc::gen::element<std::string>(
      "clients", ".", "0", "ttl", "=", "1s", "faults", "at", "search", "of", "pause", ",", "[", "{",
      "}", "]", "\"", "expect", "holds", "hosts", "resource", "mode", "cas", "-1", "99", "topology",
      "nodes");
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece))
    text += part;
  Scenario s = decode_scenario(kRich, "x.json", &kVocabulary).scenario.value();
  const std::uint64_t before = s.hash;
  const std::vector<Diagnostic> errors = apply_set(s, text, &kVocabulary);
  RC_ASSERT(s.hash == (errors.empty() ? scenario_hash(s) : before));
}

RC_GTEST_PROP(SetProperty, GivesTheScenarioThatTheFileWouldGive, ()) {
  const auto ttl = *rc::gen::inRange(51, 100'000);
  const auto rounds = *rc::gen::inRange(1, 1001);
  const auto text = [](int t, int r) {
    return "{\"schema\":1,\"name\":\"x\",\"clients\":[{\"algorithm\":\"fenced\",\"ttl\":\"" +
           std::to_string(t) + "ms\"}],\"workload\":{\"rounds\":" + std::to_string(r) + "}}";
  };
  Scenario changed = decode_scenario(text(50, 7), "x.json").scenario.value();
  const std::vector<std::string> assignments = {"clients.0.ttl=" + std::to_string(ttl) + "ms",
                                                "workload.rounds=" + std::to_string(rounds)};

  RC_ASSERT(apply_set(changed, assignments).empty());

  RC_ASSERT(changed.hash == decode_scenario(text(ttl, rounds), "x.json").scenario.value().hash);
}

}  // namespace
}  // namespace locklab
