// Interrupt: Ctrl-C lets the run in progress end; a second one stops at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace locklab::cli {

/// From now on. Also: writing to a closed pipe is an error code and no signal.
void catch_interrupts();
/// Safe on any thread.
bool is_interrupted();

}  // namespace locklab::cli
