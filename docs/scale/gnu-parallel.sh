#!/bin/sh
# gnu-parallel.sh DIR N CHECK...: one check in N shards, side by side by GNU parallel, and their merge.
# SPDX-License-Identifier: Apache-2.0
#
# sh gnu-parallel.sh parts 8 my-lock.json --seeds 1..1000000
#
# LOCKLAB names the program. PARALLEL holds options of parallel's own, such as
# "--sshloginfile hosts --workdir ." for other machines that see the same directory.
set -u
dir=$1
n=$2
shift 2
locklab=${LOCKLAB:-locklab}
mkdir -p "$dir" || exit

# Words as the shell reads them again: a script of its own keeps them from parallel, which would
# replace what looks like {} in them.
words() {
  for word; do
    printf " '%s'" "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")"
  done
}

# One process for each shard, and no threads: parallel keeps the processors busy. Exit code 1 is a
# violation, which merge will tell; anything above is a shard that is not there.
cat >"$dir/shard.sh" <<END || exit
i=\$1 n=$n
$(words "$locklab") check$(words "$@") --jobs 1 --shard "\$((i+1))/\$n" --out$(words "$dir")
code=\$?
[ \$code -le 1 ] || exit \$code
END
seq 0 $((n - 1)) | parallel --quote sh "$dir/shard.sh" >&2 || exit

exec "$locklab" merge "$dir"/check-*-of-"$n".json
