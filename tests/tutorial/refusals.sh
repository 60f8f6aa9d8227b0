# refusals.sh: tutorial.sh accepts a page that is right, and none of those that are wrong.
# SPDX-License-Identifier: Apache-2.0
set -u
here=$(dirname "$(readlink -f "$0")")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
page=$dir/page.md
status=0

# command_block COMMAND [OUTPUT]: a block with the command, and one with its output if there is one.
command_block() {
  printf '```sh\n%s\n```\n\n' "$1"
  [ $# = 1 ] || printf '```text\n%s\n```\n\n' "$2"
}
three() {  # Commands, and a file.
  command_block 'echo 1' 1
  command_block 'echo 2; true' 2
  printf '```text file\n3\n```\n\n'
  command_block 'cat file' 3
}

# expect CODE WHAT [--write]: what becomes of the page.
expect() {
  sh "$here/tutorial.sh" "$page" "$dir" ${3-} >"$dir/out" 2>&1
  code=$?
  [ $code = "$1" ] && return
  echo "a page with $2: exit code $code, not $1"
  cat "$dir/out"
  status=1
}

{ three && command_block 'echo 4' 4; } >"$page"
expect 0 'nothing wrong'
{ three && command_block 'echo 4; exit 3' 4; } >"$page"
expect 1 'a command that fails'
cp "$page" "$dir/before"
expect 1 'a command that fails, to be renewed' --write
cmp "$page" "$dir/before" || status=1
{ three && command_block 'echo 4' && command_block 'echo 5' 5; } >"$page"
expect 1 'an output that is not shown'
{ three && command_block 'echo 4'; } >"$page"
expect 1 'a last output that is not shown'
three >"$page"
expect 1 'too little to prove anything'
{ three && command_block 'echo 4' 5; } >"$page"
expect 1 'another output'
expect 0 'another output, to be renewed' --write
grep -q '^> 4$' "$dir/out" || {
  echo 'what --write changes is not told'
  status=1
}
expect 0 'what has been renewed'
exit $status
