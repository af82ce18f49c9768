#!/bin/sh
# gpu.sh BUILD: tools/gpu.sh itself, with the stand-ins and small sizes.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
. tests/cuda/standins.sh
DIVIDE=${DIVIDE:-100000} PATHS=tests/opencl sh tools/gpu.sh "${1:-build}" > "$dir/log"
status=$?
grep FAILED "$dir/log"
grep -q '^| gmm, gradient | [0-9.]* | [0-9.]* | [0-9.]* | [1-9]' "$1/gpu/table.md" || {
  echo "FAILED: the table has no last row"; status=1; }
[ $status = 0 ] && echo "$(($(grep -c '^| ' "$1/gpu/table.md") - 1)) passed, 0 failed" ||
  echo "0 passed, 1 failed"
exit $status
