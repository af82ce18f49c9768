// Types that are defined where they are used: in functions, in members, without tags.
#include <stdio.h>
struct outer {
  struct { double a, b; } in, *other, pair[2];
  const struct tagged { double z; enum { LOW, HIGH = 3 } kind; } t;
  union { int i; float f; } either;
};
struct { double a; int n; } table[2] = {{1.5, 2}, {2.5, 3}};
static double local(double x, int k) {
  typedef struct { double a, b; } pair;
  typedef double real;
  struct point { real x, y; } p = {x, 2};
  enum color { RED, GREEN = 5 } c = k > 0 ? RED : GREEN;
  struct { double a; struct { int n; } deep; } v = {3, {4}}, w;
  pair q = {p.x, p.y};
  for (struct { int i; } s = {0}; s.i < 2; s.i++) q.a += s.i;
  w = v;
  return q.a + q.b + c + w.a + w.deep.n + (int)sizeof(struct { double d[2]; });
}
int main(void) {
  struct outer o = {.t = {2, HIGH}};
  o.in.a = 1, o.in.b = 2;
  o.other = &o.in;
  o.pair[1] = o.in;
  o.either.i = 7;
  printf("%g %d %d\n", o.pair[1].b + o.other->a + o.t.z, o.t.kind, o.either.i);
  printf("%g %g %g\n", local(1, 1), local(1, 0), table[1].a + table[0].n);
  return 0;
}
