// serializable-effects: what the resource accepted could have come from holders one at a time.
// SPDX-License-Identifier: Apache-2.0
//
// Any order of the holds will do, not only that of the grants. This is what harm means.
#include <algorithm>

#include "properties/conflict_graph.h"
#include "properties/describe.h"
#include "properties/property.h"

namespace locklab {
namespace {

std::uint32_t object_of(const Record& record) {
  return static_cast<std::uint32_t>(record.arg >> 8);
}

bool is_append(const Record& record) {
  return static_cast<ResourceOp>(record.arg & 0xff) == ResourceOp::append;
}

/// Who appended to an object last, and who has read it since; 0: nobody.
struct LastUse {
  std::uint32_t writer = 0;
  std::uint32_t reader = 0;
  bool several_readers = false;

  bool conflicts(const Record& record) const {
    if (writer != 0 && writer != record.hold) return true;
    return is_append(record) && (several_readers || (reader != 0 && reader != record.hold));
  }
  void take(const Record& record) {
    if (is_append(record)) {
      *this = {record.hold, 0, false};
      return;
    }
    several_readers = several_readers || (reader != 0 && reader != record.hold);
    reader = record.hold;
  }
};

/// How many operations conflict with another hold's before them.
std::uint32_t count_conflicts(const History& history, const Lanes& lanes) {
  LastUse uses[Lanes::kObjects];
  std::uint32_t count = 0;
  for (const Effect& effect : lanes.effects()) {
    const Record& record = history.at(effect.seq);
    LastUse& last = uses[object_of(record)];
    if (last.conflicts(record)) ++count;
    last.take(record);
  }
  return count;
}

/// Each hold's operations stand together: serial as they are, without a look at the graph.
bool is_contiguous(const Lanes& lanes) {
  return std::all_of(lanes.holds().begin(), lanes.holds().end(), [](const HoldLane& hold) {
    return hold.effect_count == 0 || hold.last_effect - hold.first_effect + 1 == hold.effect_count;
  });
}

std::vector<Access> accesses_of(const History& history, const Lanes& lanes) {
  std::vector<Access> accesses;
  accesses.reserve(lanes.effects().size());
  for (const Effect& effect : lanes.effects()) {
    const Record& record = history.at(effect.seq);
    accesses.push_back({effect.lane, object_of(record), is_append(record)});
  }
  return accesses;
}

/// A cycle in words: its records in order of time, and what it is called.
class Cycle {
 public:
  Cycle(const History& history, const Lanes& lanes, std::span<const Conflict> edges)
      : history_(history), lanes_(lanes), edges_(edges) {}

  Finding describe() const {
    Finding finding;
    finding.verdict = Verdict::violated;
    if (edges_.size() == 2) {
      const Lost lost = find_lost_update();
      if (lost.append != nullptr) return describe_lost_update(lost);
    }
    for (const Conflict& edge : edges_) {
      finding.witness.push_back(lanes_.effects()[edge.from].seq);
      finding.witness.push_back(lanes_.effects()[edge.to].seq);
    }
    std::sort(finding.witness.begin(), finding.witness.end());
    finding.witness.erase(std::unique(finding.witness.begin(), finding.witness.end()),
                          finding.witness.end());
    const std::string when = ", from " + to_string(history_.at(finding.witness.front()).at()) +
                             " to " + to_string(history_.at(finding.witness.back()).at());
    finding.why = edges_.size() == 2
                      ? "the accepted operations of " + names() + " interleave" + when +
                            ": neither can have come first"
                      : "the accepted operations of " + names() + " fit no serial order" + when;
    return finding;
  }

 private:
  /// read(x) by one hold, append(x) by another, append(x) by the first.
  struct Lost {
    const Record* read = nullptr;
    const Record* append = nullptr;
    const Record* overwriting = nullptr;
  };

  const Record& record_at(std::uint32_t position) const {
    return history_.at(lanes_.effects()[position].seq);
  }

  Lost find_lost_update() const {
    const std::uint32_t closing = edges_.back().to;
    const Record& last = record_at(closing);
    if (!is_append(last)) return {};
    const std::uint32_t other = lanes_.effects()[edges_.back().from].lane;
    Lost lost;
    for (std::uint32_t i = 0; i < closing; ++i) {
      const Record& record = record_at(i);
      if (object_of(record) != object_of(last)) continue;
      if (record.hold == last.hold) {
        if (!is_append(record)) lost = {&record, nullptr, &last};
      } else if (lanes_.effects()[i].lane == other && is_append(record) && lost.read != nullptr) {
        lost.append = &record;
      }
    }
    return lost;
  }

  Finding describe_lost_update(const Lost& lost) const {
    const NamePair names = names_of(history_, *lanes_.find(lost.overwriting->hold_id()),
                                    *lanes_.find(lost.append->hold_id()));
    Finding finding;
    finding.verdict = Verdict::violated;
    finding.why = "lost update: " + names.first + " read object " +
                  std::to_string(object_of(*lost.read)) + " at " + to_string(lost.read->at()) +
                  ", " + names.second + " appended at " + to_string(lost.append->at()) + ", and " +
                  names.first + " appended at " + to_string(lost.overwriting->at()) +
                  " without having seen it";
    finding.witness = witness_of_seqs({lost.read->seq, lost.append->seq, lost.overwriting->seq});
    return finding;
  }

  std::string names() const {
    if (edges_.size() == 2) {
      const NamePair pair = names_of(history_, holder(0), holder(1));
      return pair.first + " and " + pair.second;
    }
    std::string all;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (i > 0) all += i + 1 == edges_.size() ? " and " : ", ";
      all += process_of(history_, holder(i)) + " (hold " + std::to_string(holder(i).hold.number()) +
             ")";
    }
    return all;
  }

  const HoldLane& holder(std::size_t edge) const {
    return lanes_.holds()[lanes_.effects()[edges_[edge].from].lane];
  }

  const History& history_;
  const Lanes& lanes_;
  std::span<const Conflict> edges_;
};

Finding check(const History& history, const Lanes& lanes) {
  Finding finding;
  if (!is_contiguous(lanes)) {
    const std::vector<Conflict> cycle = first_cycle(accesses_of(history, lanes));
    if (!cycle.empty()) finding = Cycle(history, lanes, cycle).describe();
  }
  finding.exercised = count_conflicts(history, lanes);
  return finding;
}

}  // namespace

Property serializable_effects() {
  return {"serializable-effects",
          "The operations that the resource accepted, taken as one transaction per hold, are "
          "conflict-serializable in some order of the holds.",
          Severity::harm, check};
}

}  // namespace locklab
