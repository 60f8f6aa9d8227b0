// Chart of the clocks: how far each wall clock that is not right is off.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "reports/chart_rows.h"
#include "reports/words.h"

namespace locklab {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

/// One change of a host's wall clock.
struct Change {
  Instant at;
  Duration jump;
  std::int64_t slope_ppb = 0;  // Added to the slope from here on.
  int stops = 0;               // Freezes that begin, less those that end.
};

std::string signed_text(Duration offset) {
  return offset < Duration() ? "-" + length_of(-offset) : "+" + length_of(offset);
}

class WallClock {
 public:
  WallClock(const RunView& run, HostId host, const std::string& name) : run_(run), host_(host) {
    row_ = {"wall clock", name, "How far the wall clock is off the true time", {}, {}, {}, {}};
    configure();
    for (const Record& record : run.history->records()) {
      const bool mine = run.history->actors[record.actor].host == host && record.actor != 0;
      if (mine && record.kind == EventKind::fault_begin) add_fault(record);
    }
  }

  /// nullopt: it shows the true time all along.
  std::optional<ChartRow> row() {
    if (changes_.empty() && offset_ == Duration() && slope_ppb_ == 0 && row_.bars.empty())
      return std::nullopt;
    draw();
    return row_;
  }

 private:
  void configure() {
    for (const HostConfig& config : run_.scenario->world.hosts) {
      const bool mine =
          std::any_of(config.actors.begin(), config.actors.end(), [this](const std::string& actor) {
            return std::any_of(
                run_.history->actors.begin() + 1, run_.history->actors.end(),
                [&](const ActorInfo& info) { return info.name == actor && info.host == host_; });
          });
      if (!mine) continue;
      offset_ = config.wall_offset;
      slope_ppb_ = config.rate_ppb;
    }
  }

  void add_fault(const Record& begin) {
    const FaultKind kind = FaultValue::unpack(static_cast<std::uint64_t>(begin.arg)).kind;
    const Duration size = duration_from_bits(begin.local);
    const Instant until = end_of_fault(begin, kind);
    switch (kind) {
      case FaultKind::jump:
        return changes_.push_back({begin.at(), size, 0, 0});
      case FaultKind::freeze:
        changes_.push_back({begin.at(), {}, 0, 1});
        return changes_.push_back({until, {}, 0, -1});
      case FaultKind::slew:
        if (until == Instant::never() || until == begin.at()) return add_drift(begin, until);
        return add_slope(begin.at(), until, slope_of(size, until - begin.at()));
      case FaultKind::rate:
        return add_drift(begin, until);
      default:
        return;
    }
  }

  static std::int64_t slope_of(Duration size, Duration length) {
    return record_bits(scale(nanoseconds(kBillion), record_bits(size), record_bits(length)));
  }

  void add_slope(Instant from, Instant to, std::int64_t ppb) {
    changes_.push_back({from, {}, ppb, 0});
    changes_.push_back({to, {}, -ppb, 0});
  }

  /// By how much, no record says: from here on only that it drifts is drawn.
  void add_drift(const Record& begin, Instant until) {
    const bool open = until == Instant::never();
    const Instant end = open ? end_of(run_) : until;
    row_.bars.push_back(
        {begin.at(), end, Fill::drift, kNobody, open, "another rate", "drifts",
         fmt::format("both clocks run at another rate {}", span_text(begin.at(), end, open))});
    known_until_ = std::min(known_until_, begin.at());
  }

  Instant end_of_fault(const Record& begin, FaultKind kind) const {
    for (const Record& record : run_.history->records().subspan(begin.seq)) {
      const bool ends = record.kind == EventKind::fault_end && record.actor == begin.actor &&
                        static_cast<FaultKind>(record.arg) == kind;
      if (ends) return record.at();
    }
    return Instant::never();
  }

  void draw() {
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](const Change& a, const Change& b) { return a.at < b.at; });
    Instant at;
    row_.line.push_back({at, record_bits(offset_)});
    const auto move_to = [&](Instant next) {
      const Duration passed = next - at;
      offset_ = offset_ + (stops_ > 0 ? -passed : scale(passed, slope_ppb_, kBillion));
      at = next;
      row_.line.push_back({at, record_bits(offset_)});
    };
    const Instant last = std::min(known_until_, end_of(run_));
    for (const Change& change : changes_) {
      if (change.at > last) break;
      move_to(change.at);
      stops_ += change.stops;
      slope_ppb_ += change.slope_ppb;
      const bool settles = change.slope_ppb != 0 || change.stops < 0;
      if (change.jump != Duration() || settles) {
        offset_ = offset_ + change.jump;
        row_.line.push_back({at, record_bits(offset_)});
        note(at);
      }
    }
    move_to(last);
    if (row_.spots.empty()) note(Instant());
  }

  void note(Instant at) {
    if (offset_ == Duration()) return;
    const std::string text = signed_text(offset_);
    row_.spots.push_back(
        {at, Sign::note, kNobody, text, {}, fmt::format("{} at {} ms", text, milliseconds_of(at))});
  }

  const RunView& run_;
  HostId host_;
  ChartRow row_;
  std::vector<Change> changes_;
  Duration offset_;
  std::int64_t slope_ppb_ = 0;
  int stops_ = 0;
  Instant known_until_ = Instant::never();
};

}  // namespace

std::vector<ChartRow> clock_rows(const RunView& run) {
  std::vector<ChartRow> rows;
  std::vector<HostId> seen;
  const std::vector<ActorInfo>& actors = run.history->actors;
  for (std::size_t i = 1; i < actors.size(); ++i) {
    const ActorKind kind = actors[i].kind;
    const bool has_clock = kind == ActorKind::process || kind == ActorKind::node;
    if (!has_clock || std::find(seen.begin(), seen.end(), actors[i].host) != seen.end()) continue;
    seen.push_back(actors[i].host);
    std::optional<ChartRow> row = WallClock(run, actors[i].host, actors[i].name).row();
    if (row) rows.push_back(*std::move(row));
  }
  return rows;
}

}  // namespace locklab
