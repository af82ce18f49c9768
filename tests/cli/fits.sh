# Runs the program's derivatives at three sizes under many limits: each either gives the same result
# within the limit (measured) or says beforehand that it cannot.   fits.sh PROGRAM ENTRY..
program=$1; shift
for entry in "$@"; do for size in "2500 24" "17000 16" "40000 16"; do
  set -- $size
  echo "$1i64 $2i64" | "$program" -e "e_$entry" > whole
  fits=0 refused=0
  for states in 3 5 6 7 8 9 10 12 14 17 20 26 32 40 50; do
    limit=$(($1 * 8 * states + 4000))
    if echo "$1i64 $2i64" | "$program" -e "e_$entry" --memory-limit $limit -P > out 2> report; then
      peak=$(sed 's/.*peak.:\([0-9]*\).*/\1/' report)
      if [ "$peak" -gt $limit ]; then echo "$entry $1: $peak bytes, the limit is $limit"; fi
      if cmp whole out; then fits=$((fits + 1)); fi
    elif grep -q 'needs [0-9]* bytes at least' report; then refused=$((refused + 1))
    else echo "$entry $1 at $limit:"; cat report; fi
  done
  if [ $fits -ge 3 ] && [ $refused -ge 1 ] && [ $((fits + refused)) = 15 ]; then echo "$entry $1 keeps to it"
  else echo "$entry $1: $fits fit, $refused refused"; fi
done; done
