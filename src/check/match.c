// Exhaustiveness: the matrix algorithm.  Rows are patterns not yet ruled out, columns the parts of
// the value; what no row covers is reported as example patterns.
//
// Many ways through the columns lead to the same rows: equal rows are one node (from `Rows`), and
// what a matrix leaves open is remembered by its rows.  A row of patterns that match anything
// covers all that is left; a matrix with one is done.
#include <string.h>
#include "local.h"

typedef struct Row Row;
struct Row {
  const Pat *head;  // NULL: matches anything
  const Row *tail;  // NULL: the columns end
  bool wild;        // nothing but NULL from here on
  Row *next;        // of the same hash
};

typedef LIST(const Row *) Matrix;

// One example, column after column.
typedef struct Witness Witness;
struct Witness {
  const char *text;
  const Witness *tail;
};

typedef struct Columns Columns;
struct Columns {
  SType *type;
  const Columns *tail;
};

typedef LIST(const Witness *) WitnessList;
enum { WITNESS_LIMIT = 10 };

typedef struct Known Known;
struct Known {
  Matrix rows;
  WitnessList open;
  Known *next;  // of the same hash
};

typedef struct {
  Arena *arena;
  Map *rows;   // hash to Row
  Map *known;  // hash to Known
} Search;

static uint64_t hash_step(uint64_t h, const void *p) {
  h = (h ^ (uint64_t)(uintptr_t)p) * 0x9e3779b97f4a7c15U;
  return h ^ (h >> 29);
}

static const Row *row_of(Search *s, const Pat *head, const Row *tail) {
  uint64_t h = hash_step(hash_step(1, head), tail) | 1;
  Row *first = map_get(s->rows, h);
  for (Row *r = first; r; r = r->next)
    if (r->head == head && r->tail == tail) return r;
  Row *row = NEW(s->arena, Row);
  *row = (Row){head, tail, !head && (!tail || tail->wild), first};
  map_put(s->rows, h, row);
  return row;
}

static const Pat *pat_bare(const Pat *pat) {
  while (pat && (pat->tag == PAT_ASCRIBE || pat->tag == PAT_ATTR))
    pat = pat->tag == PAT_ASCRIBE ? pat->ascribe.pat : pat->attr.pat;
  return pat && (pat->tag == PAT_NAME || pat->tag == PAT_WILD) ? NULL : pat;
}

static WitnessList uncovered(Search *s, const Matrix *rows, const Columns *columns);

static const Witness *witness_of(Search *s, const char *text, const Witness *tail) {
  Witness *w = NEW(s->arena, Witness);
  *w = (Witness){text, tail};
  return w;
}

// A new first column, then the columns of a witness after the first n.
static const Witness *witness_fold(Search *s, const Witness *w, int n, const char *head) {
  for (int i = 0; i < n; i++) w = w->tail;
  return witness_of(s, head, w);
}

static const Columns *columns_of(Search *s, SType *type, const Columns *tail) {
  Columns *out = NEW(s->arena, Columns);
  *out = (Columns){type, tail};
  return out;
}

static const char *text_keep(Search *s, Text *text) {
  const char *out = arena_strdup(s->arena, text->at);
  text_free(text);
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

static const char *record_text(Search *s, const SType *type, const Witness *w) {
  bool tuple = stype_is_tuple(type);
  Text text = {0};
  for (int i = 0; i < type->record.fields.len; i++, w = w->tail) {
    text_printf(&text, "%s", i ? ", " : tuple ? "(" : "{");
    if (!tuple) text_printf(&text, "%s = ", type->record.fields.at[i].name);
    text_printf(&text, "%s", w->text);
  }
  text_printf(&text, "%s", tuple ? ")" : "}");
  return text_keep(s, &text);
}

static WitnessList split_record(Search *s, const Matrix *rows, const Columns *columns,
                                const SType *type) {
  const FieldList *fields = &type->record.fields;
  Matrix inner = {0};
  for (int i = 0; i < rows->len; i++) {
    const Row *row = rows->at[i]->tail;
    for (int j = fields->len - 1; j >= 0; j--)
      row = row_of(s, record_part(rows->at[i]->head, &fields->at[j], j), row);
    list_push(s->arena, &inner, row);
  }
  const Columns *parts = columns->tail;
  for (int j = fields->len - 1; j >= 0; j--) parts = columns_of(s, fields->at[j].type, parts);
  WitnessList found = uncovered(s, &inner, parts), out = {0};
  for (int i = 0; i < found.len; i++) {
    const char *head = record_text(s, type, found.at[i]);
    list_push(s->arena, &out, witness_fold(s, found.at[i], fields->len, head));
  }
  return out;
}

// ---- constructors ----------------------------------------------------------------------------
static const char *constr_text(Search *s, const Constr *k, const Witness *w) {
  Text text = {0};
  text_printf(&text, "#%s", k->name);
  for (int i = 0; i < k->args.len; i++, w = w ? w->tail : NULL) {
    const char *arg = w ? w->text : "_";
    bool nested = false;
    for (const char *p = arg; arg[0] == '#' && *p; p++) nested |= *p == ' ';
    text_printf(&text, nested ? " (%s)" : " %s", arg);
  }
  return text_keep(s, &text);
}

// `rows` have this constructor in front, or match anything.
static WitnessList split_constr(Search *s, const Matrix *rows, const Columns *columns,
                                const Constr *k) {
  Matrix inner = {0};
  for (int i = 0; i < rows->len; i++) {
    const Pat *p = rows->at[i]->head;
    const Row *row = rows->at[i]->tail;
    for (int j = k->args.len - 1; j >= 0; j--)
      row = row_of(s, p && j < p->constr.args.len ? pat_bare(p->constr.args.at[j]) : NULL, row);
    list_push(s->arena, &inner, row);
  }
  const Columns *parts = columns->tail;
  for (int j = k->args.len - 1; j >= 0; j--) parts = columns_of(s, k->args.at[j], parts);
  WitnessList found = uncovered(s, &inner, parts), out = {0};
  for (int i = 0; i < found.len; i++) {
    const char *head = constr_text(s, k, found.at[i]);
    list_push(s->arena, &out, witness_fold(s, found.at[i], k->args.len, head));
  }
  return out;
}

// The cases left open by the rows that match whatever the first column is.
static WitnessList split_default(Search *s, const Matrix *rows, const Columns *columns) {
  Matrix inner = {0};
  for (int i = 0; i < rows->len; i++)
    if (!rows->at[i]->head) list_push(s->arena, &inner, rows->at[i]->tail);
  return uncovered(s, &inner, columns->tail);
}

// With `head` as their first column.
static void witnesses_add(Search *s, WitnessList *out, WitnessList more, const char *head) {
  for (int i = 0; i < more.len && out->len < WITNESS_LIMIT; i++)
    list_push(s->arena, out, head ? witness_of(s, head, more.at[i]) : more.at[i]);
}

static WitnessList split_any(Search *s, const Matrix *rows, const Columns *columns) {
  WitnessList out = {0};
  witnesses_add(s, &out, split_default(s, rows, columns), "_");
  return out;
}

static int constr_place(const ConstrList *constrs, const Pat *p) {
  for (int i = 0; p->tag == PAT_CONSTR && i < constrs->len; i++)
    if (constrs->at[i].name == p->constr.name) return i;
  return -1;
}

// The rows that a value of each constructor gets to, and which constructors have rows of their own.
static Matrix *constr_rows(Search *s, const Matrix *rows, const ConstrList *constrs, bool *own) {
  Matrix *out = NEW_ARRAY(s->arena, Matrix, constrs->len);
  for (int i = 0; i < rows->len; i++) {
    int k = rows->at[i]->head ? constr_place(constrs, rows->at[i]->head) : -1;
    if (k >= 0) own[k] = true;
  }
  for (int i = 0; i < rows->len; i++) {
    const Row *row = rows->at[i];
    int k = row->head ? constr_place(constrs, row->head) : -1;
    if (k >= 0) list_push(s->arena, &out[k], row);
    for (int j = 0; !row->head && j < constrs->len; j++)
      if (own[j]) list_push(s->arena, &out[j], row);
  }
  return out;
}

static WitnessList split_sum(Search *s, const Matrix *rows, const Columns *columns,
                             const SType *type) {
  const ConstrList *constrs = &type->sum.constrs;
  bool *own = NEW_ARRAY(s->arena, bool, constrs->len), any = false;
  Matrix *parts = constr_rows(s, rows, constrs, own);
  for (int i = 0; i < constrs->len; i++) any |= own[i];
  if (!any) return split_any(s, rows, columns);
  WitnessList out = {0};
  for (int i = 0; i < constrs->len && out.len < WITNESS_LIMIT; i++) {
    const Constr *k = &constrs->at[i];
    if (own[i]) witnesses_add(s, &out, split_constr(s, &parts[i], columns, k), NULL);
    else witnesses_add(s, &out, split_default(s, rows, columns), constr_text(s, k, NULL));
  }
  return out;
}

static int bool_value(const Pat *p) {
  return p && p->tag == PAT_LIT && p->lit.exp->tag == EXP_BOOL ? p->lit.exp->bool_.value : -1;
}

static WitnessList split_bool(Search *s, const Matrix *rows, const Columns *columns) {
  bool seen[2] = {false, false};
  WitnessList out = {0};
  for (int i = 0; i < rows->len; i++)
    if (bool_value(rows->at[i]->head) >= 0) seen[bool_value(rows->at[i]->head)] = true;
  if (!seen[0] && !seen[1]) return split_any(s, rows, columns);
  for (int v = 0; v < 2; v++) {
    Matrix inner = {0};
    for (int i = 0; i < rows->len; i++)
      if (!rows->at[i]->head || bool_value(rows->at[i]->head) == v)
        list_push(s->arena, &inner, rows->at[i]->tail);
    witnesses_add(s, &out, uncovered(s, &inner, columns->tail), v ? "true" : "false");
  }
  return out;
}

// ---- the search ------------------------------------------------------------------------------
static const Witness *witness_any(Search *s, const Columns *columns) {
  return columns ? witness_of(s, "_", witness_any(s, columns->tail)) : NULL;
}

static WitnessList split(Search *s, const Matrix *rows, const Columns *columns) {
  SType *type = stype_find(columns->type);
  bool any = false;
  for (int i = 0; i < rows->len; i++) any |= rows->at[i]->head != NULL;
  if (any && type->tag == TYPE_RECORD) return split_record(s, rows, columns, type);
  if (any && type->tag == TYPE_SUM) return split_sum(s, rows, columns, type);
  if (any && type->tag == TYPE_PRIM && type->prim == PRIM_BOOL) return split_bool(s, rows, columns);
  return split_any(s, rows, columns);
}

static Known *known_find(const Search *s, const Matrix *rows, uint64_t h) {
  for (Known *k = map_get(s->known, h); k; k = k->next)
    if (k->rows.len == rows->len &&
        memcmp(k->rows.at, rows->at, sizeof *rows->at * (size_t)rows->len) == 0)
      return k;
  return NULL;
}

// Equal rows stand over the same columns, or over as many of which all but the same match anything:
// what they leave open is the same.
static WitnessList uncovered(Search *s, const Matrix *rows, const Columns *columns) {
  WitnessList out = {0};
  if (!rows->len) list_push(s->arena, &out, witness_any(s, columns));
  if (!rows->len || !columns) return out;
  uint64_t h = 1;
  for (int i = 0; i < rows->len; i++) {
    if (rows->at[i]->wild) return out;
    h = hash_step(h, rows->at[i]);
  }
  Known *known = known_find(s, rows, h |= 1);
  if (known) return known->open;
  out = split(s, rows, columns);
  known = NEW(s->arena, Known);
  *known = (Known){*rows, out, map_get(s->known, h)};
  map_put(s->known, h, known);
  return out;
}

static WitnessList patterns_open(Checker *c, const CaseList *cases, const Pat *one, SType *type) {
  Search s = {c->arena, map_new(c->arena), map_new(c->arena)};
  Matrix rows = {0};
  for (int i = 0; cases && i < cases->len; i++)
    list_push(c->arena, &rows, row_of(&s, pat_bare(cases->at[i].pat), NULL));
  if (one) list_push(c->arena, &rows, row_of(&s, pat_bare(one), NULL));
  return uncovered(&s, &rows, columns_of(&s, type, NULL));
}

void match_check(Checker *c, Expr *exp) {
  WitnessList missing = patterns_open(c, &exp->match.cases, NULL, exp->match.src->type);
  if (!missing.len) return;
  const char *text = "";
  for (int i = 0; i < missing.len; i++)
    text = arena_printf(c->arena, "%s\n  %s", text, missing.at[i]->text);
  report(c, exp->span, "[unmatched-cases] Unmatched cases in match expression:%s", text);
}

bool pat_refutable(Checker *c, const Pat *pat) {
  return pat->type && patterns_open(c, NULL, pat, pat->type).len > 0;
}
