#!/bin/sh
# Which pass changes a result: tools/bisect.sh DAGAZ FILE.fut ENTRY < VALUES
# Writes the program after every run of a pass over core, interprets each, and names the first whose
# result differs from that of the program as written.  Where none does, compiles with each pass over
# the imperative program left out in turn, and without the C compiler's optimisations.  Numbers are
# equal to within 1e-6.  Prints one line; leaves the programs in a folder that it names.
[ $# = 3 ] || { echo "usage: tools/bisect.sh DAGAZ FILE.fut ENTRY < VALUES" >&2; exit 2; }
dagaz=$1 file=$2 entry=$3
dir=$(mktemp -d) || exit 1
cat > "$dir/values"

# run OUT OPTION..: the result, or the error's first line
run() {
  out=$1; shift
  "$dagaz" run -w -e "$entry" "$@" < "$dir/values" > "$dir/$out" 2> "$dir/error" ||
    sed -n 2p "$dir/error" > "$dir/$out"
}

# same A B: word for word, but for the last digits of numbers
same() {
  tr -s '[], ' '\n' < "$dir/$1" > "$dir/words1"; tr -s '[], ' '\n' < "$dir/$2" > "$dir/words2"
  paste "$dir/words1" "$dir/words2" | awk '
    { a = $1; b = $2; if (a == b) next
      if (a !~ /^-?[0-9.]/ || b !~ /^-?[0-9.]/) exit bad = 1
      sub(/[iuf][0-9]+$/, "", a); sub(/[iuf][0-9]+$/, "", b)
      d = a - b; if (d < 0) d = -d; m = a < 0 ? -a : a + 0
      if (d > 1e-6 * (m > 1 ? m : 1)) exit bad = 1 }
    END { exit bad }'
}

"$dagaz" ir -w -O --print-after all "$file" 2>&1 > "$dir/last" | awk -v dir="$dir" '
  /^-- after / { close(f); f = sprintf("%s/%03d_%s.ir", dir, ++n, $3) } f { print > f }'
run want --interp "$file"
before="$file"
for p in "$dir"/[0-9]*.ir; do
  [ -s "$p" ] || { echo "the passes stop: see dagaz ir -O $file"; exit 1; }
  run got --interp "$p"
  if ! same want got; then echo "$(basename "$p" .ir) changes the result: $before, then $p"; exit 1; fi
  before=$p
done
run got "$file"
if same want got; then echo "no pass changes the result"; rm -r "$dir"; exit 0; fi
for pass in $("$dagaz" ir --optional | awk '/^dead-stores /{ on = 1 } on { print $1 }'); do
  run got --without "$pass" "$file"
  if same want got; then echo "without $pass the compiled result is right"; exit 1; fi
done
CFLAGS=-O0 run got "$file"
if same want got; then echo "with CFLAGS=-O0 the compiled result is right"; exit 1; fi
echo "the compiled result is wrong whatever is left out: see dagaz c --c-only $file"; exit 1
