#!/bin/sh
# Tests the examples of the documents: every block fenced with ```futhark is a program with test
# blocks (or `error:` where it must be rejected).   examples.sh BUILD [--interp]
build=${1:-build}; mode=${2:---interp}
[ "$mode" = --compiled ] && mode=
cd "$(dirname "$0")/.." || exit 1
rm -rf "$build/examples"; mkdir -p "$build/examples"
for doc in doc/language.md doc/tutorial.md doc/lib.md; do
  awk -v to="$build/examples/$(basename "$doc" .md)" '
    /^```futhark/ { n++; file = sprintf("%s-%03d.fut", to, NR); next }
    /^```/ { if (file) close(file); file = "" }
    file { print > file }' "$doc"
done
# A block without a test tests nothing.
for f in "$build"/examples/*.fut; do
  grep -q '^-- ==' "$f" || { echo "$f: no test block"; echo "0 passed, 1 failed"; exit 1; }
done
exec "$build/dagaz" test $mode "$build"/examples/*.fut
