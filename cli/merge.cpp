// merge: the shards of one certificate as the whole.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "cli/certificates.h"
#include "cli/failure.h"
#include "cli/output_directory.h"
#include "cli/verbs.h"
#include "search/certificate_file.h"

namespace locklab::cli {

ExitCode merge(const Arguments& arguments, Console& console) {
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

}  // namespace locklab::cli
