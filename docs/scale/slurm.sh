#!/bin/sh
# slurm.sh DIR N CHECK...: one check as an array of N Slurm tasks, and their merge as the job after it.
# SPDX-License-Identifier: Apache-2.0
#
# sh slurm.sh parts 64 my-lock.json --seeds 1..100000000
#
# Started by hand it submits itself; each task of the array is one shard. DIR and the scenario must
# be seen by all nodes. LOCKLAB names the program; options of sbatch go into the lines below or
# into SBATCH_* variables.
#SBATCH --job-name=locklab
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
set -u
dir=$1
n=$2
locklab=${LOCKLAB:-locklab}

if [ -z "${SLURM_ARRAY_TASK_ID-}" ]; then
  mkdir -p "$dir" || exit
  job=$(sbatch --parsable --array="0-$((n - 1))" "$0" "$@") || exit
  # afterany: a violation ends its task with exit code 1; a shard that is missing is refused by merge.
  sbatch --parsable --dependency="afterany:${job%%;*}" --job-name=locklab-merge \
    --output="$dir/merged.txt" --wrap "'$locklab' merge '$dir'/check-*-of-$n.json"
  exit
fi

i=$SLURM_ARRAY_TASK_ID
shift 2
exec "$locklab" check "$@" --jobs "${SLURM_CPUS_PER_TASK:-1}" --shard "$((i + 1))/$n" --out "$dir"
