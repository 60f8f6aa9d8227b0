// SVG look: tables of classes, fallback colours and meanings.
// SPDX-License-Identifier: Apache-2.0
#include "reports/svg_look.h"

#include <algorithm>
#include <array>
#include <string>

namespace locklab {
namespace {

// Six hues that differ in lightness and for red-green blind readers (Okabe and Ito 2008, "Color
// Universal Design", darkened to 4.5:1 with white). Nothing is told by them alone.
constexpr std::array<std::string_view, 6> kHues = {"#0b62c4", "#a84300", "#00694a",
                                                   "#8a3d8f", "#665c00", "#3f4a5a"};
constexpr std::string_view kGrey = "#6b7480";
constexpr std::string_view kRed = "#b3151f";
constexpr std::string_view kAmber = "#8a5a00";

struct BarLook {
  Fill fill;
  std::string_view name;     // Of its class.
  std::string_view color;    // Empty: its client's.
  std::string_view inner;    // Instead of the colour, "none" or a hatch.
  std::string_view opacity;  // Of the inner.
  std::string_view dashes;   // Of the border.
  std::string_view meaning;
};
// In the order of the enumeration.
constexpr std::array<BarLook, static_cast<std::size_t>(Fill::count)> kBars = {{
    {Fill::inside, "in", "", "", "1", "", "inside: the program is in the section"},
    {Fill::claims, "cl", "", "", ".16", "", "claims: by its own rule it holds"},
    {Fill::owner, "ow", "", "", ".4", "", "a key on a server that may grant"},
    {Fill::copy, "cp", "", "none", "1", "3 2", "the same on a replica"},
    {Fill::primary, "pr", kGrey, "", ".3", "", "primary"},
    {Fill::replica, "re", kGrey, "none", "1", "3 2", "replica"},
    {Fill::fault, "fa", kAmber, "", ".25", "", "a fault in force"},
    {Fill::probe, "pb", kGrey, "none", "1", "1 3", "faults have stopped, a probe asks"},
    {Fill::drift, "dr", kAmber, "url(#hatch-drift)", "1", "", "clocks run at another rate"},
    {Fill::stopped, "st", kGrey, "url(#hatch-stopped)", "1", "", "stopped: paused or stalled"},
    {Fill::dead, "de", kGrey, "url(#hatch-dead)", "1", "", "dead"},
    {Fill::clash, "cx", kRed, "url(#hatch-clash)", "1", "", "two at once"},
}};

struct SignLook {
  Sign sign;
  std::string_view name;   // Of its class, and of its shape behind "sign-".
  std::string_view color;  // Empty: its client's.
  std::string_view path;
  bool solid;
  std::string_view meaning;
};
constexpr std::array<SignLook, static_cast<std::size_t>(Sign::count)> kSigns = {{
    {Sign::strike, "strike", kAmber, "M2-8L-5 1.5H-.5L-2 8L5-1.5H.5z", true,
     "a fault that strikes once"},
    {Sign::ended, "ended", kRed, "M-5-5L5 5M5-5L-5 5", false, "dies"},
    {Sign::began, "began", kGrey, "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0M-2 0H2M0-2V2", false,
     "starts again"},
    {Sign::up, "up", kGrey, "M0-6L6 5H-6z", true, "becomes the primary"},
    {Sign::down, "down", kGrey, "M0 6L6-5H-6z", true, "becomes a replica"},
    {Sign::read, "read", "", "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0", false, "an accepted read"},
    {Sign::append, "append", "", "M0-6L6 0L0 6L-6 0z", true, "an accepted append"},
    {Sign::stale, "stale", "", "M0-4L4 0L0 4L-4 0zM0-8L8 0L0 8L-8 0z", false,
     "accepted, though a newer fence was seen"},
    {Sign::refused, "refused", kRed, "M-6 0A6 6 0 1 0 6 0A6 6 0 1 0-6 0M-4.2-4.2L4.2 4.2", false,
     "refused by the resource"},
    {Sign::expired, "expired", kGrey, "M-4-6H4L-4 6H4z", false, "the key expires"},
    {Sign::good, "good", "#00694a", "M-5 0L-1.5 4L6-5", false, "acquired"},
    {Sign::bad, "bad", kRed, "M-5-5L5 5M5-5L-5 5", false,
     "blocked, told of a loss, or a key lost to another"},
    {Sign::note, "note", kGrey, "", true, ""},
}};

const BarLook& look_of(Fill fill) {
  return kBars[static_cast<std::size_t>(fill)];
}
const SignLook& look_of(Sign sign) {
  return kSigns[static_cast<std::size_t>(sign)];
}

std::string_view color_of(std::string_view own, std::uint16_t whose) {
  if (!own.empty()) return own;
  return whose == kNobody ? kGrey : kHues[whose % kHues.size()];
}

std::string class_of(std::string_view name, std::string_view own, std::uint16_t whose) {
  std::string out(name);
  if (!own.empty()) return out;
  return out + (whose == kNobody ? " hx" : " h" + std::to_string(whose % kHues.size()));
}

constexpr std::array<std::string_view, static_cast<std::size_t>(Sign::count)> kShapes = {
    "#sign-strike",
    "#sign-ended",
    "#sign-began",
    "#sign-up",
    "#sign-down",
    "#sign-read",
    "#sign-append",
    "#sign-stale",
    "#sign-refused",
    "#sign-expired",
    "#sign-good",
    "#sign-bad",
    ""};

struct Hatch {
  std::string_view id;
  std::string_view color;
  std::string_view path;
  bool under;  // A light line below the dark one, to be seen on solid bars too.
  int size;
};
constexpr std::array<Hatch, 4> kHatches = {{
    {"hatch-stopped", "#1b2430", "M-1 1L1-1M0 6L6 0M5 7L7 5", false, 6},
    {"hatch-dead", "#1b2430", "M0 0L10 10M10 0L0 10", false, 10},
    {"hatch-clash", kRed, "M-1 5L1 7M0 0L6 6M5-1L7 1", true, 6},
    {"hatch-drift", kAmber, "M0 3Q2 0 4 3T8 3", false, 8},
}};

void swatch(Markup& out, std::string_view meaning, const std::vector<Fill>& fills, Sign sign) {
  out.open("li").open("svg", {{"width", 28}, {"height", 16}, {"aria-hidden", "true"}});
  for (const Fill fill : fills) {
    open_look(out, fill, 0);
    out.leaf("rect", {{"x", 1}, {"y", 1}, {"width", 26}, {"height", 14}}).close();
  }
  if (sign != Sign::note) {
    open_look(out, sign, 0);
    out.leaf("use", {{"href", shape_of(sign)}, {"x", 14}, {"y", 8}}).close();
  }
  out.close().text(" ").element("span", meaning).close();
}

}  // namespace

bool is_overlay(Fill fill) {
  return fill >= Fill::stopped;
}

std::string_view shape_of(Sign sign) {
  return kShapes[static_cast<std::size_t>(sign)];
}

void open_look(Markup& out, Fill fill, std::uint16_t whose) {
  const BarLook& look = look_of(fill);
  const std::string_view color = color_of(look.color, whose);
  const std::string_view inner = look.inner.empty() ? color : look.inner;
  const std::string name = class_of(look.name, look.color, whose);
  if (look.dashes.empty()) {
    out.open("g",
             {{"class", name}, {"fill", inner}, {"fill-opacity", look.opacity}, {"stroke", color}});
  } else {
    out.open("g", {{"class", name},
                   {"fill", inner},
                   {"fill-opacity", look.opacity},
                   {"stroke", color},
                   {"stroke-dasharray", look.dashes}});
  }
}

void open_look(Markup& out, Sign sign, std::uint16_t whose) {
  const SignLook& look = look_of(sign);
  const std::string_view color = color_of(look.color, whose);
  const std::string name =
      class_of(look.solid ? "solid" : "hollow", look.color, whose) + " " + std::string(look.name);
  out.open("g", {{"class", name},
                 {"fill", look.solid ? color : "none"},
                 {"stroke", color},
                 {"stroke-width", look.solid ? 1 : 2}});
}

void define_looks(Markup& out) {
  out.open("defs");
  for (const Hatch& hatch : kHatches) {
    out.open("pattern", {{"id", hatch.id},
                         {"width", hatch.size},
                         {"height", hatch.size},
                         {"patternUnits", "userSpaceOnUse"}});
    if (hatch.under) {
      out.leaf("path",
               {{"class", "under"}, {"d", hatch.path}, {"stroke", "#fff"}, {"stroke-width", "3"}});
    }
    out.leaf("path", {{"class", hatch.id},
                      {"d", hatch.path},
                      {"fill", "none"},
                      {"stroke", hatch.color},
                      {"stroke-width", "1.5"}})
        .close();
  }
  for (const SignLook& look : kSigns) {
    if (look.path.empty()) continue;
    out.leaf("path", {{"id", shape_of(look.sign).substr(1)}, {"d", look.path}});
  }
  out.open("marker", {{"id", "arrow"},
                      {"viewBox", "0 0 8 8"},
                      {"refX", 7},
                      {"refY", 4},
                      {"markerWidth", 7},
                      {"markerHeight", 7},
                      {"orient", "auto"}})
      .leaf("path", {{"class", "head"}, {"d", "M0 0L8 4L0 8z"}})
      .close()
      .close()
      .newline();
}

void draw_legend(Markup& out, const Chart& chart) {
  std::array<bool, kBars.size()> bars = {};
  std::array<bool, kSigns.size()> signs = {};
  bool ticks = false;
  for (const ChartRow& row : chart.rows) {
    for (const Bar& bar : row.bars)
      bars[static_cast<std::size_t>(bar.fill)] = true;
    for (const Spot& spot : row.spots)
      signs[static_cast<std::size_t>(spot.sign)] = true;
    ticks = ticks || !row.ticks.empty();
  }
  out.open("ul", {{"class", "legend"}});
  for (const BarLook& look : kBars) {
    if (!bars[static_cast<std::size_t>(look.fill)]) continue;
    // An overlay is shown over what it is mostly seen on.
    std::vector<Fill> fills = {look.fill};
    if (is_overlay(look.fill) && look.fill != Fill::dead) fills.insert(fills.begin(), Fill::claims);
    swatch(out, look.meaning, fills, Sign::note);
  }
  for (const SignLook& look : kSigns) {
    if (!signs[static_cast<std::size_t>(look.sign)] || look.meaning.empty()) continue;
    swatch(out, look.meaning, {}, look.sign);
  }
  if (ticks) {
    out.open("li").open("svg", {{"width", 28}, {"height", 16}, {"aria-hidden", "true"}});
    out.leaf("path", {{"class", "tick"}, {"d", "M8 16v-5M14 16v-5M20 16v-5"}, {"stroke", kGrey}});
    out.close()
        .text(" ")
        .element("span", "at a client: refused; at a key: its expiry moves")
        .close();
  }
  if (!chart.flights.empty()) {
    out.open("li").open("svg", {{"width", 28}, {"height", 16}, {"aria-hidden", "true"}});
    out.leaf("path", {{"class", "flight"},
                      {"d", "M1 3L26 13"},
                      {"stroke", kGrey},
                      {"fill", "none"},
                      {"stroke-dasharray", "5 3"},
                      {"marker-end", "url(#arrow)"}});
    out.close().text(" ").element("span", "a request that was long under way").close();
  }
  out.close().newline();
}

}  // namespace locklab
