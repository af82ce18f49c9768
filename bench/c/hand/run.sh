#!/bin/sh
# run.sh DAGAZ check: derivatives of hand.c by source transformation (dagaz tangent, adjoint) and
# through core (dagaz cc) against differences and each other.  run.sh DAGAZ bench: their times.
dagaz=${1:-build/dagaz}; what=${2:-bench}
case $dagaz in /*) ;; *) dagaz=$(pwd)/$dagaz ;; esac
here=$(cd "$(dirname "$0")" && pwd) || exit 1
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
cd "$tmp" && cp "$here"/*.[ch] . || exit 1
lengths="theta[26] us[2*count] error[3*count]"
simple="hand(error)/(theta)"; faces="hand_faces(error)/(theta us)"
source_derive() { "$dagaz" "$@" hand.c --head "$simple $faces" --length "$lengths" || exit 1; }
core_derive() { "$dagaz" cc -c "--$1" hand.c -e "$2" --length "$lengths" || exit 1; }
source_derive tangent
source_derive tangent --multi 26
source_derive adjoint
for mode in jvp vjp jac; do core_derive $mode "$simple"; done
for mode in jvp vjp; do core_derive $mode "$faces"; done
flags="-O3 -march=native"; [ "$what" = bench ] || flags=-O0
${CC:-gcc} -std=gnu11 $flags -o "$what" "$what.c" hand.c hand_d.c hand_dv.c hand_b.c ./*.o -lm || exit 1
case $what in
check) ./check ;;
*) ./bench 544 1000 31 && ./bench 544 12800 11 ;;
esac
