// Deviation JSON: deviations in files that people may read, one line each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "search/json_fields.h"
#include "sim/choice.h"

namespace locklab {

/// What stands in the address for a label: "srv.applied"; "due-4" in a defer.
std::string place_name(const Address& address);

/// {"span": [1, 0, 2, 1], "actor": 1, "kind": "fault@label", …} on one line.
std::string deviation_json(const Deviation& deviation);

/// Of the list under that key. The order is that of addresses, each once, no default value.
std::vector<Deviation> read_deviations(const JsonValue& object, std::string_view key,
                                       JsonFields& fields);

}  // namespace locklab
