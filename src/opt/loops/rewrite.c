// The body of the map: names of arrays become names of cells or accumulators.
#include "loops.h"

typedef struct {
  Loop *s;
  Map *classes;  // variable -> ParamClass *, of which it is a name
  Map *cells;    // PARTS: a name -> Atom *, what the cells of its parts are
} Rewriter;

static const ParamClass *class_of(const Rewriter *w, Atom a) {
  return a.is_var ? map_get(w->classes, a.var.id) : NULL;
}

Atom build_in_bounds(Builder *b, Atoms at, const Type *array) {
  Atom ok = atom_bool(true);
  for (int d = 0; d < at.len; d++) {
    ok = build_op(b, OP_AND, ok, build_op(b, OP_LE, atom_i64(0), at.at[d]));
    ok = build_op(b, OP_AND, ok, build_op(b, OP_LT, at.at[d], array->dims[d]));
  }
  return ok;
}

void emit_bounds(Builder *b, Atom cond, Atoms at, const Type *array) {
  Text text = {0};
  Arena *arena = b->prog->arena;
  text_puts(&text, "Index [");
  for (int d = 0; d < at.len; d++) text_puts(&text, d ? ", %d" : "%d");
  text_puts(&text, "] out of bounds for array of shape ");
  for (int d = 0; d < at.len; d++) text_puts(&text, "[%d]");
  text_puts(&text, ".");
  Stm stm = {.exp = {.form = FORM_ASSERT}, .loc = b->loc};
  Atoms args = atoms_concat(arena, at, atoms_of(arena, at.len, array->dims));
  stm.exp.assert = (struct assert_form){cond, arena_strdup(arena, text.at), args};
  text_free(&text);
  build_stm(b, stm);
}

static Atoms indices_of(Arena *arena, const Slice *slice) {
  Atoms at = {0};
  for (int d = 0; d < slice->len; d++) list_push(arena, &at, slice->at[d].start);
  return at;
}

static void keep_bounds(Rewriter *w, Builder *b, const Stm *stm, const Slice *slice) {
  if (stm->attrs.unchecked) return;
  Type array = var_type(w->s->e->prog, stm->exp.form == FORM_INDEX ? stm->exp.index.array.var
                                                                   : stm->exp.update.array.var);
  b->loc = stm->loc;
  Atoms at = indices_of(w->s->e->arena, slice);
  emit_bounds(b, build_in_bounds(b, at, &array), at, &array);
}

static void become(Builder *b, Stm stm, Exp exp) {
  stm.exp = exp;
  stm.attrs = (Attrs){0};
  build_stm(b, stm);
}

static void rewrite_index(Rewriter *w, Builder *b, const Stm *stm, const ParamClass *c) {
  if (c->kind == CLASS_CELLS) {
    become(b, *stm, (Exp){.form = FORM_ATOM, .atom = {stm->exp.index.array}});
    return;
  }
  keep_bounds(w, b, stm, &stm->exp.index.slice);
}

// The value that the update adds.
static Atom addend(Rewriter *w, Builder *b, const ParamClass *c, Atom sum) {
  const struct prim_form *p = &loop_def(w->s, sum)->exp.prim;
  bool first = p->args.at[0].is_var && map_get(c->dropped, p->args.at[0].var.id);
  Atom v = p->args.at[first ? 1 : 0];
  return p->op == OP_SUB ? build_op1(b, OP_NEG, v) : v;
}

static void rewrite_update(Rewriter *w, Builder *b, const Stm *stm, const ParamClass *c) {
  const struct update_form *u = &stm->exp.update;
  b->loc = stm->loc;
  if (c->kind == CLASS_CELLS) {
    become(b, *stm, (Exp){.form = FORM_ATOM, .atom = {u->value}});
  } else if (c->kind == CLASS_STORE) {
    keep_bounds(w, b, stm, &u->slice);
  } else {
    Exp exp = {.form = FORM_UPDATEACC, .updateacc = {.acc = u->array}};
    exp.updateacc.index = indices_of(w->s->e->arena, &u->slice);
    exp.updateacc.value = addend(w, b, c, u->value);
    become(b, *stm, exp);
  }
}

// ---- parts
static Atom *cells_of(const Rewriter *w, Atom name) { return map_get(w->cells, name.var.id); }

static int part_of(const ParamClass *c, const Stm *stm) {
  return (int)(uintptr_t)map_get(c->part_of, stm->bound.at[0].id) - 1;
}

static void rewrite_part(Rewriter *w, Builder *b, const Stm *stm, const ParamClass *c) {
  int j = part_of(c, stm);
  if (stm->exp.form == FORM_INDEX) {
    Atom cell = cells_of(w, stm->exp.index.array)[j];
    become(b, *stm, (Exp){.form = FORM_ATOM, .atom = {cell}});
    return;
  }
  const struct update_form *u = &stm->exp.update;
  Atom *cells = arena_copy(w->s->e->scratch, cells_of(w, u->array),
                           sizeof(Atom) * (size_t)c->parts.len);
  cells[j] = u->value;
  map_put(w->cells, stm->bound.at[0].id, cells);
}

static void parts_begin(Rewriter *w, const ParamClass *c) {
  Atom *cells = NEW_ARRAY(w->s->e->scratch, Atom, c->parts.len);
  for (int j = 0; j < c->parts.len; j++)
    if (c->parts.at[j].read) cells[j] = atom_var(c->parts.at[j].old);
  map_put(w->cells, c->family->p.id, cells);
}

// The results of the map for the array.
static void parts_end(const Rewriter *w, ParamClass *c, Atom result) {
  const Atom *cells = cells_of(w, result);
  for (int j = 0; j < c->parts.len; j++)
    if (c->parts.at[j].written) list_push(w->s->e->arena, &c->made, cells[j]);
}

static void retype(Rewriter *w, const Vars *vars) {
  for (int i = 0; i < vars->len; i++) {
    const ParamClass *c = class_of(w, atom_var(vars->at[i]));
    if (!c || c->kind == CLASS_STORE || c->kind == CLASS_PARTS) continue;
    w->s->e->prog->vars.at[vars->at[i].id].type = c->cell;
  }
}

static bool is_dropped(const Rewriter *w, const ParamClass *classes, const Stm *stm) {
  if (stm->bound.len != 1) return false;
  for (int k = 0; k < w->s->l->inits.len; k++)
    if (classes[k].kind == CLASS_ADDS && stm->exp.form == FORM_PRIM &&
        map_get(classes[k].dropped, stm->bound.at[0].id))
      return true;
  return false;
}

static void rewrite(Rewriter *w, const ParamClass *classes, Body *body);

static void rewrite_parts(Rewriter *w, const ParamClass *classes, Stm *stm) {
  Parts parts = exp_parts(w->s->e->scratch, &stm->exp);
  for (int i = 0; i < parts.len; i++) {
    Lambda *fn = parts.at[i].fn;
    if (fn) retype(w, &fn->params);
    rewrite(w, classes, parts.at[i].body);
    for (int r = 0; fn && r < fn->rets.len; r++) {
      const ParamClass *c = class_of(w, fn->body.results.at[r]);
      if (c) fn->rets.at[r] = c->cell;
    }
  }
}

static void rewrite(Rewriter *w, const ParamClass *classes, Body *body) {
  Stms in = body->stms, out = {0};
  Builder b = builder_new(w->s->e->prog, &out);
  for (int i = 0; i < in.len; i++) {
    Stm stm = in.at[i];
    retype(w, &stm.bound);
    Atom array = stm.exp.form == FORM_INDEX    ? stm.exp.index.array
                 : stm.exp.form == FORM_UPDATE ? stm.exp.update.array
                                               : atom_i64(0);
    const ParamClass *c = class_of(w, array);
    if (is_dropped(w, classes, &stm)) continue;
    if (exp_has_parts(&stm.exp)) rewrite_parts(w, classes, &stm);
    if (!c) build_stm(&b, stm);
    else if (c->kind == CLASS_PARTS) rewrite_part(w, &b, &stm, c);
    else if (stm.exp.form == FORM_INDEX) rewrite_index(w, &b, &stm, c);
    else rewrite_update(w, &b, &stm, c);
  }
  body->stms = out;
}

void body_rewrite(Loop *s, ParamClass *classes) {
  Rewriter w = {s, map_new(s->e->scratch), map_new(s->e->scratch)};
  for (int k = 0; k < s->l->inits.len; k++) {
    const Map *names = classes[k].family ? classes[k].family->names : NULL;
    for (int i = 0; names && i < map_len(names); i++)
      map_put(w.classes, map_key_at(names, i), &classes[k]);
  }
  for (int k = 0; k < s->l->inits.len; k++)
    if (classes[k].kind == CLASS_PARTS) parts_begin(&w, &classes[k]);
  retype(&w, &s->l->fn->params);
  rewrite(&w, classes, &s->l->fn->body);
  for (int k = 0; k < s->l->inits.len; k++)
    if (classes[k].kind == CLASS_PARTS) parts_end(&w, &classes[k], s->l->fn->body.results.at[k]);
}
