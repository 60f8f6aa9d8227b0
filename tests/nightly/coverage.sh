# What the tests reach: build/coverage/index.html, and a floor that only ever rises.
# SPDX-License-Identifier: Apache-2.0
set -u
top=$(pwd -P)
me=coverage
. "$top/.ci/setup.sh"

lines_min=85  # In percent, of the folders of the chain.

(build_preset coverage) || exit 1
find "$top/build/coverage" -name '*.gcda' -delete
ctest --test-dir "$top/build/coverage" -j "$(nproc)" -L 'unit|prop|golden' --output-on-failure \
  --no-tests=error >"$top/build/coverage/ctest.txt" 2>&1 || {
  tail -n 40 "$top/build/coverage/ctest.txt"
  exit 1
}
gcovr --root "$top" "$top/build/coverage" --filter '(sim|models|scenarios|properties|search|reports)/' \
  --exclude '.*_(test|prop)\.cpp' --print-summary --html-details "$top/build/coverage/index.html" \
  --fail-under-line "$lines_min"
