#!/bin/sh
# How large derivatives are: statements after optimisation of every derivative in the programs over
# those of its value, the ten largest, and how many are above ten; with --at-most N a test that none
# is above N.  The code that decides which states are held, where a loop's memory is bounded, is the
# same whatever the loop does: 60 of its statements are left out.
#   sizes.sh [--at-most N] [DAGAZ [FILE..]]
cd "$(dirname "$0")/../.." || exit 1
most=
[ "$1" = --at-most ] && { most=$2; shift 2; }
dagaz=${1:-build/dagaz}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- tests/ad/*.fut bench/ad/*.fut bench/programs/*.fut
for file in "$@"; do "$dagaz" explain --json "$file" 2> /dev/null; done |
  sed '/as memory allows/s/$/ "notes 60/
       s/.*"at": "\([^"]*\)", "mode": "\(...\)".*"statements": \([0-9]*\), "value_statements": \([0-9]*\), "notes[^"]*".*"notes \(60\)$/\3 \4 \2 \1 \5/
       s/.*"at": "\([^"]*\)", "mode": "\(...\)".*"statements": \([0-9]*\), "value_statements": \([0-9]*\), "notes.*/\3 \4 \2 \1 0/' |
  awk -v most="$most" '
    $2 > 0 { n++; if ($1 > 10 * $2) whole++; $1 -= $5; if ($1 > 10 * $2) above++; if (most && $1 > most * $2) failed++
             printf "%6.1f  %d of %d statements, %s at %s\n", $1 / $2, $1, $2, $3, $4 }
    END { printf "9999 %d derivatives, %d above 10, %d with the code left out\n", n, above, whole
          if (most) printf "-1 %d passed, %d failed\n", n - failed, failed }' | sort -rn |
  sed -n '1s/^9999 //; s/^-1 //p; 1,11p'
