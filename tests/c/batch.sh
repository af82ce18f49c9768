#!/bin/sh
# batch.sh DAGAZ FROM COUNT: random C programs from seed FROM on, 50 at a time: their functions, with
# the seed in their names, are one C file, are differentiated and compiled together, and run one by
# one (batch_main.c).  The laws are those of random.sh and fast.sh, which handle one program at a time
# and slowly; what fails here is said with its seed, and told by them again.  Programs that are
# refused as known gaps are taken out; a batch that still cannot be differentiated or compiled is halved
# until single programs are left, and those are wrong.
# seed / 50 decides what else is checked: of 5 batches one goes through core, too, one has checkpoints;
# every sixth program is differentiated for several directions.
dagaz=${1:-build/dagaz}; from=${2:-50000}; count=${3:-100}
case $dagaz in /*) ;; *) dagaz=$(pwd)/$dagaz ;; esac
cd "$(dirname "$0")" || exit 1
here=$(pwd)
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
passed=0; failed=0; gaps=0; kinks=0; roundings=0; cores=0; without=0
warnings="-std=c11 -Wall -Wextra -Wno-unused-but-set-variable -Wno-unused-variable -Wno-unused-parameter -Werror"
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all"
cc=gcc
if command -v clang > /dev/null; then  # three times as fast; the address sanitizer sees what pointers do
  cc=clang
  sanitize="$sanitize -fsanitize-trap=undefined -fno-sanitize=alignment,object-size,pointer-overflow,null"
fi

head_of() { echo "$1($1 x y s)/(a b x y s)"; }
kind_of() { case $(($1 / 50 % 5)) in 0) echo core ;; 3) echo checkpoints ;; *) echo plain ;; esac; }

program() {  # SEED: s_SEED.c
  "$dagaz" cgen --seed "$1" |
    if [ "$kind" = checkpoints ]; then awk -v seed="$1" -f "$here/checkpoints.awk"; else cat; fi |
    sed "s/\\b\\([ghk][0-9]\\|fill\\|mix\\|f\\)(/\\1_$1(/g" > "s_$1.c"
}

differentiate() {  # COMMAND TAIL SEED..: p_TAIL.c
  command=$1; options=$2; shift 2
  for seed; do set -- "$@" --head "$(head_of "f_$seed")"; shift; done
  "$dagaz" "$command" p.c $options "$@" >> said 2>&1
  status=$?
}

# Through core: core_TAIL.c of the whole batch.  What is file-level and not of a head is renamed.
core() {  # MODE TAIL SEED
  sed "s/_$3(/_${3}F(/g" "s_$3.c" > c.c
  "$dagaz" cc --own-preprocessor --c-only --verify --"$1" --convention tapenade c.c \
    -e "$(head_of "f_${3}F")" --length "x[n] y[n] idx[n] s[1]" -o "c_$2" > core.said 2>&1
  status=$?
  ! grep -q "source transformation is used instead" core.said || status=3
  [ $status != 0 ] || {
    for name in params param_list types entries sites regions program meet refuse; do
      printf '#undef dz_%s\n#define dz_%s dz_%s_%s\n' $name $name $name "$3"
    done
    printf '#undef Pair\n#define Pair Pair_%s\n' "$3"
    cat "c_$2.c"
  } >> "core_$2.c"
}

rows_of() {  # SEED: its rows in programs.h
  close=1e-9; ! grep -q float "s_$1.c" || close=1e-6
  value="f_$1"; d="f_$1_d"; b="f_$1_b"
  echo "Value $value; Tangent f_$1F_d; Adjoint f_$1F_b;" >> declarations
  echo "  {$1, \"source\", {{$value, $d, $b, $close, 0}, 0, 0}}," >> rows
  [ $(($1 % 6)) != 0 ] || echo "  {$1, \"directions\", {{$value, $d, $b, $close, 0}, f_$1_dv, f_$1_bv}}," >> rows
  [ "$kind" = core ] || return 0
  cores=$((cores + 1))
  core jvp d "$1"; t=$status
  [ $t != 0 ] || echo "  {$1, \"tangent\", {{$value, f_$1F_d, $b, $close, 1}, 0, 0}}," >> rows
  core vjp b "$1"; a=$status
  [ $a != 0 ] || echo "  {$1, \"adjoint\", {{$value, $d, f_$1F_b, $close, 1}, 0, 0}}," >> rows
  if { [ $t != 0 ] && [ $t != 3 ]; } || { [ $a != 0 ] && [ $a != 3 ]; }; then
    wrong "$1" "through core: refused, status $t, $a"
  elif [ $t = 3 ] && [ $a = 3 ]; then without=$((without + 1)); fi
}

build() {  # SEED..: ./batch; its status says whether all is there, `why` what is missing
  rm -f p_*.[ch] core_?.c declarations rows said p
  { printf '#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n'
    grep '^typedef' "s_$1.c"
    for seed; do grep -v '^#include\|^typedef' "s_$seed.c"; done; } > p.c
  many=; for seed; do [ $((seed % 6)) != 0 ] || many="$many $seed"; done
  why=refused
  differentiate tangent "" "$@"; [ $status = 0 ] || return $status
  differentiate adjoint "" "$@"; [ $status = 0 ] || return $status
  differentiate tangent "--multi 4" ${many:-$1}; [ $status = 0 ] || return $status
  differentiate adjoint "--multi 4" ${many:-$1}; [ $status = 0 ] || return $status
  why="does not compile"
  gcc $warnings -fsyntax-only p_d.c p_b.c p_dv.c p_bv.c > said 2>&1 || return 1
  : > core_d.c; : > core_b.c
  for seed; do rows_of "$seed"; done
  { cat declarations; echo "static const Row rows[] = {"; cat rows; echo "};"; } > programs.h
  $cc -O0 -w -c core_d.c core_b.c > said 2>&1 &&
    $cc -std=c11 -O0 -w $sanitize -I"$here" -I. -o p "$here/batch_main.c" p.c p_d.c p_b.c p_dv.c p_bv.c \
      core_d.o core_b.o -lm > said 2>&1
}

wrong() {  # SEED MESSAGE
  echo "seed $1: $2"
  case " $bad " in *" $1 "*) ;; *) bad="$bad $1" ;; esac
}

alone() {  # SEED: the same by the scripts for one program
  [ "$kind" != checkpoints ] || export CHECKPOINTS=1
  sh "$here/random.sh" "$dagaz" "$1" 1 | sed 's/^/  alone: /'
  unset CHECKPOINTS
  [ "$kind" != core ] || sh "$here/fast.sh" "$dagaz" "$1" 1 | sed 's/^/  alone, through core: /'
}

run() {  # SEED..
  ./p > lines 2> errors
  while read -r seed way result; do
    case $result in
      ok) ;;
      rounding) roundings=$((roundings + 1)) ;;
      kink) [ "$way" != source ] || kinks=$((kinks + 1)) ;;
      *) wrong "$seed" "$way: $result" ;;
    esac
  done < lines
  [ "$(wc -l < lines)" = "$(wc -l < rows)" ] || wrong "$1" "the batch from here on ended early"
  for seed in $bad; do alone "$seed"; failed=$((failed + 1)); done
  for seed; do case " $bad " in *" $seed "*) ;; *) passed=$((passed + 1)) ;; esac; done
}

present() {  # FIRST LAST: the seeds of programs that are here
  for seed in $(seq "$1" "$2"); do [ ! -e "s_$seed.c" ] || echo "$seed"; done
}

sift() {  # FIRST LAST: takes out programs whose adjoint is a known gap; its status: whether there are some
  sifted=1
  for seed in $(present "$1" "$2"); do
    "$dagaz" adjoint --own-preprocessor "s_$seed.c" --stdout --head "$(head_of "f_$seed")" > said 2>&1
    [ $? != 3 ] || { gaps=$((gaps + 1)); sifted=0; rm "s_$seed.c"; }
  done
  return $sifted
}

batch() {  # FIRST LAST
  bad=; had="$cores $without"
  [ -n "$(present "$1" "$2")" ] || return 0
  build $(present "$1" "$2")
  built=$?
  if [ $built = 0 ]; then run $(present "$1" "$2"); return; fi
  cores=${had% *}; without=${had#* }
  if [ $built = 3 ] && sift "$1" "$2"; then batch "$1" "$2"; return; fi
  if [ "$1" = "$2" ]; then
    if [ $built = 3 ]; then gaps=$((gaps + 1)); return; fi
    wrong "$1" "$why, status $built"; head -12 said
    failed=$((failed + 1))
    return
  fi
  halves=$((halves + 1))
  batch "$1" $((($1 + $2) / 2))
  batch $((($1 + $2) / 2 + 1)) "$2"
}

first=$from; halves=0
while [ "$first" -lt $((from + count)) ]; do
  last=$(((first / 50 + 1) * 50 - 1))
  [ "$last" -lt $((from + count)) ] || last=$((from + count - 1))
  kind=$(kind_of "$first")
  for seed in $(seq "$first" "$last"); do program "$seed"; done
  batch "$first" "$last"
  rm -f s_*.c
  first=$((last + 1))
done
echo "$kinks at kinks, $gaps refused as known gaps, $halves batches halved"
echo "$cores through core, of which $without refused; $roundings derivatives differ by roundings alone"
[ $((gaps * 10)) -le "$count" ] || { failed=$((failed + 1)); echo "too many refused"; }
[ $((roundings * 10)) -le $((cores + 50)) ] || { failed=$((failed + 1)); echo "too many roundings"; }
[ $((without * 5)) -le "$cores" ] || { failed=$((failed + 1)); echo "too many refused by core"; }
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
