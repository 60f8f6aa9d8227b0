// Logs: the lines of a file, by the format of the first one that is not blank.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/logs.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "properties/linearizability/log_builder.h"
#include "properties/linearizability/log_event.h"
#include "scenarios/suggest.h"

namespace locklab::linearizability {
namespace {

using LineReader = LineResult (*)(std::string_view);

LineReader reader_for(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r,";
  constexpr std::array<std::string_view, 5> kLevels = {"INFO", "WARN", "ERROR", "DEBUG", "TRACE"};
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (line[begin] == '{') {
    const std::size_t next = line.find_first_not_of(kBlanks, begin + 1);
    return next != std::string_view::npos && line[next] == ':' ? read_edn_line : read_json_line;
  }
  const bool is_log = std::any_of(kLevels.begin(), kLevels.end(), [&](std::string_view level) {
    return line.substr(begin).starts_with(level);
  });
  return is_log ? read_jepsen_line : nullptr;
}

/// The strictest that has all functions of the history.
Spec guessed(const History& history) {
  const auto some = [&](auto is) {
    return std::any_of(history.operations.begin(), history.operations.end(), is);
  };
  const auto uses = [&](Function function) {
    return some([&](const Operation& operation) { return operation.function == function; });
  };
  if (uses(Function::acquire) || uses(Function::release)) {
    const bool fenced = some([](const Operation& operation) { return operation.fence != 0; });
    return {fenced ? Kind::fenced_mutex : Kind::owner_aware_mutex};
  }
  if (uses(Function::enqueue) || uses(Function::dequeue)) return {Kind::queue};
  return {uses(Function::append) ? Kind::key_value : Kind::reg};
}

class Parser {
 public:
  Parser(const SourceText& source, const std::optional<Spec>& wanted, const LogLimits& limits)
      : source_(source), wanted_(wanted), limits_(limits), builder_(limits.operations) {}

  LogResult run() {
    if (source_.text.size() > limits_.bytes) {
      fail_at(0, 1, "more than " + std::to_string(limits_.bytes) + " bytes");
      return std::move(result_);
    }
    for (std::size_t begin = 0; begin < source_.text.size() && result_.errors.empty();) {
      const std::size_t end = std::min(source_.text.find('\n', begin), source_.text.size());
      ++line_;
      begins_.push_back(begin);
      read_line(source_.text.substr(begin, end - begin));
      begin = end + 1;
    }
    if (result_.errors.empty()) finish();
    return std::move(result_);
  }

 private:
  void fail_at(std::size_t offset, std::size_t length, std::string message, std::string hint = {}) {
    result_.errors.push_back(
        diagnostic_at({&source_, offset, length}, std::move(message), std::move(hint)));
  }
  void fail_in_line(std::size_t length, std::string message, std::string hint = {}) {
    fail_at(begins_.back(), length, std::move(message), std::move(hint));
  }

  void read_line(std::string_view line) {
    if (line.find_first_not_of(" \t\r,") == std::string_view::npos) return;
    if (line.size() > limits_.line) {
      return fail_in_line(1, "a line of more than " + std::to_string(limits_.line) + " bytes");
    }
    if (reader_ == nullptr) reader_ = reader_for(line);
    if (reader_ == nullptr) {
      return fail_in_line(1, "neither JSON lines, nor a log of Jepsen, nor maps in EDN");
    }
    const LineResult read = reader_(line);
    if (read.error) {
      return fail_at(begins_.back() + std::min(read.error->offset, line.size()), read.error->length,
                     read.error->message);
    }
    if (read.model) return take_model(*read.model);
    if (!read.event) return;
    const std::string wrong = builder_.add(*read.event, line_);
    if (!wrong.empty()) fail_in_line(line.size(), wrong);
  }

  void take_model(const std::string& name) {
    const std::optional<Spec> before = std::exchange(stated_, spec_named(name));
    if (stated_ && before && *before != *stated_)
      return fail_in_line(1, "a header before has said " + quoted(name_of(*before)));
    if (stated_) return;
    fail_in_line(1, "there is no model " + quoted(name), suggestion(name, model_names()));
  }

  void finish() {
    Log log = builder_.finish();
    log.spec_is_guess = !wanted_ && !stated_;
    log.spec = wanted_ ? *wanted_ : stated_ ? *stated_ : guessed(log.history);
    for (std::size_t i = 0; i < log.history.operations.size(); ++i) {
      const Function function = log.history.operations[i].function;
      if (log.spec.has(function)) continue;
      return fail_at(
          begins_[log.lines[i] - 1], 1,
          "the model " + name_of(log.spec) + " has no " + std::string(name_of(function)));
    }
    result_.log = std::move(log);
  }

  const SourceText& source_;
  const std::optional<Spec>& wanted_;
  const LogLimits& limits_;
  LogBuilder builder_;
  LineReader reader_ = nullptr;
  std::optional<Spec> stated_;
  std::uint32_t line_ = 0;
  std::vector<std::size_t> begins_;  // Of each line so far.
  LogResult result_;
};

}  // namespace

std::optional<Function> function_named(std::string_view name) {
  if (name == "get") return Function::read;
  if (name == "put") return Function::write;
  for (auto i = static_cast<unsigned>(Function::read);
       i <= static_cast<unsigned>(Function::release); ++i) {
    if (name_of(static_cast<Function>(i)) == name) return static_cast<Function>(i);
  }
  return std::nullopt;
}

std::optional<LogEvent::Type> type_named(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames = {"invoke", "ok", "fail", "info"};
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<LogEvent::Type>(found - kNames.begin());
}

LogResult parse_log(const SourceText& source, const std::optional<Spec>& wanted,
                    const LogLimits& limits) {
  return Parser(source, wanted, limits).run();
}

}  // namespace locklab::linearizability
