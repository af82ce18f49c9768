#!/bin/sh
# Tests the examples in the documentation comments of lib/: every line `EXPRESSION --> VALUE` of an
# indented block.  The imports and modules are those of the file's first comment, or, where that has
# none, of the file that lib/FOLDER.fut is for lib/FOLDER/*.fut.   lib_examples.sh BUILD [FILE..]
build=${1:-build}; shift
cd "$(dirname "$0")/.." || exit 1
out="$build/lib-examples"; rm -rf "$out"; mkdir -p "$out"
[ $# -gt 0 ] || set -- $(grep -l -e '-- *     .* --> ' -r lib | LC_ALL=C sort)
header() {  # the indented lines of the opening comment that are declarations
  sed -n '/^--/!q; s/^--     \(\(open \)\{0,1\}import .*\|module .*\)/\1/p' "$1"
}
for file in "$@"; do
  name=$(echo "${file#lib/}" | sed 's/\.fut$//; s,/,-,g')
  head=$(header "$file")
  [ -n "$head" ] || head=$(header "$(dirname "$file").fut")
  [ -n "$head" ] || { echo "$file: no import in its first comment"; echo "0 passed, 1 failed"; exit 1; }
  { echo "$head"
    awk '/^ *--      *.* --> / {
           sub(/^ *-- */, ""); i = index($0, " --> ")
           printf "-- ==\n-- entry: line%d\n-- input {} output { %s }\nentry line%d = %s\n",
                  NR, substr($0, i + 5), NR, substr($0, 1, i - 1) }' "$file"
  } > "$out/$name.fut"
done
exec "$build/dagaz" test --interp "$out"
