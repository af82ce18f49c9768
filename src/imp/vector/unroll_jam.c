// Unroll and jam: R iterations of a parallel loop run together through the one loop inside it, so
// that what they all load is loaded once and R accumulators hide the latency of one.
//
//   for i < n { s = 0; for k < m { s += a[i,k] * b[k] }; c[i] = s }
//   -->  for q < n / R { s_0 = 0; ..
//          for k < m { x = b[k]; s_0 += a[R q,k] * x; .. } c[R q] = s_0; .. }
//        for i < n mod R { as before, from R * (n / R) }
//
// One copy is computed after the other: the C compiler keeps the order, and with all products
// first it would put them into memory.
// Updates of one place by all R iterations become one update with the sum.
//
// Iterations are independent but for reductions and updates whose order is free, so any
// interleaving is right.  Done inside and around strips, where registers hold vectors, and where
// rows are added up in one: without, each number would be loaded and stored for each row.
#include "imp/common/imp.h"

enum { TILE_ROWS = 4, TILE_VECTORS = 2 };

typedef struct {
  Arena *arena;
  ImpFn *fn;
  int copies;
  const ImpExp **maps[8];  // by copy: variable -> what represents it
  ImpVar *renamed[8];  // by copy: variable -> its name
  int cap;
  struct JamTable *table;
} Jam;

typedef struct {
  int stamp;  // of the nest; another: nothing is known
  bool variant;  // differs between the jammed iterations
  bool written;  // memory: stored to in the nest
  bool defined;  // bound in the nest
  ImpVar feeds;  // the reduction from outside that it is the next value of
} JamMark;
typedef struct JamTable {  // one for all nests of a function
  LIST(JamMark) marks;  // by variable
  int stamp;
} JamTable;

static JamMark *mark_of(const Jam *j, ImpVar v) {
  JamTable *t = j->table;
  while (t->marks.len < j->fn->vars.len) list_push(j->arena, &t->marks, (JamMark){0});
  JamMark *mark = &t->marks.at[v.id];
  if (mark->stamp != t->stamp) *mark = (JamMark){.stamp = t->stamp};
  return mark;
}

// ---- may it be jammed? ------------------------------------------------------------------------
typedef struct {
  Jam *jam;
  bool ok, changed, reuse;
  bool rows;  // one of neighbours is updated by all jammed iterations, in a loop without sums
  int stms, loops, depth;
  const struct imp_for_ *inner;  // innermost loop around
  ImpStrides *slopes;
} JamCheck;

static void any_variant(void *state, ImpVar v) {
  JamCheck *c = state;
  if (mark_of(c->jam, v)->variant) c->changed = true;
}
// Whether e differs between the jammed iterations.
static bool is_variant(JamCheck *c, const ImpExp *e) {
  bool outer = c->changed;
  c->changed = false;
  imp_each_var(e, any_variant, c);
  bool found = c->changed;
  c->changed = outer;
  return found;
}

static void mark(JamCheck *c, ImpVar v) { mark_of(c->jam, v)->variant = true; }

static void check_load(JamCheck *c, const struct imp_load *s) {
  bool variant = is_variant(c, s->at);
  if (mark_of(c->jam, s->mem)->written && !variant) c->ok = false;
  if (variant) mark(c, s->var);
  const ImpExp *slope = c->depth ? imp_exp_stride(c->slopes, s->at, c->inner) : NULL;
  if (!variant && c->depth > 0 && !(slope && imp_is_int(slope, 0))) c->reuse = true;
}

// A reduction from outside: acc = t with t = op(acc, x).  Copy r + 1 continues from copy r's t.
static void check_set(JamCheck *c, const struct imp_set *s) {
  if (mark_of(c->jam, s->var)->defined) return;
  bool named = s->value->kind == IMP_VAR && mark_of(c->jam, s->value->var)->defined &&
               c->jam->fn->vars.at[s->value->var.id].def;
  if (named) mark_of(c->jam, s->value->var)->feeds = s->var;
  else c->ok = false;
}

static void check_update(JamCheck *c, const struct imp_update *s) {
  if (c->depth == 0 || is_variant(c, s->at)) return;
  const ImpExp *slope = imp_exp_stride(c->slopes, s->at, c->inner);
  c->reuse = true;
  c->rows = c->rows || (c->inner->reds.len == 0 && slope && imp_is_int(slope, 1));
}

static void check_block(void *state, ImpBlock *block) {
  JamCheck *c = state;
  for (int i = 0; i < block->len && c->ok; i++) {
    ImpStm *stm = block->at[i];
    c->stms++;
    switch (stm->form) {
    case IMP_STM_LET:
      mark_of(c->jam, stm->let.var)->defined = true;
      if (is_variant(c, stm->let.value)) mark(c, stm->let.var);
      break;
    case IMP_STM_VAR:
      mark_of(c->jam, stm->var.var)->defined = true;
      mark(c, stm->var.var);
      break;
    case IMP_STM_LOAD: check_load(c, &stm->load); break;
    case IMP_STM_FOR: {
      const struct imp_for_ *outer = c->inner;
      c->loops++;
      if (is_variant(c, stm->for_.bound) || c->depth >= 2) c->ok = false;
      c->inner = &stm->for_;
      c->depth++;
      check_block(c, stm->for_.body);
      c->depth--;
      c->inner = outer;
      break;
    }
    case IMP_STM_SET: check_set(c, &stm->set); break;
    case IMP_STM_UPDATE: check_update(c, &stm->update); break;
    case IMP_STM_STORE: break;
    case IMP_STM_SCAN:
    case IMP_STM_WHILE:
    case IMP_STM_IF:
    case IMP_STM_TEST:
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
    case IMP_STM_SWAP:
    case IMP_STM_COPY:
    case IMP_STM_RETURN:
    case IMP_STM_YIELD:
    case IMP_STM_COUNT: c->ok = false;
    }
  }
}

static void find_written(void *state, ImpBlock *block) {
  Jam *j = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_STORE) mark_of(j, stm->store.mem)->written = true;
    if (stm->form == IMP_STM_UPDATE) mark_of(j, stm->update.mem)->written = true;
    if (stm->form == IMP_STM_SET) mark_of(j, stm->set.var)->variant = true;
    imp_each_block(stm, find_written, j);
  }
}

// One chain of loops inside, with a load or an updated place that all jammed iterations share.
// Without strips: with rows of updated places, each of which is loaded and stored once then.
static bool may_jam(Jam *j, ImpStrides *slopes, const ImpStm *loop, bool strips) {
  j->table->stamp++;
  find_written(j, loop->for_.body);
  JamCheck c = {.jam = j, .ok = true, .slopes = slopes};
  mark_of(j, loop->for_.var)->variant = true;
  check_block(&c, loop->for_.body);
  bool loops = c.loops >= 1 && c.loops <= (strips ? 2 : 1);
  return c.ok && (strips ? c.reuse : c.rows) && c.stms <= 40 && loops;
}

// ---- copies -----------------------------------------------------------------------------------
static void push(Jam *j, ImpBlock *block, ImpStm stm) {
  list_push(j->arena, block, (ImpStm *)arena_copy(j->arena, &stm, sizeof stm));
}
static const ImpExp *subst(Jam *j, const ImpExp *e, int r) {
  return imp_exp_subst(j->arena, e, j->maps[r]);
}
static ImpVar copy_var(Jam *j, ImpVar v, int r) {
  ImpVar fresh = {(uint32_t)j->fn->vars.len};
  check((int)fresh.id < j->cap);
  list_push(j->arena, &j->fn->vars, j->fn->vars.at[v.id]);
  j->renamed[r][v.id] = fresh;
  j->maps[r][v.id] = imp_var(j->arena, j->fn, fresh);
  ImpVarInfo *info = &j->fn->vars.at[fresh.id];
  if (info->def) info->def = subst(j, info->def, r);
  if (info->bound) info->bound = subst(j, info->bound, r);
  return fresh;
}
static ImpVar copy_name(const Jam *j, ImpVar v, int r) {
  return j->renamed[r][v.id].id ? j->renamed[r][v.id] : v;
}

// The statement (not a loop) as copy r has it.
static ImpStm copy_stm(Jam *j, const ImpStm *stm, int r) {
  ImpStm copy = *stm;
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++) {
    void *at = (char *)&copy + d->offset;
    if (d->kind == IMP_FIELD_EXP) *(const ImpExp **)at = subst(j, *(const ImpExp **)at, r);
    if (d->kind == IMP_FIELD_USE) *(ImpVar *)at = copy_name(j, *(ImpVar *)at, r);
    if (d->kind == IMP_FIELD_DEF) *(ImpVar *)at = copy_var(j, *(ImpVar *)at, r);
  }
  return copy;
}

static bool differs(const Jam *j, const ImpStm *stm) {
  if (stm->form == IMP_STM_LET) return mark_of(j, stm->let.var)->variant;
  if (stm->form == IMP_STM_LOAD) return mark_of(j, stm->load.var)->variant;
  return true;
}

static void jam_block(Jam *j, const ImpBlock *block, ImpBlock *out);

// ---- tiles ------------------------------------------------------------------------------------
typedef struct {
  const ImpFn *fn;
  bool loop, expanded;
} Tile;

static void look_at_mem(void *state, ImpVar mem) {
  Tile *t = state;
  t->expanded = t->expanded || t->fn->vars.at[mem.id].expanded > 0;
}

static void look_at_block(void *state, ImpBlock *block) {
  Tile *t = state;
  for (int i = 0; i < block->len; i++) {
    t->loop = t->loop || block->at[i]->form == IMP_STM_FOR;
    imp_each_mem(block->at[i], look_at_mem, t);
    imp_each_block(block->at[i], look_at_block, t);
  }
}

// Vectors of a strip of which an iteration does several copies: two, if it has a loop inside.  With
// four copies that makes eight accumulators.  Eight hide the latency of an addition, and leave
// eight of 16 registers for the addends.  Reductions keep their order, blocks their size.
static int tile_width(const Jam *j, const struct imp_for_ *strip) {
  int vectors = (int)strip->outer_vec;
  if (vectors <= TILE_VECTORS || j->copies < TILE_ROWS || strip->reds.len > 0) return vectors;
  Tile t = {.fn = j->fn};
  look_at_block(&t, strip->body);
  return t.loop && !t.expanded ? TILE_VECTORS : vectors;
}

static void jam_for(Jam *j, const struct imp_for_ *s, ImpBlock *out) {
  struct imp_for_ copy = *s;
  copy.bound = subst(j, s->bound, 0);
  copy.var = copy_var(j, s->var, 0);
  for (int r = 1; r < j->copies; r++) {
    j->renamed[r][s->var.id] = copy.var;
    j->maps[r][s->var.id] = j->maps[0][s->var.id];
  }
  copy.outer_vec = tile_width(j, s);
  copy.reds = (ImpVars){0};
  for (int i = 0; i < s->reds.len; i++)
    for (int r = 0; r < j->copies; r++) {
      ImpVar red = copy_name(j, s->reds.at[i], r);
      if (r > 0 && red.id == s->reds.at[i].id) break;  // from outside: one for all copies
      list_push(j->arena, &copy.reds, red);
    }
  copy.body = NEW(j->arena, ImpBlock);
  jam_block(j, s->body, copy.body);
  push(j, out, (ImpStm){.form = IMP_STM_FOR, .for_ = copy});
}

// Updates of one place by all copies are one update.
static bool jam_update(Jam *j, const struct imp_update *s, ImpBlock *out) {
  Prim p = j->fn->vars.at[s->mem.id].prim;
  struct imp_update sum = *s;
  sum.at = subst(j, s->at, 0);
  sum.value = subst(j, s->value, 0);
  for (int r = 1; r < j->copies; r++) {
    if (!imp_exp_same(subst(j, s->at, r), sum.at)) return false;
    sum.value = imp_op(j->arena, (Op)s->op, p, sum.value, subst(j, s->value, r), NULL);
  }
  push(j, out, (ImpStm){.form = IMP_STM_UPDATE, .update = sum});
  return true;
}

// The statement as copies from `from` on have it, or as copy 0 has it for all.
static void share(Jam *j, const ImpStm *stm, int from) {
  ImpVar *def = imp_stm_def((ImpStm *)(uintptr_t)stm);
  for (int r = from; def && r < j->copies; r++) {
    j->renamed[r][def->id] = j->renamed[0][def->id];
    j->maps[r][def->id] = j->maps[0][def->id];
  }
}

static void jam_one(Jam *j, const ImpStm *stm, int r, ImpBlock *out) {
  bool outer = stm->form == IMP_STM_SET && !mark_of(j, stm->set.var)->defined;
  if (outer && r < j->copies - 1) return;
  ImpVar fed = stm->form == IMP_STM_LET ? mark_of(j, stm->let.var)->feeds : (ImpVar){0};
  if (fed.id && r > 0) j->maps[r][fed.id] = j->maps[r - 1][stm->let.var.id];
  push(j, out, copy_stm(j, stm, r));
  if (fed.id) j->maps[r][fed.id] = NULL;
}

static void jam_same(Jam *j, const ImpStm *stm, ImpBlock *out) {
  jam_one(j, stm, 0, out);
  share(j, stm, 1);
}

static void jam_each(Jam *j, const ImpStm *stm, ImpBlock *out) {
  if (differs(j, stm))
    for (int r = 0; r < j->copies; r++) jam_one(j, stm, r, out);
  else jam_same(j, stm, out);
}

static bool is_single(const ImpStm *stm) {
  return stm->form != IMP_STM_FOR && stm->form != IMP_STM_UPDATE;
}

static bool has_loop(const ImpBlock *block) {
  for (int i = 0; i < block->len; i++)
    if (block->at[i]->form == IMP_STM_FOR) return true;
  return false;
}

// Statements from..to of an innermost loop: what all copies share, then copy after copy, so that
// no more is live than one copy needs.
static void jam_run(Jam *j, const ImpBlock *block, int from, int to, ImpBlock *out) {
  for (int i = from; i < to; i++)
    if (!differs(j, block->at[i])) jam_same(j, block->at[i], out);
  for (int r = 0; r < j->copies; r++)
    for (int i = from; i < to; i++)
      if (differs(j, block->at[i])) jam_one(j, block->at[i], r, out);
}

static void jam_block(Jam *j, const ImpBlock *block, ImpBlock *out) {
  bool inner = !has_loop(block);
  for (int i = 0; i < block->len;) {
    const ImpStm *stm = block->at[i];
    int end = i;
    while (inner && end < block->len && is_single(block->at[end])) end++;
    jam_run(j, block, i, end, out);
    if (end > i) i = end;
    else if (stm->form == IMP_STM_FOR) jam_for(j, &block->at[i++]->for_, out);
    else if (stm->form != IMP_STM_UPDATE || !jam_update(j, &stm->update, out))
      jam_each(j, block->at[i++], out);
    else i++;
  }
}

static ImpVar let(Jam *j, ImpBlock *out, const char *base, const ImpExp *e) {
  ImpVar v = {(uint32_t)j->fn->vars.len};
  check((int)v.id < j->cap);
  list_push(j->arena, &j->fn->vars,
            (ImpVarInfo){.base = base, .kind = IMP_LET, .prim = PRIM_I64, .def = e});
  push(j, out, (ImpStm){.form = IMP_STM_LET, .let = {v, e}});
  return v;
}
static const ImpExp *exp_of(Jam *j, ImpVar v) { return imp_var(j->arena, j->fn, v); }

static void jam_tables(Jam *j) {
  j->cap = j->fn->vars.len * (j->copies + 2) + 256;
  for (int r = 0; r < j->copies; r++) {
    j->maps[r] = NEW_ARRAY(j->arena, const ImpExp *, j->cap);
    j->renamed[r] = NEW_ARRAY(j->arena, ImpVar, j->cap);
  }
}

static ImpVar counter(Jam *j, const char *base, const ImpExp *bound) {
  ImpVar v = {(uint32_t)j->fn->vars.len};
  list_push(j->arena, &j->fn->vars,
            (ImpVarInfo){.base = base, .kind = IMP_LET, .prim = PRIM_I64, .bound = bound});
  return v;
}

// The two loops that replace `loop`, appended to out.
static void jam_loop(Jam *j, const ImpStm *loop, ImpBlock *out) {
  const struct imp_for_ *s = &loop->for_;
  jam_tables(j);
  const ImpExp *r_exp = imp_i64(j->arena, j->copies);
  const ImpExp *rounds = imp_op(j->arena, OP_QUOT, PRIM_I64, s->bound, r_exp, NULL);
  rounds = exp_of(j, let(j, out, "rounds", rounds));
  ImpVar q = counter(j, "q", rounds);
  ImpBlock *body = NEW(j->arena, ImpBlock);
  const ImpExp *first = imp_mul(j->arena, exp_of(j, q), r_exp);
  for (int r = 0; r < j->copies; r++) {
    ImpVar i = let(j, body, "i", imp_add(j->arena, first, imp_i64(j->arena, r)));
    j->maps[r][s->var.id] = exp_of(j, i);
  }
  jam_block(j, s->body, body);
  push(j, out,
       (ImpStm){
           .form = IMP_STM_FOR,
           .for_ = {
               .var = q, .bound = rounds, .parallel = s->parallel, .reds = s->reds, .body = body}});
  Jam rest = {.arena = j->arena,
              .fn = j->fn,
              .copies = 1,
              .table = j->table};
  jam_tables(&rest);
  const ImpExp *base = exp_of(j, let(&rest, out, "base", imp_mul(j->arena, rounds, r_exp)));
  const ImpExp *left = exp_of(j, let(&rest, out, "left", imp_sub(j->arena, s->bound, base)));
  ImpVar t = counter(j, "t", left);
  body = NEW(j->arena, ImpBlock);
  rest.maps[0][s->var.id] = exp_of(j, let(&rest, body, "i", imp_add(j->arena, base, exp_of(j, t))));
  jam_block(&rest, s->body, body);
  push(j, out,
       (ImpStm){
           .form = IMP_STM_FOR,
           .for_ = {
               .var = t, .bound = left, .parallel = s->parallel, .reds = s->reds, .body = body}});
}

// ---- where ------------------------------------------------------------------------------------
typedef struct {
  Arena *arena;
  ImpFn *fn;
  ImpStrides *slopes;
  JamTable table;
  int parts;  // of the strip around, 0: none
  int jammed;
} JamWalk;

static int outer_vec_inside(const ImpBlock *block) {
  for (int i = 0; i < block->len; i++)
    if (block->at[i]->form == IMP_STM_FOR && block->at[i]->for_.outer_vec)
      return (int)block->at[i]->for_.outer_vec;
  return 0;
}

static void jam_walk(void *state, ImpBlock *block) {
  JamWalk *w = state;
  ImpBlock out = {0};
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    bool jammed = false;
    if (stm->form == IMP_STM_FOR && stm->for_.parallel && !stm->for_.outer_vec && w->jammed < 8) {
      int parts = w->parts ? w->parts : outer_vec_inside(stm->for_.body);
      bool small = stm->for_.bound->kind == IMP_CONST && stm->for_.bound->value.i < 4;
      Jam j = {.arena = w->arena,
               .fn = w->fn,
               .copies = w->parts && parts == 4 ? 2 : TILE_ROWS,
               .table = &w->table};
      jammed = !small && may_jam(&j, w->slopes, stm, parts > 0);
      if (jammed) {
        jam_loop(&j, stm, &out);
        imp_strides_forget(w->slopes);
        w->jammed++;
      }
    }
    if (!jammed) {
      int outer = w->parts;
      if (stm->form == IMP_STM_FOR && stm->for_.outer_vec) w->parts = (int)stm->for_.outer_vec;
      if (stm->form != IMP_STM_KERNEL) imp_each_block(stm, jam_walk, w);
      w->parts = outer;
      list_push(w->arena, &out, stm);
    }
  }
  *block = out;
}

void imp_pass_jam(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  ImpStrides slopes = {.arena = arena, .fn = fn};
  JamWalk w = {.arena = arena, .fn = fn, .slopes = &slopes};
  jam_walk(&w, fn->body);
}
