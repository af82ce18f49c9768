// Random programs through the passes: every pass must keep them well formed and keep what they
// compute; derivatives are compared forward against reverse (dot product) and with differences.
// test_random [first seed] [how many] [optimise | derive | smooth | vector | second | all] [shrink]
#include "ad/common/ad.h"
#include "driver/driver.h"
#include "gen/gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed, unsupported;
static int points, nonzero;  // derivatives compared, and how many of them were not zero
static bool shrinking;  // the first failure, which takes a while

typedef enum { WHAT_OPTIMISE, WHAT_DERIVE, WHAT_SMOOTH, WHAT_VECTOR, WHAT_SECOND, WHATS } What;
static const char *const what_names[] = {"optimise", "derive", "smooth", "vector", "second"};

// One comparison.  `fault` is what went wrong, in arena.
typedef struct {
  What what;
  uint64_t seed;
  Arena *arena;
  const Prog *prog;
  Session *session;
  const char *fault;
} Trial;

// A derivative may take a few times the steps of its function.
static InterpResult run(Trial *t, const Prog *prog, const char *fn, IValues in) {
  InterpOptions limit = {.step_limit = strcmp(fn, "main") == 0 ? 3000000 : 30000000};
  return interp_call(t->arena, prog, fn, in, &limit);
}

static void drop(IValues values) {
  for (int i = 0; i < values.len; i++) ivalue_release(values.at[i]);
}

static const char *show(Arena *arena, IValue v) {
  Text text = {0};
  ivalue_print(&text, v);
  const char *copy = arena_strndup(arena, text.at, text.len < 300 ? text.len : 300);
  text_free(&text);
  return copy;
}

// A value that lost its digits on the way (a sum of large numbers) tells nothing.
static bool is_tame(IValues values) {
  for (int i = 0; i < values.len; i++) {
    IValue v = values.at[i];
    int64_t n = v.array ? v.array->len : 1;
    for (int64_t k = 0; k < n; k++) {
      Scalar s = v.array ? cell_scalar(v.array, k) : v.scalar;
      if (prim_is_float(s.prim) && !(fabs(s.f) < 1e5)) return false;
    }
  }
  return true;
}

static bool ran_out(const InterpResult *r) {
  return !r->ok && strncmp(r->message, "Step limit", 10) == 0;
}

static void compare(Trial *t, const InterpResult *want, const InterpResult *got) {
  if (ran_out(want) || ran_out(got)) return;
  if (want->ok != got->ok) {
    t->fault = arena_printf(t->arena, "fails: %s", got->ok ? want->message : got->message);
    return;
  }
  for (int i = 0; want->ok && i < want->results.len; i++) {
    IValue a = want->results.at[i], b = got->results.at[i];
    Prim p = a.array ? a.array->prim : a.scalar.prim;
    if (ivalue_same(a, b, p == PRIM_F32 ? 1e-3 : 1e-6)) continue;
    t->fault = arena_printf(t->arena, "result %d is %s, should be %s", i, show(t->arena, b),
                            show(t->arena, a));
    return;
  }
}

static void optimise(Trial *t) {
  Rewrite w = {0};
  Prog *copy = rewrite_prog(t->prog, arena_new(), &w);
  list_push(t->session->arena, &t->session->programs, copy->arena);
  Prog *after = pipeline_optimise(t->session, pipeline_differentiate(t->session, copy));
  for (uint64_t k = 0; k < 3 && !t->fault; k++) {
    IValues in = gen_inputs(t->arena, t->prog, t->seed * 10 + k, false);
    InterpResult want = run(t, t->prog, "main", in), got = run(t, after, "main", in);
    if (!want.ok || is_tame(want.results)) compare(t, &want, &got);
    drop(want.results), drop(got.results), drop(in);
  }
}

// ---- derivatives
typedef struct {
  IValues in, dx, yB;     // of main; of its active parameters; of its results
  IValues jvp_in, vjp_in;
} Point;

static Point point_new(Trial *t, uint64_t k, const InterpResult *y) {
  Point p = {.in = gen_inputs(t->arena, t->prog, t->seed * 10 + k, false)};
  const Fn *fn = prog_fn(t->prog, "main");
  for (int i = 0; i < p.in.len; i++) {
    list_push(t->arena, &p.jvp_in, p.in.at[i]);
    list_push(t->arena, &p.vjp_in, p.in.at[i]);
    if (!gen_is_active(t->prog, fn->params.at[i])) continue;
    list_push(t->arena, &p.dx, gen_direction(t->arena, p.in.at[i], t->seed + (uint64_t)i));
  }
  for (int i = 0; i < y->results.len; i++)
    list_push(t->arena, &p.yB, gen_direction(t->arena, y->results.at[i], t->seed + 99 + i));
  for (int i = 0; i < p.dx.len; i++) list_push(t->arena, &p.jvp_in, p.dx.at[i]);
  for (int i = 0; i < p.yB.len; i++) list_push(t->arena, &p.vjp_in, p.yB.at[i]);
  return p;
}

static double dot_all(IValues a, int from, IValues b) {
  double sum = 0;
  for (int i = 0; i < b.len; i++) sum += gen_dot(a.at[from + i], b.at[i]);
  return sum;
}

static bool close_to(double a, double b, double tolerance) {
  return fabs(a - b) <= tolerance * fmax(1, fmax(fabs(a), fabs(b)));
}

static IValue moved(Trial *t, IValue v, IValue dx, double step) {
  if (!v.array) return ivalue_scalar(scalar_float(PRIM_F64, v.scalar.f + step * dx.scalar.f));
  IValue out = gen_direction(t->arena, v, 1);
  for (int64_t j = 0; j < v.array->len; j++)
    out.array->at[j].f = v.array->at[j].f + step * dx.array->at[j].f;
  return out;
}

// (w . f(x + h dx) - w . f(x - h dx)) / 2h, where f's arguments start with main's.
static double difference(Trial *t, const Point *p, const Prog *prog, const char *f, IValues args,
                         IValues w, double h) {
  const Fn *fn = prog_fn(t->prog, "main");
  double y[2];
  for (int side = 0; side < 2; side++) {
    IValues in = {0};
    for (int i = 0, k = 0; i < args.len; i++) {
      bool active = i < p->in.len && gen_is_active(t->prog, fn->params.at[i]);
      IValue v = active ? moved(t, args.at[i], p->dx.at[k++], side ? h : -h)
                        : ivalue_retain(args.at[i]);
      list_push(t->arena, &in, v);
    }
    InterpResult r = run(t, prog, f, in);
    y[side] = r.ok ? dot_all(r.results, 0, w) : NAN;
    drop(r.results), drop(in);
  }
  return (y[1] - y[0]) / (2 * h);
}

// A difference counts when halving the step does not change it.
static void compare_difference(Trial *t, const Point *p, const Prog *prog, const char *f,
                               IValues args, IValues w, double want) {
  double slope = difference(t, p, prog, f, args, w, 1e-4);
  double again = difference(t, p, prog, f, args, w, 2e-5);
  if (close_to(slope, again, 1e-4) && fabs(want) < 1e6 && !close_to(again, want, 1e-3))
    t->fault = arena_printf(t->arena, "derivative %.12g, difference %.12g", want, again);
}

static void compare_point(Trial *t, const Prog *after, const InterpResult *y, Point *p) {
  InterpResult f = run(t, after, "main_jvp", p->jvp_in), r = run(t, after, "main_vjp", p->vjp_in);
  if (!f.ok || !r.ok) {
    t->fault = arena_printf(t->arena, "fails: %s", f.ok ? r.message : f.message);
  } else {
    InterpResult primal = {.ok = true, .results = f.results};
    compare(t, y, &primal);
    primal.results = r.results;
    if (!t->fault) compare(t, y, &primal);
    double forward = dot_all(f.results, y->results.len, p->yB);
    double reverse = dot_all(r.results, y->results.len, p->dx);
    bool tame = isfinite(forward) && fabs(forward) < 1e6 && isfinite(reverse);
    points++;
    nonzero += fabs(forward) > 1e-9;
    if (!t->fault && tame && !close_to(forward, reverse, 1e-6))
      t->fault = arena_printf(t->arena, "forward %.12g, reverse %.12g", forward, reverse);
    if (!t->fault && tame && t->what == WHAT_SMOOTH)
      compare_difference(t, p, t->prog, "main", p->in, p->yB, forward);
  }
  drop(f.results), drop(r.results);
}

// ---- several directions at once: each must be what it is alone
enum { DIRECTIONS = 2 };
static IValue stacked(Trial *t, IValue a, IValue b) {
  int64_t dims[16] = {DIRECTIONS};
  int rank = a.array ? a.array->rank : 0;
  for (int d = 0; d < rank; d++) dims[d + 1] = a.array->dims[d];
  IValue out = ivalue_array(PRIM_F64, rank + 1, dims);
  int64_t n = out.array->len / DIRECTIONS;
  for (int64_t i = 0; i < n; i++) {
    cell_set(out.array, i, a.array ? cell_scalar(a.array, i) : a.scalar);
    cell_set(out.array, n + i, b.array ? cell_scalar(b.array, i) : b.scalar);
  }
  (void)t;
  return out;
}

static void compare_stacked(Trial *t, const Prog *after, const char *many, const char *one,
                            IValues in, IValues directions, int primal) {
  IValues args[3] = {{0}, {0}, {0}};
  for (int i = 0; i < in.len; i++)
    for (int k = 0; k < 3; k++) list_push(t->arena, &args[k], ivalue_retain(in.at[i]));
  for (int i = 0; i < directions.len; i++) {
    IValue other = gen_direction(t->arena, directions.at[i], t->seed + 7);
    list_push(t->arena, &args[0], ivalue_retain(directions.at[i]));
    list_push(t->arena, &args[1], other);
    list_push(t->arena, &args[2], stacked(t, directions.at[i], other));
  }
  InterpResult a = run(t, after, one, args[0]), b = run(t, after, one, args[1]);
  InterpResult both = run(t, after, many, args[2]), want = {.ok = a.ok && b.ok};
  want.message = a.ok ? b.message : a.message;
  for (int i = 0; want.ok && i < a.results.len; i++)
    list_push(t->arena, &want.results,
              i < primal ? ivalue_retain(a.results.at[i])
                         : stacked(t, a.results.at[i], b.results.at[i]));
  if (!t->fault && is_tame(want.results)) compare(t, &want, &both);
  drop(a.results), drop(b.results), drop(both.results), drop(want.results);
  for (int k = 0; k < 3; k++) drop(args[k]);
}

static void compare_vector(Trial *t, const Prog *after, const InterpResult *y, Point *p) {
  compare_stacked(t, after, "main_jmp", "main_jvp", p->in, p->dx, y->results.len);
  compare_stacked(t, after, "main_mjp", "main_vjp", p->in, p->yB, y->results.len);
  compare_stacked(t, after, "main_jmp_jammed", "main_jvp", p->in, p->dx, y->results.len);
  compare_stacked(t, after, "main_mjp_jammed", "main_vjp", p->in, p->yB, y->results.len);
}

// ---- second derivatives: forward over reverse against reverse over reverse: (H dx) w = (w H) dx
static void compare_second(Trial *t, const Prog *after, const InterpResult *y, Point *p) {
  IValues f_in = {0}, r_in = {0}, w = {0};
  (void)y;
  for (int i = 0; i < p->vjp_in.len; i++) {
    list_push(t->arena, &f_in, p->vjp_in.at[i]);
    list_push(t->arena, &r_in, p->vjp_in.at[i]);
  }
  for (int i = 0; i < p->dx.len; i++) {
    list_push(t->arena, &w, gen_direction(t->arena, p->dx.at[i], t->seed + 1000 + (uint64_t)i));
    list_push(t->arena, &f_in, p->dx.at[i]);
    list_push(t->arena, &r_in, w.at[i]);
  }
  InterpResult f = run(t, after, "main_jvp_vjp", f_in), r = run(t, after, "main_vjp_vjp", r_in);
  if (!f.ok || !r.ok) {
    t->fault = arena_printf(t->arena, "fails: %s", f.ok ? r.message : f.message);
  } else if (is_tame(f.results)) {
    double forward = dot_all(f.results, w.len, w), reverse = dot_all(r.results, w.len, p->dx);
    points++;
    nonzero += fabs(forward) > 1e-9;
    if (!close_to(forward, reverse, 1e-6))
      t->fault = arena_printf(t->arena, "(H dx) w %.12g, (w H) dx %.12g", forward, reverse);
    else compare_difference(t, p, after, "main_jvp_vjp", f_in, w, forward);
  }
  drop(f.results), drop(r.results), drop(w);
}

static Prog *derived_prog(Trial *t) {
  if (t->what == WHAT_VECTOR) return gen_vector_derivatives(arena_new(), t->prog, DIRECTIONS);
  if (t->what == WHAT_SECOND) return gen_second_derivatives(arena_new(), t->prog);
  return gen_derivatives(arena_new(), t->prog);
}

static void derive(Trial *t) {
  Prog *with = derived_prog(t);
  list_push(t->session->arena, &t->session->programs, with->arena);
  const char *fault = core_fault(with, t->arena);
  check(!fault);
  Prog *after = pipeline_differentiate(t->session, with);
  for (uint64_t k = 0; k < 3 && !t->fault; k++) {
    IValues in = gen_inputs(t->arena, t->prog, t->seed * 10 + k, false);
    InterpResult y = run(t, t->prog, "main", in);
    drop(in);
    bool useful = y.ok && is_tame(y.results);
    if (!useful) drop(y.results);
    if (!useful) continue;
    Point p = point_new(t, k, &y);
    if (t->what == WHAT_VECTOR) compare_vector(t, after, &y, &p);
    else if (t->what == WHAT_SECOND) compare_second(t, after, &y, &p);
    else compare_point(t, after, &y, &p);
    drop(y.results), drop(p.in), drop(p.dx), drop(p.yB);
  }
}

static void work(Session *s, void *state) {
  Trial *t = state;
  t->session = s;
  if (t->what == WHAT_OPTIMISE) optimise(t);
  else derive(t);
}

static Status attempt(Trial *t) {
  Session *s = session_new();
  s->diag->no_warnings = true;
  s->verify = true;
  t->fault = NULL;
  Status status = session_run(s, work, t);
  if (status == STATUS_BUG) t->fault = "internal error";
  session_free(s);
  return status;
}

// Still the same kind of failure: an internal error stays one, a wrong value stays one.
static bool fails_alike(void *state, const Prog *prog) {
  Trial *t = state, smaller = *t;
  smaller.prog = prog;
  smaller.arena = arena_new();
  attempt(&smaller);
  bool alike = smaller.fault && smaller.fault[0] == t->fault[0];
  arena_free(smaller.arena);
  return alike;
}

static void report(Trial *t) {
  failed++;
  printf("FAIL %s seed %llu: %s\n", what_names[t->what], (unsigned long long)t->seed, t->fault);
  fflush(stdout);
  if (!shrinking) return;
  shrinking = false;
  Prog *small = gen_shrink(t->arena, t->prog, fails_alike, t);
  Text text = {0};
  core_print(&text, small);
  printf("%s", text.at);
  text_free(&text);
}

static void one_seed(uint64_t seed, What what) {
  Trial t = {.what = what, .seed = seed, .arena = arena_new()};
  GenOptions options = {.derivable = what != WHAT_OPTIMISE,
                        .smooth = what == WHAT_SMOOTH || what == WHAT_SECOND};
  if (what == WHAT_SECOND) options.statements = 12;
  else if (seed % 4 == 3) options.statements = 70;
  if (seed % 8 == 3) options.depth = 4;
  t.prog = gen_program(t.arena, seed, options);
  Status status = attempt(&t);
  if (t.fault) report(&t);
  else if (status == STATUS_UNSUPPORTED) unsupported++;
  else if (status == STATUS_OK) passed++;
  else failed++;
  arena_free(t.arena);
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 40;
  shrinking = argc > 4;
  for (What what = 0; what < WHATS; what++) {
    bool all = argc <= 3 || strcmp(argv[3], "all") == 0;
    if (!all && strcmp(argv[3], what_names[what]) != 0) continue;
    for (uint64_t seed = first; seed < first + count; seed++) one_seed(seed, what);
  }
  printf("%d derivatives compared, %d of them not zero; %d unsupported\n", points, nonzero,
         unsupported);
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
