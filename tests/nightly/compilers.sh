# Every test of the day under the other compiler, without optimisation, and under the sanitizers.
# SPDX-License-Identifier: Apache-2.0
#
# The sweeps of the night are not repeated: digest_matrix.sh shows that each build plays the same runs.
set -u
top=$(pwd -P)
me=compilers
. "$top/.ci/setup.sh"

status=0
for preset in clang gcc-O0 asan asan-clang; do
  say "$preset"
  (build_preset "$preset") || {
    status=1
    continue
  }
  report=$top/build/$preset/ctest.txt
  if ! ctest --test-dir "$top/build/$preset" -j "$(nproc)" -LE '^(ci|tidy|nightly)$' --output-on-failure \
    --no-tests=error >"$report" 2>&1; then
    tail -n 60 "$report"
    status=1
  fi
done
exit $status
