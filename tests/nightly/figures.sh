# Renews docs/figures.md with what the long tests print: figures.sh --write; else compares it.
# SPDX-License-Identifier: Apache-2.0
set -u
top=$(pwd -P)
me=figures
. "$top/.ci/setup.sh"

(build_preset dev) || exit 1
bin=$top/build/dev/bin
seed=$(sed -n 's/^LOCKLAB_RC_SEED:STRING=//p' "$top/build/dev/CMakeCache.txt")
work=$(mktemp -d) || give_up "no temporary folder can be written"
trap 'rm -rf "$work"' EXIT

# figures NAME PROGRAM [ARGUMENT...]: what a test prints for people begins with two spaces.
figures() {
  name=$1
  shift
  RC_PARAMS="seed=$seed" "$@" >"$work/out" || {
    tail -n 20 "$work/out"
    give_up "$name failed"
  }
  { echo && sed -n 's/^  /    /p' "$work/out" && echo; } >"$work/$name"
}

figures stories "$bin/verdicts_nightly"
figures fencing "$bin/search_prop" --gtest_filter='Fencing.*'
figures controls "$bin/controls_nightly"
figures liveness "$bin/liveness_nightly"
figures alignment "$bin/alignment_nightly"

awk -v work="$work" '
  /^<!-- .*: begin/ { print; while ((getline line <(work "/" $2 "")) > 0) print line; skip = 1 }
  /^<!-- .*: end/ { skip = 0 }
  !skip' FS='[ :]' "$top/docs/figures.md" >"$work/figures.md"

if [ "${1-}" = --write ]; then
  cp "$work/figures.md" "$top/docs/figures.md"
else
  diff "$top/docs/figures.md" "$work/figures.md"
fi
