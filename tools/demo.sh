#!/bin/sh
# make demo: the gradient of the ADBench Gaussian-mixture objective on a published data set,
# compiled, checked against reference values (computed in extended precision), and timed.
#   demo.sh [--check] BUILD     --check: few runs, ends with a "passed, failed" line
check=0
[ "$1" = --check ] && { check=1; shift; }
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
dir=$build/demo
mkdir -p "$dir"
dagaz=$build/dagaz
input=examples/data/gmm_d10_K25.in
reference=examples/data/gmm_d10_K25.out
runs=50
[ $check = 1 ] && runs=3

"$dagaz" c --time-summary examples/gmm.fut -o "$dir/gmm" 2> "$dir/compile" || { cat "$dir/compile"; exit 1; }
"$dir/gmm" -e objective -r $runs -t "$dir/objective.us" < $input > "$dir/objective.out" || exit 1
"$dir/gmm" -e gradient -r $runs -t "$dir/gradient.us" < $input > "$dir/gradient.out" || exit 1
head -1 $reference > "$dir/objective.ref"
tail -n +2 $reference > "$dir/gradient.ref"
median() { sort -n "$1" | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }'; }
o=$(median "$dir/objective.us")
g=$(median "$dir/gradient.us")

echo "Gaussian mixture, d = 10, k = 25, n = 1000 ($input)"
echo
cat "$dir/compile"
echo "objective            $(cat "$dir/objective.out")"
tr -d '[]' < "$dir/gradient.out" | tr ',' '\n' | sed 's/f64//g' | awk '
  { n++; s += $1 * $1; a = $1 < 0 ? -$1 : $1; if (a > m) m = a }
  END { printf "gradient             %d numbers, norm %.9g, largest %.9g\n", n, sqrt(s), m }'
status=0
"$dagaz" datacmp --largest-error 1e-12 "$dir/objective.out" "$dir/objective.ref" > "$dir/error" || status=1
echo "objective error      $(cat "$dir/error") (relative; limit 1e-12)"
"$dagaz" datacmp --largest-error 1e-10 "$dir/gradient.out" "$dir/gradient.ref" > "$dir/error" || status=1
echo "gradient error       $(cat "$dir/error") (worst element against the largest; limit 1e-10)"
echo "objective time       $o us (median of $runs)"
echo "gradient time        $g us, $(awk "BEGIN { printf \"%.2f\", $g / $o }") times the objective"
[ $check = 0 ] || { [ $status = 0 ] && echo "1 passed, 0 failed" || echo "0 passed, 1 failed"; }
exit $status
