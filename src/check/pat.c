// Patterns and parameters.  The types in a pattern are resolved outside of it: its names come into
// scope only when the pattern is complete.
#include "local.h"

static void name_add(Checker *c, PatNames *names, Pat *pat, Name name, BindTag tag) {
  for (int i = 0; i < names->len; i++)
    if (names->at[i]->name == name)
      report(c, pat->span, "[bound-twice] Name \"%s\" also bound earlier in the same pattern.",
             name);
  if (name[0] == '&' || name[0] == '|')
    if (name == name_of(c->names, "&&") || name == name_of(c->names, "||"))
      report(c, pat->span, "[may-not-be-redefined] The name \"%s\" may not be redefined "
                           "(#may-not-be-redefined).", name);
  Binding *b = binding_new(c, tag, name, pat->span, pat->type);
  b->pat = pat;
  unused_watch(c, b);
  info_of(c, &pat->info)->binding = b;
  list_push(c->arena, names, b);
}

static void pat_tuple(Checker *c, Pat *pat, SType *expected, BindTag tag, PatNames *names) {
  int n = pat->tuple.elems.len;
  TypeList elems = {0};
  SType *e = stype_find(expected);
  bool known = e->tag == TYPE_RECORD && stype_is_tuple(e) && e->record.fields.len == n;
  for (int i = 0; i < n; i++)
    list_push(c->arena, &elems,
              known ? e->record.fields.at[i].type : stype_fresh(c, LIFT_FULL, pat->span, NULL));
  SType *t = stype_tuple(c, &elems);
  if (!unify(c, expected, t))
    mismatch_report(c, pat->span, expected, t, "[pattern-type] Pattern cannot match value of its "
                                               "type.");
  for (int i = 0; i < n; i++) pat_infer(c, pat->tuple.elems.at[i], elems.at[i], tag, names);
}

static void pun_note(Checker *c, const Pat *pat) {
  while (pat->tag == PAT_ASCRIBE) pat = pat->ascribe.pat;
  if (!c->puns) c->puns = map_new(c->arena);
  map_put(c->puns, KEY(pat), (void *)pat);
}

static void pat_record(Checker *c, Pat *pat, SType *expected, BindTag tag, PatNames *names) {
  FieldList fields = {0};
  TypeList types = {0};
  for (int i = 0; i < pat->record.fields.len; i++) {
    FieldPat *f = &pat->record.fields.at[i];
    for (int j = 0; j < i; j++)
      if (pat->record.fields.at[j].name == f->name)
        report(c, f->span, "[duplicate-field] Duplicate fields in record pattern: \"%s\".",
               f->name);
    if (f->pun && f->name[0] == '_')
      report(c, f->span, "[private-name] Field name \"%s\" starts with an underscore and cannot "
                         "be bound; "
                         "write %s=_ instead.", f->name, f->name);
    SField field = {f->name, stype_fresh(c, LIFT_FULL, f->span, NULL)};
    list_push(c->arena, &fields, field);
    list_push(c->arena, &types, field.type);
  }
  SType *t = stype_record(c, fields);
  if (!unify(c, expected, t))
    mismatch_report(c, pat->span, expected, t, "[pattern-type] Pattern cannot match value of its "
                                               "type.");
  for (int i = 0; i < pat->record.fields.len; i++)
    if (pat->record.fields.at[i].pun) pun_note(c, pat->record.fields.at[i].pat);
  for (int i = 0; i < types.len; i++)
    pat_infer(c, pat->record.fields.at[i].pat, types.at[i], tag, names);
}

static void pat_constr(Checker *c, Pat *pat, SType *expected, BindTag tag, PatNames *names) {
  Constr constr = {pat->constr.name, {0}};
  for (int i = 0; i < pat->constr.args.len; i++)
    list_push(c->arena, &constr.args, stype_fresh(c, LIFT_FULL, pat->span, NULL));
  if (!unify(c, expected, stype_fresh_sum(c, constr, pat->span))) {
    mismatch_report(c, pat->span, expected, stype_fresh_sum(c, constr, pat->span),
                    "[pattern-type] Pattern cannot match value of its type.");
    hint_constr(c, expected, pat->constr.name);
  }
  for (int i = 0; i < pat->constr.args.len; i++)
    pat_infer(c, pat->constr.args.at[i], constr.args.at[i], tag, names);
}

static void pat_ascribe(Checker *c, Pat *pat, SType *expected, BindTag tag, PatNames *names) {
  SType *t = type_exp(c, pat->ascribe.type);
  SType *bare = stype_strip(c, t);
  if (!unify(c, expected, bare))
    mismatch_report(c, pat->span, expected, bare, "[pattern-type] Pattern cannot match value of "
                                                  "its type.");
  pat_infer(c, pat->ascribe.pat, bare, tag, names);
}

static void pat_form(Checker *c, Pat *pat, SType *expected, BindTag tag, PatNames *names) {
  switch (pat->tag) {
    case PAT_NAME: name_add(c, names, pat, pat->name.name, tag); break;
    case PAT_WILD: break;
    case PAT_TUPLE: pat_tuple(c, pat, expected, tag, names); break;
    case PAT_RECORD: pat_record(c, pat, expected, tag, names); break;
    case PAT_LIT: {
      SType *t = infer(c, pat->lit.exp);
      if (!unify(c, expected, t))
        mismatch_report(c, pat->span, expected, t, "[pattern-type] Pattern cannot match value of "
                                                   "its type.");
      break;
    }
    case PAT_CONSTR: pat_constr(c, pat, expected, tag, names); break;
    case PAT_ASCRIBE: pat_ascribe(c, pat, expected, tag, names); break;
    case PAT_ATTR: pat_infer(c, pat->attr.pat, expected, tag, names); break;
  }
}

static SType *tuple_kept(Checker *c, Pat *pat, SType *type);
static SType *record_kept(Checker *c, Pat *pat, SType *type);

// The type of a parameter with the `*` of ascriptions inside its pattern.
static SType *pat_declared(Checker *c, Pat *pat) {
  switch (pat->tag) {
    case PAT_ASCRIBE: {
      SType *t = pat->ascribe.type->info ? pat->ascribe.type->info->type : pat->type;
      return t->starred ? t : pat_declared(c, pat->ascribe.pat);
    }
    case PAT_TUPLE: return tuple_kept(c, pat, pat->type);
    case PAT_RECORD: return record_kept(c, pat, pat->type);
    case PAT_ATTR: return pat_declared(c, pat->attr.pat);
    case PAT_NAME:
    case PAT_WILD:
    case PAT_LIT:
    case PAT_CONSTR: return pat->type;
  }
  return pat->type;
}

static SType *record_kept(Checker *c, Pat *pat, SType *type) {
  FieldList fields = {0};
  bool starred = false;
  for (int i = 0; i < pat->record.fields.len; i++) {
    SField field = {pat->record.fields.at[i].name, pat_declared(c, pat->record.fields.at[i].pat)};
    starred |= field.type->starred;
    list_push(c->arena, &fields, field);
  }
  return starred ? stype_record(c, fields) : type;
}

static SType *tuple_kept(Checker *c, Pat *pat, SType *type) {
  TypeList elems = {0};
  bool starred = false;
  for (int i = 0; i < pat->tuple.elems.len; i++) {
    SType *t = pat_declared(c, pat->tuple.elems.at[i]);
    starred |= t->starred;
    list_push(c->arena, &elems, t);
  }
  return starred ? stype_tuple(c, &elems) : type;
}

SType *pat_infer(Checker *c, Pat *pat, SType *expected, BindTag tag, PatNames *names) {
  pat->type = stype_strip(c, expected);
  pat_form(c, pat, pat->type, tag, names);
  return pat->type;
}

void pat_names_bind(Checker *c, const PatNames *names) {
  for (int i = 0; i < names->len; i++)
    scope_put(c, SPACE_TERM, names->at[i]->name, names->at[i]);
}

Name pat_param_name(const Pat *pat) {
  switch (pat->tag) {
    case PAT_NAME: return pat->name.name;
    case PAT_ASCRIBE: return pat_param_name(pat->ascribe.pat);
    case PAT_ATTR: return pat_param_name(pat->attr.pat);
    case PAT_WILD:
    case PAT_TUPLE:
    case PAT_RECORD:
    case PAT_LIT:
    case PAT_CONSTR: return NULL;
  }
  return NULL;
}

static SType *param_infer(Checker *c, Pat *pat, BindTag tag, PatNames *all) {
  PatNames names = {0};
  pat_infer(c, pat, stype_fresh(c, LIFT_FULL, pat->span, NULL), tag, &names);
  for (int i = 0; i < names.len; i++) {
    for (int j = 0; j < all->len; j++)
      if (all->at[j]->name == names.at[i]->name)
        report(c, names.at[i]->span, "[bound-twice] Name \"%s\" also bound by an earlier "
                                     "parameter.",
               names.at[i]->name);
    list_push(c->arena, all, names.at[i]);
  }
  pat_names_bind(c, &names);
  later_refutable(c, pat);
  return pat_declared(c, pat);
}

void params_infer(Checker *c, PatList *params, BindTag tag, TypeList *from) {
  PatNames all = {0};
  for (int i = 0; i < params->len; i++)
    list_push(c->arena, from, param_infer(c, params->at[i], tag, &all));
}

SType *function_type(Checker *c, const PatList *params, const TypeList *from, SType *to) {
  for (int i = params->len; i-- > 0;)
    to = stype_arrow(c, pat_param_name(params->at[i]), from->at[i], to);
  return to;
}
