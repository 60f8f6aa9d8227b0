# libFuzzer on what users and strangers write, a minute for each kind of input.
# SPDX-License-Identifier: Apache-2.0
set -u
top=$(pwd -P)
build=$top/build/fuzz
seconds=${LOCKLAB_FUZZ_SECONDS:-60}

mkdir -p "$build"
flags='-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -mllvm -asan-stack=0'
if ! { cmake -S "$top" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_CXX_FLAGS_DEBUG="$flags" -DLOCKLAB_FUZZ=ON &&
    cmake --build "$build" --target corpus_fuzz history_fuzz scenario_fuzz token_fuzz trace_fuzz; } >"$build/build.txt" 2>&1; then
  tail -n 40 "$build/build.txt"
  exit 1
fi

for input in corpus history scenario token trace; do
  # The first folder takes what is new; a crash is written beside it. The corpus only gives.
  mkdir -p "$build/found/$input" "$build/crashes"
  if ! "$build/bin/${input}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
      -artifact_prefix="$build/crashes/$input-" "$build/found/$input" "$top/tests/fuzz/corpus/$input" \
      >"$build/$input.txt" 2>&1; then
    tail -n 40 "$build/$input.txt"
    echo "copy the input from $build/crashes into tests/fuzz/corpus/$input, then fix"
    exit 1
  fi
  grep '^Done' "$build/$input.txt"
done
