# The tapes that `dagaz explain` foretells against memory that compiled runs use: the peak is the tapes
# and at most eight arrays more.   explained.sh FILE.fut, from a folder with dagaz on the PATH
file=$1
dagaz c "$file" -o explained || exit 1
array() {  # array N: as the text of a value
  awk -v n="$1" 'BEGIN { printf "["; for (i = 0; i < n; i++) printf "%s%.1f", i ? ", " : "", 0.5 + i % 7 / 10; print "]" }'
}
foretold() {  # foretold ENTRY N T: the formula's value
  formula=$(dagaz explain -e "$1" "$file" | sed -n 's/^  tapes *\(.*\) bytes/\1/p' | head -1)
  echo $(($(echo "$formula" | sed "s/ n/*$2/g; s/ t/*$3/g")))
}
for run in "recurrence 200000 0" "steps 20000 100" "scanned 200000 0" "product 200000 0" "pairs 500 0"; do
  set -- $run
  tapes=$(foretold "$1" "$2" "$3")
  { [ "$1" = steps ] && echo "$3i64"; array "$2"; } | ./explained -e "$1" -P > /dev/null 2> report
  peak=$(sed 's/.*peak.:\([0-9]*\).*/\1/' report)
  if [ "$peak" -ge "$tapes" ] && [ "$peak" -le $((tapes + 8 * 8 * $2 + 200000)) ]; then echo "$1 agrees"
  else echo "$1: tapes $tapes, peak $peak"; fi
done
