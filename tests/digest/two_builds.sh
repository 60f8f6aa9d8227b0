#!/bin/sh
# Builds the digests program with clang -O3 and compares it with the given one: two_builds.sh TOP A SEEDS.
# SPDX-License-Identifier: Apache-2.0
set -u
top=$1
command -v clang++ >/dev/null 2>&1 || exit 77
cd "$top" || exit 1
log=$(mktemp) || exit 1
if ! { cmake --preset clang && cmake --build --preset clang --target digests; } >"$log" 2>&1; then
  tail -n 30 "$log"
  rm -f "$log"
  exit 1
fi
rm -f "$log"
sh tests/digest/same_digests.sh "$2" "$top/build/clang/bin/digests" "$3"
