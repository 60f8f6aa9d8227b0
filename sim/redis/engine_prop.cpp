// The engine against a naive model, and against random bytes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/redis/image.h"
#include "sim/redis/shell.h"

namespace locklab::redis {
namespace {

/// What Redis' manual says of strings, in the plainest words: a map, and expiry looked at before
/// each step.
class Model {
 public:
  void advance(std::int64_t ms) {
    now_ += ms;
    std::erase_if(keys_, [this](const auto& item) {
      return item.second.expiry && now_ > *item.second.expiry;
    });
  }

  std::string set(const std::string& key, const std::string& value, bool nx, bool xx, bool keep,
                  std::optional<std::int64_t> px) {
    const auto found = keys_.find(key);
    const bool exists = found != keys_.end();
    if ((nx && exists) || (xx && !exists)) return "(nil)";
    std::optional<std::int64_t> expiry;
    if (px) expiry = now_ + *px;
    if (keep && exists) expiry = found->second.expiry;
    keys_[key] = {value, expiry};
    return "OK";
  }
  std::string get(const std::string& key) const {
    const auto found = keys_.find(key);
    return found == keys_.end() ? "(nil)" : "\"" + found->second.value + "\"";
  }
  std::string del(const std::string& key) { return integer(keys_.erase(key)); }
  std::string incr(const std::string& key) {
    Item& item = keys_[key];
    if (item.value.empty()) item.value = "0";
    if (item.value.find_first_not_of("0123456789") != std::string::npos) {
      return "(error) ERR value is not an integer or out of range";
    }
    item.value = std::to_string(std::stoll(item.value) + 1);
    return integer(std::stoll(item.value));
  }
  std::string pexpire(const std::string& key, std::int64_t ms) {
    const auto found = keys_.find(key);
    if (found == keys_.end()) return integer(0);
    if (ms <= 0) {
      keys_.erase(found);
    } else {
      found->second.expiry = now_ + ms;
    }
    return integer(1);
  }
  std::string persist(const std::string& key) {
    const auto found = keys_.find(key);
    if (found == keys_.end() || !found->second.expiry) return integer(0);
    found->second.expiry.reset();
    return integer(1);
  }
  std::string pttl(const std::string& key) const {
    const auto found = keys_.find(key);
    if (found == keys_.end()) return integer(-2);
    return integer(found->second.expiry ? *found->second.expiry - now_ : -1);
  }
  std::string keys() const {
    std::string list;
    int position = 0;
    for (const auto& [key, item] : keys_) {
      list += (position == 0 ? "[" : ", ") + std::to_string(position + 1) + ") \"" + key + "\"";
      ++position;
    }
    return position == 0 ? "(empty array)" : list + "]";
  }

 private:
  struct Item {
    std::string value;
    std::optional<std::int64_t> expiry;
  };
  template <class Number>
  static std::string integer(Number value) {
    return "(integer) " + std::to_string(value);
  }

  std::int64_t now_ = 1'700'000'000'000;
  std::map<std::string, Item> keys_;
};

/// Draws one command, or lets time pass, on both sides.
void step(Shell& shell, Model& model) {
  const std::string key = *rc::gen::element<std::string>("a", "b", "c", "a rather long key name");
  const auto run = [&](const std::string& line) { return shell.run(line); };
  const std::string quoted = "'" + key + "'";
  // element, not inRange: the choice of the command must not depend on RapidCheck's size.
  switch (*rc::gen::element(0, 1, 2, 3, 4, 5, 6, 7, 8)) {
    case 0: {
      const std::string value = *rc::gen::element<std::string>("7", "x", "token");
      const int condition = *rc::gen::element(0, 1, 2);
      const int expiry = *rc::gen::element(0, 1, 2);
      const auto px = *rc::gen::element<std::int64_t>(1, 2, 5, 11);
      std::string line = "SET " + quoted + " " + value;
      if (expiry == 1) line += " PX " + std::to_string(px);
      if (expiry == 2) line += " KEEPTTL";
      if (condition > 0) line += condition == 1 ? " NX" : " XX";
      RC_ASSERT(run(line) == model.set(key, value, condition == 1, condition == 2, expiry == 2,
                                       expiry == 1 ? std::optional(px) : std::nullopt));
      return;
    }
    case 1:
      RC_ASSERT(run("GET " + quoted) == model.get(key));
      return;
    case 2:
      RC_ASSERT(run("DEL " + quoted) == model.del(key));
      return;
    case 3:
      RC_ASSERT(run("INCR " + quoted) == model.incr(key));
      return;
    case 4: {
      const auto ms = *rc::gen::element<std::int64_t>(-1, 0, 1, 3, 11);
      RC_ASSERT(run("PEXPIRE " + quoted + " " + std::to_string(ms)) == model.pexpire(key, ms));
      return;
    }
    case 5:
      RC_ASSERT(run("PERSIST " + quoted) == model.persist(key));
      return;
    case 6:
      RC_ASSERT(run("PTTL " + quoted) == model.pttl(key));
      return;
    case 7:
      RC_ASSERT(run("KEYS *") == model.keys());
      return;
    default: {
      const auto ms = *rc::gen::element<std::int64_t>(0, 1, 2, 6);
      shell.advance(milliseconds(ms));
      model.advance(ms);
      return;
    }
  }
}

RC_GTEST_PROP(EngineProperty, AnswersAsAMapWithExpiries, ()) {
  Shell shell;
  Model model;
  const int steps = *rc::gen::inRange(1, 120);
  bool expired = false;
  for (int i = 0; i < steps; ++i) {
    shell.forget_effects();
    step(shell, model);
    for (const Change& change : shell.effects().changes()) {
      expired = expired || change.kind == ChangeKind::expired;
    }
  }
  RC_CLASSIFY(expired, "a key expired");
}

/// A replica that is fed the stream holds what the primary holds, whatever its own clock says.
RC_GTEST_PROP(EngineProperty, TheStreamRebuildsThePrimary, ()) {
  Shell primary;
  Shell replica;
  Model model;
  replica.context().role = Role::replica;
  replica.context().now = kWallEpoch + milliseconds(*rc::gen::inRange(-50, 50));
  const int steps = *rc::gen::inRange(1, 80);
  for (int i = 0; i < steps; ++i) {
    primary.forget_effects();
    step(primary, model);
    for (const Command argv : primary.effects().stream()) {
      std::vector<std::string> words(argv.begin(), argv.end());
      for (std::string& word : words) {
        word.insert(0, 1, '\'');
        word.push_back('\'');
      }
      std::string line;
      for (const std::string& word : words)
        line += word + " ";
      replica.apply(line);
    }
  }

  Arena arena;
  const auto of_primary = image_of(primary.database().keys, arena);
  const auto of_replica = image_of(replica.database().keys, arena);
  RC_ASSERT(of_primary.size() == of_replica.size());
  for (std::size_t i = 0; i < of_primary.size(); ++i) {
    RC_ASSERT(of_primary[i].key == of_replica[i].key);
    RC_ASSERT(of_primary[i].type == of_replica[i].type);
    RC_ASSERT(std::ranges::equal(of_primary[i].value, of_replica[i].value));
    RC_ASSERT(of_primary[i].expiry == of_replica[i].expiry);
  }
}

/// The reports add up: replayed on an empty map they give the final state.
RC_GTEST_PROP(EngineProperty, ChangesTellTheWholeStory, ()) {
  Shell shell;
  Model model;
  struct Known {
    std::string value;
    UnixMs expiry = kNoExpiry;
    std::uint64_t creator = 0;
  };
  std::map<std::string, Known> known;
  const int steps = *rc::gen::inRange(1, 120);
  for (int i = 0; i < steps; ++i) {
    ++shell.context().origin;
    shell.forget_effects();
    step(shell, model);
    for (const Change& change : shell.effects().changes()) {
      const std::string key(change.key);
      RC_ASSERT((known.count(key) == 0) == (change.kind == ChangeKind::created));
      if (change.kind != ChangeKind::created) {
        RC_ASSERT(known[key].value == change.old_value);
        RC_ASSERT(known[key].expiry == change.old_expiry);
        RC_ASSERT(known[key].creator == change.old_creator);
      }
      if (change.kind == ChangeKind::deleted || change.kind == ChangeKind::expired) {
        known.erase(key);
      } else {
        known[key] = {std::string(change.new_value), change.new_expiry, change.new_creator};
      }
    }
  }
  RC_ASSERT(known.size() == shell.database().keys.size());
  for (const auto& [key, item] : known) {
    const Entry* entry = shell.database().keys.find(key);
    RC_ASSERT(entry != nullptr);
    RC_ASSERT(item.value == *entry->string());
    RC_ASSERT(item.creator == entry->creator);
  }
}

// --- Random bytes ------------------------------------------------------------------------------

std::string random_word() {
  return *rc::gen::oneOf(
      rc::gen::element<std::string>("SET", "get", "EVAL", "script", "load", "k", "1", "-1", "PX",
                                    "nx", "GETEX", "expire", "999999999999999999", "", "0",
                                    "flushall", "mset", "keys", "*", "[a", "\\", "multi", "client"),
      rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
}

RC_GTEST_PROP(Robustness, AnyArgumentsGetOneReply, ()) {
  Shell shell;
  const int commands = *rc::gen::inRange(1, 30);
  for (int i = 0; i < commands; ++i) {
    std::vector<std::string> argv;
    const int words = *rc::gen::inRange(1, 7);
    argv.reserve(static_cast<std::size_t>(words));
    for (int j = 0; j < words; ++j)
      argv.push_back(random_word());
    const std::string bytes = shell.run_resp2(argv);
    RC_ASSERT(bytes.size() >= 3U);
    RC_ASSERT(bytes.substr(bytes.size() - 2) == "\r\n");
  }
}

RC_GTEST_PROP(Robustness, AnyScriptTextEndsAndLeavesTheEngineWhole, ()) {
  // One engine for all runs: what a script breaks would show in the next.
  static const std::vector<std::string> kPieces = {"return ",
                                                   "redis.call(",
                                                   "'set'",
                                                   "'get'",
                                                   ",",
                                                   "'k'",
                                                   ")",
                                                   "(",
                                                   "{",
                                                   "}",
                                                   "KEYS",
                                                   "[1]",
                                                   "=",
                                                   " local a ",
                                                   " a ",
                                                   "function() ",
                                                   " end ",
                                                   "while true do ",
                                                   "if a then ",
                                                   "..",
                                                   "+",
                                                   "1",
                                                   "'x'",
                                                   "string.rep(",
                                                   "pcall(",
                                                   "error(",
                                                   "nil",
                                                   " for k,v in pairs(",
                                                   ") do ",
                                                   "\n",
                                                   "_G",
                                                   "setmetatable(",
                                                   "coroutine.wrap(",
                                                   ":gsub(",
                                                   "tostring(",
                                                   "#",
                                                   "\x1b",
                                                   "\"",
                                                   "--"};
  const auto piece = rc::gen::oneOf(rc::gen::elementOf(kPieces),
                                    rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
  Shell shell(ScriptOptions{.instructions_max = 20'000, .memory_max = std::size_t{1} << 20});
  for (int i = 0; i < 20; ++i) {
    std::string body;
    for (const std::string& text : *rc::gen::container<std::vector<std::string>>(piece)) {
      body += text;
    }
    shell.run({"EVAL", body, "1", "k", "v"});
  }
  RC_ASSERT(shell.run({"EVAL", "return {KEYS[1], type(redis.call), ('x'):rep(2)}", "1", "key"}) ==
            R"([1) "key", 2) "function", 3) "xx"])");
}

}  // namespace
}  // namespace locklab::redis
