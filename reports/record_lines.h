// Record lines: one line for each record, or for a few that say one thing together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "reports/lines.h"
#include "reports/requests.h"
#include "reports/words.h"

namespace locklab {

class RecordLines {
 public:
  explicit RecordLines(const RunView& run);

  /// The line that begins at this record; it ends at Line::last >= seq.
  Line at(std::uint32_t seq) const;
  /// The same without joining: for a listing of everything.
  Line alone(std::uint32_t seq) const;

 private:
  const Record& record(std::uint32_t seq) const { return history_.at(seq); }
  /// The next record, or nullptr.
  const Record* next(std::uint32_t seq) const;
  std::string actor(const Record& record) const;
  std::string lock(const Record& record) const;
  std::string object(const Record& record) const;
  /// The `sent` record of the request that led to this one, or nullptr.
  const Record* sending(const Record& record) const;
  bool is_late(const Record& sent) const;
  /// Delivered by a queue, after that request had been decided already.
  bool is_duplicate(const Record& decided) const;
  /// The request whose reply this record took for that to a later one, or nullptr.
  const Record* misread(const Record& replied) const;
  std::string request_name(const Record& sent) const;
  /// Text about a request that was long under way; peer and its cell for one that was not.
  void add_sender(Line& line, const Record& record, std::string cell) const;
  FaultAmounts amounts_of(const Record& record) const;

  void tell_operation(Line& line, const Record& record) const;
  void tell_acquire(Line& line, const Record& record) const;
  void tell_renewal(Line& line, const Record& record) const;
  void tell_release(Line& line, const Record& record) const;
  void tell_section(Line& line, const Record& record) const;
  void tell_call(Line& line, const Record& record) const;
  void tell_reply(Line& line, const Record& record) const;
  void tell_sent(Line& line, const Record& record) const;
  void tell_applied(Line& line, const Record& record, bool join) const;
  /// What the command that was applied did to its keys.
  struct KeyChange {
    std::string words;         // The value that was set; else the first change; else empty.
    std::uint32_t stored = 0;  // The text of a string that was set.
    std::uint32_t last = 0;    // The last record of it; 0: it changed nothing.
  };
  KeyChange change_by(const Record& applied) const;
  void tell_key(Line& line, const Record& record) const;
  void tell_replication(Line& line, const Record& record) const;
  void tell_failover(Line& line, const Record& record) const;
  void tell_resource(Line& line, const Record& record) const;
  void tell_fault(Line& line, const Record& record, bool join) const;
  void tell_blow(Line& line, const Record& record) const;
  void tell_ending(Line& line, const Record& record) const;
  void tell_client(Line& line, const Record& record) const;
  void tell_server(Line& line, const Record& record, bool join) const;
  void tell(Line& line, const Record& record, bool join) const;
  /// Entering follows getting, and asking to release follows leaving: one line each.
  void join_next(Line& line, const Record& record) const;

  const RunView& run_;
  const History& history_;
  Requests requests_;
  bool several_objects_ = false;
};

}  // namespace locklab
