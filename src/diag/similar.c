// Did you mean ..: names within few typing errors of the wanted one.  The distance counts
// insertions, deletions, replacements and exchanges of neighbours.
#include "diag.h"
#include <string.h>

enum { LONGEST = 40 };

static int least(int a, int b) { return a < b ? a : b; }

static int distance(const char *a, int na, const char *b, int nb) {
  int rows[3][LONGEST + 1];
  int *before = rows[0], *above = rows[1], *row = rows[2];
  for (int j = 0; j <= nb; j++) above[j] = before[j] = j;
  for (int i = 1; i <= na; i++) {
    row[0] = i;
    for (int j = 1; j <= nb; j++) {
      row[j] = least(above[j] + 1, row[j - 1] + 1);
      row[j] = least(row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], before[j - 2] + 1);
    }
    int *spare = before;
    before = above;
    above = row;
    row = spare;
  }
  return above[nb];
}

// One error in names of up to five characters, none in those of one, two in long ones.
Similar similar_begin(const char *wanted) {
  size_t len = strlen(wanted);
  int most = len < 2 || len > LONGEST ? 0 : len < 6 ? 1 : 2;
  return (Similar){wanted, NULL, most};
}

void similar_offer(Similar *s, const char *name) {
  int na = (int)strlen(s->wanted), nb = (int)strlen(name);
  if (s->distance == 0 || nb > LONGEST || nb - na > s->distance || na - nb > s->distance) return;
  int d = distance(s->wanted, na, name, nb);
  if (d > s->distance || d == 0 || d >= nb || (s->best && d == s->distance)) return;
  s->best = name;
  s->distance = d;
}
