// Check shard, read: then written again and compared, so that a file has one meaning.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "scenarios/value_reader.h"
#include "search/byte_codec.h"
#include "search/check_shard.h"
#include "search/checked_text.h"
#include "search/deviation_json.h"
#include "search/json_fields.h"
#include "sim/contract.h"
#include "sim/history.h"

namespace locklab {
namespace {

using Keys = std::span<const std::string_view>;

constexpr std::array<std::string_view, 5> kKeys = {"schema", "epoch", "shard", "searches", "check"};
constexpr std::array<std::string_view, 2> kShardKeys = {"number", "of"};
constexpr std::array<std::string_view, 9> kSearchKeys = {"scenario", "seeds",      "strategy",
                                                         "done",     "properties", "unexpected",
                                                         "events",   "found",      "coverage"};
constexpr std::array<std::string_view, 4> kScenarioKeys = {"source", "hash", "set", "text"};
constexpr std::array<std::string_view, 2> kSeedKeys = {"first", "last"};
constexpr std::array<std::string_view, 5> kDoneKeys = {"runs", "steps", "complete", "exhausted",
                                                       "sampled"};
constexpr std::array<std::string_view, 6> kTallyKeys = {"name",           "violated",  "unknown",
                                                        "exercised_runs", "exercised", "first"};
constexpr std::array<std::string_view, 3> kRunKeys = {"seed", "digest", "deviations"};
constexpr std::array<std::string_view, 4> kCoverageKeys = {"reached", "drawn", "struck",
                                                           "schedules"};
constexpr std::array<std::string_view, 4> kStruckKeys = {"label", "fault", "runs", "tested"};

/// The enumerator of that name; the first for "", which is none's.
template <class Enum>
std::optional<Enum> named(std::string_view name) {
  for (unsigned i = 0; i < static_cast<unsigned>(Enum::count); ++i) {
    if (name_of(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(schema::Decoding& d) : fields_(d) {}

  CheckShard read(const JsonValue& root) {
    CheckShard shard;
    if (!has(root, kKeys)) return shard;
    if (fields_.text(root, "schema") != kCheckShardSchema)
      fields_.error(root, "schema", "another schema");
    if (fields_.natural(root, "epoch") != History::kModelEpoch)
      fields_.error(root, "epoch", "another model epoch");
    const JsonValue& number = at(root, "shard");
    if (has(number, kShardKeys))
      shard.shard = {fields_.natural(number, "number"), fields_.natural(number, "of")};
    for (const JsonValue& entry : fields_.list(root, "searches"))
      shard.searches.push_back(search(entry));
    return shard;
  }

 private:
  static const JsonValue& at(const JsonValue& object, std::string_view key) {
    return JsonFields::at(object, key);
  }
  bool has(const JsonValue& object, Keys keys) { return fields_.keys_are(object, keys); }

  SavedSearch search(const JsonValue& value) {
    SavedSearch s;
    if (!has(value, kSearchKeys)) return s;
    s.scenario = scenario(at(value, "scenario"));
    if (const JsonValue& seeds = at(value, "seeds"); has(seeds, kSeedKeys))
      s.seeds = {fields_.natural(seeds, "first"), fields_.natural(seeds, "last")};
    s.strategy = fields_.text(value, "strategy");
    if (const JsonValue& done = at(value, "done"); has(done, kDoneKeys)) {
      s.runs = fields_.natural(done, "runs");
      s.steps = fields_.natural(done, "steps");
      s.complete = at(done, "complete").boolean;
      s.exhausted = at(done, "exhausted").boolean;
      s.sampled = at(done, "sampled").boolean;
    }
    for (const JsonValue& entry : fields_.list(value, "properties"))
      s.tallies.push_back(tally(entry));
    s.unexpected = seed(value, "unexpected");
    counts<EventKind>(value, "events", "kind", s.runs_with);
    for (const JsonValue& entry : fields_.list(value, "found"))
      s.found.push_back(run(entry));
    s.coverage = coverage(at(value, "coverage"));
    return s;
  }

  SavedScenario scenario(const JsonValue& value) {
    if (!has(value, kScenarioKeys)) return {};
    return {fields_.text(value, "source"), fields_.text(value, "text"), fields_.texts(value, "set"),
            fields_.hash(at(value, "hash"))};
  }

  SavedTally tally(const JsonValue& value) {
    if (!has(value, kTallyKeys)) return {};
    return {fields_.text(value, "name"),         fields_.natural(value, "violated"),
            fields_.natural(value, "unknown"),   fields_.natural(value, "exercised_runs"),
            fields_.natural(value, "exercised"), seed(value, "first")};
  }

  std::optional<std::uint64_t> seed(const JsonValue& object, std::string_view key) {
    if (at(object, key).kind == JsonValue::Kind::null) return std::nullopt;
    return fields_.natural(object, key);
  }

  SavedRun run(const JsonValue& value) {
    if (!has(value, kRunKeys)) return {};
    return {fields_.natural(value, "seed"), fields_.hash(at(value, "digest")),
            read_deviations(value, "deviations", fields_)};
  }

  Coverage coverage(const JsonValue& value) {
    Coverage c;
    if (!has(value, kCoverageKeys)) return c;
    counts<Label>(value, "reached", "label", c.reached);
    counts<FaultKind>(value, "drawn", "fault", c.drawn);
    for (const JsonValue& entry : fields_.list(value, "struck"))
      read_struck(entry, c);
    read_schedules(value, c.schedules);
    return c;
  }

  void read_struck(const JsonValue& value, Coverage& coverage) {
    if (!has(value, kStruckKeys)) return;
    const auto label = named<Label>(fields_.text(value, "label"));
    const auto fault = named<FaultKind>(fields_.text(value, "fault"));
    if (!label || !fault) return fields_.error(value, "label", "no label or fault has this name");
    StruckRuns& runs = coverage.struck[{*label, *fault}];
    runs.runs = fields_.natural(value, "runs");
    for (const JsonValue& count : fields_.list(value, "tested")) {
      const auto number = schema::read_integer({0, INT64_MAX}, count, fields_.decoding());
      runs.tested.push_back(static_cast<std::uint64_t>(number.value_or(0)));
    }
  }

  void read_schedules(const JsonValue& value, Distinct& schedules) {
    if (at(value, "schedules").kind == JsonValue::Kind::null) {
      schedules = Distinct::too_many();
      return;
    }
    const std::optional<Bytes> bytes = from_base64url(fields_.text(value, "schedules"));
    if (!bytes) return fields_.error(value, "schedules", "expected base64url");
    ByteReader reader(*bytes, bytes->size());
    std::uint64_t digest = 0;
    while (!reader.at_end() && !reader.failed()) {
      digest += reader.varint();
      schedules.add(digest);
    }
    schedules.settle();
    if (reader.failed()) fields_.error(value, "schedules", "expected varints");
  }

  template <class Enum, class Counts>
  void counts(const JsonValue& object, std::string_view list, std::string_view key,
              Counts& counts) {
    const std::array<std::string_view, 2> keys = {key, "runs"};
    for (const JsonValue& entry : fields_.list(object, list)) {
      if (!has(entry, keys)) return;
      const auto which = named<Enum>(fields_.text(entry, key));
      if (!which) return fields_.error(entry, key, "there is none of this name");
      counts[static_cast<std::size_t>(*which)] = fields_.natural(entry, "runs");
    }
  }

  JsonFields fields_;
};

/// Whether a shard says of itself what it must. Its layout is found by the comparison with the text
/// written anew.
bool makes_sense(const CheckShard& shard) {
  const Shard& s = shard.shard;
  if (s.number < 1 || s.number > s.of || s.of > kShardsMost || shard.searches.empty()) return false;
  return std::all_of(shard.searches.begin(), shard.searches.end(), [](const SavedSearch& search) {
    if (search.seeds.first > search.seeds.last) return false;
    return std::all_of(search.coverage.struck.begin(), search.coverage.struck.end(),
                       [&search](const auto& struck) {
                         return struck.second.tested.size() == search.tallies.size();
                       });
  });
}

CheckShardResult refuse(std::string why) {
  return {std::nullopt, std::move(why)};
}

}  // namespace

CheckShardResult parse_check_shard(std::string_view text) {
  const JsonResult json = read_json(text, kCheckShardLimits);
  if (!json.root || json.root->kind != JsonValue::Kind::object)
    return refuse("this is no shard of a check");
  if (!check_sum_holds(text, *json.root)) {
    return refuse("the shard was changed since it was written: its check sum is of other bytes");
  }
  const SourceText origin{"shard", text};
  schema::Decoding d(origin);
  CheckShard shard = Reader(d).read(*json.root);
  if (!d.ok() || !makes_sense(shard)) return refuse("this is no shard that this version can read");
  if (check_shard_text(shard) != text) return refuse("the shard contradicts itself");
  return {std::move(shard), ""};
}

}  // namespace locklab
