# A few mutants of the list, one of each group, judged anew: they are killed as the list says.
# SPDX-License-Identifier: Apache-2.0
set -u
RC_PARAMS="seed=$(sed -n 's/^LOCKLAB_RC_SEED:STRING=//p' build/dev/CMakeCache.txt)"
export RC_PARAMS
status=0
for group in locks servers properties linearizability; do
  # The first, by its id, that the search has killed by a broken promise: where it finds nothing it takes long. Or
  # that a test has killed where there is no search.
  expected=$(grep -v '^#' tests/mutants/results.txt | sort |
    awk -F '\t' -v group="$group" '$2 == group && ($8 ~ /^promise/ || ($8 == "-" && $7 ~ /\./)) { print; exit }')
  [ -n "$expected" ] || exit 1
  found=$(sh tests/mutants/judge_one.sh "$(printf '%s' "$expected" | cut -f1-6)")
  printf '%s\n' "$found"
  # Whether by tests, and how by the search: a test may have another name, a story another place.
  kill_of() {
    printf '%s' "$1" | awk -F '\t' '{ sub(" .*", "", $8); print $1, $7 == "-" ? "no test" : "a test", $8 }'
  }
  if [ "$(kill_of "$found")" != "$(kill_of "$expected")" ]; then
    echo "but the list says: $expected"
    status=1
  fi
done
exit $status
