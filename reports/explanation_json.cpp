// Explanation as JSON: the same facts, amounts in nanoseconds, events by their numbers.
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "reports/explanation.h"
#include "reports/words.h"
#include "search/byte_codec.h"

namespace locklab {
namespace {

using Json = nlohmann::ordered_json;

Json amount(const std::optional<Duration>& length) {
  return length ? Json(record_bits(*length)) : Json(nullptr);
}

template <class Index>
Json index(const std::optional<Index>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json role_json(const RunView& run, const Role& role) {
  Json json;
  json["text"] = deviation_sentence(*run.history, role.deviation);
  json["kind"] = name_of(role.deviation.address.kind());
  json["needed"] = role.needed;
  json["values_tried"] = role.values_tried;
  json["values_failing"] = role.values_failing;
  json["thresholds"] = Json::array();
  for (const Threshold& threshold : role.thresholds) {
    Json one;
    one["amount"] = name_of(threshold.amount);
    one["least_ns"] = record_bits(threshold.least);
    one["below_ns"] = amount(threshold.below);
    one["too_much_ns"] = amount(threshold.too_much);
    one["exact"] = threshold.exact;
    json["thresholds"].push_back(one);
  }
  return json;
}

Json rewind_json(const RunView& run, const Rewind& rewind) {
  Json json;
  json["answers"] = rewind.answers;
  json["first_event"] = rewind.first;
  json["last_event"] = rewind.last;
  json["violated"] = rewind.violated;
  json["decided_by"] = rewind.by ? Json(deviation_sentence(*run.history, *rewind.by)) : nullptr;
  return json;
}

}  // namespace

std::string explanation_json(const RunView& run, const Explanation& why,
                             const NearestStory& nearest) {
  Json json;
  json["schema"] = "locklab.why/1";
  json["scenario"] = run.scenario->name;
  json["property"] = why.property;
  json["signature"] = to_string(why.signature);
  json["token"] = run.token;
  json["command"] = run.replay;
  json["digest"] = hex(run.digest, 16);
  json["forks"] = why.forks;
  json["rewinds"] = Json::array();
  for (const Rewind& rewind : why.rewinds)
    json["rewinds"].push_back(rewind_json(run, rewind));
  json["cause"] = index(why.cause);
  json["no_return"] = index(why.no_return);
  json["roles"] = Json::array();
  for (const Role& role : why.roles)
    json["roles"].push_back(role_json(run, role));
  json["nearest"] = nullptr;
  if (why.nearest) {
    Json pass;
    pass["role"] = why.nearest->role;
    pass["dropped"] = why.nearest->dropped;
    pass["length_ns"] = amount(why.nearest->length);
    pass["size_ns"] = amount(why.nearest->size);
    pass["first_different_event"] = nearest.part;
    pass["there"] = nearest.there;
    pass["command"] = nearest.replay;
    json["nearest"] = pass;
  }
  if (run.suffixes.drawn > 0) {
    json["suffixes"] = {{"drawn", run.suffixes.drawn},
                        {"live", run.suffixes.live},
                        {"blocked", run.suffixes.blocked},
                        {"unknown", run.suffixes.unknown}};
  }
  json["executions"] = why.executions;
  json["complete"] = why.complete;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace locklab
