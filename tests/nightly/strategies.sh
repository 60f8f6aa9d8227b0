# Renews docs/strategies.md with what the strategies take: strategies.sh --write; else compares it.
# SPDX-License-Identifier: Apache-2.0
#
# Every broken story, and the eight mutants that the search of tests/nightly/mutants.sh took longest to kill by a
# violation; a lock that stays blocked is mostly an "unknown" there, which is not counted here.
set -u
top=$(pwd -P)
me=strategies
. "$top/.ci/setup.sh"
. "$top/tests/mutants/build_one.sh"

(build_preset dev --target strategies mutants) || exit 1
work=$(mktemp -d) || give_up "no temporary folder can be written"
trap 'rm -rf "$work"' EXIT

"$build/bin/strategies" "$(nproc)" >"$work/out" || give_up "the stories failed"
{ echo && sed -n '/^$/q; s/^  /    /p' "$work/out" && echo; } >"$work/stories"
{ echo && sed -n '1,/^$/d; s/^  /    /p' "$work/out" && echo; } >"$work/summary"

# Id, story, property; by the number of schedules to the kill.
grep -v '^#' tests/mutants/results.txt | awk -F '\t' '$2 != "properties" && $8 ~ /^promise/ && $8 !~ / eventual-release$/ {
  property = $8
  sub(".* ", "", property)
  story = $8
  sub("^promise [0-9]* ", "", story)
  sub(" [^ ]*$", "", story)
  split($8, word, " ")
  print word[2] "\t" $1 "\t" story "\t" property
}' | sort -k1,1nr -k2,2 | head -n 8 >"$work/list"
# shellcheck disable=SC2016  # For the other shell.
tr '\n' '\0' <"$work/list" | xargs -0 -r -P "$(nproc)" -I '{}' sh -c '
  . tests/mutants/build_one.sh
  id=$(printf "%s" "$1" | cut -f2)
  dir=$2/$id
  mkdir "$dir" && compile_mutant "$id" || exit 1
  link strategies
  "$dir/strategies" one "$id" "$(printf "%s" "$1" | cut -f3)" \
    "$(printf "%s" "$1" | cut -f4)" >"$2/row-$id"' sh '{}' "$work" || give_up "a mutant failed"
{
  echo
  sed -n '1s/^  /    /p' "$work/out"
  while IFS='	' read -r _ id story property; do
    sed "s/^  /    /; s/\$/  $property in $story/" "$work/row-$id"
  done <"$work/list"
  echo
} >"$work/mutants"

awk -v work="$work" '
  /^<!-- .*: begin/ { print; while ((getline line <(work "/" $2 "")) > 0) print line; skip = 1 }
  /^<!-- .*: end/ { skip = 0 }
  !skip' FS='[ :]' "$top/docs/strategies.md" >"$work/strategies.md"

if [ "${1-}" = --write ]; then
  cp "$work/strategies.md" "$top/docs/strategies.md"
else
  diff "$top/docs/strategies.md" "$work/strategies.md"
fi
