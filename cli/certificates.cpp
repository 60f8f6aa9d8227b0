// Certificates: read, and turned into an exit code.
// SPDX-License-Identifier: Apache-2.0
#include "cli/certificates.h"

#include <utility>

#include "cli/failure.h"
#include "cli/lab.h"
#include "search/certificate_file.h"

namespace locklab::cli {
namespace {

constexpr std::size_t kFileBytes = std::size_t{1} << 20;

}  // namespace

ExitCode code_of(const Certificate& certificate) {
  switch (verdict_of(certificate)) {
    case CertificateVerdict::refused:
      return kViolated;
    case CertificateVerdict::undecided:
      return kInconclusive;
    case CertificateVerdict::incomplete:
      return kInterrupted;
    default:
      return kOk;
  }
}

Certificate certificate_in(const std::string& path) {
  CertificateResult read = parse_certificate(file_text(path, kFileBytes));
  if (!read.certificate) throw Failure(kBadData, path + ": " + read.error);
  return *std::move(read.certificate);
}

}  // namespace locklab::cli
