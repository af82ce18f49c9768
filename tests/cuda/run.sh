#!/bin/sh
# run.sh DAGAZ PATHS..: tests programs for CUDA, with stand-ins of NVIDIA's driver and of NVRTC
# (standin_cuda.c, standin_nvrtc.c), so that no device is needed; a C++ compiler is.  With DEVICE=1:
# with those that are here.
dagaz=$1; shift
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0; failed=0
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $1"; cat "$dir/out"; }
end() { echo "$passed passed, $failed failed${1:+, $1 skipped}"; exit $((failed != 0)); }
# says WORDS VARIABLE=VALUE..: with these in the environment the program says so.
says() { words=$1; shift
         echo '[1.0]' | env "$@" "$dir/twice" -L $options > "$dir/out" 2>&1
         if grep -q "$words" "$dir/out"; then good; else bad "not said: $words"; fi; }

echo 'entry main (xs: []f64) = map (* 2) xs' > "$dir/twice.fut"
CFLAGS=-O1 "$dagaz" cuda "$dir/twice.fut" -o "$dir/twice" || exit 1
says "Cannot open 'nothing.so' (from DAGAZ_CUDA)" DAGAZ_CUDA=nothing.so
if [ -z "$DEVICE" ]; then
  cxx=${STANDIN_CXX:-g++}
  command -v "${cxx%% *}" > "$dir/out" || { echo "skipped: there is no g++"; end 1; }
  . tests/cuda/standins.sh
  # Where there is no device, no compiler, none that knows the device, or no room.
  says 'There is no CUDA device here' STANDIN_DEVICES=0
  says "No CUDA device here is '#2'" DAGAZ_DEVICE='#2'
  says "No CUDA device here is 'such'" DAGAZ_DEVICE=such
  says "Cannot open 'nothing.so' (from DAGAZ_NVRTC)" DAGAZ_NVRTC=nothing.so
  says 'makes no code for this device, of capability 6.1' STANDIN_CAPABILITY=61
  says 'error: refused as asked' STANDIN_REFUSE=1
  says 'cannot allocate .* bytes on the device' STANDIN_MEMORY=100
  # Kernels are kept for the next run, of each device; what is damaged, or cannot be written, is
  # compiled again.
  says 2f64 XDG_CACHE_HOME=/dev/null
  says 'kernels kept in' DAGAZ_DEVICE='in B'
  says 'kernels compiled before' DAGAZ_DEVICE='#1'
  says 'kernels kept in' A=
  file=$(ls -t "$dir"/cache/dagaz/cuda-* | head -1)
  printf x | dd of="$file" bs=1 seek=300 conv=notrunc 2> /dev/null
  says 'kernels kept in' A=
  : > "$file"
  says 'kernels kept in' A=
  says 'kernels compiled before' A=
  # A device later than NVRTC knows gets PTX.
  says 2f64 STANDIN_CAPABILITY=120
  says 'kernels compiled before' STANDIN_CAPABILITY=120
  options="--cache-file $dir/own"; says 'kernels kept in' A=; says 'kernels compiled before' A=
  options="--cache-file $dir/nowhere/own"; says 2f64 A=
  options=-P; says '"f_main_0_kernel1",.*"runs":1,"duration":250.000' A=
  # The threads in a group are a tuning parameter, rounded down to a divisor of 256.
  for group in 256=-L '64=--param default_group_size=100' '32=--param default_group_size=1'; do
    rm -f "$dir/calls"
    options=${group#*=}; says 2f64 STANDIN_CALLS="$dir/calls"
    if grep -q "groups of ${group%%=*}$" "$dir/calls"; then good; else bad "groups of $group"; fi
  done
  options=
  # The time of a run is that of its kernels, too, which a call does not wait for.
  echo '[1.0]' | STANDIN_DELAY=20 "$dir/twice" -t "$dir/out" > /dev/null
  if awk '$1 < 20000 { exit 1 }' "$dir/out"; then good; else bad 'a time without kernels'; fi
fi

. tests/opencl/fork.sh
if child_fails cuda; then good; else bad 'after fork'; fi

CFLAGS="${CFLAGS:--O1}" "$dagaz" test --backend cuda "$@" > "$dir/log" 2>&1
status=$?
grep -v ' passed, ' "$dir/log"
set -- $(tail -1 "$dir/log")
passed=$((passed + ${1:-0})); failed=$((failed + ${3:-1}))
[ $status = 0 ] || [ $failed != 0 ] || failed=1
end
