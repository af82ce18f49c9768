// c_check.h: do the derivatives of a C function agree with each other and with differences?  The
// part of check programs (`dagaz cc --check`, `dagaz adjoint --context`) that is the same in all.
//
// All floating-point numbers that a function has in its parameters, one parameter after the other,
// are a vector, whose last element is the returned value.  Inputs and outputs are parts of it:
// elsewhere directions d and seeds w are zero.  J is the Jacobian of the outputs by the inputs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name;
  long size;          // how many numbers
  int one;            // no array
  int input, output;  // which of the inputs, of the outputs, from 1 on; 0: none
  int has_inputs;     // the parameter has, in other members of its structs if not here
} dz_part;

typedef enum { DZ_NONE, DZ_GRAD, DZ_JVP, DZ_VJP, DZ_JAC, DZ_HVP } dz_mode;

typedef struct {
  const char *name;
  const dz_part *part;
  int parts;
  long size;          // of the vectors
  int single;         // numbers of type float occur
  void *arguments;
  void (*value)(void *arguments, const double *x, double *y);
  // By source transformation: J d, J^T w.  NULL: none.
  void (*tangent)(void *arguments, const double *x, const double *d, double *yd);
  void (*adjoint)(void *arguments, const double *x, const double *w, double *xb);
  // Through core.  seed: w (GRAD, VJP), d (JVP, HVP).  to: J^T w, J d, the gradient, or J by rows;
  // then H d (HVP).  Not 0: it failed, and has said why.
  dz_mode mode;
  const char *fast_name;
  int (*fast)(void *arguments, const double *x, const double *seed, double *y, double *to[2]);
  const char *note;   // a line for the report; NULL: none
} dz_head;

// One comparison, over all points.
typedef struct {
  const char *of, *what;
  double tolerance, worst, got, want;
  const dz_part *part, *by;  // where it is worst; by: of a Jacobian, the input
  long at, by_at;
  long compared, doubtful;   // numbers
} dz_row;

enum { DZ_ROWS = 16 };
typedef struct {
  const dz_head *h;
  dz_row row[DZ_ROWS];
  int rows, failed;
  // At one point: arguments, two directions, seed; values of outputs; derivatives.
  double *x, *d, *u, *w, *y, *yd, *xb, *to[2], *other[2];
  // Differences: of the outputs along d, along one input; of <w, outputs> along each input.  doubt:
  // by how much two steps differ.
  double *dy, *dy_doubt, *column, *column_doubt, *dx, *dx_doubt;
} dz_check;

// ---- arguments ----------------------------------------------------------------------------------
// A fixed sequence of numbers between -1 and 1, exact as float.
static double dz_number(void) {
  static unsigned long long state = 88172645463325252u;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 41) / 4194304.0 - 1;
}

static long dz_integer(int argc, char **argv, const char *name) {
  size_t len = strlen(name);
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], name, len) == 0 && argv[i][len] == '=')
      return strtol(argv[i] + len + 1, NULL, 10);
  return 3;
}

// Element i of an array of integers: 0, or from 0 to one less than what `name=7` says.
static long dz_index(int argc, char **argv, const char *name, long i) {
  size_t len = strlen(name);
  for (int k = 1; k < argc; k++)
    if (strncmp(argv[k], name, len) == 0 && argv[k][len] == '=') {
      const long n = strtol(argv[k] + len + 1, NULL, 10);
      return n > 0 ? (7 * i + i / 5) % n : 0;
    }
  return 0;
}

static void *dz_block(long n, size_t size) {
  void *p = n < 0 ? NULL : calloc((size_t)n + 1, size);
  if (!p) printf("  an array of %ld elements cannot be made\n", n), exit(1);
  return p;
}

typedef enum { DZ_ALL, DZ_INPUTS, DZ_OUTPUTS } dz_which;
static void dz_fill(const dz_head *h, double *to, dz_which which) {
  for (int p = 0; p < h->parts; p++)
    for (long i = 0; i < h->part[p].size; i++) {
      double v = dz_number();
      int chosen = which == DZ_ALL || (which == DZ_INPUTS ? h->part[p].input : h->part[p].output);
      *to++ = chosen ? v : 0;
    }
}

// ---- comparisons --------------------------------------------------------------------------------
static double dz_near(const dz_check *c) { return c->h->single ? 1e-4 : 1e-10; }
static double dz_far(const dz_check *c) { return c->h->single ? 1e-2 : 1e-5; }

static dz_row *dz_row_of(dz_check *c, const char *of, const char *what, double tolerance) {
  for (int i = 0; i < c->rows; i++)
    if (strcmp(c->row[i].of, of) == 0 && strcmp(c->row[i].what, what) == 0) return &c->row[i];
  dz_row *row = &c->row[c->rows++];
  memset(row, 0, sizeof *row);
  row->of = of, row->what = what, row->tolerance = tolerance;
  return row;
}

static double dz_most(const double *a, long n) {
  double most = 0;
  for (long i = 0; i < n; i++)
    if (fabs(a[i]) > most) most = fabs(a[i]);
  return most;
}

// Whether it is the largest deviation so far; one that is no number is larger than all.
static int dz_one(dz_row *row, double got, double want, double scale) {
  double off = got == want ? 0 : fabs(got - want) / scale;
  row->compared++;
  if (off <= row->worst) return 0;
  row->worst = isnan(off) ? INFINITY : off;
  row->got = got, row->want = want;
  row->part = row->by = NULL;
  return 1;
}

// Vectors, at the inputs or the outputs.  Deviations are relative to the largest number of the
// parameter, at least to a thousandth of the largest of all and of the function's values.
static int dz_vectors(dz_check *c, dz_row *row, int inputs, const double *got, const double *want,
                      const double *doubt) {
  const dz_head *h = c->h;
  double all = fmax(dz_most(want, h->size), dz_most(c->y, h->size));
  int worst = 0;
  long from = 0;
  for (int p = 0; p < h->parts; from += h->part[p++].size) {
    double scale = fmax(dz_most(want + from, h->part[p].size), 1e-3 * all);
    int chosen = inputs ? h->part[p].input : h->part[p].output;
    for (long i = 0; chosen && i < h->part[p].size; i++) {
      if (doubt && !(doubt[from + i] <= row->tolerance * scale)) row->doubtful++;
      else if (dz_one(row, got[from + i], want[from + i], scale))
        row->part = &h->part[p], row->at = i, worst = 1;
    }
  }
  return worst;
}

// <w, yd> = <xb, d>, relative to the sizes of the terms.
static void dz_dots(dz_check *c, dz_row *row, const double *w, const double *yd, const double *xb,
                    const double *d) {
  double left = 0, right = 0, scale = 0;
  for (long i = 0; i < c->h->size; i++) {
    double a = w[i] == 0 ? 0 : w[i] * yd[i], b = d[i] == 0 ? 0 : xb[i] * d[i];
    left += a, right += b, scale += fabs(a) + fabs(b);
  }
  dz_one(row, left, right, scale);
}

// ---- differences --------------------------------------------------------------------------------
typedef void dz_function(dz_check *c, const double *x, double *y);
static void dz_values(dz_check *c, const double *x, double *y) {
  c->h->value(c->h->arguments, x, y);
}

// Central differences of two steps, extrapolated.  Slopes to the left and to the right differ by as
// much as the step is long, except at a kink: a kink is as much doubt.
static void dz_differences(dz_check *c, dz_function *f, const double *d, double *dy,
                           double *doubt) {
  long n = c->h->size;
  double step = c->h->single ? 1.0 / 128 : 1.0 / 4096, *x = dz_block(n, sizeof *x), *v[5];
  for (int k = 0; k < 5; k++) {
    double s = k == 4 ? 0 : (k % 2 ? -step : step) / (k / 2 ? 2 : 1);
    for (long i = 0; i < n; i++) x[i] = c->x[i] + s * d[i];
    v[k] = dz_block(n, sizeof *x);
    f(c, x, v[k]);
  }
  for (long i = 0; i < n; i++) {
    double far = (v[0][i] - v[1][i]) / (2 * step), near = (v[2][i] - v[3][i]) / step;
    dy[i] = (4 * near - far) / 3;
    double bend = (v[0][i] + v[1][i] - 2 * v[4][i]) / step;
    double bend_near = (v[2][i] + v[3][i] - 2 * v[4][i]) / (step / 2);
    doubt[i] = fmax(fabs(near - far), fabs(2 * bend_near - bend) / 4);
  }
  for (int k = 0; k < 5; k++) free(v[k]);
  free(x);
}

// Which of the rows or columns of the Jacobian is the part's first.
static long dz_place(const dz_head *h, const dz_part *part, int inputs) {
  long place = 0;
  for (int q = 0; q < h->parts; q++) {
    int rank = inputs ? h->part[q].input : h->part[q].output;
    if (rank && rank < (inputs ? part->input : part->output)) place += h->part[q].size;
  }
  return place;
}

// The column of the Jacobian of one input: against differences; its share of J d and of J^T w.
static void dz_column(dz_check *c, const dz_part *by, long i, long at) {
  const dz_head *h = c->h;
  double *got = dz_block(h->size, sizeof *got);
  long columns = 0, column = dz_place(h, by, 1) + i, from = 0;
  for (int p = 0; p < h->parts; p++)
    if (h->part[p].input) columns += h->part[p].size;
  for (int p = 0; p < h->parts; from += h->part[p++].size)
    for (long k = 0; h->part[p].output && k < h->part[p].size; k++)
      got[from + k] = c->to[0][(dz_place(h, &h->part[p], 0) + k) * columns + column];
  dz_row *row = dz_row_of(c, h->fast_name, "differences", dz_far(c));
  if (dz_vectors(c, row, 0, got, c->column, c->column_doubt)) row->by = by, row->by_at = i;
  for (long k = 0; k < h->size; k++) {
    c->other[0][k] += got[k] * c->d[at];
    c->other[1][at] += got[k] * c->w[k];
  }
  free(got);
}

static void dz_one_input(dz_check *c, const dz_part *part, long i, long at) {
  double *unit = dz_block(c->h->size, sizeof *unit);
  unit[at] = 1;
  dz_differences(c, dz_values, unit, c->column, c->column_doubt);
  c->dx[at] = c->dx_doubt[at] = 0;
  for (long k = 0; k < c->h->size; k++)
    if (c->w[k] != 0) {
      c->dx[at] += c->w[k] * c->column[k];
      c->dx_doubt[at] += fabs(c->w[k]) * c->column_doubt[k];
    }
  if (c->h->mode == DZ_JAC && !c->failed) dz_column(c, part, i, at);
  free(unit);
}

static void dz_each_input(dz_check *c) {
  const dz_head *h = c->h;
  long at = 0;
  memset(c->other[0], 0, sizeof(double) * (size_t)h->size);
  memset(c->other[1], 0, sizeof(double) * (size_t)h->size);
  for (int p = 0; p < h->parts; at += h->part[p++].size)
    for (long i = 0; h->part[p].input && i < h->part[p].size; i++)
      dz_one_input(c, &h->part[p], i, at + i);
}

// ---- by source transformation -------------------------------------------------------------------
static int dz_only_output(const dz_part *part) { return part->output && !part->has_inputs; }

// The values of outputs where those that are no inputs start otherwise: what stays is overwritten.
static double *dz_overwritten(dz_check *c) {
  const dz_head *h = c->h;
  double *x = dz_block(h->size, sizeof *x), *y = dz_block(h->size, sizeof *y);
  long from = 0;
  for (int p = 0; p < h->parts; from += h->part[p++].size)
    for (long i = 0; i < h->part[p].size; i++)
      x[from + i] = c->x[from + i] + dz_only_output(&h->part[p]);
  dz_values(c, x, y);
  free(x);
  return y;
}

// Adjoints of outputs that are no inputs are zero afterwards where the function has written; the
// returned value has none.
static void dz_zeroed(dz_check *c) {
  const dz_head *h = c->h;
  dz_row *row = dz_row_of(c, "adjoint", "zero at outputs", 0);
  double *y = dz_overwritten(c);
  long from = 0;
  for (int p = 0; p < h->parts - 1; from += h->part[p++].size)
    for (long i = 0; dz_only_output(&h->part[p]) && i < h->part[p].size; i++)
      if (y[from + i] == c->y[from + i] && dz_one(row, c->xb[from + i], 0, 1))
        row->part = &h->part[p], row->at = i;
  free(y);
}

static void dz_transformed(dz_check *c) {
  const dz_head *h = c->h;
  if (h->tangent)
    dz_vectors(c, dz_row_of(c, "tangent", "differences", dz_far(c)), 0, c->yd, c->dy, c->dy_doubt);
  if (!h->adjoint) return;
  dz_vectors(c, dz_row_of(c, "adjoint", "differences", dz_far(c)), 1, c->xb, c->dx, c->dx_doubt);
  dz_zeroed(c);
  if (h->tangent)
    dz_dots(c, dz_row_of(c, "adjoint", "dot product with tangent", dz_near(c)), c->w, c->yd, c->xb,
            c->d);
}

// ---- through core -------------------------------------------------------------------------------
static void dz_fast(dz_check *c, const double *x, const double *seed, double *y, double *to[2]) {
  long n = c->h->mode == DZ_JAC ? c->h->size * c->h->size : c->h->size;
  for (long i = 0; i < n; i++) to[0][i] = NAN;
  for (long i = 0; i < c->h->size; i++) to[1][i] = NAN;
  c->failed |= c->h->fast(c->h->arguments, x, seed, y, to);
}

static void dz_gradients(dz_check *c, const double *x, double *xb) {
  if (c->h->adjoint) {
    c->h->adjoint(c->h->arguments, x, c->w, xb);
    return;
  }
  double *y = dz_block(c->h->size, sizeof *y);
  dz_fast(c, x, c->d, y, c->other);
  memcpy(xb, c->other[0], sizeof *xb * (size_t)c->h->size);
  free(y);
}

// H d against differences of gradients; <u, H d> = <H u, d>.
static void dz_hessian(dz_check *c) {
  const char *of = c->h->fast_name;
  dz_differences(c, dz_gradients, c->d, c->column, c->column_doubt);
  dz_vectors(c, dz_row_of(c, of, "Hessian, differences of gradients", dz_far(c)), 1, c->to[1],
             c->column, c->column_doubt);
  dz_fast(c, c->x, c->u, c->column, c->other);
  dz_dots(c, dz_row_of(c, of, "Hessian, symmetry", dz_near(c)), c->u, c->to[1], c->other[1], c->d);
}

// out: J d, in: J^T w, where the mode gives them.
static void dz_through_core(dz_check *c, const double *out, const double *in) {
  const dz_head *h = c->h;
  const char *of = h->fast_name;
  double near = dz_near(c), far = dz_far(c);
  if (out && h->tangent) dz_vectors(c, dz_row_of(c, of, "tangent", near), 0, out, c->yd, NULL);
  if (in && h->adjoint) dz_vectors(c, dz_row_of(c, of, "adjoint", near), 1, in, c->xb, NULL);
  if (out && !in && h->adjoint)
    dz_dots(c, dz_row_of(c, of, "dot product with adjoint", near), c->w, out, c->xb, c->d);
  if (in && !out && h->tangent)
    dz_dots(c, dz_row_of(c, of, "dot product with tangent", near), c->w, c->yd, in, c->d);
  if (out && !in)
    dz_vectors(c, dz_row_of(c, of, "differences", far), 0, out, c->dy, c->dy_doubt);
  if (in && !out) dz_vectors(c, dz_row_of(c, of, "differences", far), 1, in, c->dx, c->dx_doubt);
  if (h->mode == DZ_HVP) dz_hessian(c);
}

// ---- points -------------------------------------------------------------------------------------
// Whether the function's outputs are finite there.
static int dz_point(dz_check *c, double low, double high) {
  const dz_head *h = c->h;
  int ones = h->mode == DZ_GRAD || h->mode == DZ_HVP;
  dz_fill(h, c->x, DZ_ALL), dz_fill(h, c->w, DZ_OUTPUTS);
  dz_fill(h, c->d, DZ_INPUTS), dz_fill(h, c->u, DZ_INPUTS);
  for (long i = 0; i < h->size; i++) {
    c->x[i] = low + (high - low) * (c->x[i] + 1) / 2;
    if (ones && c->w[i] != 0) c->w[i] = 1;
  }
  dz_values(c, c->x, c->y);
  for (long i = 0; i < h->size; i++) {
    if (c->w[i] == 0) c->y[i] = 0;
    if (!isfinite(c->y[i])) return 0;
  }
  dz_differences(c, dz_values, c->d, c->dy, c->dy_doubt);
  if (h->tangent) h->tangent(h->arguments, c->x, c->d, c->yd);
  if (h->adjoint) h->adjoint(h->arguments, c->x, c->w, c->xb);
  double *y = dz_block(h->size, sizeof *y);
  if (h->fast) dz_fast(c, c->x, h->mode == DZ_JVP || h->mode == DZ_HVP ? c->d : c->w, y, c->to);
  dz_each_input(c);
  dz_transformed(c);
  int whole = h->mode == DZ_JAC, forward = h->mode == DZ_JVP;
  if (h->fast && !c->failed) {
    dz_vectors(c, dz_row_of(c, h->fast_name, "values", dz_near(c)), 0, y, c->y, NULL);
    dz_through_core(c, whole ? c->other[0] : forward ? c->to[0] : NULL,
                    whole ? c->other[1] : forward ? NULL : c->to[0]);
  }
  free(y);
  return 1;
}

static void dz_place_print(const dz_part *part, long at) {
  if (part->one) printf("%s", part->name);
  else printf("%s[%ld]", part->name, at);
}

static int dz_row_print(const dz_row *row) {
  int wrong = !(row->worst <= row->tolerance);
  if (!row->compared && !row->doubtful) return 0;
  printf("  %s, %s:%*s", row->of, row->what,
         (int)(strlen(row->of) + strlen(row->what) < 46 ? 46 - strlen(row->of) - strlen(row->what)
                                                        : 1), "");
  if (row->compared) printf("relative deviation %.0e", row->worst);
  else printf("inconclusive");
  if (row->compared && row->doubtful)
    printf(" (inconclusive at %ld of %ld)", row->doubtful, row->doubtful + row->compared);
  if (wrong) {
    printf(", too large");
    if (row->part) printf(": "), dz_place_print(row->part, row->at);
    if (row->by) printf(" by "), dz_place_print(row->by, row->by_at);
    printf("%s %.9g, not %.9g", row->part ? " is" : ":", row->got, row->want);
  }
  putchar('\n');
  return wrong;
}

static double *dz_buffers(dz_check *c, long n) {
  double **all[] = {&c->x, &c->d, &c->u, &c->w, &c->y, &c->yd, &c->xb, &c->to[1], &c->other[0],
                    &c->other[1], &c->dy, &c->dy_doubt, &c->column, &c->column_doubt, &c->dx,
                    &c->dx_doubt, &c->to[0]};
  int count = (int)(sizeof all / sizeof *all);
  double *block = dz_block(count * n + (c->h->mode == DZ_JAC ? n * n : 0), sizeof *block);
  for (int i = 0; i < count; i++) *all[i] = block + i * n;
  return block;
}

// Two points, of numbers between -1 and 1 and between 0.5 and 1.5, or in a range of the user's,
// `--range=2:3`.
static void dz_ranges_of(int argc, char **argv, double ranges[2][2]) {
  ranges[0][0] = -1, ranges[0][1] = 1, ranges[1][0] = 0.5, ranges[1][1] = 1.5;
  for (int i = 1; i < argc; i++)
    for (int k = 0; k < 2 && strncmp(argv[i], "--range=", 8) == 0; k++) {
      char *end = NULL;
      ranges[k][0] = strtod(argv[i] + 8, &end);
      ranges[k][1] = *end == ':' ? strtod(end + 1, NULL) : ranges[k][0];
    }
}

// 0: all agree.
static int dz_check_head(const dz_head *h, int argc, char **argv) {
  double ranges[2][2];
  dz_check c = {0};
  c.h = h;
  double *block = dz_buffers(&c, h->size);
  dz_ranges_of(argc, argv, ranges);
  printf("%s\n", h->name);
  if (h->note) printf("  %s\n", h->note);
  int found = 0, wrong = 0;
  for (int k = 0; k < 2 && !c.failed; k++) {
    int finite = dz_point(&c, ranges[k][0], ranges[k][1]);
    found |= finite;
    if (!finite)
      printf("  at numbers from %g to %g an output is not finite\n", ranges[k][0], ranges[k][1]);
  }
  if (!found && !c.failed) puts("  nothing was compared; choose another range");
  for (int i = 0; i < c.rows; i++) wrong |= dz_row_print(&c.row[i]);
  free(block);
  return wrong || c.failed || !found;
}
