#!/bin/sh
# run.sh DAGAZ: every C program of this folder is rejected with status 2, with a message at each
# line that ends in `//! code text` which has that code and contains the text; every code in
# src/ctext, src/cflow, src/cdiff and src/clower is shown by some program.  The first line may be
# `// run: COMMAND ARGS`; otherwise `dagaz ctree` reads it.
dagaz=${1:-build/dagaz}
cd "$(dirname "$0")/../../.." || exit 1
passed=0; failed=0
out=$(mktemp); seen=$(mktemp); trap 'rm -f "$out" "$seen"' EXIT
for file in tests/error/c/*.c; do
  run=$(sed -n '1s|^// run: ||p' "$file")
  eval "\"$dagaz\" ${run:-ctree} \"$file\"" > "$out" 2>&1
  status=$?
  want=2; grep -q '^// status 3' "$file" && want=3
  sed -n 's/.*\[\(c-[a-z-]*\)\]$/\1/p' "$out" >> "$seen"
  missing=$(awk -v out="$out" '
    BEGIN {
      while ((getline line < out) > 0) {
        if (line ~ /^(Error|Warning) at /) {
          place = line; sub(/^[A-Za-z]+ at .*\.c:/, "", place); sub(/[:-].*/, "", place)
        } else said[place] = said[place] " " line
      }
    }
    { i = index($0, "//! ") }
    i {
      split(substr($0, i + 4), w, " ")
      text = substr($0, i + 5 + length(w[1]))
      if (index(said[FNR], "[" w[1] "]") == 0 || index(said[FNR], text) == 0) print FNR ": " w[1] " " text
    }' "$file")
  if [ "$status" != $want ]; then failed=$((failed + 1)); echo "$file: status $status"; head -5 "$out"
  elif [ -n "$missing" ]; then failed=$((failed + 1)); echo "$file: not reported: line $missing"; head -12 "$out"
  else passed=$((passed + 1)); fi
done
for code in $(grep -ohE '"\[c-[a-z-]+\] ' src/ctext/*.c src/cflow/*.c src/cdiff/*.c src/clower/*.c 2>/dev/null | tr -d '"[] ' | sort -u); do
  if grep -qx "$code" "$seen"; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "no program shows code $code"; fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
