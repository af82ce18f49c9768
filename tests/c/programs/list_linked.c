// folded(folded)/(x) | x[n] | n=6 | -1:1 | source |
// A list of allocated structs: its shadow has the same links, and both are freed.
#include <stdlib.h>
struct cell { double v; struct cell *next; };
double folded(int n, const double *x) {
  struct cell *head = 0;
  for (int i = 0; i < n; i++) {
    struct cell *one = malloc(sizeof *one);
    one->v = x[i]*x[i];
    one->next = head;
    head = one;
  }
  double s = 0;
  while (head) {
    struct cell *next = head->next;
    s = s*0.5 + head->v*head->v;
    free(head);
    head = next;
  }
  return s;
}
