# Sourced in the top folder: compile_mutant ID and link PROGRAM; what is built stands in $dir.
# SPDX-License-Identifier: Apache-2.0
#
# Nothing of build/dev is changed: the mutated objects stand before the libraries in a copy of each program's
# link command.
build=$(pwd -P)/build/dev

# command_for TARGET: how ninja builds it.
command_for() { ninja -C "$build" -t commands "$1" | tail -n 1; }

# compile_mutant ID: 1 if it does not compile; sets $locks, the names that its files may have as locks.
compile_mutant() {
  sources=$("$build/bin/mutants" . write "$1" "$dir") || exit 1
  objects=
  locks=
  for source in $sources; do
    layer=${source%%/*}
    object=$dir/$(printf '%s' "$source" | tr / _).o
    compile=$(command_for "$layer/CMakeFiles/locklab_$layer.dir/${source#*/}.o" |
      sed -e "s@ -o [^ ]* -c .*@ -w -o '$object' -c '$dir/$source'@" -e "s@ -I@ -I'$dir' -I@" \
        -e 's@ -Werror@@; s@ -g @ @; s@ -MD -MT [^ ]* -MF [^ ]*@@')
    (cd "$build" && eval "$compile") >"$dir/compiler.txt" 2>&1 || return 1
    objects="$objects '$object'"
    locks="$locks $(basename "$source" .cpp | tr _ -)"
  done
}

# link PROGRAM: the same with the mutant, in $dir.
link() {
  (cd "$build" && eval "$(command_for "bin/$1" |
    sed -e "s@ -o bin/$1 @ -o '$dir/$1' @" -e "s@ \([^ ]*\.o\) @ $objects \1 @")") ||
    exit 1
}
