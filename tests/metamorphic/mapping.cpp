// Mapping: takes addresses apart and puts them together with other actors.
// SPDX-License-Identifier: Apache-2.0
#include "tests/metamorphic/mapping.h"

#include "sim/net/network.h"

namespace locklab::testing {
namespace {

Span mapped(Span span, const Mapping& mapping) {
  const std::uint64_t rest = span.bits & ((std::uint64_t{1} << 48) - 1);
  return Span{Span::of_actor(mapping.actor(span.actor())).bits | rest};
}

ActorId mapped_actor(ActorId actor, const Mapping& mapping) {
  if (!is_link(actor)) return mapping.actor(actor);
  return link_actor(mapping.actor(link_from(actor)), mapping.actor(link_to(actor)));
}

std::uint64_t mapped_fault(std::uint64_t value, const Mapping& mapping) {
  FaultValue fault = FaultValue::unpack(value);
  if (fault.target != 0) {
    fault.target = static_cast<std::uint8_t>(mapping.target(fault.kind, fault.target));
  }
  const Bucket length = fault.length;
  if (length.is_deadline()) {
    fault.length = Bucket::at(length.deadline(), mapping.actor(length.owner()), length.ordinal(),
                              length.side());
  }
  return fault.pack();
}

}  // namespace

std::vector<Deviation> mapped(std::span<const Deviation> deviations, const Mapping& mapping) {
  std::vector<Deviation> image;
  for (const Deviation& deviation : deviations) {
    const Address& a = deviation.address;
    const bool fault = a.kind() == ChoiceKind::fault_at_label;
    image.push_back({Address::of(mapped(a.cause(), mapping), mapped_actor(a.actor(), mapping),
                                 a.kind(), a.label(), a.n()),
                     fault ? mapped_fault(deviation.value, mapping) : deviation.value,
                     kAnyWitness});
  }
  return image;
}

bool strikes_process(FaultKind kind) {
  return kind == FaultKind::pause || kind == FaultKind::stall || kind == FaultKind::cancel ||
         kind == FaultKind::panic || kind == FaultKind::kill;
}
bool strikes_host(FaultKind kind) {
  return kind == FaultKind::host_loss || kind == FaultKind::slew || kind == FaultKind::rate ||
         kind == FaultKind::jump || kind == FaultKind::suspend || kind == FaultKind::freeze;
}

}  // namespace locklab::testing
