// Statements of strips as C text: a vector of iterations, one a lane, in named variables of GNU
// vector type (rts/vec.h), `parts` of them per value.  A scalar that is affine in the lane keeps
// its scalar name for lane 0.
//
// In a strip that need not be full (Writer.part: live<p> iterations are left, part<p> says that
// they are fewer than lanes, mask <p> which lanes are there) nothing of the other lanes may be
// seen: what they read and write beside the loop's own memory goes through a window, what they add
// up is the operator's identity.
#include <inttypes.h>
#include "local.h"

static const ImpVarInfo *info(const Writer *w, ImpVar v) { return &w->fn->vars.at[v.id]; }
static const char *pname(Prim p) { return prim_info[p].name; }

// ---- statements -------------------------------------------------------------------------------
static void define(Writer *w, ImpVar v, bool constant, int part) {
  c_line(w);
  text_printf(w->out, "%sDzV%s ", constant ? "const " : "", pname(info(w, v)->prim));
  c_var(w->out, w->fn, v);
  text_printf(w->out, "v%d = ", part);
}

static void vec_let(Writer *w, ImpVar v, const ImpExp *e, bool constant) {
  int id = c_vec_prepare(w, e);
  for (int k = 0; k < w->parts; k++) {
    define(w, v, constant, k);
    c_vec_value(w, e, id, k);
    text_puts(w->out, ";\n");
  }
}

// The parts of a value in variables q<id>v0 ..
static int named_values(Writer *w, const ImpExp *e) {
  int u = c_vec_prepare(w, e), id = ++w->names;
  for (int k = 0; k < w->parts; k++) {
    c_line(w);
    text_printf(w->out, "DzV%s q%dv%d = ", pname(e->prim), id, k);
    c_vec_value(w, e, u, k);
    text_puts(w->out, ";\n");
  }
  return id;
}

// Of those, lanes that are not there become `other`, a vector or the name of as many.
static void put_absent(Writer *w, int id, Prim p, const char *other, bool several) {
  if (!w->part || w->mask) return;
  c_line(w);
  text_printf(w->out, "if (dz_unlikely(part%d)) {", w->part);
  for (int k = 0; k < w->parts; k++) {
    text_printf(w->out, " q%dv%d = dz_sel_%s(m%dv%d, q%dv%d, %s", id, k, pname(p), w->part, k, id,
                k, other);
    text_printf(w->out, several ? "v%d);" : ");", k);
  }
  text_puts(w->out, " }\n");
}

// A variable from outside, which the loop reduces.
static void set_reduced(Writer *w, const struct imp_set *s) {
  Text name = {0};
  c_var(&name, w->fn, s->var);
  int id = named_values(w, s->value);
  put_absent(w, id, s->value->prim, name.at, true);
  c_line(w);
  for (int k = 0; k < w->parts; k++) text_printf(w->out, "%sv%d = q%dv%d; ", name.at, k, id, k);
  text_putc(w->out, '\n');
  text_free(&name);
}

static bool is_reduced(const Writer *w, ImpVar v) {
  const ImpVars *reds = &w->lanes->loop->for_.reds;
  for (int i = 0; i < reds->len; i++)
    if (reds->at[i].id == v.id) return true;
  return false;
}

static void vec_set(Writer *w, const struct imp_set *s) {
  if (w->part && is_reduced(w, s->var)) {
    set_reduced(w, s);
    return;
  }
  int id = c_vec_prepare(w, s->value);
  for (int k = 0; k < w->parts; k++) {
    c_line(w);
    c_var(w->out, w->fn, s->var);
    text_printf(w->out, "v%d = ", k);
    if (w->mask) text_printf(w->out, "dz_sel_%s(m%dv%d, ", pname(s->value->prim), w->mask, k);
    c_vec_value(w, s->value, id, k);
    if (w->mask) {
      text_puts(w->out, ", ");
      c_var(w->out, w->fn, s->var);
      text_printf(w->out, "v%d)", k);
    }
    text_puts(w->out, ";\n");
  }
}

// ---- windows ----------------------------------------------------------------------------------
// Where the vectors of mem[at] lie: adjacent, with a stride, or anywhere.
typedef enum { PLACE_UNIT, PLACE_STRIDE, PLACE_SAME, PLACE_ANY } Place;
static Place place_of(Writer *w, ImpVar mem, const ImpExp *at, const ImpExp **slope) {
  LaneClass cls = c_lane_class(w, at, slope);
  if (imp_lane(w->lanes, mem)->own) return cls == LANE_UNIFORM ? PLACE_UNIT : PLACE_ANY;
  if (cls == LANE_UNIFORM) return PLACE_SAME;
  if (cls == LANE_VARYING) return PLACE_ANY;
  return imp_is_int(*slope, 1) ? PLACE_UNIT : PLACE_STRIDE;
}
// Masked code must not touch what its lanes do not: own memory is always there.
static bool plain_access(const Writer *w, ImpVar mem, Place place) {
  return place == PLACE_UNIT ? !w->mask || imp_lane(w->lanes, mem)->own
                             : place == PLACE_STRIDE && !w->mask;
}

// Memory in which the vectors of mem[at] are adjacent: themselves; in a strip that is not full,
// and with a stride, an array that is filled before and written back after.  VIEW_NEAR: no array,
// but lane by lane in line.
typedef enum { VIEW_DIRECT, VIEW_BACK, VIEW_LAST, VIEW_STRIDE, VIEW_NEAR } View;
typedef struct {
  View view;
  ImpVar mem;
  const ImpExp *at, *slope;
  Prim p;
  int id;
} Window;

// Adjacent in the other direction: a reversed vector.
static bool is_back(const Writer *w, Prim p, const ImpExp *slope) {
  return !w->part && p != PRIM_BOOL && imp_is_int(slope, -1);
}

static Window window_of(const Writer *w, ImpVar mem, const ImpExp *at, Place place,
                        const ImpExp *slope) {
  Window win = {.mem = mem, .at = at, .slope = slope, .p = info(w, mem)->prim};
  bool own = imp_lane(w->lanes, mem)->own;
  bool near = w->near && !w->part && !w->mask && win.p != PRIM_BOOL;
  if (place == PLACE_STRIDE && is_back(w, win.p, slope)) win.view = VIEW_BACK;
  else if (place == PLACE_STRIDE)
    win.view = near && slope->kind == IMP_CONST ? VIEW_NEAR : VIEW_STRIDE;
  else win.view = w->part && !own ? VIEW_LAST : VIEW_DIRECT;
  return win;
}

static void put_address(Writer *w, const Window *win, int part) {
  c_mem(w->out, w->fn, win->mem);
  text_puts(w->out, " + ");
  bool own = imp_lane(w->lanes, win->mem)->own;
  if (own) text_putc(w->out, '(');
  c_exp(w->out, w->fn, win->at);
  if (own) text_printf(w->out, ") * (%d * DZ_W)", w->parts);
  if (part) text_printf(w->out, win->view == VIEW_BACK ? " - %d * DZ_W" : " + %d * DZ_W", part);
  if (win->view != VIEW_NEAR) return;
  text_puts(w->out, part ? " * " : ", ");
  c_exp(w->out, w->fn, win->slope);
  if (part) text_puts(w->out, ", ");
  if (part) c_exp(w->out, w->fn, win->slope);
}

// ", stride, live, lanes" as the functions take them that copy between memory and window.
static void put_extent(Writer *w, const Window *win) {
  if (win->view == VIEW_STRIDE) {
    text_puts(w->out, ", ");
    c_exp(w->out, w->fn, win->slope);
  }
  if (w->part) text_printf(w->out, ", live%d", w->part);
  else text_printf(w->out, ", %d * DZ_W", w->parts);
  text_printf(w->out, ", %d * DZ_W);\n", w->parts);
}

static void window_open(Writer *w, Window *win, bool read) {
  if (win->view != VIEW_LAST && win->view != VIEW_STRIDE) return;
  win->id = ++w->names;
  const char *type = c_type(win->p);
  c_line(w);
  text_printf(w->out, "%s u%d[%d * DZ_W]", type, win->id, w->parts);
  if (win->view == VIEW_LAST) {
    text_printf(w->out, "; %s%s *w%d = ", read ? "const " : "", type, win->id);
    put_address(w, win, 0);
    text_printf(w->out, "; if (dz_unlikely(part%d)) w%d = u%d", w->part, win->id, win->id);
  }
  text_puts(w->out, ";\n");
}

static void window_read(Writer *w, const Window *win) {
  if (win->view != VIEW_LAST && win->view != VIEW_STRIDE) return;
  c_line(w);
  if (win->view == VIEW_LAST) text_printf(w->out, "if (dz_unlikely(part%d)) ", w->part);
  text_printf(w->out, "dz_%s_%s(u%d, ", win->view == VIEW_LAST ? "ldl" : "lds", pname(win->p),
              win->id);
  put_address(w, win, 0);
  put_extent(w, win);
}

static void window_write(Writer *w, const Window *win) {
  if (win->view != VIEW_LAST && win->view != VIEW_STRIDE) return;
  c_line(w);
  if (win->view == VIEW_LAST) text_printf(w->out, "if (dz_unlikely(part%d)) ", w->part);
  text_printf(w->out, "dz_%s_%s(", win->view == VIEW_LAST ? "stl" : "sts", pname(win->p));
  put_address(w, win, 0);
  text_printf(w->out, ", u%d", win->id);
  put_extent(w, win);
}

static void put_place(Writer *w, const Window *win, int part) {
  if (win->view != VIEW_LAST && win->view != VIEW_STRIDE) put_address(w, win, part);
  else {
    text_printf(w->out, "%c%d", win->view == VIEW_LAST ? 'w' : 'u', win->id);
    if (part) text_printf(w->out, " + %d * DZ_W", part);
  }
}
static const char *way_of(const Window *win) {
  return win->view == VIEW_BACK ? "r" : win->view == VIEW_NEAR ? "n" : "";
}
static void put_load(Writer *w, const Window *win, int part) {
  text_printf(w->out, "dz_ld%s_%s(", way_of(win), pname(win->p));
  put_place(w, win, part);
  text_putc(w->out, ')');
}
static void put_store(Writer *w, const Window *win, int part) {
  c_line(w);
  text_printf(w->out, "dz_st%s_%s(", way_of(win), pname(win->p));
  put_place(w, win, part);
  text_puts(w->out, ", ");
}

// ---- loads and stores -------------------------------------------------------------------------
static void vec_load(Writer *w, const struct imp_load *s) {
  if (c_row_load(w, s)) return;
  const ImpExp *slope;
  Place place = place_of(w, s->mem, s->at, &slope);
  bool plain = plain_access(w, s->mem, place);
  Window win = {0};
  int id = 0;
  if (plain) {
    win = window_of(w, s->mem, s->at, place, slope);
    window_open(w, &win, true);
    window_read(w, &win);
  } else id = c_lane_values(w, info(w, s->mem)->prim, s->at, s->mem);
  for (int k = 0; k < w->parts; k++) {
    define(w, s->var, true, k);
    if (plain) put_load(w, &win, k);
    else text_printf(w->out, "dz_ld_%s(u%d + %d * DZ_W)", pname(info(w, s->mem)->prim), id, k);
    text_puts(w->out, ";\n");
  }
}

static void store_lanes(Writer *w, const struct imp_store *s) {
  const ImpExp *both[2] = {s->at, s->value};
  c_line(w);
  text_puts(w->out, "{\n");
  c_lanes_open(w, 2, both, false, false);
  c_lane_element(w, s->mem, s->at);
  text_puts(w->out, " = ");
  c_exp(w->out, w->fn, s->value);
  text_puts(w->out, ";\n");
  c_lanes_close(w);
  c_line(w);
  text_puts(w->out, "}\n");
}

// A call takes the registers, and gcc -O1 keeps vectors that must survive one in memory all their
// life, in loops before it, too.  So stores in sequence fill all their windows, then write them.
static void write_late(Writer *w, const Window *win) {
  Text *out = w->out;
  w->out = &w->late;
  window_write(w, win);
  w->out = out;
}

void c_vec_flush(Writer *w) {
  if (w->late.len == 0) return;
  text_write(w->out, w->late.at, w->late.len);
  text_free(&w->late);
}

static void vec_store(Writer *w, const struct imp_store *s) {
  const ImpExp *slope;
  Place place = place_of(w, s->mem, s->at, &slope);
  if (!plain_access(w, s->mem, place)) {
    c_vec_flush(w);
    store_lanes(w, s);
    return;
  }
  int id = c_vec_prepare(w, s->value);
  Window win = window_of(w, s->mem, s->at, place, slope);
  if (win.view != VIEW_STRIDE) c_vec_flush(w);
  window_open(w, &win, false);
  for (int k = 0; k < w->parts; k++) {
    put_store(w, &win, k);
    if (w->mask) text_printf(w->out, "dz_sel_%s(m%dv%d, ", pname(win.p), w->mask, k);
    c_vec_value(w, s->value, id, k);
    if (w->mask) {
      text_puts(w->out, ", ");
      put_load(w, &win, k);
      text_putc(w->out, ')');
    }
    text_puts(w->out, ");\n");
  }
  write_late(w, &win);
}

// ---- updates and reductions -------------------------------------------------------------------
void c_identity(Text *out, Op op, Prim p) { c_scalar(out, op_identity(op, p)); }

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
void c_fold(Writer *w, Op op, Prim p, const char *name) {
  text_printf(w->out, "dz_fold_%s_%s(", op_info[op].name, pname(p));
  put_parts(w, op, p, name, 0, w->parts);
  text_putc(w->out, ')');
}

// The value's parts in variables q<id>v0 .., lanes outside the mask hold the identity, and those
// that are not there where they are `summed`.
static int update_values(Writer *w, const struct imp_update *s, Prim p, bool summed) {
  int u = c_vec_prepare(w, s->value), id = ++w->names;
  Text identity = {0};
  text_printf(&identity, "dz_splat_%s(", pname(p));
  c_identity(&identity, (Op)s->op, p);
  text_putc(&identity, ')');
  for (int k = 0; k < w->parts; k++) {
    c_line(w);
    text_printf(w->out, "DzV%s q%dv%d = ", pname(p), id, k);
    if (w->mask) text_printf(w->out, "dz_sel_%s(m%dv%d, ", pname(p), w->mask, k);
    c_vec_value(w, s->value, u, k);
    if (w->mask) text_printf(w->out, ", %s)", identity.at);
    text_puts(w->out, ";\n");
  }
  if (summed) put_absent(w, id, p, identity.at, false);
  text_free(&identity);
  return id;
}

static void update_same(Writer *w, const struct imp_update *s, Prim p) {
  char name[32];
  snprintf(name, sizeof name, "q%d", update_values(w, s, p, true));
  c_line(w);
  if (c_logs(w, s->mem)) {
    c_log_call(w, s->mem);
    c_exp(w->out, w->fn, s->at);
    text_puts(w->out, ", ");
    c_fold(w, (Op)s->op, p, name);
    text_puts(w->out, ");\n");
    return;
  }
  text_puts(w->out, "{ ");
  text_printf(w->out, "%s *const t = ", c_type(p));
  c_mem(w->out, w->fn, s->mem);
  text_puts(w->out, " + ");
  c_exp(w->out, w->fn, s->at);
  text_printf(w->out, "; *t = dz_%s_%s(*t, ", op_info[s->op].name, pname(p));
  c_fold(w, (Op)s->op, p, name);
  text_puts(w->out, "); }\n");
}

// Written down lane by lane: the values are those that vector code would add.
static void log_vector(Writer *w, const struct imp_update *s, Prim p) {
  int id = update_values(w, s, p, false);
  c_line(w);
  text_printf(w->out, "%s q%d[%d * DZ_W];\n", c_type(p), id, w->parts);
  for (int k = 0; k < w->parts; k++) {
    c_line(w);
    text_printf(w->out, "dz_st_%s(q%d + %d * DZ_W, q%dv%d);\n", pname(p), id, k, id, k);
  }
  c_lanes_open(w, 1, &s->at, false, false);
  c_log_call(w, s->mem);
  c_exp(w->out, w->fn, s->at);
  text_printf(w->out, ", q%d[l]);\n", id);
  c_lanes_close(w);
}

static void vec_update(Writer *w, const struct imp_update *s) {
  const ImpExp *slope, *both[2] = {s->at, s->value};
  Prim p = info(w, s->mem)->prim;
  Place place = place_of(w, s->mem, s->at, &slope);
  if (place == PLACE_SAME) {
    update_same(w, s, p);
    return;
  }
  c_open(w);
  const bool plain = plain_access(w, s->mem, place);
  if (c_logs(w, s->mem) && plain) {
    log_vector(w, s, p);
  } else if (c_logs(w, s->mem)) {
    c_lanes_open(w, 2, both, false, false);
    c_log_call(w, s->mem);
    c_exp(w->out, w->fn, s->at);
    text_puts(w->out, ", ");
    c_exp(w->out, w->fn, s->value);
    text_puts(w->out, ");\n");
    c_lanes_close(w);
  } else if (plain) {
    int id = update_values(w, s, p, false);
    Window win = window_of(w, s->mem, s->at, place, slope);
    window_open(w, &win, false);
    window_read(w, &win);
    for (int k = 0; k < w->parts; k++) {
      put_store(w, &win, k);
      text_printf(w->out, "dz_v%s_%s(", op_info[s->op].name, pname(p));
      put_load(w, &win, k);
      text_printf(w->out, ", q%dv%d));\n", id, k);
    }
    window_write(w, &win);
  } else {
    c_lanes_open(w, 2, both, false, false);
    c_lane_element(w, s->mem, s->at);
    text_printf(w->out, " = dz_%s_%s(", op_info[s->op].name, pname(p));
    c_lane_element(w, s->mem, s->at);
    text_puts(w->out, ", ");
    c_exp(w->out, w->fn, s->value);
    text_puts(w->out, ");\n");
    c_lanes_close(w);
  }
  c_close(w);
}

// ---- scans ------------------------------------------------------------------------------------
static void scan_identity(Text *out, Op op, Prim p) {
  text_printf(out, "dz_splat_%s(", pname(p));
  if (op == OP_ADD && prim_is_float(p)) text_puts(out, "-0.0");  // -0.0 + x is x
  else c_identity(out, op, p);
  text_putc(out, ')');
}

// Along the lanes: prefixes of each part, then the value carried in (in all lanes of acc's v0)
// comes to each.
static void scan_along(Writer *w, const struct imp_scan *s, Prim p) {
  const char *op = op_info[s->op].name;
  Text acc = {0}, identity = {0};
  c_var(&acc, w->fn, s->acc);
  scan_identity(&identity, (Op)s->op, p);
  int id = named_values(w, s->value);
  put_absent(w, id, p, identity.at, false);
  for (int k = 0; k < w->parts; k++) {
    c_line(w);
    text_printf(w->out, "q%dv%d = dz_prefix_%s_%s(q%dv%d, %s);\n", id, k, op, pname(p), id, k,
                identity.at);
  }
  for (int k = 0; k < w->parts; k++) {
    define(w, s->var, true, k);
    text_printf(w->out, "dz_v%s_%s(%sv0, q%dv%d); ", op, pname(p), acc.at, id, k);
    text_printf(w->out, "%sv0 = dz_v%s_%s(%sv0, dz_last_%s(q%dv%d));\n", acc.at, op, pname(p),
                acc.at, pname(p), id, k);
  }
  text_free(&acc), text_free(&identity);
}

// Of each lane's own, or along the lanes.
static void vec_scan(Writer *w, const struct imp_scan *s) {
  Prim p = info(w, s->var)->prim;
  if (imp_lane(w->lanes, s->acc)->cls != LANE_VARYING) {
    scan_along(w, s, p);
    return;
  }
  int u = c_vec_prepare(w, s->value);
  Text acc = {0}, var = {0};
  c_var(&acc, w->fn, s->acc), c_var(&var, w->fn, s->var);
  for (int k = 0; k < w->parts; k++) {
    define(w, s->var, true, k);
    text_printf(w->out, "dz_v%s_%s(%sv%d, ", op_info[s->op].name, pname(p), acc.at, k);
    c_vec_value(w, s->value, u, k);
    text_printf(w->out, "); %sv%d = %sv%d;\n", acc.at, k, var.at, k);
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
  c_open(w);
  int id = c_vec_prepare(w, s->cond), yes = ++w->names, no = ++w->names;
  int outer = w->mask ? w->mask : w->part;
  for (int k = 0; k < w->parts; k++) {
    c_line(w);
    text_printf(w->out, "const DzVbool m%dv%d = ", yes, k);
    if (outer) text_printf(w->out, "m%dv%d & ", outer, k);
    c_vec_value(w, s->cond, id, k);
    text_printf(w->out, ", m%dv%d = ", no, k);
    if (outer) text_printf(w->out, "m%dv%d & ", outer, k);
    text_printf(w->out, "~m%dv%d;\n", yes, k);
  }
  vec_masked(w, yes, s->then);
  vec_masked(w, no, s->other);
  c_close(w);
}

static void vec_check(Writer *w, const struct imp_test *s) {
  c_line(w);
  if (c_is_uniform(w, s->cond)) {  // only what it would say differs
    text_puts(w->out, "if (dz_unlikely(!(");
    c_exp(w->out, w->fn, s->cond);
    text_printf(w->out, "))) goto scalar_%d;\n", w->label);
    w->label_used = true;
    return;
  }
  text_puts(w->out, "{\n");
  int id = c_vec_prepare(w, s->cond);
  c_line(w);
  text_puts(w->out, "  if (dz_unlikely(dz_any(~(");
  for (int k = 0; k < w->parts; k++) {
    if (k) text_puts(w->out, " & ");
    c_vec_value(w, s->cond, id, k);
  }
  text_printf(w->out, ")))) goto scalar_%d;\n", w->label);
  c_line(w);
  text_puts(w->out, "}\n");
  w->label_used = true;
}

static bool varies(const Writer *w, ImpVar v) {
  return imp_lane(w->lanes, v)->cls == LANE_VARYING;
}

static bool keeps_late(const ImpStm *stm) {
  return stm->form == IMP_STM_STORE || stm->form == IMP_STM_LET || stm->form == IMP_STM_SET;
}

bool c_vec_stm(Writer *w, const ImpStm *stm) {
  if (!keeps_late(stm)) c_vec_flush(w);
  switch (stm->form) {
  case IMP_STM_LET:
    if (!varies(w, stm->let.var)) return false;
    vec_let(w, stm->let.var, stm->let.value, true);
    return true;
  case IMP_STM_VAR:
    if (!varies(w, stm->var.var)) return false;
    vec_let(w, stm->var.var, stm->var.value, false);
    return true;
  case IMP_STM_SET:
    if (!varies(w, stm->set.var)) return false;
    vec_set(w, &stm->set);
    return true;
  case IMP_STM_LOAD:
    if (!varies(w, stm->load.var)) return false;
    vec_load(w, &stm->load);
    return true;
  case IMP_STM_SCAN:
    if (!varies(w, stm->scan.var)) return false;
    vec_scan(w, &stm->scan);
    return true;
  case IMP_STM_STORE: vec_store(w, &stm->store); return true;
  case IMP_STM_UPDATE: vec_update(w, &stm->update); return true;
  case IMP_STM_IF:
    if (c_is_uniform(w, stm->if_.cond)) return false;
    vec_if(w, &stm->if_);
    return true;
  case IMP_STM_TEST:
    if (!c_check_differs(w, &stm->test)) return false;
    vec_check(w, &stm->test);
    return true;
  case IMP_STM_FOR:
  case IMP_STM_SWAP:
  case IMP_STM_WHILE:
  case IMP_STM_MEMORY_LEFT:
  case IMP_STM_MEMORY_NEED:
  case IMP_STM_CHUNKS:
  case IMP_STM_SHARE:
  case IMP_STM_KERNEL:
  case IMP_STM_PART:
  case IMP_STM_TRANSFER:
  case IMP_STM_REGION:
  case IMP_STM_TUNED:
  case IMP_STM_TRACE:
  case IMP_STM_PROBE:
  case IMP_STM_PROBE_LOOP:
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
