// Hand tracking as it is written in C for a tool that differentiates source: matrices on the heap that
// know their size, a skeleton posed by angles, a mesh that follows its bones by weights.  The residuals
// are measured points less vertices of the mesh, or less points on its faces (coordinates us).  Two
// parameters are passed on and not used, as in programs that grew.
#include <math.h>
#include <stdlib.h>
#include "hand.h"

static Matrix *matrix_new(int rows, int columns) {
  Matrix *m = (Matrix *)malloc(sizeof(Matrix));
  m->rows = rows;
  m->columns = columns;
  m->at = (double *)malloc(rows * columns * sizeof(double));
  return m;
}

static void matrix_free(Matrix *m) {
  free(m->at);
  free(m);
}

static Matrix *matrices_new(int count) {
  Matrix *all = (Matrix *)malloc(count * sizeof(Matrix));
  for (int i = 0; i < count; i++) {
    all[i].rows = all[i].columns = 0;
    all[i].at = NULL;
  }
  return all;
}

static void matrices_free(Matrix *all, int count) {
  for (int i = 0; i < count; i++)
    if (all[i].at != NULL) free(all[i].at);
  free(all);
}

static void resize(Matrix *m, int rows, int columns) {
  if (m->rows * m->columns != rows * columns) {
    if (m->at != NULL) free(m->at);
    m->at = (double *)malloc(rows * columns * sizeof(double));
  }
  m->rows = rows;
  m->columns = columns;
}

static void fill(Matrix *m, double v) {
  for (int i = 0; i < m->rows * m->columns; i++) m->at[i] = v;
}

static void identity(Matrix *m) {
  for (int i = 0; i < m->rows; i++)
    for (int j = 0; j < m->columns; j++) m->at[i * m->columns + j] = i == j ? 1.0 : 0.0;
}

static void copy(const Matrix *from, Matrix *to) {
  resize(to, from->rows, from->columns);
  for (int i = 0; i < from->rows * from->columns; i++) to->at[i] = from->at[i];
}

// out = a b
static void multiply(const Matrix *a, const Matrix *b, Matrix *out) {
  resize(out, a->rows, b->columns);
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->columns; j++) {
      double s = 0;
      for (int k = 0; k < a->columns; k++) s += a->at[i * a->columns + k] * b->at[k * b->columns + j];
      out->at[i * out->columns + j] = s;
    }
}

// the upper left corner of m becomes block
static void corner_set(Matrix *m, const Matrix *block) {
  for (int i = 0; i < block->rows; i++)
    for (int j = 0; j < block->columns; j++)
      m->at[i * m->columns + j] = block->at[i * block->columns + j];
}

// The rotation about an axis by its length: Rodrigues' formula I cos + (1 - cos) k k' + sin [k].
static void axis_rotation(const double *axis, Matrix *r) {
  double angle = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  identity(r);
  if (angle < 1e-4) return;
  double k[3], c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++) k[i] = axis[i] / angle;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      r->at[i * 3 + j] *= c;
      r->at[i * 3 + j] += (1 - c) * k[i] * k[j];
    }
  for (int i = 0; i < 3; i++) {
    int next = (i + 1) % 3, last = (i + 2) % 3;
    r->at[last * 3 + next] += s * k[i];
    r->at[next * 3 + last] -= s * k[i];
  }
}

// The rotation of axis u towards axis v.
static void plane_turn(Matrix *r, int u, int v, double angle) {
  identity(r);
  r->at[u * r->columns + u] = cos(angle);
  r->at[v * r->columns + u] = sin(angle);
  r->at[u * r->columns + v] = -r->at[v * r->columns + u];
  r->at[v * r->columns + v] = r->at[u * r->columns + u];
}

// The rotation about x, then y, then z.
static void angles_rotation(const double *angle, Matrix *r) {
  Matrix *x = matrix_new(3, 3), *y = matrix_new(3, 3), *z = matrix_new(3, 3), *both = matrix_new(3, 3);
  plane_turn(x, 1, 2, angle[0]);
  plane_turn(y, 2, 0, angle[1]);
  plane_turn(z, 0, 1, angle[2]);
  multiply(z, y, both);
  multiply(both, x, r);
  matrix_free(x);
  matrix_free(y);
  matrix_free(z);
  matrix_free(both);
}

// Rows of pose: rotation of the hand, its place, then three angles for each bone.
static void pose_fill(int bones, const double *theta, const char **names, Matrix *pose) {
  int next = 6, bone = 1;
  resize(pose, bones + 2, 3);
  fill(pose, 0.0);
  for (int i = 0; i < 3; i++) {
    pose->at[i] = theta[i];
    pose->at[3 + i] = theta[i + 3];
  }
  for (int finger = 0; finger < FINGERS; finger++) {
    bone++;  // in the palm: does not move
    for (int i = 0; i < 3; i++) {
      pose->at[(bone + 2) * 3] = theta[next++];
      if (i == 0) pose->at[(bone + 2) * 3 + 1] = theta[next++];
      bone++;
    }
  }
}

static void bones_pose(int bones, const Matrix *rest, const Matrix *pose, Matrix *local) {
  Matrix *turn = matrix_new(4, 4), *r = matrix_new(3, 3);
  for (int i = 0; i < bones; i++) {
    identity(turn);
    angles_rotation(pose->at + (i + 2) * pose->columns, r);
    corner_set(turn, r);
    multiply(&rest[i], turn, &local[i]);
  }
  matrix_free(turn);
  matrix_free(r);
}

static void chain(int bones, const Matrix *local, const int *parent, Matrix *world) {
  for (int i = 0; i < bones; i++) {
    if (parent[i] < 0) copy(&local[i], &world[i]);
    else multiply(&world[parent[i]], &local[i], &world[i]);
  }
}

// The whole hand turns and moves.
static void hand_move(const Matrix *pose, Matrix *place) {
  Matrix *r = matrix_new(3, 3), *turned = matrix_new(1, 1);
  axis_rotation(pose->at, r);
  multiply(r, place, turned);
  for (int i = 0; i < 3; i++)
    for (int v = 0; v < place->columns; v++)
      place->at[i * place->columns + v] = turned->at[i * place->columns + v] + pose->at[3 + i];
  matrix_free(r);
  matrix_free(turned);
}

// Each vertex is where its bones take it, on average by its weights.
static void skin(int bones, const Matrix *rest, const int *parent, const Matrix *inverse, const Matrix *mesh,
                 const Matrix *weight, int mirrored, const Matrix *pose, Matrix *place) {
  Matrix *local = matrices_new(bones), *world = matrices_new(bones), *by = matrices_new(bones);
  bones_pose(bones, rest, pose, local);
  chain(bones, local, parent, world);
  for (int i = 0; i < bones; i++) multiply(&world[i], &inverse[i], &by[i]);
  resize(place, 3, mesh->columns);
  fill(place, 0.0);
  Matrix *one = matrix_new(4, mesh->columns);
  for (int b = 0; b < bones; b++) {
    multiply(&by[b], mesh, one);
    for (int i = 0; i < 3; i++)
      for (int v = 0; v < place->columns; v++)
        place->at[i * place->columns + v] +=
            one->at[i * one->columns + v] * weight->at[b * weight->columns + v];
  }
  if (mirrored)
    for (int v = 0; v < place->columns; v++) place->at[v] *= -1;
  hand_move(pose, place);
  matrix_free(one);
  matrices_free(local, bones);
  matrices_free(world, bones);
  matrices_free(by, bones);
}

void hand(const double *theta, int bones, const char **names, const int *parent, Matrix *rest,
          Matrix *inverse, Matrix *mesh, Matrix *weight, const Face *faces, int mirrored, int count,
          const int *vertex, Matrix *measured, double *error) {
  Matrix *pose = matrix_new(1, 1), *place = matrix_new(1, 1);
  pose_fill(bones, theta, names, pose);
  skin(bones, rest, parent, inverse, mesh, weight, mirrored, pose, place);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < 3; j++)
      error[i * 3 + j] = measured->at[j * count + i] - place->at[j * place->columns + vertex[i]];
  matrix_free(pose);
  matrix_free(place);
}

void hand_faces(const double *theta, const double *us, int bones, const char **names, const int *parent,
                Matrix *rest, Matrix *inverse, Matrix *mesh, Matrix *weight, const Face *faces, int mirrored,
                int count, const int *face, Matrix *measured, double *error) {
  Matrix *pose = matrix_new(1, 1), *place = matrix_new(1, 1);
  pose_fill(bones, theta, names, pose);
  skin(bones, rest, parent, inverse, mesh, weight, mirrored, pose, place);
  for (int i = 0; i < count; i++) {
    const int *corner = faces[face[i]].corner;
    const double *u = us + 2 * i;
    for (int j = 0; j < 3; j++) {
      const double *row = place->at + j * place->columns;
      error[i * 3 + j] = measured->at[j * count + i] - (u[0] * row[corner[0]] + u[1] * row[corner[1]] +
                                                        (1.0 - u[0] - u[1]) * row[corner[2]]);
    }
  }
  matrix_free(pose);
  matrix_free(place);
}
