#!/bin/sh
# random.sh DAGAZ FROM COUNT: random C programs from seed FROM on.  Each must be accepted (or refused
# as a known gap, status 3, at most one in ten), its tangent and adjoint compile without warnings and
# agree with each other and with differences, under the address and undefined-behaviour sanitizers.
# Of every third, tangent and adjoint for several directions must be those one by one, to the bit.
# With CHECKPOINTS=1 statements of the programs stand between $AD CHECKPOINT-START and -END.
dagaz=${1:-build/dagaz}; from=${2:-1}; count=${3:-20}
case $dagaz in /*) ;; *) dagaz=$(pwd)/$dagaz ;; esac
cd "$(dirname "$0")" || exit 1
here=$(pwd)
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
passed=0; failed=0; gaps=0; kinks=0
bad() { failed=$((failed + 1)); echo "seed $seed: $1"; head -${2:-6} "$tmp/said"; }
flags="-std=c11 -O0 -Wall -Wextra -Wno-unused-but-set-variable -Wno-unused-variable -Wno-unused-parameter"
head="f(f x y s)/(a b x y s)"
several() {
  "$dagaz" tangent p.c --head "$head" --multi 4 > said 2>&1 || return 1
  "$dagaz" adjoint p.c --head "$head" --multi 4 > said 2>&1 || return 1
  gcc $flags -Werror -c p_dv.c p_bv.c > said 2>&1 || return 1
  gcc $flags -w -I"$here" -I. -fsanitize=address,undefined -fno-sanitize-recover=all \
    -o several "$here/directions_main.c" p.c p_d.c p_dv.c p_b.c p_bv.c -lm > said 2>&1 || return 1
  timeout 20 ./several > said 2>&1
}
cd "$tmp" || exit 1
seed=$from
while [ "$seed" -lt $((from + count)) ]; do
  "$dagaz" cgen --seed "$seed" > q.c
  if [ -n "$CHECKPOINTS" ]; then awk -v seed="$seed" -f "$here/checkpoints.awk" q.c > p.c; else cp q.c p.c; fi
  close=; grep -q float p.c && close=-DCLOSE=1e-6
  "$dagaz" tangent p.c --head "$head" > said 2>&1; t=$?
  "$dagaz" adjoint p.c --head "$head" >> said 2>&1; a=$?
  if [ $t = 3 ] || [ $a = 3 ]; then gaps=$((gaps + 1))
  elif [ $t != 0 ] || [ $a != 0 ]; then bad "refused, status $t, $a"
  elif ! gcc $flags -Werror -c p_d.c p_b.c > said 2>&1; then bad "does not compile" 12
  elif ! gcc $flags $close -w -I"$here" -I. -fsanitize=address,undefined -fno-sanitize-recover=all \
      -o p "$here/random_main.c" p.c p_d.c p_b.c -lm > said 2>&1; then bad "does not link"
  elif ! timeout 20 ./p > said 2>&1; then bad "$(grep -v '^=' said | head -1)"
  elif { ! grep -q kink said || kinks=$((kinks + 1)); } && [ $((seed % 3)) = 0 ] && ! several; then bad "several directions: $(head -1 said)"
  else passed=$((passed + 1)); fi
  seed=$((seed + 1))
done
echo "$kinks at kinks, $gaps refused as known gaps"
[ $((gaps * 10)) -le "$count" ] || { failed=$((failed + 1)); echo "too many refused"; }
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
