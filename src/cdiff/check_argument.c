// Arguments for check programs: numbers, arrays, structs of numbers and of arrays, pointers in one
// struct whose lengths users say.  Pointers that the function does not use are null.
#include "check_argument.h"

const char *check_type_text(Arena *arena, const CType *t) {
  Text text = {0};
  ctype_print(&text, ctype_plain(arena, t), "");
  const char *s = arena_strdup(arena, text.at);
  text_free(&text);
  return s;
}

const CType *check_element(const CType *t) {
  if (t->tag == CTYPE_POINTER) t = t->base;
  return ctype_element(t);
}

// ---- inputs and outputs -------------------------------------------------------------------------
static bool in_set(Derived *f, const CVar *v, const CheckPart *part, const ObjSet *set) {
  int obj = cflow_var(f->flow, v);
  if (v->type->tag == CTYPE_POINTER) obj = cflow_target(f->flow, obj);
  for (int i = 0; i < part->fields.len; i++) obj = cflow_field(f->flow, obj, part->fields.at[i]);
  if (part->pointer) obj = cflow_target(f->flow, obj);
  return set_has(set, obj);
}

// Which of a list, from 1 on; 0: none.
static int rank_in(const CCheckPlaces *list, const CVar *v, const char *path) {
  for (int i = 0; i < list->len; i++)
    if (list->at[i].param == v && (!v || strcmp(list->at[i].path, path) == 0)) return i + 1;
  return 0;
}

static void ranks_find(Check *c, const CVar *v, CheckPart *part) {
  const CCheckFast *fast = c->check->fast;
  Derived *f = c->tangent ? c->tangent : c->adjoint;
  if (fast) {
    part->input = rank_in(&fast->inputs, v, part->path);
    part->output = rank_in(&fast->outputs, v, part->path);
  } else if (f) {
    part->input = in_set(f, v, part, &f->given);
    part->output = v->type->tag == CTYPE_POINTER && in_set(f, v, part, &f->wanted);
  }
}

int check_result_rank(const Check *c) {
  if (c->check->fast) return rank_in(&c->check->fast->outputs, NULL, "");
  return c->tangent ? c->tangent->result_active : c->adjoint && c->adjoint->result_active;
}

// ---- parts --------------------------------------------------------------------------------------
static _Noreturn void no_value(const Check *c, const CVar *v) {
  cflow_gap(c->p->diag, v->at, "[c-unsupported] A check cannot make up a value of `%s`.", v->name);
}

static void part_add(Check *c, const CheckArgument *a, CheckPart part, const CType *t) {
  part.real = ctype_is_float(t);
  if (!part.real && !ctype_is_integer(t)) no_value(c, a->v);
  part.type = check_type_text(c->p->arena, t);
  part.argument = c->arguments.len;
  if (part.real) ranks_find(c, a->v, &part);
  list_push(c->p->arena, &c->parts, part);
}

static bool is_one(const CheckArgument *a) {
  int64_t n;
  if (!a->length) return true;
  bool said = a->length->spelling && strcmp(a->length->spelling, "(1)") == 0;
  return said || (!a->length->spelling && cexpr_integer(a->length, &n) && n == 1);
}

// Numbers that a pointer in the one struct leads to.
static void pointer_add(Check *c, const CheckArgument *a, CheckPart part, const CType *t) {
  if (!is_one(a) || part.many != 1) no_value(c, a->v);
  const char *name = arena_printf(c->p->arena, "%s%s", a->name, part.path);
  part.pointer = true;
  part.length = cdiff_length_said(c->p, &c->check->lengths, c->source, name);
  if (!part.length) cdiff_length_refuse_member(c->p, a->v, part.path);
  part_add(c, a, part, t);
}

static void parts_add(Check *c, const CheckArgument *a, CheckPart part, const CType *t) {
  Arena *arena = c->p->arena;
  for (; t->tag == CTYPE_ARRAY; t = t->base) {
    if (t->count < 0 || t->base->tag == CTYPE_STRUCT) no_value(c, a->v);
    part.many *= t->count;
  }
  if (t->tag == CTYPE_POINTER && part.fields.len) pointer_add(c, a, part, t->base);
  else if (t->tag != CTYPE_STRUCT) part_add(c, a, part, t);
  for (int i = 0; t->tag == CTYPE_STRUCT && i < t->record->fields.len; i++) {
    const CField *f = &t->record->fields.at[i];
    CheckPart inner = part;
    inner.path = arena_printf(arena, "%s.%s", part.path, f->name);
    inner.fields.len = inner.fields.cap = 0;
    inner.fields.at = NULL;
    for (int k = 0; k < part.fields.len; k++) list_push(arena, &inner.fields, part.fields.at[k]);
    list_push(arena, &inner.fields, f);
    parts_add(c, a, inner, f->type);
  }
}

// ---- arguments ----------------------------------------------------------------------------------
static bool is_used(const Check *c, const CVar *v) {
  CFlow *flow = cflow_of(c->p, c->source);
  ObjSet places = cflow_spread(flow, flow->targets.at[cflow_var(flow, v)]);
  return set_meets(&places, &flow->reads) || set_meets(&places, &flow->writes);
}

static void length_find(Check *c, CheckArgument *a) {
  const CExpr *e = cdiff_length_known(c->p, &c->check->lengths, c->source, a->v);
  if (e) a->length = e->tag == CE_BINARY ? cbuild_convert(c->p->arena, e, &ctype_long) : e;
  else if (is_used(c, a->v)) cdiff_length_refuse(c->p, a->v);
  else a->tag = ARGUMENT_NONE;
}

static void argument_add(Check *c, int i) {
  CVar *v = c->source->params.at[i];
  const CType *t = v->type, *element = check_element(t);
  bool pointer = t->tag == CTYPE_POINTER, record = element->tag == CTYPE_STRUCT;
  bool number = ctype_is_float(element) || ctype_is_integer(element);
  CheckArgument a = {.v = v, .name = v->name, .type = check_type_text(c->p->arena, element),
                     .record = record, .real = ctype_is_float(element), .first = c->parts.len};
  a.tag = pointer ? ARGUMENT_MEMORY : ARGUMENT_VALUE;
  a.nested = pointer && t->base->tag == CTYPE_ARRAY;
  if (pointer && !a.real && !is_used(c, v)) a.tag = ARGUMENT_NONE;
  if (a.tag != ARGUMENT_NONE && !number && !record) no_value(c, v);
  if (a.tag == ARGUMENT_MEMORY) length_find(c, &a);
  if (a.tag != ARGUMENT_NONE) parts_add(c, &a, (CheckPart){.path = "", .many = 1}, element);
  a.parts = c->parts.len - a.first;
  a.in_tangent = c->tangent && derived_param_active(c->tangent, i);
  a.in_adjoint = c->adjoint && derived_param_active(c->adjoint, i) &&
                 !adjoint_inside_only(c->adjoint, i);
  list_push(c->p->arena, &c->arguments, a);
}

void check_arguments(Check *c) {
  for (int i = 0; i < c->source->params.len; i++) argument_add(c, i);
}
