#!/bin/sh
# programs.sh DAGAZ: the functions of tests/c/fast/programs.c differentiated by `dagaz cc`, against
# `dagaz adjoint` where that accepts them, and differences.
dagaz=${1:-build/dagaz}
case $dagaz in /*) ;; *) dagaz=$(pwd)/$dagaz ;; esac
cd "$(dirname "$0")" || exit 1
here=$(pwd)
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
passed=0; failed=0
bad() { failed=$((failed + 1)); echo "$f: $1"; head -8 said; }
cp fast/programs.c "$tmp" && cd "$tmp" || exit 1
export CFLAGS=${CFLAGS:--O1}
for f in $(sed -n 's/^double \([a-z]*\)(int n, double \*x) {$/\1/p' programs.c); do
  both=
  if "$dagaz" adjoint programs.c --head "$f($f x)/(x)" --length "x[n]" -o r > /dev/null 2>&1; then
    sed "s/\\b${f}_b\\b/${f}_r/g" r_b.c > s.c; sed "s/\\b${f}_b\\b/${f}_r/g" r_b.h > r_b.h.new
    mv r_b.h.new r_b.h; both="-DBOTH s.c"
  fi
  if ! "$dagaz" cc -c --verify --vjp --convention tapenade programs.c -e "$f($f x)/(x)" \
      --length "x[n]" -o f_b > said 2>&1 || grep -q "instead" said; then bad "not made"
  elif ! gcc -w -O0 -I"$here" -I. "-DF=$f" -o p "$here/fast_main.c" $both programs.c f_b.o -lm > said 2>&1
  then bad "does not link"
  elif ! ./p > said 2>&1; then grep -v "ok$" said > wrong; mv wrong said; bad "wrong"
  else passed=$((passed + 1)); [ -n "$both" ] || echo "$f: not by source transformation"; fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
