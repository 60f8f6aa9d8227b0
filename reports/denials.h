// Denials: where a run shows that somebody did not get what it asked for, or cannot tell.
// SPDX-License-Identifier: Apache-2.0
//
// They are the turns of a story in which nothing breaks: a lock that is mended says no.
#pragma once

#include "reports/run_view.h"

namespace locklab {

/// The resource refuses; a server finds nothing to do for a hold that was granted, or answers with
/// an error; WAIT counts too few; a lock is lost, not held, or its outcome unknown. That a client
/// asks for a lock and is refused is no denial: it waits its turn.
bool is_denial(const RunView& run, const Record& record);

bool is_key_change(const Record& record);
/// A server does not know a script yet: the client sends it in full next.
bool is_unknown_script(const History& history, const Record& applied);
/// What a server did at this `applied` record changed no key.
bool changes_nothing(const History& history, const Record& applied);

}  // namespace locklab
