// Parameters that lead to pointers: one matrix, an array of them with blocks of different lengths, rows.
#include <math.h>
#include <stdlib.h>
typedef struct { int rows, columns; double *data; } Matrix;
typedef struct { int from, to; } Pair;

static Matrix *matrix_new(int rows, int columns) {
  Matrix *m = malloc(sizeof *m);
  m->rows = rows, m->columns = columns;
  m->data = malloc(rows * columns * sizeof *m->data);
  return m;
}

// out = a b, allocated anew where it has another size
static void multiply(const Matrix *a, const Matrix *b, Matrix *out) {
  if (out->rows * out->columns != a->rows * b->columns) {
    free(out->data);
    out->data = malloc(a->rows * b->columns * sizeof *out->data);
  }
  out->rows = a->rows, out->columns = b->columns;
  for (int i = 0; i < out->rows; i++)
    for (int j = 0; j < out->columns; j++) {
      double s = 0;
      for (int k = 0; k < a->columns; k++)
        s += a->data[i * a->columns + k] * b->data[k * b->columns + j];
      out->data[i * out->columns + j] = s;
    }
}

#pragma dagaz length rows[n], input.data[input->rows*input->columns]
double model(int count, const Matrix *layers, const Matrix *input, int n, double **rows, int pairs,
             const Pair *pair, const double x[n], double y[n]) {
  Matrix *state = matrix_new(input->rows, input->columns), *next = matrix_new(1, 1);
  double s = 0;
  for (int i = 0; i < input->rows * input->columns; i++) state->data[i] = input->data[i] * x[i % n];
  for (int l = 0; l < count; l++) {
    multiply(&layers[l], state, next);
    Matrix *other = matrix_new(next->rows, next->columns);
    for (int i = 0; i < next->rows * next->columns; i++) other->data[i] = tanh(next->data[i]);
    free(state->data);
    *state = *other;
    free(other);
  }
  for (int i = 0; i < state->rows * state->columns; i++) s += state->data[i] * (i + 1);
  for (int p = 0; p < pairs; p++) s += rows[pair[p].from][pair[p].to] * x[pair[p].to];
  for (int i = 0; i < n; i++) y[i] = rows[i] ? rows[i][0] * x[i] * s : s;
  free(state->data), free(next->data), free(state), free(next);
  return s;
}
