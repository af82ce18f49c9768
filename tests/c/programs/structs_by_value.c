// raysphere(raysphere hit)/(o d c r) | | |
#include <math.h>
#include <stdbool.h>
typedef struct { double x, y, z; } vec;
static vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec madd(vec a, double t, vec b) { vec r = a; r.x += t*b.x; r.y += t*b.y; r.z += t*b.z; return r; }
static double dot(vec a, vec b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
static bool intersect(vec o, vec d, vec c, double r, double *t) {
  vec oc = sub(o, c);
  double b = dot(oc, d), cc = dot(oc, oc) - r*r, disc = b*b - cc*dot(d, d);
  if (disc < 0) { *t = INFINITY; return false; }
  *t = (-b - sqrt(disc))/dot(d, d);
  return true;
}
double raysphere(vec o, vec d, vec c, double r, vec *hit) {
  double t;
  if (!intersect(o, d, c, 3 + r, &t)) { hit->x = hit->y = hit->z = 0; return -1; }
  *hit = madd(o, t, d);
  return t;
}
