// Certificate file: JSON with one text for each certificate, closed by a check sum.
// SPDX-License-Identifier: Apache-2.0
//
// What somebody changed on purpose is found by enumerating again (search/recount.h), never by a
// check sum, which anybody can compute.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/certificate.h"

namespace locklab {

/// By its first line.
bool is_certificate(std::string_view text);
/// locklab.certificate/1; ends with a newline.
std::string certificate_text(const Certificate& certificate);

struct CertificateResult {
  std::optional<Certificate> certificate;
  std::string error;  // One line; empty iff there is a certificate.
};
/// Accepts what certificate_text() writes and nothing else, not even another layout.
CertificateResult parse_certificate(std::string_view text);

/// All shards of one enumeration as the whole. Refuses what is not of one enumeration, is
/// incomplete, is there twice, or is missing. A shard with a counterexample makes the whole
/// refused.
CertificateResult merge_certificates(std::vector<Certificate> shards);

}  // namespace locklab
