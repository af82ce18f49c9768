# report_bytes.sh FILE HEAD "LENGTH" SIZES..: the bytes that `dagaz report` says the adjoint keeps,
# and the most that its tape has when NAME_check runs with these sizes (n=5,m=3).
file=$1 head=$2 length=$3
shift 3
formula=$(dagaz report "$file.c" -e "$head" --length "$length" --json |
  sed -n 's/.*"function": "[a-z_0-9]*_b".*"bytes kept": "\([^"]*\)".*/\1/p' | head -1)
dagaz adjoint "$file.c" --head "$head" --length "$length" --context || exit 1
sed 's/t->at += 8; }/t->at += 8; dz_counted(t, 8); }/; s/t->at -= 8;/t->at -= 8; dz_counted(t, -8);/
     s/^  t->at += room;/  t->at += room; dz_counted(t, (long)room);/
     s/^  t->at -= (n + 7).*/  t->at -= (n + 7) \/ 8 * 8; dz_counted(t, -(long)((n + 7) \/ 8 * 8));/
     s/^  t->block = NULL;/  t->block = NULL; dz_counted(t, 0);/
     s/^#define DZ_KIND/void dz_counted(void *tape, long n);\n#define DZ_KIND/
     s/^DZ_STATIC void dz_tape_free/void dz_counted(void *tape, long n);\n&/' dagaz_tape.h > counted.h
mv counted.h dagaz_tape.h
cat > count.c <<'C'
#include <stdio.h>
static void *head;  /* the tape of the head; those of functions that it calls are theirs */
static long now, most;
void dz_counted(void *tape, long n) {
  if (!head) head = tape;
  if (tape != head) return;
  now += n;
  if (now > most) most = now;
  if (!n) head = NULL;
}
__attribute__((destructor)) static void say(void) { fprintf(stderr, "%ld\n", most); }
C
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
