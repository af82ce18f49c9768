#!/bin/sh
# Renews the generated parts of doc/*.md: the lines between `<!-- table NAME -->` and
# `<!-- end -->`.   docs.sh [--check] BUILD     --check only compares
check=0
[ "$1" = --check ] && { check=1; shift; }
build=${1:-build}
cd "$(dirname "$0")/.." || exit 1
cc=${CC:-gcc}
$cc -std=c11 -D_POSIX_C_SOURCE=200809L -Isrc -I. -o "$build/tables" tools/tables.c "$build/libdagaz.a" -lm || exit 1
stale=0; seen=0
for doc in doc/*.md; do
  grep -q '^<!-- table ' "$doc" || continue
  seen=$((seen + 1))
  awk -v tables="$build/tables" '
    /^<!-- table / { print; print ""; command = tables " " $3
                     while ((command | getline line) > 0) print line
                     close(command); print ""; skip = 1; next }
    /^<!-- end -->/ { skip = 0 }
    !skip { print }' "$doc" > "$build/doc.new"
  cmp -s "$build/doc.new" "$doc" && continue
  if [ $check = 1 ]; then echo "$doc is stale; run sh tools/docs.sh"; stale=1
  else cp "$build/doc.new" "$doc"; echo "renewed $doc"; fi
done
[ $check = 0 ] || echo "$((seen - stale)) passed, $stale failed"
exit $stale
