#!/bin/sh
# Shows that lock code cannot read true time: a lock compiles, its twins do not: twins.sh TOP LOCK.
# SPDX-License-Identifier: Apache-2.0
#
# Each twin differs by one line, and it is that line which must be refused. Uses $CXX.
set -u
top=$1
lock=$2
compiler=${CXX:-c++}

refused=$(mktemp) || exit 1
trap 'rm -f "$refused"' EXIT
# compiles MACRO: messages stay in $refused.
compiles() {
  LC_ALL=C "$compiler" -std=c++20 -fsyntax-only -I "$top" "-D$1" "$lock" 2>"$refused"
}

if ! compiles TWIN_none; then
  cat "$refused"
  echo "twins: the honest lock does not compile"
  exit 1
fi
status=0
twins=0
for twin in $(sed -n 's/.*defined(\(TWIN_[a-z_]*\)).*/\1/p' "$lock"); do
  twins=$((twins + 1))
  line=$(($(grep -n "defined($twin)" "$lock" | cut -d: -f1) + 1))
  if compiles "$twin"; then
    echo "twins: $twin compiles"
    status=1
  elif [ "$(grep 'error:' "$refused" | head -n 1 | grep -c ":$line:")" -ne 1 ]; then
    cat "$refused"
    echo "twins: $twin is refused, but not for line $line"
    status=1
  fi
done
if [ "$twins" -lt 8 ]; then
  echo "twins: only $twins twins found in $lock"
  status=1
fi
[ $status -eq 0 ] && echo "twins: the lock compiles, $twins twins do not"
exit $status
