// Recount: one level of sets makes the next.
// SPDX-License-Identifier: Apache-2.0
#include "search/recount.h"

#include <algorithm>
#include <utility>

#include "search/token.h"
#include "sim/mix.h"
#include "sim/sources.h"

namespace locklab {
namespace {

using Set = std::vector<Deviation>;  // In the order in which they are met.

/// Of a set, whatever its order, but for accidents of 2^-128: the sets themselves are too many.
using Fingerprint = std::pair<std::uint64_t, std::uint64_t>;
Fingerprint fingerprint_of(const Set& set) {
  Fingerprint print{0x7365, 0x7473};
  for (const Deviation& d : normalised(set)) {
    print.first = mix(mix(print.first, d.address.span), mix(d.address.place, d.value));
    print.second = mix(mix(print.second, d.value), mix(d.address.span, d.address.place));
  }
  return print;
}

/// Repeats a set by address, as a token is replayed, and notes what may follow its last deviation.
class Recounting : public ChoiceSource {
 public:
  Recounting(const Bound& bound, std::uint32_t clients) : bound_(bound), clients_(clients) {}

  void aim(const Set& set, std::uint64_t cell, bool lists) {
    set_ = set;
    cell_ = cell;
    lists_ = lists;
    replay_.load(set);
  }
  const std::vector<Deviation>& followers() const { return followers_; }

  void begin() override {
    replay_.begin();
    followers_.clear();
    first_client_.reset();
    last_met_ = set_.empty();
  }

  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness witness) override {
    if (is_free_dimension(address.kind())) return free_value(address, bound);
    const std::uint64_t value = replay_.draw(address, bound, witness);
    if (value == 0) {
      for (std::uint64_t v = 1; v < bound; ++v)
        if (is_tried(v, bound - 1)) note({address, v, witness}, false);
    }
    meet(address);
    return value;
  }

  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override {
    const std::uint64_t value = replay_.draw_fault(address, menu);
    if (value == 0 && may_follow(true)) note_faults(address, menu);
    meet(address);
    return value;
  }

 private:
  void meet(const Address& address) {
    if (!set_.empty() && address == set_.back().address) last_met_ = true;
  }

  bool may_follow(bool fault) const {
    if (!lists_ || !last_met_ || set_.size() == bound_.deviations) return false;
    std::uint32_t same = 0;
    for (const Deviation& d : set_)
      same += (d.address.kind() == ChoiceKind::fault_at_label) == fault;
    return same < (fault ? bound_.faults : bound_.orders);
  }
  void note(const Deviation& deviation, bool fault) {
    if (may_follow(fault)) followers_.push_back(deviation);
  }

  /// v is ceil(greatest · i / steps) for some i: the evenly spaced ones.
  bool is_tried(std::uint64_t v, std::uint64_t greatest) const {
    if (greatest <= bound_.steps) return true;
    const std::uint64_t i = v * bound_.steps / greatest;
    return i > 0 && (greatest * i + bound_.steps - 1) / bound_.steps == v;
  }

  /// Digits from the right: start of the first client, of the second, …, poll, work.
  std::uint64_t free_value(const Address& address, std::uint64_t bound) {
    if (!first_client_) first_client_ = address.actor().value;
    const std::uint32_t client = address.actor().value - *first_client_;
    if (client >= clients_) return 0;
    const PhasePoints& points = bound_.phases;
    std::uint64_t rest = cell_;
    if (address.kind() == ChoiceKind::start_phase) {
      for (std::uint32_t i = 0; i < client; ++i)
        rest /= points.start;
      return rest % points.start * bound / points.start;
    }
    for (std::uint32_t i = 0; i < clients_; ++i)
      rest /= points.start;
    if (address.kind() == ChoiceKind::poll_phase) return rest % points.poll * bound / points.poll;
    return rest / points.poll * bound / points.work;
  }

  /// An odometer over all fields; what repeats another value is passed over.
  void note_faults(const Address& address, const FaultMenu& menu) {
    std::vector<Bucket> lengths;
    for (std::uint16_t c = 0; c < Bucket::constant_count; ++c)
      lengths.push_back(Bucket{c});
    for (const PendingDeadline& d : menu.deadlines()) {
      if (d.ordinal > 0xf) continue;
      lengths.push_back(Bucket::at(d.kind, d.owner, d.ordinal, Bucket::Side::before));
      lengths.push_back(Bucket::at(d.kind, d.owner, d.ordinal, Bucket::Side::after));
    }
    for (unsigned k = 1; k < static_cast<unsigned>(FaultKind::count); ++k) {
      FaultValue value;
      value.kind = static_cast<FaultKind>(k);
      if (!menu.allowed().has(value.kind)) continue;
      const unsigned victims = menu.target_count(value.kind);
      const unsigned seconds = menu.second_count(value.kind);
      for (unsigned i = 0; i < victims * seconds; ++i) {
        value.target = static_cast<std::uint8_t>(i / seconds);
        value.second = static_cast<std::uint16_t>(i % seconds);
        const bool natural = value.target == 0;
        if (victims > 1 && natural == bound_.every_target) continue;
        const std::size_t count = has_length(value) ? lengths.size() : 1;
        for (std::size_t j = 0; j < count; ++j) {
          value.length = lengths[j];
          followers_.push_back({address, value.pack(), menu.witness_of_value(value.pack())});
        }
      }
    }
  }

  static bool has_length(const FaultValue& value) {
    constexpr FaultKinds kWithout = FaultKinds{}
                                        .with(FaultKind::lost_reply)
                                        .with(FaultKind::reset)
                                        .with(FaultKind::cancel)
                                        .with(FaultKind::panic)
                                        .with(FaultKind::failover)
                                        .with(FaultKind::evict)
                                        .with(FaultKind::flush)
                                        .with(FaultKind::slew);
    if (value.kind == FaultKind::kill) return value.second == 1;
    if (value.kind == FaultKind::host_loss) return value.second == 0;
    if (value.kind == FaultKind::node_kill) return (value.second & 1U) == 0;
    return !kWithout.has(value.kind);
  }

  Bound bound_;
  std::uint32_t clients_;
  Set set_;
  std::uint64_t cell_ = 0;
  bool lists_ = false;
  bool last_met_ = false;
  ReplaySource replay_;
  std::vector<Deviation> followers_;
  std::optional<std::uint16_t> first_client_;
};

class Recounter {
 public:
  Recounter(const Scenario& scenario, const Bound& bound, const CertifyHooks& hooks,
            const Laboratory& laboratory)
      : scenario_(scenario),
        bound_(bound),
        hooks_(hooks),
        runner_(laboratory.find, laboratory.scripts),
        judge_(judged_properties(scenario, laboratory)),
        source_(bound, scenario.client_count()) {
    result_.levels.resize(std::size_t{deepest_level(bound)} + 1);
    for (const Property& property : judge_.properties()) {
      result_.properties.push_back({std::string(property.name),
                                    expected_of(scenario.expect, property.name),
                                    std::vector<std::uint64_t>(result_.levels.size()), 0, 0});
    }
  }

  Recount whole() {
    const PhasePoints& phases = bound_.phases;
    std::uint64_t cells = std::uint64_t{phases.poll} * phases.work;
    for (std::uint32_t i = 0; i < scenario_.client_count(); ++i)
      cells *= phases.start;
    for (std::uint64_t cell = 0; cell < cells && !result_.cancelled; ++cell)
      count_cell(cell);
    return std::move(result_);
  }

 private:
  void count_cell(std::uint64_t cell) {
    std::vector<Set> sets = {{}};
    std::vector<Fingerprint> met;
    const std::size_t levels = result_.levels.size();
    for (std::size_t level = 0; level < std::max<std::size_t>(levels - 1, 1); ++level) {
      std::vector<Set> next;
      for (const Set& set : sets) {
        met.push_back(fingerprint_of(set));
        run(set, cell, level, next);
        if (level + 2 == levels) {
          // The last level is the widest by far: its sets are run at once and not kept.
          for (const Set& leaf : std::exchange(next, {})) {
            met.push_back(fingerprint_of(leaf));
            run(leaf, cell, level + 1, next);
          }
        }
        if (result_.cancelled) return;
      }
      sets = std::move(next);
    }
    std::sort(met.begin(), met.end());
    if (std::adjacent_find(met.begin(), met.end()) != met.end()) result_.twice = true;
  }

  void run(const Set& set, std::uint64_t cell, std::size_t level, std::vector<Set>& next) {
    if (result_.cancelled) return;
    source_.aim(set, cell, level + 1 < result_.levels.size());
    const Execution& execution = runner_.run(scenario_, source_);
    result_.cancelled = hooks_.cancelled && hooks_.cancelled();
    if (execution.deviation_count() != set.size()) {
      ++result_.levels[level].impossible;
      return;
    }
    ++result_.levels[level].schedules;
    result_.levels[level].sum.add(execution);
    const std::span<const NamedFinding> findings = judge_.judge(*execution.history);
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const Verdict verdict = findings[i].finding.verdict;
      PropertyCount& property = result_.properties[i];
      if (verdict == Verdict::violated) ++property.violated[level];
      if (verdict == Verdict::unknown) ++property.unknown;
      if (findings[i].finding.exercised > 0) ++property.exercised;
    }
    for (const Deviation& follower : source_.followers()) {
      next.push_back(set);
      next.back().push_back(follower);
    }
    if (hooks_.progress) hooks_.progress({++runs_, 0});
  }

  const Scenario& scenario_;
  const Bound bound_;
  const CertifyHooks& hooks_;
  Runner runner_;
  Judge judge_;
  Recounting source_;
  Recount result_;
  std::uint64_t runs_ = 0;
};

std::string differing(const std::string& what, std::uint64_t said, std::uint64_t found) {
  if (said == found) return "";
  return "it says " + std::to_string(said) + " " + what + ", and there are " +
         std::to_string(found);
}

}  // namespace

Recount recount(const Scenario& scenario, const Bound& bound, const CertifyHooks& hooks,
                const Laboratory& laboratory) {
  return Recounter(scenario, bound, hooks, laboratory).whole();
}

std::string difference(const Certificate& certificate, const Recount& recount) {
  if (recount.twice) return "a set of deviations was met twice";
  if (certificate.levels.size() != recount.levels.size()) return "it has another number of levels";
  for (std::size_t level = 0; level < recount.levels.size(); ++level) {
    const LevelCount& said = certificate.levels[level];
    const LevelCount& found = recount.levels[level];
    const std::string with = " with " + std::to_string(level) + " deviations";
    std::string text = differing("schedules" + with, said.schedules, found.schedules);
    if (text.empty()) {
      text = differing("impossible sets" + with, said.impossible, found.impossible);
    }
    if (!text.empty()) return text;
    if (!(said.sum == found.sum)) return "the schedules" + with + " are others";
  }
  if (certificate.properties.size() != recount.properties.size())
    return "it judges other properties";
  for (std::size_t i = 0; i < recount.properties.size(); ++i) {
    if (certificate.properties[i] == recount.properties[i]) continue;
    return "it says something else of " + recount.properties[i].name;
  }
  return "";
}

}  // namespace locklab
