#!/bin/sh
# How large derivatives are: statements after optimisation of every derivative in the programs over
# those of its value, all counted, the ten largest, and how many are above ten; with --at-most N a
# test that none is above N.  With --memory-limit N the derivatives that keep to one (0: whichever the
# run has).  Without files: all programs of the tests, benchmarks, examples and
# documents that are no tests of messages.
#   sizes.sh [--at-most N] [--memory-limit N] [DAGAZ [FILE..]]
cd "$(dirname "$0")/../.." || exit 1
most=
limit=
[ "$1" = --at-most ] && { most=$2; shift 2; }
[ "$1" = --memory-limit ] && { limit="--memory-limit=$2"; shift 2; }
dagaz=${1:-build/dagaz}
[ $# -gt 0 ] && shift
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
if [ $# = 0 ]; then
  for doc in README.md doc/*.md; do
    awk -v to="$tmp/$(basename "$doc" .md)" '
      /^```futhark/ { file = sprintf("%s-%03d.fut", to, NR); next }
      /^```/ { if (file) close(file); file = "" }
      file { print > file }' "$doc"
  done
  set -- $(find bench examples lib tests -name '*.fut' ! -path 'tests/error/*' ! -path 'tests/fuzz/*')
  set -- "$@" "$tmp"/*.fut
fi
for file in "$@"; do "$dagaz" explain --json $limit "$file" 2> /dev/null; done |
  sed 's/.*"at": "\([^"]*\)", "mode": "\(...\)".*"statements": \([0-9]*\), "value_statements": \([0-9]*\), .*"notes.*/\3 \4 \2 \1/' |
  awk -v most="$most" '
    $2 > 0 { n++; if ($1 > 10 * $2) above++; if (most && $1 > most * $2) failed++
             printf "%6.1f  %d of %d statements, %s at %s\n", $1 / $2, $1, $2, $3, $4 }
    END { printf "9999 %d derivatives, %d above 10\n", n, above
          if (most) printf "-1 %d passed, %d failed\n", n - failed, failed }' | sort -rn |
  sed -n '1s/^9999 //; s/^-1 //p; 1,11p'
