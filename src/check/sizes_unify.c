// Unification of sizes.  The types have the same structure, which inference checked; the first
// argument is the expected side.
#include "sizes.h"
#include <string.h>

static bool sizes_fail(Sizing *z, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool sizes_fail(Sizing *z, const char *fmt, ...) {
  if (z->quiet) return false;
  Text text = {0};
  va_list args;
  va_start(args, fmt);
  text_vprintf(&text, fmt, args);
  va_end(args);
  z->differing.len = 0;
  z->why = arena_strndup(z->c->arena, text.at, text.len);
  text_free(&text);
  return false;
}

static bool sizes_within(Sizing *z, const char *fmt, const char *name) {
  if (z->quiet) return false;
  const char *line = arena_printf(z->c->arena, fmt, name);
  z->why = arena_printf(z->c->arena, "%s\n%s", z->why, line);
  return false;
}

// ---- where the sizes that differ come from ---------------------------------------------------
static void differ_see(void *env, DimVar *var) {
  Sizing *z = env;
  for (int i = 0; i < z->differing.len; i++)
    if (z->differing.at[i] == var) return;
  list_push(z->c->arena, &z->differing, var);
}

typedef struct {
  const DimVar *var;
  int count;  // of different variables, operators aside; 2: two or more
} Mentioned;

static void mentioned_see(void *env, DimVar *var) {
  Mentioned *m = env;
  bool operation = var->binding && (var->binding->tag == BIND_OPERATOR ||
                                    var->binding->tag == BIND_INTRINSIC);
  if (operation || m->count == 2 || (m->count && m->var == var)) return;
  m->var = var;
  m->count++;
}

// A flexible size may have got its name from another parameter called like a name of the program.
static void names_distinguish(Dim *d, const Dim *other) {
  if (d->tag != DIM_VAR || other->tag != DIM_VAR || d->var->tag != DIMVAR_FLEX) return;
  if (d->var->name == other->var->name) d->var->name = NULL;
}

static bool sizes_differ(Sizing *z, Dim *e, Dim *a) {
  if (z->quiet) return false;
  names_distinguish(e, a);
  names_distinguish(a, e);
  sizes_fail(z, "Sizes \"%s\" and \"%s\" do not match.", dim_text(z, e), dim_text(z, a));
  z->differing.len = 0;
  dim_each(e, differ_see, z);
  dim_each(a, differ_see, z);
  Mentioned x = {NULL, 0}, y = {NULL, 0};
  dim_each(e, mentioned_see, &x);
  dim_each(a, mentioned_see, &y);
  bool one = x.count == 1 && y.count == 1 && x.var == y.var;
  z->may_agree = x.count + y.count > 0 && !one;
  return false;
}

// Names are bound somewhere, unknown sizes are made somewhere.  One name alone, as in n and n + 1,
// says nothing new.
void sizes_note(Sizing *z) {
  for (int i = 0; i < z->differing.len; i++) {
    const DimVar *var = z->differing.at[i];
    if (var->tag == DIMVAR_UNKNOWN && var->why)
      note(z->c, var->span, "\"%s\" is %s.", dim_text(z, var->dim), var->why);
    else if (z->differing.len > 1 && var->tag == DIMVAR_NAME && var->span.src &&
             !var->span.src->builtin)
      note(z->c, var->span, "Size \"%s\" is bound here.", var->name);
  }
}

static void flexible_var_see(void *env, DimVar *var) {
  if (var->tag != DIMVAR_NAME) *(bool *)env = true;
}
static void flexible_see(void *env, Dim *dim, SizedPlace place) {
  (void)place;
  dim_each(dim, flexible_var_see, env);
}

// Sizes of different names may be equal at run time, but not n and n + 1.
static void sizes_hint(Sizing *z, Span at, Sized *e) {
  bool flexible = false;
  if (!z->c->reported || e->tag != TYPE_ARRAY || !z->may_agree) return;
  sized_each(e, AT_VALUE, flexible_see, &flexible);
  if (flexible || !at.src) return;
  diag_hint(z->c->diag, "if the sizes are equal whenever the program runs, have that checked then: "
            "\":> %s\".", sized_text(z, e));
}

// ---- linking ---------------------------------------------------------------------------------
typedef struct {
  Sizing *z;
  DimVar *var;
  DimVar *inside;   // the variable itself
  DimVar *escapes;  // bound deeper
  DimVar *hidden;   // bound inside the type that is unified
  DimVar *younger;  // unknown made deeper
} LinkScan;

static bool has_var(const DimVarList *list, const DimVar *var) {
  for (int i = 0; list && i < list->len; i++)
    if (list->at[i] == var) return true;
  return false;
}

// A parameter that is named inside the type that has the size v.
static bool binder_of(const DimVar *v, const DimVar *param) {
  return has_var(v->absorb ? &v->absorb->binders : v->binders, param);
}

// The parameter of a lambda is younger than the existential size of a declared function type.  Not
// so where the function is an argument, as in flatmap' (\n -> iota n).  Top-level functions are
// instantiated, their parameters new.
static bool is_lambda_param(const LinkScan *s, const DimVar *w) {
  return !s->z->argument && w->binding && w->binding->tag == BIND_LOCAL &&
         w->level >= s->var->level && !s->var->absorb;
}

static void link_see(void *env, DimVar *w) {
  LinkScan *s = env;
  if (w == s->var) s->inside = w;
  else if (w->bound && !s->var->bound && !binder_of(s->var, w)) s->hidden = w;
  else if (w->bound && !is_lambda_param(s, w)) return;
  else if (w->tag == DIMVAR_NAME && w->level >= s->var->level &&
           !binder_of(s->var, w))
    s->escapes = w;
  else if (w->tag == DIMVAR_UNKNOWN && w->level > s->var->level) s->younger = w;
}

static void lower_see(void *env, DimVar *w) {
  const LinkScan *s = env;
  if (w->tag != DIMVAR_NAME && w->level > s->var->level) w->level = s->var->level;
}

// An instance of a lifted type parameter takes over a size bound inside the other type.
static bool link_absorb(Sizing *z, DimVar *v, Dim *d) {
  if (!v->absorb) return false;
  if (v->absorb->lift == LIFT_NONE)
    return sizes_fail(z, "Cannot unify type containing anonymous sizes: size \"%s\" is not the "
                         "same for all elements.", dim_text(z, d));
  v->canon->source = d;
  return true;
}

static Dim *own_param(void *env, DimVar *var) {
  const LinkScan *s = env;
  for (int i = 0; i < s->z->same_params.len; i++) {
    const SameParam *p = &s->z->same_params.at[i];
    if (p->param == var && binder_of(s->var, p->other)) return p->other->dim;
  }
  return NULL;
}

static Dim *common_param(void *env, DimVar *var) {
  const Sizing *z = env;
  for (int i = 0; i < z->same_params.len; i++)
    if (z->same_params.at[i].other == var) return z->same_params.at[i].param->dim;
  return NULL;
}

static bool dim_link(Sizing *z, DimVar *v, Dim *d) {
  LinkScan s = {z, v, NULL, NULL, NULL, NULL};
  if (z->same_params.len && (v->binders || v->absorb)) d = dim_map(z, d, own_param, &s);
  dim_each(d, link_see, &s);
  if (s.inside)
    return sizes_fail(z, "Occurs check: size \"%s\" would contain itself in \"%s\".",
                      dim_text(z, v->dim), dim_text(z, d));
  if (s.hidden) {
    if (link_absorb(z, v, d)) return true;
    if (!v->absorb) sizes_differ(z, v->dim, d);
    else if (!z->quiet)
      z->why = arena_printf(z->c->arena, "%s\nSizes \"%s\" and \"%s\" do not match.", z->why,
                            dim_text(z, v->dim), dim_text(z, d));
    return false;
  }
  if (s.escapes)
    return sizes_fail(z, "Cannot link size \"%s\" to \"%s\": \"%s\" is not in scope when \"%s\" "
                         "was introduced (#scope-violation).", dim_text(z, v->dim),
                      dim_text(z, d), s.escapes->name, dim_text(z, v->dim));
  if (z->quiet && s.younger) return false;
  dim_each(d, lower_see, &s);
  v->ref = d;
  return true;
}

static bool is_open(const Dim *d) {
  return d->tag == DIM_VAR && d->var->tag == DIMVAR_FLEX && !dimvar_pending(d->var);
}

static void origin_take(DimVar *to, const DimVar *from) {
  to->rank = from->rank;
  to->why = from->why;
  to->of = from->of;
  to->span = from->span;
  if (from->name) to->name = from->name;
}

// The one of two flexible variables that cannot become existential stays, otherwise the one that
// says more about its origin, which is kept in any case.
static bool link_two(Sizing *z, Dim *e, Dim *a) {
  bool keep_e = e->var->rank >= a->var->rank;
  if (!e->var->absorb != !a->var->absorb) keep_e = !e->var->absorb;
  if (e->var->hidden != a->var->hidden) keep_e = e->var->hidden;
  if (e->var->bound != a->var->bound) keep_e = !e->var->bound;
  DimVar *from = keep_e ? a->var : e->var, *to = keep_e ? e->var : a->var;
  if (from->rank > to->rank) origin_take(to, from);
  if (!to->name && from->name) to->name = from->name;
  return dim_link(z, from, to->dim);
}

static const Binding *specified(const Checker *c, const Binding *b) {
  for (;;) {
    const Origin *origin = c->origins ? map_get(c->origins, KEY(b)) : NULL;
    if (!origin || !origin->from) return b;
    b = origin->from;
  }
}

// Some module that is seen through a specification of the first has the second there.
static bool is_given(Sizing *z, const Binding *spec, const Binding *value) {
  const Checker *c = z->c;
  if (!spec || !value || spec->tag != BIND_SPEC) return false;
  for (int i = 0; i < c->matches.len; i++) {
    const SpecMatch *match = &c->matches.at[i];
    if (match->have && specified(c, match->have) == specified(c, value) &&
        specified(c, match->want) == specified(c, spec))
      return true;
  }
  return false;
}

// A module parameter's size n is the argument's n outside.
static bool is_same_value(Sizing *z, const Dim *e, const Dim *a) {
  if (e->tag != DIM_VAR || a->tag != DIM_VAR) return false;
  const Binding *x = e->var->binding, *y = a->var->binding;
  return is_given(z, x, y) || is_given(z, y, x);
}

bool dim_unify(Sizing *z, Dim *e, Dim *a) {
  if (z->same_params.len) {
    e = dim_map(z, e, common_param, z);
    a = dim_map(z, a, common_param, z);
  }
  e = dim_find(e);
  a = dim_find(a);
  if (e->tag == DIM_ANY && is_open(a)) a->var->ref = e;
  if (a->tag == DIM_ANY && is_open(e)) e->var->ref = a;
  if (dim_same(e, a)) return true;
  if (is_open(e) && is_open(a)) return link_two(z, e, a);
  if (is_open(e)) return dim_link(z, e->var, a);
  if (is_open(a)) return dim_link(z, a->var, e);
  if (e->tag == DIM_VAR && dimvar_pending(e->var)) return true;  // each occurrence its own
  bool similar = e->tag == DIM_TERM && a->tag == DIM_TERM && e->term.form == a->term.form &&
                 e->term.args.len == a->term.args.len;
  if (!similar || (e->term.text != a->term.text && strcmp(e->term.text, a->term.text) != 0))
    return is_same_value(z, e, a) || sizes_differ(z, e, a);
  if (dim_unified(e, a)) return true;
  for (int i = 0; i < e->term.args.len; i++) {
    Dim *x = e->term.args.at[i], *y = a->term.args.at[i];
    if (x == y) continue;
    if (!x || !y || !dim_unify(z, x, y)) return dim_same(e, a) || sizes_differ(z, e, a);
  }
  dim_unified_note(e, a);
  return true;
}

// ---- functions -------------------------------------------------------------------------------
typedef struct {
  DimVarList from;
  DimList to;
} DimRenaming;
static Dim *renaming_var(void *env, DimVar *var) {
  const DimRenaming *r = env;
  for (int i = 0; i < r->from.len; i++)
    if (r->from.at[i] == var) return r->to.at[i];
  return NULL;
}
typedef struct {
  Sizing *z;
  DimRenaming *renaming;
} DimRenamer;
static Dim *renaming_dim(void *env, Dim *dim) {
  const DimRenamer *r = env;
  return dim_map(r->z, dim, renaming_var, r->renaming);
}

static void renaming_add(Sizing *z, DimRenaming *r, DimVar *from, Dim *to) {
  list_push(z->c->arena, &r->from, from);
  list_push(z->c->arena, &r->to, to);
}

static Sized *renaming_apply(Sizing *z, Sized *type, DimRenaming *r) {
  if (!r->from.len) return type;
  DimRenamer renamer = {z, r};
  SizedMap m = {z, NULL, renaming_dim, &renamer, NULL};
  return sized_map(&m, type);
}

// Existentials of the expected result are to be solved, those of the actual one are rigid.
static void exists_open(Sizing *z, const DimVarList *exists, bool flexible, DimRenaming *r,
                        DimVarList *opened) {
  for (int i = 0; i < exists->len; i++) {
    DimVar *v = dimvar_new(z, flexible ? DIMVAR_FLEX : DIMVAR_NAME, exists->at[i]->name,
                           exists->at[i]->span, NULL);
    v->bound = 1;
    renaming_add(z, r, exists->at[i], v->dim);
    list_push(z->c->arena, opened, v);
  }
}

typedef struct {
  const DimVar *var;
  bool found;
} ParamScan;

static void param_var_see(void *env, DimVar *var) {
  ParamScan *s = env;
  if (var == s->var) s->found = true;
}
static void param_see(void *env, Dim *dim, SizedPlace place) {
  (void)place;
  dim_each(dim, param_var_see, env);
}

// The arguments tell the size.
static bool is_passed(const Sizing *z, const DimVar *var) {
  ParamScan s = {var, false};
  for (int i = 0; i < z->passed.len; i++) sized_each(z->passed.at[i], AT_VALUE, param_see, &s);
  return s.found;
}

// An instance that would have to be existential to fit becomes so.
static void exists_close(const Sizing *z, DimVarList *opened) {
  for (int i = 0; i < opened->len; i++) {
    DimVar *v = opened->at[i];
    if (v->tag != DIMVAR_FLEX || !v->ref) continue;
    const Dim *d = dim_find(v->ref);
    bool may = is_open(d) && d->var->absorb && d->var->absorb->lift > LIFT_NONE;
    if (may && !is_passed(z, d->var))
      d->var->canon->source = v->dim;
  }
}

static bool unify_arrow_sizes(Sizing *z, Sized *e, Sized *a) {
  if (!sized_unify(z, a->arrow.from, e->arrow.from))
    return sizes_within(z, "When matching %s types.", "parameter");
  DimRenaming re = {0}, ra = {0};
  DimVarList opened = {0};
  DimVar *param = e->arrow.binder ? e->arrow.binder : a->arrow.binder;
  bool both = e->arrow.binder && a->arrow.binder && a->arrow.binder != param;
  if (both) {
    SameParam same = {param, a->arrow.binder};
    list_push(z->c->arena, &z->same_params, same);
    renaming_add(z, &ra, a->arrow.binder, param->dim);
  }
  exists_open(z, &e->arrow.exists, true, &re, &opened);
  exists_open(z, &a->arrow.exists, false, &ra, &opened);
  if (param) param->bound++;
  list_push(z->c->arena, &z->passed, a->arrow.from);
  bool ok = sized_unify(z, renaming_apply(z, e->arrow.to, &re),
                        renaming_apply(z, a->arrow.to, &ra));
  if (param) param->bound--;
  if (both) z->same_params.len--;
  if (ok) exists_close(z, &opened);
  z->passed.len--;
  return ok || sizes_within(z, "When matching %s types.", "return");
}

// ---- structure -------------------------------------------------------------------------------
static bool unify_fields(Sizing *z, Sized *e, Sized *a) {
  for (int i = 0; i < e->fields.len; i++) {
    Sized *other = i < a->fields.len && a->fields.at[i].name == e->fields.at[i].name
                       ? a->fields.at[i].type : sized_field(a, e->fields.at[i].name);
    if (other && !sized_unify(z, e->fields.at[i].type, other))
      return sizes_within(z, "When matching types of record field \"%s\".", e->fields.at[i].name);
  }
  return true;
}

static bool unify_constrs(Sizing *z, Sized *e, Sized *a) {
  for (int i = 0; i < e->constrs.len && i < a->constrs.len; i++)
    for (int j = 0; j < e->constrs.at[i].args.len && j < a->constrs.at[i].args.len; j++)
      if (!sized_unify(z, e->constrs.at[i].args.at[j], a->constrs.at[i].args.at[j]))
        return sizes_within(z, "When matching types of constructor \"%s\".",
                            e->constrs.at[i].name);
  return true;
}

static bool unify_args(Sizing *z, Sized *e, Sized *a) {
  for (int i = 0; i < e->named.args.len && i < a->named.args.len; i++) {
    const SizedArg *x = &e->named.args.at[i], *y = &a->named.args.at[i];
    if (x->dim && y->dim && !dim_unify(z, x->dim, y->dim)) return false;
    if (x->type && y->type && !sized_unify(z, x->type, y->type)) return false;
  }
  return true;
}

bool sized_unify(Sizing *z, Sized *e, Sized *a) {
  if (e == a || e->tag != a->tag) return true;
  switch (e->tag) {
    case TYPE_ARRAY:
      return dim_unify(z, e->array.dim, a->array.dim) &&
             sized_unify(z, e->array.elem, a->array.elem);
    case TYPE_RECORD: return unify_fields(z, e, a);
    case TYPE_SUM: return unify_constrs(z, e, a);
    case TYPE_ARROW: return unify_arrow_sizes(z, e, a);
    case TYPE_NAMED: return unify_args(z, e, a);
    case TYPE_PRIM:
    case TYPE_VAR:
    case TYPE_ERROR: return true;
  }
  return true;
}

static void sizes_report(Sizing *z, Span at, Sized *e, Sized *a, const char *header,
                            va_list args) {
  if (z->c->failed) return;
  Text text = {0};
  text_vprintf(&text, header, args);
  report(z->c, at, "%s\nExpected: %s\nActual:   %s\n%s", text.at, sized_text(z, e),
         sized_text(z, a), z->why);
  sizes_note(z);
  sizes_hint(z, at, e);
  text_free(&text);
}

void sized_mismatch(Sizing *z, Span at, Sized *e, Sized *a, const char *header, ...) {
  va_list args;
  va_start(args, header);
  sizes_report(z, at, e, a, header, args);
  va_end(args);
}

bool sized_expect(Sizing *z, Span at, Sized *e, Sized *a, const char *header, ...) {
  if (sized_unify(z, e, a)) return true;
  va_list args;
  va_start(args, header);
  sizes_report(z, at, e, a, header, args);
  va_end(args);
  return false;
}
