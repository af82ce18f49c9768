#!/bin/sh
# fast.sh DAGAZ FROM COUNT: random C programs from seed FROM on, differentiated through core.  Each
# must be accepted (or refused, at most two in ten); `dagaz cc` and `dagaz tangent`, `dagaz adjoint`
# are exchanged: the tangent through core with the adjoint of source transformation, and the other
# way round, must agree with each other, with the value and with differences.
dagaz=${1:-build/dagaz}; from=${2:-1}; count=${3:-20}
case $dagaz in /*) ;; *) dagaz=$(pwd)/$dagaz ;; esac
cd "$(dirname "$0")" || exit 1
here=$(pwd)
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
passed=0; failed=0; gaps=0
bad() { failed=$((failed + 1)); echo "seed $seed: $1"; head -${2:-6} "$tmp/said"; }
head="f(f x y s)/(a b x y s)"
cd "$tmp" || exit 1
mkdir r fd fb
export CFLAGS=${CFLAGS:--O1}
check() {  # folder with the headers, objects
  gcc -std=c11 -O0 $close -w -I"$here" -I"$1" -I. -DROUNDED -o p "$here/random_main.c" p.c $2 -lm > said 2>&1 &&
    timeout 20 ./p > said 2>&1
}
seed=$from
while [ "$seed" -lt $((from + count)) ]; do
  "$dagaz" cgen --seed "$seed" > p.c
  close=; grep -q float p.c && close=-DCLOSE=1e-6
  "$dagaz" tangent p.c --head "$head" -o r/p > said 2>&1; t=$?
  "$dagaz" adjoint p.c --head "$head" -o r/p >> said 2>&1; a=$?
  core() { "$dagaz" cc -c --verify --$1 --convention tapenade p.c -e "$head" \
    --length "x[n] y[n] idx[n] s[1]" -o "$2" > said 2>&1; }
  core jvp fd/p_d; d=$?
  core vjp fb/p_b; b=$?
  if [ $t != 0 ] || [ $a != 0 ] || { [ $d = 3 ] && [ $b = 3 ]; }; then gaps=$((gaps + 1)); [ -z "$SHOW" ] || bad gap
  elif [ $d != 0 ] || [ $b != 0 ]; then bad "refused, status $d, $b"
  else
    cp r/p_b.h fd/; cp r/p_d.h fb/; cp r/dagaz_tape.h . 2> /dev/null
    if ! check fd "fd/p_d.o r/p_b.c"; then bad "the tangent through core: $(grep -v '^=' said | head -1)"
    elif ! check fb "r/p_d.c fb/p_b.o"; then bad "the adjoint through core: $(grep -v '^=' said | head -1)"
    else passed=$((passed + 1)); fi
  fi
  seed=$((seed + 1))
done
echo "$gaps refused as known gaps"
[ $((gaps * 5)) -le "$count" ] || { failed=$((failed + 1)); echo "too many refused"; }
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
