// Claims table: one letter for what each kind of fault does to each lock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/lock.h"

namespace locklab::cli {

/// The worst that a kind of fault alone (or FaultKind::none) does to the lock, as it declares:
/// 'F' harm even where the resource checks the fence, 'h' harm, 'i' two inside, ' ' neither; or 'B'
/// if it also leaves the lock blocked, 'b' if that alone.
char claim_letter(const LockInfo& lock, std::string_view kind);

/// A row for each lock, a column for each kind, and what the letters mean. 80 columns are enough.
std::string claims_table();

}  // namespace locklab::cli
