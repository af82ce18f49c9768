#!/bin/sh
# run.sh DAGAZ PATHS..: tests programs with their kernels on an OpenCL device.  Without one it says
# so and skips them.  What a program says without a device is tested everywhere.
dagaz=$1; shift
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0; failed=0
echo 'entry main (xs: []f64) = map (* 2) xs' > "$dir/twice.fut"
CFLAGS=-O1 "$dagaz" opencl "$dir/twice.fut" -o "$dir/twice" || exit 1

said=$(echo '[1.0]' | DAGAZ_DEVICE='no such device' "$dir/twice" 2>&1)
case $said in
  *"No OpenCL device here has 'no such device'"* | *"OpenCL is not installed here"*)
    passed=1 ;;
  *) failed=1; echo "FAILED: without a device a program says: $said" ;;
esac
if ! said=$(echo '[1.0]' | "$dir/twice" 2>&1); then
  case $said in
    *"There is no OpenCL device"* | *"OpenCL is not installed here"*)
      echo "skipped: no OpenCL device is here"
      echo "$passed passed, $failed failed, 1 skipped"
      exit $failed ;;
  esac
fi
# Kernels are kept for the next run; what is damaged, or cannot be written, is compiled again.
kept() { echo '[1.0]' | XDG_CACHE_HOME=$dir/cache "$dir/twice" -L $2 > "$dir/out" 2>&1
         if grep -q "$1" "$dir/out" && grep -q 2f64 "$dir/out"; then passed=$((passed + 1))
         else failed=$((failed + 1)); echo "FAILED: with kernels kept: $1"; cat "$dir/out"; fi; }
kept 'kernels kept in'
kept 'kernels compiled before'
file=$(echo "$dir"/cache/dagaz/opencl-*)
printf x | dd of="$file" bs=1 seek=300 conv=notrunc 2> /dev/null
kept 'kernels kept in'
kept 'kernels compiled before'
: > "$file"
kept 'kernels kept in'
kept 'kernels kept in' "--cache-file $dir/own"
kept 'kernels compiled before' "--cache-file $dir/own"
kept 2f64 "--cache-file $dir/nowhere/own"

. tests/opencl/fork.sh
if child_fails opencl; then passed=$((passed + 1))
else failed=$((failed + 1)); echo "FAILED: after fork"; cat "$dir/out"; fi

CFLAGS="${CFLAGS:--O1}" "$dagaz" test --backend opencl "$@" > "$dir/log" 2>&1
status=$?
grep -v ' passed, ' "$dir/log"
set -- $(tail -1 "$dir/log")
echo "$((passed + ${1:-0})) passed, $((failed + ${3:-1})) failed"
[ $status = 0 ] && [ $failed = 0 ]
