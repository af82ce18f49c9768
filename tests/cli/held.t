$ dagaz c $DAGAZ_ROOT/tests/cli/held.fut -o held; dagaz c --server $DAGAZ_ROOT/tests/cli/held.fut -o server
$ bound() { sed 's/.*"now":\([0-9]*\),"peak":\([0-9]*\),"held":\([0-9]*\).*/\1 \2 \3/' | awk '{ most = 2 * $2 + 16 * 1048576; if ($1 + $3 <= most) print "within the bound"; else print $1 + $3, "held and in use, at most", most }'; }; for run in 'main 120i64' 'main 250i64' 'flatgrow 50i64' 'shrink 1000i64 1000i64' 'grad 300i64' 'random 100i64'; do set -- $run; e=$1; shift; echo "$@" | ./held -e $e -n -P 2>&1 | bound; done
within the bound
within the bound
within the bound
within the bound
within the bound
within the bound
$ size() { printf 'b\002\000 i64'; printf "\\$(printf %03o $(($1 % 256)))\\$(printf %03o $(($1 / 256 % 256)))\\$(printf %03o $(($1 / 65536)))\000\000\000\000\000"; }; bound() { sed -n 's/.*"now":\([0-9]*\),"peak":\([0-9]*\),"held":\([0-9]*\).*/\1 \2 \3/p' | awk '{ most = 2 * $2 + 16 * 1048576; if ($1 + $3 <= most) print "within the bound"; else print $1 + $3, "held and in use, at most", most }'; }; i=0; x=12345; while [ $i -lt 100 ]; do x=$(((x * 1103515245 + 12345) % 2147483648)); size $((x % 1000000)) > n$i.bin; echo "restore n$i.bin n i64"; echo "call ones r n"; echo "free n r"; i=$((i + 1)); done > script; echo report >> script; ./server < script | grep -v -e OK -e runtime | bound
within the bound
