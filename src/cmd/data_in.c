// The values of parameters from words of the command line.
//
// A parameter is a tree of leaves: `x`, the fields `p.w`, `p.b` of a record, the components `t.0`,
// `t.1` of a tuple.  A word NAME=.. gives the leaf of that name its value: what is written if it
// reads as a value of the type, else the file of that name, `-` the standard input.  Where NAME has
// several leaves, or nothing stands before a file, the file's parts of their names are meant.
#include "data.h"
#include "interp/interp.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *path;  // "p.w"
  ValueType type;
  const char *from;  // for messages: the file, or the word
} Leaf;
typedef LIST(Leaf) Leaves;
typedef struct {
  const char *name, *value;
} Given;
typedef struct {
  Arena *arena;
  const DataInputs *in;
  const Prog *prog;
  const Fn *fn;
  Leaves leaves;
  LIST(Given) given;
} Reading;

__attribute__((format(printf, 1, 2))) static bool say(const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  fputs("dagaz: ", stderr);
  vfprintf(stderr, fmt, args);
  fputs("\n", stderr);
  va_end(args);
  return false;
}

// ---- the leaves of parameters ------------------------------------------------------------------
static bool leaves_collect(Reading *r, const AbiType *t, const char *path, int rank) {
  switch (t->kind) {
    case ABI_SCALAR:
    case ABI_ARRAY: {
      Leaf leaf = {.path = path, .type = {t->prim, rank + (t->kind == ABI_ARRAY ? t->rank : 0)}};
      list_push(r->arena, &r->leaves, leaf);
      return true;
    }
    case ABI_RECORD:
      for (int i = 0; i < t->fields.len; i++) {
        const char *field = arena_printf(r->arena, "%s.%s", path, t->field_names.at[i]);
        if (!leaves_collect(r, t->fields.at[i], field, rank)) return false;
      }
      return true;
    case ABI_OPAQUE_ARRAY: return leaves_collect(r, t->fields.at[0], path, rank + t->rank);
    case ABI_SUM: break;
  }
  return say("parameter '%s' has the sum type %s, which no file or word holds", path, t->name);
}

static const char *leaf_type(const Reading *r, int leaf) {
  Text text = {0};
  value_type_print(&text, r->leaves.at[leaf].type);
  const char *copy = arena_strdup(r->arena, text.at);
  text_free(&text);
  return copy;
}

// ---- words -------------------------------------------------------------------------------------
static const char *rest_of(const char *path, const char *name) {
  size_t n = strlen(name);
  if (n == 0) return path;
  if (strncmp(path, name, n) != 0) return NULL;
  return path[n] == '.' ? path + n + 1 : path[n] ? NULL : path + n;
}

static bool word_unknown(const Reading *r, const char *name) {
  Similar near = similar_begin(name);
  for (int i = 0; i < r->leaves.len; i++) similar_offer(&near, r->leaves.at[i].path);
  const char *entry = r->fn->entry->name;
  if (near.best)
    return say("'%s' has no parameter '%s': did you mean '%s'?", entry, name, near.best);
  Text names = {0};
  for (int i = 0; i < r->leaves.len; i++)
    text_printf(&names, "%s%s", i ? ", " : "", r->leaves.at[i].path);
  say("'%s' has no parameter '%s'; it has %s", entry, name, names.at ? names.at : "none");
  text_free(&names);
  return false;
}

static bool words_split(Reading *r) {
  for (int i = 0; i < r->in->words.len; i++) {
    const char *word = r->in->words.at[i], *equals = strchr(word, '=');
    if (!equals && data_format(word) != DATA_NPZ)
      return say("'%s': values of parameters are given as NAME=FILE or NAME=VALUE", word);
    Given g = {"", word};
    if (equals) g.name = arena_strndup(r->arena, word, (size_t)(equals - word));
    if (equals) g.value = equals + 1;
    for (int k = 0; k < r->given.len; k++)
      if (strcmp(r->given.at[k].name, g.name) == 0) return say("'%s' is given twice", g.name);
    bool known = !*g.name;
    for (int k = 0; k < r->leaves.len; k++) known |= rest_of(r->leaves.at[k].path, g.name) != NULL;
    if (!known) return word_unknown(r, g.name);
    list_push(r->arena, &r->given, g);
  }
  return true;
}

// The word with the longest name that the leaf's begins with.
static const Given *given_of(const Reading *r, const char *path) {
  const Given *best = NULL;
  for (int i = 0; i < r->given.len; i++) {
    const Given *g = &r->given.at[i];
    if (rest_of(path, g->name) && (!best || strlen(g->name) > strlen(best->name))) best = g;
  }
  return best;
}

// ---- values ------------------------------------------------------------------------------------
static bool literal_looks(const char *text) {
  return *text && strchr("0123456789+-[\"", *text) != NULL;
}

static bool file_exists(const char *path) { return access(path, F_OK) == 0; }

static bool leaf_fail(const Reading *r, int leaf, const char *error) {
  return say("parameter '%s' of type %s: %s", r->leaves.at[leaf].path, leaf_type(r, leaf), error);
}

static bool file_leaf(Reading *r, int leaf, const Given *g, Value *out) {
  const char *error = "", *rest = rest_of(r->leaves.at[leaf].path, g->name);
  DataSource from = data_source(r->arena, g->value);
  from.nan_cells = r->in->nan_cells;
  if (*rest && from.part)
    return say("'%s' has several parts, but '%s' names one", g->name, g->value);
  if (*rest) from.part = rest;
  if (!*rest && !from.part && data_format(from.path) == DATA_NPZ)
    from.part = r->leaves.at[leaf].path;
  r->leaves.at[leaf].from = from.path;
  return data_value_read(r->arena, &from, &r->leaves.at[leaf].type, out, &error) ||
         leaf_fail(r, leaf, error);
}

static bool leaf_read(Reading *r, int leaf, const Given *g, Value *out) {
  const char *error = "", *text = g->value, *path = r->leaves.at[leaf].path;
  const char *file = data_source(r->arena, text).path;
  Values values = {0};
  r->leaves.at[leaf].from = text;
  if (strcmp(g->name, path) != 0) {
    if (data_is_container(file)) return file_leaf(r, leaf, g, out);
    return say("'%s' has several parts: give an .npz or .csv file, or '%s=..'", g->name, path);
  }
  if (values_read(r->arena, text, strlen(text), &r->leaves.at[leaf].type, 1, &values, &error)) {
    *out = values.at[0];
    return true;
  }
  bool named = data_format(file) != DATA_TEXT || file_exists(file) || strcmp(text, "-") == 0;
  if (named || !literal_looks(text)) return file_leaf(r, leaf, g, out);
  static const char start[] = "input, line 1, ";
  if (strncmp(error, start, sizeof start - 1) == 0) error += sizeof start - 1;
  return leaf_fail(r, leaf, arena_printf(r->arena, "'%s': %s", text, error));
}

static bool leaf_missing(const Reading *r, int leaf) {
  const char *path = r->leaves.at[leaf].path;
  return say("no value for parameter '%s' of type %s: give %s=FILE or %s=VALUE (%s=- is stdin)",
             path, leaf_type(r, leaf), path, path, path);
}

// ---- sizes -------------------------------------------------------------------------------------
// Every dimension of a leaf has a separate size parameter; that two of one name are equal, or one
// a constant, the body asserts first.
typedef struct {
  int leaf, dim;  // leaf -1: a constant
  int64_t value;
} KnownSize;

static bool size_find(const Reading *r, const Values *values, Atom a, KnownSize *out) {
  int first = r->fn->entry->size_params;
  *out = (KnownSize){.leaf = -1};
  if (!a.is_var) out->value = a.value.i;
  for (int k = 0; a.is_var && k < values->len; k++) {
    Type t = var_type(r->prog, r->fn->params.at[first + k]);
    for (int d = 0; d < t.rank; d++)
      if (atom_is_var(t.dims[d], a.var)) *out = (KnownSize){k, d, values->at[k].shape[d]};
  }
  return !a.is_var || out->leaf >= 0;
}

static bool sizes_fail(const Reading *r, KnownSize one, KnownSize two) {
  const Leaf *bad = &r->leaves.at[two.leaf];
  const char *other = "as its type says";
  if (one.leaf >= 0)
    other = arena_printf(r->arena, "as '%s' has (%s)", r->leaves.at[one.leaf].path,
                         r->leaves.at[one.leaf].from);
  return leaf_fail(r, two.leaf,
                   arena_printf(r->arena, "%s: dimension %d has size %ld, not %ld %s", bad->from,
                                two.dim + 1, (long)two.value, (long)one.value, other));
}

static bool sizes_check(const Reading *r, const Values *values) {
  const Stms *stms = &r->fn->body.stms;
  for (int i = 0; i + 1 < stms->len; i++) {
    const Exp *e = &stms->at[i].exp, *next = &stms->at[i + 1].exp;
    KnownSize one, two;
    if (e->form != FORM_PRIM || e->prim.op != OP_EQ || next->form != FORM_ASSERT ||
        !strstr(next->assert.message, "invalid sizes"))
      continue;
    if (!size_find(r, values, e->prim.args.at[0], &one) ||
        !size_find(r, values, e->prim.args.at[1], &two) || one.value == two.value)
      continue;
    return one.leaf > two.leaf ? sizes_fail(r, two, one) : sizes_fail(r, one, two);
  }
  return true;
}

bool data_inputs_read(Arena *arena, const DataInputs *in, const Prog *prog, const Fn *fn,
                      Values *out) {
  Reading r = {.arena = arena, .in = in, .prog = prog, .fn = fn};
  for (int i = 0; i < fn->entry->params.len; i++) {
    const AbiParam *p = &fn->entry->params.at[i];
    const char *name = p->name ? p->name : arena_printf(arena, "arg%d", i);
    if (!leaves_collect(&r, p->type, name, 0)) return false;
  }
  check(r.leaves.len == fn->params.len - fn->entry->size_params);
  if (!words_split(&r)) return false;
  for (int i = 0; i < r.leaves.len; i++) {
    Value v;
    const Given *g = given_of(&r, r.leaves.at[i].path);
    if (!g) return leaf_missing(&r, i);
    if (!leaf_read(&r, i, g, &v)) return false;
    list_push(arena, out, v);
  }
  return sizes_check(&r, out);
}
