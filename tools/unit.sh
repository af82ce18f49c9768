#!/bin/sh
# unit.sh BUILD [TEST..]: runs the unit tests of a build folder, but for those named; prints the sum
# of their counts.
build=$1; shift
without=" $* "
passed=0; failed=0
out=$(mktemp); trap 'rm -f "$out"' EXIT
export SEEDS=20  # of random programs in test_gen and test_opt_random, which sanitizers slow down
for test in "$build"/unit/test_*; do
  case $test in *.d|*.o) continue ;; esac
  case $without in *" $(basename "$test") "*) continue ;; esac
  "$test" > "$out" 2>&1
  status=$?
  counts=$(grep -E '[0-9]+ passed, [0-9]+ failed' "$out" | tail -1)
  p=$(echo "$counts" | sed -n 's/.*[^0-9]*\b\([0-9][0-9]*\) passed.*/\1/p')
  f=$(echo "$counts" | sed -n 's/.*passed, \([0-9][0-9]*\) failed.*/\1/p')
  [ -n "$p" ] || { p=0; f=1; }
  [ $status = 0 ] || [ "$f" != 0 ] || f=1
  [ "$f" = 0 ] || { echo "FAILED $test"; tail -40 "$out"; }
  passed=$((passed + p)); failed=$((failed + f))
  echo "$(basename "$test"): $p passed, $f failed"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
