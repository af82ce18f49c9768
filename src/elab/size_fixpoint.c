// Sizes that a lambda computes but its caller must know.
//
// The result of `map f xs` has rows of one shape, so that shape is known before the map.  Inside
// f it may be computed all the same.  The statements that compute it are moved out of the lambda
// when they do not depend on its parameters; failing that the size is taken from the first
// element, and every element is checked against it.
#include "local.h"

typedef struct {
  Atom inside, outside;
} KnownSize;
typedef struct {
  Elab *e;
  Scope *scope;
  Vars params;
  Atoms args;
  Atom width;
  LIST(KnownSize) known;
} Settle;

static int binder(const Stms *stms, Var v) {
  for (int i = stms->len - 1; i >= 0; i--)
    for (int k = 0; k < stms->at[i].bound.len; k++)
      if (stms->at[i].bound.at[k].id == v.id) return i;
  return -1;
}

static bool move_out(Settle *s, Atom a);

static bool move_types(Settle *s, const Vars *bound) {
  for (int k = 0; k < bound->len; k++) {
    Type t = var_type(s->e->prog, bound->at[k]);
    for (int d = 0; d < t.rank; d++) {
      bool own = false;
      for (int j = 0; j < bound->len; j++) own = own || atom_is_var(t.dims[d], bound->at[j]);
      if (!own && !move_out(s, t.dims[d])) return false;
    }
  }
  return true;
}

static void remove_at(Stms *stms, int i) {
  for (; i + 1 < stms->len; i++) stms->at[i] = stms->at[i + 1];
  stms->len--;
}

// Part of an assertion's value: the value moves, the assertion stays and is used where it stands.
static bool take_from_assertion(Stm *stm) {
  if (stm->exp.assert.args.len != 1) return false;
  stm->exp = (Exp){.form = FORM_ATOM, .atom = {stm->exp.assert.args.at[0]}};
  return true;
}

static void take_out(Stms *stms, int i) {
  Stm *stm = &stms->at[i];
  if (stm->exp.form != FORM_ASSERT) {
    remove_at(stms, i);
    return;
  }
  stm->bound = (Vars){0};
  stm->exp.assert.args = (Atoms){0};
}

// Moves the statement that binds `a`, and what it needs, before the lambda.
static bool move_out(Settle *s, Atom a) {
  Elab *e = s->e;
  if (atom_outside(e, s->scope, a)) return true;
  int i = binder(&s->scope->stms, a.var);
  if (i < 0) return false;
  Stm stm = s->scope->stms.at[i];
  if (stm.exp.form == FORM_ASSERT && !take_from_assertion(&stm)) return false;
  if (exp_consumes(e->prog, e->arena, &stm.exp).len > 0) return false;
  Vars need = exp_free(e->prog, e->arena, &stm.exp);
  for (int k = 0; k < need.len; k++)
    if (!move_out(s, atom_var(need.at[k]))) return false;
  if (!move_types(s, &stm.bound)) return false;
  take_out(&s->scope->stms, binder(&s->scope->stms, a.var));
  if (stm.exp.form == FORM_INDEX) stm.attrs.unchecked = e->in_unsafe;
  list_push(e->arena, s->scope->outer, stm);
  for (int k = 0; k < stm.bound.len; k++) fact(e, stm.bound.at[k])->home = s->scope->start - 1;
  return true;
}

// The size as the lambda computes it for the given arguments, evaluated in the current buffer.
static Atom size_for(Settle *s, Atoms args, Atom size) {
  Rewrite w = rewrite_new(s->e->prog, s->e->b);
  for (int i = 0; i < s->params.len; i++) rewrite_bind(&w, s->params.at[i], args.at[i]);
  int len = s->scope->stms.len;
  for (int i = 0; i < len; i++) {
    Stm stm = s->scope->stms.at[i];
    rewrite_stm(&w, &stm);
  }
  return rewrite_atom(&w, size);
}

static Atom size_of_first(Settle *s, Atom size) {
  Elab *e = s->e;
  Branch yes = {0}, no = {0};
  scope_open(e, &yes.scope);
  Atoms rows = {0};
  for (int i = 0; i < s->args.len; i++) {
    Type t = atom_type(e->prog, s->args.at[i]);
    list_push(e->arena, &rows,
              t.is_acc ? s->args.at[i]
                       : build_index(&e->b, s->args.at[i], atom_list1(e, atom_i64(0))));
  }
  yes.val = val_atom(e, size_for(s, rows, size));
  scope_close(e, &yes.scope);
  scope_open(e, &no.scope);
  scope_close(e, &no.scope);
  no.val = val_atom(e, atom_i64(0));
  Atom some = build_op(&e->b, OP_LT, atom_i64(0), s->width);
  return val_scalar(emit_if(e, some, &yes, &no));
}

static Atom outside_size(Settle *s, Atom size) {
  Elab *e = s->e;
  if (move_out(s, size)) return size;
  for (int i = 0; i < s->known.len; i++)
    if (atom_same(s->known.at[i].inside, size)) return s->known.at[i].outside;
  Stms *inner = e->b.stms;
  uint32_t scope = e->scope;
  e->b.stms = s->scope->outer;
  e->scope = s->scope->outer_scope;
  Atom out = is_blank(s->width) ? size_for(s, s->args, size) : size_of_first(s, size);
  e->b.stms = inner;
  e->scope = scope;
  if (out.is_var) {
    fact(e, out.var)->home = s->scope->start - 1;
    fact(e, out.var)->is_size = true;
  }
  list_push(e->arena, &s->known, (KnownSize){size, out});
  return out;
}

void settle_sizes(Elab *e, Scope *s, Vars params, Atoms args, Atom width, Atoms *results) {
  Settle st = {.e = e, .scope = s, .params = params, .args = args, .width = width};
  for (int i = 0; i < results->len; i++) {
    Type t = atom_type(e->prog, results->at[i]);
    if (t.rank == 0 || t.is_acc) continue;
    Atoms dims = {0};
    for (int k = 0; k < t.rank; k++) list_push(e->arena, &dims, outside_size(&st, t.dims[k]));
    results->at[i] = emit_shaped(e, results->at[i], dims,
                                 "Row shape of result differs from the first: %d and %d.");
  }
}
