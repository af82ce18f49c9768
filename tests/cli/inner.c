// Structs and enumerations that are defined inside functions, in members and with variables.
#include <math.h>

struct outer {
  struct { double a, b; } in, other;
  struct tagged { double z; enum { LOW, HIGH = 3 } kind; } t;
};
static const struct { double scale; int n; } setting = {1.5, 2};

double untagged(double x, double y) {
  struct { double a, b; } v, w;
  v.a = x * y;
  v.b = sin(x);
  w = v;
  return w.a * v.b;
}

double tagged(double x, double y) {
  struct pair { double a; double b; } v;
  enum color { RED, GREEN = 5 } c = x > 0 ? RED : GREEN;
  for (int i = 0; i < 3; i++) {
    struct { double power[GREEN]; } p;
    p.power[0] = x;
    for (int k = 1; k < GREEN; k++) p.power[k] = p.power[k - 1] * y;
    x = p.power[2];
  }
  v.a = x * y;
  v.b = 2 * x;
  if (c == RED) return v.a * v.b;
  return v.a;
}

double named(double x, double y) {
  typedef struct { double a, b; } pair;
  typedef double real;
  real z = x * x;
  pair v = {z, y};
  {
    struct pair2 { double b; } w = {v.a * v.b};
    x = w.b;
  }
  {
    struct pair2 { double c, d; } w = {y, 2};
    x += w.c * w.d;
  }
  return x * v.a;
}

static double inside(struct outer *o, double x) {
  struct { double q; } local = {x * o->t.z};
  o->other = o->in;
  return o->in.a * o->other.b * local.q;
}

double members(double x, double y) {
  struct outer o = {.t = {x, HIGH}};
  o.in.a = y;
  o.in.b = x * y;
  return inside(&o, x) + o.other.b * o.t.kind * setting.scale * setting.n;
}
