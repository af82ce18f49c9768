// The functions of hand.c and their derivatives as calls of one shape: a point, directions or seeds that
// are read, derivatives that are written.  x is theta, for hand_faces followed by us.
#ifndef CALLS_H
#define CALLS_H
#include <string.h>
#include "hand_b.h"
#include "hand_d.h"
#include "data.h"
#include "hand_dv.h"
#include "hand_faces_jvp.h"
#include "hand_faces_vjp.h"
#include "hand_jac.h"
#include "hand_jvp.h"
#include "hand_vjp.h"

typedef int Call(Data *d, const double *x, double *in, double *out);

#define SKELETON BONES, NULL, d->parent, d->rest, d->inverse, &d->mesh, &d->weight, d->faces, d->mirrored
#define VERTICES SKELETON, d->count, d->vertex, &d->measured
#define FACES SKELETON, d->count, d->face, &d->measured

static inline int hand_value(Data *d, const double *x, double *in, double *out) {
  (void)in;
  return hand(x, VERTICES, out), 0;
}
static inline int hand_tangent(Data *d, const double *x, double *in, double *out) {
  return hand_d(x, in, VERTICES, d->error, out), 0;
}
static inline int hand_adjoint(Data *d, const double *x, double *in, double *out) {
  double seeds[3 * d->count];
  memcpy(seeds, in, sizeof seeds);
  return hand_b(x, out, VERTICES, d->error, seeds), 0;
}
static inline int hand_core_tangent(Data *d, const double *x, double *in, double *out) {
  return hand_jvp(x, VERTICES, d->error, in, out);
}
static inline int hand_core_adjoint(Data *d, const double *x, double *in, double *out) {
  return hand_vjp(x, VERTICES, d->error, in, out);
}
// out: count x 3 x ANGLES, as the rows of hand_core_jacobian
static inline int hand_tangents(Data *d, const double *x, double *in, double *out) {
  (void)in;
  double all[ANGLES][NBDirsMax] = {{0}};
  for (int i = 0; i < ANGLES; i++) all[i][i] = 1;
  return hand_dv(x, all, VERTICES, d->error, (double(*)[NBDirsMax])out, ANGLES), 0;
}
static inline int hand_core_jacobian(Data *d, const double *x, double *in, double *out) {
  (void)in;
  return hand_jac(x, VERTICES, d->error, out);
}

static inline int faces_value(Data *d, const double *x, double *in, double *out) {
  (void)in;
  return hand_faces(x, x + ANGLES, FACES, out), 0;
}
static inline int faces_tangent(Data *d, const double *x, double *in, double *out) {
  return hand_faces_d(x, in, x + ANGLES, in + ANGLES, FACES, d->error, out), 0;
}
static inline int faces_adjoint(Data *d, const double *x, double *in, double *out) {
  double seeds[3 * d->count];
  memcpy(seeds, in, sizeof seeds);
  return hand_faces_b(x, out, x + ANGLES, out + ANGLES, FACES, d->error, seeds), 0;
}
static inline int faces_core_tangent(Data *d, const double *x, double *in, double *out) {
  return hand_faces_jvp(x, x + ANGLES, FACES, d->error, in, in + ANGLES, out);
}
static inline int faces_core_adjoint(Data *d, const double *x, double *in, double *out) {
  return hand_faces_vjp(x, x + ANGLES, FACES, d->error, in, out, out + ANGLES);
}
#endif
