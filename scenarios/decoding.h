// Decoding: what the readers of one scenario share: errors, and the place of every key.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/diagnostic.h"
#include "scenarios/json_reader.h"

namespace locklab::schema {

/// Where each value came from, by its path: "clients.0.ttl"; "" is the whole text.
using Places = std::map<std::string, Place, std::less<>>;

class Decoding {
 public:
  static constexpr std::size_t kMostErrors = 20;

  /// The source must outlive the decoding.
  explicit Decoding(const SourceText& source) { read_from(source); }

  /// From now on values come from this source.
  void read_from(const SourceText& source) {
    source_ = &source;
    places_.emplace("", Place{source_, 0, 0});
  }

  void error(const Place& place, std::string message, std::string hint = {});
  void error(const JsonValue& value, std::string message, std::string hint = {}) {
    error(place_of(value.offset, value.length), std::move(message), std::move(hint));
  }
  /// At the value with this path, or at the nearest object around it.
  void error_at(std::string_view path, std::string message, std::string hint = {});

  Place place_of(std::size_t offset, std::size_t length) const { return {source_, offset, length}; }
  /// The text has a value with this path.
  bool has(std::string_view path) const { return places_.find(path) != places_.end(); }

  /// Within its life, the path is one key longer.
  class Step {
   public:
    Step(Decoding& decoding, std::string_view key, const JsonValue& value);
    ~Step() { decoding_.path_.resize(before_); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Decoding& decoding_;
    std::size_t before_;
  };

  bool ok() const { return errors_.empty(); }
  /// In the order of the text; at most kMostErrors.
  std::vector<Diagnostic> take_errors();

 private:
  const SourceText* source_ = nullptr;
  std::string path_;
  Places places_;
  std::vector<Diagnostic> errors_;
};

}  // namespace locklab::schema
