#!/bin/sh
# nvrtc.sh DAGAZ FILES..: compiles the kernels of programs by NVRTC, for devices of two generations,
# without running them; where one has no such library, it says so.  To have it without CUDA:
#
#   python3 -m venv v && v/bin/pip install nvidia-cuda-nvrtc-cu12
#   export DAGAZ_NVRTC=$(find $PWD/v -name libnvrtc.so.12)
dagaz=$1; shift
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
${CC:-cc} -O1 -Irts -o "$dir/nvrtc" tests/cuda/nvrtc.c -ldl -lm || exit 1
bad=0; i=0
for file in "$@"; do
  i=$((i + 1))
  text=$dir/$i-$(basename "$file" .fut).cu
  "$dagaz" ir -w --kernels cuda "$file" > "$text" || { bad=$((bad + 1)); echo "FAILED: $file"; }
  [ -s "$text" ] && echo "$text" >> "$dir/list"
done
"$dir/nvrtc" ${CAPABILITIES:-75 90} < "$dir/list" > "$dir/log"
grep -v ' passed, ' "$dir/log"
set -- $(tail -1 "$dir/log")
echo "${1:-0} passed, $((bad + ${3:-1})) failed${5:+, $5 skipped}"
[ $((bad + ${3:-1})) = 0 ]
