#!/bin/sh
# make bench: compiles the benchmark programs and their hand-written equivalents, checks that both
# give the same numbers, times them in one run.  Writes BUILD/bench/results.json.
build=${1:-build}
dir=$build/bench
cd "$(dirname "$0")/.." && mkdir -p "$dir" || exit 1
flags="-O3 -march=native -fno-math-errno -fno-trapping-math"
cc=${CC:-gcc}
for name in gmm matmul scan hist limits; do
  $cc -std=gnu11 $flags -o "$dir/$name.c.exe" "bench/c/$name.c" -lm || exit 1
done
mv "$dir/limits.c.exe" "$dir/limits"
$cc -std=gnu11 -O2 -o "$dir/mkdata" bench/mkdata.c -lm && $cc -std=gnu11 -O2 -o "$dir/bench" bench/bench.c || exit 1
"$build/dagaz" c examples/gmm.fut -o "$dir/gmm" || exit 1
for name in matmul scan hist; do "$build/dagaz" c "bench/programs/$name.fut" -o "$dir/$name" || exit 1; done
"$dir/mkdata" gmm 2 5 1000 > "$dir/gmm_2_5.bin"
"$dir/mkdata" gmm 10 25 1000 > "$dir/gmm_10_25.bin"
"$dir/mkdata" gmm 32 50 1000 > "$dir/gmm_32_50.bin"
"$dir/mkdata" matmul 512 512 512 > "$dir/matmul.bin"
"$dir/mkdata" scan 10000000 > "$dir/scan.bin"
"$dir/mkdata" hist 1024 10000000 > "$dir/hist.bin"
for entry in objective gradient; do
  "$dir/gmm" -e $entry < "$dir/gmm_10_25.bin" | tr -d '[]' | tr ',' '\n' | sed 's/f64//; s/ //g' > "$dir/ours"
  "$dir/gmm.c.exe" $entry 0 < "$dir/gmm_10_25.bin" > "$dir/hand"
  paste "$dir/ours" "$dir/hand" | awk '{ d = $1 - $2; if (d < 0) d = -d; m = $2 < 0 ? -$2 : $2
      if (m > most) most = m; if (d > worst) worst = d }
    END { printf "gmm '$entry': %d numbers, largest difference / largest value: %.1e\n", NR, worst / most
          exit !(NR > 0 && worst / most < 1e-9) }' || exit 1
done
"$dir/bench" "$dir" "$dir/results.json"
