// Functions for `dagaz cc`: what random programs do not have.  Each is f (n, x), n = 7, smooth where
// it is tested; x is input and output, the returned value too.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Buffers that change places in every step.
double swapped(int n, double *x) {
  double *u = x, *v = malloc(n * sizeof(double)), s = 0;
  for (int i = 0; i < n; i++) v[i] = 0.5 * x[i];
  for (int t = 0; t < 5; t++) {
    for (int i = 1; i < n - 1; i++) v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) * cos(u[i]);
    double *w = u;
    u = v;
    v = w;
  }
  for (int i = 0; i < n; i++) s += u[i] * u[i];
  return s;
}

// The result of one layer is the input of the next: another object at first.
static void layer(int n, const double *in, double *out) {
  for (int i = 0; i < n; i++) out[i] = tanh(in[i] + 0.3 * in[(i + 1) % n]);
}
double layers(int n, double *x) {
  double *state = malloc(4 * n * sizeof *state), s = 0;
  const double *in = x;
  for (int l = 0; l < 4 * n; l += n) {
    layer(n, in, &state[l]);
    in = &state[l];
  }
  for (int i = 0; i < n; i++) s += in[i] * x[i];
  free(state);
  return s;
}

// Pointers that walk, backwards and by pairs.
double walks(int n, double *x) {
  double s = 0;
  const double *end = x + n;
  for (double *p = x; p < end; p++) s += *p * sin(*p);
  for (double *p = x + n; p != x;) *--p *= 0.9;
  double *q = x;
  while (q + 1 < end) {
    s += q[0] * q[1];
    q += 2;
  }
  return s + (double)(q - x);
}

// Arrays of two dimensions: fixed, and as long as n says.
double planes(int n, double *x) {
  double a[3][4], b[n][n], s = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) a[i][j] = x[(i + j) % n] * (i + 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[i][j] = x[i] * a[j % 3][i % 4];
  double *row = b[2], (*rows)[4] = a;
  for (int j = 0; j < n; j++) s += row[j] + (*rows)[j % 4] * rows[1][j % 4];
  return s;
}

typedef struct { double at[2]; int kind; double mass; } Body;
static Body pushed(Body b, double by) {
  b.mass += by;
  return b;
}
static void pull(Body *b, const Body *other) {
  for (int k = 0; k < 2; k++) b->at[k] += 0.1 * other->mass * (other->at[k] - b->at[k]);
}
// Arrays of structs, structs in structs' places.
typedef struct { double mass; int kind; } Light;
static Light lighter(Light b, double by) {
  b.mass -= by * by;
  b.kind++;
  return b;
}
double bodies(int n, double *x) {
  Body all[3], copy;
  Light light = {x[0], 3}, other;
  double s = 0;
  for (int i = 0; i < 3; i++) {
    all[i].at[0] = x[i], all[i].at[1] = x[(i + 3) % n];
    all[i].kind = i;
    all[i].mass = 1 + x[i] * x[i];
  }
  for (int i = 0; i < 3; i++) pull(&all[i], &all[(i + 1) % 3]);
  copy = all[1];
  all[1].mass = 0;
  other = lighter(light, x[1]);
  for (int i = 0; i < 3; i++) s += all[i].at[0] * all[i].at[1] * all[i].mass + all[i].kind;
  return s + copy.mass * copy.at[0] + other.mass * other.kind;
}

// Integers: unsigned ones wrap, division truncates, narrow ones are cut.
double integers(int n, double *x) {
  unsigned u = 3;
  unsigned char c = 250;
  short h = 0;
  unsigned long long big = 1;
  double s = 0;
  for (int i = -4; i < n; i++) {
    u = u * 2654435761u + 17u;
    c += 9;
    h = (short)(h * 7 + i);
    big = (big << 3) ^ (unsigned long long)i;
    int q = i / 3, r = i % 3;
    s += x[u % 7] * q + x[c % 7] * r + x[(unsigned)(h & 7) % 7u] * ((i >> 1) | 1) + x[big % 7];
    if (u > 0x80000000u && c >= 128) s *= 0.99;
  }
  return s + (int)2.9 + (unsigned)(-1) % 10u + ~n + (n << 2);
}

// float data, double sums; tables that are constants.
static const double weights[2][3] = {{1, 2, 3}, {0.5, 0.25}};
double floats(int n, double *x) {
  static const int order[7] = {3, 1, 4, 0, 5, 2, 6};
  double local[4] = {0.1, 0.2, [3] = 0.4}, s = 0;
  for (int i = 0; i < n; i++) {
    double y = x[order[i]];
    local[i % 4] += weights[i % 2][i % 3] * y;
    s += y > 0.3 ? local[i % 4] * y : fmax(y, -2.0) - fabs(y - 5);
  }
  return s + round(2.5) + floor(-0.5) + hypot(x[0] + 2, 1) + pow(x[1] + 3, 3);
}

// Exits of every kind.
static double find(int n, const double *x, double most) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) continue;
    if (x[i] * x[i] > most) return x[i] * i;
    if (i == 5) break;
  }
  return -x[n - 1];
}
double exits(int n, double *x) {
  double s = find(n, x, 0.5) + find(n, x, 0.1) + find(n, x, 9);
  int k = 0;
  do {
    switch (k % 4) {
      case 0: s += x[k]; break;
      case 1: s *= 1 + 0.1 * x[k];  // and on
      case 2: s -= x[k] * x[k]; break;
      default: s += 1;
    }
  } while (++k < n && s < 50);
  if (s > 20) return s * x[0];
  return s;
}

// Functions that call themselves.
static double power(double x, int k) {
  if (k == 0) return 1;
  double half = power(x, k / 2);
  return k % 2 ? half * half * x : half * half;
}
static void halve(int n, double *x) {
  if (n < 2) return;
  x[0] += 0.5 * x[n - 1];
  halve(n / 2, x);
  halve(n - n / 2, x + n / 2);
}
double recursive(int n, double *x) {
  halve(n, x);
  double s = 0;
  for (int i = 0; i < n; i++) s += power(x[i], i);
  return s;
}

// One object under two names; memset, memcpy; counters that go down, conditions with loads.
static void add(int n, double *to, const double *from) {
  for (int i = n - 1; i >= 0; i--) to[i] += from[i] * from[i];
}
double blocks(int n, double *x) {
  double *copy = calloc((size_t)n, sizeof(double)), s = 0;
  assert(n > 3);
  memcpy(copy, x, n * sizeof(double));
  add(3, copy, copy + 3);
  memset(copy + 1, 0, 2 * sizeof(double));
  int i = 0;
  while (i < n && copy[i] < 100) s += copy[i] * x[i], i++;
  add(n, x, copy);
  free(copy);
  return s;
}

// A pointer that is null in the first iteration only, tested, compared and passed.
static double first_of(const double *p, double otherwise) { return p ? p[0] : otherwise; }
double previous(int n, double *x) {
  const double *p = 0, *q = NULL;
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (p) s += p[0] * x[i];
    s += first_of(q, 2.0) * sin(x[i]);
    if (q == NULL) s += x[i] * x[i];
    p = q = &x[i];
  }
  return s;
}

// What a conditional expression keeps out: no derivative, no element, no object.
double kept(int n, double *x) {
  const double *none = 0;
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i] > 100 ? sqrt(x[i] - 100) : x[i] * x[i];
    s = i + 1 < n ? s + x[i] * x[i + 1] : none ? none[i] * s : 2 * s;
    x[i] = i > 0 ? x[i] * x[i - 1] : 3 * x[i];
  }
  return s;
}

// A struct with pointers that is allocated, filled by a callee and passed on.
typedef struct { int rows, columns; double *data; } Table;
static double table_sum(const Table *t) {
  double s = 0;
  for (int i = 0; i < t->rows * t->columns; i++) s += t->data[i] * t->data[i];
  return s;
}
static void table_fill(Table *t, const double *x) {
  for (int j = 0; j < t->columns; j++)
    for (int i = 0; i < t->rows; i++) t->data[j * t->rows + i] = x[i] * (j + 1.5);
}
double table(int n, double *x) {
  Table *a = (Table *)malloc(sizeof(Table)), *b = (Table *)calloc(1, sizeof *b);
  a->rows = n, a->columns = 2;
  a->data = (double *)malloc(n * 2 * sizeof(double));
  table_fill(a, x);
  b->rows = n;
  b->columns += 1;
  b->data = a->data + n;
  double s = table_sum(a) * table_sum(b);
  for (int i = 0; i < b->rows; i++) x[i] = sin(b->data[i]) + s;
  free(a->data);
  free(a);
  free(b);
  return s;
}

// Functions that hand memory to their caller: return it, put it into a struct of the caller, return a
// struct with it, choose among several; called in loops, too.
static Table *table_new(int rows, int columns) {
  Table *t = (Table *)malloc(sizeof(Table));
  t->rows = rows, t->columns = columns;
  t->data = (double *)malloc(rows * columns * sizeof(double));
  return t;
}
static void table_size(Table *t, int rows, int columns) {
  free(t->data);
  t->data = malloc(rows * columns * sizeof(double));
  t->rows = rows, t->columns = columns;
}
static Table product(Table a, const Table *b) {
  Table c = {a.rows, b->columns, 0};
  c.data = malloc(c.rows * c.columns * sizeof(double));
  for (int i = 0; i < c.rows; i++)
    for (int j = 0; j < c.columns; j++) {
      double *to = &c.data[i * c.columns + j];
      *to = 0;
      for (int k = 0; k < a.columns; k++)
        *to += a.data[i * a.columns + k] * b->data[k * b->columns + j];
    }
  return c;
}
static void table_delete(Table *t) {
  free(t->data);
  free(t);
}
static double *larger(double *a, double *b) { return a[0] > b[0] ? a : b; }
double handed(int n, double *x) {
  Table *a = table_new(1, n), *b = table_new(n, 2);
  for (int i = 0; i < n; i++)
    a->data[i] = sin(x[i]), b->data[2 * i] = x[i], b->data[2 * i + 1] = cos(x[i]);
  Table c = product(*a, b);
  table_size(a, n, n);
  for (int i = 0; i < n * n; i++) a->data[i] = x[i / n] * x[i % n];
  double s = c.data[0] * c.data[1];
  for (int i = 0; i < a->rows * a->columns; i++) s += a->data[i];
  for (int t = 0; t < 3; t++) {
    Table *d = table_new(1, n), e;
    for (int i = 0; i < n; i++) d->data[i] = x[i] + t;
    e = product(*d, b);
    larger(c.data, e.data)[1] *= 0.5;
    x[t] += e.data[0] * c.data[1];
    table_delete(d);
    free(e.data);
  }
  table_delete(a);
  table_delete(b);
  free(c.data);
  return s;
}

// Memory that is made in branches and loops: under a condition, of another length each time, by a
// function that resizes, and nothing at all.
static void table_resize(Table *t, int rows, int columns) {
  if (t->rows * t->columns != rows * columns) {
    if (t->data != NULL) free(t->data);
    if (rows * columns > 0) t->data = (double *)malloc(columns * rows * sizeof(double));
    else t->data = NULL;
  }
  t->rows = rows, t->columns = columns;
}
static double table_norm(const Table *t) {
  double s = 0;
  for (int i = 0; i < t->rows * t->columns; i++) s += t->data[i] * t->data[i];
  return s;
}
double stretched(int n, double *x) {
  Table t = {0, 0, NULL};
  double s = 0, *more = n > 5 ? malloc((n - 5) * sizeof *more) : 0, *none = NULL;
  for (int k = 1; k < n; k++) {
    table_resize(&t, k % 3 + 1, 2);
    for (int i = 0; i < t.rows * t.columns; i++) t.data[i] = sin(x[k] * (i + 1));
    s += table_norm(&t) * x[k - 1];
    if (k % 4 == 3) table_resize(&t, 0, 1);
    if (t.data) s += t.data[k % t.rows] * t.data[0];
  }
  if (more) {
    for (int i = 0; i < n - 5; i++) more[i] = x[i] * x[i];
    s += more[n - 6];
  }
  if (n < 0) none = malloc(3 * sizeof *none);
  if (none != 0) s *= none[1];
  free(t.data);
  return s;
}

// A buffer that grows when it is too short, and pointers that are null in one branch.
static double dot(int n, const double *a, const double *b) {
  double s = 0;
  for (int i = 0; i < n; i++) s += b ? a[i] * b[i] : a[i];
  return s;
}
double buffered(int n, double *x) {
  double *buffer = NULL, s = 0;
  int room = 0;
  for (int k = 1; k < n; k++) {
    int need = (k * 3) % 5 + 1;
    if (need > room) {
      free(buffer);
      buffer = malloc(need * sizeof *buffer);
      room = need;
    }
    for (int i = 0; i < need; i++) buffer[i] = x[k] * x[i];
    const double *weights = k % 2 ? x : NULL;
    s += dot(need, buffer, weights);
    double *own;
    if (k > 3) {
      own = malloc(k * sizeof *own);
      for (int i = 0; i < k; i++) own[i] = x[i] + k;
    } else {
      own = calloc(2, sizeof *own);
      own[1] = x[k];
    }
    x[0] += own[1] * own[0];
    free(own);
  }
  free(buffer);
  return s;
}

// A struct that a branch allocates, and one of two, of which one is new.
double branched(int n, double *x) {
  Table *t = NULL;
  double s = 0, *p = x;
  if (x[1] < 100) {
    t = table_new(1, n);
    for (int i = 0; i < n; i++) t->data[i] = x[i] * x[i];
  }
  if (x[0] < 100) {
    p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++) p[i] = 2 * sin(x[i]);
  }
  for (int i = 0; i < n; i++) s += p[i] * x[i];
  if (t != NULL) {
    s += table_norm(t);
    table_delete(t);
  }
  return s;
}

// Pointers that are null until something happens.
double found(int n, double *x) {
  const double *p = 0, *q = 0;
  double s = 0;
  if (n > 5) q = x + 2;
  for (int i = 0; i < n; i++) {
    if (p != 0) s += p[0] * x[i] * (q ? q[1] : 1);
    if (i == 2) p = &x[i];
    if (i == 5) p = NULL;
  }
  return p || !q ? 2 * s : s;
}

// Arrays of pointers and of structs with pointers: rows of one array, blocks of different lengths, blocks
// that are allocated anew, made by a function, null.
double rowed(int n, double *x) {
  double **a = malloc(n * sizeof *a), *all = malloc(n * n * sizeof *all), *few[3], s = 0;
  for (int i = 0; i < n; i++) a[i] = all + i * n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = x[i] * sin(x[j]);
  double *swap = a[0];
  a[0] = a[n - 1];
  a[n - 1] = swap;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) s += a[i][j] * a[j][i];
  for (int k = 0; k < 3; k++) few[k] = x + k;
  for (int k = 0; k < 3; k++) s += few[k][1] * few[(k + 1) % 3][0];
  free(all);
  free(a);
  return s;
}
double ragged(int n, double *x) {
  double **a = calloc(n, sizeof *a), s = 0;
  for (int i = 1; i < n; i++) {
    double *row = malloc(i * sizeof *row);
    for (int j = 0; j < i; j++) row[j] = x[i] * x[j];
    a[i] = row;
    row[0] += 1;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) s += a[i] ? a[i][j] * (j + 1.5) : x[i];
  if (a[0] == NULL) s *= x[0];
  for (int i = 0; i < n; i++) free(a[i]);
  free(a);
  return s;
}
static Table *tables_new(int n) {
  Table *all = (Table *)malloc(n * sizeof(Table));
  for (int i = 0; i < n; i++) {
    all[i].data = NULL;
    all[i].rows = all[i].columns = 0;
  }
  return all;
}
static void table_multiply(const Table *a, const Table *b, Table *out) {
  table_resize(out, a->rows, b->columns);
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->columns; j++) {
      out->data[i + j * out->rows] = a->data[i] * b->data[j * b->rows];
      for (int k = 1; k < a->columns; k++)
        out->data[i + j * out->rows] += a->data[i + k * a->rows] * b->data[k + j * b->rows];
    }
}
static void table_copy(Table *to, const Table *from) {
  if (to->data != NULL) free(to->data);
  to->columns = from->columns;
  to->rows = from->rows;
  to->data = (double *)malloc(to->columns * to->rows * sizeof(double));
  for (int i = 0; i < to->columns * to->rows; i++) to->data[i] = from->data[i];
}
double chained(int n, double *x) {
  Table *one = tables_new(n), *product = tables_new(n), *fixed = table_new(2, 2);
  static const int parents[7] = {-1, 0, 0, 2, -1, 3, 5};
  double s = 0;
  for (int i = 0; i < n; i++) {
    fixed->data[0] = fixed->data[3] = cos(x[i]);
    fixed->data[1] = sin(x[i]);
    fixed->data[2] = -fixed->data[1];
    table_multiply(fixed, fixed, &one[i]);
    one[i].data[0] += x[(i + 1) % n];
  }
  for (int i = 0; i < n; i++) {
    if (parents[i % 7] == -1) table_copy(&product[i], &one[i]);
    else table_multiply(&product[parents[i % 7]], &one[i], &product[i]);
  }
  for (int i = 0; i < n; i++) s += table_norm(&product[i]) * (i + 1);
  for (int i = 0; i < n; i++) free(one[i].data), free(product[i].data);
  free(one), free(product);
  table_delete(fixed);
  return s;
}

// Each iteration makes the memory that the next one reads, of another length.
double replaced(int n, double *x) {
  double *state = malloc(sizeof *state), s = 0;
  state[0] = x[0];
  for (int k = 1; k < n; k++) {
    double *next = malloc((k + 1) * sizeof *next);
    next[0] = 0;
    for (int i = 0; i < k; i++) {
      next[i + 1] = sin(state[i]) * x[k];
      next[0] += state[i];
    }
    free(state);
    state = next;
  }
  for (int i = 0; i < n; i++) s += state[i] * (i + 1);
  free(state);
  return s;
}

// A loop made of `goto` back; the variable t, which its block declares, is used after the loop.
double labelled(int n, double *x) {
  double r = 0;
  int i = 0;
again:
  r += x[i]*r + sin(x[i]);
  double t = r*r;
  if (++i < n) goto again;
  return r + t;
}

// `continue` and `break` of a loop around leave one that is made of jumps.
double skips(int n, double *x) {
  double s = 1;
  for (int k = 0; k < 3; k++) {
    int i = 0;
  next:
    if (i >= n) continue;
    if (s > 40) break;
    s += x[i]*x[i]*s;
    i++;
    if (i % 5 == 4) goto next;
    s *= 0.9;
    goto next;
  }
  return s;
}

// Two loops made of jumps, one in the other, left at once.
double nested(int n, double *x) {
  int i = 0, j;
  double s = 0, y = x[0];
outer:
  j = 0;
inner:
  y = y*0.5 + x[i]*x[j];
  if (y > 3) goto done;
  if (++j < i) goto inner;
  s += y;
  if (++i < n) goto outer;
done:
  return s + y*y;
}

// Jumps back to two labels whose loops overlap.
double overlapping(int n, double *x) {
  int i = 0, k = 0;
  double s = 0;
a:
  s += x[i];
b:
  s = s*0.7 + x[k]*s;
  if (++i < n) goto a;
  i = 0;
  if (++k < n) goto b;
  return s;
}

// realloc that makes a block longer, then shorter.
double lengthened(int n, double *x) {
  double *p = malloc(n * sizeof(double)), s = 0;
  for (int i = 0; i < n; i++) p[i] = x[i] * x[i];
  p = realloc(p, 2 * n * sizeof *p);
  for (int i = 0; i < n; i++) p[n + i] = sin(p[i]) * x[i];
  for (int i = 0; i < 2 * n; i++) s += p[i] * (i + 1);
  p = realloc(p, n * sizeof *p);
  for (int i = 0; i < n; i++) s += p[i] * p[i];
  free(p);
  return s;
}
double parted(int n, double *x) {
  double s = 0, *v = malloc(n*sizeof *v*1.5);
  for (int i = 0; i < n*3/2; i++) v[i] = x[i % n]*(i + 1);
  double *w = realloc(v, 2*n*sizeof *w), *end = w + n*3/2, first = w[0]*x[n - 1];
  for (int i = n*3/2; i < 2*n; i++) end[i - n*3/2] = x[i - n]*first;
  for (int i = 0; i < 2*n; i++) s += sin(w[i]);
  free(w);
  return s;
}
