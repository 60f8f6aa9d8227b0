// Keys: reading a server's keys without disturbing them.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/keys.h"

#include <algorithm>

namespace locklab::real {
namespace {

/// While it lasts, no key of the server is expired: what is stored can be seen, and stays.
class Earlier {
 public:
  explicit Earlier(RedisServer& server) : server_(server), clock_(server.clock()) {
    server_.set_clock(1);
  }
  Earlier(const Earlier&) = delete;
  Earlier& operator=(const Earlier&) = delete;
  ~Earlier() { server_.set_clock(clock_); }

 private:
  RedisServer& server_;
  std::int64_t clock_;
};

constexpr std::size_t kQuestions = 3;

void ask_for(const std::string& name, std::vector<Words>& questions) {
  questions.push_back({"GET", name});
  questions.push_back({"HGETALL", name});  // One of the two is an error.
  questions.push_back({"PEXPIRETIME", name});
}

SeenKey key_of(const std::vector<Value>& answers, std::size_t at) {
  SeenKey key;
  key.is_hash = answers[at].is_error();
  if (!key.is_hash) key.value = answers[at].text;
  if (key.is_hash && answers[at + 1].is_error())
    throw Trouble("a key that is no string and no hash");
  const Words parts = key.is_hash ? words_of(answers[at + 1]) : Words();
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
    key.fields.emplace_back(parts[i], parts[i + 1]);
  key.expiry = answers[at + 2].integer;
  return key;
}

bool is_same(const SeenKey& a, const SeenKey& b) {
  return a.is_hash == b.is_hash && a.value == b.value && a.fields == b.fields &&
         a.expiry == b.expiry;
}

}  // namespace

std::string SeenKey::text() const {
  if (!is_hash) return value;
  std::string names;
  for (const auto& [name, held] : fields)
    names += (names.empty() ? "" : " ") + name;
  return names;
}

const std::string* SeenKey::field(std::string_view name) const {
  if (!is_hash) return name.empty() ? &value : nullptr;
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [name](const auto& field) { return field.first == name; });
  return found == fields.end() ? nullptr : &found->second;
}

void SeenKey::set(std::string_view field, std::string_view to) {
  if (field.empty()) {
    value = to;
    return;
  }
  is_hash = true;
  for (auto& [name, held] : fields) {
    if (name != field) continue;
    held = to;
    return;
  }
  fields.emplace_back(field, to);
}

void SeenKey::remove(std::string_view field) {
  std::erase_if(fields, [field](const auto& one) { return one.first == field; });
}

/// One round trip, unless there is a key that was not there before.
Keys::Map Keys::read(RedisServer& server) const {
  const Earlier earlier(server);
  std::vector<Words> questions = {{"KEYS", "*"}};
  for (const auto& [name, key] : seen_)
    ask_for(name, questions);
  std::vector<Value> answers = server.commands(questions);
  const Words names = words_of(answers.front());
  std::vector<Words> more;
  for (const std::string& name : names) {
    if (seen_.find(name) == seen_.end()) ask_for(name, more);
  }
  if (!more.empty()) {
    questions.insert(questions.end(), more.begin(), more.end());
    for (Value& answer : server.commands(more))
      answers.push_back(std::move(answer));
  }
  Map keys;
  for (std::size_t i = 1; i < questions.size(); i += kQuestions) {
    const std::string& name = questions[i][1];
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    keys[name] = key_of(answers, i);
  }
  return keys;
}

void Keys::adopt(RedisServer& server, const Creators& creators) {
  look(server);
  told_ = seen_;
  for (auto& [name, key] : told_) {
    const auto creator = creators.find({name, key.text()});
    if (creator != creators.end()) key.creator = creator->second;
  }
}

void Keys::forget() {
  seen_.clear();
  told_.clear();
}

const SeenKey* Keys::find(const Map& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

std::string Keys::first_difference(const Map& a, const Map& b) {
  for (const auto& [name, key] : a) {
    const SeenKey* const other = find(b, name);
    if (other == nullptr || !is_same(key, *other)) return name;
  }
  for (const auto& [name, key] : b) {
    if (find(a, name) == nullptr) return name;
  }
  return "";
}

}  // namespace locklab::real
