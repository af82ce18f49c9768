#!/bin/sh
# fuzz_targets.sh DAGAZ FROM COUNT: random programs from seed FROM on, each compiled for all cores and for
# the emulated device, in groups of 50; every other group with one thread.  Blocks are so small that short
# arrays have several.  A program that fails is known by its seed:
#   dagaz fuzz --backend B --seed S --programs 1 --compile-every 1, with the same CFLAGS
dagaz=${1:-build/dagaz}; from=${2:-1200000}; count=${3:-100}
CFLAGS="-O0 -march=native -DDZ_BLOCK_COST=24.0 -DDZ_COPY_COST=0.01 $CFLAGS"; export CFLAGS
said=$(mktemp); trap 'rm -f "$said"' EXIT
passed=0; failed=0
group() {  # BACKEND FIRST PROGRAMS
  "$dagaz" fuzz --backend "$1" --programs "$3" --seed "$2" --compile-every 1 --source-every 0 \
    --brief > "$said" 2>&1
  result=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$said")
  if [ -z "$result" ]; then
    echo "$1: the group from seed $2 on ended early"; cat "$said"
    result="0 $3"
  fi
  passed=$((passed + ${result% *})); failed=$((failed + ${result#* }))
  grep '^FAILED' "$said" | sed "s/^/$1: /"
}

at=$from; end=$((from + count)); DAGAZ_THREADS=3; export DAGAZ_THREADS
while [ "$at" -lt "$end" ]; do
  n=50; [ $((end - at)) -ge 50 ] || n=$((end - at))
  group multicore "$at" "$n"
  group gpu-host "$at" "$n"
  DAGAZ_THREADS=$((4 - DAGAZ_THREADS))
  at=$((at + n))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
