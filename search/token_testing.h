// Samples for the tests of tokens and trace files: any deviation, and a list like a shrunk run's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "search/token.h"

namespace locklab::testing_samples {

inline Deviation deviation(Span span, ActorId actor, ChoiceKind kind, Label label, std::uint32_t n,
                           std::uint64_t value, std::uint32_t witness) {
  return {Address::of(span, actor, kind, label, n), value, Witness{witness}};
}

/// A pause over an expiry, a slow link and a late poll, as the shrinker leaves them.
inline std::vector<Deviation> three_deviations() {
  const FaultValue pause{FaultKind::pause, 0,
                         Bucket::at(DeadlineKind::key_expiry, ActorId{5}, 0, Bucket::Side::after),
                         12, 0};
  const Span first = Span::of_operation(ActorId{1}, 0, 3, 2);
  const Span second = Span::of_operation(ActorId{2}, 1, 117, 31);
  return {deviation(first, ActorId{1}, ChoiceKind::fault_at_label, Label::res_before_send, 1,
                    pause.pack(), 0x9d41c0de),
          deviation(second, ActorId{2}, ChoiceKind::delay_at_link, Label::none, 2, 7'500'000,
                    0x01020304),
          deviation(second, ActorId{2}, ChoiceKind::poll_phase, Label::none, 1, 42'000'000,
                    0xcafebabe)};
}

inline rc::Gen<Deviation> any_deviation() {
  return rc::gen::exec([] {
    const auto small = [](int end) { return rc::gen::inRange(0, end); };
    const auto actor = [&] { return ActorId{static_cast<std::uint16_t>(*small(6))}; };
    const bool wide = *rc::gen::element(false, false, false, true);
    const Span span = wide ? Span::of_operation(ActorId{*rc::gen::arbitrary<std::uint16_t>()},
                                                *rc::gen::arbitrary<std::uint8_t>(),
                                                *rc::gen::arbitrary<std::uint16_t>(),
                                                *rc::gen::arbitrary<std::uint16_t>())
                           : Span::of_operation(actor(), static_cast<std::uint8_t>(*small(2)),
                                                static_cast<std::uint16_t>(*small(3)),
                                                static_cast<std::uint16_t>(*small(3)));
    const auto kind = static_cast<ChoiceKind>(*small(static_cast<int>(ChoiceKind::count)));
    const auto label = static_cast<Label>(
        kind == ChoiceKind::defer ? *rc::gen::inRange(kDue, kDue + kDueCount)
                                  : static_cast<unsigned>(*small(static_cast<int>(Label::count))));
    const std::uint32_t n =
        wide ? *rc::gen::arbitrary<std::uint32_t>() : static_cast<std::uint32_t>(*small(4));
    const FaultValue fault{
        static_cast<FaultKind>(*rc::gen::inRange(1, static_cast<int>(FaultKind::count))),
        *rc::gen::arbitrary<std::uint8_t>(), Bucket{*rc::gen::arbitrary<std::uint16_t>()},
        *rc::gen::arbitrary<std::uint8_t>(), *rc::gen::arbitrary<std::uint16_t>()};
    const std::uint64_t any = std::max<std::uint64_t>(1, *rc::gen::arbitrary<std::uint64_t>());
    const std::uint64_t value = *rc::gen::element(fault.pack(), any);
    const std::uint32_t witness =
        *rc::gen::element<std::uint32_t>(0, *rc::gen::arbitrary<std::uint32_t>());
    return deviation(span, wide ? ActorId{*rc::gen::arbitrary<std::uint16_t>()} : actor(), kind,
                     label, n, value, witness);
  });
}

inline rc::Gen<std::vector<Deviation>> any_deviations() {
  return rc::gen::map(rc::gen::container<std::vector<Deviation>>(any_deviation()),
                      [](std::vector<Deviation> all) {
                        if (all.size() > kTokenDeviations) all.resize(kTokenDeviations);
                        return normalised(std::move(all));
                      });
}

inline Token choice_token(std::vector<Deviation> deviations) {
  return {"failover-late-write", 0x3f9c21e0, ChoiceBody{1, std::move(deviations)}, 0x9d41c0aa};
}

}  // namespace locklab::testing_samples
