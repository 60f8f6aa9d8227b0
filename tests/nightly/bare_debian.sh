# The README's first command on a Debian 12 that has nothing installed, from another folder.
# SPDX-License-Identifier: Apache-2.0
set -u
[ "$(id -u)" = 0 ] || exit 77  # Only root can make a root.

root=$(mktemp -d)
trap 'rm -rf "$root" "$root.log"' EXIT
debootstrap --variant=minbase bookworm "$root" >"$root.log" 2>&1 || {
  tail -n 20 "$root.log"
  exit 1
}
mkdir "$root/src"
tar -c --exclude=./build --exclude=./.git . | tar -x -C "$root/src" || exit 1
cp /etc/resolv.conf "$root/etc/"
chroot "$root" /bin/sh -c 'cd /usr && /src/locklab </dev/null'
