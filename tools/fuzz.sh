#!/bin/sh
# Runs every libFuzzer target for SECONDS (default 60) each, as many at once as there are cores.
# Without clang: says so and skips.
cd "$(dirname "$0")/.." || exit 1
seconds=${1:-60}
jobs=$(nproc 2>/dev/null || echo 2)
if ! command -v clang > /dev/null; then
  echo "skipped: clang is absent, the libFuzzer targets were not run"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
make -s -j"$jobs" CC=clang BUILD=build-fuzz \
  EXTRA="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -Wno-error -w -O1" fuzz-build || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fuzz_one() {  # fuzz_one TARGET: leaves TARGET's name in passed or failed
  name=$(basename "$1")
  mkdir -p "$work/$name"
  if "$1" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=4096 \
      -artifact_prefix="$work/$name/" "$work/$name" tests/fuzz/seeds > "$work/$name.log" 2>&1
  then echo "$name" >> "$work/passed"
  else echo "$name" >> "$work/failed"; tail -40 "$work/$name.log"; fi
}

running=0
touch "$work/passed" "$work/failed"
for target in build-fuzz/fuzz/fuzz_*; do
  case $target in *.d|*.o) continue ;; esac
  [ -x "$target" ] || continue
  fuzz_one "$target" &
  running=$((running + 1))
  [ $((running % jobs)) != 0 ] || wait
done
wait
passed=$(wc -l < "$work/passed"); failed=$(wc -l < "$work/failed")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
