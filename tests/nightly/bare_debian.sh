# The README's two commands on a Debian 12 that has nothing installed, from another folder.
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
# As a stranger has it: what is committed, with its history.
git clone --quiet . "$root/src" || exit 1
cp /etc/resolv.conf "$root/etc/"
for command in locklab test; do
  start=$(date +%s)
  chroot "$root" /bin/sh -c "cd /usr && exec /src/$command" </dev/null || {
    echo "bare_debian: ./$command failed"
    exit 1
  }
  echo "bare_debian: ./$command took $(($(date +%s) - start)) s, with all that it installed and built"
done
