#!/bin/sh
# quiet.sh BUILD [FILE..]: the C text of programs (executable, library, server) gives no warning to
# a plain gcc or clang with -Wall -Wextra, for OpenCL too, and begins with the flags to compile it with.  The
# compilers only read the text; of a few programs they compile it, which warns of more, and read all
# three kinds, which differ by their main function.
build=${1:-build}
[ $# = 0 ] || shift
dagaz=$(cd "$build" && pwd)/dagaz
cd "$(dirname "$0")/.." || exit 1
[ $# -gt 0 ] || set -- tests/run/*.fut examples/*.fut
passed=0; failed=0; skipped=0
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
silent() {  # LABEL COMMAND..
  label=$1; shift
  if "$@" > "$tmp/out" 2>&1 && [ ! -s "$tmp/out" ]; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "$label:"; grep -m 3 -E 'warning|error' "$tmp/out"; fi
}
compilers=
for cc in gcc clang; do
  if command -v $cc > /dev/null; then compilers="$compilers $cc"; else skipped=$((skipped + 1)); fi
done
n=0
for file in "$@"; do
  n=$((n + 1))
  modes=library
  [ $((n % 6)) != 0 ] || modes="executable library server"
  for mode in $modes; do
    # Programs without an entry point, and such as are to be rejected.
    "$dagaz" c -w --c-only --$mode -o "$tmp/a" "$file" > /dev/null 2>&1 || continue
    head -4 "$tmp/a.c" | grep -q -e '-march=native' || { echo "$file: no flags"; failed=$((failed + 1)); }
    how=-fsyntax-only
    [ $((n % 12)) = 0 ] && [ $mode != server ] && how=-c
    for cc in $compilers; do
      silent "$file, $mode, $cc $how" $cc -O2 -Wall -Wextra $how -o /dev/null "$tmp/a.c"
    done
    [ $mode = library ] || continue
    echo "#include \"a.h\"" > "$tmp/h.c"
    silent "$file, header" gcc -Wall -Wextra -fsyntax-only "$tmp/h.c"
  done
done
for file in "$@"; do
  "$dagaz" opencl -w --c-only -o "$tmp/a" "$file" > /dev/null 2>&1 || continue
  for cc in $compilers; do
    silent "$file, opencl, $cc" $cc -O2 -Wall -Wextra -fsyntax-only "$tmp/a.c"
  done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
