// Local variables of a split function that pointers on the tape lead to.  The forward sweep has
// returned when the reverse sweep begins, so they lie in memory that one allocates and the other
// takes over and frees; adjoints likewise:
//   double w[8], *p = w; .. push p        double (*w_at)[8] = new; p = *w_at; .. push p; push w_at
//   pop p; .. w[i] ..                     pop w_at; pop p; .. (*w_at)[i] ..; free(w_at)
#include "sweep.h"

typedef struct {
  Sweep *w;
  ObjSet led;  // what pointers on the tape lead to
  bool any;    // .. and what any pointer does
} Led;

static bool has_pointer(const CType *t) {
  t = ctype_element(t);
  for (int i = 0; t->tag == CTYPE_STRUCT && i < t->record->fields.len; i++)
    if (has_pointer(t->record->fields.at[i].type)) return true;
  return t->tag == CTYPE_POINTER;
}

static bool is_shadow(const Derived *f, const CVar *v) {
  for (int i = 0; i < map_len(f->shadows); i++)
    if (map_value_at(f->shadows, i) == v) return true;
  return false;
}

// The shadow of a pointer is on the tape beside the pointer, which says where both lead.
static void pointer_kept(Led *l, const CExpr *e) {
  Derived *f = l->w->f;
  e = cexpr_stripped(e);
  if (e->tag == CE_VAR && is_shadow(f, e->var)) return;
  bool known = e->tag == CE_VAR && map_get(f->flow->var_objs, KEY(e->var));
  if (known) set_join(&l->led, &f->flow->targets.at[cflow_var(f->flow, e->var)]);
  else l->any = true;
}

static bool bytes_have_pointers(const CExpr *e) {
  const CType *t = cexpr_stripped(e)->type;
  return t->tag == CTYPE_ARRAY ? has_pointer(t) : !t->base || has_pointer(t->base);
}

// ---- calls whose sweeps are functions, too ------------------------------------------------------
typedef struct {
  Sweep *w;
  Map *asked;  // functions that call one another keep nothing until one of them does
  bool keeps;
} Keeps;

static void function_keeps(Keeps *k, const CFunction *g);

static bool call_keeps(const CExpr *e, void *state) {
  Keeps *k = state;
  if (e->tag != CE_CALL) return !k->keeps;
  if (e->x->tag != CE_FUNCTION) k->keeps = true;
  else if (cprogram_body(k->w->d->p, e->x->function))
    function_keeps(k, cprogram_body(k->w->d->p, e->x->function));
  return !k->keeps;
}

static void function_keeps(Keeps *k, const CFunction *g) {
  if (map_get(k->asked, KEY(g))) return;
  map_put(k->asked, KEY(g), k);
  CFlow *flow = cflow_of(k->w->d->p, g);
  for (int i = 0; i < flow->objs.len; i++) {
    const Obj *o = &flow->objs.at[i];
    bool stays = o->tag == OBJ_VAR && o->var->is_param && !o->var->assigned;
    if (!stays && o->tag != OBJ_TARGET && has_pointer(o->type)) k->keeps = true;
  }
  cstmt_visit(flow->body, NULL, call_keeps, k);
}

// Whether the callee may put a pointer on the tape: it, or one that it calls, has one that changes.
static bool keeps_pointers(Sweep *w, const CFunction *g) {
  Keeps k = {w, map_new(w->arena), false};
  function_keeps(&k, g);
  return k.keeps;
}

static void call_kept(Led *l, const CExpr *call) {
  CFlow *flow = l->w->f->flow;
  if (!keeps_pointers(l->w, cprogram_body(l->w->d->p, call->x->function))) return;
  for (int i = 0; i < call->nargs; i++) {
    if (!has_pointer(call->args[i]->type)) continue;
    ObjSet to = cflow_targets(flow, call->args[i]);
    set_join(&l->led, &to);
  }
}

static bool kept_in(const CExpr *e, void *state) {
  Led *l = state;
  if (e->tag != CE_CALL || e->x->tag != CE_FUNCTION) return true;
  const CExpr *made = map_get(l->w->d->made_calls, KEY(e->x->function));
  const char *name = e->x->function->name;
  if (made) call_kept(l, made);
  else if (strcmp(name, "dz_push_pointer") == 0) pointer_kept(l, e->args[1]);
  else if (strcmp(name, "dz_push_bytes") == 0) l->any |= bytes_have_pointers(e->args[1]);
  return true;
}

// ---- the variables ------------------------------------------------------------------------------
static void local_led(Led *l, int obj, CVars *out) {
  const Obj *o = cflow_whole(l->w->f->flow, obj);
  if (o->tag != OBJ_VAR || o->var->is_global || o->var->storage == CSTORE_STATIC) return;
  for (int i = 0; i < out->len; i++)
    if (out->at[i] == o->var) return;
  if (o->var->is_param)
    cflow_gap(l->w->d->p->diag, o->var->at, "[c-unsupported] A pointer to the parameter `%s` is "
              "needed later: copy it to a variable.", o->var->name);
  list_push(l->w->arena, out, (CVar *)(uintptr_t)o->var);
}

static CVars locals_led(Sweep *w, const Stmts *forward) {
  Led l = {.w = w};
  CFlow *flow = w->f->flow;
  CVars out = {0};
  for (int i = 0; i < forward->len; i++) cstmt_visit(forward->at[i], NULL, kept_in, &l);
  for (int i = 0; i < flow->objs.len && l.any; i++) set_join(&l.led, &flow->targets.at[i]);
  for (int i = 0; i < flow->objs.len; i++)
    if (set_has(&l.led, i)) local_led(&l, i, &out);
  return out;
}

static void replace_all(CDiff *d, Map *places, Stmts *list) {
  for (int i = 0; i < list->len; i++)
    list->at[i] = cstmt_replaced(d->arena, places, list->at[i]);
}

static bool mentioned(const Stmts *a, const Stmts *b, const CVar *v) {
  for (int i = 0; i < a->len; i++)
    if (stmt_mentions(a->at[i], v)) return true;
  for (int i = 0; i < b->len; i++)
    if (stmt_mentions(b->at[i], v)) return true;
  return false;
}

typedef struct {
  Stmts make, keep, take, drop;
  Map *places;
} Sharing;

static void share(Sweep *w, const CVar *v, Sharing *s) {
  CDiff *d = w->d;
  const CVar *at = local_new(w->f, arena_printf(w->arena, "%s_at", v->name),
                             ctype_pointer(w->arena, v->type));
  const CExpr *x = var_of(d, at), *place = cbuild_unary(w->arena, COP_DEREF, x);
  const CExpr *args[2] = {cbuild_int(w->arena, 1), cbuild_sizeof(w->arena, place, v->type)};
  map_put(s->places, KEY(v), (void *)(uintptr_t)place);
  stmts_assign(d, &s->make, x, mk_call(d, "dz_new", ctype_pointer(w->arena, &ctype_void), args, 2));
  Code pushed = {0};
  push_value(w, x, &pushed);
  stmts_add(d, &s->keep, pushed.forward.at[0]);
  stmts_add(d, &s->take, pushed.reverse.at[0]);
  stmts_expr(d, &s->drop, mk_call(d, "free", &ctype_void, &x, 1));
}

// forward and backward with the statements around them; taken in the other order than kept.
static void surround(CDiff *d, const Sharing *s, Stmts *forward, Stmts *backward) {
  Stmts before = s->make, after = {0};
  stmts_add_all(d, &before, forward);
  stmts_add_all(d, &before, &s->keep);
  for (int i = s->take.len - 1; i >= 0; i--) stmts_add(d, &after, s->take.at[i]);
  stmts_add_all(d, &after, backward);
  stmts_add_all(d, &after, &s->drop);
  *forward = before;
  *backward = after;
}

void locals_shared(Sweep *w, Stmts *forward, Stmts *backward) {
  CDiff *d = w->d;
  CVars led = locals_led(w, forward);
  Sharing s = {.places = map_new(w->arena)};
  for (int i = 0; i < led.len; i++) {
    const CVar *shadow = map_get(w->f->shadows, KEY(led.at[i]));
    if (mentioned(forward, backward, led.at[i])) share(w, led.at[i], &s);
    if (shadow && mentioned(forward, backward, shadow)) share(w, shadow, &s);
  }
  if (!s.make.len) return;
  d->tape = true;
  replace_all(d, s.places, forward);
  replace_all(d, s.places, backward);
  surround(d, &s, forward, backward);
}
