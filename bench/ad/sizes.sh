#!/bin/sh
# How large derivatives are: statements after optimisation of every derivative in the programs over
# those of its value, the ten largest, and how many are above ten.   sizes.sh [DAGAZ [FILE..]]
cd "$(dirname "$0")/../.." || exit 1
dagaz=${1:-build/dagaz}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- tests/ad/*.fut bench/ad/*.fut bench/programs/*.fut
for file in "$@"; do "$dagaz" explain --json "$file" 2> /dev/null; done |
  sed 's/.*"at": "\([^"]*\)", "mode": "\(...\)".*"statements": \([0-9]*\), "value_statements": \([0-9]*\), "notes.*/\3 \4 \2 \1/' |
  awk '$2 > 0 { n++; if ($1 > 10 * $2) above++
                printf "%6.1f  %d of %d statements, %s at %s\n", $1 / $2, $1, $2, $3, $4 }
       END { printf "9999 %d derivatives, %d above 10\n", n, above }' | sort -rn |
  sed -n '1s/^9999 //;1,11p'
