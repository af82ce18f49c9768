// Sizes: variables, structural equality, replacement, text.
#include "sizes.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- making ----------------------------------------------------------------------------------
Dim *dim_const(Sizing *z, int64_t value) {
  Dim *d = NEW(z->c->arena, Dim);
  d->tag = DIM_CONST;
  d->value = value;
  return d;
}

Dim *dim_var(DimVar *var) { return var->dim; }

DimVar *dimvar_new(Sizing *z, DimVarTag tag, Name name, Span span, const char *why) {
  DimVar *v = NEW(z->c->arena, DimVar);
  v->dim = NEW(z->c->arena, Dim);
  v->dim->tag = DIM_VAR;
  v->dim->var = v;
  v->tag = tag;
  v->name = name;
  v->id = z->next_id++;
  v->level = z->level;
  v->span = span;
  v->why = why;
  return v;
}

Dim *dim_flex(Sizing *z, Span span, DimRank rank, const char *why) {
  DimVar *v = dimvar_new(z, DIMVAR_FLEX, NULL, span, why);
  v->rank = rank;
  list_push(z->c->arena, &z->vars, v);
  return v->dim;
}

DimVar *unknown_new(Sizing *z, Name name, Span span, const char *why) {
  z->unknowns++;
  return dimvar_new(z, DIMVAR_UNKNOWN, name, span, why);
}

// Sizes are graphs: what a let replaces in a size stands there once, however often it is mentioned,
// and is looked at once in a walk.  They can be long sums that grow from let to let.  A compound
// size whose variables will not change any more remembers them when there are few: in order of
// their first mention, and in order of their last where that differs, for those who look keep the
// first or the last they want.
enum { MOST_RESOLVED = 8 };
typedef struct {
  DimVar *at[MOST_RESOLVED];
  int len;
} FewVars;
struct Resolved {
  FewVars first, last;
  bool again;  // some variable is mentioned twice
  bool done;
  unsigned *walks, walk;  // the last walk that came here, counted by Sizing
  Dim *image;             // what it made of the size
  bool constant;          // it is the value
  int64_t value;
  Dim *same, *unified;    // other sizes found to be the same, made the same
};

Dim *dim_term(Sizing *z, ExprTag form, const char *text) {
  Dim *d = NEW(z->c->arena, Dim);
  d->tag = DIM_TERM;
  d->term.form = form;
  d->term.text = text;
  d->term.resolved = NEW(z->c->arena, struct Resolved);
  d->term.resolved->walks = &z->walks;
  return d;
}

// left op right, with the built-in operator.
Dim *dim_binop(Sizing *z, const char *op, Dim *left, Dim *right) {
  Binding *b = scope_get(z->c, SPACE_TERM, name_of(z->c->names, op));
  if (!b || !left || !right) return NULL;
  Dim *d = dim_term(z, EXP_BINOP, "");
  list_push(z->c->arena, &d->term.args, dim_var(dimvar_of(z, b)));
  list_push(z->c->arena, &d->term.args, left);
  list_push(z->c->arena, &d->term.args, right);
  return d;
}

// ---- looking ---------------------------------------------------------------------------------
// Part of an instance that proved existential.
bool dimvar_pending(const DimVar *v) {
  return v->tag == DIMVAR_FLEX && !v->ref && v->canon && v->canon->source;
}

// Copies are their canonical variable as long as that is not existential.
Dim *dim_find(Dim *d) {
  while (d->tag == DIM_VAR && d->var->tag == DIMVAR_FLEX) {
    DimVar *v = d->var;
    if (!v->ref && v->canon && v->canon != v && !v->canon->source) v = v->canon;
    if (!v->ref) return v->dim;
    d = v->ref;
  }
  return d;
}

bool pending_same(const DimVar *a, const DimVar *b) {
  return a == b || (dimvar_pending(a) && dimvar_pending(b) && a->occurrence == b->occurrence &&
                    a->canon->source == b->canon->source);
}

// Sizes found or made the same stay so: variables get one solution.
bool dim_unified(const Dim *a, const Dim *b) { return a->term.resolved->unified == b; }
void dim_unified_note(Dim *a, Dim *b) { a->term.resolved->unified = b; }

// ---- constants -------------------------------------------------------------------------------
static bool op_fold(const Binding *op, int64_t x, int64_t y, int64_t *out) {
  if (!op || op->tag != BIND_OPERATOR) return false;
  uint64_t a = (uint64_t)x, b = (uint64_t)y;
  if (op->intr == INTR_ADD) *out = (int64_t)(a + b);
  else if (op->intr == INTR_SUB) *out = (int64_t)(a - b);
  else if (op->intr == INTR_MUL) *out = (int64_t)(a * b);
  else return false;
  return true;
}

bool dim_constant(Dim *dim, int64_t *out) {
  dim = dim_find(dim);
  if (dim->tag == DIM_CONST) return *out = dim->value, true;
  if (dim->tag != DIM_TERM || dim->term.form != EXP_BINOP || dim->term.args.len != 3) return false;
  struct Resolved *s = dim->term.resolved;
  int64_t x, y;
  if (!s->constant) {
    const Dim *op = dim_find(dim->term.args.at[0]);
    s->constant = op->tag == DIM_VAR && dim_constant(dim->term.args.at[1], &x) &&
                  dim_constant(dim->term.args.at[2], &y) &&
                  op_fold(op->var->binding, x, y, &s->value);
  }
  return s->constant ? (*out = s->value, true) : false;
}

static bool constants_same(Dim *a, Dim *b) {
  int64_t x, y;
  return dim_constant(a, &x) && dim_constant(b, &y) && x == y;
}

static bool terms_same(Dim *a, Dim *b) {
  if (a->term.resolved->same == b || b->term.resolved->same == a) return true;
  if (a->term.form != b->term.form || a->term.args.len != b->term.args.len) return false;
  if (a->term.text != b->term.text && strcmp(a->term.text, b->term.text) != 0) return false;
  for (int i = 0; i < a->term.args.len; i++) {
    Dim *x = a->term.args.at[i], *y = b->term.args.at[i];
    if (x == y) continue;
    if (!x || !y || !dim_same(x, y)) return false;
  }
  a->term.resolved->same = b;
  return true;
}

// Equal in structure, or constants that are equal once computed: 5 - 3 is 2.
bool dim_same(Dim *a, Dim *b) {
  a = dim_find(a);
  b = dim_find(b);
  if (a == b || a->tag == DIM_ANY || b->tag == DIM_ANY) return true;
  if (a->tag == DIM_VAR && b->tag == DIM_VAR) return pending_same(a->var, b->var);
  if (a->tag == DIM_TERM && b->tag == DIM_TERM && terms_same(a, b)) return true;
  return constants_same(a, b);
}

static int few_index(const FewVars *vars, const DimVar *v) {
  for (int i = 0; i < vars->len; i++)
    if (vars->at[i] == v) return i;
  return -1;
}

static bool resolved_add(struct Resolved *s, const FewVars *first, const FewVars *last) {
  for (int i = 0; i < first->len; i++) {
    if (few_index(&s->first, first->at[i]) >= 0) continue;
    if (s->first.len == MOST_RESOLVED) return false;
    s->first.at[s->first.len++] = first->at[i];
  }
  for (int i = 0; i < last->len; i++) {
    int old = few_index(&s->last, last->at[i]);
    s->again |= old >= 0;
    for (int k = old; k >= 0 && k + 1 < s->last.len; k++) s->last.at[k] = s->last.at[k + 1];
    s->last.len -= old >= 0;
    s->last.at[s->last.len++] = last->at[i];
  }
  return true;
}

// Follows solutions; NULL at a variable that may still get one.
static const Dim *dim_solved(const Dim *d) {
  while (d && d->tag == DIM_VAR && d->var->tag == DIMVAR_FLEX) d = d->var->ref;
  return d;
}

static bool resolved_add_dim(struct Resolved *s, const Dim *part) {
  const Dim *d = dim_solved(part);
  if (!d) return false;
  if (d->tag == DIM_VAR) {
    FewVars one = {{d->var}, 1};
    return resolved_add(s, &one, &one);
  }
  if (d->tag != DIM_TERM) return true;
  const struct Resolved *inner = d->term.resolved;
  if (!inner->done || !resolved_add(s, &inner->first, &inner->last)) return false;
  s->again |= inner->again;
  return true;
}

static void dim_settle(Dim *d) {
  struct Resolved s = {0};
  for (int i = 0; i < d->term.args.len; i++)
    if (d->term.args.at[i] && !resolved_add_dim(&s, d->term.args.at[i])) return;
  d->term.resolved->first = s.first;
  d->term.resolved->last = s.last;
  d->term.resolved->again = s.again;
  d->term.resolved->done = true;
}

static void each_in(Dim *d, void (*see)(void *env, DimVar *var), void *env, unsigned walk) {
  d = dim_find(d);
  if (d->tag == DIM_VAR) see(env, d->var);
  if (d->tag != DIM_TERM) return;
  struct Resolved *s = d->term.resolved;
  if (!walk) walk = ++*s->walks;
  else if (s->walk == walk) return;
  s->walk = walk;
  for (int i = 0; i < s->first.len; i++) see(env, s->first.at[i]);
  for (int i = 0; s->again && i < s->last.len; i++) see(env, s->last.at[i]);
  if (s->done) return;
  for (int i = 0; i < d->term.args.len; i++)
    if (d->term.args.at[i]) each_in(d->term.args.at[i], see, env, walk);
  dim_settle(d);
}

void dim_each(Dim *d, void (*see)(void *env, DimVar *var), void *env) { each_in(d, see, env, 0); }

static int weight_in(Dim *d, unsigned walk) {
  d = dim_find(d);
  if (d->tag != DIM_TERM) return 1;
  struct Resolved *s = d->term.resolved;
  if (!walk) walk = ++*s->walks;
  else if (s->walk == walk) return 0;
  s->walk = walk;
  int n = 1;
  for (int i = 0; i < d->term.args.len; i++)
    if (d->term.args.at[i]) n += weight_in(d->term.args.at[i], walk);
  return n;
}

int dim_weight(Dim *d) { return weight_in(d, 0); }

typedef struct {
  const DimVar *var;
  bool found;
} MentionSearch;
static void mention_see(void *env, DimVar *var) {
  MentionSearch *s = env;
  s->found |= var == s->var;
}
bool dim_mentions(Dim *d, const DimVar *var) {
  MentionSearch s = {var, false};
  dim_each(d, mention_see, &s);
  return s.found;
}

// A field of a tuple or record written out is that part.
static Dim *project_reduce(Dim *d) {
  if (d->term.form != EXP_PROJECT) return d;
  Dim *src = dim_find(d->term.args.at[0]);
  if (src->tag != DIM_TERM || src->term.form != EXP_TUPLE) return d;
  if (!isdigit((unsigned char)d->term.text[0])) return d;
  int i = atoi(d->term.text);
  return i < src->term.args.len && src->term.args.at[i] ? src->term.args.at[i] : d;
}

static bool is_kept(const Dim *d, DimMap to, void *env) {
  const struct Resolved *s = d->term.resolved;
  for (int i = 0; i < s->first.len; i++)
    if (to(env, s->first.at[i])) return false;
  return s->done;
}

typedef struct {
  Sizing *z;
  DimMap to;
  DimPartMap part;  // or NULL
  void *env;
  unsigned walk;
} Mapping;

static Dim *map_in(const Mapping *m, Dim *d);

static Dim *map_term(const Mapping *m, Dim *d) {
  DimList args = {0};
  bool changed = false;
  for (int i = 0; i < d->term.args.len; i++) {
    Dim *old = d->term.args.at[i], *new = old ? map_in(m, old) : NULL;
    changed |= new != old;
    list_push(m->z->c->arena, &args, new);
  }
  if (!changed) return d;
  Dim *copy = dim_term(m->z, d->term.form, d->term.text);
  copy->term.args = args;
  return project_reduce(copy);
}

static Dim *map_in(const Mapping *m, Dim *d) {
  d = dim_find(d);
  if (d->tag == DIM_VAR) {
    Dim *other = m->to(m->env, d->var);
    return other ? other : d;
  }
  if (d->tag != DIM_TERM || (!m->part && is_kept(d, m->to, m->env))) return d;
  struct Resolved *s = d->term.resolved;
  if (s->walk == m->walk) return s->image;
  Dim *image = m->part ? m->part(m->env, d) : NULL;
  if (!image) image = map_term(m, d);
  s->image = image;
  s->walk = m->walk;
  return image;
}

Dim *dim_map(Sizing *z, Dim *d, DimMap to, void *env) {
  Mapping m = {z, to, NULL, env, ++z->walks};
  return map_in(&m, d);
}

Dim *dim_map_parts(Sizing *z, Dim *d, DimMap to, DimPartMap part, void *env) {
  Mapping m = {z, to, part, env, ++z->walks};
  return map_in(&m, d);
}

// ---- text ------------------------------------------------------------------------------------
static void dim_print_atom(Text *out, Dim *d) {
  d = dim_find(d);
  int64_t value;
  bool atom = d->tag != DIM_TERM || dim_constant(d, &value) || d->term.form == EXP_TUPLE ||
              d->term.form == EXP_PROJECT ||
              d->term.form == EXP_INDEX || d->term.form == EXP_ARRAY ||
              (d->term.args.len == 0 && d->term.text[0]);
  if (!atom) text_putc(out, '(');
  dim_print(out, d);
  if (!atom) text_putc(out, ')');
}

static void dim_print_list(Text *out, const DimList *args, int from, const char *separator) {
  for (int i = from; i < args->len; i++) {
    if (i > from) text_puts(out, separator);
    if (args->at[i]) dim_print(out, args->at[i]);
  }
}

static const char *binop_name(const DimList *args) {
  const Dim *op = dim_find(args->at[0]);
  return op->tag == DIM_VAR ? op->var->name : "?";
}

// How tightly an operator binds, among those usual in sizes.
static int binop_level(const char *op) {
  if (strcmp(op, "**") == 0) return 3;
  if (strchr("*/%", op[0])) return 2;
  return op[1] == 0 && strchr("+-", op[0]) ? 1 : 0;
}

static void dim_print_operand(Text *out, Dim *d, const char *op, bool left) {
  d = dim_find(d);
  bool binop = d->tag == DIM_TERM && d->term.form == EXP_BINOP;
  int level = binop_level(op), inner = binop ? binop_level(binop_name(&d->term.args)) : 4;
  bool bare = inner > level || (left && inner == level && level > 0);
  bool apply = d->tag == DIM_TERM && d->term.form == EXP_APPLY;
  if (apply || (binop && bare)) dim_print(out, d);
  else dim_print_atom(out, d);
}

static void dim_print_binop(Text *out, const DimList *args) {
  const char *op = binop_name(args);
  dim_print_operand(out, args->at[1], op, true);
  text_printf(out, " %s ", op);
  dim_print_operand(out, args->at[2], op, false);
}

static void dim_print_term(Text *out, Dim *d) {
  const DimList *args = &d->term.args;
  switch ((int)d->term.form) {
    case EXP_BINOP: dim_print_binop(out, args); return;
    case EXP_APPLY:
      for (int i = 0; i < args->len; i++) {
        if (i) text_putc(out, ' ');
        dim_print_atom(out, args->at[i]);
      }
      return;
    case EXP_PROJECT:
      dim_print_atom(out, args->at[0]);
      text_printf(out, ".%s", d->term.text);
      return;
    case EXP_NEG:
      text_putc(out, '-');
      dim_print_atom(out, args->at[0]);
      return;
    case EXP_TUPLE:
      text_putc(out, '(');
      dim_print_list(out, args, 0, ", ");
      text_putc(out, ')');
      return;
    case EXP_ARRAY:
      text_putc(out, '[');
      dim_print_list(out, args, 0, ", ");
      text_putc(out, ']');
      return;
    case EXP_INDEX:
      dim_print_atom(out, args->at[0]);
      text_putc(out, '[');
      dim_print_list(out, args, 1, ", ");
      text_putc(out, ']');
      return;
    case EXP_IF:
      text_puts(out, "if ");
      dim_print(out, args->at[0]);
      text_puts(out, " then ");
      dim_print(out, args->at[1]);
      text_puts(out, " else ");
      dim_print(out, args->at[2]);
      return;
  }
  text_puts(out, d->term.text);
  if (args->len && d->term.text[0]) text_putc(out, ' ');
  dim_print_list(out, args, 0, " ");
}

// A name as the program mentions it: i64.i32, without what follows of fields.
static void path_print(Text *out, const VarRef *path) {
  for (int i = 0; i < path->name.parts.len - path->inst->fields; i++)
    text_printf(out, i ? ".%s" : "%s", path->name.parts.at[i]);
}

// Sizes that the program did not name itself are numbered.
static void dimvar_print(Text *out, const DimVar *v) {
  if (v->path) {
    path_print(out, v->path);
    return;
  }
  if (v->tag == DIMVAR_NAME || (v->tag == DIMVAR_FLEX && v->name)) {
    if (v->name) text_puts(out, v->name);
    else text_printf(out, "d%d", v->shown);
    return;
  }
  char digits[16];
  snprintf(digits, sizeof digits, "%d", v->shown);
  text_puts(out, v->name ? v->name : "d");
  for (const char *c = digits; *c; c++) text_printf(out, "\xe2\x82%c", (char)(*c - '0' + 0x80));
}

// Written out, a size can be much longer than it is.
enum { LONGEST = 1000 };

void dim_print(Text *out, Dim *d) {
  int64_t value;
  d = dim_find(d);
  if (dim_constant(d, &value)) {
    text_printf(out, "%lld", (long long)value);
    return;
  }
  if (d->tag == DIM_TERM && out->len > LONGEST) {
    text_puts(out, "..");
    return;
  }
  switch (d->tag) {
    case DIM_CONST: break;
    case DIM_VAR: dimvar_print(out, d->var); break;
    case DIM_TERM: dim_print_term(out, d); break;
    case DIM_ANY: text_puts(out, "?"); break;
  }
}

// Unknown sizes are called d1, d2, .. in the messages of a binding.
static void number_see(void *env, DimVar *v) {
  Sizing *z = env;
  if (v->tag != DIMVAR_NAME && !v->shown) v->shown = ++z->shown;
}
void dim_number(Sizing *z, Dim *d) { dim_each(d, number_see, z); }

const char *dim_text(Sizing *z, Dim *d) {
  Text text = {0};
  dim_number(z, d);
  dim_print(&text, d);
  const char *s = arena_strndup(z->c->arena, text.at ? text.at : "", text.len);
  text_free(&text);
  return s;
}
