// Exhaustiveness: the matrix algorithm.  Rows are patterns not yet ruled out, columns the parts of
// the value; what no row covers is reported as example patterns.
#include "local.h"

typedef LIST(const Pat *) Row;  // NULL: matches anything
typedef LIST(Row) Matrix;
typedef LIST(const char *) Witness;  // one example per column
typedef LIST(Witness) WitnessList;
enum { WITNESS_LIMIT = 10 };

static const Pat *pat_bare(const Pat *pat) {
  while (pat && (pat->tag == PAT_ASCRIBE || pat->tag == PAT_ATTR))
    pat = pat->tag == PAT_ASCRIBE ? pat->ascribe.pat : pat->attr.pat;
  return pat && (pat->tag == PAT_NAME || pat->tag == PAT_WILD) ? NULL : pat;
}

static WitnessList uncovered(Checker *c, const Matrix *rows, const TypeList *types);

static Row row_tail(Checker *c, const Row *row, Row head) {
  for (int i = 1; i < row->len; i++) list_push(c->arena, &head, row->at[i]);
  return head;
}

static TypeList types_tail(Checker *c, const TypeList *types, TypeList head) {
  for (int i = 1; i < types->len; i++) list_push(c->arena, &head, types->at[i]);
  return head;
}

// The columns of a witness after the first n, behind a new first one.
static Witness witness_fold(Checker *c, const Witness *w, int n, const char *head) {
  Witness out = {0};
  list_push(c->arena, &out, head);
  for (int i = n; i < w->len; i++) list_push(c->arena, &out, w->at[i]);
  return out;
}

// ---- records ---------------------------------------------------------------------------------
static const Pat *record_part(const Pat *pat, const SField *field, int i) {
  if (!pat) return NULL;
  if (pat->tag == PAT_TUPLE)
    return i < pat->tuple.elems.len ? pat_bare(pat->tuple.elems.at[i]) : NULL;
  if (pat->tag == PAT_RECORD)
    for (int j = 0; j < pat->record.fields.len; j++)
      if (pat->record.fields.at[j].name == field->name)
        return pat_bare(pat->record.fields.at[j].pat);
  return NULL;
}

static const char *record_text(Checker *c, const SType *type, const Witness *w) {
  bool tuple = stype_is_tuple(type);
  const char *s = tuple ? "(" : "{";
  for (int i = 0; i < type->record.fields.len; i++) {
    const char *comma = i ? ", " : "";
    s = tuple ? arena_printf(c->arena, "%s%s%s", s, comma, w->at[i])
              : arena_printf(c->arena, "%s%s%s = %s", s, comma, type->record.fields.at[i].name,
                             w->at[i]);
  }
  return arena_printf(c->arena, "%s%s", s, tuple ? ")" : "}");
}

static WitnessList split_record(Checker *c, const Matrix *rows, const TypeList *types,
                                const SType *type) {
  const FieldList *fields = &type->record.fields;
  Matrix inner = {0};
  for (int i = 0; i < rows->len; i++) {
    Row head = {0};
    for (int j = 0; j < fields->len; j++)
      list_push(c->arena, &head, record_part(rows->at[i].at[0], &fields->at[j], j));
    list_push(c->arena, &inner, row_tail(c, &rows->at[i], head));
  }
  TypeList parts = {0};
  for (int j = 0; j < fields->len; j++) list_push(c->arena, &parts, fields->at[j].type);
  parts = types_tail(c, types, parts);
  WitnessList found = uncovered(c, &inner, &parts), out = {0};
  for (int i = 0; i < found.len; i++) {
    const char *head = record_text(c, type, &found.at[i]);
    list_push(c->arena, &out, witness_fold(c, &found.at[i], fields->len, head));
  }
  return out;
}

// ---- constructors ----------------------------------------------------------------------------
static const char *constr_text(Checker *c, const Constr *k, const Witness *w) {
  const char *s = arena_printf(c->arena, "#%s", k->name);
  for (int i = 0; i < k->args.len; i++) {
    const char *arg = w ? w->at[i] : "_";
    bool nested = false;
    for (const char *p = arg; arg[0] == '#' && *p; p++) nested |= *p == ' ';
    s = arena_printf(c->arena, nested ? "%s (%s)" : "%s %s", s, arg);
  }
  return s;
}

static bool constr_occurs(const Matrix *rows, Name name) {
  for (int i = 0; i < rows->len; i++) {
    const Pat *p = rows->at[i].at[0];
    if (p && p->tag == PAT_CONSTR && p->constr.name == name) return true;
  }
  return false;
}

static WitnessList split_constr(Checker *c, const Matrix *rows, const TypeList *types,
                                const Constr *k) {
  Matrix inner = {0};
  for (int i = 0; i < rows->len; i++) {
    const Pat *p = rows->at[i].at[0];
    if (p && (p->tag != PAT_CONSTR || p->constr.name != k->name)) continue;
    Row head = {0};
    for (int j = 0; j < k->args.len; j++)
      list_push(c->arena, &head,
                p && j < p->constr.args.len ? pat_bare(p->constr.args.at[j]) : NULL);
    list_push(c->arena, &inner, row_tail(c, &rows->at[i], head));
  }
  TypeList parts = {0};
  for (int j = 0; j < k->args.len; j++) list_push(c->arena, &parts, k->args.at[j]);
  parts = types_tail(c, types, parts);
  WitnessList found = uncovered(c, &inner, &parts), out = {0};
  for (int i = 0; i < found.len; i++) {
    const char *head = constr_text(c, k, &found.at[i]);
    list_push(c->arena, &out, witness_fold(c, &found.at[i], k->args.len, head));
  }
  return out;
}

// Rows that match whatever the first column is; `head` stands for what they leave open.
static WitnessList split_default(Checker *c, const Matrix *rows, const TypeList *types,
                                 const char *head) {
  Matrix inner = {0};
  for (int i = 0; i < rows->len; i++)
    if (!rows->at[i].at[0]) list_push(c->arena, &inner, row_tail(c, &rows->at[i], (Row){0}));
  TypeList rest = types_tail(c, types, (TypeList){0});
  WitnessList found = uncovered(c, &inner, &rest), out = {0};
  for (int i = 0; i < found.len; i++)
    list_push(c->arena, &out, witness_fold(c, &found.at[i], 0, head));
  return out;
}

static void witnesses_add(Checker *c, WitnessList *out, WitnessList more) {
  for (int i = 0; i < more.len && out->len < WITNESS_LIMIT; i++)
    list_push(c->arena, out, more.at[i]);
}

static WitnessList split_sum(Checker *c, const Matrix *rows, const TypeList *types,
                             const SType *type) {
  WitnessList out = {0};
  bool any = false;
  for (int i = 0; i < type->sum.constrs.len; i++)
    any |= constr_occurs(rows, type->sum.constrs.at[i].name);
  if (!any) return split_default(c, rows, types, "_");
  for (int i = 0; i < type->sum.constrs.len && out.len < WITNESS_LIMIT; i++) {
    const Constr *k = &type->sum.constrs.at[i];
    if (constr_occurs(rows, k->name)) witnesses_add(c, &out, split_constr(c, rows, types, k));
    else witnesses_add(c, &out, split_default(c, rows, types, constr_text(c, k, NULL)));
  }
  return out;
}

static int bool_value(const Pat *p) {
  return p && p->tag == PAT_LIT && p->lit.exp->tag == EXP_BOOL ? p->lit.exp->bool_.value : -1;
}

static WitnessList split_bool(Checker *c, const Matrix *rows, const TypeList *types) {
  bool seen[2] = {false, false};
  WitnessList out = {0};
  for (int i = 0; i < rows->len; i++)
    if (bool_value(rows->at[i].at[0]) >= 0) seen[bool_value(rows->at[i].at[0])] = true;
  if (!seen[0] && !seen[1]) return split_default(c, rows, types, "_");
  TypeList rest = types_tail(c, types, (TypeList){0});
  for (int v = 0; v < 2; v++) {
    Matrix inner = {0};
    for (int i = 0; i < rows->len; i++)
      if (!rows->at[i].at[0] || bool_value(rows->at[i].at[0]) == v)
        list_push(c->arena, &inner, row_tail(c, &rows->at[i], (Row){0}));
    WitnessList found = uncovered(c, &inner, &rest);
    for (int i = 0; i < found.len && out.len < WITNESS_LIMIT; i++)
      list_push(c->arena, &out, witness_fold(c, &found.at[i], 0, v ? "true" : "false"));
  }
  return out;
}

static WitnessList uncovered(Checker *c, const Matrix *rows, const TypeList *types) {
  WitnessList out = {0};
  if (!types->len) {
    if (!rows->len) list_push(c->arena, &out, (Witness){0});
    return out;
  }
  SType *type = stype_find(types->at[0]);
  bool any = false;
  for (int i = 0; i < rows->len; i++) any |= rows->at[i].at[0] != NULL;
  if (any && type->tag == TYPE_RECORD) return split_record(c, rows, types, type);
  if (any && type->tag == TYPE_SUM) return split_sum(c, rows, types, type);
  if (any && type->tag == TYPE_PRIM && type->prim == PRIM_BOOL) return split_bool(c, rows, types);
  return split_default(c, rows, types, "_");
}

void match_check(Checker *c, Expr *exp) {
  Matrix rows = {0};
  for (int i = 0; i < exp->match.cases.len; i++) {
    Row row = {0};
    list_push(c->arena, &row, pat_bare(exp->match.cases.at[i].pat));
    list_push(c->arena, &rows, row);
  }
  TypeList types = {0};
  list_push(c->arena, &types, exp->match.src->type);
  WitnessList missing = uncovered(c, &rows, &types);
  if (!missing.len) return;
  const char *text = "";
  for (int i = 0; i < missing.len; i++)
    text = arena_printf(c->arena, "%s\n  %s", text, missing.at[i].at[0]);
  report(c, exp->span, "[unmatched-cases] Unmatched cases in match expression:%s", text);
}

bool pat_refutable(Checker *c, const Pat *pat) {
  if (!pat->type) return false;
  Matrix rows = {0};
  Row row = {0};
  list_push(c->arena, &row, pat_bare(pat));
  list_push(c->arena, &rows, row);
  TypeList types = {0};
  list_push(c->arena, &types, pat->type);
  return uncovered(c, &rows, &types).len > 0;
}
