// Common subexpressions: a statement computing what a dominating statement computed is that one.
// Array results are merged only when neither memory is ever overwritten; forms that consume their
// operands cannot occur twice on the same names, so they need no care of their own.
#include "opt/common/local.h"

typedef struct Entry {
  const Stm *stm;
  uint64_t hash;
  struct Entry *next;  // in its bucket
  int bucket;
} Entry;
typedef struct {
  Env e;
  Entry **buckets;
  uint64_t mask;          // buckets are so many and one
  LIST(Entry *) entries;  // of the open bodies, innermost last
  AlphaHash *hashes;
} Cse;

// The number of possible entries, so that none has more than a few.
static void buckets_begin(Cse *c, int entries) {
  uint64_t n = 64;
  while (n < (uint64_t)entries) n *= 2;
  c->buckets = NEW_ARRAY(c->e.scratch, Entry *, n);
  c->mask = n - 1;
}

static bool may_merge(const Stm *stm) {
  if (stm->bound.len == 0 || stm->attrs.opaque) return false;
  switch (stm->exp.form) {
  case FORM_OPAQUE: case FORM_TRACE: case FORM_STOPGRADIENT: case FORM_TUNED:
  case FORM_MEMORYLEFT: case FORM_UPDATE: case FORM_FLATUPDATE: case FORM_HIST:
  case FORM_SCATTER: case FORM_WITHACC: case FORM_UPDATEACC: case FORM_APPLY: case FORM_ASSERT:
  case FORM_ATOM: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS:
  case FORM_JACOBIAN: case FORM_COUNT:
    return false;
  case FORM_PRIM: case FORM_CONV: case FORM_LITERAL: case FORM_CONSTANT: case FORM_IOTA:
  case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH: case FORM_INDEX: case FORM_FLATINDEX:
  case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE:
  case FORM_MATCH: case FORM_LOOP: case FORM_MAP: case FORM_REDUCE: case FORM_SCAN:
  case FORM_SCREMA:
    return true;
  }
  return false;
}

static bool all_shared(Env *e, const Stm *stm) {
  for (int i = 0; i < stm->bound.len; i++)
    if (!env_shared(e, atom_var(stm->bound.at[i]))) return false;
  return true;
}

static bool find_twin(Cse *c, const Stm *stm, uint64_t hash) {
  Arena *scratch = NULL;
  bool found = false;
  for (Entry *x = c->buckets[hash & c->mask]; x && !found; x = x->next) {
    if (x->hash != hash || x->stm->bound.len != stm->bound.len) continue;
    if (x->stm->attrs.linear != stm->attrs.linear) continue;
    if (!scratch) scratch = arena_beside(c->e.prog->arena);
    if (!alpha_same(c->e.prog, scratch, &x->stm->exp, &stm->exp)) continue;
    for (int i = 0; i < stm->bound.len; i++)
      env_bind(&c->e, stm->bound.at[i], atom_var(x->stm->bound.at[i]));
    found = true;
  }
  arena_free(scratch);
  return found;
}

static void remember(Cse *c, const Stm *stm, uint64_t hash) {
  Entry *x = NEW(c->e.scratch, Entry);
  Stm *copy = NEW(c->e.scratch, Stm);
  *copy = *stm;
  *x = (Entry){copy, hash, c->buckets[hash & c->mask], (int)(hash & c->mask)};
  c->buckets[x->bucket] = x;
  list_push(c->e.scratch, &c->entries, x);
}

// ---- reductions within statements -------------------------------------------------------------
// One reduction of a statement, as if it stood by itself: results from `first` on.
static void share_reduction(Cse *c, const Stm *stm, int first, struct reduce_form r) {
  Stm one = {.exp = {.form = FORM_REDUCE, .reduce = r}, .attrs = stm->attrs, .loc = stm->loc};
  for (int i = 0; i < r.neutral.len; i++)
    list_push(c->e.scratch, &one.bound, stm->bound.at[first + i]);
  uint64_t hash[2];
  bool known = false;
  for (int comm = 0; comm < 2 && !known; comm++) {
    one.exp.reduce.comm = comm;
    hash[comm] = alpha_hash(c->hashes, &one.exp);
    known = find_twin(c, &one, hash[comm]);
  }
  for (int comm = 0; comm < 2 && !known; comm++) {
    one.exp.reduce.comm = comm;
    remember(c, &one, hash[comm]);
  }
}

static void share_columns(Cse *c, const Stm *stm, int first, const struct reduce_form *r) {
  Exp column;
  for (int k = 0; k < r->neutral.len; k++)
    if (reduce_column(c->e.prog, c->e.scratch, r, k, &column))
      share_reduction(c, stm, first + k, column.reduce);
}

// Reduction `at` of a SCREMA: over an input, or over what its function computes from it, which no
// other statement names.
static struct reduce_form reduction_of(Cse *c, const struct screma_form *s, int at, int from) {
  const Operator *red = &s->reds.at[at];
  struct reduce_form r = {.width = s->width, .op = red->op, .neutral = red->neutral};
  for (int i = 0; i < red->neutral.len; i++) {
    Atom x = s->fn->body.results.at[from + i];
    for (int p = 0; p < s->fn->params.len; p++)
      if (atom_is_var(x, s->fn->params.at[p])) x = s->inputs.at[p];
    list_push(c->e.scratch, &r.inputs, x);
  }
  return r;
}

// Reductions of tuples first: others are columns of them.
static void share_reductions_of_screma(Cse *c, const Stm *stm) {
  const struct screma_form *s = &stm->exp.screma;
  int scanned = 0;
  for (int i = 0; i < s->scans.len; i++) scanned += s->scans.at[i].neutral.len;
  for (int single = 0; single < 2; single++)
    for (int i = 0, first = 0; i < s->reds.len; first += s->reds.at[i++].neutral.len) {
      struct reduce_form r = reduction_of(c, s, i, scanned + first);
      if ((r.neutral.len == 1) != single) continue;
      share_columns(c, stm, first, &r);
      share_reduction(c, stm, first, r);
    }
}

// A reduction that another computes, perhaps among others, is that; floats in the order of either.
static void share_reductions(Cse *c, const Stm *stm) {
  if (stm->exp.form == FORM_REDUCE) share_columns(c, stm, 0, &stm->exp.reduce);
  if (stm->exp.form == FORM_SCREMA) share_reductions_of_screma(c, stm);
}

// Arrays of the same numbers are one.
static void share_results(Cse *c, const Stm *stm) {
  bool scans = stm->exp.form == FORM_SCREMA;
  if (stm->exp.form != FORM_MAP && !scans) return;
  const Atoms *x = scans ? &stm->exp.screma.post->body.results : &stm->exp.map.fn->body.results;
  int first = stm->bound.len - x->len;
  for (int i = 1; i < x->len; i++)
    for (int k = 0; k < i; k++)
      if (atom_same(x->at[i], x->at[k])) {
        env_bind(&c->e, stm->bound.at[first + i], atom_var(stm->bound.at[first + k]));
        break;
      }
}

static void forget(Cse *c, int mark) {
  while (c->entries.len > mark) {
    Entry *x = c->entries.at[--c->entries.len];
    c->buckets[x->bucket] = x->next;
  }
}

static void cse_stms(Cse *c, Stms stms);

static void cse_post(Cse *c, const struct screma_form *s, int from);

// `screma`: the form whose function's body it is, or NULL.
static void cse_body(Cse *c, Body *body, const struct screma_form *screma) {
  Stms out = stms_over(body->stms);
  int mark = c->entries.len;
  BodyMark open = renv_open(&c->e, &out);
  cse_stms(c, body->stms);
  body->results = env_atoms(&c->e, body->results);
  if (screma) cse_post(c, screma, mark);
  env_close(&c->e, open);
  forget(c, mark);
  body->stms = out;
}

// ---- what a SCREMA computes after its scans, as it were inside its function -------------------
// Scalars that it is handed on are those of the function, whose entries come from `from` on.
static void cse_post(Cse *c, const struct screma_form *s, int from) {
  int first = 0, handed = 0;
  for (int i = 0; i < s->scans.len; i++) first += s->scans.at[i].neutral.len;
  for (int i = 0; i < s->reds.len; i++) handed += s->reds.at[i].neutral.len;
  for (int k = first; k < s->post->params.len; k++)
    if (var_type(c->e.prog, s->post->params.at[k]).rank == 0)
      env_bind(&c->e, s->post->params.at[k], s->fn->body.results.at[handed + k]);
  for (int i = from; i < c->entries.len; i++)  // arrays would be made to be handed on
    if (var_type(c->e.prog, c->entries.at[i]->stm->bound.at[0]).rank) c->entries.at[i]->hash ^= 1;
  cse_body(c, &s->post->body, NULL);
}

static bool is_bound_in(const Lambda *fn, Var v) {
  for (int i = 0; i < fn->params.len; i++)
    if (fn->params.at[i].id == v.id) return true;
  for (int i = 0; i < fn->body.stms.len; i++)
    for (int k = 0; k < fn->body.stms.at[i].bound.len; k++)
      if (fn->body.stms.at[i].bound.at[k].id == v.id) return true;
  return false;
}

// Variables of the first function that the function after the scans mentions become its results.
static void screma_hand_on(Cse *c, struct screma_form *s) {
  Prog *prog = c->e.prog;
  Vars free = lambda_free(prog, c->e.scratch, s->post);
  int more = 0;
  for (int i = 0; i < free.len; i++) {
    if (!is_bound_in(s->fn, free.at[i])) continue;
    list_push(prog->arena, &s->fn->body.results, atom_var(free.at[i]));
    list_push(prog->arena, &s->fn->rets, var_type(prog, free.at[i]));
    list_push(prog->arena, &s->post->params, free.at[i]);
    more++;
  }
  if (more) s->post = lambda_copy(&c->e.to, s->post);
}

// x - k is looked up as x + -k; integers.
static Stm looked_up(const Cse *c, const Stm *stm) {
  Stm key = *stm;
  const struct prim_form *p = &stm->exp.prim;
  if (stm->exp.form != FORM_PRIM || p->op != OP_SUB || !prim_is_int(p->prim)) return key;
  Atom k = p->args.at[1];
  if (k.is_var || !p->args.at[0].is_var) return key;
  Scalar minus = scalar_int(p->prim, (int64_t)-(uint64_t)k.value.i);
  key.exp.prim.op = OP_ADD;
  key.exp.prim.args =
      atoms_of(c->e.scratch, 2, (Atom[]){p->args.at[0], atom_scalar(minus)});
  return key;
}

// Bodies first, so that equal code inside has equal names.
static void cse_stm(Cse *c, const Stm *old) {
  Stm stm = *old;
  env_exp(&c->e, &stm.exp);
  env_bound(&c->e, &stm);
  if (exp_has_parts(&stm.exp)) {
    Parts parts = exp_parts(c->e.scratch, &stm.exp);
    for (int i = 0; i < parts.len; i++) {
      Lambda *fn = parts.at[i].fn;
      if (stm.exp.form != FORM_SCREMA) cse_body(c, parts.at[i].body, NULL);
      else if (fn != stm.exp.screma.post)
        cse_body(c, parts.at[i].body, fn == stm.exp.screma.fn ? &stm.exp.screma : NULL);
      for (int k = 0; fn && k < fn->rets.len; k++)
        fn->rets.at[k] = renv_type(&c->e, fn->rets.at[k]);
    }
    if (stm.exp.form == FORM_SCREMA) screma_hand_on(c, &stm.exp.screma);
  }
  if (may_merge(&stm) && all_shared(&c->e, &stm)) {
    Stm key = looked_up(c, &stm);
    uint64_t hash = alpha_hash(c->hashes, &key.exp);
    if (find_twin(c, &key, hash)) return;
    remember(c, &key, hash);
    share_reductions(c, &stm);
    share_results(c, &stm);
  }
  list_push(c->e.arena, c->e.to.stms, stm);
}

static void cse_stms(Cse *c, Stms stms) {
  for (int i = 0; i < stms.len; i++) {
    stms_taken(c->e.to.stms, stms, i);
    cse_stm(c, &stms.at[i]);
  }
}

static void cse_fn(Cse *c, Fn *fn) {
  cse_body(c, &fn->body, NULL);
  for (int k = 0; k < fn->results.len; k++) {
    VarInfo *info = &c->e.prog->vars.at[fn->results.at[k].id];
    info->type = renv_type(&c->e, info->type);
  }
}

// ---- functions that constants call
typedef struct {
  const Prog *prog;
  Map *fns;  // by name
} Called;

static void called_body(void *state, const Body *body, const Vars *params) {
  Called *c = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    const Fn *fn = e->form == FORM_APPLY ? prog_fn(c->prog, e->apply.fn) : NULL;
    exp_each_body(e, called_body, c);
    if (!fn || map_get(c->fns, KEY(fn))) continue;
    map_put(c->fns, KEY(fn), c);
    called_body(c, &fn->body, NULL);
  }
}

static bool is_call(const Exp *e) { return e->form == FORM_APPLY; }

// Leaves the entries of constants; the number of those before the first call.
static int cse_constants(Cse *c, Prog *prog) {
  Stms out = {0};
  int before = -1;
  c->e.to.stms = &out;
  for (int i = 0; i < prog->constants.len; i++) {
    const Exp *e = &prog->constants.at[i].exp;
    if (before < 0 && (is_call(e) || exp_has(e, is_call))) before = c->entries.len;
    cse_stm(c, &prog->constants.at[i]);
  }
  prog->constants = out;
  return before < 0 ? c->entries.len : before;
}

// Functions that constants call run before the constants after the call exist.
static bool cse_prog(Prog *prog) {
  Arena *scratch = arena_beside(prog->arena);
  Cse c = {.e = renv_new(prog, scratch), .hashes = alpha_hash_new(prog, scratch)};
  buckets_begin(&c, prog->vars.len);
  int before = cse_constants(&c, prog);
  Called called = {prog, map_new(scratch)};
  called_body(&called, &(Body){.stms = prog->constants}, NULL);
  for (int i = 0; i < prog->fns.len; i++)
    if (!map_get(called.fns, KEY(prog->fns.at[i]))) cse_fn(&c, prog->fns.at[i]);
  forget(&c, before);
  for (int i = 0; i < prog->fns.len; i++)
    if (map_get(called.fns, KEY(prog->fns.at[i]))) cse_fn(&c, prog->fns.at[i]);
  arena_free(scratch);
  return c.e.changed;
}

// needs: any program.  leaves: no two equal pure statements where one dominates the other.
// cost: linear: a body is hashed once, and compared where it is found again.
Prog *pass_cse(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  bool changed = cse_prog(out), dropped = dce_prog(out);
  out->at_fixpoint = prog->at_fixpoint && !changed && !dropped;
  return out;
}
