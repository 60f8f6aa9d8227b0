#!/bin/sh
# Replays committed tokens: a model that has changed says so. golden_tokens.sh LOCKLAB FILE [--write].
# SPDX-License-Identifier: Apache-2.0
#
# Whoever keeps a token trusts that the same model epoch gives the same bytes. Two runs of one
# build cannot show that a build differs from those before it; tokens of an earlier one can.
set -u
locklab=$1
file=$2
stories='calm crash-between-setnx-and-expire everysec-power-loss failover-forgets-lock late-write
redlock-clock-jump retried-unlock trace-id-fans-out wait-is-not-enough watchdog-leaks'
shrunk='failover-forgets-lock late-write watchdog-leaks'
renew="sh tests/digest/golden_tokens.sh $locklab $file --write"

epoch=$("$locklab" version --json | sed -n 's/.*"model_epoch": *\([0-9]*\).*/\1/p')
if [ -z "$epoch" ]; then
  echo "golden_tokens: $locklab has no model epoch"
  exit 1
fi

token_in() {
  sed -n 's/^replay  locklab replay \(ll1:[^ ]*\)$/\1/p' | tail -n 1
}

if [ "${3-}" = --write ]; then
  {
    echo "epoch $epoch"
    for story in $stories; do
      "$locklab" run "$story" --seed 7 2>/dev/null </dev/null | token_in
    done
    for story in $shrunk; do
      "$locklab" check "$story" 2>/dev/null </dev/null | token_in
    done
  } >"$file"
fi

status=0
tokens=0
recorded=
while read -r token rest; do
  if [ "$token" = epoch ]; then
    recorded=$rest
    continue
  fi
  tokens=$((tokens + 1))
  said=$("$locklab" replay "$token" 2>&1 </dev/null)
  code=$?
  # 1: the run violates what it violated when it was kept.
  if [ $code -ne 0 ] && [ $code -ne 1 ]; then
    echo "golden_tokens: $token: exit code $code"
    printf '%s\n' "$said" | head -n 4
    status=1
    case $said in
      *'scenario is not the recorded one'*) echo "golden_tokens: the story has changed: $renew" ;;
      *)
        if [ "$recorded" = "$epoch" ]; then
          echo 'golden_tokens: bump kModelEpoch, or find what changed'
        fi
        ;;
    esac
  fi
done <"$file"
if [ "$recorded" != "$epoch" ]; then
  echo "golden_tokens: of model epoch ${recorded:-unknown}, and this is $epoch: $renew"
  status=1
fi
if [ "$tokens" -ne 13 ]; then
  echo "golden_tokens: $tokens tokens in $file, not 13"
  status=1
fi
[ $status -eq 0 ] && echo "golden_tokens: $tokens tokens of model epoch $epoch give the same digests"
exit $status
