// Value models: register, key-value and queue.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "properties/linearizability/model.h"

namespace locklab::linearizability {

std::unique_ptr<Model> make_register();
/// Compares texts, since appends make values that no operation names. nil reads as the empty text.
std::unique_ptr<Model> make_key_value(const Names& names);
std::unique_ptr<Model> make_queue();

}  // namespace locklab::linearizability
