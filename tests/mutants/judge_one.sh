# judge_one.sh ROW: builds one mutant, prints its row with what the tests and the search say of it.
# SPDX-License-Identifier: Apache-2.0
#
# Run in the top folder by tests/nightly/mutants.sh, which has built everything.
set -u
. tests/mutants/build_one.sh
row=$1
id=$(printf '%s' "$row" | cut -f1)
group=$(printf '%s' "$row" | cut -f2)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# within_limits COMMAND...: a mutant may loop for ever, and collect memory on the way. Of its own time, not
# of the wall's: a busy machine must not kill it.
within_limits() {
  (
    ulimit -S -t 60
    ulimit -v 6000000
    exec "$@"
  )
}
too_long=152  # 128 + SIGXCPU.

# not_the_machine CODE: ends with no row where it is this machine's trouble, and not the mutant's: nothing that
# could be started, a bad use, or somebody's SIGKILL, such as that of a system without memory.
not_the_machine() {
  case $1 in 64 | 126 | 127 | 137)
    echo "judge_one.sh: $id: exit code $1" >&2
    exit 1
    ;;
  esac
}

if ! compile_mutant "$id"; then
  printf '%s\tstillborn\t-\n' "$row"
  exit
fi

case $group in
  locks) tests='models_unit labels_unit' search="locks $locks" ;;
  servers) tests='sim_redis_unit sim_redis_prop sim_faults_unit conformance_redis_conformance' search=all ;;
  properties) tests='properties_unit properties_prop' search=all ;;
  # They judge no run.
  linearizability) tests='properties_linearizability_unit properties_linearizability_prop' search=- ;;
  *) exit 1 ;;
esac

unit=-
for test in $tests; do
  link "$test"
  # Mutants.* are these tests' own proof, and look at other sources.
  within_limits "$dir/$test" --gtest_fail_fast --gtest_filter='-Mutants.*' >"$dir/out" 2>&1
  code=$?
  [ $code != 0 ] || continue
  not_the_machine $code
  # The first that failed; else the one that was running.
  unit=$(sed -n 's/^\[  FAILED  \] \([^ ,]*\).*/\1/p' "$dir/out" | head -n 1)
  [ -n "$unit" ] || unit=$(sed -n 's/^\[ RUN      \] //p' "$dir/out" | tail -n 1)
  if [ -z "$unit" ]; then
    echo "judge_one.sh: $id: $test has run no test" >&2
    exit 1
  fi
  break
done

if [ "$search" = - ]; then
  printf '%s\t%s\t-\n' "$row" "$unit"
  exit
fi
link mutants_judge
# shellcheck disable=SC2086  # A list of words.
found=$(within_limits "$dir/mutants_judge" $search 2>/dev/null)
code=$?
not_the_machine $code
[ $code = 0 ] || found="fails 0 signal $((code - 128))"
[ $code != $too_long ] || found=timeout
# How much a search that finds nothing has run is of no use to the list: it changes with every story.
case $found in holds*) found=holds ;; esac
printf '%s\t%s\t%s\n' "$row" "$unit" "$found"
