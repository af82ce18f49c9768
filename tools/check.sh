#!/bin/sh
# Everything `make check` runs.  Each suite ends with a line "N passed, N failed"; so does this.
# Installs with apt what the tests need beyond gcc and make, when it may.
cd "$(dirname "$0")/.." || exit 1
total_passed=0; total_failed=0; bad_suites=""
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Arenas and test values live until the process ends; interpreted programs handle failing allocations.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
jobs=$(nproc 2>/dev/null || echo 2)

suite() {  # suite NAME COMMAND...: runs it and adds up the counts of its last line
  name=$1; shift
  start=$(date +%s)
  "$@" > "$log" 2>&1
  status=$?
  counts=$(grep -E '[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
  p=$(echo "$counts" | sed -n 's/.*[^0-9]*\b\([0-9][0-9]*\) passed.*/\1/p')
  f=$(echo "$counts" | sed -n 's/.*passed, \([0-9][0-9]*\) failed.*/\1/p')
  [ -n "$p" ] || { p=0; f=1; }
  [ $status = 0 ] || [ "$f" != 0 ] || f=1
  [ "$p" != 0 ] || [ "$f" != 0 ] || f=1   # a suite that ran nothing has failed
  [ "$f" = 0 ] || { bad_suites="$bad_suites $name"; tail -60 "$log"; }
  total_passed=$((total_passed + p)); total_failed=$((total_failed + f))
  echo "== $name: $p passed, $f failed ($(( $(date +%s) - start )) s)"
}
must() { "$@" > "$log" 2>&1 || { tail -40 "$log"; echo "0 passed, 1 failed"; exit 1; }; }
script() { "$@" && echo "1 passed, 0 failed"; }

if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  command -v clang > /dev/null || { apt-get update && apt-get install -y clang; } > "$log" 2>&1
fi

must make -j"$jobs" all unit
suite layers script sh tools/layers.sh
suite sizes script sh tools/sizes.sh
suite derivative-sizes sh bench/ad/sizes.sh --at-most 10 build/dagaz
suite derivative-sizes-limited sh bench/ad/sizes.sh --at-most 10 --memory-limit 0 build/dagaz
suite docs sh tools/docs.sh --check build
suite doc-examples sh tools/examples.sh build
suite doc-examples-compiled sh tools/examples.sh build --compiled
suite examples build/dagaz test examples
suite examples-interpreted build/dagaz test --interp examples/kalman.fut \
  examples/gaussian_process.fut examples/training.fut
for test in build/unit/test_*; do
  case $test in *.d|*.o) continue ;; esac
  suite "$(basename "$test")" "$test"
done
suite golden sh tools/runtests build/dagaz tests/core tests/pass
suite cli sh tools/runtests build/dagaz tests/cli
suite errors sh tests/error/run.sh build/dagaz
suite messages sh tools/messages.sh build/dagaz
suite run-compiled build/dagaz test tests/run
suite run-interpreted build/dagaz test --interp tests/run
suite ad-compiled build/dagaz test tests/ad
suite ad-interpreted build/dagaz test --interp tests/ad
suite derived sh tests/derive/run.sh build/dagaz tests/ad/*.fut tests/run/*.fut
suite demo sh tools/demo.sh --check build
suite random-census build/dagaz fuzz --census --programs 2000 --seed 1 --brief
suite random-programs build/dagaz fuzz --programs 2000 --seed 1 --compile-every 50 --brief

export SEEDS=40  # of random programs in test_gen and test_opt_random, which are slow here
must make -j"$jobs" asan
for test in build-asan/unit/test_*; do
  case $test in *.d|*.o) continue ;; esac
  suite "asan $(basename "$test")" "$test"
done
suite asan-golden sh tools/runtests build-asan/dagaz tests/core tests/pass
# What a command holds when it ends is the system's to free; stack frames are larger.
suite asan-cli sh -c 'ulimit -s 262144; ASAN_OPTIONS=detect_leaks=0 sh tools/runtests build-asan/dagaz tests/cli'
suite asan-errors sh tests/error/run.sh build-asan/dagaz
suite asan-ad build-asan/dagaz test --interp tests/ad
suite asan-run build-asan/dagaz test --interp tests/run
must make -j"$jobs" stress
for test in build-stress/unit/test_*; do
  case $test in *.d|*.o) continue ;; esac
  suite "stress $(basename "$test")" "$test"
done
suite stress-golden sh tools/runtests build-stress/dagaz tests/core tests/pass
suite stress-ad build-stress/dagaz test --interp tests/ad
suite fuzz sh tools/fuzz.sh 60

[ -z "$bad_suites" ] || echo "failed:$bad_suites"
echo "$total_passed passed, $total_failed failed"
[ $total_failed = 0 ]
