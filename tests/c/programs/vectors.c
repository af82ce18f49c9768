// shade(shade)/(o d) | | |
#include <math.h>
typedef struct { double x, y, z; } vec;
typedef struct { vec at, normal; int ok; double t; } Hit;
static vec make(double x, double y, double z) { return (vec){x, y, z}; }
static vec add(vec a, vec b) { return make(a.x + b.x, a.y + b.y, a.z + b.z); }
static vec scale(double s, vec a) { a.x *= s; a.y *= s; a.z *= s; return a; }
static double dot(vec a, vec b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
static vec unit(vec a) { double n = sqrt(dot(a, a)); return n > 0 ? scale(1/n, a) : (vec){0}; }
static vec cross(vec a, vec b) {
  vec r = {.y = a.z*b.x - a.x*b.z, .x = a.y*b.z - a.z*b.y};
  r.z = a.x*b.y - a.y*b.x;
  return r;
}
static Hit sphere(vec o, vec d, double r) {
  Hit h = {.ok = 0};
  double b = dot(o, d), c = dot(o, o) - r*r, q = b*b - c;
  if (q < 0) return h;
  h.ok = 1;
  h.t = -b - sqrt(q);
  h.at = add(o, scale(h.t, d));
  h.normal = unit(h.at);
  return h;
}
double shade(const double o[3], const double d[3]) {
  vec light = {1, 2, 3}, from = make(o[0], o[1], o[2]), sum = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    Hit h = sphere(from, unit(make(d[0], d[1] + i, d[2])), 3);
    if (!h.ok) continue;
    sum = add(sum, scale(dot(h.normal, light), cross(h.normal, light)));
    from = add(from, scale(0.1*i, h.at));
  }
  return dot(sum, sum) + unit(from).x;
}
