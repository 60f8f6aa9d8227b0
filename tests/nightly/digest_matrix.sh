# The digests of 1,000 seeds in every scenario, under every compiler, level and sanitizer that we build.
# SPDX-License-Identifier: Apache-2.0
set -u
top=$(pwd -P)
me=digest_matrix
. "$top/.ci/setup.sh"

seeds=1000
status=0
for preset in dev gcc-O0 gcc-O3 clang-O0 clang asan asan-clang; do
  log=$(mktemp) || give_up "no temporary file can be written"
  if ! { cmake --preset "$preset" && cmake --build --preset "$preset" --target digests; } >"$log" 2>&1
  then
    tail -n 30 "$log"
    status=1
  elif ! sh tests/digest/same_digests.sh build/dev/bin/digests "build/$preset/bin/digests" "$seeds"
  then
    status=1
  fi
  rm -f "$log"
done
exit $status
