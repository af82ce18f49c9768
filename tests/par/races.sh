#!/bin/sh
# races.sh DAGAZ: ThreadSanitizer on the threads of rts/par.h and rts/logs.h alone, then on the
# programs of tests/run and tests/par with ranges so short that every loop has several.
cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
export TSAN_OPTIONS=exitcode=66
if ! echo 'int main(void) { return 0; }' > "$dir/t.c" ||
   ! cc -fsanitize=thread "$dir/t.c" -o "$dir/t" 2> /dev/null || ! "$dir/t"; then
  echo "skipped: the C compiler has no ThreadSanitizer here"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
cc -std=c11 -O1 -g -w -fsanitize=thread -fopenmp-simd -I. -Isrc tests/unit/test_par.c \
  -o "$dir/par" -lm -pthread && "$dir/par" 3000 no-fork || exit 1
cc -std=c11 -O1 -g -w -fsanitize=thread -fopenmp-simd -I. -Isrc tests/unit/test_logs.c \
  -o "$dir/logs" -lm -pthread && "$dir/logs" || exit 1
CFLAGS="-O1 -g -march=native -fsanitize=thread -DDZ_BLOCK_COST=24.0 -DDZ_COPY_COST=1e9 \
  -DDZ_LOG_COST=0.0 -DDZ_LOG_BYTES=8192 -DDZ_PIECE=4 -DDZ_SLAB=256" \
  "$1" test --backend multicore --threads 3 tests/par/logs.fut || exit 1
CFLAGS="-O1 -g -march=native -fsanitize=thread -DDZ_BLOCK_COST=24.0 -DDZ_COPY_COST=0.01" \
  "$1" test --backend multicore --threads 1 --threads 3 tests/run tests/par
