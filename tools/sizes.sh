#!/bin/sh
# Size rules: prints the largest files; fails on a source file over 800 lines, a header over 500
# or a line over 110 columns.
files=$(find src -name "*.c" -o -name "*.h" | LC_ALL=C sort)
bad=0
wc -l $files | grep -v total | sort -rn | head -5
for f in $files; do
  lines=$(wc -l < "$f")
  limit=800
  case "$f" in *.h) limit=500 ;; esac
  [ "$lines" -le "$limit" ] || { echo "$f: $lines lines, limit $limit"; bad=1; }
done
long=$(awk 'length($0) > 110 { print FILENAME ":" FNR ": " length($0) " columns" }' $files)
[ -z "$long" ] || { echo "$long"; bad=1; }
exit $bad
