# count_tape.sh: changes dagaz_tape.h in this folder so that count.c, which it writes, prints on
# stderr, when the program ends, the most bytes that a tape of the head has had.
sed -i 's/t->at += 8; }/t->at += 8; dz_counted(t, 8); }/; s/t->at -= 8;/t->at -= 8; dz_counted(t, -8);/
        s/^  t->at += room;/  t->at += room; dz_counted(t, (long)room);/
        s/^  t->at -= (n + 7).*/  t->at -= (n + 7) \/ 8 * 8; dz_counted(t, -(long)((n + 7) \/ 8 * 8));/
        s/^  t->block = NULL;/  t->block = NULL; dz_counted(t, 0);/
        s/^#define DZ_KIND/void dz_counted(void *tape, long n);\n#define DZ_KIND/
        s/^DZ_STATIC void dz_tape_free/void dz_counted(void *tape, long n);\n&/' dagaz_tape.h
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
