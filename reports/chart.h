// Chart: one execution as lanes of bars, signs and lines over true time, before it has a size.
// SPDX-License-Identifier: Apache-2.0
//
// Lanes stand from cause to effect: faults, what each client does and claims, what each server
// stores, its state, replication, clocks, the resource. reports/svg_chart.h draws them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/lines.h"
#include "reports/run_view.h"

namespace locklab {

/// How a bar looks. Overlays let what is below show through.
enum class Fill : std::uint8_t {
  inside,   // A program in the section; solid in its client's colour.
  claims,   // By its own rule it holds.
  owner,    // A key on an authority.
  copy,     // A key on a replica.
  primary,  // A server that answers.
  replica,
  fault,  // In force.
  probe,
  drift,    // Of clocks, by an amount that the history does not say.
  stopped,  // Overlay: paused or stalled.
  dead,     // Overlay.
  clash,    // Overlay: two at once.
  count
};

enum class Sign : std::uint8_t {
  strike,   // A fault that does not last.
  ended,    // Killed.
  began,    // Started again.
  up,       // Becomes the primary.
  down,     // Becomes a replica.
  read,     // Accepted.
  append,   // Accepted.
  stale,    // Accepted, though a newer fence was seen.
  refused,  // By the resource.
  expired,  // A key.
  good,
  bad,
  note,  // Only its label.
  count
};

/// Whose: clients are numbered from 0 in the order in which they were made.
constexpr std::uint16_t kNobody = UINT16_MAX;

struct Bar {
  Instant begin;
  Instant end;  // The end of the run where it never ends.
  Fill fill = Fill::owner;
  std::uint16_t whose = kNobody;
  bool open = false;  // Not over when the run ends.
  std::string label;  // Drawn where there is room,
  std::string brief;  // or else this.
  std::string title;  // A sentence, for who points at it or listens.
};

struct Spot {
  Instant at;
  Sign sign = Sign::note;
  std::uint16_t whose = kNobody;
  std::string label;
  std::string brief;
  std::string title;
};

/// A value over time, drawn as a polyline.
struct Vertex {
  Instant at;
  std::int64_t value = 0;
};

struct ChartRow {
  std::string group;  // "client-1": rows of one group stand together.
  std::string name;   // "claims"
  std::string title;  // What the row shows.
  std::vector<Bar> bars;
  std::vector<Spot> spots;
  std::vector<Instant> ticks;  // Small events that only their number matters of.
  std::vector<Vertex> line;
};

/// A request that was long under way, from the row of its sender to where it was decided.
struct Flight {
  std::size_t from = 0;
  std::size_t to = 0;
  Instant sent;
  Instant arrived;
  std::string title;
};

/// Where the witness of the headline finding lies.
struct Band {
  Instant begin;
  Instant end;
  std::string property;
};

/// A numbered sentence of the story.
struct Step {
  Instant at;
  std::size_t number = 0;
  std::string title;
  bool fault = false;
  bool marked = false;
};

struct Chart {
  std::vector<ChartRow> rows;
  std::vector<Flight> flights;
  std::optional<Band> band;
  std::vector<Step> steps;
  Instant begin;
  Instant end;
  std::size_t drawn = 0;     // Bars, signs, ticks, vertices and flights.
  std::size_t left_out = 0;  // For `most`; they lie before `begin` or after `end`.
};

/// `lines`: the story's. At most `most` things are drawn: those up to the end of the witness, or
/// the first ones if nothing is violated.
Chart chart_of(const RunView& run, const std::vector<Line>& lines, std::size_t most);

}  // namespace locklab
