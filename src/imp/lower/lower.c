// Core to imp: programs, functions, bodies.  Destination driven: a body is told where its array
// results are wanted, and each statement that makes an array asks for its place (dest_view).
#include <limits.h>
#include "imp/common/local.h"

const char *var_base(Lower *l, Var v) { return var_info(l->prog, v)->base; }

// ---- values -----------------------------------------------------------------------------------
void bind(Lower *l, Var v, Value value) {
  if (value.kind == VALUE_ARRAY) list_push(l->arena, &l->mems.at[value.view.mem.id].users, v);
  l->values[v.id] = value;
}
void bind_exp(Lower *l, Var v, const ImpExp *e) {
  bind(l, v, (Value){.kind = VALUE_SCALAR, .exp = e});
}
void bind_view(Lower *l, Var v, View view) {
  bind(l, v, (Value){.kind = VALUE_ARRAY, .view = view});
}

// A constant of the program: first use in this function.
static Value global_value(Lower *l, Var v) {
  Type t = var_type(l->prog, v);
  ImpVar g = var_fresh(l, var_base(l, v), IMP_GLOBAL, t.prim);
  l->fn->vars.at[g.id].global = l->global[v.id] - 1;
  l->fn->vars.at[g.id].is_mem = t.rank > 0;
  if (t.rank == 0) return (Value){.kind = VALUE_SCALAR, .exp = var_exp(l, g)};
  // Its strides are named in the innermost scope only: as formulas they hold everywhere.
  View view = {g,
               t.prim,
               t.rank,
               true,
               int_exp(l, 0),
               type_dims(l, t),
               NEW_ARRAY(l->arena, const ImpExp *, t.rank)};
  const ImpExp *s = int_exp(l, 1);
  for (int i = t.rank - 1; i >= 0; i--) {
    view.strides[i] = s;
    s = imp_mul(l->arena, view.dims[i], s);
  }
  return (Value){.kind = VALUE_ARRAY, .view = view};
}

static Value *var_value(Lower *l, Var v) {
  Value *value = &l->values[v.id];
  if (value->kind == VALUE_NONE && l->global[v.id]) bind(l, v, global_value(l, v));
  if (value->kind == VALUE_NONE) ice("no value for %s_%u", var_base(l, v), v.id);
  return value;
}

Value atom_value(Lower *l, Atom a) {
  if (a.is_var) return *var_value(l, a.var);
  return (Value){.kind = VALUE_SCALAR, .exp = imp_const(l->arena, a.value)};
}
const ImpExp *atom_exp(Lower *l, Atom a) {
  Value v = atom_value(l, a);
  check(v.kind == VALUE_SCALAR);
  return v.exp;
}
View atom_view(Lower *l, Atom a) {
  Value v = atom_value(l, a);
  check(v.kind == VALUE_ARRAY);
  return v.view;
}

// ---- what a statement uses --------------------------------------------------------------------
// Operands, and what bodies read from outside: a neutral element that is the operator's own free
// variable would be overwritten under its eyes.
static void use_atom(void *state, Atom a) {
  Lower *l = state;
  if (a.is_var) list_push(l->arena, &l->uses, a.var);
}

static void use_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  Lower *l = state;
  Arena *scratch = arena_beside(l->prog->arena);
  Vars free = body_free(l->prog, scratch, body);
  for (int i = 0; i < free.len; i++) list_push(l->arena, &l->uses, free.at[i]);
  arena_free(scratch);
}

// Of the statement being lowered; a loop asks for each of its parameters.
static Vars stm_uses(Lower *l) {
  if (l->uses_of == l->stm) return l->uses;
  l->uses.len = 0;
  l->uses_of = l->stm;
  exp_each_atom(&l->stm->exp, use_atom, l);
  exp_each_body(&l->stm->exp, use_body, l);
  return l->uses;
}

// Nothing else lies in a's block, neither in the statement being lowered nor after it.  Variables
// of bodies inside earlier statements are removed, though they were their bodies' results.
bool atom_dead(Lower *l, Atom a) {
  Value v = atom_value(l, a);
  if (v.kind != VALUE_ARRAY) return false;
  Vars uses = stm_uses(l);
  int users = 0;
  for (int i = 0; i < uses.len; i++) {
    const Value *other = &l->values[uses.at[i].id];
    users += other->kind == VALUE_ARRAY && other->view.mem.id == v.view.mem.id;
  }
  if (users > 1) return false;
  const MemUse *use = &l->mems.at[v.view.mem.id];
  int order = mem_order(l->facts, l->stm), depth = INT_MAX;
  if (l->stm->bound.len) depth = l->facts->def_depth[l->stm->bound.at[0].id];
  for (int i = 0; i < use->users.len; i++) {
    Var user = use->users.at[i];
    if (l->facts->def_depth[user.id] <= depth && l->facts->last_use[user.id] > order) return false;
  }
  return true;
}

// Extents of arrays that a function is given are none.
static bool may_be_negative(const Lower *l, Atom n) {
  const Fn *fn = l->fn->core;
  for (int i = 0; n.is_var && fn && i < fn->params.len; i++) {
    Type t = var_type(l->prog, fn->params.at[i]);
    for (int d = 0; d < t.rank; d++)
      if (atom_same(t.dims[d], n)) return false;
  }
  return n.is_var;
}

// The rows of a map's result are made inside, where a range that counts to a negative size fails;
// memory for all of them is needed before.
static void check_row_sizes(Lower *l, Type t) {
  if (l->stm->exp.form != FORM_MAP && l->stm->exp.form != FORM_SCREMA) return;
  const ImpExp *zero = imp_i64(l->arena, 0), *none = exp_le(l, atom_exp(l, t.dims[0]), zero);
  for (int d = 1; d < t.rank; d++) {
    if (!may_be_negative(l, t.dims[d])) continue;
    const ImpExp *n = atom_exp(l, t.dims[d]);
    ImpExps values = {0};
    list_push(l->arena, &values, n);
    const ImpExp *ok = imp_op(l->arena, OP_OR, PRIM_BOOL, none, exp_le(l, zero, n), NULL);
    emit_check(l, ok, "Range 0..1..<%d is invalid.", values);
  }
}

View dest_view(Lower *l, Var v) {
  Type t = var_type(l->prog, v);
  Want want = l->want[v.id];
  if (want.view && !want.flat) {
    View view = *want.view;
    view.dims = type_dims(l, t);
    return view;
  }
  if (want.view) {
    View view = view_dense(l, want.view->mem, t.prim, t.rank, type_dims(l, t));
    view.offset = want.view->offset;
    return view;
  }
  if (t.rank > 1) check_row_sizes(l, t);
  View view = view_alloc(l, var_base(l, v), t);
  if (!l->write_reversed[v.id]) return view;
  l->reverse[v.id] = arena_copy(l->arena, &view, sizeof view);
  return view_reverse(l, &view);
}

void store_row(Lower *l, const View *array, const ImpExp *i, Value value) {
  if (value.kind == VALUE_SCALAR) {
    emit_store(l, array->mem, view_at(l, array, 1, &i), value.exp);
    return;
  }
  View row = view_row(l, array, i);
  copy_view(l, &row, &value.view);
}

// ---- bodies -----------------------------------------------------------------------------------
int body_index(const Body *body, const Stm *stm) {
  if (!stm || body->stms.len == 0) return -1;
  if (stm < body->stms.at || stm >= body->stms.at + body->stms.len) return -1;
  return (int)(stm - body->stms.at);
}

static void want_var(Lower *l, const Body *body, Var v, Want want, int depth);

static void want_reverse(Lower *l, const Body *body, const Exp *e, Want want, int depth) {
  Var v = e->reverse.array.var;
  if (!l->write_reversed[v.id]) return;
  View view = view_reverse(l, want.view);
  want_var(l, body, v, (Want){arena_copy(l->arena, &view, sizeof view), false}, depth + 1);
  if (l->want[v.id].view) l->reverse[v.id] = want.view;
}

// Asks that v be made at `want`, through the views and in-place updates between.
static void want_var(Lower *l, const Body *body, Var v, Want want, int depth) {
  Var root = l->facts->same[v.id];
  const Stm *def = l->facts->def[root.id];
  if (body_index(body, def) < 0 || l->want[root.id].view) return;
  l->want[root.id] = want;
  if (depth > 8) return;
  const Exp *e = &def->exp;
  if (e->form == FORM_RESHAPE && e->reshape.array.is_var && want.view->dense)
    want_var(l, body, e->reshape.array.var, (Want){want.view, true}, depth + 1);
  if (e->form == FORM_REARRANGE && e->rearrange.array.is_var && !want.flat) {
    View *view = arena_copy(l->arena, want.view, sizeof *want.view);
    view->strides = NEW_ARRAY(l->arena, const ImpExp *, view->rank + 1);
    for (int i = 0; i < view->rank; i++)
      view->strides[e->rearrange.perm.at[i]] = want.view->strides[i];
    view->dense = false;
    want_var(l, body, e->rearrange.array.var, (Want){view, false}, depth + 1);
  }
  if (e->form == FORM_REVERSE && e->reverse.array.is_var && !want.flat)
    want_reverse(l, body, e, want, depth);
}

// Arrays that are computed element by element, then only reversed, are written back to front.
static void mark_reversed(Lower *l, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->exp.form != FORM_REVERSE || !stm->exp.reverse.array.is_var) continue;
    Var v = stm->exp.reverse.array.var;
    const Stm *def = l->facts->def[v.id];
    if (body_index(body, def) < 0 || l->facts->last_use[v.id] != mem_order(l->facts, stm)) continue;
    Form form = def->exp.form;
    l->write_reversed[v.id] = form == FORM_MAP || form == FORM_SCAN || form == FORM_SCREMA;
  }
}

void lower_body(Lower *l, const Body *body, const View *const *dests, Value *results) {
  mark_reversed(l, body);
  for (int i = 0; dests && i < body->results.len; i++)
    if (dests[i] && body->results.at[i].is_var)
      want_var(l, body, body->results.at[i].var, (Want){dests[i], false}, 0);
  elide_copies(l, body);
  for (int i = 0; i < body->stms.len; i++) lower_elided(l, body, i);
  for (int i = 0; i < body->results.len; i++) {
    results[i] = atom_value(l, body->results.at[i]);
    if (!dests || !dests[i]) continue;
    copy_view(l, dests[i], &results[i].view);
    results[i].view = *dests[i];
  }
}

void lower_stm(Lower *l, const Stm *stm) {
  const Stm *outer = l->stm;
  l->stm = stm;
  switch (stm->exp.form) {
#define FORM(id, member, ...) \
  case FORM_##id:             \
    lower_##member(l, stm);   \
    break;
#include "core/form.def"
  case FORM_COUNT: break;
  }
  l->stm = outer;
}

// ---- functions --------------------------------------------------------------------------------
static void fn_begin(Lower *l, const char *name, const Fn *core) {
  ImpFn *fn = NEW(l->arena, ImpFn);
  fn->name = name;
  fn->core = core;
  fn->body = NEW(l->arena, ImpBlock);
  l->fn = fn;
  l->at = fn->body;
  l->block = l->blocks = 0;
  l->mems.len = l->lets.len = l->branch_of.len = 0;
  list_push(l->arena, &l->out->fns, fn);
  var_fresh(l, "none", IMP_LET, PRIM_UNIT);
  for (int id = 1; id < l->prog->vars.len; id++)
    if (l->global[id]) l->values[id].kind = VALUE_NONE;
}

static void bind_param(Lower *l, Var v, bool in_place) {
  Type t = var_type(l->prog, v);
  ImpVar p;
  if (t.rank == 0) {
    p = var_fresh(l, var_base(l, v), IMP_LET, t.prim);
    bind_exp(l, v, var_exp(l, p));
  } else {
    ImpKind kind = in_place ? IMP_REF : t.unique ? IMP_BLOCK : IMP_PTR;
    p = mem_fresh(l, var_base(l, v), kind, t.prim);
    l->fn->vars.at[p.id].moved = kind == IMP_BLOCK;
  }
  list_push(l->arena, &l->fn->params, p);
}

static void bind_params(Lower *l, Vars params) {
  for (int i = 0; i < params.len; i++)
    bind_param(l, params.at[i], mem_holds_result(l->facts, l->fn->core, i));
  for (int i = 0; i < params.len; i++) {
    Type t = var_type(l->prog, params.at[i]);
    if (t.rank > 0)
      bind_view(l, params.at[i],
                view_dense(l, l->fn->params.at[i], t.prim, t.rank, type_dims(l, t)));
  }
}

// Array results that are not in place leave as blocks of their own; each block can leave once.
static void emit_results(Lower *l, int n, const Value *results) {
  ImpVar *owned = NEW_ARRAY(l->arena, ImpVar, n + 1);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < n; i++) {
      if (results[i].kind == VALUE_SCALAR || mem_in_place(l->facts, l->fn->core, i)) continue;
      bool first = true;
      for (int j = 0; j < i; j++)
        if (results[j].kind == VALUE_ARRAY && results[j].view.mem.id == results[i].view.mem.id)
          first = false;
      bool move = first && view_movable(l, &results[i].view);
      if (move == (pass == 1)) owned[i] = view_own(l, &results[i].view, move);
    }
  for (int i = 0; i < n; i++) {
    bool array = results[i].kind == VALUE_ARRAY;
    int in = mem_in_place(l->facts, l->fn->core, i);
    ImpStm stm = {.form = IMP_STM_YIELD, .yield = {i, owned[i]}};
    if (!array) stm = (ImpStm){.form = IMP_STM_RETURN, .return_ = {i, results[i].exp}};
    if (in) check(results[i].view.mem.id == l->fn->params.at[in - 1].id);
    else imp_emit(l, stm);
    list_push(l->arena, &l->fn->result_in, in);
    Prim prim = array ? results[i].view.prim : results[i].exp->prim;
    list_push(l->arena, &l->fn->result_prims, prim);
    list_push(l->arena, &l->fn->result_is_mem, array);
  }
}

static void lower_fn(Lower *l, const Fn *fn) {
  fn_begin(l, fn->name, fn);
  bind_params(l, fn->params);
  Value *results = NEW_ARRAY(l->arena, Value, fn->body.results.len + 1);
  lower_body(l, &fn->body, NULL, results);
  emit_results(l, fn->body.results.len, results);
}

// ---- constants --------------------------------------------------------------------------------
static void find_globals(Lower *l) {
  for (int i = 0; i < l->prog->constants.len; i++) {
    Vars bound = l->prog->constants.at[i].bound;
    for (int j = 0; j < bound.len; j++) {
      Type t = var_type(l->prog, bound.at[j]);
      ImpGlobal g = {var_base(l, bound.at[j]), t.prim, t.rank > 0};
      list_push(l->arena, &l->out->globals, g);
      l->global[bound.at[j].id] = l->out->globals.len;
    }
  }
}

// Stores a constant just computed in its slot; later uses read it there.
static void store_global(Lower *l, Var v) {
  Value value = l->values[v.id];
  Value slot = global_value(l, v);
  if (value.kind == VALUE_SCALAR) {
    imp_emit(l, (ImpStm){.form = IMP_STM_SET, .set = {slot.exp->var, value.exp}});
    return;
  }
  ImpVar own = view_own(l, &value.view, false);
  imp_emit(l, (ImpStm){.form = IMP_STM_MOVE, .move = {slot.view.mem, own}});
}

static void lower_constants(Lower *l) {
  if (l->prog->constants.len == 0) return;
  find_globals(l);
  fn_begin(l, "constants", NULL);
  l->out->has_init = true;
  for (int i = 0; i < l->prog->constants.len; i++) {
    const Stm *stm = &l->prog->constants.at[i];
    lower_stm(l, stm);
    l->stm = stm;
    for (int j = 0; j < stm->bound.len; j++) store_global(l, stm->bound.at[j]);
    l->stm = NULL;
  }
}

ImpProg *imp_lower(const Prog *prog, Arena *arena, bool trace_nan) {
  ImpProg *out = NEW(arena, ImpProg);
  *out = (ImpProg){.arena = arena, .core = prog, .trace_nan = trace_nan};
  int n = prog->vars.len + 1;
  Lower l = {.prog = prog,
             .facts = mem_facts(prog, arena),
             .cycles = cycles_find(prog, arena),
             .out = out,
             .arena = arena,
             .values = NEW_ARRAY(arena, Value, n),
             .want = NEW_ARRAY(arena, Want, n),
             .pending = NEW_ARRAY(arena, const Stm *, n),
             .place = NEW_ARRAY(arena, const View *, n),
             .early = map_new(arena),
             .site_names = names_new(arena),
             .site_at = map_new(arena),
             .looks = trace_nan ? map_new(arena) : NULL,
             .write_reversed = NEW_ARRAY(arena, bool, n),
             .reverse = NEW_ARRAY(arena, const View *, n),
             .global = NEW_ARRAY(arena, int, n)};
  out->recursive = cycles_any(l.cycles);
  lower_constants(&l);
  for (int i = 0; i < prog->fns.len; i++) lower_fn(&l, prog->fns.at[i]);
  return out;
}
