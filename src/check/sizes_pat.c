// Patterns: the types of their names, and leaving their scope.
#include "sizes.h"

static Sized *tuple_pat(Sizing *z, Pat *pat, Sized *given, BoundNames *names) {
  if (!pat->tuple.elems.len) return z->unit;
  SizedFieldList fields = {0};
  for (int i = 0; i < pat->tuple.elems.len; i++) {
    Name name = tuple_name(z->c, i);
    SizedField f = {name, pat_size(z, pat->tuple.elems.at[i],
                                   given ? sized_field(given, name) : NULL, names)};
    list_push(z->c->arena, &fields, f);
  }
  return sized_record(z, fields);
}

static Sized *record_pat(Sizing *z, Pat *pat, Sized *given, BoundNames *names) {
  SizedFieldList fields = {0};
  for (int i = 0; i < pat->record.fields.len; i++) {
    FieldPat *p = &pat->record.fields.at[i];
    SizedField f = {p->name,
                    pat_size(z, p->pat, given ? sized_field(given, p->name) : NULL, names)};
    list_push(z->c->arena, &fields, f);
  }
  return sized_record(z, fields);
}

static Sized *constr_pat(Sizing *z, Pat *pat, Sized *given, BoundNames *names) {
  for (int i = 0; given->tag == TYPE_SUM && i < given->constrs.len; i++) {
    if (given->constrs.at[i].name != pat->constr.name) continue;
    const SizedList *args = &given->constrs.at[i].args;
    for (int j = 0; j < pat->constr.args.len; j++)
      pat_size(z, pat->constr.args.at[j], j < args->len ? args->at[j] : NULL, names);
  }
  return given;
}

static Sized *ascribe_pat(Sizing *z, Pat *pat, Sized *given, BoundNames *names) {
  Anonymous anonymous = {NULL, "explicit type ascription", false};
  Sized *type = sized_texp(z, pat->ascribe.type, &anonymous);
  if (given)
    sized_expect(z, pat->span, type, given, "[pattern-type] Pattern cannot match value of its "
                                            "type.");
  return pat_size(z, pat->ascribe.pat, type, names);
}

static Sized *pat_own(Sizing *z, Pat *pat) {
  return sized_flex(z, pat->type, pat->span, RANK_TYPE, "a name in a pattern");
}

Sized *pat_size(Sizing *z, Pat *pat, Sized *given, BoundNames *names) {
  switch (pat->tag) {
    case PAT_NAME: {
      if (!given) given = pat_own(z, pat);
      Binding *b = pat->info ? pat->info->binding : NULL;
      if (!b) return given;
      scheme_put(z, b, given);
      dimvar_of(z, b);
      if (names) list_push(z->c->arena, names, b);
      return given;
    }
    case PAT_WILD:
    case PAT_LIT: return given ? given : pat_own(z, pat);
    case PAT_TUPLE: {
      Sized *t = tuple_pat(z, pat, given, names);
      return given ? given : t;
    }
    case PAT_RECORD: {
      Sized *t = record_pat(z, pat, given, names);
      return given ? given : t;
    }
    case PAT_CONSTR: return constr_pat(z, pat, given ? given : pat_own(z, pat), names);
    case PAT_ASCRIBE: return ascribe_pat(z, pat, given, names);
    case PAT_ATTR: return pat_size(z, pat->attr.pat, given, names);
  }
  ice("pattern tag %d", pat->tag);
}

bool pat_is_whole(const Pat *pat) { return pat_param_name(pat) != NULL; }

// ---- leaving a scope -------------------------------------------------------------------------
typedef struct {
  Sizing *z;
  const Expr *node;
  int stamp;
  const DimVar *found;
  DimVar *only;  // may be replaced by its value
  Dim *value;
  DimList leaving, from, to;
} Leaving;

static void leaving_see(void *env, DimVar *var) {
  Leaving *l = env;
  if (var->stamp == l->stamp) l->found = var;
}

static Dim *leaving_var(void *env, DimVar *var) {
  const Leaving *l = env;
  return var == l->only ? l->value : NULL;
}

// Parts that have left already.
static Dim *left_part(void *env, Dim *dim) {
  const Leaving *l = env;
  for (int i = 0; i < l->from.len; i++)
    if (dim_same(l->from.at[i], dim)) return l->to.at[i];
  return NULL;
}

static Dim *left_var(void *env, DimVar *var) { return left_part(env, var->dim); }

static bool leaving_mentions(Leaving *l, Dim *dim) {
  l->found = NULL;
  dim_each(dim, leaving_see, l);
  return l->found != NULL;
}

// The same size leaves as the same unknown.
static Dim *leaving_dim(void *env, Dim *dim) {
  Leaving *l = env;
  Sizing *z = l->z;
  dim = dim_find(dim);
  if (!leaving_mentions(l, dim)) return dim;
  if (l->value) return dim_map(z, dim, leaving_var, l);
  Dim *rest = l->from.len ? dim_map_parts(z, dim, left_var, left_part, l) : dim;
  if (!leaving_mentions(l, rest)) return rest;
  const char *why = arena_printf(z->c->arena, "the size \"%s\", with \"%s\" going out of scope",
                                 dim_text(z, dim), l->found->name);
  Dim *unknown = unknown_make(z, l->node, NULL, l->found->span, why);
  list_push(z->c->arena, &l->from, dim);
  list_push(z->c->arena, &l->to, unknown);
  return unknown;
}

static void leaving_collect(void *env, Dim *dim, SizedPlace at) {
  Leaving *l = env;
  (void)at;
  if (leaving_mentions(l, dim)) list_push(l->z->c->arena, &l->leaving, dim_find(dim));
}

// Smaller sizes first, so that larger ones are known in terms of them.
static void leaving_order(Leaving *l) {
  for (int i = 1; i < l->leaving.len; i++)
    for (int j = i; j > 0 && dim_weight(l->leaving.at[j - 1]) > dim_weight(l->leaving.at[j]); j--) {
      Dim *d = l->leaving.at[j];
      l->leaving.at[j] = l->leaving.at[j - 1];
      l->leaving.at[j - 1] = d;
    }
}

Sized *scope_leave(Sizing *z, const Expr *node, Sized *type, const BoundNames *names, Dim *value) {
  if (!names->len) return type;
  Leaving l = {.z = z, .node = node, .stamp = ++z->stamp};
  for (int i = 0; i < names->len; i++) dimvar_of(z, names->at[i])->stamp = l.stamp;
  if (value && names->len == 1) {
    l.only = dimvar_of(z, names->at[0]);
    l.value = value;
  }
  sized_each(type, AT_VALUE, leaving_collect, &l);
  if (!l.leaving.len) return type;
  leaving_order(&l);
  for (int i = 0; i < l.leaving.len; i++) leaving_dim(&l, l.leaving.at[i]);
  SizedMap m = {z, NULL, leaving_dim, &l, NULL};
  return sized_map(&m, type);
}
