#!/bin/sh
# cuda.sh DAGAZ FILES..: compiles the kernels of programs as CUDA C, without running them.  Without
# nvcc it says so and skips them.
dagaz=$1; shift
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -z "$nvcc" ]; then
  echo "skipped: there is no nvcc"
  echo "0 passed, 0 failed, $# skipped"
  exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0; failed=0; kernels=0
for file in "$@"; do
  "$dagaz" ir -w --kernels cuda "$file" > "$dir/k.cu" || { failed=$((failed + 1)); continue; }
  if "$nvcc" --ptx -arch=compute_80 -fmad=false -w -o "$dir/k.ptx" "$dir/k.cu" > "$dir/log" 2>&1; then
    passed=$((passed + 1))
    kernels=$((kernels + $(grep -c '^\.visible \.entry\|^[[:space:]]*\.entry' "$dir/k.ptx")))
  else
    failed=$((failed + 1)); echo "FAILED: $file"; head -5 "$dir/log"
  fi
done
[ $kernels != 0 ] || { failed=$((failed + 1)); echo "FAILED: no file has a kernel"; }
echo "$kernels kernels are compiled"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
