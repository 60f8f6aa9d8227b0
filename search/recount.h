// Recount: the same enumeration by other means, to check a certificate against.
// SPDX-License-Identifier: Apache-2.0
//
// Breadth first, with whole sets kept and repeated by address as tokens are, and each set looked up
// among those already met: nothing of it is shared with search/strategies/ but the definition of a
// bound. What both count and add up alike is what there is.
#pragma once

#include <optional>
#include <string>

#include "search/certificate.h"

namespace locklab {

struct Recount {
  std::vector<LevelCount> levels;
  std::vector<PropertyCount> properties;
  bool cancelled = false;
  bool twice = false;  // Some set was met twice: the rule that orders them is broken.
};

/// Of a whole certificate's scenario and bound; the same for any number of jobs. `cancelled` of the
/// hooks is asked after every run, `progress` is told after each piece of the work.
Recount recount(const Scenario& scenario, const Bound& bound, unsigned jobs = 1,
                const CertifyHooks& hooks = {}, const Laboratory& laboratory = {});

/// "" if the certificate says what the recount found; else the first thing that differs.
std::string difference(const Certificate& certificate, const Recount& recount);

}  // namespace locklab
