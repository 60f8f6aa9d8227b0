// Markup: tags are remembered until they are closed; there is one way in for foreign text.
// SPDX-License-Identifier: Apache-2.0
#include "reports/markup.h"

#include "reports/text.h"
#include "sim/contract.h"

namespace locklab {
namespace {

std::string_view entity_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string markup_escaped(std::string_view text) {
  const std::string safe = escaped(text);
  std::string out;
  out.reserve(safe.size());
  for (std::string_view rest = safe; !rest.empty();) {
    const Glyph glyph = first_glyph(rest);
    // The only ones that are left and no characters of XML 1.0 (section 2.2).
    const bool forbidden = glyph.code == 0xfffe || glyph.code == 0xffff;
    const std::string_view entity = glyph.length == 1 ? entity_of(rest.front()) : "";
    if (forbidden) {
      out += glyph.code == 0xfffe ? "\\u{fffe}" : "\\u{ffff}";
    } else {
      out += entity.empty() ? rest.substr(0, glyph.length) : entity;
    }
    rest.remove_prefix(glyph.length);
  }
  return out;
}

void Markup::begin(std::string_view tag, Attributes attributes) {
  out_ += '<';
  out_ += tag;
  for (const Attribute& attribute : attributes) {
    out_ += ' ';
    out_ += attribute.name;
    out_ += "=\"" + markup_escaped(attribute.value) + '"';
  }
}

Markup& Markup::open(std::string_view tag, Attributes attributes) {
  begin(tag, attributes);
  out_ += '>';
  open_.emplace_back(tag);
  return *this;
}

Markup& Markup::close() {
  SIM_ASSERT(!open_.empty());
  out_ += "</" + open_.back() + ">";
  open_.pop_back();
  return *this;
}

Markup& Markup::text(std::string_view text) {
  out_ += markup_escaped(text);
  return *this;
}

Markup& Markup::element(std::string_view tag, std::string_view text, Attributes attributes) {
  return open(tag, attributes).text(text).close();
}

Markup& Markup::leaf(std::string_view tag, Attributes attributes) {
  begin(tag, attributes);
  out_ += "/>";
  return *this;
}

Markup& Markup::trusted(std::string_view markup) {
  out_ += markup;
  return *this;
}

}  // namespace locklab
