// Comparison: alignment, where the runs part, verdicts side by side, and the table of both harms.
// SPDX-License-Identifier: Apache-2.0
#include "reports/comparison.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/explanation.h"
#include "reports/text.h"
#include "reports/words.h"

namespace locklab {
namespace {

using Json = nlohmann::ordered_json;

std::string fit_text(const Comparison& compared, const Paper& paper) {
  const Fit& fit = compared.fit;
  std::string text = fmt::format("{} of {} choices of A are met in B", fit.met, fit.all());
  if (fit.changed > 0) {
    text += fmt::format(", {} where something else is found", fit.changed);
  }
  std::string out = paper.paragraph("", text + (fit.missed.empty() ? "" : "; not met:"), 0);
  for (const Deviation& missed : fit.missed)
    out += paper.paragraph("  - ", deviation_sentence(*compared.a.history, missed), 4);
  return out;
}

std::string time_of(const RunView& run, std::uint32_t seq) {
  return seq > run.history->records().size() ? "" : milliseconds_of(run.history->at(seq).at());
}

std::string side_text(const RunView& run, std::uint32_t seq, const char* side, const Paper& paper) {
  const std::string sentence = event_sentence(run, seq);
  const std::string head = fmt::format("  {} {:>10}  ", side, time_of(run, seq));
  return paper.paragraph(head, sentence.empty() ? "the run has ended" : sentence, head.size());
}

std::string part_text(const Comparison& compared, const Paper& paper) {
  if (compared.part == 0) {
    return paper.paragraph("", "No event differs: the two runs are the same.", 0, Ink::bold);
  }
  std::string out = paper.paragraph(
      "",
      fmt::format("The first event that differs is number {} (of {} in A, {} in B):", compared.part,
                  compared.a.history->records().size(), compared.b.history->records().size()),
      0, Ink::bold);
  out += side_text(compared.a, compared.part, "A", paper);
  return out + side_text(compared.b, compared.part, "B", paper);
}

const NamedFinding* finding_of(const RunView& run, std::string_view property) {
  const auto found = std::find_if(
      run.findings.begin(), run.findings.end(),
      [property](const NamedFinding& named) { return named.property->name == property; });
  return found == run.findings.end() ? nullptr : &*found;
}

std::string_view verdict_in(const RunView& run, std::string_view property) {
  const NamedFinding* const named = finding_of(run, property);
  return named == nullptr ? "not judged" : name_of(named->finding.verdict);
}

std::string verdicts_text(const Comparison& compared, const Paper& paper) {
  std::string out = paper.paint(
      Ink::dim, paper.say(fmt::format("  {:<25}{:<11}{}", "of this schedule", "A", "B")));
  out += "\n";
  for (const NamedFinding& named : compared.a.findings) {
    const std::string_view name = named.property->name;
    const std::string_view a = verdict_in(compared.a, name);
    const std::string_view b = verdict_in(compared.b, name);
    if (a == "holds" && b == "holds") continue;
    out +=
        paper.paint(a == b ? Ink::plain : Ink::bold,
                    paper.say(fmt::format("{} {:<25}{:<11}{}", a == b ? " " : "*", name, a, b))) +
        "\n";
  }
  return out + paper.paragraph("  ", "all others hold in both", 2, Ink::dim);
}

std::string quadrants_text(const Comparison& compared, const Paper& paper) {
  const Quadrants& a = compared.quadrants_a;
  const Quadrants& b = compared.quadrants_b;
  if (a.runs == 0 || b.runs == 0) return {};
  std::string out = paper.paragraph(
      "",
      fmt::format("seeds {}..{} of each, by whether two were inside at once and the resource took "
                  "harm",
                  compared.first_seed, compared.first_seed + std::min(a.runs, b.runs) - 1),
      0);
  out +=
      paper.paint(Ink::dim, paper.say(fmt::format("  {:<22}{:>14}  {:>18}", "", "A", "B"))) + "\n";
  out += paper.paint(Ink::dim, paper.say(fmt::format("  {:<22}{:>9}{:>9}  {:>9}{:>9}", "",
                                                     "no harm", "harm", "no harm", "harm"))) +
         "\n";
  for (const std::size_t overlap : {0U, 1U}) {
    out +=
        paper.say(fmt::format(
            "  {:<22}{:>9}{:>9}  {:>9}{:>9}", overlap == 0 ? "one at a time" : "double ownership",
            a.count[overlap][0], a.count[overlap][1], b.count[overlap][0], b.count[overlap][1])) +
        "\n";
  }
  if (a.unknown + b.unknown > 0) {
    out += paper.say(fmt::format("  {:<22}{:>18}  {:>18}", "unknown", a.unknown, b.unknown)) + "\n";
  }
  return out;
}

Json side_json(const RunView& run, const std::string& name, std::uint32_t seq,
               const Quadrants& quadrants) {
  Json json;
  json["name"] = name;
  json["scenario"] = run.scenario->name;
  json["token"] = run.token;
  json["command"] = run.replay;
  json["records"] = run.history->records().size();
  json["event"] = event_sentence(run, seq);
  json["verdicts"] = Json::object();
  for (const NamedFinding& named : run.findings)
    json["verdicts"][std::string(named.property->name)] = name_of(named.finding.verdict);
  Json& table = json["runs"];
  table["judged"] = quadrants.runs - quadrants.unknown;
  table["unknown"] = quadrants.unknown;
  table["neither"] = quadrants.count[0][0];
  table["harm_only"] = quadrants.count[0][1];
  table["double_ownership_only"] = quadrants.count[1][0];
  table["both"] = quadrants.count[1][1];
  return json;
}

}  // namespace

std::string comparison(const Comparison& compared, const Paper& paper) {
  std::string out = paper.paragraph("A  ", compared.name_a, 3, Ink::bold) +
                    paper.paragraph("B  ", compared.name_b, 3, Ink::bold) +
                    fit_text(compared, paper) + "\n" + part_text(compared, paper) + "\n" +
                    verdicts_text(compared, paper);
  const std::string table = quadrants_text(compared, paper);
  if (!table.empty()) out += "\n" + table;
  out += "\n";
  for (const RunView* const run : {&compared.a, &compared.b}) {
    if (!run->replay.empty())
      out += (run == &compared.a ? "A  " : "B  ") + paper.say(run->replay) + "\n";
  }
  return out;
}

std::string comparison_json(const Comparison& compared) {
  Json json;
  json["schema"] = "locklab.compare/1";
  json["choices"] = compared.fit.all();
  json["met"] = compared.fit.met;
  json["changed"] = compared.fit.changed;
  json["missed"] = Json::array();
  for (const Deviation& missed : compared.fit.missed)
    json["missed"].push_back(deviation_sentence(*compared.a.history, missed));
  json["first_different_event"] = compared.part;
  json["first_seed"] = compared.first_seed;
  json["last_seed"] = compared.last_seed;
  json["a"] = side_json(compared.a, compared.name_a, compared.part, compared.quadrants_a);
  json["b"] = side_json(compared.b, compared.name_b, compared.part, compared.quadrants_b);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace locklab
