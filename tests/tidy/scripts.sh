#!/bin/sh
# Asks the shell whether it can read each script of the tree, without running any: scripts.sh [TOP].
# SPDX-License-Identifier: Apache-2.0
set -u
cd "${1:-.}" || exit 1
list=$(mktemp) || exit 1
trap 'rm -f "$list"' EXIT
find . \( -name build -o -name node_modules -o -name '.?*' ! -name .ci \) -prune -o -type f -print |
  sort >"$list"
status=0
scripts=0
while IFS= read -r file; do
  case ${file##*/} in
    *.sh) ;;
    *.*) continue ;;
    *)
      first=
      IFS= read -r first <"$file"
      [ "$first" = '#!/bin/sh' ] || continue
      ;;
  esac
  scripts=$((scripts + 1))
  if ! said=$(sh -n "$file" 2>&1); then
    echo "scripts: $file is no script: $said"
    status=1
  fi
done <"$list"
if [ "$scripts" -eq 0 ]; then
  echo "scripts: there are none here"
  exit 1
fi
[ $status -eq 0 ] && echo "scripts: $scripts can be read"
exit $status
