// merge: the shards of one check or of one certificate as the whole.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "cli/certificates.h"
#include "cli/check_shards.h"
#include "cli/failure.h"
#include "cli/lab.h"
#include "cli/output_directory.h"
#include "cli/verbs.h"
#include "search/certificate_file.h"
#include "search/check_shard.h"

namespace locklab::cli {
namespace {

ExitCode merge_all_certificates(const Arguments& arguments, Console& console) {
  if (arguments.report.any()) {
    throw Failure(kUsage, "--report tells the runs of a check, and a certificate keeps none");
  }
  std::vector<Certificate> shards;
  for (const std::string& path : arguments.words)
    shards.push_back(certificate_in(path));
  const CertificateResult merged = merge_certificates(std::move(shards));
  if (!merged.certificate) throw Failure(kBadData, merged.error);
  const std::string text = certificate_text(*merged.certificate);
  if (!arguments.out.empty()) OutputDirectory(arguments.out).write("certificate.json", text);
  if (arguments.json) {
    console.print(text);
  } else {
    console.print(console.paper().paragraph("", claim_of(*merged.certificate), 0, Ink::plain));
  }
  return code_of(*merged.certificate);
}

}  // namespace

ExitCode merge(const Arguments& arguments, Console& console) {
  std::vector<ShardText> checks;
  for (const std::string& path : arguments.words) {
    std::string text = file_text(path, kCheckShardLimits.bytes);
    const bool is_check = is_check_shard(text);
    if (!is_check && !is_certificate(text)) {
      throw Failure(kBadData, path + " is neither a shard of a check nor a certificate");
    }
    if (is_check) checks.push_back({path, std::move(text)});
  }
  if (checks.empty()) return merge_all_certificates(arguments, console);
  if (checks.size() < arguments.words.size()) {
    throw Failure(kBadData, "some of these files are of certify, and some of check");
  }
  return merge_checks(checks, arguments, console);
}

}  // namespace locklab::cli
