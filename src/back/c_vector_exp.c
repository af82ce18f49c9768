// Values of strips as C text: expressions over vectors, `parts` of them per value; what has no
// vector text runs as a loop over the lanes through small arrays.  Lanes of a strip that is not
// full (Writer.part) compute what nothing reads: in loops over the lanes they repeat the first
// lane, so that nothing fails there.
#include "local.h"

static const ImpVarInfo *info(const Writer *w, ImpVar v) { return &w->fn->vars.at[v.id]; }

LaneClass c_lane_class(const Writer *w, const ImpExp *e, const ImpExp **slope) {
  return imp_exp_lanes(w->prog->arena, w->lanes, e, slope);
}
bool c_is_uniform(const Writer *w, const ImpExp *e) {
  const ImpExp *slope;
  return c_lane_class(w, e, &slope) == LANE_UNIFORM;
}
bool c_check_differs(const Writer *w, const struct imp_test *s) {
  const ImpExp *slope;
  bool differs = !c_is_uniform(w, s->cond);
  for (int i = 0; i < s->values.len; i++)
    differs = differs || c_lane_class(w, s->values.at[i], &slope) == LANE_VARYING;
  return differs;
}
static const char *pname(Prim p) { return prim_info[p].name; }

// ---- vector expressions -----------------------------------------------------------------------
static bool vec_conv(Prim to, Prim from) {
  if (from == PRIM_BOOL)
    return to == PRIM_F64 || to == PRIM_F32 || to == PRIM_I64 || to == PRIM_I32 || to == PRIM_U32;
  if (to == PRIM_U64 || from == PRIM_U64) return to == PRIM_I64 || from == PRIM_I64;
  bool ints = from == PRIM_I64 || from == PRIM_I32 || from == PRIM_U32;
  if (to == PRIM_F64 || to == PRIM_F32) return ints || from == PRIM_F64 || from == PRIM_F32;
  return ints && (to == PRIM_I64 || to == PRIM_I32 || to == PRIM_U32);
}

static bool vec_op(Op op, Prim p) {
  bool real = p == PRIM_F64 || p == PRIM_F32,
       whole = p == PRIM_I64 || p == PRIM_I32 || p == PRIM_U32;
  bool number = real || whole, bits = whole || p == PRIM_BOOL;
  if (op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_NEG) return number;
  if (op == OP_DIV || op == OP_ABS || op == OP_SGN || op == OP_GUARD) return real;
  if (op == OP_MIN || op == OP_MAX) return number || p == PRIM_BOOL;
  if (op == OP_AND || op == OP_OR || op == OP_XOR) return bits;
  if (op == OP_NOT) return p == PRIM_BOOL;
  if (op == OP_EQ || op == OP_NE) return number || p == PRIM_BOOL;
  if (op == OP_LT || op == OP_LE) return number || p == PRIM_U64;
  return op == OP_SELECT && (number || p == PRIM_BOOL);
}

// Whether e has vector text.
static bool vec_has(const Writer *w, const ImpExp *e) {
  const ImpExp *slope;
  LaneClass cls = c_lane_class(w, e, &slope);
  if (cls != LANE_VARYING || e->kind == IMP_VAR) return true;
  if (e->kind == IMP_CONV ? !vec_conv(e->prim, e->from) : !vec_op(e->op, e->from)) return false;
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!vec_has(w, e->args[i])) return false;
  return true;
}

static void vec_exp(Writer *w, const ImpExp *e, int part);

static void vec_args(Writer *w, const ImpExp *e, int part) {
  text_putc(w->out, '(');
  for (int i = 0; i < 3 && e->args[i]; i++) {
    if (i) text_puts(w->out, ", ");
    vec_exp(w, e->args[i], part);
  }
  text_putc(w->out, ')');
}

// Plain C means the same: an operator, with less work for the C compiler than a function.
static const char *vec_infix(const ImpExp *e) {
  bool real = e->from == PRIM_F64 || e->from == PRIM_F32;
  const char *infix = op_info[e->op].infix;
  if (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL || e->op == OP_DIV)
    return real ? infix : NULL;
  if (e->op == OP_AND || e->op == OP_OR || e->op == OP_XOR) return infix;
  return NULL;
}

// A comparison of numbers as wide as truth values.
static bool vec_compares(const ImpExp *e) {
  bool wide = e->from == PRIM_F64 || e->from == PRIM_I64;
  return wide && (e->op == OP_EQ || e->op == OP_NE || e->op == OP_LT || e->op == OP_LE);
}

static void vec_operator(Writer *w, const ImpExp *e, const char *infix, int part) {
  text_putc(w->out, '(');
  for (int i = 0; i < 2; i++) {
    if (i) text_printf(w->out, " %s ", infix);
    if (e->from == PRIM_F64 && c_is_uniform(w, e->args[i])) c_exp(w->out, w->fn, e->args[i]);
    else vec_exp(w, e->args[i], part);
  }
  text_putc(w->out, ')');
}

static void vec_conversion(Writer *w, const ImpExp *e, int part) {
  if (e->from == PRIM_BOOL) {
    const char *p = pname(e->prim);
    text_printf(w->out, "dz_sel_%s(", p);
    vec_exp(w, e->args[0], part);
    text_printf(w->out, ", dz_splat_%s(1), dz_splat_%s(0))", p, p);
  } else if (e->prim == PRIM_U64 || e->from == PRIM_U64) {
    text_printf(w->out, "((DzV%s)", pname(e->prim));
    vec_exp(w, e->args[0], part);
    text_putc(w->out, ')');
  } else {
    text_puts(w->out, "__builtin_convertvector(");
    vec_exp(w, e->args[0], part);
    text_printf(w->out, ", DzV%s)", pname(e->prim));
  }
}

static void vec_exp(Writer *w, const ImpExp *e, int part) {
  const ImpExp *slope;
  LaneClass cls = c_lane_class(w, e, &slope);
  if (cls == LANE_UNIFORM) {
    text_printf(w->out, "dz_splat_%s(", pname(e->prim));
    c_exp(w->out, w->fn, e);
    text_putc(w->out, ')');
  } else if (cls == LANE_AFFINE) {
    text_puts(w->out, "dz_lanes(");
    c_exp(w->out, w->fn, e);
    text_printf(w->out, " + %d * DZ_W * ", part);
    c_exp(w->out, w->fn, slope);
    text_puts(w->out, ", ");
    c_exp(w->out, w->fn, slope);
    text_putc(w->out, ')');
  } else if (e->kind == IMP_VAR) {
    c_var(w->out, w->fn, e->var);
    text_printf(w->out, "v%d", part);
  } else if (e->kind == IMP_CONV) {
    vec_conversion(w, e, part);
  } else if (e->op == OP_SELECT) {
    text_printf(w->out, "dz_sel_%s", pname(e->from));
    vec_args(w, e, part);
  } else if (vec_infix(e)) {
    vec_operator(w, e, vec_infix(e), part);
  } else if (vec_compares(e)) {
    text_puts(w->out, "((DzVbool)");
    vec_operator(w, e, op_info[e->op].infix, part);
    text_putc(w->out, ')');
  } else {
    text_printf(w->out, "dz_v%s_%s", op_info[e->op].name, pname(e->from));
    vec_args(w, e, part);
  }
}

// ---- loops over the lanes ---------------------------------------------------------------------
// Inside, each variable that differs between lanes is a scalar of its usual name.
typedef struct {
  Writer *w;
  LIST(ImpVar) vars;
} Leaves;

static void find_leaf(void *state, ImpVar v) {
  Leaves *l = state;
  if (imp_lane(l->w->lanes, v)->cls == LANE_UNIFORM) return;
  for (int i = 0; i < l->vars.len; i++)
    if (l->vars.at[i].id == v.id) return;
  list_push(l->w->prog->arena, &l->vars, v);
}

// Their values in arrays, before the loop.
static void leaf_array(Writer *w, ImpVar v, int id) {
  c_line(w);
  if (imp_lane(w->lanes, v)->cls == LANE_AFFINE) {
    text_printf(w->out, "const int64_t t%d_%u = ", id, v.id);
    c_var(w->out, w->fn, v);
    text_puts(w->out, ";\n");
    return;
  }
  const char *p = pname(info(w, v)->prim);
  text_printf(w->out, "%s t%d_%u[%d * DZ_W];", c_type(info(w, v)->prim), id, v.id, w->parts);
  for (int k = 0; k < w->parts; k++) {
    text_printf(w->out, " dz_st_%s(t%d_%u + %d * DZ_W, ", p, id, v.id, k);
    c_var(w->out, w->fn, v);
    text_printf(w->out, "v%d);", k);
  }
  if (w->part && !w->mask)
    text_printf(w->out, " if (dz_unlikely(part%d)) dz_repeat_%s(t%d_%u, live%d, %d * DZ_W);",
                w->part, p, id, v.id, w->part, w->parts);
  text_putc(w->out, '\n');
}
static void leaf_scalar(Writer *w, ImpVar v, int id) {
  c_line(w);
  text_printf(w->out, "const %s ", c_type(info(w, v)->prim));
  c_var(w->out, w->fn, v);
  if (imp_lane(w->lanes, v)->cls == LANE_AFFINE) {
    text_printf(w->out, " = t%d_%u + ", id, v.id);
    if (w->part) text_printf(w->out, "(l < live%d ? l : 0) * ", w->part);
    else text_puts(w->out, "l * ");
    c_exp(w->out, w->fn, imp_lane(w->lanes, v)->slope);
    text_puts(w->out, ";\n");
  } else text_printf(w->out, " = t%d_%u[l];\n", id, v.id);
}

// Opens { arrays; for l { scalars; [if (mask)] and leaves the statement to the caller.  `all`:
// inactive lanes take part and do what the first one does; only values may result from it.
// simd: as vector code where the C compiler can.  Where text is little beside the rest
// (Writer.near) what is done for all lanes that are there is written out.
void c_lanes_open(Writer *w, int n, const ImpExp *const *exps, bool all, bool simd) {
  Leaves leaves = {w, {0}};
  int id = ++w->names;
  for (int i = 0; i < n; i++) imp_each_var(exps[i], find_leaf, &leaves);
  for (int i = 0; i < leaves.vars.len; i++) leaf_array(w, leaves.vars.at[i], id);
  if (w->mask) {
    c_line(w);
    text_printf(w->out, "bool t%d_m[%d * DZ_W];", id, w->parts);
    for (int k = 0; k < w->parts; k++)
      text_printf(w->out, " dz_st_bool(t%d_m + %d * DZ_W, m%dv%d);", id, k, w->mask, k);
    text_putc(w->out, '\n');
  }
  if (simd && !w->mask) text_puts(w->out, "DZ_SIMD\n");
  if (w->near && !all && !w->mask) text_puts(w->out, "#pragma GCC unroll 16\n");
  c_line(w);
  text_printf(w->out, "for (int64_t l = 0; l < %d * DZ_W", w->parts);
  if (w->part && !all) text_printf(w->out, " && l < live%d", w->part);
  text_puts(w->out, "; l++) {\n");
  w->indent += 2;
  for (int i = 0; i < leaves.vars.len; i++) leaf_scalar(w, leaves.vars.at[i], id);
  c_line(w);
  if (w->mask) text_printf(w->out, "if (t%d_m[l]) ", id);
}
void c_lanes_close(Writer *w) {
  c_close(w);
}

// One element in lane code.
void c_lane_element(Writer *w, ImpVar mem, const ImpExp *at) {
  c_mem(w->out, w->fn, mem);
  text_putc(w->out, '[');
  bool own = imp_lane(w->lanes, mem)->own;
  if (own) text_putc(w->out, '(');
  c_exp(w->out, w->fn, at);
  if (own) text_printf(w->out, ") * (%d * DZ_W) + l", w->parts);
  text_putc(w->out, ']');
}

// An array u<id> with a value per lane, computed by lane code.  Elements of memory are loaded one
// by one: gather instructions are no faster anywhere, and four times slower on processors that
// guard them.  The empty assembly keeps -O3 from using them.
int c_lane_values(Writer *w, Prim p, const ImpExp *e, ImpVar mem) {
  int id = ++w->names;
  c_line(w);
  text_printf(w->out, "%s u%d[%d * DZ_W]%s;\n", c_type(p), id, w->parts, w->mask ? " = {0}" : "");
  c_open(w);
  c_lanes_open(w, 1, &e, true, !mem.id);
  if (mem.id && !w->mask) text_puts(w->out, "__asm__ volatile(\"\");\n");
  text_printf(w->out, "u%d[l] = ", id);
  if (mem.id) c_lane_element(w, mem, e);
  else c_exp(w->out, w->fn, e);
  text_puts(w->out, ";\n");
  c_lanes_close(w);
  c_close(w);
  return id;
}

// The value of e as part k: either vector text, or from the array u<id> (id > 0).
static int run_values(Writer *w, const ImpExp *e);
int c_vec_prepare(Writer *w, const ImpExp *e) {
  if (vec_has(w, e)) return 0;
  return c_is_run(e) ? run_values(w, e) : c_lane_values(w, e->prim, e, (ImpVar){0});
}
void c_vec_value(Writer *w, const ImpExp *e, int id, int part) {
  if (id == 0) vec_exp(w, e, part);
  else text_printf(w->out, "dz_ld_%s(u%d + %d * DZ_W)", pname(e->prim), id, part);
}

// An array u<id> that a function of rts/run.h makes; for lanes after the mask, too.
static int run_values(Writer *w, const ImpExp *e) {
  int from = c_vec_prepare(w, e->args[0]), id = ++w->names;
  const char *p = pname(e->prim);
  c_line(w);
  text_printf(w->out, "%s u%d[%d * DZ_W];", c_type(e->prim), id, w->parts);
  for (int k = 0; k < w->parts; k++) {
    text_printf(w->out, " dz_st_%s(u%d + %d * DZ_W, ", p, id, k);
    c_vec_value(w, e->args[0], from, k);
    text_puts(w->out, ");");
  }
  text_printf(w->out, " dz_%s_run_%s(u%d, %d);\n", op_info[e->op].name, p, id, w->parts);
  return id;
}
