# report_bytes.sh FILE HEAD "LENGTH" SIZES..: the bytes that `dagaz report` says the adjoint keeps,
# and the most that its tape has when NAME_check runs with these sizes (n=5,m=3).
file=$1 head=$2 length=$3
shift 3
formula=$(dagaz report "$file.c" -e "$head" --length "$length" --json |
  sed -n 's/.*"function": "[a-z_0-9]*_b".*"bytes kept": "\([^"]*\)".*/\1/p' | head -1)
dagaz adjoint "$file.c" --head "$head" --length "$length" --context || exit 1
sh "$DAGAZ_ROOT/tests/c/count_tape.sh"
gcc -O1 -o check "$file"_check.c "$file".c "$file"_d.c "$file"_b.c count.c -lm || exit 1
for sizes; do
  # shellcheck disable=SC2046
  measured=$(./check $(echo "$sizes" | tr , ' ') 2>&1 > out)
  grep -q 'they agree' out || cat out
  at_most=${formula#at most }
  said=$(eval "$(echo "$sizes" | tr , '\n')"; eval "echo \$(($at_most))")
  verdict=differs
  [ "$said" = "$measured" ] && verdict=same
  [ "$formula" != "$at_most" ] && [ "$measured" -le "$said" ] && verdict='not more'
  echo "$head $sizes: $formula = $said, measured $measured: $verdict"
done
