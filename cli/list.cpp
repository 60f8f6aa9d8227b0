// list: scenarios, locks, properties, faults, labels; as a table or as NDJSON. And the schema.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/claims_table.h"
#include "cli/failure.h"
#include "cli/lab.h"
#include "cli/verbs.h"
#include "reports/text.h"
#include "scenarios/decoder.h"
#include "scenarios/loader.h"
#include "scenarios/suggest.h"
#include "search/strategies/catalogue.h"

namespace locklab::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Item {
  std::string name;
  std::string text;
  Json details = Json::object();
};
using Items = std::vector<Item>;

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words)
    out += (out.empty() ? "" : ", ") + word;
  return out;
}

Items scenarios() {
  Items items;
  for (const std::string& name : embedded_scenario_names()) {
    const LoadResult loaded = load_scenario(name, &vocabulary());
    if (!loaded.scenario) continue;
    const Scenario& scenario = *loaded.scenario;
    Item item{name, scenario.title, {}};
    if (!scenario.tags.empty()) item.text += " [" + joined(scenario.tags) + "]";
    item.details["title"] = scenario.title;
    item.details["tags"] = scenario.tags;
    item.details["clients"] = scenario.client_count();
    item.details["source"] = scenario.source;
    items.push_back(std::move(item));
  }
  return items;
}

void add_breaks(const LockInfo& lock, Json& details) {
  details["two_inside"] = lock.breaks.two_inside;
  details["two_claims"] = lock.breaks.two_claims;
  details["harm"] = lock.breaks.harm;
  if (lock.fenced) details["fenced_harm"] = lock.breaks.fenced_harm;
  details["blocked"] = lock.breaks.blocked;
}

Items locks() {
  Items items;
  for (const LockInfo& lock : all_locks()) {
    Item item{std::string(lock.name), std::string(lock.summary), {}};
    item.text += " (" + std::string(lock.source) + ")";
    item.details["summary"] = lock.summary;
    item.details["source"] = lock.source;
    item.details["checked"] = lock.checked;
    item.details["fenced"] = lock.fenced;
    item.details["nodes"] = lock.nodes;
    add_breaks(lock, item.details["breaks"]);
    items.push_back(std::move(item));
  }
  return items;
}

/// Kinds of fault, by name, with blanks between. Where none is needed the others say nothing more.
std::string under(std::string_view kinds) {
  if (kinds.empty()) return "under nothing that was tried";
  if ((" " + std::string(kinds) + " ").find(" none ") != std::string::npos) {
    return "without any fault";
  }
  return "under " + std::string(kinds);
}

/// What each lock declares to break under; tests/claims holds it to that.
Items claims() {
  Items items;
  for (const LockInfo& lock : all_locks()) {
    const Breaks& breaks = lock.breaks;
    Item item{std::string(lock.name), {}, {}};
    item.text = "two inside " + under(breaks.two_inside) + "; two claims " +
                under(breaks.two_claims) + "; harm " + under(breaks.harm);
    if (lock.fenced) item.text += "; harm through the fence " + under(breaks.fenced_harm);
    item.text += "; blocked " + under(breaks.blocked);
    add_breaks(lock, item.details);
    items.push_back(std::move(item));
  }
  return items;
}

std::string_view name_of_severity(Severity severity) {
  switch (severity) {
    case Severity::cause:
      return "cause";
    case Severity::exposure:
      return "exposure";
    case Severity::harm:
      return "harm";
    case Severity::progress:
      return "progress";
  }
  return "";
}

Items properties() {
  Items items;
  for (const Property& property : all_properties()) {
    Item item{std::string(property.name), std::string(property.statement), {}};
    item.details["statement"] = property.statement;
    item.details["severity"] = name_of_severity(property.severity);
    items.push_back(std::move(item));
  }
  return items;
}

Items strategies() {
  Items items;
  for (const StrategyInfo& strategy : all_strategies()) {
    Item item{std::string(strategy.name), std::string(strategy.summary), {}};
    item.details["summary"] = strategy.summary;
    item.details["by_number"] = strategy.by_number;
    items.push_back(std::move(item));
  }
  return items;
}

struct FaultText {
  std::string_view strikes;
  std::string_view does;
};
/// By FaultKind; docs/faults.md has the same rows.
constexpr std::array<FaultText, static_cast<std::size_t>(FaultKind::count)> kFaultTexts = {{
    {},
    {"a client's link to a server", "each message takes longer, for a while"},
    {"a replica", "the primary's changes arrive later, for a while"},
    {"the connection at the point", "the command is executed, then the connection breaks"},
    {"the connection at the point", "it breaks; the last of what was under way may be lost"},
    {"the fiber at the point", "it does not run for a while; the others of its process do"},
    {"the fiber at the point", "its wait ends early; its destructors run as usual"},
    {"the process at the point, or a host",
     "no fiber runs for a while; clocks run on, messages queue"},
    {"a server",
     "it stops for a while; requests queue and are executed on waking, even if their client has "
     "gone"},
    {"a client's link to a server",
     "both ways or one; messages are held, and arrive after healing, even from a sender that has "
     "died"},
    {"the fiber at the point",
     "its stack unwinds and destructors may send; if recovered, the process lives on"},
    {"the process at the point",
     "it ends at once; what it had written is still delivered, then FIN"},
    {"a server",
     "its process ends, or the operating system beneath it without a goodbye; it comes back with "
     "what its persistence kept, or not at all"},
    {"a machine", "all on it ends, and no FIN: peers see a half-open connection"},
    {"the primary", "a replica is promoted now; the old primary runs on"},
    {"a server that runs", "it drops one key, as maxmemory does"},
    {"a server", "it loses all its keys, as by FLUSHALL; one that is stopped does so on waking"},
    {"a host's clocks", "they run a little fast or slow until they have moved by an amount"},
    {"a host's clocks", "they run too fast or too slow for a while"},
    {"a host's wall clock", "it steps forwards or back; the monotonic clock does not"},
    {"a machine", "it stops for a while, and its monotonic clock with it; the wall clock runs on"},
    {"a machine",
     "it stops for a while with both clocks, so that it finds its lease valid on waking"},
}};

Items faults() {
  Items items;
  for (std::size_t kind = 1; kind < kFaultTexts.size(); ++kind) {
    const FaultText& text = kFaultTexts[kind];
    Item item{std::string(name_of(static_cast<FaultKind>(kind))), {}, {}};
    item.text = std::string(text.strikes) + ": " + std::string(text.does);
    item.details["strikes"] = text.strikes;
    item.details["does"] = text.does;
    item.details["text"] = item.text;
    items.push_back(std::move(item));
  }
  return items;
}

Items labels() {
  constexpr std::array<std::string_view, static_cast<std::size_t>(Label::count)> kMeanings = {
      "",
      "a command of an acquire is about to be written to its connection",
      "it has been written; the reply is awaited",
      "between two commands of one acquire",
      "a node has executed a command; reply and effects have not left",
      "the reply has left",
      "the effects are about to leave for one replica",
      "votes are counted, validity not yet checked",
      "acquire is about to return to the program",
      "a checked client has found its lease valid",
      "a guarded operation is about to be sent to the resource",
      "it has been sent",
      "the resource has decided on it",
      "a watchdog has woken",
      "its renewal has been sent",
      "its renewal's outcome is known",
      "between the check and the delete of a two-step release",
      "a command of a release is about to be sent",
      "it has been sent",
      "release is about to return",
      "a replica is about to be promoted",
      "a replica has been promoted",
      "a node is about to start again",
  };
  Items items;
  for (std::size_t label = 1; label < kMeanings.size(); ++label) {
    Item item{std::string(name_of(static_cast<Label>(label))), std::string(kMeanings[label]), {}};
    item.details["text"] = item.text;
    items.push_back(std::move(item));
  }
  return items;
}

constexpr std::string_view kAboutClaims =
    "Each lock in the same story, with one kind of fault at a time: what puts two programs inside "
    "at once (double-ownership), what lets two hold by their own rule (claimed-exclusion), what "
    "does harm at a resource that checks no fence (serializable-effects) and at one that does, and "
    "what leaves the lock blocked for good (eventual-release).";
constexpr std::string_view kAboutFaults = "What each strikes, and what it does.";

std::string claims_below() {
  return "\nWhat each kind of fault alone does to each lock; list claims says it in words.\n\n" +
         claims_table();
}

struct Kind {
  std::string_view plural;
  std::string_view schema;
  Items (*items)();
  std::string_view about = {};       // Above the table.
  std::string (*below)() = nullptr;  // Below it.
};
constexpr std::array<Kind, 7> kKinds = {{{"scenarios", "locklab.scenario-entry/1", scenarios},
                                         {"locks", "locklab.lock/1", locks, {}, claims_below},
                                         {"claims", "locklab.claim/1", claims, kAboutClaims},
                                         {"properties", "locklab.property/1", properties},
                                         {"faults", "locklab.fault/1", faults, kAboutFaults},
                                         {"labels", "locklab.label/1", labels},
                                         {"strategies", "locklab.strategy/1", strategies}}};

constexpr std::string_view kSchema = "schema";  // No list: a file for editors.

const Kind& kind_named(std::string_view word) {
  std::vector<std::string_view> known = {kSchema};
  for (const Kind& kind : kKinds) {
    if (kind.plural == word) return kind;
    known.push_back(kind.plural);
  }
  const std::string hint = suggestion(word, known);
  throw Failure(kUsage,
                "there is no list of " + locklab::quoted(word) + (hint.empty() ? "" : "; " + hint));
}

std::string table(std::string_view about, const Items& items, const Paper& paper) {
  std::size_t widest = 0;
  for (const Item& item : items)
    widest = std::max(widest, item.name.size());
  widest = std::min<std::size_t>(widest, paper.width / 2);
  std::string out = about.empty() ? "" : paper.paragraph("", about, 0, Ink::dim) + "\n";
  for (const Item& item : items) {
    out += paper.paragraph(padded(item.name, widest) + "  ", item.text, widest + 2);
  }
  return out;
}

}  // namespace

ExitCode list(const Arguments& arguments, Console& console) {
  const std::string_view word = arguments.words.empty() ? "scenarios" : arguments.words[0];
  if (word == kSchema) {
    console.print(scenario_schema());
    return kOk;
  }
  const Kind& kind = kind_named(word);
  const Items items = kind.items();
  if (!arguments.json) {
    console.print(table(kind.about, items, console.paper()));
    if (kind.below != nullptr) console.print(kind.below());
    return kOk;
  }
  for (const Item& item : items) {
    Json json;
    json["schema"] = kind.schema;
    json["name"] = item.name;
    json.update(item.details);
    console.print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  }
  return kOk;
}

}  // namespace locklab::cli
