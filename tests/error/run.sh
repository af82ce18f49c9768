#!/bin/sh
# run.sh DAGAZ: checks every program of this folder.  A line that ends in `--! text` must be
# reported (error or warning) with a message that contains the text; a program with such lines on
# errors must be rejected with status 2, one without must be accepted in silence.
dagaz=${1:-build/dagaz}
cd "$(dirname "$0")/../.." || exit 1
passed=0; failed=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

bad() { failed=$((failed + 1)); echo "$file: $1"; sed 's/^/  | /' "$out" | head -20; }

for file in tests/error/*.fut; do
  "$dagaz" check "$file" > "$out" 2>&1
  status=$?
  want=0
  missing=$(awk -v out="$out" '
    # The message below a place goes up to the source line, which has a bar.
    BEGIN {
      while ((getline line < out) > 0) {
        if (line ~ /^(Error|Warning) at /) {
          place = line; sub(/^[A-Za-z]+ at .*\.fut:/, "", place); sub(/[:-].*/, "", place)
        } else if (line !~ /^ *[0-9]* \|/) said[place] = said[place] " " line
      }
    }
    { i = index($0, "--! ") }
    i && index(said[FNR], substr($0, i + 4)) == 0 { print FNR ": " substr($0, i + 4) }
  ' "$file")
  if grep -q -e '--! ' "$file"; then
    grep -q '^Error' "$out" && want=2
    grep -q '^-- warning' "$file" || want=2
  fi
  if [ "$status" != "$want" ]; then bad "status $status, want $want"
  elif [ -n "$missing" ]; then bad "not reported: line $missing"
  elif [ "$want" = 0 ] && [ -s "$out" ] && ! grep -q -e '--! ' "$file"; then bad "not silent"
  else passed=$((passed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
