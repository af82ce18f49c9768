#!/bin/sh
# read.sh [--bless] DAGAZ: programs of tests/c/read are read and printed.  The tree is that of
# NAME.tree; what is printed reads back to the same tree; both compile without warnings about what
# the source does not warn of, and print the same when run.
bless=0
[ "$1" = --bless ] && { bless=1; shift; }
dagaz=${1:-build/dagaz}
cd "$(dirname "$0")/../.." || exit 1
passed=0; failed=0
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED $1"; [ -z "$2" ] || head -20 "$2"; }
for file in tests/c/read/*.c; do
  tree=${file%.c}.tree
  if ! "$dagaz" ctree "$file" > "$tmp/tree" 2> "$tmp/err"; then bad "$file: not read" "$tmp/err"; continue; fi
  if [ $bless = 1 ]; then cp "$tmp/tree" "$tree"; fi
  if diff "$tree" "$tmp/tree" > "$tmp/diff"; then good; else bad "$file: its tree" "$tmp/diff"; fi
  "$dagaz" ctree --print "$file" > "$tmp/again.c"
  if "$dagaz" ctree "$tmp/again.c" 2>&1 | diff "$tmp/tree" - > "$tmp/diff"; then good
  else bad "$file: printed and read again" "$tmp/diff"; fi
  gcc -std=gnu11 -w -O0 -o "$tmp/a" "$file" -lm && "$tmp/a" > "$tmp/want" 2>&1
  if gcc -std=gnu11 -Wall -Wno-parentheses -Wno-unknown-pragmas -Wno-unused-value -O0 -o "$tmp/b" "$tmp/again.c" -lm 2> "$tmp/err" &&
     [ ! -s "$tmp/err" ] && "$tmp/b" > "$tmp/got" 2>&1 && [ -s "$tmp/want" ] && cmp -s "$tmp/want" "$tmp/got"
  then good; else bad "$file: printed, compiled and run" "$tmp/err"; fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
