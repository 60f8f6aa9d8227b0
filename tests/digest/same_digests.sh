#!/bin/sh
# Compares the digests of two builds, processes or numbers of threads: same_digests.sh A B SEEDS.
# SPDX-License-Identifier: Apache-2.0
#
# A and B are programs (the same one twice is fine). The second process runs on two threads, with
# every fresh byte of its heap set to 0xa5; the stacks of fibers hold 0x00 in the first, 0xff there.
set -u
a=$1
b=$2
seeds=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
MALLOC_PERTURB_=0 "$a" 1 "$seeds" 1 0 >"$work/a" || exit 1
MALLOC_PERTURB_=90 "$b" 1 "$seeds" 2 255 >"$work/b" || exit 1
lines=$(wc -l <"$work/a")
if [ "$lines" -lt "$seeds" ]; then
  echo "same_digests: only $lines lines for $seeds seeds"
  exit 1
fi
if ! cmp -s "$work/a" "$work/b"; then
  echo "same_digests: $a and $b differ, first in:"
  diff "$work/a" "$work/b" | head -n 4
  exit 1
fi
echo "same_digests: $lines digests agree"
