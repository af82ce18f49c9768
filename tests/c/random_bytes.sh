#!/bin/sh
# random_bytes.sh DAGAZ FROM COUNT: the bytes that `dagaz report` says the adjoint of a random C
# program keeps are those that its tape has when it runs, or not fewer where the report says "at
# most".  Programs whose formula has symbols are left out, and refused ones.
dagaz=${1:-build/dagaz}; from=${2:-1}; count=${3:-20}
case $dagaz in /*) ;; *) dagaz=$(pwd)/$dagaz ;; esac
cd "$(dirname "$0")" || exit 1
here=$(pwd)
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
passed=0; failed=0; left=0
head="f(f x y s)/(a b x y s)"
seed=$from
while [ "$seed" -lt $((from + count)) ]; do
  "$dagaz" cgen --seed "$seed" > p.c
  formula=$("$dagaz" report p.c -e "$head" --json 2> said |
    sed -n 's/.*"function": "f_b".*"bytes kept": "\([^"]*\)".*/\1/p' | head -1)
  most=${formula#at most }
  rm -f dagaz_tape.h
  case $most in
    '' | *[tcrb][0-9]*) left=$((left + 1)) ;;
    *)
      "$dagaz" tangent p.c --head "$head" > said 2>&1; "$dagaz" adjoint p.c --head "$head" > said 2>&1
      [ -e dagaz_tape.h ] || printf '' > dagaz_tape.h
      sh "$here/count_tape.sh"
      gcc -w -I"$here" -I. -o p "$here/random_main.c" p.c p_d.c p_b.c count.c -lm > said 2>&1
      measured=$(./p 2>&1 > said); n=5; said=$(eval "n=$n; echo \$(($most))")
      if [ "$said" = "$measured" ] || { [ "$formula" != "$most" ] && [ "$measured" -le "$said" ]; }
      then passed=$((passed + 1))
      else failed=$((failed + 1)); echo "seed $seed: $formula is $said, measured $measured"; fi ;;
  esac
  seed=$((seed + 1))
done
echo "$left left out"
[ "$passed" -gt 0 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
