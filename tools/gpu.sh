#!/bin/sh
# gpu.sh BUILD: everything that needs a graphics processor, within 20 minutes: the tests on the device,
# the same results ten times, CUDA's sanitizer, and a table of times and bandwidths, which is written
# to BUILD/gpu/table.md.  Without a device it says so.
#
#   BACKEND  cuda (default) or opencl      MINUTES  20, in all
#   DIVIDE   1: divides the sizes          PATHS    of tests; default: tests/opencl, run, par, ad
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}; dagaz=$build/dagaz; dir=$build/gpu
backend=${BACKEND:-cuda}; divide=${DIVIDE:-1}; paths=${PATHS:-tests/opencl tests/run tests/par tests/ad}
start=$(date +%s); passed=0; failed=0
mkdir -p "$dir" && rm -f "$dir"/table.md || exit 1
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $1"; }
# How many of the minutes are left after $1 of them, in seconds; at least 1.
left() { s=$((start + 60 * ${MINUTES:-20} * $1 / 20 - $(date +%s))); [ $s -gt 1 ] || s=1; echo $s; }
put() { echo "$*" | tee -a "$dir/table.md"; }

echo 'entry main (xs: []f64) = map (* 2) xs' > "$dir/twice.fut"
"$dagaz" "$backend" "$dir/twice.fut" -o "$dir/twice" || exit 1
if ! said=$(echo '[1.0]' | "$dir/twice" 2>&1); then
  echo "skipped: $said"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
device=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -1)
put "$backend: ${device:-a device without nvidia-smi}, $(date +%Y-%m-%d), sizes divided by $divide"

# ---- tests, at most 8 minutes -------------------------------------------------------------------
CFLAGS=-O1 timeout "$(left 8)" "$dagaz" test --backend "$backend" $paths > "$dir/tests.log" 2>&1
case $? in
  0) good ;;
  124) put "tests: not done within their time; $dir/tests.log has what failed" ;;
  *) bad "tests: $dir/tests.log" ;;
esac
put "tests: $(tail -1 "$dir/tests.log")"

# ---- programs -----------------------------------------------------------------------------------
for program in bench/gpu/rows.fut bench/par/rows.fut examples/gmm.fut; do
  name=$(echo "$program" | tr / - | sed 's/\.fut$//')
  for side in c multicore "$backend"; do
    "$dagaz" $side -w "$program" -o "$dir/$name.$side" || exit 1
  done
done
${CC:-cc} -std=gnu11 -O2 -o "$dir/mkdata" bench/mkdata.c -lm || exit 1

# Microseconds of a run: the median of three, after one that is not counted.
micro() { timeout 100 "$1" -e "$2" -r 3 -t "$dir/times" -b < "$3" > "$dir/out" 2> "$dir/err" || return 1
          sort -n "$dir/times" | sed -n 2p; }
# Microseconds a run of the events that $1 matches, in the report of -P for three runs.
spent() { tr '{' '\n' < "$dir/err" | grep "\"name\":\"$1" |
          sed 's/.*"duration":\([0-9.]*\).*/\1/' | awk '{ s += $1 } END { printf "%.0f", s / 3 }'; }
runs() { tr '{' '\n' < "$dir/err" | grep "\"name\":\"$1" |
         sed 's/.*"runs":\([0-9]*\).*/\1/' | awk '{ s += $1 } END { printf "%d", s / 3 }'; }

# row NAME PROGRAM ENTRY DATA: a line of the table, and whether ten runs give the same bits.
row() {
  [ "$(left 19)" -gt 1 ] || { put "| $1 | no time left |"; return; }
  one=$(micro "$dir/$2.c" "$3" "$4") && cp "$dir/out" "$dir/want" || one=-
  all=$(micro "$dir/$2.multicore" "$3" "$4") || all=-
  own=$(micro "$dir/$2.$backend" "$3" "$4") || {
    bad "$1: $(head -1 "$dir/err")"; return; }
  bits=differ; cmp -s "$dir/out" "$dir/want" && bits=same
  for i in 1 2 3 4 5 6 7 8 9; do
    timeout 100 "$dir/$2.$backend" -e "$3" -b < "$4" | cmp -s - "$dir/out" ||
      { bad "$1: run $i differs"; break; }
  done
  [ "$i" = 9 ] && good
  timeout 100 "$dir/$2.$backend" -e "$3" -r 3 -P -b < "$4" > /dev/null 2> "$dir/err"
  put "| $1 | $one | $all | $own | $(spent f_) | $(runs f_) | $(spent copy_) | $(runs copy_) | $bits |"
}

put ""
put "| program | one core | all cores | $backend | kernels | launches | copies | how many | bits |"
put "|---|---|---|---|---|---|---|---|---|"
for size in launches:256 fetches:256 copies:50000000 reduce:100000000 scan:100000000 \
            filter:100000000 hist:100000000 bins:100000000; do
  name=${size%:*} n=$((${size#*:} / divide + 2))
  echo $n | "$dir/bench-gpu-rows.c" -e ${name}_data -b > "$dir/data" || exit 1
  row "$name, $n" bench-gpu-rows ${name}_value "$dir/data"
  [ $name = reduce ] && row "$name, gradient" bench-gpu-rows ${name}_gradient "$dir/data"
done
side=$(awk "BEGIN { printf \"%d\", 8192 / sqrt($divide) + 3 }")
echo $side | "$dir/bench-gpu-rows.c" -e stencil_data -b > "$dir/data"
row "stencil, $side squared" bench-gpu-rows stencil_value "$dir/data"
for size in norms:2000000 kmeans:1000000 product:2048 lstm:4096 poles:10000000; do
  name=${size%:*} n=$((${size#*:} / divide + 2))
  echo $n | "$dir/bench-par-rows.c" -e ${name}_data -b > "$dir/data" || exit 1
  for entry in value gradient; do
    row "$name, $n, $entry" bench-par-rows ${name}_$entry "$dir/data"
  done
done
"$dir/mkdata" gmm 64 200 $((1000 / divide + 2)) > "$dir/data"
for entry in objective gradient; do row "gmm, $entry" examples-gmm $entry "$dir/data"; done
rm -f "$dir/data"

# ---- the driver's compiler, what it keeps ------------------------------------------------------
for cache in cold warm; do
  from=$(date +%s%N)
  echo '[1.0]' | XDG_CACHE_HOME=$dir/cache "$dir/twice" > "$dir/out" || bad "a new cache"
  put "a whole run of a small program, $cache: $((($(date +%s%N) - from) / 1000000)) ms"
done
rm -r "$dir/cache"

# ---- CUDA's sanitizer ----------------------------------------------------------------------------
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ "$backend" = cuda ] && [ "$sanitizer" ] && [ -z "$DAGAZ_CUDA" ]; then
  for name in launches filter bins stencil; do
    echo 100 | "$dir/bench-gpu-rows.c" -e ${name}_data -b > "$dir/data"
    for tool in memcheck initcheck; do
      timeout "$(left 20)" "$sanitizer" --tool $tool --error-exitcode 9 "$dir/bench-gpu-rows.cuda" \
        -e ${name}_value < "$dir/data" > "$dir/sanitizer.log" 2>&1
      [ $? = 9 ] && bad "$tool, $name: $(grep -m 3 '=====' "$dir/sanitizer.log")" || good
    done
  done
else
  put "compute-sanitizer has not run"
fi
put "$(($(date +%s) - start)) seconds in all"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
