// Contexts: a function is differentiated once for each set of places that are active at its entry
// and exit.  Active is what depends on the inputs and influences the outputs; besides, what an
// active pointer may point to, what a callee needs, and what is overwritten and active outside.
#include "sweep.h"

static int object_in(CFlow *to, const CFlow *from, int obj) {
  Obj o = from->objs.at[obj];
  if (o.tag == OBJ_VAR) return cflow_var(to, o.var);
  int parent = object_in(to, from, o.parent);
  return o.tag == OBJ_FIELD ? cflow_field(to, parent, o.field) : cflow_target(to, parent);
}

ObjSet entry_places(CFlow *to, const CFlow *from, const ObjSet *set) {
  ObjSet result = {{0}};
  for (int i = 0; i < from->objs.len; i++)
    if (set_has(set, i) && from->objs.at[i].entry) set_add(&result, object_in(to, from, i));
  return result;
}

static ObjSet floats_of(const CFlow *f, ObjSet set) {
  ObjSet result = {{0}};
  for (int i = 0; i < f->objs.len; i++) {
    const CType *t = f->objs.at[i].type;
    t = ctype_element(t);
    if (set_has(&set, i) && ctype_is_float(t)) set_add(&result, i);
  }
  return result;
}

static ObjSet both(const ObjSet *a, const ObjSet *b) {
  ObjSet r;
  for (int i = 0; i < COUNT_OF(r.w); i++) r.w[i] = a->w[i] & b->w[i];
  return r;
}

bool is_active(Derived *f, const CExpr *lvalue) {
  return cflow_active(f->flow, &f->active, lvalue);
}

bool derived_param_active(Derived *f, int i) {
  const CVar *v = f->source->params.at[i];
  CExpr e = {.tag = CE_VAR, .var = v, .type = v->type, .at = v->at};
  return is_active(f, &e);
}

// ---- closing the set ----------------------------------------------------------------------------
static bool meets_below(CFlow *f, const ObjSet *active, const ObjSet *targets) {
  for (int i = 0; i < f->objs.len; i++) {
    if (!set_has(targets, i)) continue;
    if (set_has(active, i)) return true;
    for (int k = 0; k < f->objs.len; k++)
      if (f->objs.at[k].tag == OBJ_FIELD && f->objs.at[k].parent == i && set_has(active, k))
        return true;
  }
  return false;
}

// A pointer with an active target: its other targets of numbers have shadows, too.
static bool close_pointers(Derived *d) {
  CFlow *f = d->flow;
  bool grew = false;
  for (int i = 0; i < f->objs.len; i++) {
    if (set_empty(&f->targets.at[i]) || !meets_below(f, &d->active, &f->targets.at[i])) continue;
    ObjSet floats = floats_of(f, f->targets.at[i]);
    grew |= set_join(&d->active, &floats);
  }
  return grew;
}

typedef struct {
  Derived *f;
  bool grew;
} Closing;

static void close_call(Closing *c, const CExpr *call, const CExpr *lhs) {
  Derived *g = derived_call(c->f, call, lhs);
  if (!g) return;
  CFlow *callee = cflow_of(c->f->d->p, g->source);
  for (int i = 0; i < callee->objs.len; i++) {
    if (!set_has(&g->entry_active, i)) continue;
    const Obj *o = &callee->objs.at[i];
    bool by_value = o->tag == OBJ_VAR && o->var->is_param;
    if (by_value && !ctype_is_record(o->type)) continue;
    ObjSet here = cflow_map(c->f->flow, callee, call, i);
    here = floats_of(c->f->flow, here);
    c->grew |= set_join(&c->f->active, &here);
  }
}

static bool close_expr(const CExpr *e, void *state) {
  Closing *c = state;
  if (e->tag == CE_ASSIGN) {
    const CExpr *call = cexpr_bare(e->y);
    if (call->tag == CE_CALL) close_call(c, call, e->x);
    return false;
  }
  if (e->tag == CE_CALL) close_call(c, e, NULL);
  return false;
}

static bool close_decl(const CStmt *s, void *state) {
  Closing *c = state;
  for (int i = 0; i < s->vars.len; i++) {
    const CVar *v = s->vars.at[i];
    if (!v->init || cexpr_bare(v->init)->tag != CE_CALL) continue;
    CExpr lhs = {.tag = CE_VAR, .var = v, .type = v->type, .at = v->at};
    close_call(c, cexpr_bare(v->init), &lhs);
  }
  if (s->tag == CS_RETURN && s->x && c->f->flow->result >= 0 && cexpr_bare(s->x)->tag == CE_CALL) {
    const CVar *v = c->f->flow->objs.at[c->f->flow->result].var;
    CExpr lhs = {.tag = CE_VAR, .var = v, .type = v->type, .at = s->at};
    close_call(c, cexpr_bare(s->x), &lhs);
  }
  return true;
}

bool activity_close(Derived *f) {
  Closing c = {f, false};
  c.grew = close_pointers(f);
  cstmt_visit(f->simple->f->body, close_decl, close_expr, &c);
  return c.grew;
}

// ---- making contexts ----------------------------------------------------------------------------
static Derived *derived_new(CDiff *d, CFunction *source) {
  Derived *f = NEW(d->arena, Derived);
  *f = (Derived){.d = d, .source = source, .shadows = map_new(d->arena),
                 .named = map_new(d->arena), .loops = map_new(d->arena)};
  f->simple = csimple_of(d->p, source);
  if (d->options->mode == CDIFF_ADJOINT) exits_remove(f->simple);
  f->flow = cflow_simple(d->p, f->simple);
  return f;
}

// Numbers that pass through a union would lose their derivative.
static void unions_refused(Derived *f) {
  for (int i = 0; i < f->flow->objs.len; i++) {
    const CType *t = f->flow->objs.at[i].type;
    t = ctype_element(t);
    if (!set_has(&f->active, i) || t->tag != CTYPE_UNION) continue;
    const CVar *v = f->flow->objs.at[i].var;
    refuse(f->d, v ? v->at : f->source->at,
           "[c-punning] Active numbers are stored in a union.", "use a struct");
  }
}

// A number at a pointer that leads nowhere we know would pass for a constant.
static bool place_known(const CExpr *e, void *state) {
  Derived *f = state;
  if (e->tag == CE_SIZEOF) return false;
  bool pointed = e->tag == CE_INDEX || (e->tag == CE_UNARY && e->op == COP_DEREF);
  if (!pointed || !ctype_is_float(e->type)) return true;
  ObjSet places = cflow_places(f->flow, e);
  if (set_empty(&places))
    cflow_gap(f->d->p->diag, e->at, "[c-points-to] Where this pointer leads to is not known.");
  return true;
}

static void activity(Derived *f, ObjSet varied, ObjSet useful) {
  cstmt_visit(f->simple->f->body, NULL, place_known, f);
  varied = floats_of(f->flow, varied);
  if (f->flow->result >= 0 && f->result_active) {
    ObjSet r = {{0}};
    set_add(&r, f->flow->result);
    set_join(&useful, &r);
    const CType *t = f->flow->objs.at[f->flow->result].type;
    for (int k = 0; t->tag == CTYPE_STRUCT && k < t->record->fields.len; k++)
      set_add(&useful, cflow_field(f->flow, f->flow->result, &t->record->fields.at[k]));
  }
  // Numbers in memory that leaves through a pointer are useful, such as what a callee allocates.
  ObjSet floats = cflow_floats_below(f->flow, useful);
  set_join(&useful, &floats);
  ObjSet forwards = cflow_reach(f->flow, &varied, false);
  ObjSet backwards = cflow_reach(f->flow, &useful, true);
  f->varied = forwards;
  f->useful = backwards;
  f->active = both(&forwards, &backwards);
  unions_refused(f);
  set_join(&f->active, &floats);
  if (f->head) set_join(&f->active, &varied);
}

static void close_all(Derived *f) {
  bool grew = true;
  while (grew) {
    grew = activity_close(f);
    CFlow *source = cflow_of(f->d->p, f->source);
    f->entry_active = entry_places(source, f->flow, &f->active);
  }
}

static Name name_for(CDiff *d, const CFunction *f) {
  const char *base = arena_printf(d->arena, "%s_%s", f->name, cdiff_tail(d->options));
  return cname_fresh(d->arena, d->p->names, d->p->used, base);
}

static bool same_set(const ObjSet *a, const ObjSet *b) { return memcmp(a, b, sizeof *a) == 0; }

static Derived *known(CDiff *d, const Derived *like, bool by_request) {
  for (int i = 0; i < d->derived.len; i++) {
    Derived *g = d->derived.at[i];
    if (g == like || g->source != like->source || g->head ||
        g->result_active != like->result_active)
      continue;
    bool same = by_request ? same_set(&g->wanted, &like->wanted) &&
        same_set(&g->given, &like->given)
                           : same_set(&g->entry_active, &like->entry_active);
    if (same) return g;
  }
  return NULL;
}

// The callee changes a pointer to active memory, or frees it: the shadows must follow.
static bool moves_active(Derived *caller, CFlow *callee, const CExpr *call, int i) {
  const Obj *o = &callee->objs.at[i];
  bool pointer = o->type->tag == CTYPE_POINTER && set_has(&callee->writes, i);
  if (o->tag == OBJ_VAR && o->var->is_param) return false;
  if (!pointer && !set_has(&callee->frees, i)) return false;
  ObjSet here = cflow_map(caller->flow, callee, call, i);
  return cflow_leads(caller->flow, &caller->active, here);
}

// One pointer for two parameters of which one is written: they are taken to be different.
static void alias_refused(CDiff *d, CFlow *callee, const CExpr *call) {
  const CFunction *g = callee->function;
  for (int i = 0; i < call->nargs && i < g->params.len; i++)
    for (int k = i + 1; k < call->nargs && k < g->params.len; k++) {
      if (call->args[i]->type->tag != CTYPE_POINTER || !same_expr(call->args[i], call->args[k]))
        continue;
      ObjSet a = callee->targets.at[cflow_var(callee, g->params.at[i])];
      ObjSet b = callee->targets.at[cflow_var(callee, g->params.at[k])];
      if (set_meets(&a, &callee->writes) || set_meets(&b, &callee->writes))
        refuse(d, call->args[k]->at,
               "[c-alias] The same memory is passed twice, and written.", "pass a copy");
    }
}

Derived *derived_call(Derived *caller, const CExpr *call, const CExpr *lhs) {
  CDiff *d = caller->d;
  CFunction *g = call->x->tag == CE_FUNCTION ? cprogram_body(d->p, call->x->function) : NULL;
  if (!g) return NULL;
  CFlow *callee = cflow_of(d->p, g);
  alias_refused(d, callee, call);
  Derived like = {.source = g};
  for (int i = 0; i < callee->objs.len; i++) {
    const Obj *o = &callee->objs.at[i];
    if (!o->entry) continue;
    if (moves_active(caller, callee, call, i)) set_add(&like.wanted, i);
    if (!cflow_floats(callee, i)) continue;
    ObjSet here = cflow_map(caller->flow, callee, call, i);
    if (!set_meets(&here, &caller->active)) continue;
    set_add(&like.given, i);
    bool value = o->tag == OBJ_VAR && o->var->is_param;
    if (set_has(&callee->writes, i) && !value) set_add(&like.wanted, i);
  }
  for (int i = 0; i < callee->objs.len; i++) {  // members of by-value parameters stay inside
    const Obj *o = &callee->objs.at[i];
    if (o->tag == OBJ_FIELD && callee->objs.at[o->parent].tag == OBJ_VAR &&
        callee->objs.at[o->parent].var->is_param)
      like.wanted.w[i / 64] &= ~((uint64_t)1 << i % 64);
  }
  like.result_active = lhs && callee->result >= 0 && is_active(caller, lhs);
  if (set_empty(&like.wanted) && !like.result_active) return NULL;
  Derived *f = known(d, &like, true);
  if (f) return f;
  f = derived_new(d, g);
  f->wanted = like.wanted;
  f->given = like.given;
  f->result_active = like.result_active;
  list_push(d->arena, &d->derived, f);
  activity(f, entry_places(f->flow, callee, &like.given),
      entry_places(f->flow, callee, &like.wanted));
  close_all(f);
  Derived *same = known(d, f, false);
  if (same && same != f) {
    for (int i = 0; i < d->derived.len; i++)
      if (d->derived.at[i] == f) d->derived.at[i] = same;
    f = same;
  }
  if (!f->name) f->name = name_for(d, g);
  return f;
}

Derived *derived_passive(Derived *caller, CFunction *source) {
  CDiff *d = caller->d;
  Derived *f = map_get(d->passive, KEY(source));
  if (f) return f;
  f = derived_new(d, source);
  map_put(d->passive, KEY(source), f);
  return f;
}

// ---- heads --------------------------------------------------------------------------------------
static void reach_floats(CFlow *f, int obj, ObjSet *to, int depth) {
  const CType *t = f->objs.at[obj].type;
  t = ctype_element(t);
  if (depth > 6) return;
  if (ctype_is_float(t)) set_add(to, obj);
  for (int k = 0; t->tag == CTYPE_STRUCT && k < t->record->fields.len; k++)
    if (type_has_shadow(t->record->fields.at[k].type))
      reach_floats(f, cflow_field(f, obj, &t->record->fields.at[k]), to, depth + 1);
  if (t->tag == CTYPE_POINTER && type_has_shadow(t->base))
    reach_floats(f, cflow_target(f, obj), to, depth + 1);
}

static _Noreturn void no_place(Derived *f, const char *text) {
  diag_error(f->d->p->diag, f->source->at, "[c-head] `%s` has no parameter or member `%s`.",
             f->source->name, text);
  stop_now(STATUS_USER_ERROR);
}

static size_t word_length(const char *s) {
  size_t n = 0;
  while (s[n] == '_' || (s[n] >= '0' && s[n] <= '9') ||
      ((s[n] | 32) >= 'a' && (s[n] | 32) <= 'z')) n++;
  return n;
}

// x, *x, x.member, x->member
static void place_named(Derived *f, const char *text, ObjSet *to) {
  const char *s = text + strspn(text, "*&( ");
  size_t len = word_length(s);
  Name name = name_intern(f->d->p->names, s, len);
  CFlow *flow = f->flow;
  int obj = -1;
  for (int i = 0; i < f->source->params.len; i++)
    if (f->source->params.at[i]->name == name) obj = cflow_var(flow, f->source->params.at[i]);
  if (obj < 0) no_place(f, text);
  for (s += len; *s == '.' || *s == '-' || *s == '>' || *s == '[' || *s == ']' ||
      *s == ')'; s += len) {
    s += strspn(s, ".->[])");
    len = word_length(s);
    if (!len) break;
    if (flow->objs.at[obj].type->tag == CTYPE_POINTER) obj = cflow_target(flow, obj);
    const CField *field = ctype_field(flow->objs.at[obj].type, name_intern(f->d->p->names, s, len));
    if (!field) no_place(f, text);
    obj = cflow_field(flow, obj, field);
  }
  ObjSet before = *to;
  reach_floats(flow, obj, to, 0);
  if (same_set(&before, to)) {
    diag_error(f->d->p->diag, f->source->at, "[c-head] `%s` has no number of floating point.",
        text);
    stop_now(STATUS_USER_ERROR);
  }
}

static void places_default(Derived *f, bool outputs, ObjSet *to) {
  for (int i = 0; i < f->source->params.len; i++) {
    ObjSet all = {{0}};
    int obj = cflow_var(f->flow, f->source->params.at[i]);
    reach_floats(f->flow, obj, &all, 0);
    if (outputs && f->source->params.at[i]->type->tag != CTYPE_POINTER) continue;
    const ObjSet *filter = outputs ? &f->flow->writes : &f->flow->reads;
    all = both(&all, filter);
    set_join(to, &all);
  }
}

Derived *derived_head(CDiff *d, const CHead *head) {
  CFunction *g = cprogram_function(d->p, head->function);
  if (!g) {
    diag_error(d->p->diag, (Span){0}, "[c-head] No function `%s` is defined.", head->function);
    stop_now(STATUS_USER_ERROR);
  }
  Derived *f = derived_new(d, g);
  f->head = true;
  f->head_spec = head;
  f->name = name_for(d, g);
  list_push(d->arena, &d->derived, f);
  ObjSet inputs = {{0}}, outputs = {{0}};
  for (int i = 0; i < head->inputs.len; i++) place_named(f, head->inputs.at[i], &inputs);
  for (int i = 0; i < head->outputs.len; i++) {
    if (strcmp(head->outputs.at[i], g->name) == 0 && f->flow->result >= 0) f->result_active = true;
    else place_named(f, head->outputs.at[i], &outputs);
  }
  if (!head->inputs.len) places_default(f, false, &inputs);
  if (!head->outputs.len) {
    places_default(f, true, &outputs);
    f->result_active = f->flow->result >= 0 && cflow_floats(f->flow, f->flow->result);
  }
  if (set_empty(&inputs) || (set_empty(&outputs) && !f->result_active)) {
    diag_error(d->p->diag, g->at, "[c-head] `%s` has no %s.", g->name,
               set_empty(&inputs) ? "inputs" : "outputs");
    stop_now(STATUS_USER_ERROR);
  }
  f->given = inputs;
  f->wanted = outputs;
  activity(f, inputs, outputs);
  close_all(f);
  return f;
}
