// Random programs through the passes: every pass must keep them well formed and keep what they
// compute; derivatives are compared forward against reverse (dot product) and with differences.
// test_random [first seed] [how many] [optimise | derive | smooth | all] [shrink]
#include "../../src/ad/ad.h"
#include "../../src/driver/driver.h"
#include "../../src/gen/gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed, unsupported;
static bool shrinking;  // the first failure, which takes a while

typedef enum { WHAT_OPTIMISE, WHAT_DERIVE, WHAT_SMOOTH, WHATS } What;
static const char *const what_names[] = {"optimise", "derive", "smooth"};

// One comparison.  `fault` is what went wrong, in arena.
typedef struct {
  What what;
  uint64_t seed;
  Arena *arena;
  const Prog *prog;
  Session *session;
  const char *fault;
} Trial;

static InterpResult run(Trial *t, const Prog *prog, const char *fn, IValues in) {
  InterpOptions limit = {.step_limit = 3000000};
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

static void compare(Trial *t, const InterpResult *want, const InterpResult *got) {
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
    IValues in = gen_inputs(t->arena, t->prog, t->seed * 10 + k);
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
  Point p = {.in = gen_inputs(t->arena, t->prog, t->seed * 10 + k)};
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

// (yB . y(x + h dx) - yB . y(x - h dx)) / 2h
static double difference(Trial *t, const Point *p, double h) {
  const Fn *fn = prog_fn(t->prog, "main");
  double y[2];
  for (int side = 0; side < 2; side++) {
    IValues in = {0};
    for (int i = 0, k = 0; i < p->in.len; i++) {
      IValue v = p->in.at[i];
      bool active = gen_is_active(t->prog, fn->params.at[i]);
      if (!active) list_push(t->arena, &in, ivalue_retain(v));
      if (!active) continue;
      IValue dx = p->dx.at[k++], moved = gen_direction(t->arena, v, 1);
      double step = side ? h : -h;
      if (!v.array) moved = ivalue_scalar(scalar_float(PRIM_F64, v.scalar.f + step * dx.scalar.f));
      for (int64_t j = 0; v.array && j < v.array->len; j++)
        moved.array->at[j].f = v.array->at[j].f + step * dx.array->at[j].f;
      list_push(t->arena, &in, moved);
    }
    InterpResult r = run(t, t->prog, "main", in);
    y[side] = r.ok ? dot_all(r.results, 0, p->yB) : NAN;
    drop(r.results), drop(in);
  }
  return (y[1] - y[0]) / (2 * h);
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
    if (!t->fault && tame && !close_to(forward, reverse, 1e-6))
      t->fault = arena_printf(t->arena, "forward %.12g, reverse %.12g", forward, reverse);
    double slope = difference(t, p, 1e-4), again = difference(t, p, 2e-5);
    bool smooth = t->what == WHAT_SMOOTH && close_to(slope, again, 1e-4);
    if (!t->fault && tame && smooth && !close_to(again, forward, 1e-3))
      t->fault = arena_printf(t->arena, "forward %.12g, difference %.12g", forward, again);
  }
  drop(f.results), drop(r.results);
}

static void derive(Trial *t) {
  Prog *with = gen_derivatives(arena_new(), t->prog);
  list_push(t->session->arena, &t->session->programs, with->arena);
  const char *fault = core_fault(with, t->arena);
  check(!fault);
  Prog *after = pipeline_differentiate(t->session, with);
  for (uint64_t k = 0; k < 3 && !t->fault; k++) {
    IValues in = gen_inputs(t->arena, t->prog, t->seed * 10 + k);
    InterpResult y = run(t, t->prog, "main", in);
    drop(in);
    if (!y.ok || !is_tame(y.results)) continue;
    Point p = point_new(t, k, &y);
    compare_point(t, after, &y, &p);
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
  GenOptions options = {.derivable = what == WHAT_DERIVE, .smooth = what == WHAT_SMOOTH};
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
  printf("%d passed, %d failed, %d unsupported\n", passed, failed, unsupported);
  return failed != 0;
}
