// ReplicationLink: a proxy from primary to replica that passes one effect at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "tests/real/redis_server.h"

namespace locklab::real {

class ReplicationLink {
 public:
  /// Tells the replica to follow; nothing passes until synchronise().
  ReplicationLink(RedisServer& primary, RedisServer& replica);

  /// Lets everything pass until the replica has the primary's data, then holds the stream.
  void synchronise();
  /// Effects that the primary has written and the replica has not been given.
  std::size_t held();
  /// Waits for one more than `known`. false: none comes.
  bool await_held(std::size_t known);
  /// Lets the next effect through, with all that the same command did, as they stand between MULTI
  /// and EXEC; waits until the replica has executed it. false: it had gone with an earlier one.
  bool pass_one();
  /// Whether the replica says that it has executed all that was let through. It is held, as
  /// everything is, until it is passed on.
  bool has_acknowledged() const { return acknowledged_ >= executed_; }
  void pass_acknowledgement();
  bool is_synchronised() const { return synchronised_; }

 private:
  struct Held {
    std::string bytes;        // With a SELECT that stands before it.
    std::size_t effects = 0;  // 0: a question.
  };
  void connect();
  void relay();
  void take_replica_words(bool all_pass);
  void cut_into_effects();
  void pass(const std::string& bytes);
  void pass_questions();
  void await_offset();

  RedisServer& primary_;
  RedisServer& replica_;
  Listener listener_;
  Stream to_replica_;
  Stream to_primary_;
  bool synchronised_ = false;
  bool streams_ = false;  // The primary has begun to send.
  bool in_multi_ = false;
  Held open_;  // Not complete yet.
  std::deque<Held> held_;
  std::size_t passed_along_ = 0;  // Effects that went with an earlier one of their command.
  std::string acknowledgement_;   // The latest.
  std::int64_t acknowledged_ = 0;
  std::int64_t executed_ = 0;  // The end of the last effect that was let through.
  std::int64_t offset_ = 0;    // That the replica has when all that was let through is executed.
};

}  // namespace locklab::real
