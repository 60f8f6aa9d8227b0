# Each mutant of the sample against the tests and a search; compares the list, or --write renews it.
# SPDX-License-Identifier: Apache-2.0
#
# mutants.sh [--write [--new]]; --new keeps what is known of mutants that are still in the sample.
set -u
top=$(pwd -P)
me=mutants
. "$top/.ci/setup.sh"

case "$*" in
  '' | --write | '--write --new') ;;
  *)
    say 'usage: mutants.sh [--write [--new]]'
    exit 64
    ;;
esac

list=$top/tests/mutants
build=$top/build/dev
tests='models_unit labels_unit sim_redis_unit sim_redis_prop sim_faults_unit
  conformance_redis_conformance properties_unit properties_prop
  properties_linearizability_unit properties_linearizability_prop'
# shellcheck disable=SC2086  # A list of words.
(build_preset dev --target mutants mutants_judge $tests) || exit 1
work=$(mktemp -d) || give_up "no temporary folder can be written"
trap 'rm -rf "$work"' EXIT
RC_PARAMS="seed=$(sed -n 's/^LOCKLAB_RC_SEED:STRING=//p' "$build/CMakeCache.txt")"
export RC_PARAMS

"$build/bin/mutants" "$top" list >"$work/rows" || exit 1
# A test that is red without any mutant kills them all.
for test in $tests; do
  "$build/bin/$test" >"$work/out" 2>&1 || give_up "$test fails without a mutant"
done
unchanged=$("$build/bin/mutants_judge" all) || give_up "the search fails without a mutant"
[ "${unchanged%% *}" = holds ] || give_up "without a mutant: $unchanged"

mkdir "$work/done"
if [ "${2-}" = --new ]; then
  # What was said of it, behind its row as it is now.
  while IFS= read -r line; do
    id=${line%%	*}
    row=$(grep "^$id	" "$work/rows") || continue
    printf '%s\t%s\n' "$row" "$(printf '%s' "$line" | cut -f7-8)" >"$work/done/$id"
  done <"$list/results.txt"
fi
while IFS= read -r row; do
  id=${row%%	*}
  [ -s "$work/done/$id" ] || printf '%s\n' "$row"
done <"$work/rows" | tr '\n' '\0' | xargs -0 -r -P "$(nproc)" -I '{}' sh -c '
  id=$(printf "%s" "$1" | cut -f1)
  timeout 1800 sh tests/mutants/judge_one.sh "$1" >"$2/done/$id"' sh '{}' "$work"

{
  echo '# What became of each mutant, as tests/nightly/mutants.sh has found it: see results.h.'
  while IFS= read -r row; do cat "$work/done/${row%%	*}"; done <"$work/rows"
} >"$work/results.txt"
[ "$(grep -vc '^#' "$work/results.txt")" = "$(wc -l <"$work/rows")" ] || give_up "some were not judged"
"$build/bin/mutants" "$top" report "$work/results.txt" "$list/survivors.txt" >"$work/mutants.md" || exit 1

if [ "${1-}" = --write ]; then
  cp "$work/results.txt" "$list/results.txt"
  cp "$work/mutants.md" "$top/docs/mutants.md"
else
  # Who survives, and whether tests and how the search killed the others. Which test comes first, and how many
  # schedules it took, change with every test and every story.
  kills() {
    awk -F '\t' -v OFS='\t' '!/^#/ {
      if ($7 != "-" && $7 != "stillborn") $7 = "killed"
      sub(" .*", "", $8)
      print
    }' "$1"
  }
  kills "$list/results.txt" >"$work/listed"
  kills "$work/results.txt" | diff "$work/listed" -
fi
