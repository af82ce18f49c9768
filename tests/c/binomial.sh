#!/bin/sh
# binomial.sh DAGAZ: the adjoint of binomial.c with its pragmas BINOMIAL-CKP and without them gives
# the same bits for all numbers of steps and snapshots; its tape is as long as the report says.
dagaz=${1:-build/dagaz}
case $dagaz in /*) ;; *) dagaz=$(pwd)/$dagaz ;; esac
cd "$(dirname "$0")" || exit 1
here=$(pwd)
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
passed=0; failed=0
ok() { if eval "$2"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $1"; fi; }
cd "$tmp" && mkdir with without || exit 1
cp "$here/binomial.c" with/all.c
sed 's/\$AD/AD/' "$here/binomial.c" > without/all.c
for d in with without; do
  (cd $d && "$dagaz" adjoint all.c --head "all(all u)/(u h)" &&
    gcc -Wall -Werror -O1 -fsanitize=address,undefined -I. -o p "$here/binomial_main.c" all_b.c -lm &&
    ./p > out) || echo "$d: not made"
done
ok "the pragma has an effect" 'grep -q dz_binomial_next with/all_b.c'
ok "the same bits" 'cmp with/out without/out && [ "$(wc -l < with/out)" = 120 ]'

# 200 steps of 1000 numbers: bytes on the tape.
sed -n '/^static void step/,/^}/p; /^static double wave/,/^}/p' "$here/binomial.c" |
  sed '1i #include <math.h>' | sed 's/^static double/double/' > wave.c
cat > main.c <<'C'
#include <stdlib.h>
#include "wave_b.h"
int main(int argc, char **argv) {
  int n = 1000, most = argc > 1 ? atoi(argv[1]) : 0;
  double *u = calloc(n, sizeof *u), *ub = calloc(n, sizeof *ub), hb;
  wave_b(n, 200, most, u, ub, 0.001, &hb, 1);
  return 0;
}
C
bytes() {  # snapshots
  "$dagaz" adjoint wave.c --head "wave(wave u)/(u h)" && sh "$here/count_tape.sh" &&
    gcc -O1 -o w main.c wave_b.c count.c -lm && ./w "$1" 2>&1
}
said=$("$dagaz" report wave.c -e "wave(wave u)/(u h)" | sed -n 's/^ *wave_b .*  \([^ ].*\)/\1/p')
ok "the formula, not $said" '[ "$said" = "8*n*most + 16*most + 8" ]'
five=$(bytes 5); ten=$(bytes 10)
ok "a snapshot takes 8016 bytes: $five, $ten" '[ $((ten - five)) = $((5*8016)) ]'
sed -i 's/\$AD/AD/' wave.c
all=$(bytes 10)
echo "wave, 200 steps of 1000 numbers: $five bytes with 5 snapshots, $ten with 10, $all without"
ok "less than without" '[ $((ten * 10)) -lt "$all" ]'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
