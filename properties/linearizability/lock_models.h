// Lock models: mutex, reentrant and fenced mutex, semaphore, as states and steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "properties/linearizability/model.h"

namespace locklab::linearizability {

// A refused acquire says that the client could not have got the lock at that instant: it was not
// free, and, if the lock is reentrant, another's or at its limit.

std::unique_ptr<Model> make_mutex();
/// With limit 1: the owner-aware mutex.
std::unique_ptr<Model> make_reentrant_mutex(std::uint32_t limit);
/// With limit 1: the fenced mutex. State: owner, depth, the hold's fence and the highest one seen.
std::unique_ptr<Model> make_fenced_mutex(std::uint32_t limit);
std::unique_ptr<Model> make_semaphore(std::uint32_t permits);

}  // namespace locklab::linearizability
