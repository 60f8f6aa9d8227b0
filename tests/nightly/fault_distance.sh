# Measures docs/fault-distance.md anew: fault_distance.sh --write renews it; else compares it.
# SPDX-License-Identifier: Apache-2.0
#
# Any difference fails, and names the lock, the resource and the property: a smaller distance is a
# regression even when every seed of every search passes, a greater one a claim to be looked at.
set -u
top=$(pwd -P)
me=fault_distance
. "$top/.ci/setup.sh"

case "$*" in
  '' | --write) ;;
  *)
    say 'usage: fault_distance.sh [--write]'
    exit 64
    ;;
esac

(build_preset dev --target distance) || exit 1
page=$top/docs/fault-distance.md
work=$(mktemp -d) || give_up "no temporary folder can be written"
trap 'rm -rf "$work"' EXIT
"$top/build/dev/bin/distance" >"$work/out" || give_up "the measurement failed"
{ echo && cat "$work/out" && echo; } >"$work/distances"

awk -v work="$work" '
  /^<!-- distances: begin/ { print; while ((getline line <(work "/distances")) > 0) print line; skip = 1 }
  /^<!-- distances: end/ { skip = 0 }
  !skip' "$page" >"$work/page.md"

if [ "${1-}" = --write ]; then
  cp "$work/page.md" "$page"
  exit
fi

# A row is a lock, a column a property; the row that begins with "at" names the resource.
awk '
  /^    at / { resource = $2; split($0, column); next }
  !/^    [a-z0-9-]+ +[-0-9<= ]+$/ { next }
  {
    for (i = 2; i <= NF; i++) {
      cell = $1 " at " resource ", " column[i + 1]
      if (FNR == NR) before[cell] = $i
      else if (before[cell] != $i) {
        was = before[cell]
        smaller = $i != "-" && (was == "-" || $i < was) ? ": SMALLER" : ""
        print cell ": " (was == "" ? "nothing" : was) " before, " $i " now" smaller
      }
    }
  }' "$page" "$work/page.md" >&2
diff "$page" "$work/page.md"
