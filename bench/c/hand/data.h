// A hand, its mesh and measurements for hand.c, made up from a fixed sequence of numbers.
#ifndef DATA_H
#define DATA_H
#include <math.h>
#include <stdlib.h>
#include "hand.h"

typedef struct {
  int vertices, count, mirrored, parent[BONES], *vertex, *face;
  double theta[ANGLES], *us, *error;
  Matrix rest[BONES], inverse[BONES], mesh, weight, measured;
  Face *faces;
} Data;

// in (-1, 1)
static inline double data_random(void) {
  static unsigned long state = 2718281828;
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(state >> 11) / (double)(1ul << 52) - 1.0;
}

static inline Matrix data_matrix(int rows, int columns) {
  return (Matrix){rows, columns, calloc((size_t)(rows * columns), sizeof(double))};
}

// Bones are shifted against their parents and not turned: the inverse is a shift, too.
static inline void data_bones(Data *d) {
  double where[BONES][3] = {{0}};
  for (int b = 0; b < BONES; b++) {
    d->parent[b] = b == 0 ? -1 : b % 4 == 1 ? 0 : b - 1;
    d->rest[b] = data_matrix(4, 4), d->inverse[b] = data_matrix(4, 4);
    for (int i = 0; i < 4; i++) d->rest[b].at[i * 5] = d->inverse[b].at[i * 5] = 1;
    for (int i = 0; i < 3; i++) {
      double shift = b == 0 ? 0 : (i == 0 ? 0.3 : 0) + 0.1 * data_random();
      d->rest[b].at[i * 4 + 3] = shift;
      where[b][i] = shift + (b == 0 ? 0 : where[d->parent[b]][i]);
      d->inverse[b].at[i * 4 + 3] = -where[b][i];
    }
  }
}

// Vertices near the bones, each with three weights that add up to 1.
static inline void data_mesh(Data *d) {
  d->mesh = data_matrix(4, d->vertices), d->weight = data_matrix(BONES, d->vertices);
  for (int v = 0; v < d->vertices; v++) {
    for (int i = 0; i < 3; i++) d->mesh.at[i * d->vertices + v] = (i == 0 ? 1 : 0.2) * data_random();
    d->mesh.at[3 * d->vertices + v] = 1;
    for (int i = 0; i < 3; i++) d->weight.at[(v + 7 * i) % BONES * d->vertices + v] = i == 0 ? 0.5 : 0.25;
  }
}

static inline void data_measured(Data *d) {
  size_t n = (size_t)d->count;
  d->measured = data_matrix(3, d->count);
  d->vertex = malloc(n * sizeof *d->vertex), d->face = malloc(n * sizeof *d->face);
  d->faces = malloc(n * sizeof *d->faces), d->us = malloc(2 * n * sizeof *d->us);
  d->error = malloc(3 * n * sizeof *d->error);
  for (int i = 0; i < d->count; i++) {
    d->vertex[i] = 13 * i % d->vertices, d->face[i] = d->count - 1 - i;
    for (int j = 0; j < 3; j++) d->faces[i].corner[j] = (5 * i + 3 * j) % d->vertices;
    for (int j = 0; j < 3; j++) d->measured.at[j * d->count + i] = data_random();
    for (int j = 0; j < 2; j++) d->us[2 * i + j] = 0.5 * data_random();
  }
}

static inline Data data_make(int vertices, int count, int mirrored) {
  Data d = {.vertices = vertices, .count = count, .mirrored = mirrored};
  for (int i = 0; i < ANGLES; i++) d.theta[i] = 0.7 * data_random();
  data_bones(&d), data_mesh(&d), data_measured(&d);
  return d;
}

static inline void data_free(Data *d) {
  for (int b = 0; b < BONES; b++) free(d->rest[b].at), free(d->inverse[b].at);
  free(d->mesh.at), free(d->weight.at), free(d->measured.at), free(d->vertex), free(d->face);
  free(d->faces), free(d->us), free(d->error);
}
#endif
