// Alias trees: the shape of a type with a set of names at each leaf.
#include "consume.h"

// A type parameter of an instance means its argument, whose own parameters are those of the place.
SType *inst_arg(const Inst *inst, const TypeDef *def) {
  if (!inst) return NULL;
  for (int i = 0; i < inst->args.len; i++)
    if (inst->args.at[i].param == def) return inst->args.at[i].type;
  return NULL;
}

Tree *tree_leaf(Consumer *u, Alias *set) {
  if (!set) return NULL;
  Tree *t = NEW(u->arena, Tree);
  t->leaf = true;
  t->set = set;
  return t;
}

Tree *tree_function(Consumer *u, Alias *set, SType *fn, const Inst *inst) {
  Tree *t = NEW(u->arena, Tree);
  t->leaf = true;
  t->set = set;
  t->fn = fn;
  t->inst = inst;
  return t;
}

Tree *tree_node(Consumer *u, Tree **kids, int len) {
  bool empty = true;
  for (int i = 0; i < len; i++) empty &= kids[i] == NULL;
  if (empty) return NULL;
  Tree *t = NEW(u->arena, Tree);
  t->kids = kids;
  t->len = len;
  return t;
}

int payload_count(const SType *sum) {
  int n = 0;
  for (int i = 0; i < sum->sum.constrs.len; i++) n += sum->sum.constrs.at[i].args.len;
  return n;
}

int payload_index(const SType *sum, Name constr) {
  int n = 0;
  for (int i = 0; i < sum->sum.constrs.len; i++) {
    if (sum->sum.constrs.at[i].name == constr) return n;
    n += sum->sum.constrs.at[i].args.len;
  }
  return -1;
}

int field_index(const SType *record, Name field) {
  for (int i = 0; i < record->record.fields.len; i++)
    if (record->record.fields.at[i].name == field) return i;
  return -1;
}

Tree *tree_field(const Tree *t, SType *record, Name field) {
  record = stype_find(record);
  if (!t || t->leaf || record->tag != TYPE_RECORD) return NULL;
  int i = field_index(record, field);
  return i >= 0 && i < t->len ? t->kids[i] : NULL;
}

// The parts of a record or sum type in the order of a tree's kids.
static void type_parts(Consumer *u, const SType *type, TypeList *out) {
  if (type->tag == TYPE_RECORD)
    for (int i = 0; i < type->record.fields.len; i++)
      list_push(u->arena, out, type->record.fields.at[i].type);
  if (type->tag == TYPE_SUM)
    for (int i = 0; i < type->sum.constrs.len; i++)
      for (int j = 0; j < type->sum.constrs.at[i].args.len; j++)
        list_push(u->arena, out, type->sum.constrs.at[i].args.at[j]);
}

// ---- from a type and one set -----------------------------------------------------------------
typedef struct {
  Consumer *u;
  const Inst *inst;
  Alias *set, *of_functions;
} Spread;

static Tree *spread(const Spread *s, SType *type, bool unique);

static Tree *spread_parts(const Spread *s, SType *type, bool unique) {
  TypeList parts = {0};
  type_parts(s->u, type, &parts);
  Tree **kids = NEW_ARRAY(s->u->arena, Tree *, parts.len + 1);
  for (int i = 0; i < parts.len; i++) kids[i] = spread(s, parts.at[i], unique);
  return tree_node(s->u, kids, parts.len);
}

static Tree *spread(const Spread *s, SType *type, bool unique) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_NAMED: {
      SType *arg = inst_arg(s->inst, type->named.def);
      if (arg) {
        Spread outside = *s;
        outside.inst = NULL;
        return spread(&outside, arg, unique || type->unique);
      }
      return unique || type->unique ? NULL : tree_leaf(s->u, s->set);
    }
    case TYPE_ARRAY: return unique || type->unique ? NULL : tree_leaf(s->u, s->set);
    case TYPE_ARROW: return tree_function(s->u, s->of_functions, type, s->inst);
    case TYPE_RECORD:
    case TYPE_SUM: return spread_parts(s, type, unique);
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ERROR: return NULL;
  }
  ice("type tag %d", type->tag);
}

Tree *tree_spread(Consumer *u, SType *type, const Inst *inst, Alias *set, Alias *of_functions) {
  Spread s = {u, inst, set, of_functions};
  return spread(&s, type, false);
}

static bool parts_open(const SType *type, const Inst *inst, bool unique);

static bool type_open(SType *type, const Inst *inst, bool unique) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_NAMED: {
      SType *arg = inst_arg(inst, type->named.def);
      if (arg) return type_open(arg, NULL, unique || type->unique);
      return !unique && !type->unique;
    }
    case TYPE_ARRAY: return !unique && !type->unique;
    case TYPE_ARROW: return true;
    case TYPE_RECORD:
    case TYPE_SUM: return parts_open(type, inst, unique);
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ERROR: return false;
  }
  ice("type tag %d", type->tag);
}

static bool parts_open(const SType *type, const Inst *inst, bool unique) {
  bool open = false;
  if (type->tag == TYPE_RECORD)
    for (int i = 0; i < type->record.fields.len && !open; i++)
      open = type_open(type->record.fields.at[i].type, inst, unique);
  if (type->tag == TYPE_SUM)
    for (int i = 0; i < type->sum.constrs.len && !open; i++)
      for (int j = 0; j < type->sum.constrs.at[i].args.len && !open; j++)
        open = type_open(type->sum.constrs.at[i].args.at[j], inst, unique);
  return open;
}

bool type_has_open(SType *type, const Inst *inst) { return type_open(type, inst, false); }

// ---- on trees --------------------------------------------------------------------------------
Tree *tree_join(Consumer *u, Tree *a, Tree *b) {
  if (!a || a == b) return b;
  if (!b) return a;
  if (a->leaf != b->leaf || a->len != b->len) return a;
  if (a->leaf) {
    Alias *set = alias_union(u, a->set, b->set);
    return a->fn ? tree_function(u, set, a->fn, a->inst) : tree_leaf(u, set);
  }
  Tree **kids = NEW_ARRAY(u->arena, Tree *, a->len);
  for (int i = 0; i < a->len; i++) kids[i] = tree_join(u, a->kids[i], b->kids[i]);
  return tree_node(u, kids, a->len);
}

// The first name in the tree that has been consumed.
Owner *tree_tainted(const Tree *t) {
  if (!t) return NULL;
  if (t->leaf) return t->set ? t->set->tainted : NULL;
  for (int i = 0; i < t->len; i++) {
    Owner *o = tree_tainted(t->kids[i]);
    if (o) return o;
  }
  return NULL;
}

Tree *tree_live(Consumer *u, Tree *t) {
  if (!tree_tainted(t)) return t;
  if (t->leaf) {
    Alias *set = alias_live(u, t->set);
    return t->fn ? tree_function(u, set, t->fn, t->inst) : tree_leaf(u, set);
  }
  Tree **kids = NEW_ARRAY(u->arena, Tree *, t->len);
  for (int i = 0; i < t->len; i++) kids[i] = tree_live(u, t->kids[i]);
  return tree_node(u, kids, t->len);
}

Alias *tree_all(Consumer *u, Tree *t) {
  if (!t) return NULL;
  if (t->leaf) return t->set;
  Alias *all = NULL;
  for (int i = 0; i < t->len; i++) all = alias_union(u, all, tree_all(u, t->kids[i]));
  return all;
}

// ---- leaves in order -------------------------------------------------------------------------
void tree_leaves(Consumer *u, SType *type, const Tree *t, AliasList *out) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_ARRAY:
    case TYPE_NAMED:
    case TYPE_ARROW: list_push(u->arena, out, t && t->leaf ? t->set : NULL); break;
    case TYPE_RECORD:
    case TYPE_SUM: {
      TypeList parts = {0};
      type_parts(u, type, &parts);
      for (int i = 0; i < parts.len; i++)
        tree_leaves(u, parts.at[i], t && !t->leaf && i < t->len ? t->kids[i] : NULL, out);
      break;
    }
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ERROR: break;
  }
}

bool leaves_agree(Consumer *u, int have, int want) {
  if (have == want) return true;
  check(u->c->diag->errors > 0);
  return false;
}

void leaves_fit(Consumer *u, AliasList *leaves, int len) {
  if (leaves_agree(u, leaves->len, len)) return;
  while (leaves->len < len) list_push(u->arena, leaves, NULL);
  leaves->len = len;
}

Tree *tree_build(Consumer *u, SType *type, const AliasList *leaves, int *at) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_ARRAY:
    case TYPE_NAMED: return tree_leaf(u, leaves->at[(*at)++]);
    case TYPE_ARROW: return tree_function(u, leaves->at[(*at)++], type, NULL);
    case TYPE_RECORD:
    case TYPE_SUM: {
      TypeList parts = {0};
      type_parts(u, type, &parts);
      Tree **kids = NEW_ARRAY(u->arena, Tree *, parts.len + 1);
      for (int i = 0; i < parts.len; i++) kids[i] = tree_build(u, parts.at[i], leaves, at);
      return tree_node(u, kids, parts.len);
    }
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ERROR: return NULL;
  }
  ice("type tag %d", type->tag);
}

void type_uniques(Consumer *u, SType *type, const Inst *inst, bool unique, FlagList *out) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_NAMED: {
      SType *arg = inst_arg(inst, type->named.def);
      if (arg) type_uniques(u, arg, NULL, unique || type->unique, out);
      else list_push(u->arena, out, unique || type->unique);
      break;
    }
    case TYPE_ARRAY: list_push(u->arena, out, unique || type->unique); break;
    case TYPE_ARROW: list_push(u->arena, out, false); break;
    case TYPE_RECORD:
    case TYPE_SUM: {
      TypeList parts = {0};
      type_parts(u, type, &parts);
      for (int i = 0; i < parts.len; i++) type_uniques(u, parts.at[i], inst, unique, out);
      break;
    }
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ERROR: break;
  }
}

// ---- inferred uniqueness ---------------------------------------------------------------------
static SType *record_with(Checker *c, const SType *type, const FlagList *unique, int *at) {
  FieldList fields = {0};
  for (int i = 0; i < type->record.fields.len; i++) {
    SField f = type->record.fields.at[i];
    f.type = type_with_uniques(c, f.type, unique, at);
    list_push(c->arena, &fields, f);
  }
  return stype_record(c, fields);
}

static SType *sum_with(Checker *c, const SType *type, const FlagList *unique, int *at) {
  ConstrList constrs = {0};
  for (int i = 0; i < type->sum.constrs.len; i++) {
    Constr old = type->sum.constrs.at[i], new = {old.name, {0}};
    for (int j = 0; j < old.args.len; j++)
      list_push(c->arena, &new.args, type_with_uniques(c, old.args.at[j], unique, at));
    list_push(c->arena, &constrs, new);
  }
  return stype_sum(c, constrs);
}

SType *type_with_uniques(Checker *c, SType *type, const FlagList *unique, int *at) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_ARRAY:
    case TYPE_NAMED: {
      bool star = unique->at[(*at)++];
      return star ? stype_star(c, type) : type;
    }
    case TYPE_ARROW: (*at)++; return type;
    case TYPE_RECORD: return record_with(c, type, unique, at);
    case TYPE_SUM: return sum_with(c, type, unique, at);
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ERROR: return type;
  }
  ice("type tag %d", type->tag);
}
