# A few mutants of the list, one of each group, judged anew: they are killed as the list says.
# SPDX-License-Identifier: Apache-2.0
set -u
RC_PARAMS="seed=$(sed -n 's/^LOCKLAB_RC_SEED:STRING=//p' build/dev/CMakeCache.txt)"
export RC_PARAMS
status=0
for group in locks servers properties; do
  # The first by name that a test or a broken promise has killed: a search that finds nothing takes long.
  expected=$(grep -v '^#' tests/mutants/results.txt | sort |
    awk -F '\t' -v group="$group" '$2 == group && $9 ~ /^promise/ { print; exit }')
  [ -n "$expected" ] || exit 1
  found=$(sh tests/mutants/judge_one.sh "$(printf '%s' "$expected" | cut -f1-7)")
  printf '%s\n' "$found"
  # The number of its line may have changed since, and with a new story the count of schedules.
  kill_of() { printf '%s' "$1" | cut -f1,8,9 | cut -d ' ' -f1; }
  if [ "$(kill_of "$found")" != "$(kill_of "$expected")" ]; then
    echo "but the list says: $expected"
    status=1
  fi
done
exit $status
