#!/bin/sh
# Every entry point that has tests, printed by `dagaz derive --expand`, must pass the same tests.
#   run.sh DAGAZ FILE.fut..
dagaz=$1; shift
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
passed=0; failed=0
entries() { sed -n 's/^-- entry: *//p' "$1" | tr ' ' '\n' | sort -u; }
blocks() {  # blocks FILE ENTRY: the test blocks of the entry point, for it alone
  awk -v entry="$2" '
    function flush() { if (mine) printf "-- ==\n%s", text; text = ""; mine = 0 }
    /^-- ==/ { flush(); inside = 1; next }
    !/^--/ { flush(); inside = 0; next }
    inside && /^-- entry:/ {
      for (i = 3; i <= NF; i++) if ($i == entry) mine = 1
      text = text "-- entry: " entry "\n"; next }
    inside { sub(/error:.*/, "error:"); text = text $0 "\n" }
    END { flush() }' "$1"
}
for file in "$@"; do
  for entry in $(entries "$file"); do
    out=$tmp/${entry}.fut
    if "$dagaz" derive --expand -e "$entry" "$file" > "$out" 2> "$tmp/error"; then
      blocks "$file" "$entry" >> "$out"
      # Compiled where the interpreter has no answer: what it skips, or has no steps for.
      "$dagaz" test --interp "$out" > "$tmp/error" 2>&1
      ! grep -q -e skipped -e 'Step limit' "$tmp/error" || "$dagaz" test "$out" > "$tmp/error" 2>&1
    fi
    if [ $? = 0 ] && grep -q '[1-9][0-9]* passed, 0 failed' "$tmp/error"; then passed=$((passed + 1))
    else failed=$((failed + 1)); echo "FAILED $file $entry"; head -12 "$tmp/error"; fi
  done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
