# What ./locklab, ./test and .ci/run share: Debian packages, and builds that stay quiet. POSIX sh, sourced.
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck shell=sh disable=SC2034,SC2154
# The caller sets top (the repository) and me (its name in messages). All talk goes to stderr.

run_packages="cmake ninja-build g++ ccache libboost-fiber1.81-dev liblua5.1-0-dev libxxhash-dev
  nlohmann-json3-dev libcli11-dev libfmt-dev"
test_packages="git libgtest-dev libgmock-dev librapidcheck-dev clang clang-format clang-tidy
  parallel redis-server"
bench_packages="libbenchmark-dev valgrind"
nightly_packages="gcovr libclang-rt-14-dev debootstrap python3-yaml shellcheck"

say() { printf '%s: %s\n' "$me" "$*" >&2; }

# Exit code 69: "service unavailable" of sysexits.h; a verb never uses it.
give_up() {
  say "$*"
  exit 69
}

# missing_packages PACKAGE... prints those that are not installed.
missing_packages() {
  for package in "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=none
    [ "$status" = installed ] || printf '%s ' "$package"
  done
}

# ensure_packages PACKAGE... installs what is missing: as root, else through sudo, else not at all.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    say "this is not Debian, so nothing is installed; the build needs what these packages hold:" "$@"
    return
  fi
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  as_root=
  if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    # Without a terminal nobody can type a password.
    if [ -t 0 ]; then can_sudo="sudo -v"; else can_sudo="sudo -n true"; fi
    if ! command -v sudo >/dev/null 2>&1 || ! $can_sudo >&2; then
      say "packages are missing, and this user may not install them; please run as root:"
      printf '  apt-get update && apt-get install -y --no-install-recommends %s\n' "${missing% }" >&2
      exit 69
    fi
  fi
  say "installing ${missing% }"
  log=$(mktemp) || give_up "no temporary file can be written"
  # shellcheck disable=SC2086  # Both are lists of words.
  if ! { apt_get update && apt_get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    give_up "the packages could not be installed"
  fi
  rm -f "$log"
}

apt_get() {
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null
}

# show_progress LOG copies ninja's output to LOG and says once that there is work, with a counter on terminals.
show_progress() {
  told=
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    case $line in
      '[0/'*) continue ;;
      '['*/*) ;;
      *) continue ;;
    esac
    if [ -t 2 ]; then
      printf '\r%s: building %s]\033[K' "$me" "${line%%]*}" >&2
    elif [ -z "$told" ]; then
      say "building (the first time takes some minutes)"
    fi
    told=yes
  done
  if [ -n "$told" ] && [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# build_preset PRESET [cmake --build arguments] configures when needed and builds; its log is shown on failure.
build_preset() {
  preset=$1
  shift
  mkdir -p "$top/build"
  log=$top/build/$preset.log
  # One build at a time in one directory; the lock goes with the process.
  exec 9>"$top/build/$preset.lock"
  if command -v flock >/dev/null 2>&1; then flock 9; fi
  : >"$log"
  ninja=$top/build/$preset/build.ninja
  # Ninja notices changed lists by itself, but not changed presets.
  if [ ! -f "$ninja" ] || [ -n "$(find "$top/CMakePresets.json" -newer "$ninja")" ]; then
    (cd "$top" && cmake --preset "$preset") >>"$log" 2>&1 9>&- || build_failed "$log"
  fi
  failed=$( { { cmake --build "$top/build/$preset" "$@" 2>&1 9>&- || echo failed >&3; } |
    show_progress "$log" >&2; } 3>&1)
  exec 9>&-
  [ -z "$failed" ] || build_failed "$log"
}

build_failed() {
  tail -n 40 "$1" >&2
  give_up "the build failed; all of it is in $1"
}

# our_sources prints the C++ files of the repository, also those not committed yet.
our_sources() {
  if git_here rev-parse --git-dir >/dev/null 2>&1; then
    git_here ls-files --cached --others --exclude-standard -- '*.h' '*.cpp' | while IFS= read -r file; do
      if [ -f "$top/$file" ]; then printf '%s\n' "$file"; fi
    done
  else
    (cd "$top" && find . -path ./build -prune -o -name '*.h' -print -o -name '*.cpp' -print) | sed 's|^\./||'
  fi | sort
}

# git on this repository, whoever owns its folder: in containers that is often somebody else.
git_here() { git -c safe.directory="$top" -C "$top" "$@"; }
