// Strips as C text: a vector of iterations side by side, in named variables of GNU vector type
// (rts/vec.h), `parts` of them per value; what has no vector text runs as a loop over the lanes
// through small arrays.  The rest of the iterations, and a strip in which a check fails, run as
// scalar code.  A scalar that is affine in the lane keeps its scalar name for lane 0.
#include <inttypes.h>
#include "local.h"

static const ImpVarInfo *info(const Writer *w, ImpVar v) { return &w->fn->vars.at[v.id]; }

static LaneClass class_of(const Writer *w, const ImpExp *e, const ImpExp **slope) {
  return imp_exp_lanes(w->prog->arena, w->lanes, e, slope);
}
static bool is_uniform(const Writer *w, const ImpExp *e) {
  const ImpExp *slope;
  return class_of(w, e, &slope) == LANE_UNIFORM;
}
static const char *pname(Prim p) { return prim_info[p].name; }

// ---- vector expressions -----------------------------------------------------------------------
static bool vec_conv(Prim to, Prim from) {
  if (from == PRIM_BOOL)
    return to == PRIM_F64 || to == PRIM_F32 || to == PRIM_I64 || to == PRIM_I32;
  if (to == PRIM_U64 || from == PRIM_U64) return to == PRIM_I64 || from == PRIM_I64;
  bool ints = from == PRIM_I64 || from == PRIM_I32;
  if (to == PRIM_F64 || to == PRIM_F32) return ints || from == PRIM_F64 || from == PRIM_F32;
  return ints && (to == PRIM_I64 || to == PRIM_I32);
}

static bool vec_op(Op op, Prim p) {
  bool number = p == PRIM_F64 || p == PRIM_F32 || p == PRIM_I64 || p == PRIM_I32;
  bool real = p == PRIM_F64 || p == PRIM_F32,
       bits = p == PRIM_I64 || p == PRIM_I32 || p == PRIM_BOOL;
  if (op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_NEG) return number;
  if (op == OP_DIV) return real;
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
  LaneClass cls = class_of(w, e, &slope);
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
  LaneClass cls = class_of(w, e, &slope);
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
  if (l->w->lanes->cls[v.id] == LANE_UNIFORM) return;
  for (int i = 0; i < l->vars.len; i++)
    if (l->vars.at[i].id == v.id) return;
  list_push(l->w->prog->arena, &l->vars, v);
}

// Their values in arrays, before the loop.
static void leaf_array(Writer *w, ImpVar v, int id) {
  c_line(w);
  if (w->lanes->cls[v.id] == LANE_AFFINE) {
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
  text_putc(w->out, '\n');
}
static void leaf_scalar(Writer *w, ImpVar v, int id) {
  c_line(w);
  text_printf(w->out, "const %s ", c_type(info(w, v)->prim));
  c_var(w->out, w->fn, v);
  if (w->lanes->cls[v.id] == LANE_AFFINE) {
    text_printf(w->out, " = t%d_%u + l * ", id, v.id);
    c_exp(w->out, w->fn, w->lanes->slope[v.id]);
    text_puts(w->out, ";\n");
  } else text_printf(w->out, " = t%d_%u[l];\n", id, v.id);
}

// Opens { arrays; for l { scalars; [if (mask)] and leaves the statement to the caller.
static void lanes_open(Writer *w, int n, const ImpExp *const *exps, bool simd) {
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
  if (simd && !w->mask) text_puts(w->out, "#pragma omp simd\n");
  c_line(w);
  text_printf(w->out, "for (int64_t l = 0; l < %d * DZ_W; l++) {\n", w->parts);
  w->indent += 2;
  for (int i = 0; i < leaves.vars.len; i++) leaf_scalar(w, leaves.vars.at[i], id);
  c_line(w);
  if (w->mask) text_printf(w->out, "if (t%d_m[l]) ", id);
}
static void lanes_close(Writer *w) {
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "}\n");
}

// One element in lane code.
static void lane_element(Writer *w, ImpVar mem, const ImpExp *at) {
  c_mem(w->out, w->fn, mem);
  text_putc(w->out, '[');
  bool own = w->lanes->own[mem.id];
  if (own) text_putc(w->out, '(');
  c_exp(w->out, w->fn, at);
  if (own) text_printf(w->out, ") * (%d * DZ_W) + l", w->parts);
  text_putc(w->out, ']');
}

// An array u<id> with a value per lane, computed by lane code.
static int lane_values(Writer *w, Prim p, const ImpExp *e, ImpVar mem) {
  int id = ++w->names;
  c_line(w);
  text_printf(w->out, "%s u%d[%d * DZ_W]%s;\n", c_type(p), id, w->parts, w->mask ? " = {0}" : "");
  c_line(w);
  text_puts(w->out, "{\n");
  w->indent += 2;
  lanes_open(w, 1, &e, true);
  text_printf(w->out, "u%d[l] = ", id);
  if (mem.id) lane_element(w, mem, e);
  else c_exp(w->out, w->fn, e);
  text_puts(w->out, ";\n");
  lanes_close(w);
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "}\n");
  return id;
}

// The value of e as part k: either vector text, or from the array u<id> (id > 0).
static int run_values(Writer *w, const ImpExp *e);
static int vec_prepare(Writer *w, const ImpExp *e) {
  if (vec_has(w, e)) return 0;
  return c_is_run(e) ? run_values(w, e) : lane_values(w, e->prim, e, (ImpVar){0});
}
static void vec_value(Writer *w, const ImpExp *e, int id, int part) {
  if (id == 0) vec_exp(w, e, part);
  else text_printf(w->out, "dz_ld_%s(u%d + %d * DZ_W)", pname(e->prim), id, part);
}

// An array u<id> that a function of rts/run.h makes; for lanes behind the mask, too.
static int run_values(Writer *w, const ImpExp *e) {
  int from = vec_prepare(w, e->args[0]), id = ++w->names;
  const char *p = pname(e->prim);
  c_line(w);
  text_printf(w->out, "%s u%d[%d * DZ_W];", c_type(e->prim), id, w->parts);
  for (int k = 0; k < w->parts; k++) {
    text_printf(w->out, " dz_st_%s(u%d + %d * DZ_W, ", p, id, k);
    vec_value(w, e->args[0], from, k);
    text_puts(w->out, ");");
  }
  text_printf(w->out, " dz_%s_run_%s(u%d, %d);\n", op_info[e->op].name, p, id, w->parts);
  return id;
}

// ---- statements -------------------------------------------------------------------------------
static void define(Writer *w, ImpVar v, bool constant, int part) {
  c_line(w);
  text_printf(w->out, "%sDzV%s ", constant ? "const " : "", pname(info(w, v)->prim));
  c_var(w->out, w->fn, v);
  text_printf(w->out, "v%d = ", part);
}

static void vec_let(Writer *w, ImpVar v, const ImpExp *e, bool constant) {
  int id = vec_prepare(w, e);
  for (int k = 0; k < w->parts; k++) {
    define(w, v, constant, k);
    vec_value(w, e, id, k);
    text_puts(w->out, ";\n");
  }
}

static void vec_set(Writer *w, const struct imp_set *s) {
  int id = vec_prepare(w, s->value);
  for (int k = 0; k < w->parts; k++) {
    c_line(w);
    c_var(w->out, w->fn, s->var);
    text_printf(w->out, "v%d = ", k);
    if (w->mask) text_printf(w->out, "dz_sel_%s(m%dv%d, ", pname(s->value->prim), w->mask, k);
    vec_value(w, s->value, id, k);
    if (w->mask) {
      text_puts(w->out, ", ");
      c_var(w->out, w->fn, s->var);
      text_printf(w->out, "v%d)", k);
    }
    text_puts(w->out, ";\n");
  }
}

// Where the vectors of mem[at] lie: side by side, with a stride, or anywhere.
typedef enum { PLACE_UNIT, PLACE_STRIDE, PLACE_SAME, PLACE_ANY } Place;
static Place place_of(Writer *w, ImpVar mem, const ImpExp *at, const ImpExp **slope) {
  LaneClass cls = class_of(w, at, slope);
  if (w->lanes->own[mem.id]) return cls == LANE_UNIFORM ? PLACE_UNIT : PLACE_ANY;
  if (cls == LANE_UNIFORM) return PLACE_SAME;
  if (cls == LANE_VARYING) return PLACE_ANY;
  return imp_is_int(*slope, 1) ? PLACE_UNIT : PLACE_STRIDE;
}
// Masked code must not touch what its lanes do not: own memory is always there.
static bool plain_access(const Writer *w, ImpVar mem, Place place) {
  return place == PLACE_UNIT ? !w->mask || w->lanes->own[mem.id]
                             : place == PLACE_STRIDE && !w->mask;
}

// Side by side in the other direction: a vector turned round.
static bool is_back(Prim p, const ImpExp *slope) { return p != PRIM_BOOL && imp_is_int(slope, -1); }

static void put_address(Writer *w, ImpVar mem, const ImpExp *at, const ImpExp *slope, int part) {
  c_mem(w->out, w->fn, mem);
  text_puts(w->out, " + ");
  bool own = w->lanes->own[mem.id];
  if (own) text_putc(w->out, '(');
  c_exp(w->out, w->fn, at);
  if (own) text_printf(w->out, ") * (%d * DZ_W)", w->parts);
  if (part == 0) return;
  text_printf(w->out, " + %d * DZ_W", part);
  if (own || imp_is_int(slope, 1)) return;
  text_puts(w->out, " * ");
  c_exp(w->out, w->fn, slope);
}

static void put_load(Writer *w, ImpVar mem, const ImpExp *at, Place place, const ImpExp *slope,
                     int part) {
  bool back = place == PLACE_STRIDE && is_back(info(w, mem)->prim, slope);
  const char *kind = place == PLACE_UNIT ? "" : back ? "r" : "s";
  text_printf(w->out, "dz_ld%s_%s(", kind, pname(info(w, mem)->prim));
  put_address(w, mem, at, slope, part);
  if (place == PLACE_STRIDE && !back) {
    text_puts(w->out, ", ");
    c_exp(w->out, w->fn, slope);
  }
  text_putc(w->out, ')');
}

static void vec_load(Writer *w, const struct imp_load *s) {
  const ImpExp *slope;
  Place place = place_of(w, s->mem, s->at, &slope);
  Prim p = info(w, s->mem)->prim;
  int id = plain_access(w, s->mem, place) ? 0 : lane_values(w, p, s->at, s->mem);
  for (int k = 0; k < w->parts; k++) {
    define(w, s->var, true, k);
    if (id) text_printf(w->out, "dz_ld_%s(u%d + %d * DZ_W)", pname(p), id, k);
    else put_load(w, s->mem, s->at, place, slope, k);
    text_puts(w->out, ";\n");
  }
}

static void put_store(Writer *w, ImpVar mem, const ImpExp *at, Place place, const ImpExp *slope,
                      int part) {
  c_line(w);
  bool back = place == PLACE_STRIDE && is_back(info(w, mem)->prim, slope);
  const char *kind = place == PLACE_UNIT ? "" : back ? "r" : "s";
  text_printf(w->out, "dz_st%s_%s(", kind, pname(info(w, mem)->prim));
  put_address(w, mem, at, slope, part);
  text_puts(w->out, ", ");
  if (place == PLACE_STRIDE && !back) {
    c_exp(w->out, w->fn, slope);
    text_puts(w->out, ", ");
  }
}

static void vec_store(Writer *w, const struct imp_store *s) {
  const ImpExp *slope, *both[2] = {s->at, s->value};
  Place place = place_of(w, s->mem, s->at, &slope);
  if (!plain_access(w, s->mem, place)) {
    c_line(w);
    text_puts(w->out, "{\n");
    lanes_open(w, 2, both, false);
    lane_element(w, s->mem, s->at);
    text_puts(w->out, " = ");
    c_exp(w->out, w->fn, s->value);
    text_puts(w->out, ";\n");
    lanes_close(w);
    c_line(w);
    text_puts(w->out, "}\n");
    return;
  }
  int id = vec_prepare(w, s->value);
  for (int k = 0; k < w->parts; k++) {
    put_store(w, s->mem, s->at, place, slope, k);
    if (w->mask)
      text_printf(w->out, "dz_sel_%s(m%dv%d, ", pname(info(w, s->mem)->prim), w->mask, k);
    vec_value(w, s->value, id, k);
    if (w->mask) {
      text_puts(w->out, ", ");
      put_load(w, s->mem, s->at, place, slope, k);
      text_putc(w->out, ')');
    }
    text_puts(w->out, ");\n");
  }
}

// ---- updates and reductions -------------------------------------------------------------------
static void put_identity(Writer *w, Op op, Prim p) {
  Scalar s = scalar_number(p, op == OP_MUL ? 1 : 0);
  double inf = __builtin_inf();
  if (op == OP_AND) s = p == PRIM_BOOL ? scalar_bool(true) : scalar_int(p, -1);
  if (op == OP_MIN || op == OP_MAX) {
    bool low = op == OP_MAX;
    if (p == PRIM_BOOL) s = scalar_bool(!low);
    else if (prim_is_float(p)) s = scalar_float(p, low ? -inf : inf);
    else if (p == PRIM_I32) s = scalar_int(p, low ? INT32_MIN : INT32_MAX);
    else s = scalar_int(p, low ? INT64_MIN : INT64_MAX);
  }
  c_scalar(w->out, s);
}

// One vector that combines all parts: ((v0 op v1) op (v2 op v3)).
static void put_parts(Writer *w, Op op, Prim p, const char *name, int from, int n) {
  if (n == 1) {
    text_printf(w->out, "%sv%d", name, from);
    return;
  }
  text_printf(w->out, "dz_v%s_%s(", op_info[op].name, pname(p));
  put_parts(w, op, p, name, from, n / 2);
  text_puts(w->out, ", ");
  put_parts(w, op, p, name, from + n / 2, n - n / 2);
  text_putc(w->out, ')');
}
static void put_fold(Writer *w, Op op, Prim p, const char *name) {
  text_printf(w->out, "dz_fold_%s_%s(", op_info[op].name, pname(p));
  put_parts(w, op, p, name, 0, w->parts);
  text_putc(w->out, ')');
}

// The value's parts in variables q<id>v0 .., lanes outside the mask hold the identity.
static int update_values(Writer *w, const struct imp_update *s, Prim p) {
  int u = vec_prepare(w, s->value), id = ++w->names;
  for (int k = 0; k < w->parts; k++) {
    c_line(w);
    text_printf(w->out, "const DzV%s q%dv%d = ", pname(p), id, k);
    if (w->mask) text_printf(w->out, "dz_sel_%s(m%dv%d, ", pname(p), w->mask, k);
    vec_value(w, s->value, u, k);
    if (w->mask) {
      text_printf(w->out, ", dz_splat_%s(", pname(p));
      put_identity(w, (Op)s->op, p);
      text_puts(w->out, "))");
    }
    text_puts(w->out, ";\n");
  }
  return id;
}

static void update_same(Writer *w, const struct imp_update *s, Prim p) {
  char name[32];
  snprintf(name, sizeof name, "q%d", update_values(w, s, p));
  c_line(w);
  text_puts(w->out, "{ ");
  text_printf(w->out, "%s *const t = ", c_type(p));
  c_mem(w->out, w->fn, s->mem);
  text_puts(w->out, " + ");
  c_exp(w->out, w->fn, s->at);
  text_printf(w->out, "; *t = dz_%s_%s(*t, ", op_info[s->op].name, pname(p));
  put_fold(w, (Op)s->op, p, name);
  text_puts(w->out, "); }\n");
}

static void vec_update(Writer *w, const struct imp_update *s) {
  const ImpExp *slope, *both[2] = {s->at, s->value};
  Prim p = info(w, s->mem)->prim;
  Place place = place_of(w, s->mem, s->at, &slope);
  if (place == PLACE_SAME) {
    update_same(w, s, p);
    return;
  }
  c_line(w);
  text_puts(w->out, "{\n");
  w->indent += 2;
  if (plain_access(w, s->mem, place)) {
    int id = update_values(w, s, p);
    for (int k = 0; k < w->parts; k++) {
      put_store(w, s->mem, s->at, place, slope, k);
      text_printf(w->out, "dz_v%s_%s(", op_info[s->op].name, pname(p));
      put_load(w, s->mem, s->at, place, slope, k);
      text_printf(w->out, ", q%dv%d));\n", id, k);
    }
  } else {
    lanes_open(w, 2, both, false);
    lane_element(w, s->mem, s->at);
    text_printf(w->out, " = dz_%s_%s(", op_info[s->op].name, pname(p));
    lane_element(w, s->mem, s->at);
    text_puts(w->out, ", ");
    c_exp(w->out, w->fn, s->value);
    text_puts(w->out, ");\n");
    lanes_close(w);
  }
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "}\n");
}

// ---- scans ------------------------------------------------------------------------------------
static void scan_identity(Writer *w, Op op, Prim p) {
  text_printf(w->out, "dz_splat_%s(", pname(p));
  if (op == OP_ADD && prim_is_float(p)) text_puts(w->out, "-0.0");  // -0.0 + x is x
  else put_identity(w, op, p);
  text_putc(w->out, ')');
}

// Along the lanes: prefixes of each part, then the value carried in (in all lanes of acc's v0) comes
// to each.  Of each lane's own: part by part.
static void vec_scan(Writer *w, const struct imp_scan *s) {
  Prim p = info(w, s->var)->prim;
  const char *op = op_info[s->op].name;
  bool own = w->lanes->cls[s->acc.id] == LANE_VARYING;
  int u = vec_prepare(w, s->value), id = ++w->names;
  Text acc = {0}, var = {0};
  c_var(&acc, w->fn, s->acc), c_var(&var, w->fn, s->var);
  for (int k = 0; !own && k < w->parts; k++) {
    c_line(w);
    text_printf(w->out, "const DzV%s p%dv%d = dz_prefix_%s_%s(", pname(p), id, k, op, pname(p));
    vec_value(w, s->value, u, k);
    text_puts(w->out, ", ");
    scan_identity(w, (Op)s->op, p);
    text_puts(w->out, ");\n");
  }
  for (int k = 0; k < w->parts; k++) {
    define(w, s->var, true, k);
    text_printf(w->out, "dz_v%s_%s(%sv%d, ", op, pname(p), acc.at, own ? k : 0);
    if (own) vec_value(w, s->value, u, k);
    else text_printf(w->out, "p%dv%d", id, k);
    text_puts(w->out, "); ");
    if (own) text_printf(w->out, "%sv%d = %sv%d;\n", acc.at, k, var.at, k);
    else text_printf(w->out, "%sv0 = dz_v%s_%s(%sv0, dz_last_%s(p%dv%d));\n", acc.at, op, pname(p),
                     acc.at, pname(p), id, k);
  }
  text_free(&acc), text_free(&var);
}

// ---- control ----------------------------------------------------------------------------------
static void vec_masked(Writer *w, int mask, const ImpBlock *block) {
  if (block->len == 0) return;
  int outer = w->mask;
  c_line(w);
  text_puts(w->out, "if (dz_any(");
  for (int k = 0; k < w->parts; k++) text_printf(w->out, "%sm%dv%d", k ? " | " : "", mask, k);
  text_puts(w->out, ")) {\n");
  w->mask = mask;
  w->indent += 2;
  c_block(w, block);
  w->indent -= 2;
  w->mask = outer;
  c_line(w);
  text_puts(w->out, "}\n");
}

static void vec_if(Writer *w, const struct imp_if_ *s) {
  c_line(w);
  text_puts(w->out, "{\n");
  w->indent += 2;
  int id = vec_prepare(w, s->cond), yes = ++w->names, no = ++w->names;
  for (int k = 0; k < w->parts; k++) {
    c_line(w);
    text_printf(w->out, "const DzVbool m%dv%d = ", yes, k);
    if (w->mask) text_printf(w->out, "m%dv%d & ", w->mask, k);
    vec_value(w, s->cond, id, k);
    text_printf(w->out, ", m%dv%d = ", no, k);
    if (w->mask) text_printf(w->out, "m%dv%d & ", w->mask, k);
    text_printf(w->out, "~m%dv%d;\n", yes, k);
  }
  vec_masked(w, yes, s->then);
  vec_masked(w, no, s->other);
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "}\n");
}

static void vec_check(Writer *w, const struct imp_check *s) {
  c_line(w);
  text_puts(w->out, "{\n");
  int id = vec_prepare(w, s->cond);
  c_line(w);
  text_puts(w->out, "  if (dz_unlikely(dz_any(~(");
  for (int k = 0; k < w->parts; k++) {
    if (k) text_puts(w->out, " & ");
    vec_value(w, s->cond, id, k);
  }
  text_printf(w->out, ")))) goto scalar_%d;\n", w->label);
  c_line(w);
  text_puts(w->out, "}\n");
  w->label_used = true;
}

bool c_vec_stm(Writer *w, const ImpStm *stm) {
  const ImpLanes *l = w->lanes;
  switch (stm->form) {
  case IMP_STM_LET:
    if (l->cls[stm->let.var.id] != LANE_VARYING) return false;
    vec_let(w, stm->let.var, stm->let.value, true);
    return true;
  case IMP_STM_VAR:
    if (l->cls[stm->var.var.id] != LANE_VARYING) return false;
    vec_let(w, stm->var.var, stm->var.value, false);
    return true;
  case IMP_STM_SET:
    if (l->cls[stm->set.var.id] != LANE_VARYING) return false;
    vec_set(w, &stm->set);
    return true;
  case IMP_STM_LOAD:
    if (l->cls[stm->load.var.id] != LANE_VARYING) return false;
    vec_load(w, &stm->load);
    return true;
  case IMP_STM_SCAN:
    if (l->cls[stm->scan.var.id] != LANE_VARYING) return false;
    vec_scan(w, &stm->scan);
    return true;
  case IMP_STM_STORE: vec_store(w, &stm->store); return true;
  case IMP_STM_UPDATE: vec_update(w, &stm->update); return true;
  case IMP_STM_IF:
    if (is_uniform(w, stm->if_.cond)) return false;
    vec_if(w, &stm->if_);
    return true;
  case IMP_STM_CHECK:
    if (is_uniform(w, stm->check.cond)) return false;
    vec_check(w, &stm->check);
    return true;
  case IMP_STM_FOR:
  case IMP_STM_SWAP:
  case IMP_STM_WHILE:
  case IMP_STM_ROOM:
  case IMP_STM_TUNED:
  case IMP_STM_TRACE:
  case IMP_STM_CALL:
  case IMP_STM_ALLOC:
  case IMP_STM_FREE:
  case IMP_STM_MOVE:
  case IMP_STM_COPY:
  case IMP_STM_RETURN:
  case IMP_STM_YIELD:
  case IMP_STM_COUNT: break;
  }
  return false;
}

// ---- the loop ---------------------------------------------------------------------------------
static void begin_reds(Writer *w, const struct imp_for_ *s) {
  for (int i = 0; i < s->reds.len; i++)
    for (int k = 0; k < w->parts; k++) {
      define(w, s->reds.at[i], false, k);
      const ImpVarInfo *v = info(w, s->reds.at[i]);
      text_printf(w->out, "dz_splat_%s(", pname(v->prim));
      put_identity(w, v->red_op, v->prim);
      text_puts(w->out, ");\n");
    }
}

static void end_reds(Writer *w, const struct imp_for_ *s) {
  for (int i = 0; i < s->reds.len; i++) {
    const ImpVarInfo *v = info(w, s->reds.at[i]);
    Text name = {0};
    c_var(&name, w->fn, s->reds.at[i]);
    c_line(w);
    text_printf(w->out, "%s = dz_%s_%s(%s, ", name.at, op_info[v->red_op].name, pname(v->prim),
                name.at);
    put_fold(w, v->red_op, v->prim, name.at);
    text_puts(w->out, ");\n");
    text_free(&name);
  }
}

// What the loop's own scans carry, in all lanes.
static void begin_scans(Writer *w, const struct imp_for_ *s) {
  for (int i = 0; i < s->body->len; i++) {
    if (s->body->at[i]->form != IMP_STM_SCAN) continue;
    const struct imp_scan *scan = &s->body->at[i]->scan;
    define(w, scan->acc, false, 0);
    text_printf(w->out, "dz_splat_%s(", pname(info(w, scan->acc)->prim));
    c_var(w->out, w->fn, scan->acc);
    text_puts(w->out, ");\n");
  }
}
static void end_scans(Writer *w, const struct imp_for_ *s) {
  for (int i = 0; i < s->body->len; i++) {
    if (s->body->at[i]->form != IMP_STM_SCAN) continue;
    c_line(w);
    c_var(w->out, w->fn, s->body->at[i]->scan.acc);
    text_puts(w->out, " = ");
    c_var(w->out, w->fn, s->body->at[i]->scan.acc);
    text_puts(w->out, "v0[0];\n");
  }
}

static void put_loop_head(Writer *w, const struct imp_for_ *s, const char *ahead,
                          const char *step) {
  c_line(w);
  text_puts(w->out, "for (; ");
  c_var(w->out, w->fn, s->var);
  text_printf(w->out, "%s ", ahead);
  c_exp(w->out, w->fn, s->bound);
  text_puts(w->out, "; ");
  c_var(w->out, w->fn, s->var);
  text_printf(w->out, "%s) {\n", step);
}

static void put_vector_part(Writer *w, const struct imp_for_ *s, const ImpStm *stm) {
  bool *own = NEW_ARRAY(w->prog->arena, bool, w->fn->vars.len);
  for (int id = 1; id < w->fn->vars.len; id++) own[id] = w->fn->vars.at[id].expanded > 0;
  w->lanes = imp_lanes(w->prog->arena, w->fn, stm, own);
  check(w->lanes != NULL);
  w->parts = (int)s->strip;
  w->label = ++w->names;
  w->label_used = false;
  char ahead[64], step[64];
  snprintf(ahead, sizeof ahead, " + %d * DZ_W <=", w->parts);
  snprintf(step, sizeof step, " += %d * DZ_W", w->parts);
  begin_reds(w, s);
  begin_scans(w, s);
  put_loop_head(w, s, ahead, step);
  w->indent += 2;
  c_block(w, s->body);
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "}\n");
  if (w->label_used) text_printf(w->out, "scalar_%d:;\n", w->label);
  w->lanes = NULL;
  end_reds(w, s);
  end_scans(w, s);
}

void c_vec_text(Writer *w, const struct imp_for_ *s) {
  ImpStm stm = {.form = IMP_STM_FOR};
  stm.for_ = *s;
  c_line(w);
  text_puts(w->out, "{\n");
  w->indent += 2;
  c_line(w);
  text_puts(w->out, "int64_t ");
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, " = 0;\n");
  c_line(w);
  text_printf(w->out, "if (%d * DZ_W <= ", (int)s->strip);
  c_exp(w->out, w->fn, s->bound);
  text_puts(w->out, ") {\n");
  w->indent += 2;
  put_vector_part(w, s, &stm);
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "}\n");
  put_loop_head(w, s, " <", "++");
  w->indent += 2;
  bool far = w->far;
  w->far = true;
  c_block(w, s->body);
  w->far = far;
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "}\n");
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "}\n");
}
