// Loops inside strips that walk along rows, mem[base + j] with a base that is affine in the lane:
// one value of each lane's row in every iteration.  Some steps of the rows are read at once and
// transposed into an array, where the lanes of a step are adjacent (dz_ldt of rts/vec.h):
//
//   for (f = 0; f < n; f += STEPS) {
//     dz_ldt(a, mem + base + f, ..);
//     for (j = f; j < f + STEPS && j < n; j++) { x = a[j - f]; .. }
//   }
//
// gcc -O1 keeps a vector that is alive across a call in memory all its life.  So what the inner
// loop carries is in memory of another name during the call.
//
// Reading ahead is right where all iterations read and none of them writes there.
#include "local.h"

enum { STEPS = 16, MOST_ROWS = 8 };

typedef struct {
  const struct imp_load *load;
  const ImpExp *slope;
} Row;

typedef struct {
  Writer *w;
  const struct imp_for_ *loop;
  Uses uses;  // of the body
  Map *written;  // memory
  bool refused;
  LIST(Row) rows;
  LIST(ImpVar) carried;  // vectors from outside that the body sets
} RowLoop;

// Where c_row_load finds the values of a load.
typedef struct {
  const struct imp_for_ *loop;
  int array, from;  // numbers of names
} RowArray;

static Arena *arena_of(const RowLoop *r) { return r->w->prog->arena; }
static const ImpVarInfo *info(const Writer *w, ImpVar v) { return &w->fn->vars.at[v.id]; }
static const char *pname(Prim p) { return prim_info[p].name; }

// ---- which ------------------------------------------------------------------------------------
static bool is_inside(const RowLoop *r, ImpVar v) {
  const Use *use = map_get(r->uses.at, v.id);
  return use && use->inside;
}

static void add_carried(RowLoop *r, ImpVar v) {
  bool known = is_inside(r, v) || imp_lane(r->w->lanes, v)->cls != LANE_VARYING;
  for (int i = 0; i < r->carried.len; i++) known = known || r->carried.at[i].id == v.id;
  if (!known) list_push(arena_of(r), &r->carried, v);
}

static void look_at_block(void *state, ImpBlock *block) {
  RowLoop *r = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    ImpForm form = stm->form;
    ImpVar to = form == IMP_STM_STORE ? stm->store.mem :
                form == IMP_STM_UPDATE ? stm->update.mem : (ImpVar){0};
    bool plain = form == IMP_STM_LET || form == IMP_STM_LOAD || form == IMP_STM_VAR ||
                 form == IMP_STM_SET || form == IMP_STM_FOR || form == IMP_STM_IF;
    if (to.id) map_put(r->written, to.id, r);
    if (!plain && !to.id) r->refused = true;
    if (form == IMP_STM_SET) add_carried(r, stm->set.var);
    imp_each_block(stm, look_at_block, r);
  }
}

static void known_before(void *state, ImpVar v) {
  RowLoop *r = state;
  if (v.id != r->loop->var.id && is_inside(r, v)) r->refused = true;
}

static bool walks(RowLoop *r, const struct imp_load *load, const ImpExp **slope) {
  Writer *w = r->w;
  bool vector = imp_lane(w->lanes, load->var)->cls == LANE_VARYING &&
                !imp_lane(w->lanes, load->mem)->own && info(w, load->mem)->prim != PRIM_BOOL;
  if (!vector || c_lane_class(w, load->at, slope) != LANE_AFFINE) return false;
  if (imp_is_int(*slope, 1) || imp_is_int(*slope, -1) || map_get(r->written, load->mem.id))
    return false;
  const ImpExp *step = imp_exp_stride(w->slopes, load->at, r->loop);
  if (!step || !imp_is_int(step, 1)) return false;
  r->refused = false;
  imp_each_var(load->at, known_before, r);
  imp_each_var(*slope, known_before, r);
  return !r->refused;
}

static void find_rows(RowLoop *r) {
  const ImpBlock *body = r->loop->body;
  look_at_block(r, r->loop->body);
  if (r->refused) return;
  for (int i = 0; i < body->len && r->rows.len < MOST_ROWS; i++) {
    Row row = {.load = &body->at[i]->load};
    if (body->at[i]->form == IMP_STM_LOAD && walks(r, row.load, &row.slope))
      list_push(arena_of(r), &r->rows, row);
  }
}

// ---- their text -------------------------------------------------------------------------------
static void put_counter(const RowLoop *r) { c_var(r->w->out, r->w->fn, r->loop->var); }

static void open_arrays(RowLoop *r, int from) {
  Writer *w = r->w;
  for (int i = 0; i < r->rows.len; i++) {
    RowArray *at = NEW(arena_of(r), RowArray);
    *at = (RowArray){r->loop, ++w->names, from};
    map_put(w->rows, KEY(r->rows.at[i].load), at);
    c_line(w);
    text_printf(w->out, "%s u%d[%d * %d * DZ_W];\n", c_type(info(w, r->rows.at[i].load->mem)->prim),
                at->array, STEPS, w->parts);
  }
}

// DzVf64 s<id>v0 = a; as what the loop carries is called outside, or the reverse.
static void put_moves(RowLoop *r, int id, const char *before, bool out) {
  Writer *w = r->w;
  for (int i = 0; i < r->carried.len; i++)
    for (int k = 0; k < w->parts; k++) {
      Text inner = {0}, outer = {0};
      c_var(&inner, w->fn, r->carried.at[i]);
      text_printf(&inner, "v%d", k);
      text_printf(&outer, "s%d_%u_%d", id, r->carried.at[i].id, k);
      c_line(w);
      if (*before) text_printf(w->out, "%s%s ", before, pname(info(w, r->carried.at[i])->prim));
      text_printf(w->out, "%s = %s;\n", out ? outer.at : inner.at, out ? inner.at : outer.at);
      text_free(&inner), text_free(&outer);
    }
}

// Keeps them in memory.
static void put_barriers(RowLoop *r, int id) {
  Writer *w = r->w;
  for (int i = 0; i < r->carried.len; i++) {
    c_line(w);
    for (int k = 0; k < w->parts; k++)
      text_printf(w->out, "__asm__(\"\" : \"+m\"(s%d_%u_%d)); ", id, r->carried.at[i].id, k);
    text_putc(w->out, '\n');
  }
}

// The loop's counter has its name here, as addresses read it.
static void put_reads(RowLoop *r, int from) {
  Writer *w = r->w;
  c_open(w);
  c_line(w);
  text_puts(w->out, "const int64_t ");
  put_counter(r);
  text_printf(w->out, " = f%d;\n", from);
  for (int i = 0; i < r->rows.len; i++) {
    const Row *row = &r->rows.at[i];
    const RowArray *at = map_get(w->rows, KEY(row->load));
    c_line(w);
    text_printf(w->out, "dz_ldt_%s(u%d, ", pname(info(w, row->load->mem)->prim), at->array);
    c_mem(w->out, w->fn, row->load->mem);
    text_puts(w->out, " + ");
    c_exp(w->out, w->fn, row->load->at);
    text_puts(w->out, ", ");
    c_exp(w->out, w->fn, row->slope);
    if (w->part) text_printf(w->out, ", live%d", w->part);
    else text_printf(w->out, ", %d * DZ_W", w->parts);
    text_printf(w->out, ", %d * DZ_W, g%d - f%d);\n", w->parts, from, from);
  }
  c_close(w);
}

static void put_steps(RowLoop *r, int from) {
  Writer *w = r->w;
  c_line(w);
  text_puts(w->out, "for (int64_t ");
  put_counter(r);
  text_printf(w->out, " = f%d; ", from);
  put_counter(r);
  text_printf(w->out, " < g%d; ", from);
  put_counter(r);
  text_puts(w->out, "++) {\n");
  w->indent += 2;
  c_stop_test(w, r->loop);
  c_block(w, r->loop->body);
  c_close(w);
}

static void put_rounds(RowLoop *r, int from) {
  Writer *w = r->w;
  c_line(w);
  text_printf(w->out, "for (int64_t f%d = 0; f%d < ", from, from);
  c_exp(w->out, w->fn, r->loop->bound);
  text_printf(w->out, "; f%d += %d) {\n", from, STEPS);
  w->indent += 2;
  c_line(w);
  text_printf(w->out, "int64_t g%d = f%d + %d;\n", from, from, STEPS);
  c_line(w);
  text_printf(w->out, "if (g%d > ", from);
  c_exp(w->out, w->fn, r->loop->bound);
  text_printf(w->out, ") g%d = ", from);
  c_exp(w->out, w->fn, r->loop->bound);
  text_puts(w->out, ";\n");
  put_reads(r, from);
  put_barriers(r, from);
  put_moves(r, from, "DzV", false);
  put_steps(r, from);
  put_moves(r, from, "", true);
  c_close(w);
}

static bool is_short(const ImpExp *bound) {
  return bound->kind == IMP_CONST && bound->value.i < 4;
}

bool c_row_loop(Writer *w, const struct imp_for_ *s) {
  if (!w->lanes || w->mask || is_short(s->bound)) return false;
  RowLoop r = {.w = w, .loop = s, .written = map_new(w->prog->arena)};
  r.uses = c_uses(w, s->body);
  find_rows(&r);
  if (r.rows.len == 0) return false;
  if (!w->rows) w->rows = map_new(w->prog->arena);
  const int from = ++w->names;
  c_open(w);
  w->loops++;
  open_arrays(&r, from);
  put_moves(&r, from, "DzV", true);
  put_rounds(&r, from);
  put_moves(&r, from, "", false);
  for (int i = 0; i < r.rows.len; i++) map_put(w->rows, KEY(r.rows.at[i].load), NULL);
  w->loops--;
  c_close(w);
  return true;
}

// ---- lane by lane -----------------------------------------------------------------------------
// A loop that only writes, and along rows only, is a loop over the lanes around vector code along
// the rows: nothing needs to be transposed.
//
//   for l < lanes { base = base_0 + slope l; for j < n { mem[base + j] = .. } }
enum { LONGEST_ROW_BODY = 24 };

static void find_function(void *state, const ImpExp *e) {
  bool *found = state;
  if (e->kind == IMP_OP && op_info[e->op].cost > COST_ROOT) *found = true;
  for (int i = 0; i < 3 && e->args[i]; i++) find_function(state, e->args[i]);
}

typedef enum { ALONG_NO, ALONG_SHARED, ALONG_ROWS } Along;

static Along access_along(const RowLoop *r, ImpVar mem, const ImpExp *at) {
  const ImpExp *slope, *step = imp_exp_stride(r->w->slopes, at, r->loop);
  if (imp_lane(r->w->lanes, mem)->own || !step) return ALONG_NO;
  LaneClass cls = c_lane_class(r->w, at, &slope);
  if (cls == LANE_VARYING || !(imp_is_int(step, 0) || imp_is_int(step, 1))) return ALONG_NO;
  if (cls == LANE_UNIFORM) return ALONG_SHARED;
  return imp_is_int(step, 1) && !imp_is_int(slope, 1) ? ALONG_ROWS : ALONG_NO;
}

static Along stm_along(const RowLoop *r, const ImpStm *stm) {
  bool function = false;
  imp_each_exp(stm, find_function, &function);
  if (function) return ALONG_NO;
  if (stm->form == IMP_STM_LET) return ALONG_SHARED;
  if (stm->form == IMP_STM_LOAD) return access_along(r, stm->load.mem, stm->load.at);
  if (stm->form == IMP_STM_STORE) return access_along(r, stm->store.mem, stm->store.at);
  if (stm->form == IMP_STM_UPDATE) return access_along(r, stm->update.mem, stm->update.at);
  return ALONG_NO;
}

static bool is_along(const RowLoop *r) {
  const ImpBlock *body = r->loop->body;
  bool rows = false;
  if (body->len > LONGEST_ROW_BODY) return false;
  for (int i = 0; i < body->len; i++) {
    Along along = stm_along(r, body->at[i]);
    if (along == ALONG_NO) return false;
    rows = rows || along == ALONG_ROWS;
  }
  return rows;
}

static void put_lanes(RowLoop *r) {
  Writer *w = r->w;
  const ImpLanes *lanes = w->lanes;
  LIST(const ImpExp *) used = {0};
  for (int i = 0; i < r->uses.uses.len; i++) {
    const Use *use = r->uses.uses.at[i];
    bool outer = use->used && !use->inside && use->var.id != r->loop->var.id;
    if (outer) list_push(arena_of(r), &used, imp_var(arena_of(r), w->fn, use->var));
  }
  const bool near = w->near;
  const int part = w->part;
  ImpStm loop = {.form = IMP_STM_FOR, .for_ = *r->loop}, *stms[] = {&loop};
  w->near = false;
  c_lanes_open(w, used.len, used.at, false, false);
  w->lanes = NULL, w->part = 0;
  text_putc(w->out, '\n');
  c_block(w, &(ImpBlock){stms, 1, 1});
  w->lanes = lanes, w->part = part, w->near = near;
  c_lanes_close(w);
}

bool c_row_lanes(Writer *w, const struct imp_for_ *s) {
  if (!w->lanes || w->mask || !s->simd || s->reds.len > 0 || is_short(s->bound)) return false;
  if (c_logs_any(w, s->body)) return false;
  RowLoop r = {.w = w, .loop = s, .uses = c_uses(w, s->body)};
  if (!is_along(&r)) return false;
  c_open(w);
  put_lanes(&r);
  c_close(w);
  return true;
}

bool c_row_load(Writer *w, const struct imp_load *s) {
  const RowArray *at = w->rows ? map_get(w->rows, KEY(s)) : NULL;
  if (!at) return false;
  const char *p = pname(info(w, s->mem)->prim);
  for (int k = 0; k < w->parts; k++) {
    c_line(w);
    text_printf(w->out, "const DzV%s ", p);
    c_var(w->out, w->fn, s->var);
    text_printf(w->out, "v%d = dz_ld_%s(u%d + (", k, p, at->array);
    c_var(w->out, w->fn, at->loop->var);
    text_printf(w->out, " - f%d) * (%d * DZ_W) + %d * DZ_W);\n", at->from, w->parts, k);
  }
  return true;
}
