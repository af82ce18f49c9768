// Names, constants and expressions as C text.
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "local.h"

const char *c_type(Prim p) { return prim_info[p].ctype; }

const char *dz_prim(Prim p) {
  static const char *const names[] = {
      [PRIM_I8] = "DZ_I8",   [PRIM_I16] = "DZ_I16", [PRIM_I32] = "DZ_I32", [PRIM_I64] = "DZ_I64",
      [PRIM_U8] = "DZ_U8",   [PRIM_U16] = "DZ_U16", [PRIM_U32] = "DZ_U32", [PRIM_U64] = "DZ_U64",
      [PRIM_F16] = "DZ_F16", [PRIM_F32] = "DZ_F32", [PRIM_F64] = "DZ_F64", [PRIM_BOOL] = "DZ_BOOL",
      [PRIM_UNIT] = "DZ_U8"};
  return names[p];
}

void c_ident(Text *out, const char *s) {
  for (; *s; s++) text_putc(out, isalnum((unsigned char)*s) ? *s : '_');
}

void c_string(Text *out, const char *s) {
  text_putc(out, '"');
  for (; *s; s++) {
    if (*s == '\n') text_puts(out, "\\n");
    else if (*s == '"' || *s == '\\') text_printf(out, "\\%c", *s);
    else if ((unsigned char)*s < 32) text_printf(out, "\\%03o", (unsigned)*s);
    else text_putc(out, *s);
  }
  text_putc(out, '"');
}

static void c_float(Text *out, Scalar s) {
  bool single = s.prim == PRIM_F32;
  if (isnan(s.f))
    text_printf(out, "%s__builtin_nan%s(\"\")", signbit(s.f) ? "-" : "", single ? "f" : "");
  else if (isinf(s.f))
    text_printf(out, "%s__builtin_inf%s()", s.f < 0 ? "-" : "", single ? "f" : "");
  else if (s.f >= -1e6 && s.f <= 1e6 && s.f == floor(s.f) && !(s.f == 0 && signbit(s.f)))
    text_printf(out, s.f < 0 ? "(%.1f%s)" : "%.1f%s", s.f, single ? "f" : "");
  else text_printf(out, signbit(s.f) ? "(%a%s)" : "%a%s", s.f, single ? "f" : "");
}

void c_scalar(Text *out, Scalar s) {
  switch (s.prim) {
  case PRIM_F32:
  case PRIM_F64: c_float(out, s); break;
  case PRIM_F16: {
    Scalar bits;
    check(op_eval(OP_TO_BITS, PRIM_F16, &s, &bits));
    text_printf(out, "%" PRId64, bits.i & 0xffff);
    break;
  }
  case PRIM_BOOL: text_puts(out, s.i ? "true" : "false"); break;
  case PRIM_UNIT: text_putc(out, '0'); break;
  case PRIM_U64: text_printf(out, "UINT64_C(%" PRIu64 ")", (uint64_t)s.i); break;
  case PRIM_U32: text_printf(out, "%" PRIu64 "u", (uint64_t)s.i); break;
  case PRIM_I8:
  case PRIM_I16:
  case PRIM_I32:
  case PRIM_I64:
  case PRIM_U8:
  case PRIM_U16:
    if (s.i == INT64_MIN) text_puts(out, "INT64_MIN");
    else if (s.i > INT32_MAX || s.i <= INT32_MIN) text_printf(out, "INT64_C(%" PRId64 ")", s.i);
    else text_printf(out, s.i < 0 ? "(%" PRId64 ")" : "%" PRId64, s.i);
    break;
  case PRIM_COUNT: break;
  }
}

void c_var(Text *out, const ImpFn *fn, ImpVar v) {
  const ImpVarInfo *info = &fn->vars.at[v.id];
  if (info->kind == IMP_GLOBAL) {
    text_printf(out, "globals->s%d", info->global);
    return;
  }
  c_ident(out, info->base);
  text_printf(out, "_%u", v.id);
}

void c_mem(Text *out, const ImpFn *fn, ImpVar v) {
  text_putc(out, 'p');
  text_putc(out, '_');
  c_ident(out, fn->vars.at[v.id].base);
  text_printf(out, "_%u", v.id);
}

// Usually the name is the function's own text.
static int fn_index(const ImpProg *prog, const char *name) {
  for (int i = 0; i < prog->fns.len; i++)
    if (prog->fns.at[i]->core && prog->fns.at[i]->name == name) return i;
  for (int i = 0; i < prog->fns.len; i++)
    if (prog->fns.at[i]->core && strcmp(prog->fns.at[i]->name, name) == 0) return i;
  return 0;
}

void c_fn_name(Text *out, const ImpProg *prog, const char *name) {
  text_puts(out, "f_");
  c_ident(out, name);
  text_printf(out, "_%d", fn_index(prog, name));
}

static bool plain_float(Prim p) { return p == PRIM_F32 || p == PRIM_F64; }

// Operators that plain C has with our meaning.
static bool is_infix(const ImpExp *e) {
  if (!*op_info[e->op].infix || e->from == PRIM_F16 || e->from == PRIM_UNIT) return false;
  if (e->index || plain_float(e->from)) return true;
  switch (op_info[e->op].result) {
  case RESULT_BOOL: return true;
  case RESULT_SAME: return e->op == OP_AND || e->op == OP_OR || e->op == OP_XOR;
  case RESULT_I32:
  case RESULT_BITS:
  case RESULT_FROM_BITS: break;
  }
  return false;
}

// Operations that are long as inline text and have a form out of line, rts/run.h.
bool c_is_run(const ImpExp *e) {
  return e->kind == IMP_OP && plain_float(e->from) && op_info[e->op].arity == 1 &&
         op_info[e->op].cost == COST_FUNCTION;
}

static void put(Text *out, const ImpFn *fn, const ImpExp *e, bool far);

static void put_conv(Text *out, const ImpFn *fn, const ImpExp *e, bool far) {
  bool widen =
      (e->from == PRIM_I64 && e->prim == PRIM_U64) || (e->from == PRIM_U64 && e->prim == PRIM_I64);
  if (widen) text_printf(out, "(%s)", c_type(e->prim));
  else text_printf(out, "dz_conv_%s_%s(", prim_info[e->from].name, prim_info[e->prim].name);
  put(out, fn, e->args[0], far);
  if (!widen) text_putc(out, ')');
}

static void put(Text *out, const ImpFn *fn, const ImpExp *e, bool far) {
  if (e->kind == IMP_CONST) c_scalar(out, e->value);
  else if (e->kind == IMP_VAR) c_var(out, fn, e->var);
  else if (e->kind == IMP_CONV) put_conv(out, fn, e, far);
  else if (is_infix(e)) {
    text_putc(out, '(');
    put(out, fn, e->args[0], far);
    text_printf(out, " %s ", op_info[e->op].infix);
    put(out, fn, e->args[1], far);
    text_putc(out, ')');
  } else if (e->op == OP_SELECT) {
    text_putc(out, '(');
    put(out, fn, e->args[0], far);
    text_puts(out, " ? ");
    put(out, fn, e->args[1], far);
    text_puts(out, " : ");
    put(out, fn, e->args[2], far);
    text_putc(out, ')');
  } else if (e->op == OP_NOT && e->from == PRIM_BOOL) {
    text_putc(out, '!');
    put(out, fn, e->args[0], far);
  } else {
    text_printf(out, "dz_%s%s_%s(", op_info[e->op].name, far && c_is_run(e) ? "_far" : "",
                prim_info[e->from].name);
    for (int i = 0; i < 3 && e->args[i]; i++) {
      if (i) text_puts(out, ", ");
      put(out, fn, e->args[i], far);
    }
    text_putc(out, ')');
  }
}

void c_exp(Text *out, const ImpFn *fn, const ImpExp *e) { put(out, fn, e, false); }
void c_exp_far(Text *out, const ImpFn *fn, const ImpExp *e) { put(out, fn, e, true); }
