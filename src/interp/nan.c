// The first infinity that a scalar operation makes of finite operands and the first NaN it makes
// of numbers: where, in which iterations of the maps and loops around it, from what.
#include "local.h"
#include <math.h>

void iteration_set(Interp *in, int level, int64_t i) {
  if (level < ITERATIONS_SHOWN) in->iteration[level] = i;
}

static void report(Interp *in, const Stm *stm, const char *operation, const Atom *args, int n,
                   double result) {
  Text text = {0};
  text_printf(&text, "First %s: %s (", isnan(result) ? "NaN" : "infinity", operation);
  for (int i = 0; i < n; i++) {
    if (i) text_puts(&text, ", ");
    if (args[i].is_var) text_printf(&text, "%s = ", var_info(in->prog, args[i].var)->base);
    scalar_print(&text, atom_get(in, args[i]).scalar);
  }
  text_puts(&text, ")");
  int shown = in->nest < ITERATIONS_SHOWN ? in->nest : ITERATIONS_SHOWN;
  for (int k = 0; k < shown; k++)
    text_printf(&text, k ? ", %lld" : " in iteration %lld", (long long)in->iteration[k]);
  text_puts(&text, "\n");
  backtrace_print(&text, stm->loc);
  fputs(text.at, stderr);
  text_free(&text);
}

static bool is_finite(Interp *in, Atom a) {
  Scalar v = atom_get(in, a).scalar;
  return !prim_is_float(v.prim) || isfinite(v.f);
}

void nan_look(Interp *in, const Stm *stm, const IValue *out) {
  bool is_prim = stm->exp.form == FORM_PRIM;
  if (!is_prim && stm->exp.form != FORM_CONV) return;
  Scalar v = out[0].scalar;
  if (!prim_is_float(v.prim) || isfinite(v.f)) return;
  bool *seen = isnan(v.f) ? &in->nan_seen : &in->infinity_seen;
  Atoms args = is_prim ? stm->exp.prim.args : atoms_of(in->arena, 1, &stm->exp.conv.arg);
  bool made = !*seen;
  for (int i = 0; i < args.len && made && !isnan(v.f); i++) made = is_finite(in, args.at[i]);
  for (int i = 0; i < args.len && made && isnan(v.f); i++) {
    Scalar a = atom_get(in, args.at[i]).scalar;
    made = !prim_is_float(a.prim) || !isnan(a.f);
  }
  if (!made) return;
  *seen = true;
  report(in, stm, is_prim ? op_info[stm->exp.prim.op].name : "conversion", args.at, args.len, v.f);
}
