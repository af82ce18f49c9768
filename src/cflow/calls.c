// Calls: the summary of the callee in terms of the caller's objects, and the library's effects.
#include "local.h"

static _Noreturn void refuse(CFlow *f, const CExpr *at, const char *message, const char *hint) {
  diag_error(f->program->diag, at->at, "%s", message);
  diag_hint(f->program->diag, "%s", hint);
  stop_now(STATUS_USER_ERROR);
}

static int param_number(const CFunction *f, const CVar *v) {
  for (int i = 0; i < f->params.len; i++)
    if (f->params.at[i] == v) return i;
  return -1;
}

static ObjSet fields_of(CFlow *f, const ObjSet *of, const CField *field) {
  ObjSet result = {{0}};
  int n = f->objs.len;
  for (int i = 0; i < n; i++) {
    if (!set_has(of, i)) continue;
    const CType *t = f->objs.at[i].type;
    t = ctype_element(t);
    if (ctype_is_record(t) && ctype_field(t, field->name) == field)
      set_add(&result, cflow_field(f, i, field));
  }
  return result;
}

static ObjSet map_target(CFlow *caller, CFlow *callee, const CExpr *call, int obj) {
  ObjSet result = {{0}};
  int pointer = callee->objs.at[obj].parent;
  const Obj *o = &callee->objs.at[pointer];
  int param = o->tag == OBJ_VAR ? param_number(callee->function, o->var) : -1;
  if (param >= 0) {
    if (param >= call->nargs) return result;
    result = cflow_targets(caller, call->args[param]);
    for (int i = 0; i < caller->objs.len; i++)
      if (set_has(&result, i) && caller->objs.at[i].type->tag == CTYPE_VOID)
        caller->objs.at[i].type = callee->objs.at[obj].type;
    return result;
  }
  ObjSet places = cflow_map(caller, callee, call, pointer);
  for (int i = 0; i < caller->objs.len; i++)
    if (set_has(&places, i)) set_join(&result, &caller->targets.at[i]);
  return result;
}

ObjSet cflow_map(CFlow *caller, CFlow *callee, const CExpr *call, int obj) {
  ObjSet result = {{0}};
  Obj o = callee->objs.at[obj];
  if (o.tag == OBJ_TARGET) return map_target(caller, callee, call, obj);
  if (o.tag == OBJ_HEAP) return flow_heap(caller, call, obj, o.type);
  if (o.tag == OBJ_FIELD) {
    ObjSet of = cflow_map(caller, callee, call, o.parent);
    return fields_of(caller, &of, o.field);
  }
  if (o.var->is_global || o.var->storage == CSTORE_STATIC) {
    set_add(&result, cflow_var(caller, o.var));
    return result;
  }
  int param = param_number(callee->function, o.var);
  if (param < 0 || param >= call->nargs) return result;
  const CExpr *arg = call->args[param];
  if (ctype_is_record(arg->type)) return cflow_places(caller, arg);
  return flow_sources(caller, arg);
}

static bool visible(const CFlow *callee, int obj) {
  const Obj *o = &callee->objs.at[obj];
  if (o->tag == OBJ_VAR) return o->var->is_global || o->var->storage == CSTORE_STATIC;
  if (o->tag == OBJ_FIELD) return visible(callee, o->parent);
  return o->tag == OBJ_HEAP || o->tag == OBJ_TARGET;
}

static void call_memory(CFlow *f, CFlow *callee, const CExpr *call) {
  for (int i = 0; i < callee->objs.len; i++) {
    if (!visible(callee, i)) continue;
    ObjSet here = cflow_map(f, callee, call, i);
    if (set_has(&callee->reads, i) && set_join(&f->reads, &here)) f->changed = true;
    if (set_has(&callee->loads, i) && set_join(&f->loads, &here)) f->changed = true;
    if (set_has(&callee->writes, i)) flow_writes(f, &here);
    if (set_has(&callee->frees, i)) set_join(&f->frees, &here);
    if (!set_has(&callee->writes, i)) continue;
    ObjSet targets = {{0}};
    for (int k = 0; k < callee->objs.len; k++) {
      if (!set_has(&callee->targets.at[i], k) || !visible(callee, k)) continue;
      ObjSet there = cflow_map(f, callee, call, k);
      set_join(&targets, &there);
    }
    flow_points(f, &here, &targets);
  }
}

static void call_edges(CFlow *f, CFlow *callee, const CExpr *call) {
  for (int i = 0; i < callee->objs.len; i++) {
    if (!cflow_floats(callee, i)) continue;
    if (!callee->objs.at[i].entry) continue;
    ObjSet start = {{0}};
    set_add(&start, i);
    ObjSet reached = cflow_reach(callee, &start, false), from = cflow_map(f, callee, call, i);
    for (int k = 0; k < callee->objs.len; k++) {
      bool out = set_has(&reached, k) && visible(callee, k) && set_has(&callee->writes, k);
      if (!out) continue;
      ObjSet to = cflow_map(f, callee, call, k);
      flow_edges(f, &to, &from);
    }
  }
}

static bool mixed_floats(const CFlow *f, const ObjSet *to, const ObjSet *from) {
  bool floats[2] = {false, false}, others[2] = {false, false};
  for (int i = 0; i < f->objs.len; i++)
    for (int k = 0; k < 2; k++) {
      if (!set_has(k ? from : to, i) || f->objs.at[i].type->tag == CTYPE_VOID) continue;
      if (cflow_floats(f, i)) floats[k] = true;
      else others[k] = true;
    }
  return (floats[0] && others[1]) || (floats[1] && others[0]);
}

static void copied(CFlow *f, const CExpr *call) {
  if (call->nargs < 2) return;
  ObjSet to = cflow_targets(f, call->args[0]), from = cflow_targets(f, call->args[1]);
  ObjSet all = cflow_spread(f, to), source = cflow_spread(f, from);
  if (mixed_floats(f, &to, &from))
    refuse(f, call, "[c-punning] Numbers are copied to memory of another type.",
           "give the function a rule, or one type to the memory");
  flow_writes(f, &all);
  flow_reads(f, &source);
  flow_edges(f, &all, &source);
  for (int i = 0; i < f->objs.len; i++)
    if (set_has(&source, i)) flow_points(f, &all, &f->targets.at[i]);
}

static void written_args(CFlow *f, const CExpr *call) {
  for (int i = 0; i < call->nargs; i++) {
    if (!ctype_is_pointer(call->args[i]->type)) continue;
    ObjSet to = cflow_targets(f, call->args[i]);
    if (call->args[i]->type->base->quals & CQ_CONST) continue;
    flow_writes(f, &to);
  }
}

static void library(CFlow *f, const CExpr *call) {
  const CLibc *row = call->x->function->libc;
  if (row->kind == LIBC_PRINT || row->kind == LIBC_INPUT || row->kind == LIBC_OPAQUE_STATE)
    f->external = true;
  switch (row->kind) {
    case LIBC_COPY: copied(f, call); return;
    case LIBC_FILL: {
      ObjSet to = cflow_targets(f, call->args[0]);
      to = cflow_spread(f, to);
      flow_writes(f, &to);
      return;
    }
    case LIBC_FREE: {
      ObjSet to = cflow_targets(f, call->args[0]);
      set_join(&f->frees, &to);
      return;
    }
    case LIBC_SPECIAL: case LIBC_INPUT: written_args(f, call); return;
    case LIBC_MATH: case LIBC_PURE: case LIBC_ALLOCATE: case LIBC_COMPARE: case LIBC_PRINT:
    case LIBC_ASSERT: case LIBC_STOP: case LIBC_OPAQUE_STATE:
      return;
    case LIBC_REALLOC:
      refuse(f, call, "[c-unsupported] How much memory realloc has to copy is not known here.",
             "give it a local variable that malloc, realloc or NULL sets; or malloc, copy in a "
             "loop, free");
    case LIBC_REFUSED:
      refuse(f, call, "[c-unsupported] This function of the library cannot be differentiated.",
             "call it before or after the function that is differentiated");
  }
}

void flow_call(CFlow *f, const CExpr *call) {
  if (call->x->tag != CE_FUNCTION)
    refuse(f, call, "[c-function-pointer] A call through a pointer to a function.",
           "let the pointer be a parameter that gets a function's name, a constant, or an element "
           "of a constant table of at most 8");
  const CFunction *named = call->x->function;
  ObjSet reads = cflow_reads(f, call);
  flow_reads(f, &reads);
  CFunction *g = cprogram_body(f->program, named);
  if (!g && named->libc) {
    library(f, call);
    return;
  }
  if (!g)
    refuse(f, call, "[c-no-rule] This function has no source here.",
           "name the file that defines it, too");
  CFlow *callee = cflow_of(f->program, g);
  if (callee->running && callee != f) f->quiet = true;
  f->external |= callee->external;
  call_memory(f, callee, call);
  call_edges(f, callee, call);
}

ObjSet flow_result_targets(CFlow *f, const CExpr *call) {
  ObjSet result = {{0}};
  if (call->x->tag != CE_FUNCTION) return result;
  const CLibc *row = call->x->function->libc;
  CFunction *g = cprogram_body(f->program, call->x->function);
  if (!g && row && (row->kind == LIBC_ALLOCATE || row->kind == LIBC_REALLOC))
    return flow_heap(f, call, -1, &ctype_void);
  if (!g && row && (row->kind == LIBC_COPY || row->kind == LIBC_FILL))
    return cflow_targets(f, call->args[0]);
  if (!g) return result;
  CFlow *callee = cflow_of(f->program, g);
  if (callee->result < 0) return result;
  for (int i = 0; i < callee->objs.len; i++) {
    if (!set_has(&callee->targets.at[callee->result], i)) continue;
    ObjSet here = cflow_map(f, callee, call, i);
    set_join(&result, &here);
  }
  return result;
}
