// The C functions that users call.  They compute the lengths of arrays, split arrays of structs
// into arrays of their members, call the entry point of back/raw.c and bring results to their
// places.
//   plain     f_grad (parameters.., double *value, x_grad..)     int: 0, or a failure
//   tapenade  f_b (x, xb, .., fb), f_d (x, xd, .., f)            as `dagaz adjoint` and `tangent`
#include "local.h"

typedef enum { BY_VALUE, BY_ONE, BY_ARRAY } Access;
typedef struct {
  Arena *arena;
  CProgram *p;
  const CDerived *d;
  const CWrapOptions *options;
  Text before, after;
  int temps;
  bool rows;         // arrays of pointers among the arguments
} Wrap;

static const CLoweredLeaf *leaf_at(const Wrap *w, int i) { return &w->d->low->leaves.at[i]; }

static bool chosen(const CLeafs *leaves, int i) {
  for (int k = 0; k < leaves->len; k++)
    if (leaves->at[k] == i) return true;
  return false;
}

// ---- access to leaves ---------------------------------------------------------------------------
static Access access_of(const CLoweredLeaf *leaf) {
  bool pointer = leaf->param && ctype_is_pointer(leaf->param->type);
  return leaf->array ? BY_ARRAY : pointer || !leaf->param ? BY_ONE : BY_VALUE;
}

static const char *type_name(Wrap *w, const CType *t) {
  Text text = {0};
  ctype_print(&text, ctype_plain(w->arena, t), "");
  const char *s = arena_strdup(w->arena, text.at);
  text_free(&text);
  return s;
}

static const char *count_name(Wrap *w, const CLoweredLeaf *leaf) {
  return arena_printf(w->arena, "dz_n%d", (int)(leaf - w->d->low->leaves.at));
}

// How many elements of the leaf an array has, as a statement before.
static void count_put(Wrap *w, const CLoweredParam *p, const CLoweredLeaf *leaf) {
  Text length = {0};
  bool target = leaf->way == LEAF_MEMBER || leaf->way == LEAF_FAR;
  const CExpr *known = target ? leaf->length : p->length;
  if (known) cexpr_print(&length, known);
  else text_puts(&length, "(int64_t)1 << 58");
  text_printf(&w->before, "  const int64_t %s = (int64_t)(%s)", count_name(w, leaf),
              p->one && !target ? "1" : length.at);
  text_free(&length);
  if (target) {
    text_puts(&w->before, ";\n");
    return;
  }
  const CType *pointee = p->var->type->base;
  if (pointee->tag == CTYPE_ARRAY && !*leaf->path)
    text_printf(&w->before, " * (int64_t)(sizeof *%s / sizeof(%s))", p->var->name,
                type_name(w, leaf->type));
  else if (leaf->many != 1) text_printf(&w->before, " * %lld", (long long)leaf->many);
  text_puts(&w->before, ";\n");
}

static void counts_put(Wrap *w) {
  for (int i = 0; i < w->d->low->params.len; i++) {
    const CLoweredParam *p = &w->d->low->params.at[i];
    for (int k = 0; k < p->leaves; k++)
      if (leaf_at(w, p->first + k)->array) count_put(w, p, leaf_at(w, p->first + k));
  }
}

// Whether an array of the leaf lies in memory as core has it.
static bool is_whole(const CLoweredLeaf *leaf) {
  return leaf->way == LEAF_MEMBER || (!leaf->way && (!*leaf->path || clower_is_only(leaf)));
}

static const CField *field_named(const CType *t, const char *name, size_t len) {
  for (int i = 0; t->tag == CTYPE_STRUCT && i < t->record->fields.len; i++) {
    const CField *f = &t->record->fields.at[i];
    if (strlen(f->name) == len && strncmp(f->name, name, len) == 0) return f;
  }
  ice("a struct has no member %.*s", (int)len, name);
}

// base[i].path of the element with number dz_i: its digits are the indices of arrays on the way.
static const char *member(Wrap *w, const char *base, const CLoweredLeaf *leaf) {
  const char *path = leaf->path;
  if (leaf->many == 1) return arena_printf(w->arena, "%s[dz_i]%s", base, path);
  const char *place = arena_printf(w->arena, "%s[dz_i / %lld]", base, (long long)leaf->many);
  const CType *t = leaf->param->type->base;
  int64_t below = leaf->many;
  for (const char *p = path; *p == '.';) {
    size_t len = strcspn(p + 1, ".");
    const CField *f = field_named(t, p + 1, len);
    place = arena_printf(w->arena, "%s%.*s", place, (int)len + 1, p);
    for (t = f->type; t->tag == CTYPE_ARRAY; t = t->base) {
      below /= t->count;
      place = below == 1 ? arena_printf(w->arena, "%s[dz_i %% %lld]", place, (long long)t->count)
                         : arena_printf(w->arena, "%s[dz_i / %lld %% %lld]", place,
                                        (long long)below, (long long)t->count);
    }
    p += len + 1;
  }
  return place;
}

static const char *temp_array(Wrap *w, const CLoweredLeaf *leaf) {
  const char *name = arena_printf(w->arena, "dz_t%d", w->temps++), *t = type_name(w, leaf->type);
  text_printf(&w->before, "  %s*const %s = (%s*)malloc(sizeof(%s) * (size_t)(%s + 1));\n"
              "  if (%s == NULL) abort();\n", t, name, t, t, count_name(w, leaf), name);
  return name;
}

static void copy_put(Wrap *w, Text *to, const CLoweredLeaf *leaf, const char *left,
                     const char *right) {
  text_printf(to, "  for (int64_t dz_i = 0; dz_i < %s; dz_i++) %s = %s;\n", count_name(w, leaf),
              left, right);
}

static const char *element(Wrap *w, const char *name) {
  return arena_printf(w->arena, "%s[dz_i]", name);
}

// The array that a whole leaf is, of what `base` points to.
static const char *whole(Wrap *w, const char *base, const CLoweredLeaf *leaf) {
  if (leaf->way != LEAF_MEMBER) return base;
  return arena_printf(w->arena, "(*%s)%s", base, leaf->path);
}

static const char *far_name(Wrap *w, const CLoweredLeaf *rows) {
  return arena_printf(w->arena, "dz_far%d", (int)(rows - w->d->low->leaves.at));
}

static const char rows_text[] =
    "static int dz_rows(const char *const *from, int64_t n, int64_t size, int64_t *to,\n"
    "                   const char **far) {\n"
    "  int uneven = 0;\n"
    "  for (int64_t i = 0; i < n; i++)\n"
    "    if (from[i] && (!*far || (uintptr_t)from[i] < (uintptr_t)*far)) *far = from[i];\n"
    "  for (int64_t i = 0; i < n; i++) {\n"
    "    const int64_t bytes = from[i] ? (int64_t)((uintptr_t)from[i] - (uintptr_t)*far) : 0;\n"
    "    uneven |= bytes % size != 0;\n"
    "    to[i] = from[i] ? bytes / size : -((int64_t)1 << 60);\n  }\n  return uneven;\n}\n";

// Offsets of an array of pointers from the one with the lowest address.
static const char *rows_read(Wrap *w, const char *base, const CLoweredLeaf *leaf) {
  const char *far = far_name(w, leaf), *count = count_name(w, leaf);
  const char *t = type_name(w, leaf[1].type);
  const char *name = arena_printf(w->arena, "dz_t%d", w->temps++);
  const char *from = arena_printf(w->arena, "%s_from", name);
  text_printf(&w->before, "  const char *%s = NULL;\n", far);
  text_printf(&w->before, "  const char **const %s = (const char**)malloc(sizeof(char*) * (size_t)"
              "(%s + 1));\n", from, count);
  text_printf(&w->before, "  int64_t *const %s = (int64_t*)malloc(8 * (size_t)(%s + 1));\n"
              "  if (%s == NULL || %s == NULL) abort();\n", name, count, name, from);
  copy_put(w, &w->before, leaf, element(w, from),
           arena_printf(w->arena, "(const char*)%s", member(w, base, leaf)));
  text_printf(&w->before, "  dz_uneven |= dz_rows(%s, %s, sizeof(%s), %s, &%s);\n", from, count,
              t, name, far);
  text_printf(&w->after, "  free(%s), free(%s);\n", from, name);
  w->rows = true;
  return name;
}

// An argument with the value of the leaf, of what `base` is or points to.
static const char *read_leaf(Wrap *w, const char *base, const CLoweredLeaf *leaf, Access how) {
  if (how == BY_VALUE) return arena_printf(w->arena, "%s%s", base, leaf->path);
  if (how == BY_ONE && !*leaf->path) return arena_printf(w->arena, "*%s", base);
  if (how == BY_ONE) return arena_printf(w->arena, "(*%s)%s", base, leaf->path);
  if (is_whole(leaf))
    return arena_printf(w->arena, "(const %s*)%s", type_name(w, leaf->type), whole(w, base, leaf));
  if (leaf->way == LEAF_ROWS) return rows_read(w, base, leaf);
  if (leaf->way == LEAF_FAR)
    return arena_printf(w->arena, "(const %s*)%s", type_name(w, leaf->type), far_name(w, leaf - 1));
  const char *temp = temp_array(w, leaf);
  copy_put(w, &w->before, leaf, element(w, temp), member(w, base, leaf));
  text_printf(&w->after, "  free(%s);\n", temp);
  return temp;
}

static Prim result_prim(Wrap *w, const CLoweredLeaf *leaf) {
  Prim p = PRIM_I32;
  if (leaf->type->tag != CTYPE_ENUM) ctype_prim(leaf->type, &p);
  (void)w;
  if (leaf->array || p == PRIM_U32 || p == PRIM_U64 || p == PRIM_BOOL || prim_is_float(p)) return p;
  return PRIM_I64;
}

// An argument where the leaf's result is to go.
static const char *write_leaf(Wrap *w, const char *base, const CLoweredLeaf *leaf, Access how) {
  if (how == BY_ARRAY && is_whole(leaf))
    return arena_printf(w->arena, "(%s*)%s", type_name(w, leaf->type), whole(w, base, leaf));
  if (how == BY_ARRAY) {
    const char *temp = temp_array(w, leaf);
    copy_put(w, &w->before, leaf, element(w, temp), member(w, base, leaf));
    copy_put(w, &w->after, leaf, member(w, base, leaf), element(w, temp));
    text_printf(&w->after, "  free(%s);\n", temp);
    return temp;
  }
  const char *name = arena_printf(w->arena, "dz_t%d", w->temps++);
  text_printf(&w->before, "  %s %s = 0;\n", prim_info[result_prim(w, leaf)].ctype, name);
  text_printf(&w->after, "  if (dz_err == 0 && %s) (*%s)%s = %s;\n", base, base, leaf->path, name);
  return arena_printf(w->arena, "&%s", name);
}

// ---- names --------------------------------------------------------------------------------------
static bool is_taken(const Wrap *w, const char *name) {
  for (int i = 0; i < w->d->low->params.len; i++)
    if (strcmp(w->d->low->params.at[i].var->name, name) == 0) return true;
  return false;
}

static const char *fresh(Wrap *w, const char *base, const char *tail) {
  const char *name = arena_printf(w->arena, "%s%s", base, tail);
  for (int i = 0; is_taken(w, name); i++)
    name = arena_printf(w->arena, "%s%s%d", base, tail, i);
  return name;
}

static const char *tail_of(const Wrap *w, bool input) {
  bool forward = w->d->mode == CDERIVE_JVP;
  if (w->options->tapenade) return forward ? "d" : "b";
  return forward ? "_dot" : input ? "_grad" : "_seed";
}

static const char *value_name(Wrap *w) {
  return w->options->tapenade ? w->d->low->source->name : fresh(w, "value", "");
}

static bool param_in(const CLoweredParam *p, const CLeafs *leaves) {
  for (int k = 0; k < p->leaves; k++)
    if (chosen(leaves, p->first + k)) return true;
  return false;
}

static bool result_in(const Wrap *w) {
  for (int k = 0; k < w->d->outputs.len; k++)
    if (!leaf_at(w, w->d->outputs.at[k])->param) return true;
  return false;
}

// ---- heads of functions -------------------------------------------------------------------------
static bool is_shadowed(const CType *t) {
  t = ctype_element(t);
  if (t->tag == CTYPE_POINTER) t = t->base;
  return ctype_is_float(t);
}

static const char *record_name(const CRecord *r) { return r->name ? r->name : r->alias; }

// The type that a derivative of it has: structs have types of their own in the signatures of
// `dagaz adjoint`.
static void put_shadow(Wrap *w, Text *out, const CType *t, const char *name, bool constant) {
  const CType *e = ctype_plain(w->arena, t->tag == CTYPE_POINTER ? t->base : t);
  const char *star = arena_printf(w->arena, "*%s", name);
  if (e->tag == CTYPE_STRUCT && w->options->tapenade)
    text_printf(out, "%s_diff *%s", e->record->alias ? e->record->alias : e->alias, name);
  else if (e->tag == CTYPE_ARRAY) ctype_print(out, ctype_pointer(w->arena, e), name);
  else {
    if (constant) text_puts(out, "const ");
    ctype_print(out, e, star);
  }
}

static void put_comma(Text *out, bool *first) {
  if (!*first) text_puts(out, ", ");
  *first = false;
}

static void put_primal(Wrap *w, Text *out, const CVar *v) {
  const CType *t = v->type;
  if (t->tag == CTYPE_POINTER && t->base->tag != CTYPE_ARRAY)
    t = ctype_qualified(w->arena, ctype_pointer(w->arena, t->base), 0);
  ctype_print(out, t, v->name);
}

static void put_value(Wrap *w, Text *out, const char *name) {
  ctype_print(out, ctype_plain(w->arena, w->d->low->source->type->base),
              arena_printf(w->arena, "*%s", name));
}

static bool returns_value(const Wrap *w) {
  return w->d->low->source->type->base->tag != CTYPE_VOID;
}

static void put_tapenade_head(Wrap *w, Text *out) {
  const CLowered *low = w->d->low;
  bool forward = w->d->mode == CDERIVE_JVP, first = true, result = result_in(w);
  ctype_print(out, forward ? low->source->type->base : &ctype_void, "");
  text_printf(out, " %s(", w->d->name);
  for (int i = 0; i < low->params.len; i++) {
    const CLoweredParam *p = &low->params.at[i];
    bool active = param_in(p, &w->d->inputs) || param_in(p, &w->d->outputs);
    put_comma(out, &first);
    put_primal(w, out, p->var);
    if (!active) continue;
    const char *name = fresh(w, p->var->name, tail_of(w, true));
    text_puts(out, ", ");
    if (forward && p->var->type->tag != CTYPE_POINTER) ctype_print(out, p->var->type, name);
    else put_shadow(w, out, p->var->type, name, false);
  }
  if (result) {
    put_comma(out, &first);
    if (forward) put_value(w, out, value_name(w));
    else ctype_print(out, low->source->type->base,
                     fresh(w, low->source->name, "b"));
  }
  text_puts(out, first ? "void)" : ")");
}

static void put_group(Wrap *w, Text *out, const CLeafs *leaves, const char *tail, bool constant) {
  const CLowered *low = w->d->low;
  for (int i = 0; i < low->params.len; i++) {
    const CLoweredParam *p = &low->params.at[i];
    if (!param_in(p, leaves)) continue;
    const char *name = fresh(w, p->var->name, tail);
    text_puts(out, ", ");
    if (constant && p->var->type->tag != CTYPE_POINTER) ctype_print(out, p->var->type, name);
    else put_shadow(w, out, p->var->type, name, constant);
  }
}

static void put_plain_head(Wrap *w, Text *out) {
  const CLowered *low = w->d->low;
  CDeriveMode mode = w->d->mode;
  bool first = true, result = result_in(w);
  const char *value = value_name(w);
  text_printf(out, "int %s(", w->d->name);
  for (int i = 0; i < low->params.len; i++) {
    put_comma(out, &first);
    put_primal(w, out, low->params.at[i].var);
  }
  Text more = {0};
  if (mode == CDERIVE_VJP && result) {
    text_puts(&more, ", ");
    ctype_print(&more, low->source->type->base, fresh(w, "value", "_seed"));
  }
  if (mode == CDERIVE_VJP) put_group(w, &more, &w->d->outputs, "_seed", true);
  if (mode == CDERIVE_JVP || mode == CDERIVE_HVP) put_group(w, &more, &w->d->inputs, "_dot", true);
  if (returns_value(w)) {
    text_puts(&more, ", ");
    put_value(w, &more, value);
  }
  if (mode == CDERIVE_JVP && result) {
    text_puts(&more, ", ");
    put_value(w, &more, fresh(w, value, "_dot"));
  }
  if (mode == CDERIVE_JVP) put_group(w, &more, &w->d->outputs, "_out", false);
  if (mode == CDERIVE_GRAD || mode == CDERIVE_VJP || mode == CDERIVE_HVP)
    put_group(w, &more, &w->d->inputs, "_grad", false);
  if (mode == CDERIVE_HVP) put_group(w, &more, &w->d->inputs, "_hvp", false);
  if (mode == CDERIVE_JAC)
    text_printf(&more, ", %s *%s", type_name(w, clower_jacobian_type(w->d)),
                fresh(w, "jacobian", ""));
  if (more.at) text_puts(out, first ? more.at + 2 : more.at);
  text_free(&more);
  text_puts(out, ")");
}

static void put_head(Wrap *w, Text *out) {
  if (w->options->tapenade) put_tapenade_head(w, out);
  else put_plain_head(w, out);
}

// ---- arguments ----------------------------------------------------------------------------------
static const char *primal_argument(Wrap *w, Var v) {
  for (int i = 0; i < w->d->low->leaves.len; i++) {
    const CLoweredLeaf *leaf = leaf_at(w, i);
    if (leaf->size.id == v.id) return count_name(w, leaf);
    if (leaf->in.id == v.id) return read_leaf(w, leaf->param->name, leaf, access_of(leaf));
  }
  ice("a parameter of %s is nobody's", w->d->name);
}

static const char *seed_argument(Wrap *w, const CLoweredLeaf *leaf) {
  if (!leaf->param) {
    const char *name = w->options->tapenade ? fresh(w, w->d->low->source->name, "b")
                                            : fresh(w, "value", "_seed");
    return read_leaf(w, name, leaf, BY_VALUE);
  }
  return read_leaf(w, fresh(w, leaf->param->name, tail_of(w, false)), leaf, access_of(leaf));
}

static const char *direction_argument(Wrap *w, const CLoweredLeaf *leaf) {
  const char *tail = w->options->tapenade ? "d" : "_dot";
  return read_leaf(w, fresh(w, leaf->param->name, tail), leaf, access_of(leaf));
}

// Gradients and such of inputs: scalars, too, go through pointers.
static const char *input_result(Wrap *w, int i, const char *tail) {
  const CLoweredLeaf *leaf = leaf_at(w, i);
  Access how = access_of(leaf);
  return write_leaf(w, fresh(w, leaf->param->name, tail), leaf, how == BY_VALUE ? BY_ONE : how);
}

static const char *output_dot(Wrap *w, int i) {
  const CLoweredLeaf *leaf = leaf_at(w, i);
  if (leaf->param) {
    const char *tail = w->options->tapenade ? "d" : "_out";
    return write_leaf(w, fresh(w, leaf->param->name, tail), leaf, access_of(leaf));
  }
  if (!w->options->tapenade) return write_leaf(w, fresh(w, value_name(w), "_dot"), leaf, BY_ONE);
  return "&dz_result_dot";
}

static const char *value_result(Wrap *w, int out) {
  for (int i = 0; i < w->d->low->leaves.len; i++) {
    const CLoweredLeaf *leaf = leaf_at(w, i);
    if (leaf->out != out) continue;
    if (w->options->tapenade && w->d->mode == CDERIVE_VJP) return "NULL";
    if (!leaf->param && w->options->tapenade && !result_in(w)) return "&dz_result";
    return write_leaf(w, leaf->param ? leaf->param->name : value_name(w), leaf, access_of(leaf));
  }
  ice("a result of %s is nobody's", w->d->name);
}

static void put_argument(Text *call, const char *s) { text_printf(call, ", %s", s); }

static void put_arguments(Wrap *w, Text *call) {
  const CDerived *d = w->d;
  for (int i = 0; i < d->low->fn->params.len; i++)
    put_argument(call, primal_argument(w, d->low->fn->params.at[i]));
  for (int k = 0; d->mode == CDERIVE_VJP && k < d->outputs.len; k++)
    put_argument(call, seed_argument(w, leaf_at(w, d->outputs.at[k])));
  bool moves = d->mode == CDERIVE_JVP || d->mode == CDERIVE_HVP;
  for (int k = 0; moves && k < d->inputs.len; k++)
    put_argument(call, direction_argument(w, leaf_at(w, d->inputs.at[k])));
  if (d->mode == CDERIVE_JAC) put_argument(call, "NULL");
  for (int i = 0; i < d->low->fn->results.len; i++) put_argument(call, value_result(w, i));
  bool gradients = d->mode == CDERIVE_GRAD || d->mode == CDERIVE_VJP || d->mode == CDERIVE_HVP;
  for (int k = 0; gradients && k < d->inputs.len; k++)
    put_argument(call, input_result(w, d->inputs.at[k], w->options->tapenade ? "b" : "_grad"));
  for (int k = 0; d->mode == CDERIVE_HVP && k < d->inputs.len; k++)
    put_argument(call, input_result(w, d->inputs.at[k], "_hvp"));
  for (int k = 0; d->mode == CDERIVE_JVP && k < d->outputs.len; k++)
    put_argument(call, output_dot(w, d->outputs.at[k]));
  if (d->mode == CDERIVE_JAC) put_argument(call, fresh(w, "jacobian", ""));
}

// ---- overlap ------------------------------------------------------------------------------------
static bool may_meet(const CLoweredLeaf *a, const CLoweredLeaf *b) {
  unsigned quals = a->param->type->quals | b->param->type->quals;
  bool alike = ctype_size(a->type) == ctype_size(b->type);
  return a->param != b->param && !(quals & CQ_RESTRICT) && alike;
}

static const char *extent(Wrap *w, const CLoweredLeaf *leaf) {
  const char *name = leaf->param->name;
  if (is_whole(leaf)) name = whole(w, name, leaf);
  else if (*leaf->path)
    return arena_printf(w->arena, "%s, sizeof *%s * (size_t)%s / %lld", name, name,
                        count_name(w, leaf), (long long)leaf->many);
  return arena_printf(w->arena, "%s, sizeof(%s) * (size_t)%s", name, type_name(w, leaf->type),
                      count_name(w, leaf));
}

static const CLoweredParam *param_of(const Wrap *w, const CLoweredLeaf *leaf) {
  for (int i = 0; i < w->d->low->params.len; i++)
    if (w->d->low->params.at[i].var == leaf->param) return &w->d->low->params.at[i];
  return NULL;
}

// Parameters that are written must not share memory with others.
static void put_overlaps(Wrap *w, Text *out) {
  const CLowered *low = w->d->low;
  for (int i = 0; i < low->leaves.len; i++) {
    const CLoweredLeaf *a = leaf_at(w, i);
    if (!a->array || a->out < 0) continue;
    for (int k = 0; k < low->leaves.len; k++) {
      const CLoweredLeaf *b = leaf_at(w, k);
      bool done = !b->array || (b->out >= 0 && k < i) || b->way == LEAF_ROWS;
      if (done || !may_meet(a, b)) continue;
      if (b->way ? !b->length : !param_of(w, b)->length) continue;
      text_printf(out, "  if (dz_err == 0 && dz_meet(%s, %s))\n    dz_err = dz_refuse(&dz_text, "
                  "\"Error: %s: the arguments %s and %s overlap: pass copies\\n\");\n",
                  extent(w, a), extent(w, b), w->d->name, a->param->name, b->param->name);
    }
  }
}

static void put_refusal(Text *out, const char *c, const char *what) {
  text_printf(out, "  if (dz_err == 0 && %s)\n    dz_err = dz_refuse(&dz_text, "
              "\"Error: %s\\n\");\n", c, what);
}

// Pointers of structs are not null, and those of an array differ by a whole number of elements.
static void put_pointers(Wrap *w, Text *out) {
  const CLowered *low = w->d->low;
  for (int i = 0; i < low->leaves.len; i++) {
    const CLoweredLeaf *leaf = leaf_at(w, i);
    if (leaf->way != LEAF_MEMBER || !leaf->in.id) continue;
    put_refusal(out, arena_printf(w->arena, "%s == NULL", whole(w, leaf->param->name, leaf)),
                arena_printf(w->arena, "%s: %s%s is null", w->d->name, leaf->param->name,
                             leaf->path));
  }
  if (w->rows)
    put_refusal(out, "dz_uneven", arena_printf(w->arena, "%s: rows are not a whole number of "
                                               "elements from each other", w->d->name));
}

static const char overlap_text[] =
    "static int dz_meet(const void *a, size_t m, const void *b, size_t n) {\n"
    "  return (uintptr_t)a < (uintptr_t)b + n && (uintptr_t)b < (uintptr_t)a + m;\n}\n"
    "static int dz_refuse(char **text, const char *message) {\n"
    "  *text = (char *)malloc(strlen(message) + 1);\n"
    "  if (*text != NULL) strcpy(*text, message);\n  return 2;\n}\n";

// Adjoints of outputs that are no inputs become zero.
static void put_zeroes(Wrap *w, Text *out) {
  if (!w->options->tapenade || w->d->mode != CDERIVE_VJP) return;
  for (int k = 0; k < w->d->outputs.len; k++) {
    const CLoweredLeaf *leaf = leaf_at(w, w->d->outputs.at[k]);
    if (!leaf->param || chosen(&w->d->inputs, w->d->outputs.at[k])) continue;
    const char *name = fresh(w, leaf->param->name, "b");
    if (!leaf->array) text_printf(out, "  (*%s)%s = 0;\n", name, leaf->path);
    else if (is_whole(leaf))
      copy_put(w, out, leaf, arena_printf(w->arena, "((%s*)%s)[dz_i]", type_name(w, leaf->type),
                                          whole(w, name, leaf)), "0");
    else copy_put(w, out, leaf, member(w, name, leaf), "0");
  }
}

static void put_failure(Wrap *w, Text *out) {
  if (w->options->tapenade)
    text_printf(out, "  if (dz_err != 0) {\n    fprintf(stderr, \"%s: %%s\", dz_text ? dz_text : "
                "\"out of memory\\n\");\n    abort();\n  }\n", w->d->name);
  else
    text_printf(out, "  if (dz_err != 0)\n    snprintf(%s_text, sizeof %s_text, \"%%s\", dz_text ? "
                "dz_text : \"out of memory\\n\");\n  free(dz_text);\n  return dz_err;\n",
                w->d->name, w->d->name);
}

// Of the user's files; all: those of headers, too, instead of the lines that include them.
static void put_types(Text *out, CProgram *p, bool all) {
  for (int u = 0; u < p->units.len; u++) {
    CUnit types = *p->units.at[u];
    types.items.len = types.items.cap = 0;
    types.items.at = NULL;
    for (int i = 0; i < p->units.at[u]->items.len; i++) {
      const CItem *item = &p->units.at[u]->items.at[i];
      bool type = item->tag == CITEM_RECORD || item->tag == CITEM_TYPEDEF;
      if (!type || (item->included && !all)) continue;
      list_push(p->arena, &types.items, *item);
      types.items.at[types.items.len - 1].included = false;
    }
    if (all) types.includes = (CTexts){0};
    cunit_print(out, &types);
  }
}

static void put_shadow_record(Text *out, const CRecord *r, const char *name) {
  text_printf(out, "#ifndef DAGAZ_HAS_%s_diff\n#define DAGAZ_HAS_%s_diff\n"
              "typedef struct %s_diff %s_diff;\nstruct %s_diff {\n", name, name, name, name, name);
  for (int k = 0; k < r->fields.len; k++) {
    if (!is_shadowed(r->fields.at[k].type)) continue;
    text_puts(out, "  ");
    ctype_print(out, r->fields.at[k].type, r->fields.at[k].name);
    text_puts(out, ";\n");
  }
  text_puts(out, "};\n#endif\n");
}

static void put_shadow_types(Wrap *w, Text *out) {
  if (!w->options->tapenade) return;
  for (int i = 0; i < w->d->low->params.len; i++) {
    const CType *t = w->d->low->params.at[i].var->type;
    if (w->d->low->params.at[i].opaque) continue;
    if (t->tag == CTYPE_POINTER) t = t->base;
    if (t->tag != CTYPE_STRUCT) continue;
    put_shadow_record(out, t->record, t->record->alias ? t->record->alias : record_name(t->record));
  }
}

static Wrap wrap_new(CProgram *p, const CDerived *d, const CWrapOptions *options) {
  return (Wrap){.arena = p->arena, .p = p, .d = d, .options = options};
}

void clower_wrapper(Text *out, CProgram *p, const CDerived *d, const CWrapOptions *options) {
  Wrap w = wrap_new(p, d, options);
  Text call = {0};
  text_puts(out, "\n// ---- the functions of the header\n#include <stdint.h>\n");
  text_puts(out, overlap_text);
  put_types(out, p, true);
  put_shadow_types(&w, out);
  if (!options->tapenade)
    text_printf(out, "static _Thread_local char %s_text[1024];\n"
                "const char *%s_message(void) { return %s_text; }\n", d->name, d->name, d->name);
  counts_put(&w);
  put_arguments(&w, &call);
  if (w.rows) text_puts(out, rows_text);
  put_head(&w, out);
  text_puts(out, " {\n  char *dz_text = NULL;\n");
  bool forward = options->tapenade && d->mode == CDERIVE_JVP && returns_value(&w);
  const char *type = returns_value(&w) ? type_name(&w, d->low->source->type->base) : "";
  if (forward && result_in(&w)) text_printf(out, "  %s dz_result_dot = 0;\n", type);
  else if (forward) text_printf(out, "  %s dz_result = 0;\n", type);
  if (w.rows) text_puts(out, "  int dz_uneven = 0;\n");
  text_puts(out, w.before.at ? w.before.at : "");
  text_puts(out, "  int dz_err = 0;\n");
  put_pointers(&w, out);
  put_overlaps(&w, out);
  text_printf(out, "  if (dz_err == 0) dz_err = dz_raw_%s(&dz_text%s);\n", d->name,
              call.at ? call.at : "");
  text_puts(out, w.after.at ? w.after.at : "");
  put_zeroes(&w, out);
  put_failure(&w, out);
  if (forward) text_printf(out, "  return %s;\n", result_in(&w) ? "dz_result_dot" : "dz_result");
  text_puts(out, "}\n");
  text_free(&w.before), text_free(&w.after), text_free(&call);
}

static const char *guard_of(Arena *arena, const char *base, const char *tail) {
  char *guard = arena_printf(arena, "DAGAZ_%s_%s", base, tail);
  for (char *c = guard; *c; c++)
    if (!((*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z'))) *c = '_';
  return guard;
}

void clower_header(Text *out, CProgram *p, const CDerived *d, const CWrapOptions *options) {
  Wrap w = wrap_new(p, d, options);
  const char *guard = guard_of(p->arena, options->base, "h");
  const char *types = guard_of(p->arena, "TYPES", p->units.at[0]->path);
  text_printf(out, "#ifndef %s\n#define %s\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n", guard,
              guard);
  text_printf(out, "#ifndef %s\n#define %s\n", types, types);
  put_types(out, p, false);
  text_puts(out, "#endif\n");
  put_shadow_types(&w, out);
  put_head(&w, out);
  text_puts(out, ";\n");
  if (!options->tapenade)
    text_printf(out, "const char *%s_message(void);  // of the last failure, in this thread\n",
                d->name);
  text_puts(out, "#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

// The same with exceptions.
void clower_header_cpp(Text *out, const CDerived *d, const CWrapOptions *options) {
  const char *guard = guard_of(d->low->prog->arena, options->base, "hpp");
  text_printf(out, "#ifndef %s\n#define %s\n#include <stdexcept>\n#include <utility>\n"
              "#include \"%s.h\"\nnamespace dagaz {\n", guard, guard, options->base);
  text_printf(out, "template <class... Args> void %s(Args &&...args) {\n"
              "  if (::%s(std::forward<Args>(args)...) != 0)\n"
              "    throw std::runtime_error(::%s_message());\n}\n}\n#endif\n",
              d->name, d->name, d->name);
}
