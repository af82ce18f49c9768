// Objects of memory and the sets of them that expressions denote.
#include "local.h"

void set_add(ObjSet *s, int i) { s->w[i / 64] |= (uint64_t)1 << i % 64; }
bool set_has(const ObjSet *s, int i) { return s->w[i / 64] >> i % 64 & 1; }

bool set_join(ObjSet *to, const ObjSet *s) {
  bool grew = false;
  for (int i = 0; i < COUNT_OF(to->w); i++) {
    uint64_t all = to->w[i] | s->w[i];
    grew |= all != to->w[i];
    to->w[i] = all;
  }
  return grew;
}

bool set_meets(const ObjSet *a, const ObjSet *b) {
  for (int i = 0; i < COUNT_OF(a->w); i++)
    if (a->w[i] & b->w[i]) return true;
  return false;
}

bool set_empty(const ObjSet *a) {
  for (int i = 0; i < COUNT_OF(a->w); i++)
    if (a->w[i]) return false;
  return true;
}

static _Noreturn void too_many(CFlow *f) {
  cflow_gap(f->program->diag, f->function->at,
                   "[c-points-to] `%s` has too many places of memory to keep apart.",
                   f->function->name);
}

int obj_add(CFlow *f, Obj obj) {
  if (f->objs.len >= MOST_OBJECTS) too_many(f);
  list_push(f->program->arena, &f->objs, obj);
  list_push(f->program->arena, &f->targets, (ObjSet){{0}});
  f->changed = true;
  return f->objs.len - 1;
}

// Memory that exists before the call: a pointer in it points to other such memory.
static void target_known(CFlow *f, int obj) {
  if (ctype_element(f->objs.at[obj].type)->tag != CTYPE_POINTER) return;
  int target = cflow_target(f, obj);
  set_add(&f->targets.at[obj], target);
}

const Obj *cflow_whole(const CFlow *f, int obj) {
  const Obj *o = &f->objs.at[obj];
  while (o->tag == OBJ_FIELD) o = &f->objs.at[o->parent];
  return o;
}

int cflow_var(CFlow *f, const CVar *v) {
  uintptr_t known = (uintptr_t)map_get(f->var_objs, KEY(v));
  if (known) return (int)known - 1;
  bool formal = v->is_param || v->is_global || v->storage == CSTORE_STATIC;
  bool one = v->type->tag != CTYPE_ARRAY;
  int i = obj_add(f, (Obj){.tag = OBJ_VAR, .var = v, .parent = -1, .type = v->type,
                           .entry = formal, .formal = formal, .one = one});
  map_put(f->var_objs, KEY(v), (void *)(uintptr_t)(i + 1));
  if (formal) target_known(f, i);
  return i;
}

int cflow_target(CFlow *f, int obj) {
  for (int i = 0; i < f->objs.len; i++)
    if (f->objs.at[i].tag == OBJ_TARGET && f->objs.at[i].parent == obj) return i;
  Obj of = f->objs.at[obj];
  if (of.depth > 5)
    cflow_gap(f->program->diag, f->function->at,
                     "[c-points-to] `%s` follows pointers through more than five others.",
                     f->function->name);
  const CType *type = ctype_element(ctype_element(of.type)->base);
  int i = obj_add(f, (Obj){.tag = OBJ_TARGET, .parent = obj, .type = type, .entry = true,
                           .formal = true, .depth = of.depth + 1});
  target_known(f, i);
  return i;
}

int cflow_field(CFlow *f, int obj, const CField *field) {
  if (ctype_element(f->objs.at[obj].type)->tag == CTYPE_UNION) return obj;
  for (int i = 0; i < f->objs.len; i++)
    if (f->objs.at[i].tag == OBJ_FIELD && f->objs.at[i].parent == obj &&
        f->objs.at[i].field == field)
      return i;
  Obj of = f->objs.at[obj];
  int i = obj_add(f, (Obj){.tag = OBJ_FIELD, .parent = obj, .field = field, .type = field->type,
                           .entry = of.entry, .formal = of.formal, .depth = of.depth,
                           .one = of.one && field->type->tag != CTYPE_ARRAY});
  if (of.formal && of.entry) target_known(f, i);
  return i;
}

ObjSet cflow_spread(CFlow *f, ObjSet places) {
  for (int i = 0; i < f->objs.len; i++) {
    if (!set_has(&places, i)) continue;
    const CType *t = ctype_element(f->objs.at[i].type);
    if (t->tag != CTYPE_STRUCT) continue;
    for (int k = 0; k < t->record->fields.len; k++)
      set_add(&places, cflow_field(f, i, &t->record->fields.at[k]));
  }
  return places;
}

static ObjSet members(CFlow *f, const ObjSet *places, const CExpr *e) {
  ObjSet result = {{0}};
  for (int i = 0; i < f->objs.len; i++) {
    if (!set_has(places, i)) continue;
    const CType *t = ctype_element(f->objs.at[i].type);
    if (!ctype_is_record(t) || !ctype_field(t, e->field->name) ||
        (t->tag == CTYPE_STRUCT && ctype_field(t, e->field->name) != e->field)) {
      diag_error(f->program->diag, e->at,
                 "[c-punning] This memory is used as something else elsewhere.");
      diag_hint(f->program->diag, "give the function a rule, or one type to the memory");
      stop_now(STATUS_USER_ERROR);
    }
    set_add(&result, cflow_field(f, i, e->field));
  }
  return result;
}

static bool types_agree(const CType *a, const CType *b) {
  a = ctype_element(a);
  b = ctype_element(b);
  if (ctype_same(a, b)) return true;
  if (ctype_is_integer(a) && ctype_is_integer(b)) return ctype_size(a) == ctype_size(b);
  return a->tag == CTYPE_POINTER && b->tag == CTYPE_POINTER;
}

// Memory is of the type it is first used as.
static void check_types(CFlow *f, const ObjSet *places, const CExpr *e) {
  for (int i = 0; i < f->objs.len; i++) {
    if (!set_has(places, i)) continue;
    Obj *o = &f->objs.at[i];
    if (o->type->tag == CTYPE_VOID) o->type = ctype_element(e->type);
    if (types_agree(o->type, e->type) || ctype_element(o->type)->tag == CTYPE_UNION) continue;
    diag_error(f->program->diag, e->at,
               "[c-punning] This memory is used as something else elsewhere.");
    diag_hint(f->program->diag, "give the function a rule, or one type to the memory");
    stop_now(STATUS_USER_ERROR);
  }
}

ObjSet cflow_places(CFlow *f, const CExpr *e) {
  ObjSet result = {{0}};
  switch (e->tag) {
    case CE_VAR: set_add(&result, cflow_var(f, e->var)); break;
    case CE_INDEX:
      result = cflow_targets(f, e->x);
      check_types(f, &result, e);
      break;
    case CE_UNARY:
      if (e->op == COP_DEREF) {
        result = cflow_targets(f, e->x);
        check_types(f, &result, e);
      }
      break;
    case CE_MEMBER: {
      ObjSet of = e->arrow ? cflow_targets(f, e->x) : cflow_places(f, e->x);
      if (e->arrow) {
        CExpr access = {.tag = CE_UNARY, .op = COP_DEREF, .at = e->at, .type = e->x->type->base};
        check_types(f, &of, &access);
      }
      result = members(f, &of, e);
      break;
    }
    case CE_COMPOUND: case CE_STRING: break;
    case CE_CALL: case CE_COND: case CE_INT: case CE_FLOAT: case CE_FUNCTION: case CE_BINARY:
    case CE_ASSIGN: case CE_STEP: case CE_CAST: case CE_CONVERT: case CE_SIZEOF: case CE_COMMA:
    case CE_LIST:
      break;
  }
  return result;
}

ObjSet flow_heap(CFlow *f, const CExpr *site, int inner, const CType *type) {
  ObjSet result = {{0}};
  for (int i = 0; i < f->objs.len; i++) {
    const Obj *o = &f->objs.at[i];
    if (o->tag != OBJ_HEAP || o->site != site || o->parent != inner) continue;
    set_add(&result, i);
    return result;
  }
  set_add(&result, obj_add(f, (Obj){.tag = OBJ_HEAP, .site = site, .parent = inner, .type = type}));
  return result;
}

static ObjSet pointed(CFlow *f, const CExpr *e) {
  ObjSet places = cflow_places(f, e), result = {{0}};
  for (int i = 0; i < f->objs.len; i++)
    if (set_has(&places, i)) set_join(&result, &f->targets.at[i]);
  return result;
}

static void check_cast(CFlow *f, const CExpr *e) {
  const CType *to = e->type, *from = e->x->type;
  if (to->tag != CTYPE_POINTER || from->tag != CTYPE_POINTER) return;
  const CType *a = to->base, *b = from->base;
  if (a->tag == CTYPE_VOID || b->tag == CTYPE_VOID || types_agree(a, b)) return;
  if (ctype_is_integer(a) && ctype_is_integer(b)) return;
  diag_error(f->program->diag, e->at, "[c-punning] A pointer to one type becomes one to another.");
  diag_hint(f->program->diag, "give the function a rule, or one type to the memory");
  stop_now(STATUS_USER_ERROR);
}

ObjSet cflow_targets(CFlow *f, const CExpr *e) {
  ObjSet result = {{0}};
  switch (e->tag) {
    case CE_VAR: case CE_INDEX: case CE_MEMBER: return pointed(f, e);
    case CE_UNARY:
      if (e->op == COP_ADDRESS) return cflow_places(f, e->x);
      return e->op == COP_DEREF ? pointed(f, e) : result;
    case CE_BINARY:
      return cflow_targets(f, e->x->type->tag == CTYPE_POINTER ? e->x : e->y);
    case CE_CAST: case CE_CONVERT:
      check_cast(f, e);
      if (e->x->type->tag == CTYPE_ARRAY) return cflow_places(f, e->x);
      return ctype_is_pointer(e->x->type) ? cflow_targets(f, e->x) : result;
    case CE_COND:
      result = cflow_targets(f, e->y);
      ObjSet other = cflow_targets(f, e->z);
      set_join(&result, &other);
      return result;
    case CE_CALL: return flow_result_targets(f, e);
    case CE_ASSIGN: case CE_STEP: return pointed(f, e->x);
    case CE_INT: case CE_FLOAT: case CE_STRING: case CE_FUNCTION: case CE_SIZEOF: case CE_COMMA:
    case CE_LIST: case CE_COMPOUND:
      break;
  }
  return result;
}

static bool has_floats(const CType *t, int depth) {
  t = ctype_element(t);
  if (ctype_is_float(t)) return true;
  if (!ctype_is_record(t) || depth > 8) return false;
  for (int i = 0; i < t->record->fields.len; i++)
    if (has_floats(t->record->fields.at[i].type, depth + 1)) return true;
  return false;
}

bool cflow_floats(const CFlow *f, int obj) { return has_floats(f->objs.at[obj].type, 0); }
