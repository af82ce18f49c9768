// Shadows: the variable, place or pointer that has the derivative of another.  Types follow:
// numbers of floating point are their own shadows, a struct's has the members that have one.
#include "local.h"

bool type_has_shadow(const CType *t) {
  while (t->tag == CTYPE_ARRAY || t->tag == CTYPE_POINTER) t = t->base;
  if (ctype_is_float(t)) return true;
  if (t->tag != CTYPE_STRUCT || !t->record->complete) return false;
  for (int i = 0; i < t->record->fields.len; i++) {
    const CType *inner = t->record->fields.at[i].type;
    while (inner->tag == CTYPE_ARRAY || inner->tag == CTYPE_POINTER) inner = inner->base;
    if (inner->record == t->record) continue;
    if (type_has_shadow(inner)) return true;
  }
  return false;
}

bool shadow_leads(const CType *t) {
  t = ctype_element(t);
  for (int i = 0; t->tag == CTYPE_STRUCT && i < t->record->fields.len; i++) {
    const CType *inner = t->record->fields.at[i].type;
    if (type_has_shadow(inner) && shadow_leads(inner)) return true;
  }
  return t->tag == CTYPE_POINTER;
}

// A variable of type void * has one where it leads to active numbers.
bool may_have_shadow(const CType *t) {
  return type_has_shadow(t) || (t->tag == CTYPE_POINTER && t->base->tag == CTYPE_VOID);
}

// Of a member: lengths may be enumerators of the function that defines the struct.
static const CType *member_type(CDiff *d, const CType *t) {
  if (t->tag != CTYPE_ARRAY) return shadow_type(d, t);
  CType *s = arena_copy(d->arena, shadow_type(d, t), sizeof *s);
  s->base = member_type(d, t->base);
  s->length = NULL;
  return s;
}

static CRecord *shadow_record(CDiff *d, const CRecord *r) {
  CRecord *s = map_get(d->records, KEY(r));
  if (s) return s;
  if (directions_any(d))
    refuse(d, r->at, "[c-unsupported] An active struct, for a number of directions that is known "
           "when it runs.", "say the most directions, --multi 16, or pass its members");
  s = NEW(d->arena, CRecord);
  map_put(d->records, KEY(r), s);
  const char *name = r->alias ? r->alias : r->name;
  *s = (CRecord){.tag = r->tag, .complete = true, .at = r->at, .size = r->size, .align = r->align};
  s->alias = cname_fresh(d->arena, d->p->names, d->p->used,
                         arena_printf(d->arena, directions_many(d) ? "%s_diffv" : "%s_diff",
                                      name ? name : "record"));
  for (int i = 0; i < r->fields.len; i++) {
    const CField *f = &r->fields.at[i];
    if (!type_has_shadow(f->type)) continue;
    CField own = {f->name, member_type(d, f->type), f->offset, f->at, NULL};
    list_push(d->arena, &s->fields, own);
  }
  list_push(d->arena, &d->shadow_records, s);
  return s;
}

const CType *shadow_type(CDiff *d, const CType *t) {
  unsigned quals = t->quals & ~(unsigned)CQ_CONST;
  CType *s = arena_copy(d->arena, t, sizeof *t);
  s->quals = quals & ~(unsigned)CQ_VOLATILE;
  if (t->tag == CTYPE_POINTER || t->tag == CTYPE_ARRAY) {
    s->base = shadow_type(d, t->base);
    s->alias = NULL;
    return s;
  }
  if (directions_many(d) && ctype_is_float(t)) return directions_type(d, s);
  if (t->tag != CTYPE_STRUCT) return s;
  s->record = shadow_record(d, t->record);
  s->alias = s->record->alias;
  return s;
}

CVar *shadow_var(Derived *f, const CVar *v) {
  CVar *s = map_get(f->shadows, KEY(v));
  if (s) return s;
  bool adjoint = f->d->options->mode == CDIFF_ADJOINT, many = directions_many(f->d);
  const char *base = arena_printf(f->d->arena, "%s%s", v->name, adjoint ? "b" : "d");
  s = cvar_fresh(f->simple, base, shadow_type(f->d, v->type));
  s->storage = v->storage == CSTORE_REGISTER ? CSTORE_NONE : v->storage;
  s->is_param = v->is_param;
  s->at = v->at;
  bool by_value = v->is_param && adjoint && v->type->tag != CTYPE_POINTER;
  if (by_value) s->type = ctype_pointer(f->d->arena, s->type);
  if (many && v->is_param && ctype_is_float(v->type))
    s->type = directions_parameter(f->d, ctype_plain(f->d->arena, v->type));
  map_put(f->shadows, KEY(v), s);
  return s;
}

static const CExpr *shadow_bytes(CDiff *d, const CExpr *e);
static CExpr *copied(CDiff *d, const CExpr *e) { return arena_copy(d->arena, e, sizeof *e); }

// The adjoint of a parameter by value that changes is summed, and added at the end.
static const CExpr *shadow_sum(Derived *f, const CVar *s) {
  CVar *sum = map_get(f->shadows, KEY(s));
  if (!sum) {
    const CType *t = s->type->base;
    sum = cvar_fresh(f->simple, s->name,
                     directions_many(f->d) && ctype_is_float(t) ? directions_type(f->d, t) : t);
    map_put(f->shadows, KEY(s), sum);
  }
  return var_of(f->d, sum);
}

// A variable, and all members and cells of it.
static ObjSet memory_of(const Derived *f, const CVar *v) {
  ObjSet one = {{0}};
  set_add(&one, cflow_var(f->flow, v));
  return cflow_spread(f->flow, one);
}

// A parameter by value that is assigned, or members of it are, or cells of their arrays.
bool parameter_changes(Derived *f, const CVar *v) {
  if (v->assigned || !ctype_is_record(v->type)) return v->assigned;
  ObjSet all = memory_of(f, v);
  return set_meets(&all, &f->flow->writes);
}

// Whether its adjoint is no longer the caller's: a number with a derivative changes in it.
static bool adjoint_changes(Derived *f, const CVar *v) {
  if (!ctype_is_record(v->type)) return v->assigned;
  ObjSet all = memory_of(f, v);
  bool changes = false;
  for (int i = 0; i < f->flow->objs.len; i++)
    changes |= set_has(&all, i) && set_has(&f->flow->writes, i) &&
               f->flow->objs.at[i].tag == OBJ_FIELD && type_has_shadow(f->flow->objs.at[i].type);
  if (changes && shadow_leads(v->type))
    refuse(f->d, v->at, "[c-unsupported] A struct with pointers is passed by value and changed.",
           "pass a pointer to it, or copy its members to variables");
  return changes;
}

static const CExpr *shadow_variable(Derived *f, const CExpr *e) {
  CDiff *d = f->d;
  if (e->var->is_global || e->var->storage == CSTORE_STATIC)
    refuse(d, e->at, "[c-global] An active global or static variable.",
           "make it a parameter of the functions that use it");
  CVar *s = shadow_var(f, e->var);
  const CExpr *x = var_of(d, s);
  bool number = directions_many(d) && ctype_is_float(e->var->type);
  if (number && d->options->mode == CDIFF_TANGENT) return x;
  bool by_value = e->var->is_param && s->type->tag == CTYPE_POINTER &&
                  e->var->type->tag != CTYPE_POINTER;
  bool sums = by_value && (number ? e->var->assigned || e->var->addressed
                                  : adjoint_changes(f, e->var));
  if (sums) return shadow_sum(f, s);
  return by_value && !number ? cbuild_unary(d->arena, COP_DEREF, x) : x;
}

const CExpr *shadow_place(Derived *f, const CExpr *e) {
  CDiff *d = f->d;
  switch ((int)e->tag) {
    case CE_VAR: return shadow_variable(f, e);
    case CE_INDEX: return cbuild_index(d->arena, shadow_pointer(f, e->x), e->y);
    case CE_UNARY: return cbuild_unary(d->arena, COP_DEREF, shadow_pointer(f, e->x));
    case CE_MEMBER: {
      const CExpr *x = e->arrow ? shadow_pointer(f, e->x) : shadow_place(f, e->x);
      const CType *record = e->arrow ? x->type->base : x->type;
      bool arrow = e->arrow;
      if (!arrow && x->tag == CE_UNARY && x->op == COP_DEREF) x = x->x, arrow = true;
      const CField *field = ctype_field(record, e->field->name);
      if (!field) refuse(d, e->at, "[c-punning] This member has no derivative.", NULL);
      return cbuild_field(d->arena, x, arrow, field);
    }
    default: refuse(d, e->at, "[c-unsupported] The derivative of this place is not supported.",
        NULL);
  }
}

static bool finds_sizeof(const CExpr *e, void *state) {
  *(bool *)state |= e->tag == CE_SIZEOF;
  return true;
}

// Bytes that are not a multiple of a size of a type: no length can be told from them.
static void size_checked(CDiff *d, const CExpr *e) {
  bool found = false;
  cexpr_visit(e, finds_sizeof, &found);
  int64_t n;
  if (found || (cexpr_integer(e, &n) && n == 0)) return;
  refuse(d, d->at, "[c-unsupported] The size of active memory is not in terms of `sizeof`.",
         "write n*sizeof(double)");
}

const CExpr *shadow_size(CDiff *d, const CExpr *e) {
  if (directions_many(d)) size_checked(d, e);
  return shadow_bytes(d, e);
}

const CExpr *shadow_size_of(CDiff *d, const CType *t, const CExpr *e) {
  bool record = ctype_is_record(ctype_element(t));
  if (!record && !directions_many(d)) return e;
  size_checked(d, e);
  return shadow_bytes(d, e);
}

static const CExpr *shadow_bytes(CDiff *d, const CExpr *e) {
  if (!e) return NULL;
  CExpr *r = copied(d, e);
  if (e->tag == CE_SIZEOF) {
    r->measured = shadow_type(d, e->measured);
    bool number = ctype_is_float(e->measured) && !directions_many(d);
    if (!number) r->x = NULL;
    return r;
  }
  r->x = shadow_bytes(d, e->x);
  r->y = shadow_bytes(d, e->y);
  r->z = shadow_bytes(d, e->z);
  return r;
}

// The type of the memory that a pointer leads to, which a conversion to void * hides.
const CType *shadow_led(const CExpr *pointer, const CExpr **bare) {
  const CType *t = pointer->type->base;
  *bare = pointer;
  while (t->tag == CTYPE_VOID && ((*bare)->tag == CE_CONVERT || (*bare)->tag == CE_CAST)) {
    *bare = (*bare)->x;
    t = (*bare)->type->base ? (*bare)->type->base : (*bare)->type;
  }
  return t;
}

static const CExpr *allocation(Derived *f, const CExpr *call) {
  CDiff *d = f->d;
  const char *name = call->x->function->name;
  bool counts = strcmp(name, "calloc") == 0;
  if (!counts && strcmp(name, "malloc") != 0)
    refuse(d, call->at, "[c-unsupported] Only malloc and calloc allocate active memory.",
           "write malloc");
  const CExpr *count = counts ? call->args[0] : cbuild_int(d->arena, 1);
  const CExpr *args[2] = {count, shadow_size(d, call->args[counts ? 1 : 0])};
  return mk_call(d, "calloc", ctype_pointer(d->arena, &ctype_void), args, 2);
}

const CExpr *shadow_pointer(Derived *f, const CExpr *e) {
  CDiff *d = f->d;
  CExpr *r;
  switch ((int)e->tag) {
    case CE_VAR: case CE_INDEX: case CE_MEMBER: return shadow_place(f, e);
    case CE_UNARY:
      if (e->op == COP_ADDRESS) {
        const CExpr *x = shadow_place(f, e->x);
        if (x->tag == CE_UNARY && x->op == COP_DEREF) return x->x;
        return cbuild_unary(d->arena, COP_ADDRESS, x);
      }
      return shadow_place(f, e);
    case CE_BINARY: {
      bool left = e->x->type->tag == CTYPE_POINTER;
      const CExpr *x = left ? shadow_pointer(f, e->x) : e->x;
      const CExpr *y = left ? e->y : shadow_pointer(f, e->y);
      return cbuild_binary(d->arena, e->op, x, y);
    }
    case CE_CAST: case CE_CONVERT:
      if (e->x->type->tag == CTYPE_ARRAY)
        return cbuild_convert(d->arena, shadow_place(f, e->x), shadow_type(d, e->type));
      r = copied(d, e);
      r->type = shadow_type(d, e->type);
      if (!ctype_is_integer(e->x->type)) r->x = shadow_pointer(f, e->x);
      return r;
    case CE_COND: return mk_cond(d, e->x, shadow_pointer(f, e->y), shadow_pointer(f, e->z));
    case CE_INT: return e;
    case CE_CALL: return allocation(f, e);
    default:
      refuse(d, e->at, "[c-unsupported] The derivative of this pointer is not supported.", NULL);
  }
}
