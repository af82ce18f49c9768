// Patterns: names get the aliases of what they are bound to, and themselves.
#include "consume.h"

typedef struct {
  Consumer *u;
  Owner *owner;
  BindMode mode;
  bool ascribed;  // a type was written around the name
} NameLeaves;

static bool leaf_consumable(const NameLeaves *n, bool star) {
  switch (n->mode) {
    case BIND_CONSUMABLE: return true;
    case BIND_DECLARED: return star;
    case BIND_LOOP: return star || !n->ascribed;
    case BIND_FROZEN: return false;
  }
  return false;
}

// The parts of `declared` have the stars of the parts of the name's type.
static Tree *name_tree(const NameLeaves *n, SType *type, SType *declared, const Tree *value);

static Tree *name_leaf(const NameLeaves *n, SType *type, SType *declared, const Tree *value) {
  Alias *self = owner_member(n->u, n->owner, leaf_consumable(n, declared->unique));
  self->declared = n->ascribed;
  Alias *set = alias_union(n->u, self, value ? value->set : NULL);
  if (type->tag != TYPE_ARROW) return tree_leaf(n->u, set);
  return value && value->fn ? tree_function(n->u, set, value->fn, value->inst)
                            : tree_function(n->u, set, type, NULL);
}

static const Tree *kid(const Tree *t, int i) {
  return t && !t->leaf && i < t->len ? t->kids[i] : NULL;
}

static Tree *name_record(const NameLeaves *n, SType *type, SType *declared, const Tree *value) {
  int len = type->record.fields.len;
  Tree **kids = NEW_ARRAY(n->u->arena, Tree *, len + 1);
  for (int i = 0; i < len; i++) {
    SType *part = type->record.fields.at[i].type;
    SType *star = declared->tag == TYPE_RECORD && declared->record.fields.len == len
                      ? declared->record.fields.at[i].type : part;
    kids[i] = name_tree(n, part, star, kid(value, i));
  }
  return tree_node(n->u, kids, len);
}

static Tree *name_sum(const NameLeaves *n, SType *type, SType *declared, const Tree *value) {
  int len = payload_count(type), at = 0;
  Tree **kids = NEW_ARRAY(n->u->arena, Tree *, len + 1);
  bool same = declared->tag == TYPE_SUM && payload_count(declared) == len;
  for (int i = 0; i < type->sum.constrs.len; i++)
    for (int j = 0; j < type->sum.constrs.at[i].args.len; j++) {
      SType *part = type->sum.constrs.at[i].args.at[j];
      SType *star = same ? declared->sum.constrs.at[i].args.at[j] : part;
      kids[at] = name_tree(n, part, star, kid(value, at));
      at++;
    }
  return tree_node(n->u, kids, len);
}

static Tree *name_tree(const NameLeaves *n, SType *type, SType *declared, const Tree *value) {
  type = stype_find(type);
  declared = stype_find(declared);
  switch (type->tag) {
    case TYPE_ARRAY:
    case TYPE_NAMED:
    case TYPE_ARROW: return name_leaf(n, type, declared, value);
    case TYPE_RECORD: return name_record(n, type, declared, value);
    case TYPE_SUM: return name_sum(n, type, declared, value);
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ERROR: return NULL;
  }
  ice("type tag %d", type->tag);
}

UseEntry *entry_new(Consumer *u, Binding *b, Owner *owner, Tree *tree) {
  UseEntry *e = NEW(u->arena, UseEntry);
  e->owner = owner;
  e->tree = tree;
  e->all = tree_all(u, tree);
  e->depth = u->depth;
  if (b) map_put(u->entries, KEY(b), e);
  return e;
}

typedef struct {
  Consumer *u;
  BindMode mode;
} PatBind;

static Tree *use_pat(const PatBind *p, Pat *pat, SType *declared, Tree *value);

static Tree *bind_name(const PatBind *p, Pat *pat, Name name, SType *declared, Tree *value) {
  Owner *owner = owner_new(p->u, name, NULL);
  owner->span = pat->span;
  NameLeaves n = {p->u, owner, p->mode, declared != NULL};
  Tree *t = name_tree(&n, pat->type, declared ? declared : pat->type, value);
  if (t && pat->info && pat->info->binding) entry_new(p->u, pat->info->binding, owner, t);
  return t;
}

static SType *declared_field(SType *declared, Name field) {
  SType *t = declared ? stype_find(declared) : NULL;
  return t && t->tag == TYPE_RECORD ? stype_field(t, field) : NULL;
}

static Tree *bind_part(const PatBind *p, Pat *pat, SType *record, Name field, SType *declared,
                       Tree *value, Tree **kids) {
  int i = field_index(record, field);
  Tree *t = use_pat(p, pat, declared_field(declared, field), tree_field(value, record, field));
  if (i >= 0) kids[i] = t;
  return t;
}

static Tree *bind_tuple(const PatBind *p, Pat *pat, SType *declared, Tree *value) {
  SType *type = stype_find(pat->type);
  if (type->tag != TYPE_RECORD) return NULL;
  int len = type->record.fields.len;
  Tree **kids = NEW_ARRAY(p->u->arena, Tree *, len + 1);
  for (int i = 0; i < pat->tuple.elems.len && i < len; i++)
    bind_part(p, pat->tuple.elems.at[i], type, type->record.fields.at[i].name, declared, value,
              kids);
  return tree_node(p->u, kids, len);
}

static Tree *bind_record(const PatBind *p, Pat *pat, SType *declared, Tree *value) {
  SType *type = stype_find(pat->type);
  if (type->tag != TYPE_RECORD) return NULL;
  int len = type->record.fields.len;
  Tree **kids = NEW_ARRAY(p->u->arena, Tree *, len + 1);
  for (int i = 0; i < pat->record.fields.len; i++)
    bind_part(p, pat->record.fields.at[i].pat, type, pat->record.fields.at[i].name, declared,
              value, kids);
  return tree_node(p->u, kids, len);
}

static Tree *bind_constr(const PatBind *p, Pat *pat, SType *declared, Tree *value) {
  SType *type = stype_find(pat->type), *d = declared ? stype_find(declared) : NULL;
  if (type->tag != TYPE_SUM) return NULL;
  int first = payload_index(type, pat->constr.name), len = payload_count(type);
  int at = d && d->tag == TYPE_SUM ? constr_index(d, pat->constr.name) : -1;
  Tree **kids = NEW_ARRAY(p->u->arena, Tree *, len + 1);
  for (int i = 0; first >= 0 && i < pat->constr.args.len && first + i < len; i++) {
    SType *star = at >= 0 ? d->sum.constrs.at[at].args.at[i] : NULL;
    Tree *part = value && !value->leaf ? value->kids[first + i] : NULL;
    kids[first + i] = use_pat(p, pat->constr.args.at[i], star, part);
  }
  return tree_node(p->u, kids, len);
}

// An outer ascription with a star counts before one inside.
static Tree *bind_ascribed(const PatBind *p, Pat *pat, SType *declared, Tree *value) {
  consume_type(p->u, pat->ascribe.type);
  SType *t = pat->ascribe.type->info ? pat->ascribe.type->info->type : NULL;
  if (p->mode != BIND_DECLARED)
    function_expect(p->u, pat->span, t, value,
                    "[pattern-type] Pattern cannot match value of its type.");
  if (!t || (declared && stype_find(declared)->starred)) t = declared;
  return use_pat(p, pat->ascribe.pat, t, value);
}

static Tree *use_pat(const PatBind *p, Pat *pat, SType *declared, Tree *value) {
  switch (pat->tag) {
    case PAT_NAME: return bind_name(p, pat, pat->name.name, declared, value);
    case PAT_WILD: return p->mode == BIND_LOOP ? bind_name(p, pat, "_", declared, value) : NULL;
    case PAT_TUPLE: return bind_tuple(p, pat, declared, value);
    case PAT_RECORD: return bind_record(p, pat, declared, value);
    case PAT_LIT: return NULL;
    case PAT_CONSTR: return bind_constr(p, pat, declared, value);
    case PAT_ASCRIBE: return bind_ascribed(p, pat, declared, value);
    case PAT_ATTR: return use_pat(p, pat->attr.pat, declared, value);
  }
  ice("pattern tag %d", pat->tag);
}

Tree *consume_pat(Consumer *u, Pat *pat, Tree *value, BindMode mode) {
  PatBind p = {u, mode};
  return use_pat(&p, pat, NULL, value);
}

void consume_params(Consumer *u, PatList *params) {
  for (int i = 0; i < params->len; i++) consume_pat(u, params->at[i], NULL, BIND_DECLARED);
}

// ---- sizes in types --------------------------------------------------------------------------
static void size_use(Consumer *u, const SizeExp *size) {
  if (!size->exp || size->exp->tag == EXP_INT) return;
  u->frozen++;
  consume_exp(u, size->exp);
  u->frozen--;
}

static void types_use(Consumer *u, const TypeExpList *types) {
  for (int i = 0; i < types->len; i++) consume_type(u, types->at[i]);
}

void consume_type(Consumer *u, TypeExp *exp) {
  switch (exp->tag) {
    case TEXP_NAME: break;
    case TEXP_APPLY:
      for (int i = 0; i < exp->apply.args.len; i++) {
        if (exp->apply.args.at[i].is_size) size_use(u, &exp->apply.args.at[i].size);
        else consume_type(u, exp->apply.args.at[i].type);
      }
      break;
    case TEXP_ARRAY:
      size_use(u, &exp->array.size);
      consume_type(u, exp->array.elem);
      break;
    case TEXP_TUPLE: types_use(u, &exp->tuple.elems); break;
    case TEXP_RECORD:
      for (int i = 0; i < exp->record.fields.len; i++)
        consume_type(u, exp->record.fields.at[i].type);
      break;
    case TEXP_SUM:
      for (int i = 0; i < exp->sum.clauses.len; i++) types_use(u, &exp->sum.clauses.at[i].args);
      break;
    case TEXP_ARROW:
      consume_type(u, exp->arrow.from);
      consume_type(u, exp->arrow.to);
      break;
    case TEXP_UNIQUE: consume_type(u, exp->unique.elem); break;
    case TEXP_EXISTS: consume_type(u, exp->exists.type); break;
  }
}
