// Rules: the words of the enumerations that scenario files write.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/rules.h"

namespace locklab::schema {
namespace {

template <class Enum>
std::vector<Word<Enum>> words_from(Enum first, Enum end) {
  std::vector<Word<Enum>> words;
  for (int i = static_cast<int>(first); i < static_cast<int>(end); ++i) {
    words.push_back({name_of(static_cast<Enum>(i)), static_cast<Enum>(i)});
  }
  return words;
}

}  // namespace

const std::vector<Word<ResourceMode>>& resource_mode_words() {
  static const auto kWords = words_from(ResourceMode::none, ResourceMode::count);
  return kWords;
}

const std::vector<Word<FaultKind>>& fault_kind_words() {
  static const auto kWords = words_from(FaultKind::slow, FaultKind::count);
  return kWords;
}

const std::vector<Word<Label>>& label_words() {
  static const auto kWords = words_from(Label::acq_before_send, Label::count);
  return kWords;
}

const std::vector<Word<CutDirection>>& direction_words() {
  static const std::vector<Word<CutDirection>> kWords = {{"both", CutDirection::both},
                                                         {"to-peer", CutDirection::to_peer},
                                                         {"from-peer", CutDirection::from_peer}};
  return kWords;
}

const std::vector<Word<NodeDeath>>& death_words() {
  static const std::vector<Word<NodeDeath>> kWords = {{"process", NodeDeath::process},
                                                      {"os", NodeDeath::os}};
  return kWords;
}

const std::vector<Word<Unlock>>& unlock_words() {
  static const std::vector<Word<Unlock>> kWords = {{"deferred", Unlock::deferred},
                                                   {"last", Unlock::last},
                                                   {"before-commit", Unlock::before_commit}};
  return kWords;
}

const std::vector<Word<TimeoutPolicy>>& pool_words() {
  static const std::vector<Word<TimeoutPolicy>> kWords = {
      {"close", TimeoutPolicy::close_connection}, {"reuse", TimeoutPolicy::return_unread}};
  return kWords;
}

const std::vector<Word<Persistence>>& persistence_words() {
  static const std::vector<Word<Persistence>> kWords = {{"none", Persistence::none},
                                                        {"everysec", Persistence::everysec},
                                                        {"always", Persistence::always}};
  return kWords;
}

const std::vector<Word<Verdict>>& verdict_words() {
  static const std::vector<Word<Verdict>> kWords = {
      {"holds", Verdict::holds}, {"violated", Verdict::violated}, {"unknown", Verdict::unknown}};
  return kWords;
}

}  // namespace locklab::schema
