// Which scalar statements are printed where they are used instead of by a let of their own: those
// of operations that have no name from the user, and elements of arrays that are never consumed,
// used once, in the same body, where an expression can stand, as long as the expression stays
// short.
#include "local.h"
#include <string.h>

enum { LONGEST = 8 };  // operations of one expression

typedef struct {
  const Stm *stm;
  const Body *body;
  int open, other;  // uses in the same body where an expression can stand; all others
  int size;
} Candidate;
typedef struct {
  Writer *s;
  Map *candidates;  // variable id -> Candidate
  Map *consumed;    // arrays that something consumes, and their views
  Candidate **order;
  int len, cap;
} Nest;

static bool is_fixed(const Slice *slice) {
  for (int i = 0; i < slice->len; i++)
    if (!slice->at[i].is_fix) return false;
  return true;
}

// Its place may change: nothing overwrites the array.
static bool is_element(const Nest *n, const Stm *stm) {
  const struct index_form *e = &stm->exp.index;
  if (stm->exp.form != FORM_INDEX || !e->array.is_var || !is_fixed(&e->slice)) return false;
  return var_type(n->s->prog, stm->bound.at[0]).rank == 0 &&
         !map_get(n->consumed, e->array.var.id);
}

static bool is_candidate(const Nest *n, const Stm *stm) {
  const Exp *e = &stm->exp;
  if (is_element(n, stm)) return true;
  if (e->form != FORM_PRIM && e->form != FORM_CONV) return false;
  return stm->bound.len == 1 && name_is_default(var_info(n->s->prog, stm->bound.at[0])->base);
}

static void consumed_note(void *state, const Body *body, const Vars *params) {
  Nest *n = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    Atoms consumed = exp_consumes(n->s->prog, n->s->arena, e);
    for (int k = 0; k < consumed.len; k++) {
      Vars all = aliases_of(n->s->aliases, consumed.at[k].var);
      for (int j = 0; j < all.len; j++) map_put(n->consumed, all.at[j].id, n);
    }
    exp_each_body(e, consumed_note, n);
  }
}

static void nest_body(Nest *n, const Body *body);

static void candidate_add(Nest *n, const Stm *stm, const Body *body) {
  Arena *arena = n->s->arena;
  Candidate *c = NEW(arena, Candidate);
  *c = (Candidate){.stm = stm, .body = body};
  map_put(n->candidates, stm->bound.at[0].id, c);
  if (n->len == n->cap) {
    n->cap = 2 * n->cap + 64;
    Candidate **order = NEW_ARRAY(arena, Candidate *, n->cap);
    if (n->len) memcpy(order, n->order, sizeof *order * (size_t)n->len);
    n->order = order;
  }
  n->order[n->len++] = c;
}

static void other_use(void *state, Atom a) {
  Nest *n = state;
  Candidate *c = a.is_var ? map_get(n->candidates, a.var.id) : NULL;
  if (c) c->other++;
}

static void open_use(Nest *n, Atom a, const Body *body) {
  Candidate *c = a.is_var ? map_get(n->candidates, a.var.id) : NULL;
  if (!c) return;
  if (c->body == body) c->open++;
  else c->other++;
}

static void type_use(Nest *n, Type t) {
  for (int d = 0; d < t.rank; d++) other_use(n, t.dims[d]);
}

static void types_use(Nest *n, Vars vars) {
  for (int i = 0; i < vars.len; i++) type_use(n, var_type(n->s->prog, vars.at[i]));
}

static void open_uses(Nest *n, Atoms atoms, const Body *body) {
  for (int i = 0; i < atoms.len; i++) open_use(n, atoms.at[i], body);
}

static void slice_uses(Nest *n, const Slice *slice, const Body *body) {
  for (int i = 0; i < slice->len; i++) open_use(n, slice->at[i].start, body);
}

// The operands of the form itself.
static void operand_uses(Nest *n, const Stm *stm, const Body *body) {
  const Exp *e = &stm->exp;
  if (e->form == FORM_PRIM && source_nests(e->prim.op)) {
    open_uses(n, e->prim.args, body);
  } else if (e->form == FORM_CONV) {
    open_use(n, e->conv.arg, body);
  } else if (e->form == FORM_LITERAL) {
    open_uses(n, e->literal.elems, body);
  } else if (e->form == FORM_MATCH && e->match.cases.len == 2 && e->match.args.len == 1) {
    open_uses(n, e->match.args, body);
  } else if (e->form == FORM_INDEX && is_fixed(&e->index.slice)) {
    slice_uses(n, &e->index.slice, body);
  } else if (e->form == FORM_UPDATE && is_fixed(&e->update.slice)) {
    slice_uses(n, &e->update.slice, body);
    open_use(n, e->update.value, body);
  } else {
    exp_each_atom(e, other_use, n);
  }
}

static void inner_body(void *state, const Body *body, const Vars *params) {
  Nest *n = state;
  if (params) types_use(n, *params);
  nest_body(n, body);
}

static void nest_body(Nest *n, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    types_use(n, stm->bound);
    operand_uses(n, stm, body);
    exp_each_body(&stm->exp, inner_body, n);
    if (is_candidate(n, stm)) candidate_add(n, stm, body);
  }
  open_uses(n, body->results, body);
}

static int operand_size(const Nest *n, Atom a) {
  const Candidate *c = a.is_var ? map_get(n->candidates, a.var.id) : NULL;
  return c ? c->size : 0;  // 0 where it has a let
}

void nest_plan(Writer *s, const Body *body) {
  Nest n = {.s = s, .candidates = map_new(s->arena), .consumed = map_new(s->arena)};
  consumed_note(&n, body, NULL);
  nest_body(&n, body);
  for (int i = 0; i < n.len; i++) {
    Candidate *c = n.order[i];
    const Exp *e = &c->stm->exp;
    int size = 1;
    if (e->form == FORM_CONV) size += operand_size(&n, e->conv.arg);
    for (int k = 0; e->form == FORM_PRIM && k < e->prim.args.len; k++)
      size += operand_size(&n, e->prim.args.at[k]);
    for (int k = 0; e->form == FORM_INDEX && k < e->index.slice.len; k++)
      size += operand_size(&n, e->index.slice.at[k].start);
    bool nested = c->open == 1 && c->other == 0 && size <= LONGEST;
    c->size = nested ? size : 0;
    if (nested) map_put(s->nested, c->stm->bound.at[0].id, (void *)c->stm);
  }
}

const Stm *nested_stm(const Writer *s, Atom a) {
  return a.is_var ? map_get(s->nested, a.var.id) : NULL;
}

bool stm_is_nested(const Writer *s, const Stm *stm) {
  return stm->bound.len == 1 && map_get(s->nested, stm->bound.at[0].id);
}
