#!/bin/sh
# each.sh DAGAZ: the files of tests/c/programs.  Their first line is
#   // HEAD | --length | --check-size | --check-range | source
# `source`: core has no such memory, so source transformation alone is compared with differences.
# For each, tangent and adjoint, also of several directions, must compile without warnings, and
# `dagaz cc --check` must agree for --vjp, --jvp and --jac, with both ways there.
dagaz=${1:-build/dagaz}
case $dagaz in /*) ;; *) dagaz=$(pwd)/$dagaz ;; esac
cd "$(dirname "$0")" || exit 1
here=$(pwd)
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
passed=0; failed=0
cd "$tmp" || exit 1
export CFLAGS=${CFLAGS:--O1}
bad() { failed=$((failed + 1)); echo "$name: $1"; head -8 said; }
field() { sed -n "1s/^\/\/ *//; 1s/^\([^|]*|\)\{$1\} *\([^|]*[^| ]\)\{0,1\} *|.*/\2/p" "$file"; }
make_all() {  # the four sources
  "$dagaz" tangent "$file" --head "$head" --length "$length" -o t &&
    "$dagaz" adjoint "$file" --head "$head" --length "$length" -o t &&
    "$dagaz" tangent "$file" --head "$head" --length "$length" --multi 3 -o t &&
    "$dagaz" adjoint "$file" --head "$head" --length "$length" --multi 3 -o t
}
for file in "$here"/programs/*.c; do
  name=$(basename "$file" .c)
  head=$(field 0); length=$(field 1); size=$(field 2); range=$(field 3)
  modes="vjp jvp jac"; other="makes no\|instead\|alone"
  [ "$(field 4)" != source ] || { modes="vjp jvp"; other="makes no"; }
  rm -f t_*
  if ! make_all > said 2>&1 || [ -s said ]; then bad "not made"; continue; fi
  if ! gcc -Wall -Wextra -Wno-implicit-fallthrough -Wno-maybe-uninitialized -Werror -O1 -c t_d.c t_b.c t_dv.c t_bv.c > said 2>&1
  then bad "does not compile without warnings"; continue; fi
  ok=1
  for mode in $modes; do
    "$dagaz" cc --$mode "$file" -e "$head" --length "$length" --check ${size:+--check-size "$size"} \
      ${range:+--check-range "$range"} > said 2>&1
    if [ $? != 0 ] || grep -q "$other" said; then bad "--$mode"; ok=0; break; fi
  done
  [ $ok = 0 ] || passed=$((passed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
