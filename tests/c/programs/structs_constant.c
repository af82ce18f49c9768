// constant(constant)/(x) | x[n] | n=3 |
// Structs that nothing active is in: in lists, returned, assigned to active ones.
typedef struct { double x, y, z; } V;
typedef struct { V pos; double m; V vel; } B;
typedef struct { B b[2]; double s; } W;
static V none(void) { V v = {0, 1, 2}; return v; }
static V pick(int k, double a) { V origin = {1, 2, 3}; if (k == 0) return origin; if (k == 1) return (V){4, 5, 6}; return (V){a, a*a, 1}; }
double constant(int n, const double *x) {
  const V origin = {1, 2, 3};
  V other = none();
  B b = {origin, x[0], other}, c = {.m = x[1], .vel = origin};
  W w = {{b, {other, x[2], {x[0], 1, x[1]}}}, x[1]};
  V p = pick(0, x[0]), q = pick(1, x[1]), r = pick(2, x[2]);
  p = origin;
  b.vel = r; r = origin;
  return b.pos.x*b.m + b.pos.y + b.vel.x*c.m + c.vel.y*w.b[0].m + w.b[1].m*w.b[1].vel.x*w.s + p.x*x[0] + q.y*x[1] + r.z*x[2] + b.vel.y + n*w.b[1].pos.y;
}
