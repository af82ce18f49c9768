// Choosing the loops that run as strips: a vector of iterations of a parallel loop, in SIMD lanes
// through everything inside it, inner loops included.  This is what makes `map over points of
// (matrix-vector, reductions, small loops)` fast: short inner dimensions stay scalar loops, lanes
// run over the long outer one, and loads shared by all points are broadcast.
//
// The choice is by a simple cost: statements weigh 8 per loop around them; a strip divides the cost
// of arithmetic and unit-stride accesses by the lanes, strided ones stay as they are.  Where the
// inner loops would be better off as strips of their own if they are long, and the run says how
// long they are, the loop is there twice, and a test in front.
#include "imp/common/imp.h"

// ---- blocks of one iteration ------------------------------------------------------------------
// Blocks that a loop allocates, directly or in inner loops; those that the pass hoist-allocs has
// moved out of it included (ImpVarInfo.home).
typedef struct {
  int begin, end;
} Allocs;

typedef struct {
  ImpVars allocs;  // as they stand in the function
  Map *own;  // parallel loop -> Allocs of allocs: those inside it
  bool *large;  // by memory: elements are a product of unknown sizes
} Privatised;

typedef struct {
  Privatised *result;
  Arena *arena;
  const ImpFn *fn;
  Map *home;  // loop counter -> ImpVars: the blocks moved out of its loop
} Collect;

// A copy per lane of such an array may not fit the caches.  The count of an allocation that was
// moved out of a loop is a choice between it and 0.
static bool is_large(const ImpFn *fn, const ImpExp *count) {
  while (count->kind == IMP_OP && count->op == OP_SELECT) count = count->args[1];
  if (count->kind == IMP_VAR && fn->vars.at[count->var.id].def)
    count = fn->vars.at[count->var.id].def;
  return count->kind == IMP_OP && count->op == OP_MUL && count->args[0]->kind != IMP_CONST
         && count->args[1]->kind != IMP_CONST;
}

static void collect_moved(Collect *c, const struct imp_for_ *loop) {
  const ImpVars *moved = map_get(c->home, loop->var.id);
  for (int i = 0; moved && i < moved->len; i++)
    list_push(c->arena, &c->result->allocs, moved->at[i]);
}

static void collect_block(void *state, ImpBlock *block) {
  Collect *c = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    ImpVars *allocs = &c->result->allocs;
    if (stm->form == IMP_STM_ALLOC) {
      c->result->large[stm->alloc.mem.id] = is_large(c->fn, stm->alloc.count);
      if (!c->fn->vars.at[stm->alloc.mem.id].home.id) list_push(c->arena, allocs, stm->alloc.mem);
    }
    int begin = allocs->len;
    if (stm->form == IMP_STM_FOR) collect_moved(c, &stm->for_);
    imp_each_block(stm, collect_block, c);
    if (stm->form == IMP_STM_FOR && stm->for_.parallel)
      map_put(c->result->own, KEY(stm),
              arena_copy(c->arena, &(Allocs){begin, allocs->len}, sizeof(Allocs)));
  }
}

static Map *homes_find(Arena *arena, const ImpFn *fn) {
  Map *home = map_new(arena);
  for (int id = 1; id < fn->vars.len; id++) {
    uint32_t loop = fn->vars.at[id].home.id;
    if (!loop) continue;
    ImpVars *moved = map_get(home, loop);
    if (!moved) map_put(home, loop, moved = NEW(arena, ImpVars));
    list_push(arena, moved, ((ImpVar){(uint32_t)id}));
  }
  return home;
}

static Privatised *privatised_find(Arena *arena, ImpFn *fn) {
  Privatised *p = NEW(arena, Privatised);
  p->own = map_new(arena);
  p->large = NEW_ARRAY(arena, bool, fn->vars.len + 1);
  Collect c = {p, arena, fn, homes_find(arena, fn)};
  collect_block(&c, fn->body);
  return p;
}

static ImpVars own_allocs(const Privatised *p, const ImpStm *loop) {
  const Allocs *own = map_get(p->own, KEY(loop));
  return own ? (ImpVars){p->allocs.at + own->begin, own->end - own->begin, 0} : (ImpVars){0};
}

// ---- rows read with a stride again and again --------------------------------------------------
// mem[base + j], j counting to a bound known outside, base affine in the lane: copied once per
// strip into a buffer with adjacent lanes.
typedef struct {
  ImpVar mem, base, j;
  const ImpExp *bound;
  ImpVar buffer;
  bool put;  // filled by the stores of the strip
} Row;
typedef LIST(Row) Rows;

// The one place where a strip stores to a row, mem[base + j] for all j, in a loop directly in it.
typedef struct {
  int stores, others;  // statements of the strip that write to the memory
  int at;              // position of the loop in the strip
  const ImpStm *stm;
  Row row;
} Put;

typedef struct {
  Arena *arena;
  ImpFn *fn;
  const Target *target;
  const Privatised *privatised;
  const ImpLanes *lanes;  // of the strip being checked or made
  ImpStm *loop;
  ImpVars own;  // memory of which each lane has its own
  Map *puts;  // memory -> Put, where the strip writes
  int at;  // position in the strip
  Rows rows;
  int depth;  // of loops inside the strip
  int masked;  // of branches inside it that some lanes take
  const struct imp_for_ *inner;  // innermost loop, NULL: the strip itself
  ImpStrides *slopes;
  int stms;
  bool slight;  // loops around other loops do most of the work, and nothing is summed
  double strided;  // cost of an access with a stride between lanes
  const ImpExp *longer;  // where this holds, the loops inside run as strips instead; NULL: never
} OuterVec;

static Put *put_find(const OuterVec *s, ImpVar mem) { return map_get(s->puts, mem.id); }

static Put *put_at(OuterVec *s, ImpVar mem) {
  Put *put = put_find(s, mem);
  if (put) return put;
  put = NEW(s->arena, Put);
  map_put(s->puts, mem.id, put);
  return put;
}

static bool outside_only(const OuterVec *s, const ImpExp *e) {
  if (e->kind == IMP_VAR) return !imp_lane(s->lanes, e->var)->inside;
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!outside_only(s, e->args[i])) return false;
  return true;
}

// mem[at] as an element of a row.
static bool is_row(const OuterVec *s, ImpVar mem, const ImpExp *at, Row *row) {
  if (at->kind != IMP_OP || at->op != OP_ADD || at->from != PRIM_I64) return false;
  for (int k = 0; k < 2; k++) {
    const ImpExp *base = at->args[k], *j = at->args[1 - k];
    if (base->kind != IMP_VAR || j->kind != IMP_VAR) continue;
    const ImpLane *row_base = imp_lane(s->lanes, base->var);
    const ImpExp *bound = s->fn->vars.at[j->var.id].bound;
    if (row_base->cls != LANE_AFFINE || imp_is_int(row_base->slope, 1) || !row_base->top) continue;
    bool counter = imp_lane(s->lanes, j->var)->cls == LANE_UNIFORM && bound;
    if (!counter || !outside_only(s, bound)) continue;
    *row = (Row){.mem = mem, .base = base->var, .j = j->var, .bound = bound};
    return true;
  }
  return false;
}

// The load's memory is read only, or was stored in an earlier loop of the strip.
static bool row_of(const OuterVec *s, const struct imp_load *load, Row *row) {
  if (!is_row(s, load->mem, load->at, row)) return false;
  const Put *put = put_find(s, load->mem);
  if (!put) return true;
  row->put = put->stm && put->at < s->at && put->row.base.id == row->base.id &&
             imp_exp_same(put->row.bound, row->bound);
  return row->put;
}

static bool is_strided(const OuterVec *s, const struct imp_load *load) {
  const ImpExp *slope;
  if (imp_lane(s->lanes, load->mem)->own) return false;
  LaneClass cls = imp_exp_lanes(s->arena, s->lanes, load->at, &slope);
  return cls == LANE_AFFINE && !imp_is_int(slope, 1);
}

// ---- cost -------------------------------------------------------------------------------------
// Of an operation, by iteration: of the two vectors of a part; and once for a part's iterations.
static double lane(const Target *t) { return 0.5 / t->lanes; }
static double shared(const Target *t) { return 0.125 / t->lanes; }

// The innermost loop walks memory element by element, or stays.
static bool walks_far(const OuterVec *s, const ImpExp *at) {
  if (!s->inner) return false;
  const ImpExp *slope = imp_exp_stride(s->slopes, at, s->inner);
  return !slope || !(imp_is_int(slope, 0) || imp_is_int(slope, 1) || imp_is_int(slope, -1));
}

// Where only some lanes get, others' memory is touched lane by lane, after a look at the mask.
// Lanes with a stride are loaded and stored one by one; the more so where the loop inside walks as
// far instead of along what the lanes have in the cache.
static double access_cost(const OuterVec *s, ImpVar mem, const ImpExp *at) {
  bool own = imp_lane(s->lanes, mem)->own;
  if (s->masked && !own) return 3;
  const ImpExp *slope;
  LaneClass cls = imp_exp_lanes(s->arena, s->lanes, at, &slope);
  if (own && s->privatised->large[mem.id]) return 1;
  if (own) return cls == LANE_UNIFORM ? lane(s->target) : 1.2;
  if (cls == LANE_UNIFORM) return walks_far(s, at) ? 0.4 : shared(s->target);
  if (cls == LANE_VARYING) return 2;
  if (imp_is_int(slope, 1)) return lane(s->target);
  return walks_far(s, at) ? 2 * s->strided : s->strided;
}

// A scan is a chain of additions that each wait for the last; along the lanes, of a few per vector.
static double scalar_stm(const ImpStm *stm) {
  if (stm->form == IMP_STM_SCAN) return 5;
  if (stm->form == IMP_STM_LET) return imp_exp_work(stm->let.value).lanes;
  return stm->form == IMP_STM_COPY ? 4 : 1;
}

// An update is a load and a store.
static double update_cost(const OuterVec *s, const struct imp_update *u) {
  double access = access_cost(s, u->mem, u->at);
  if (access == s->strided) access = 1.6;
  return 0.3 + access;
}

static double outer_vec_stm(OuterVec *s, const ImpStm *stm, double weight) {
  Row row;
  const ImpExp *slope;
  if (stm->form == IMP_STM_LET) {
    LaneClass cls = imp_exp_lanes(s->arena, s->lanes, stm->let.value, &slope);
    double each = cls == LANE_VARYING ? lane(s->target) : shared(s->target);
    return imp_exp_work(stm->let.value).lanes * each * weight;
  }
  if (stm->form == IMP_STM_LOAD) {
    bool copied = s->depth >= 2 && is_strided(s, &stm->load) && row_of(s, &stm->load, &row);
    return (copied ? lane(s->target) : access_cost(s, stm->load.mem, stm->load.at)) * weight;
  }
  if (stm->form == IMP_STM_SCAN) return (s->depth ? lane(s->target) : 1) * weight;
  if (stm->form == IMP_STM_STORE) return access_cost(s, stm->store.mem, stm->store.at) * weight;
  if (stm->form == IMP_STM_UPDATE) return update_cost(s, &stm->update) * weight;
  return (stm->form == IMP_STM_COPY ? 8 : lane(s->target)) * weight;
}

static bool is_varying(const OuterVec *s, const ImpExp *e) {
  const ImpExp *slope;
  return imp_exp_lanes(s->arena, s->lanes, e, &slope) != LANE_UNIFORM;
}

enum { TRIPS = 8, MANY = 64 };  // of a loop inside; of one that is long

// The iterations of a loop, as costs go: what is usual, or `many`, or fewer where it has no more.
static double trips_of(const ImpStm *stm, double usual) {
  bool fewer = stm->form == IMP_STM_FOR && stm->for_.bound->kind == IMP_CONST && usual > TRIPS;
  if (!fewer) return usual;
  double bound = (double)stm->for_.bound->value.i;
  return bound < 1 ? 1 : bound < usual ? bound : usual;
}

typedef struct {
  OuterVec *s;
  double weight, cost, trips;
} OuterVecCost;
static void outer_vec_cost(void *state, ImpBlock *block) {
  OuterVecCost *c = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (block == c->s->loop->for_.body) c->s->at = i;
    c->s->stms++;
    c->cost += outer_vec_stm(c->s, stm, c->weight);
    bool loop = stm->form == IMP_STM_FOR;
    const struct imp_for_ *inner = c->s->inner;
    bool masks = stm->form == IMP_STM_IF && is_varying(c->s, stm->if_.cond);
    double trips = trips_of(stm, c->trips);
    if (loop) c->weight *= trips, c->s->depth++, c->s->inner = &stm->for_;
    if (masks) c->s->masked++;
    imp_each_block(stm, outer_vec_cost, c);
    if (loop) c->weight /= trips, c->s->depth--, c->s->inner = inner;
    if (masks) c->s->masked--;
  }
}

// ---- what a body holds ------------------------------------------------------------------------
static void find_writes(void *state, ImpBlock *block) {
  OuterVec *s = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_STORE) put_at(s, stm->store.mem)->stores++;
    ImpVar other = stm->form == IMP_STM_UPDATE ? stm->update.mem :
                   stm->form == IMP_STM_COPY ? stm->copy.to : (ImpVar){0};
    if (other.id) put_at(s, other)->others++;
    imp_each_block(stm, find_writes, s);
  }
}

static void find_puts(OuterVec *s) {
  const ImpBlock *body = s->loop->for_.body;
  for (int i = 0; i < body->len; i++) {
    if (body->at[i]->form != IMP_STM_FOR) continue;
    const struct imp_for_ *loop = &body->at[i]->for_;
    for (int k = 0; k < loop->body->len; k++) {
      const ImpStm *stm = loop->body->at[k];
      if (stm->form != IMP_STM_STORE) continue;
      Put *put = put_at(s, stm->store.mem);
      bool row = put->stores == 1 && put->others == 0 && !imp_lane(s->lanes, stm->store.mem)->own &&
                 is_row(s, stm->store.mem, stm->store.at, &put->row);
      if (!row || put->row.j.id != loop->var.id) continue;
      put->stm = stm;
      put->at = i;
    }
  }
}

static bool has_loop(const ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_FOR || stm->form == IMP_STM_TEST || stm->form == IMP_STM_COPY)
      return true;
    if (stm->form == IMP_STM_IF && (has_loop(stm->if_.then) || has_loop(stm->if_.other)))
      return true;
  }
  return false;
}

static bool has_scan(const ImpBlock *block) {
  for (int i = 0; i < block->len; i++)
    if (block->at[i]->form == IMP_STM_SCAN) return true;
  return false;
}

// Updates and writes of places anywhere, and updates of one place, which no C compiler's vector
// loop makes; `apart`: where lanes do some of them one by one.
typedef struct {
  ImpStrides *slopes;
  const struct imp_for_ *loop;
  bool any, strided_lanes, sums;
} Updates;
static void find_updates(void *state, ImpBlock *block) {
  Updates *u = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    bool update = stm->form == IMP_STM_UPDATE;
    const ImpExp *at = update ? stm->update.at : stm->form == IMP_STM_STORE ? stm->store.at : NULL;
    const ImpExp *slope = at ? imp_exp_stride(u->slopes, at, u->loop) : NULL;
    bool same = slope && imp_is_int(slope, 0);
    u->any = u->any || update || (at && !slope);
    u->sums = u->sums || (update && same);
    u->strided_lanes = u->strided_lanes || (at && !same && !(slope && imp_is_int(slope, 1)));
    imp_each_block(stm, find_updates, u);
  }
}

// Sine and cosine of large arguments are calls in a branch, which leaves the C compiler no
// vectors.
static bool has_trig(const ImpExp *e) {
  if (e->kind == IMP_OP && op_info[e->op].vector == VECTOR_BRANCH) return true;
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (has_trig(e->args[i])) return true;
  return false;
}

static bool computes_trig(const ImpBlock *block) {
  for (int i = 0; i < block->len; i++)
    if (block->at[i]->form == IMP_STM_LET && has_trig(block->at[i]->let.value)) return true;
  return false;
}

// A body that is left to the C compiler's vectors, or too short for lanes that update one by one.
enum { LONG = 100 };
static bool is_straight(ImpStrides *slopes, const struct imp_for_ *loop) {
  if (has_loop(loop->body) || has_scan(loop->body) || loop->reds.len > 0) return false;
  if (computes_trig(loop->body)) return false;
  Updates u = {.slopes = slopes, .loop = loop};
  find_updates(&u, loop->body);
  return !u.any || (loop->body->len < LONG && (u.strided_lanes || !u.sums));
}

static bool computes(const ImpFn *fn, const ImpLanes *l, Prim prim) {
  for (int i = 0; i < map_len(l->vars); i++) {
    const ImpLane *v = map_value_at(l->vars, i);
    if (v->cls == LANE_VARYING && fn->vars.at[map_key_at(l->vars, i)].prim == prim) return true;
  }
  return false;
}

// Vectors of values: at least one float is computed (other integer code than scans gains little).
static bool computes_floats(const ImpFn *fn, const ImpLanes *l) {
  return computes(fn, l, PRIM_F64) || computes(fn, l, PRIM_F32);
}

static bool is_small(const Target *target, const ImpStm *loop) {
  const ImpExp *bound = loop->for_.bound;
  return bound->kind == IMP_CONST && bound->value.i < target->strip;
}

// ---- bodies without loops to speak of: scalar code does several accesses at once, a strip takes
// those with a stride, and those anywhere, one by one, the latter by way of memory.  Costs in plain
// operations of scalar code, by measurements of rows of 3 and 9 numbers and of sums of gathered
// ones; loops around use the costs above, as lanes over them would only have larger strides.
enum { STRIDED = 5, CHAIN = 24, DIVISION = 24 };  // DIVISION: of integers
typedef struct {
  const OuterVec *s;
  double weight, strided, work;
  bool other;  // branches, loops that may be long, memory of each lane
} Flat;

static void flat_access(Flat *f, ImpVar mem, const ImpExp *at) {
  const ImpExp *slope;
  LaneClass cls = imp_exp_lanes(f->s->arena, f->s->lanes, at, &slope);
  f->other = f->other || imp_lane(f->s->lanes, mem)->own;
  bool strided = cls == LANE_AFFINE && !imp_is_int(slope, 1);
  if (strided || cls == LANE_VARYING) f->strided += f->weight;
}

static bool divides(const ImpExp *e) {
  if (e->kind != IMP_OP) return false;
  if (!prim_is_float(e->from) && op_info[e->op].cost == COST_DIVISION) return true;
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (divides(e->args[i])) return true;
  return false;
}

static void flat_block(void *state, ImpBlock *block);
static void flat_stm(Flat *f, const ImpStm *stm) {
  const ImpExp *slope;
  double before = f->weight;
  if (stm->form == IMP_STM_LOAD) flat_access(f, stm->load.mem, stm->load.at);
  else if (stm->form == IMP_STM_STORE) flat_access(f, stm->store.mem, stm->store.at);
  else if (stm->form == IMP_STM_LET) {
    bool varies = imp_exp_lanes(f->s->arena, f->s->lanes, stm->let.value, &slope) == LANE_VARYING;
    double work = imp_exp_work(stm->let.value).scalar + DIVISION * divides(stm->let.value);
    if (varies) f->work += f->weight * work;
  } else if (stm->form == IMP_STM_FOR && is_small(f->s->target, stm)) {
    f->weight *= (double)stm->for_.bound->value.i;
    imp_each_block(stm, flat_block, f);
    f->weight = before;
  } else if (stm->form != IMP_STM_VAR && stm->form != IMP_STM_SET && stm->form != IMP_STM_TEST) {
    f->other = true;
  }
}
static void flat_block(void *state, ImpBlock *block) {
  Flat *f = state;
  for (int i = 0; i < block->len && !f->other; i++) flat_stm(f, block->at[i]);
}

static bool is_scattered(const OuterVec *s) {
  Flat f = {.s = s, .weight = 1, .work = CHAIN * s->loop->for_.reds.len};
  flat_block(&f, s->loop->for_.body);
  return !f.other && f.strided * STRIDED > f.work;
}

typedef struct {
  Arena *arena;
  ImpFn *fn;
  ImpStrides *slopes;
  const Target *target;
  const Privatised *privatised;
  double weight, cost, trips;
  int stms;  // looked at so far
  bool nests;    // the function has loops inside loops
  Map *chosen;  // loop -> Strip
} Choice;

static OuterVec outer_vec_pays(const Choice *c, ImpStm *loop) {
  Arena *arena = c->arena;
  ImpStrides *slopes = c->slopes;
  ImpFn *fn = c->fn;
  const Privatised *privatised = c->privatised;
  OuterVec s = {.arena = arena, .fn = fn, .target = c->target, .privatised = privatised,
                .loop = loop, .slopes = slopes, .strided = 1};
  if (!loop->for_.parallel || is_small(c->target, loop)) return s;
  if (is_straight(slopes, &loop->for_)) return s;
  s.own = own_allocs(privatised, loop);
  s.lanes = imp_lanes(arena, fn, loop, &s.own);
  if (!s.lanes || (!computes_floats(fn, s.lanes) && !has_scan(loop->for_.body))) {
    s.lanes = NULL;
    return s;
  }
  s.puts = map_new(arena);
  find_writes(&s, loop->for_.body);
  find_puts(&s);
  return s;
}

// ---- making a strip ---------------------------------------------------------------------------
static ImpVar fresh(OuterVec *s, const char *base, ImpKind kind, Prim prim) {
  ImpVar v = {(uint32_t)s->fn->vars.len};
  list_push(s->arena, &s->fn->vars, (ImpVarInfo){.base = base, .kind = kind, .prim = prim});
  return v;
}
static void push(OuterVec *s, ImpBlock *block, ImpStm stm) {
  list_push(s->arena, block, (ImpStm *)arena_copy(s->arena, &stm, sizeof stm));
}

// for q < count: to[to_at + q] = from[from_at + q]
static ImpStm copy_loop(OuterVec *s, ImpVar to, const ImpExp *to_at, ImpVar from,
                        const ImpExp *from_at, const ImpExp *count) {
  ImpVar q = fresh(s, "q", IMP_LET, PRIM_I64),
         x = fresh(s, "x", IMP_LET, s->fn->vars.at[to.id].prim);
  s->fn->vars.at[q.id].bound = count;
  const ImpExp *qe = imp_var(s->arena, s->fn, q);
  ImpBlock *body = NEW(s->arena, ImpBlock);
  push(s, body, (ImpStm){.form = IMP_STM_LOAD, .load = {x, from, imp_add(s->arena, from_at, qe)}});
  push(s, body,
       (ImpStm){.form = IMP_STM_STORE,
                .store = {to, imp_add(s->arena, to_at, qe), imp_var(s->arena, s->fn, x)}});
  return (ImpStm){.form = IMP_STM_FOR,
                  .for_ = {.var = q, .bound = count, .parallel = true, .body = body}};
}

static void replace_copies(void *state, ImpBlock *block) {
  OuterVec *s = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    imp_each_block(stm, replace_copies, s);
    if (stm->form != IMP_STM_COPY) continue;
    struct imp_copy c = stm->copy;
    *stm = copy_loop(s, c.to, c.to_at, c.from, c.from_at, c.count);
  }
}

static Row *find_row(OuterVec *s, Row row) {
  for (int i = 0; i < s->rows.len; i++) {
    Row *r = &s->rows.at[i];
    if (r->mem.id == row.mem.id && r->base.id == row.base.id) return r;
  }
  row.buffer = fresh(s, "row", IMP_BLOCK, s->fn->vars.at[row.mem.id].prim);
  s->fn->vars.at[row.buffer.id].is_mem = true;
  list_push(s->arena, &s->rows, row);
  return &s->rows.at[s->rows.len - 1];
}

static void use_rows(void *state, ImpBlock *block) {
  OuterVec *s = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    Row row;
    bool loop = stm->form == IMP_STM_FOR;
    if (block == s->loop->for_.body) s->at = i;
    if (stm->form == IMP_STM_LOAD && s->depth >= 2 && is_strided(s, &stm->load)
        && row_of(s, &stm->load, &row)) {
      Row *r = find_row(s, row);
      if (imp_exp_same(r->bound, row.bound)) {
        stm->load.mem = r->buffer;
        stm->load.at = imp_var(s->arena, s->fn, row.j);
      }
    }
    if (loop) s->depth++;
    imp_each_block(stm, use_rows, s);
    if (loop) s->depth--;
  }
}

// Fills the row buffers right after their bases are known.
static void fill_rows(OuterVec *s) {
  ImpBlock out = {0};
  ImpBlock *body = s->loop->for_.body;
  for (int i = 0; i < body->len; i++) {
    list_push(s->arena, &out, body->at[i]);
    ImpVar *def = imp_stm_def(body->at[i]);
    for (int k = 0; def && k < s->rows.len; k++) {
      const Row *r = &s->rows.at[k];
      if (r->put || r->base.id != def->id) continue;
      push(s, &out,
           copy_loop(s, r->buffer, imp_i64(s->arena, 0), r->mem, imp_var(s->arena, s->fn, r->base),
                     r->bound));
    }
  }
  *body = out;
}

// A store to a row that is read again goes into its buffer, too.
static void fill_put(OuterVec *s, const Row *r) {
  const Put *put = put_find(s, r->mem);
  ImpBlock *body = s->loop->for_.body->at[put->at]->for_.body, out = {0};
  for (int i = 0; i < body->len; i++) {
    list_push(s->arena, &out, body->at[i]);
    if (body->at[i] != put->stm) continue;
    struct imp_store store = put->stm->store;
    store.mem = r->buffer;
    store.at = imp_var(s->arena, s->fn, put->row.j);
    push(s, &out, (ImpStm){.form = IMP_STM_STORE, .store = store});
  }
  *body = out;
}

// Returns the allocations to stand before the loop.
static ImpBlock outer_vec_apply(OuterVec *s) {
  s->depth = 0;
  use_rows(s, s->loop->for_.body);
  for (int k = 0; k < s->rows.len; k++)
    if (s->rows.at[k].put) fill_put(s, &s->rows.at[k]);
  fill_rows(s);
  replace_copies(s, s->loop->for_.body);
  int parts = s->stms > 200 || (s->slight && !has_loop(s->loop->for_.body)) ? 2 : 4;
  s->loop->for_.outer_vec = parts;
  ImpBlock before = {0};
  for (int k = 0; k < s->rows.len; k++) {
    s->fn->vars.at[s->rows.at[k].buffer.id].expanded = parts;
    push(s, &before,
         (ImpStm){.form = IMP_STM_ALLOC, .alloc = {s->rows.at[k].buffer, s->rows.at[k].bound}});
  }
  return before;
}

// ---- the choice -------------------------------------------------------------------------------
enum { LARGE = 800 };  // statements in a loop that is no strip
enum { TWICE = 100 };  // statements in a loop that is there twice

static void choose_block(void *state, ImpBlock *block);

static double children_cost(Choice *c, ImpStm *stm) {
  Choice inner = *c;
  inner.cost = 0;
  if (stm->form == IMP_STM_FOR || stm->form == IMP_STM_WHILE)
    inner.weight *= trips_of(stm, c->trips);
  imp_each_block(stm, choose_block, &inner);
  c->stms = inner.stms;
  return inner.cost;
}

static double whole_cost(const Choice *c, OuterVec *s, ImpStm *stm) {
  OuterVecCost cost = {s, c->weight * trips_of(stm, c->trips), 0, c->trips};
  outer_vec_cost(&cost, stm->for_.body);
  return cost.cost * (c->weight > 1 ? 1.2 : 1) + (c->weight > 1 ? 6 * c->weight : 0);
}

// Whether the loops of a strip that have no others inside are all long, two strips and more:
// `holds`, NULL where there are none; unknown where their bounds are not known in front of the
// strip.
typedef struct {
  const OuterVec *s;
  int64_t least;
  const ImpExp *holds, *last;
  bool unknown;
} AllLong;
static void add_long(AllLong *a, const ImpExp *bound) {
  Arena *arena = a->s->arena;
  if (a->last && imp_exp_same(a->last, bound)) return;
  const ImpExp *is_long = imp_op(arena, OP_LE, PRIM_I64, imp_i64(arena, a->least), bound, NULL);
  a->holds = a->holds ? imp_op(arena, OP_AND, PRIM_BOOL, a->holds, is_long, NULL) : is_long;
  a->last = bound;
}

static void all_long(void *state, ImpBlock *block) {
  AllLong *a = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    imp_each_block(stm, all_long, a);
    if (stm->form != IMP_STM_FOR || has_loop(stm->for_.body)) continue;
    if (outside_only(a->s, stm->for_.bound)) add_long(a, stm->for_.bound);
    else a->unknown = true;
  }
}

// A Choice for loops that have many iterations.
static Choice choice_long(const Choice *c) {
  Choice many = *c;
  many.trips = MANY;
  many.chosen = map_new(c->arena);
  return many;
}

// When the loops inside are better off as strips of their own than this one.
static const ImpExp *when_longer(const Choice *c, const OuterVec *s, ImpStm *stm) {
  if (c->trips > TRIPS || c->weight > 1 || s->own.len > 0 || s->stms > TWICE) return NULL;
  AllLong a = {.s = s, .least = computes(c->fn, s->lanes, PRIM_F32) ? 2 * MANY : MANY};
  all_long(&a, stm->for_.body);
  if (a.unknown || !a.holds || imp_exp_same(a.holds, imp_const(c->arena, scalar_bool(false))))
    return NULL;
  Choice many = choice_long(c);
  OuterVec again = *s;
  again.strided = 2;
  return children_cost(&many, stm) < 0.8 * whole_cost(&many, &again, stm) ? a.holds : NULL;
}

// The cheaper of: this loop as a strip, or whatever is best for the loops inside it.  Large ones
// are not checked: what is deep in nests would be, for each loop around it.
static void choose_stm(Choice *c, ImpStm *stm) {
  int before = ++c->stms;
  double strided_lanes = children_cost(c, stm);
  if (stm->form == IMP_STM_FOR) {
    bool fits = c->stms - before <= LARGE;
    OuterVec s = {0};
    if (fits) s = outer_vec_pays(c, stm);
    bool pragma = stm->for_.parallel && is_straight(c->slopes, &stm->for_);
    if (pragma) strided_lanes *= lane(c->target) * 1.2;
    double whole = s.lanes ? whole_cost(c, &s, stm) : strided_lanes;
    if (whole < strided_lanes) {
      strided_lanes = whole;
      s.slight = c->nests && c->weight <= 1 && !stm->for_.reds.len;
      s.longer = when_longer(c, &s, stm);
      if (!is_scattered(&s)) map_put(c->chosen, KEY(stm), arena_copy(c->arena, &s, sizeof s));
    }
  }
  c->cost += strided_lanes + scalar_stm(stm) * c->weight;
}

static void choose_block(void *state, ImpBlock *block) {
  Choice *c = state;
  for (int i = 0; i < block->len; i++)
    if (block->at[i]->form != IMP_STM_KERNEL) choose_stm(c, block->at[i]);
}

static void apply_block(void *state, ImpBlock *block);

static ImpStm *outer_vec_nested(Choice *c, ImpStm *loop) {
  Choice many = choice_long(c);
  children_cost(&many, loop);
  imp_each_block(loop, apply_block, &many);
  return loop;
}

static void apply_strip(Choice *c, OuterVec *s, ImpStm *stm, ImpBlock *out) {
  ImpBlock before = outer_vec_apply(s);
  for (int k = 0; k < before.len; k++) list_push(c->arena, out, before.at[k]);
  for (int k = 0; k < s->own.len; k++)
    c->fn->vars.at[s->own.at[k].id].expanded = (int)stm->for_.outer_vec;
  list_push(c->arena, out, stm);
}

static void apply_twice(Choice *c, OuterVec *s, ImpStm *stm, ImpBlock *out) {
  ImpBlock *then = NEW(c->arena, ImpBlock), *other = NEW(c->arena, ImpBlock);
  list_push(c->arena, then, outer_vec_nested(c, imp_stm_clone(c->arena, c->fn, stm)));
  apply_strip(c, s, stm, other);
  ImpStm either = {.form = IMP_STM_IF, .if_ = {s->longer, then, other}};
  list_push(c->arena, out, (ImpStm *)arena_copy(c->arena, &either, sizeof either));
}

static void apply_block(void *state, ImpBlock *block) {
  Choice *c = state;
  ImpBlock out = {0};
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    OuterVec *s = map_get(c->chosen, KEY(stm));
    if (!s) imp_each_block(stm, apply_block, c);
    if (!s) list_push(c->arena, &out, stm);
    else if (!s->longer) apply_strip(c, s, stm, &out);
    else if (s->longer->kind == IMP_CONST) list_push(c->arena, &out, outer_vec_nested(c, stm));
    else apply_twice(c, s, stm, &out);
  }
  *block = out;
}

typedef struct {
  bool inside, found;
} Nests;
static void find_nests(void *state, ImpBlock *block) {
  Nests *n = state;
  for (int i = 0; i < block->len; i++) {
    bool outer = n->inside, loop = block->at[i]->form == IMP_STM_FOR;
    if (loop && n->inside) n->found = true;
    n->inside = n->inside || loop;
    imp_each_block(block->at[i], find_nests, n);
    n->inside = outer;
  }
}

void imp_pass_outer_vec(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  ImpStrides slopes = {.arena = arena, .fn = fn};
  Nests nests = {false, false};
  find_nests(&nests, fn->body);
  Choice c = {.arena = arena,
              .fn = fn,
              .slopes = &slopes,
              .target = prog_machine(prog->core),
              .privatised = privatised_find(arena, fn),
              .weight = 1,
              .trips = TRIPS,
              .nests = nests.found,
              .chosen = map_new(arena)};
  choose_block(&c, fn->body);
  apply_block(&c, fn->body);
}
