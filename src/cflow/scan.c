// Summaries: one pass over a body adds the reads, writes, targets and dependences of its
// statements, in any order; passes repeat until nothing changes.
#include "local.h"

void flow_edges(CFlow *f, const ObjSet *to, const ObjSet *from) {
  for (int i = 0; i < f->objs.len; i++) {
    if (!set_has(to, i) || !cflow_floats(f, i)) continue;
    for (int k = 0; k < f->objs.len; k++) {
      if (!set_has(from, k) || !cflow_floats(f, k)) continue;
      bool known = false;
      for (int n = 0; n < f->edges.len && !known; n++)
        known = f->edges.at[n].to == i && f->edges.at[n].from == k;
      if (known) continue;
      list_push(f->program->arena, &f->edges, (Edge){i, k});
      f->changed = true;
    }
  }
}

// Memory without a type has the one of the first pointer to it.
static void type_targets(CFlow *f, const CType *pointer, const ObjSet *targets) {
  pointer = ctype_element(pointer);
  if (pointer->tag != CTYPE_POINTER || pointer->base->tag == CTYPE_VOID) return;
  for (int k = 0; k < f->objs.len; k++) {
    if (!set_has(targets, k) || f->objs.at[k].type->tag != CTYPE_VOID) continue;
    f->objs.at[k].type = pointer->base;
    f->changed = true;
  }
}

void flow_points(CFlow *f, const ObjSet *places, const ObjSet *targets) {
  for (int i = 0; i < f->objs.len; i++)
    if (set_has(places, i)) type_targets(f, f->objs.at[i].type, targets);
  for (int i = 0; i < f->objs.len; i++)
    if (set_has(places, i) && set_join(&f->targets.at[i], targets)) f->changed = true;
}

void flow_writes(CFlow *f, const ObjSet *places) {
  if (set_join(&f->writes, places)) f->changed = true;
}

void flow_reads(CFlow *f, const ObjSet *places) {
  bool more = set_join(&f->reads, places);
  if (set_join(&f->loads, places) || more) f->changed = true;
}

static void read(CFlow *f, const CExpr *e) {
  ObjSet r = cflow_reads(f, e);
  flow_reads(f, &r);
}

// The statement's expression; of an assignment scan_assign says what is loaded.
static void read_all(CFlow *f, const CExpr *e) {
  ObjSet r = cflow_reads(f, e);
  if (cexpr_bare(e)->tag != CE_ASSIGN) flow_reads(f, &r);
  else if (set_join(&f->reads, &r)) f->changed = true;
}

// The variables that the address of an lvalue is computed from.
static void read_address(CFlow *f, const CExpr *e) {
  CExpr address = {.tag = CE_UNARY, .op = COP_ADDRESS, .x = e, .type = &ctype_long};
  read(f, &address);
}

static int field_of(CFlow *f, int obj, int k) {
  const CType *t = f->objs.at[obj].type;
  t = ctype_element(t);
  return t->tag == CTYPE_STRUCT ? cflow_field(f, obj, &t->record->fields.at[k]) : obj;
}

// a = b of a record type: member by member.
static void copy_record(CFlow *f, const CType *t, const ObjSet *to, const ObjSet *from, int depth) {
  t = ctype_element(t);
  if (t->tag != CTYPE_STRUCT || depth > 6) return;
  for (int k = 0; k < t->record->fields.len; k++) {
    ObjSet a = {{0}}, b = {{0}};
    for (int i = 0; i < f->objs.len; i++) {
      if (set_has(to, i)) set_add(&a, field_of(f, i, k));
      if (set_has(from, i)) set_add(&b, field_of(f, i, k));
    }
    flow_edges(f, &a, &b);
    ObjSet targets = {{0}};
    for (int i = 0; i < f->objs.len; i++)
      if (set_has(&b, i)) set_join(&targets, &f->targets.at[i]);
    flow_points(f, &a, &targets);
    copy_record(f, t->record->fields.at[k].type, &a, &b, depth + 1);
  }
}

static ObjSet members_of(CFlow *f, const ObjSet *places, int k) {
  ObjSet result = {{0}};
  for (int i = 0; i < f->objs.len; i++)
    if (set_has(places, i)) set_add(&result, field_of(f, i, k));
  return result;
}

static void list_points(CFlow *f, const ObjSet *places, const CExpr *list) {
  for (int i = 0; i < list->nelems; i++) {
    const CExpr *v = list->elems[i].value;
    bool record = list->type->tag == CTYPE_STRUCT;
    ObjSet inner = record ? members_of(f, places, (int)list->elems[i].at) : *places;
    if (v->tag == CE_LIST) {
      list_points(f, &inner, v);
      continue;
    }
    ObjSet from = flow_sources(f, v);
    flow_edges(f, &inner, &from);
    if (!ctype_is_pointer(v->type)) continue;
    ObjSet targets = cflow_targets(f, v);
    flow_points(f, &inner, &targets);
  }
}

static void assigned(CFlow *f, const ObjSet *to, const CExpr *value) {
  if (value->type->tag == CTYPE_POINTER) {
    ObjSet targets = cflow_targets(f, value);
    flow_points(f, to, &targets);
    return;
  }
  ObjSet from = flow_sources(f, value);
  if (value->tag == CE_LIST) list_points(f, to, value);
  else if (value->tag == CE_COMPOUND) list_points(f, to, value->x);
  else if (ctype_is_record(value->type) && cexpr_is_lvalue(value)) {
    from = cflow_places(f, value);
    copy_record(f, value->type, to, &from, 0);
  } else if (!ctype_is_record(value->type)) flow_edges(f, to, &from);
}

// Targets of pointers in a returned struct: `from` is the callee's place, `to` the caller's.
static void result_points(CFlow *f, const CExpr *call, CFlow *callee, int from, const ObjSet *to) {
  ObjSet targets = {{0}};
  for (int i = 0; i < callee->objs.len; i++) {
    if (!set_has(&callee->targets.at[from], i)) continue;
    ObjSet here = cflow_map(f, callee, call, i);
    set_join(&targets, &here);
  }
  flow_points(f, to, &targets);
  const CType *t = callee->objs.at[from].type;
  t = ctype_element(t);
  for (int k = 0; t->tag == CTYPE_STRUCT && k < t->record->fields.len; k++) {
    ObjSet inner = members_of(f, to, k);
    result_points(f, call, callee, field_of(callee, from, k), &inner);
  }
}

static void scan_assign(CFlow *f, const CExpr *e) {
  ObjSet to = cflow_places(f, e->x);
  read(f, e->y);
  read_address(f, e->x);
  if (e->op) read(f, e->x);
  ObjSet all = ctype_is_record(e->x->type) ? cflow_spread(f, to) : to;
  flow_writes(f, &all);
  const CExpr *call = cexpr_bare(e->y);
  while (call->tag == CE_CAST) call = cexpr_bare(call->x);
  if (call->tag == CE_CALL) flow_call(f, call);
  if (e->op) {
    flow_edges(f, &to, &to);
    ObjSet from = flow_sources(f, e->y);
    flow_edges(f, &to, &from);
    return;
  }
  assigned(f, &to, e->y);
  if (call->tag == CE_CALL && call->x->tag == CE_FUNCTION) {
    CFunction *g = cprogram_body(f->program, call->x->function);
    CFlow *callee = g ? cflow_of(f->program, g) : NULL;
    if (!callee || callee->result < 0) return;
    if (ctype_is_record(call->type)) result_points(f, call, callee, callee->result, &to);
    for (int i = 0; i < callee->objs.len; i++) {
      ObjSet start = {{0}};
      set_add(&start, i);
      if (!callee->objs.at[i].entry || !cflow_floats(callee, i)) continue;
      ObjSet reached = cflow_reach(callee, &start, false);
      ObjSet from = cflow_map(f, callee, call, i);
      ObjSet results = {{0}};
      set_add(&results, callee->result);
      results = cflow_spread(callee, results);
      if (set_meets(&reached, &results)) flow_edges(f, &all, &from);
    }
  }
}

static bool scan_expr(const CExpr *e, void *state) {
  CFlow *f = state;
  if (e->tag == CE_ASSIGN) scan_assign(f, e);
  else if (e->tag == CE_STEP) {
    ObjSet to = cflow_places(f, e->x);
    flow_writes(f, &to);
    read(f, e->x);
  } else if (e->tag == CE_CALL) flow_call(f, e);
  return e->tag == CE_COMMA || e->tag == CE_ASSIGN || e->tag == CE_CAST || e->tag == CE_CONVERT;
}

static bool scan_stmt(const CStmt *s, void *state) {
  CFlow *f = state;
  for (int i = 0; i < s->vars.len; i++) {
    CVar *v = s->vars.at[i];
    ObjSet to = {{0}};
    set_add(&to, cflow_var(f, v));
    if (!v->init) continue;
    read(f, v->init);
    ObjSet all = cflow_spread(f, to);
    flow_writes(f, &all);
    assigned(f, &to, v->init);
    if (v->init->tag == CE_CALL) {
      const CExpr lhs = {.tag = CE_VAR, .var = v, .type = v->type, .at = v->at};
      const CExpr e = {.tag = CE_ASSIGN, .x = &lhs, .y = v->init, .type = v->type, .at = v->at};
      scan_assign(f, &e);
    }
  }
  if (s->x) read_all(f, s->x);
  if (s->tag == CS_RETURN && s->x && f->result >= 0) {
    ObjSet to = {{0}};
    set_add(&to, f->result);
    const CExpr lhs = {.tag = CE_VAR, .var = f->objs.at[f->result].var, .type = s->x->type,
                       .at = s->x->at};
    const CExpr e = {.tag = CE_ASSIGN, .x = &lhs, .y = s->x, .type = s->x->type, .at = s->x->at};
    scan_assign(f, &e);
  }
  return true;
}

void flow_scan(CFlow *f) { cstmt_visit(f->body, scan_stmt, scan_expr, f); }

static CFlow *flow_new(CProgram *p, const CFunction *f, const CStmt *body, const CVar *result) {
  CFlow *flow = NEW(p->arena, CFlow);
  *flow = (CFlow){.program = p, .function = f, .body = body, .var_objs = map_new(p->arena),
                  .result = -1};
  for (int i = 0; i < f->params.len; i++) cflow_var(flow, f->params.at[i]);
  const CType *type = f->type->base;
  if (result) flow->result = cflow_var(flow, result);
  else if (type->tag != CTYPE_VOID) {
    CVar *v = NEW(p->arena, CVar);
    *v = (CVar){.name = f->name, .type = ctype_plain(p->arena, type), .owner = f, .number = -1};
    flow->result = cflow_var(flow, v);
  }
  return flow;
}

static void run(CFlow *f) {
  f->running = true;
  do {
    f->changed = false;
    flow_scan(f);
  } while (f->changed);
  f->running = false;
}

CFlow *cflow_of(CProgram *p, const CFunction *function) {
  CFlow *f = map_get(p->flows, KEY(function));
  if (f && (f->done || f->running)) return f;
  if (!f) {
    f = flow_new(p, function, csimple_of(p, function)->f->body, NULL);
    map_put(p->flows, KEY(function), f);
  }
  run(f);
  f->done = !f->quiet;
  return f;
}

CFlow *cflow_simple(CProgram *p, CSimple *s) {
  CFlow *f = flow_new(p, s->source, s->f->body, s->result);
  run(f);
  return f;
}
