// The recurrence of a scan's adjoint code, for operators on numbers, by the structure of the matrix
//   M_j[c][d] = d (result d) / d (first operand c) at (ys[j-1], xs[j])
//   r_j = w_j + u_(j+1)    u_j = M_j w_j + M_j u_(j+1)
// where u_j is what comes to ys[j-1]: so everything is read at the places where the adjoints of
// xs[j] read it, and u_(j+1) is an exclusive scan from the right.  The entries of M are known as
// terms: some are the constant 0 or 1.  Components that depend on each other are a block:
//
//   1 x 1, M = 1          sums from the right
//   k x k, m times alike  a scan of (S, B), S of k x m, composition of u -> S + B u:
//                         (S1, B1) (S2, B2) -> (S2 + B2 S1, B2 B1), neutral (0, 1)
//
// So the product of matrices is m rows with one matrix B.  Everything else has the lifted operator
// (vjp_scan.c): larger blocks; blocks that depend on others, which would be loops one after the
// other where it is one loop; and blocks of several components of operators with poles.  The
// products of a single component with a pole are safe ones (guarded.c).
#include "ad/common/local.h"

enum { MOST = 9, BLOCK = 3 };  // components; rows of a block

typedef struct {
  Vjp *v;
  Recurrence e;
  Prim prim;
  bool guarded;               // entries may be infinite or NaN: products with them are safe
  int n;
  Atom M[MOST][MOST];         // none: zero; otherwise a constant or an array, last j first
  bool reaches[MOST][MOST];   // c depends on d
  Atoms r;                    // last j first; none where not yet known
} Solver;

// Blocks of the same matrix: row i of block b is component at[b][i].
typedef struct {
  int rows, count, at[MOST][MOST];
} Group;

static bool is_zero(Atom a) { return atom_absent(a) || atom_is(a, 0); }

// ---- the matrix
static const Stm *definition(const Stms *stms, Atom a) {
  for (int i = 0; a.is_var && i < stms->len; i++)
    for (int k = 0; k < stms->at[i].bound.len; k++)
      if (atom_is_var(a, stms->at[i].bound.at[k])) return &stms->at[i];
  return NULL;
}

// The same operation on the same operands.
static bool same_term(const Stms *stms, Atom a, Atom b) {
  if (is_zero(a) || is_zero(b)) return is_zero(a) && is_zero(b);
  if (atom_same(a, b)) return true;
  const Stm *x = definition(stms, a), *y = definition(stms, b);
  if (!x || !y || x->exp.form != FORM_PRIM || y->exp.form != FORM_PRIM) return false;
  const struct prim_form *p = &x->exp.prim, *q = &y->exp.prim;
  if (p->op != q->op || p->prim != q->prim) return false;
  for (int i = 0; i < p->args.len; i++)
    if (!same_term(stms, p->args.at[i], q->args.at[i])) return false;
  return true;
}

// The entries at one j, by a seed for each result.
static void entries_at(Solver *s, const Lambda *op, Atoms args) {
  Adj *seeds = NEW_ARRAY(vjp_arena(s->v), Adj, s->n + 1);
  for (int d = 0; d < s->n; d++) {
    seeds[d] = adj_val(atom_number(s->prim, 1), false);
    Atoms column = first_operands(s->v, op, args, seeds);
    for (int c = 0; c < s->n; c++) s->M[c][d] = column.at[c];
    seeds[d] = (Adj){0};
  }
}

// Entries that are the same term become the same atom.
static void entries_unite(Solver *s, const Stms *stms) {
  for (int i = 0; i < s->n * s->n; i++)
    for (int k = 0; k < i; k++) {
      Atom *a = &s->M[i / s->n][i % s->n], b = s->M[k / s->n][k % s->n];
      if (!is_zero(*a) && same_term(stms, *a, b)) *a = b;
    }
}

static int entry_first(const Solver *s, int i) {
  for (int k = 0; k < i; k++)
    if (!is_zero(s->M[k / s->n][k % s->n]) &&
        atom_same(s->M[k / s->n][k % s->n], s->M[i / s->n][i % s->n]))
      return k;
  return i;
}

// Entries that are not constant become arrays.
static void entries_end(Solver *s, MapBuilder *m) {
  Atoms results = {0};
  int n = s->n, *place = NEW_ARRAY(vjp_arena(s->v), int, n * n + 1);
  for (int i = 0; i < n * n; i++) {
    Atom a = s->M[i / n][i % n];
    int first = entry_first(s, i);
    place[i] = first < i ? place[first] : results.len;
    if (!is_zero(a) && a.is_var && first == i) list_push(vjp_arena(s->v), &results, a);
  }
  if (results.len == 0) return;
  Vars arrays = map_end(m, "M", results);
  for (int i = 0; i < n * n; i++)
    if (!is_zero(s->M[i / n][i % n]) && s->M[i / n][i % n].is_var)
      s->M[i / n][i % n] = atom_var(arrays.at[place[i]]);
}

static void reaches_close(Solver *s) {
  for (int c = 0; c < s->n; c++)
    for (int d = 0; d < s->n; d++) s->reaches[c][d] = c == d || !is_zero(s->M[c][d]);
  for (int k = 0; k < s->n; k++)
    for (int c = 0; c < s->n; c++)
      for (int d = 0; d < s->n; d++)
        s->reaches[c][d] = s->reaches[c][d] || (s->reaches[c][k] && s->reaches[k][d]);
}

static bool is_of_use(const Solver *s);

// M, where its blocks are of use; otherwise nothing is emitted that is used.
static bool entries_build(Solver *s, const Lambda *op) {
  Vjp *v = s->v;
  Builder outer = v->w.to;
  Atoms all = atoms_concat(vjp_arena(v), s->e.before, s->e.xs);
  MapBuilder m = map_begin(&outer, s->e.width, all);
  v->w.to = m.lb.inner;
  entries_at(s, op, atoms_of_vars(vjp_arena(v), m.lb.lambda->params));
  entries_unite(s, v->w.to.stms);
  m.lb.inner = v->w.to;
  v->w.to = outer;
  reaches_close(s);
  if (!is_of_use(s)) return false;
  entries_end(s, &m);
  v->w.to = outer;
  return true;
}

// ---- blocks
// The components that depend on c and c on them, ascending.
static int block_of(const Solver *s, int c, int *at) {
  int k = 0;
  for (int d = 0; d < s->n; d++)
    if (s->reaches[c][d] && s->reaches[d][c]) at[k++] = d;
  return k;
}

// Blocks are independent of each other, small, and without zeros.
static bool is_of_use(const Solver *s) {
  int at[MOST], again[MOST];
  for (int c = 0; c < s->n; c++) {
    int k = block_of(s, c, at), alike = 0;
    for (int d = 0; d < s->n; d++) {
      if (s->reaches[c][d] != s->reaches[d][c]) return false;
      if (s->reaches[c][d] && k > 1 && is_zero(s->M[c][d])) return false;
      alike += block_of(s, d, again) == k;
    }
    if (k > BLOCK || (s->guarded && k > 1) || (k == BLOCK && alike == k)) return false;
  }
  return true;
}

static bool same_matrix(const Solver *s, int k, const int *a, const int *b) {
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) {
      Atom x = s->M[a[i]][a[j]], y = s->M[b[i]][b[j]];
      if (is_zero(x) != is_zero(y) || (!is_zero(x) && !atom_same(x, y))) return false;
    }
  return true;
}

// A block that is not solved, and those with the same matrix.
static Group group_next(const Solver *s) {
  Group g = {0};
  for (int c = 0; c < s->n; c++) {
    int *at = g.at[g.count];
    if (!atom_absent(s->r.at[c])) continue;
    int k = block_of(s, c, at);
    if (at[0] != c) continue;
    if (g.count == 0) g.rows = k;
    if (k != g.rows) continue;
    bool first = g.count == 0, same = same_matrix(s, k, g.at[0], at);
    if (first || (same && prog_may(s->v->w.from, SWITCH_SHARED_MATRICES))) g.count++;
  }
  check(g.count > 0);
  return g;
}

static Atom entry_array(Solver *s, int c, int d) {
  Atom a = s->M[c][d];
  if (a.is_var) return a;
  return build_replicate(vjp_builder(s->v), atoms1(vjp_arena(s->v), s->e.width), a);
}

// Row i of A, of columns of k, times the column.
static Atom times_column(const Solver *s, Builder *b, Atoms A, const Atom *column, int k, int i) {
  if (s->guarded) return guard_times(b, column[0], A.at[0]);
  Atom sum = build_times(b, A.at[i], column[0]);
  for (int d = 1; d < k; d++)
    sum = build_plus(b, sum, build_times(b, A.at[d * k + i], column[d]));
  return sum;
}

// \(S1, B1) (S2, B2) -> (S2 + B2 S1, B2 B1), matrices column by column.
static Lambda *compose_linear(Solver *s, int k, int m) {
  Arena *arena = vjp_arena(s->v);
  int all = k * m + k * k;
  Types types = {0};
  for (int i = 0; i < 2 * all; i++) list_push(arena, &types, type_scalar(s->prim));
  LambdaBuilder lb = lambda_begin(vjp_builder(s->v), "x", types);
  Builder *b = &lb.inner;
  Atoms x = atoms_of_vars(arena, lb.lambda->params), out = {0};
  Atoms B2 = atoms_slice(x, all + k * m, k * k);
  for (int i = 0; i < all; i++) {
    Atom c = times_column(s, b, B2, &x.at[i / k * k], k, i % k);
    list_push(arena, &out, i < k * m ? build_plus(b, x.at[all + i], c) : c);
  }
  return lambda_end(&lb, out);
}

static Atom suffix_sums(Solver *s, Atom w) {
  Builder *b = vjp_builder(s->v);
  Arena *arena = vjp_arena(s->v);
  Lambda *plus = lambda_binop(b->prog, s->prim == PRIM_BOOL ? OP_OR : OP_ADD, s->prim);
  Atoms out = build_scan(b, s->e.width, plus, atoms1(arena, atom_number(s->prim, 0)),
                         atoms1(arena, w));
  return out.at[0];
}

// B w, column by column: what comes to ys[j-1] of w_j itself.
static Atoms seeds_passed(Solver *s, Atoms w, Atoms B, int k) {
  MapBuilder m = map_begin(vjp_builder(s->v), s->e.width, atoms_concat(vjp_arena(s->v), w, B));
  Atoms at = atoms_of_vars(vjp_arena(s->v), m.lb.lambda->params), out = {0};
  Atoms matrix = atoms_slice(at, w.len, B.len);
  for (int i = 0; i < w.len; i++)
    list_push(vjp_arena(s->v), &out,
              times_column(s, &m.lb.inner, matrix, &at.at[i / k * k], k, i % k));
  return atoms_of_vars(vjp_arena(s->v), map_end(&m, "S", out));
}

static Atom sum_of_arrays(Solver *s, Atom x, Atom y) {
  MapBuilder m = map_begin(vjp_builder(s->v), s->e.width, atoms2(vjp_arena(s->v), x, y));
  return map_end1(&m, "r", build_plus(&m.lb.inner, map_param(&m, 0), map_param(&m, 1)));
}

// r = w + u, where B and its blocks are neither 0 nor 1.
static void group_scan(Solver *s, const Group *g, Atoms w) {
  Builder *b = vjp_builder(s->v);
  Arena *arena = vjp_arena(s->v);
  int k = g->rows;
  Atoms B = {0}, neutral = {0};
  for (int i = 0; i < w.len; i++) list_push(arena, &neutral, atom_number(s->prim, 0));
  for (int i = 0; i < k * k; i++) {
    list_push(arena, &B, entry_array(s, g->at[0][i % k], g->at[0][i / k]));
    list_push(arena, &neutral, atom_number(s->prim, i % k == i / k));
  }
  Atoms inputs = atoms_concat(arena, seeds_passed(s, w, B, k), B);
  Atoms u = build_scan_exclusive(b, s->e.width, compose_linear(s, k, g->count), neutral, inputs);
  for (int i = 0; i < w.len; i++)
    s->r.at[g->at[i / k][i % k]] = sum_of_arrays(s, w.at[i], u.at[i]);
}

static void group_solve(Solver *s, const Group *g) {
  int k = g->rows, first = g->at[0][0];
  Atoms w = {0};
  for (int i = 0; i < k * g->count; i++)
    list_push(vjp_arena(s->v), &w, s->e.w.at[g->at[i / k][i % k]]);
  Atom M = s->M[first][first];
  bool unit = atom_is(M, 1) && prog_may(s->v->w.from, SWITCH_UNIT_MATRICES);
  if (k > 1 || !(is_zero(M) || unit)) {
    group_scan(s, g, w);
    return;
  }
  for (int i = 0; i < g->count; i++)
    s->r.at[g->at[i][0]] = is_zero(M) ? w.at[i] : suffix_sums(s, w.at[i]);
}

// r, last j first; false where the operator has no blocks of use.
bool recurrence_by_blocks(Vjp *v, const Lambda *op, Recurrence e, Atoms *r) {
  Solver s = {.v = v, .e = e, .n = e.ys.len};
  if (s.n > MOST) return false;
  s.guarded = !v->safe.strict && !guard_is_idle(&op->body);
  if (s.guarded && !prim_is_float(op->rets.at[0].prim)) return false;
  s.prim = op->rets.at[0].prim;
  for (int k = 0; k < s.n; k++) {
    if (op->rets.at[k].rank || op->rets.at[k].prim != s.prim) return false;
    list_push(vjp_arena(v), &s.r, atom_none());
  }
  if (!prog_may(v->w.from, SWITCH_RECURRENCES) || !entries_build(&s, op)) return false;
  for (int known = 0; known < s.n;) {
    Group g = group_next(&s);
    group_solve(&s, &g);
    known += g.rows * g.count;
  }
  *r = s.r;
  return true;
}
