#!/bin/sh
# make bench-ad: derivative time over function time, each pair in turns in one process.
# Writes BUILD/bench-ad/results.json.   run.sh [BUILD [ELEMENTS]]
build=${1:-build}
dir=$build/bench-ad
cd "$(dirname "$0")/../.." && mkdir -p "$dir" || exit 1
${CC:-gcc} -std=gnu11 -O2 -o "$dir/bench_ad" bench/ad/bench_ad.c || exit 1
for name in scalars lattice; do
  "$build/dagaz" c --server "bench/ad/$name.fut" -o "$dir/$name" || exit 1
done
"$build/dagaz" c --server bench/programs/ba.fut -o "$dir/ba" || exit 1
"$build/dagaz" c --server --memory-limit=0 bench/ad/lattice.fut -o "$dir/limited" || exit 1
"$dir/bench_ad" "$dir" "$dir/results.json" ${2:+"$2"}
