#!/bin/sh
# make bench-par: programs on one core (`dagaz c`) against `dagaz multicore` with one thread and
# with THREADS (2), in turns; medians in microseconds, and how often faster than one core.  ROUNDS
# (7) turns; sizes are multiplied by SCALE (1) and divided by DIVIDE (1).  Results of all three must
# have the same bits.
build=${1:-build}
dir=$build/bench-par
cd "$(dirname "$0")/../.." && mkdir -p "$dir" || exit 1
threads=${THREADS:-2} rounds=${ROUNDS:-7} scale=${SCALE:-1}
for program in bench/par/rows.fut examples/gmm.fut; do
  name=$(basename "$program" .fut)
  "$build/dagaz" c "$program" -o "$dir/$name.one" || exit 1
  "$build/dagaz" multicore "$program" -o "$dir/$name.all" || exit 1
done
${CC:-gcc} -std=gnu11 -O2 -o "$dir/mkdata" bench/mkdata.c -lm || exit 1

# once PROGRAM ENTRY DATA OPTION..: adds one time to PROGRAM.times.N
once() {
  to=$1 exe=$2 entry=$3 data=$4; shift 4
  "$exe" -e "$entry" -r 3 -t "$dir/t" "$@" < "$data" > /dev/null || exit 1
  sort -n "$dir/t" | sed -n 2p >> "$to"
}
median() { sort -n "$1" | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }

# row NAME PROGRAM ENTRY DATA
row() {
  rm -f "$dir/times."*
  for side in one 1 all; do
    case $side in one) "$dir/$2.one" -e "$3" -b < "$4" > "$dir/want";;
    1) "$dir/$2.all" -e "$3" -b --num-threads 1 < "$4" | cmp - "$dir/want" || exit 1;;
    all) "$dir/$2.all" -e "$3" -b --num-threads "$threads" < "$4" | cmp - "$dir/want" || exit 1;;
    esac
  done
  i=0
  while [ $i -lt "$rounds" ]; do
    once "$dir/times.one" "$dir/$2.one" "$3" "$4"
    once "$dir/times.1" "$dir/$2.all" "$3" "$4" --num-threads 1
    once "$dir/times.all" "$dir/$2.all" "$3" "$4" --num-threads "$threads"
    i=$((i + 1))
  done
  echo "$1 $(median "$dir/times.one") $(median "$dir/times.1") $(median "$dir/times.all")" |
    awk '{ printf "%-18s %12d %12d %12d %8.2f %8.2f\n", $1, $2, $3, $4, $2 / $3, $2 / $4 }'
}

printf '%-18s %12s %12s %12s %8s %8s\n' program 'one core' '1 thread' "$threads threads" 1 \
  "$threads"
for size in norms:2000000 kmeans:100000 logistic:300000 lstm:300 product:700 poles:500000; do
  name=${size%:*} n=$((${size#*:} * scale / ${DIVIDE:-1}))
  echo "$n" | "$dir/rows.one" -e "${name}_data" -b > "$dir/$name.bin" || exit 1
  case $name in product | poles) entries='value gradient';; *) entries='value gradient both';; esac
  for entry in $entries; do row "$name.$entry" rows "${name}_$entry" "$dir/$name.bin"; done
done
"$dir/mkdata" gmm 10 25 $((10000 * scale / ${DIVIDE:-1})) > "$dir/gmm.bin"
for entry in objective gradient; do row "gmm.$entry" gmm "$entry" "$dir/gmm.bin"; done
