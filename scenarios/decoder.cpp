// Decoder: read the text, fill the scenario by the table, check the whole.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/decoder.h"

#include <utility>

#include "scenarios/checks.h"
#include "scenarios/value_reader.h"

namespace locklab {
namespace {

using schema::Decoding;

/// Errors of planned faults are met while running, too: they name the line.
void note_fault_lines(const SourceText& source, const JsonValue& root, Scenario& scenario) {
  const JsonMember* faults = root.find("faults");
  if (faults == nullptr) return;
  for (std::size_t i = 0; i < scenario.world.faults.size(); ++i) {
    const JsonValue& value = faults->value.elements[i];
    scenario.world.faults[i].line = diagnostic_at({&source, value.offset, value.length}, "").line;
  }
}

}  // namespace

DecodeResult decode_scenario(std::string_view text, std::string source,
                             const Vocabulary* vocabulary) {
  const SourceText origin{std::move(source), text};
  DecodeResult result;
  JsonResult json = read_json(text);
  if (!json.root) {
    result.errors.push_back(diagnostic_at({&origin, json.offset, json.length},
                                          std::move(json.message), std::move(json.hint)));
    return result;
  }
  Decoding d(origin);
  Scenario scenario;
  schema::read(schema::ObjectRule<schema::ScenarioKeys>{}, scenario, *json.root, d);
  // Relations between values mean something only when each value was read.
  if (d.ok()) schema::check_scenario(scenario, vocabulary, d);
  result.errors = d.take_errors();
  if (!result.errors.empty()) return result;

  scenario.source = origin.name;
  scenario.hash = scenario_hash(scenario);
  note_fault_lines(origin, *json.root, scenario);
  result.scenario = std::move(scenario);
  return result;
}

}  // namespace locklab
