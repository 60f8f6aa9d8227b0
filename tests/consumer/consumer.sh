# consumer.sh BUILD [--write]: docs/testing.md, done as its reader does it, and what must come of it.
# SPDX-License-Identifier: Apache-2.0
#
# tests/tutorial/tutorial.sh compares what the page shows; here stands what must be so whatever it shows.
set -u
top=$(dirname "$(readlink -f "$0")")/../..
# Always the same place, so that ccache knows what it compiles.
dir=$(readlink -f "$1")/consumer
rm -rf "$dir"
mkdir "$dir" || exit 1
status=0
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
# What the page says of seeds and replays is so without these.
unset LOCKLAB_SEED LOCKLAB_REPLAY RC_PARAMS

TUTORIAL_DIR=$dir sh "$top/tests/tutorial/tutorial.sh" "$top/docs/testing.md" "$1" ${2-} || status=1
cd "$dir/lock" || exit 1
LOCKLAB_BUILD=$(dirname "$dir")

# must WHAT COMMAND...: the command succeeds.
must() {
  what=$1
  shift
  "$@" >"$dir/must" 2>&1 && return
  echo "not so: $what"
  cat "$dir/must"
  status=1
}

# The first two files of the page are the example.
for name in lock_test.cpp CMakeLists.txt; do
  for block in "$dir"/blocks/*.name; do
    [ "$(cat "$block")" = "$name" ] || continue
    must "examples/consumer/$name is what the page shows" \
      cmp "$top/examples/consumer/$name" "${block%.name}.file"
  done
done

example=$top/examples/consumer/lock_test.cpp
line=$(grep -n 'EXPECT_HOLDS(world, double_ownership' "$example" | cut -d: -f1)
must 'the failure stands at the line of the expectation' grep -q "/lock_test.cpp:$line: Failure" found.txt
must 'the text has a token' grep -q '^replay  LOCKLAB_REPLAY=ll1:checkout-never-has-two-inside@' found.txt
must 'it is replayed' grep -qx 'locklab: replayed by LOCKLAB_REPLAY, identical: double-ownership violated' again.txt

token=$(sed -n 's/^replay  .*LOCKLAB_REPLAY=\([^ ]*\) .*/\1/p' worlds.txt)
must 'the XML has the token of the text' grep -q "<property name=\"locklab.replay\" value=\"$token\"/>" junit.xml
must 'a drawn world is replayed' grep -q '^locklab: replayed by LOCKLAB_REPLAY, identical' again.txt

# A wrong name of a property is no program.
sed 's/double_ownership/duble_ownership/' lock_test.cpp >wrong.cpp
must 'a wrong name of a property does not compile' sh -c "! ${CXX:-c++} -std=c++20 -fsyntax-only -I. \
  -I'$top' -I'$top/testkit/include' -I'$LOCKLAB_BUILD/include' wrong.cpp 2>wrong.txt"
must 'and is told by its name' grep -q "error: .*duble_ownership.* was not declared\|undeclared identifier 'duble" wrong.txt

# A token of this test's name and of another world.
LOCKLAB_REPLAY=ll1:checkout-lets-the-next-one-in@00000000:s1.00000000 build/lock_test >other.txt 2>&1
must 'a token of another world is a failure that names both' \
  grep -q "the token's world has the hash 00000000, this test's [0-9a-f]\{8\}" other.txt
must 'the other test is skipped' grep -q 'SKIPPED.*Checkout.NeverHasTwoInside' other.txt
LOCKLAB_SEDE=1 build/lock_test >/dev/null 2>typo.txt
must 'one line warns of a name that means nothing' \
  test "$(cat typo.txt)" = 'locklab: warning: LOCKLAB_SEDE means nothing to locklab; did you mean "LOCKLAB_SEED"?'
must 'ctest has each test under its label' test "$(ctest --test-dir build -N -L locklab | grep -c ' Test ')" = 4
exit $status
