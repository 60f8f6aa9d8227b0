# scale.sh KIND PROGRAM: does what docs/scale says, on this machine, and compares with one check.
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck shell=sh
# KIND: parallel runs GNU parallel, slurm a stand-in for sbatch, kubernetes the commands of the
# manifest, shell the shells' own checks. Exit 77: what that needs is not installed.
set -u
kind=$1
program=$(readlink -f "$2")
here=$(dirname "$(readlink -f "$0")")
scale=$(readlink -f "$here/../../docs/scale")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
mkdir bin home
ln -s "$program" bin/locklab
PATH=$dir/bin:$PATH
HOME=$dir/home
export PATH HOME

cat >"my lock.json" <<'END'
{ "schema": 1, "name": "my-lock", "title": "it's a \"test\"",
  "clients": [{ "count": 2, "algorithm": "set-nx-px" }],
  "search": { "faults": { "of": ["pause"], "at": ["acq.return"], "max": 1 } } }
END
check() { # ARGUMENTS...: what one machine says
  locklab check "my lock.json" --seeds 1..300 "$@" >expected.txt 2>/dev/null
  code=$?
  [ $code = 1 ] || { echo "the check itself ends with exit code $code"; exit 1; }
}
# same FILE CODE: FILE is what one machine says, and so is its exit code.
same() {
  [ "$2" = 1 ] || { echo "exit code $2, not 1"; cat "$1" err.txt; exit 1; }
  diff expected.txt "$1" || exit 1
}

case $kind in
  parallel)
    command -v parallel >/dev/null || exit 77
    check --set 'expect={}'
    sh "$scale/gnu-parallel.sh" "some parts" 5 "my lock.json" --seeds 1..300 \
      --set 'expect={}' >merged.txt 2>err.txt
    same merged.txt $?
    # A shard that cannot run is no shard, and no verdict either.
    sh "$scale/gnu-parallel.sh" parts 3 no-such.json >merged.txt 2>err.txt && exit 1
    [ ! -s merged.txt ] || { echo "a verdict without shards"; exit 1; }
    ;;
  slurm)
    check
    cat >bin/sbatch <<'END'
#!/bin/sh
# Tasks one after another, each in its own environment; ends as if they had been queued.
[ "$1" = --parsable ] || exit 9
case $2 in
  --array=0-*)
    last=${2#--array=0-}
    shift 2
    i=0
    while [ "$i" -le "$last" ]; do
      SLURM_ARRAY_TASK_ID=$i SLURM_CPUS_PER_TASK=2 sh "$@" >>tasks.txt 2>&1
      echo "task $i: $?" >>codes.txt
      i=$((i + 1))
    done
    echo "17;cluster" ;;
  --dependency=afterany:17)
    for wrapped; do :; done
    sh -c "$wrapped" >merged.txt 2>err.txt
    echo $? >merged.code
    echo 18 ;;
  *) exit 9 ;;
esac
END
    chmod +x bin/sbatch
    sh "$scale/slurm.sh" parts 4 "my lock.json" --seeds 1..300 >jobs.txt || exit 1
    [ "$(wc -l <codes.txt)" = 4 ] || { cat tasks.txt; exit 1; }
    same merged.txt "$(cat merged.code)"
    ;;
  kubernetes)
    python3 -c 'import yaml' 2>/dev/null || exit 77
    mkdir scenario parts
    mv "my lock.json" scenario/my-lock.json
    python3 "$here/kubernetes.py" "$scale/kubernetes.yaml" "$dir" "1..300" >merged.txt 2>err.txt
    code=$?
    locklab check "$dir/scenario/my-lock.json" --seeds 1..300 >expected.txt 2>/dev/null
    same merged.txt $code
    ;;
  shell)
    for script in "$scale"/*.sh; do
      sh -n "$script" || exit 1
    done
    command -v shellcheck >/dev/null || exit 77
    shellcheck "$scale"/*.sh "$here/scale.sh"
    ;;
  *) exit 64 ;;
esac
