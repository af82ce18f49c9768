#!/bin/sh
# messages.sh DAGAZ: every code of a message in src/check, src/syntax and src/ad is printed for some program
# of tests/error or in a transcript of tests/cli, but for those that need a huge file; and what
# doc/errors.md shows is what the compiler says.
dagaz=${1:-build/dagaz}
case $dagaz in /*) ;; *) dagaz=$(pwd)/$dagaz ;; esac
cd "$(dirname "$0")/.." || exit 1
passed=0; failed=0
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT

for file in tests/error/*.fut; do "$dagaz" check "$file"; done > "$tmp/said" 2>&1
cat tests/cli/*.t tests/cli/long/*.t >> "$tmp/said"
sed -n 's/.*\^ \[\([a-z-]*\)\]$/\1/p; s/.*"code": "\([a-z-]*\)".*/\1/p' "$tmp/said" | sort -u > "$tmp/seen"
printf '%s\n' file-name file-size nesting test-block >> "$tmp/seen"
for code in $(grep -ohE '"\[[a-z-]+\] ' src/check/*.c src/syntax/*.c src/ad/*/*.c | tr -d '"[] ' | sort -u); do
  if grep -qx -e "$code" "$tmp/seen"; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "no test shows a message with code $code"; fi
done

# Blocks ```futhark and the ```text after them.
awk -v dir="$tmp" '
  /^```futhark/ { n++; out = dir "/p" n ".fut"; next }
  /^```text/ { out = dir "/p" n ".want"; next }
  /^```/ { out = ""; next }
  out { print > out }
' doc/errors.md
for want in "$tmp"/p*.want; do
  program=${want%.want}.fut
  (cd "$tmp" && cp "$program" a.fut && "$dagaz" check a.fut > got 2>&1)
  if cmp -s "$tmp/got" "$want"; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "doc/errors.md:"; diff "$want" "$tmp/got"; fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
