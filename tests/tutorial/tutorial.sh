# tutorial.sh PAGE BUILD [--write]: does what a tutorial tells its reader to do, and compares what it shows.
# SPDX-License-Identifier: Apache-2.0
#
# A fenced block with a file's name behind its language is that file. One of `sh` is run in the reader's
# folder, and must succeed; the one of `text` that follows it is all that it prints. --write renews what is
# shown, unless something is wrong with the commands themselves.
set -u
page=$(readlink -f "$1")
LOCKLAB_BUILD=$(readlink -f "$2")
export LOCKLAB_BUILD
dir=${TUTORIAL_DIR:-$(mktemp -d)} || exit 1
[ -n "${TUTORIAL_DIR-}" ] || trap 'rm -rf "$dir"' EXIT
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

# complain TEXT: the page is wrong, whatever its outputs are.
complain() {
  echo "$page: $*"
  wrong=1
}

ran=0
compared=0
wrong=0
differs=0
for block in "$dir"/blocks/*; do
  number=$(basename "$block")
  number=${number%.*}
  case $block in
    *.name | *.text) ;;
    *) [ ! -e "$dir/out" ] || complain "what command block $shown prints is not shown" ;;
  esac
  case $block in
    *.file) cp "$block" "$dir/lock/$(cat "${block%.file}.name")" ;;
    *.sh)
      (cd "$dir/lock" && sh "$block") >"$dir/out" 2>&1 </dev/null
      code=$?
      [ $code = 0 ] || {
        complain "block $number ends with exit code $code:"
        cat "$block" "$dir/out"
      }
      shown=$number
      ran=$((ran + 1))
      ;;
    *.text)
      [ -e "$dir/out" ] || {
        complain "block $number shows what no command prints"
        continue
      }
      compared=$((compared + 1))
      diff "$block" "$dir/out" || differs=1
      mv "$dir/out" "$block"
      ;;
  esac
done
[ ! -e "$dir/out" ] || complain "what command block $shown prints is not shown"
echo "$ran commands, $compared outputs"
# A page that shows nothing, or of which nothing was read, proves nothing.
if [ "$ran" -lt 4 ] || [ "$compared" -lt 4 ]; then complain "too little is shown"; fi
[ $wrong = 0 ] || exit 1
[ "${3-}" = --write ] || exit $differs
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
