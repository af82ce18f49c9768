#!/bin/sh
# A scalar function is one row, one meaning, one prelude name: adds one to a copy of the tree, builds
# it, and runs the function and its derivatives.   add_function.sh [MAKE FLAGS]
# The function is `power_of_two`, exp2 of the C library, which `2 ** x` must agree with.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cp -R Makefile src rts lib tools "$work"/ && mkdir -p "$work/tests" "$work/doc" || exit 1
cp -R tests/unit tests/prim "$work/tests"/ && cp doc/core.md "$work/doc"/ || exit 1
cd "$work" || exit 1
failed=0; passed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
ok() { passed=$((passed + 1)); }
expect() { "$@" > out 2>&1 && ok || { fail "$*"; tail -20 out; }; }
# Puts the text of the third argument before the line of FILE that starts with the second.
insert() {
  awk -v at="$2" -v text="$3" 'index($0, at) == 1 && !done { print text; done = 1 } { print }
                               END { exit !done }' "$1" > new && mv new "$1" || fail "no $2 in $1"
}

insert src/prim/prim.def 'OP(LOG, log,' \
  'OP(POWER_OF_TWO, power_of_two, "", 1, FLOAT, SAME, SAME, OVERFLOWS | SETTLES, FUNCTION, NONE, NEVER,
   MUL(R, K(LN2)), Z, Z, Z, Z, Z)'
insert rts/base.h '  X(gamma, tgamma)' '  X(power_of_two, exp2)  \'
insert lib/prelude/math.fut '  val erf :' '  val power_of_two : t -> t'
insert lib/prelude/math.fut '  def erf :' '  def power_of_two : T.t -> T.t = intrinsics.power_of_two'

make "$@" all build/unit/test_prim > make.log 2>&1 || { tail -20 make.log; echo "0 passed, 1 failed"; exit 1; }
expect build/unit/test_prim
expect build/dagaz test --interp tests/prim/power_of_two.fut
expect build/dagaz test tests/prim/power_of_two.fut
expect build/dagaz gradcheck -e gradient tests/prim/power_of_two.fut
expect sh tools/docs.sh build && grep -q '^| power_of_two | float' doc/core.md && ok || fail "doc/core.md"
build/dagaz derive -e value tests/prim/power_of_two.fut > out 2>&1
grep -q 'f64.power_of_two' out && ok || { fail "dagaz derive"; cat out; }
build/dagaz fuzz --programs 40 --seed 1 --brief > out 2>&1 && ok || { fail "dagaz fuzz"; tail -5 out; }
echo "$passed passed, $failed failed"
[ $failed = 0 ]
