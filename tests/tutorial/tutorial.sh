# tutorial.sh PAGE BUILD [--write]: does what a tutorial tells its reader to do, and compares what it shows.
# SPDX-License-Identifier: Apache-2.0
#
# A fenced block with a file's name behind its language is that file. One of `sh` is run in the reader's
# folder; one of `text` that follows it is all that it prints. --write renews what is shown.
set -u
page=$(readlink -f "$1")
LOCKLAB_BUILD=$(readlink -f "$2")
export LOCKLAB_BUILD
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/lock" "$dir/blocks"

# One file for each block: NUMBER.LANGUAGE, or NUMBER.file with its name in NUMBER.name.
awk -v dir="$dir/blocks" '
  /^```/ && inside { inside = 0; close(out); next }
  /^```/ {
    inside = 1
    number++
    language = substr($1, 4)
    out = sprintf("%s/%03d.%s", dir, number, NF > 1 ? "file" : language)
    printf "" >out
    if (NF > 1) print $2 >sprintf("%s/%03d.name", dir, number)
    next
  }
  inside { print >out }' "$page"

: >"$dir/out"
ran=0
compared=0
status=0
for block in "$dir"/blocks/*; do
  case $block in
    *.file) cp "$block" "$dir/lock/$(cat "${block%.file}.name")" ;;
    *.sh)
      (cd "$dir/lock" && sh "$block") >"$dir/out" 2>&1 </dev/null
      ran=$((ran + 1))
      ;;
    *.text)
      compared=$((compared + 1))
      [ "${3-}" = --write ] || diff "$block" "$dir/out" || status=1
      cp "$dir/out" "$block"
      ;;
  esac
done
if [ "${3-}" = --write ]; then
  awk -v dir="$dir/blocks" '
    /^```/ && inside { inside = 0; print; next }
    /^```/ {
      inside = 1
      number++
      print
      block = sprintf("%s/%03d.text", dir, number)
      if ($0 == "```text") while ((getline line <block) > 0) print line
      text = $0 == "```text"
      next
    }
    !inside || !text' "$page" >"$dir/page" && cp "$dir/page" "$page"
fi
echo "$ran commands, $compared outputs"
# A page that shows nothing, or of which nothing was read, proves nothing.
[ "$ran" -ge 4 ] && [ "$compared" -ge 4 ] || status=1
exit $status
