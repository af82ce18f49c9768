// The first infinity that a scalar operation makes of finite operands and the first NaN it makes
// of numbers: where, in which iterations of the maps and loops around it, from what.
//
// A finding is held until the call ends.  It is let go when a `select` passes over it, or over what
// was computed from it: derivatives compute partials at their poles and select others there.
#include "local.h"
#include <math.h>

void iteration_set(Interp *in, int level, int64_t i, bool backwards) {
  if (level < ITERATIONS_SHOWN) in->iteration[level] = (Iteration){i, backwards};
}

static void iterations_print(const Interp *in, Text *text) {
  int shown = in->nest < ITERATIONS_SHOWN ? in->nest : ITERATIONS_SHOWN;
  bool backwards = false;
  for (int k = 0; k < shown; k++) {
    text_printf(text, k ? ", %lld" : " in iteration %lld", (long long)in->iteration[k].at);
    backwards = backwards || in->iteration[k].backwards;
  }
  if (backwards) text_puts(text, " of the return sweep");
}

static const char *described(Interp *in, const Stm *stm, const Atom *args, int n, double result) {
  Text text = {0};
  const Exp *e = &stm->exp;
  text_printf(&text, "First %s: %s (", isnan(result) ? "NaN" : "infinity",
              e->form == FORM_PRIM ? op_info[e->prim.op].name : "conversion");
  for (int i = 0; i < n; i++) {
    if (i) text_puts(&text, ", ");
    if (args[i].is_var) text_printf(&text, "%s = ", var_info(in->prog, args[i].var)->base);
    scalar_print(&text, atom_get(in, args[i]).scalar);
  }
  text_puts(&text, ")");
  iterations_print(in, &text);
  text_puts(&text, "\n");
  backtrace_print(&text, stm->loc);
  const char *copy = arena_strdup(in->arena, text.at);
  text_free(&text);
  return copy;
}

static bool is_finite(Interp *in, Atom a) {
  Scalar v = atom_get(in, a).scalar;
  return !prim_is_float(v.prim) || isfinite(v.f);
}

static bool is_nan(Interp *in, Atom a) {
  Scalar v = atom_get(in, a).scalar;
  return prim_is_float(v.prim) && isnan(v.f);
}

static bool is_from(const Finding *f, Atom a) {
  for (int i = 0; a.is_var && i < f->vars.len; i++)
    if (f->vars.at[i].id == a.var.id) return true;
  return false;
}

static bool passes_over(Interp *in, const Finding *f, const Exp *e) {
  if (e->form == FORM_PRIM && e->prim.op == OP_GUARD)
    return is_from(f, e->prim.args.at[2]) && !is_finite(in, e->prim.args.at[1]) &&
           atom_get(in, e->prim.args.at[0]).scalar.f == 0;
  if (e->form != FORM_PRIM || e->prim.op != OP_SELECT) return false;
  bool first = atom_get(in, e->prim.args.at[0]).scalar.i != 0;
  Atom taken = e->prim.args.at[first ? 1 : 2], left = e->prim.args.at[first ? 2 : 1];
  return is_from(f, left) && !is_from(f, taken);
}

// What the statement does to a finding that is held.
static void finding_follow(Interp *in, Finding *f, const Stm *stm, Atoms args, bool finite) {
  bool uses = false;
  if (!f->text) return;
  if (passes_over(in, f, &stm->exp)) {
    f->passed_over = f->passed_over ? f->passed_over : f->text;
    *f = (Finding){.passed_over = f->passed_over};
    return;
  }
  for (int i = 0; i < args.len; i++) uses = uses || is_from(f, args.at[i]);
  for (int k = 0; k < stm->bound.len; k++)  // the next iteration's variable is another value
    for (int i = 0; i < f->vars.len; i++)
      if (f->vars.at[i].id == stm->bound.at[k].id) f->vars.at[i] = f->vars.at[--f->vars.len];
  if (uses && !finite) list_push(in->arena, &f->vars, stm->bound.at[0]);
}

static bool is_made(Interp *in, Atoms args, bool nan) {
  for (int i = 0; i < args.len; i++)
    if (nan ? is_nan(in, args.at[i]) : !is_finite(in, args.at[i])) return false;
  return true;
}

void nan_look(Interp *in, const Stm *stm, const IValue *out) {
  bool is_prim = stm->exp.form == FORM_PRIM;
  if (!is_prim && stm->exp.form != FORM_CONV) return;
  Atoms args = is_prim ? stm->exp.prim.args : atoms_of(in->arena, 1, &stm->exp.conv.arg);
  Scalar v = out[0].scalar;
  bool finite = !prim_is_float(v.prim) || isfinite(v.f);
  for (int i = 0; i < 2; i++) finding_follow(in, &in->findings[i], stm, args, finite);
  if (finite) return;
  Finding *f = &in->findings[isnan(v.f)];
  if (f->text || !is_made(in, args, isnan(v.f))) return;
  f->text = described(in, stm, args.at, args.len, v.f);
  list_push(in->arena, &f->vars, stm->bound.at[0]);
}

static bool results_have(const IValues *results, bool nan) {
  for (int i = 0; i < results->len; i++) {
    IValue r = results->at[i];
    Prim p = r.array ? r.array->prim : r.scalar.prim;
    int64_t n = r.array ? r.array->len : 1;
    for (int64_t k = 0; prim_is_float(p) && k < n; k++) {
      double x = r.array ? cell_scalar(r.array, k).f : r.scalar.f;
      if (nan ? isnan(x) : isinf(x)) return true;
    }
  }
  return false;
}

// What was not made here but came in.
static bool argument_report(const char *name, IValue v, bool nan) {
  Prim p = v.array ? v.array->prim : v.scalar.prim;
  int64_t n = v.array ? v.array->len : 1;
  for (int64_t k = 0; prim_is_float(p) && k < n; k++) {
    double x = v.array ? cell_scalar(v.array, k).f : v.scalar.f;
    if (nan ? !isnan(x) : !isinf(x)) continue;
    fprintf(stderr, "%s in the input: %s", nan ? "NaN" : "Infinity", name);
    int64_t block = n, at = k;
    for (int d = 0; v.array && d < v.array->rank; d++) {
      block /= v.array->dims[d];
      fprintf(stderr, "%s%lld", d ? ", " : "[", (long long)(at / block));
      at %= block;
    }
    fputs(v.array ? "]\n" : "\n", stderr);
    return true;
  }
  return false;
}

void nan_arguments(const Interp *in, const Fn *fn, const IValue *args) {
  for (int nan = 0; nan < 2; nan++)
    for (int i = 0; i < fn->params.len; i++)
      if (argument_report(var_info(in->prog, fn->params.at[i])->base, args[i], nan)) break;
}

void nan_report(Interp *in, const IValues *results) {
  for (int i = 0; i < 2; i++) {
    const Finding *f = &in->findings[i];
    if (f->text) fputs(f->text, stderr);
    else if (f->passed_over && results_have(results, i == 1)) fputs(f->passed_over, stderr);
  }
}
