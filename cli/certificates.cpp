// Certificates: read, and turned into an exit code.
// SPDX-License-Identifier: Apache-2.0
#include "cli/certificates.h"

#include <utility>

#include "cli/failure.h"
#include "scenarios/loader.h"
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
  const FileText file = read_file(path, kFileBytes);
  if (!file.error.empty()) throw Failure(kNoInput, path + ": " + file.error);
  CertificateResult read = parse_certificate(file.text);
  if (!read.certificate) throw Failure(kBadData, path + ": " + read.error);
  return *std::move(read.certificate);
}

}  // namespace locklab::cli
