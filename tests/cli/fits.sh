# Runs the program's derivatives at three sizes under many limits: each either gives the same result
# within the limit (measured) or says beforehand that it cannot.  The least limit under which it
# runs is what it takes then.   fits.sh PROGRAM ENTRY..
program=$1; shift

within() {  # within SIZE TRIPS LIMIT
  echo "$1i64 $2i64" | "$program" -e "e_$entry" --memory-limit $3 -P > out 2> report
  status=$?
  peak=$(sed 's/.*peak.:\([0-9]*\).*/\1/' report)
  return $status
}

least() {  # least SIZE TRIPS: by halving
  low=0 high=$(($1 * 8 * 60))
  while [ $((high - low)) -gt 1 ]; do
    middle=$(((low + high) / 2))
    if within $1 $2 $middle; then high=$middle; else low=$middle; fi
  done
  within $1 $2 $high
  [ "$peak" = $high ] || echo "$entry $1: takes $peak bytes within $high, and fails within less"
}

for entry in "$@"; do for size in "2500 24" "17000 16" "40000 16"; do
  set -- $size
  echo "$1i64 $2i64" | "$program" -e "e_$entry" > whole
  fits=0 refused=0
  for states in 3 5 6 7 8 9 10 12 14 17 20 26 32 40 50; do
    limit=$(($1 * 8 * states + 4000))
    if within $1 $2 $limit; then
      if [ "$peak" -gt $limit ]; then echo "$entry $1: $peak bytes, the limit is $limit"; fi
      if cmp whole out; then fits=$((fits + 1)); fi
    elif grep -q 'needs [0-9]* bytes at least' report; then refused=$((refused + 1))
    else echo "$entry $1 at $limit:"; cat report; fi
  done
  [ $1 != 17000 ] || least $1 $2
  if [ $fits -ge 3 ] && [ $refused -ge 1 ] && [ $((fits + refused)) = 15 ]; then echo "$entry $1 keeps to it"
  else echo "$entry $1: $fits fit, $refused refused"; fi
done; done
