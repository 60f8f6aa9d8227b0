// Stage of a real client: records and free choices, by way of the driver.
// SPDX-License-Identifier: Apache-2.0
#include "sim/stage.h"

#include <array>

namespace locklab {

using real::word_of;
using real::Words;

std::uint32_t World::record(Record record) {
  if (record.hold == 0) record.hold = work_.hold.value;
  Words words = {"record"};
  const std::array<std::int64_t, 7> numbers = {static_cast<std::int64_t>(record.kind),
                                               record.flags,
                                               record.hold,
                                               record.fence,
                                               record.arg,
                                               record.result,
                                               record.local};
  for (const std::int64_t number : numbers)
    words.push_back(word_of(number));
  words.emplace_back(text(TextId{record.lock}));
  words.emplace_back(text(TextId{record.nonce}));
  process_->gate(words);
  return 0;
}

Duration World::choose_delay(ChoiceKind kind, ActorId actor, Duration bound, Witness) {
  driver_.tell({"choose", word_of(static_cast<std::int64_t>(work_.span.bits)), word_of(actor.value),
                word_of(static_cast<std::int64_t>(kind))});
  const Words answer = driver_.listen();
  // As World::choose_delay() of the simulation has it: one of 32 even steps.
  constexpr std::int64_t kSteps = 32;
  return scale(bound, real::number_of(answer.at(1)), kSteps);
}

std::string_view Stage::sha_of(std::string_view body) const {
  const redis::Sha1Hex sha = redis::to_hex(redis::sha1(body));
  return world->arena().copy(std::string_view(sha.data(), sha.size()));
}

}  // namespace locklab
