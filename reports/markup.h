// Markup: well-formed HTML, SVG and XML; whatever is text or a value is escaped on its way in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace locklab {

/// Shown as reports/text.h shows it on a terminal, then safe in texts and in quoted values, of HTML
/// and of XML 1.0.
std::string markup_escaped(std::string_view text);

struct Attribute {
  Attribute(std::string_view n, std::string_view v) : name(n), value(v) {}
  Attribute(std::string_view n, const std::string& v) : name(n), value(v) {}
  Attribute(std::string_view n, const char* v) : name(n), value(v) {}
  Attribute(std::string_view n, std::integral auto v) : name(n), value(std::to_string(v)) {}

  std::string_view name;
  std::string value;
};
using Attributes = std::initializer_list<Attribute>;

class Markup {
 public:
  Markup& open(std::string_view tag, Attributes attributes = {});
  /// The tag that was opened last.
  Markup& close();
  Markup& text(std::string_view text);
  /// A tag with a text and nothing else.
  Markup& element(std::string_view tag, std::string_view text, Attributes attributes = {});
  /// A tag without contents: of HTML only what has none (meta), of SVG and XML any.
  Markup& leaf(std::string_view tag, Attributes attributes = {});
  /// Only for what this program itself says: style sheets, a document's first line, finished
  /// markup.
  Markup& trusted(std::string_view markup);
  Markup& newline() { return trusted("\n"); }

  bool finished() const { return open_.empty(); }
  const std::string& str() const { return out_; }

 private:
  void begin(std::string_view tag, Attributes attributes);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace locklab
