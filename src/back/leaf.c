// Calls by leaves: the public functions over rts/leaf.h, and the leaves of each entry point for the
// manifest, with their sizes as far as they are known before a call.
#include <inttypes.h>
#include <string.h>
#include "local.h"

// ---- functions ----------------------------------------------------------------------------------
// %P becomes the prefix.
static const char declarations[] =
    "struct dagaz_leaf {\n"
    "  void *data;        // first element; in: borrowed for the call, out: yours\n"
    "  void *block;       // out: for dagaz_block_free\n"
    "  int64_t bits;      // a scalar, in the low bytes\n"
    "  int64_t shape[8];\n"
    "};\n"
    "int dagaz_abi(void);\n"
    "const char *dagaz_manifest(void);\n"
    "struct %P_context *dagaz_context_new(int64_t memory_limit);\n"
    "void dagaz_context_retain(struct %P_context *ctx);\n"
    "void dagaz_context_release(struct %P_context *ctx);\n"
    "void dagaz_context_stop(struct %P_context *ctx);\n"
    "void dagaz_context_progress(struct %P_context *ctx, int64_t out[3]);\n"
    "char *dagaz_context_error(struct %P_context *ctx);\n"
    "int dagaz_context_clear(struct %P_context *ctx);\n"
    "int dagaz_context_tune(struct %P_context *ctx, const char *name, int64_t value);\n"
    "void dagaz_context_threads(struct %P_context *ctx, int threads);  // 0: all processors\n"
    "void dagaz_context_report(struct %P_context *ctx, int64_t out[5]);\n"
    "int dagaz_call(struct %P_context *ctx, int entry, const struct dagaz_leaf *in, "
    "struct dagaz_leaf *out);\n"
    "void dagaz_block_free(struct %P_context *ctx, void *block);\n\n";

static const char functions[] =
    "#define DZ_LEAF_CTX(p) ((DzCtx *)(void *)(p))\n"
    "struct %P_context;\n"
    "int dagaz_abi(void) { return 1; }\n"
    "struct %P_context *dagaz_context_new(int64_t memory_limit) {\n"
    "  return (struct %P_context *)(void *)dz_leaf_context(&dz_program, memory_limit);\n}\n"
    "void dagaz_context_retain(struct %P_context *ctx) { dz_context_retain(DZ_LEAF_CTX(ctx)); }\n"
    "void dagaz_context_release(struct %P_context *ctx) {\n"
    "  dz_api_context_free(DZ_LEAF_CTX(ctx));\n}\n"
    "void dagaz_context_stop(struct %P_context *ctx) { dz_context_stop(DZ_LEAF_CTX(ctx)); }\n"
    "void dagaz_context_progress(struct %P_context *ctx, int64_t out[3]) {\n"
    "  dz_context_progress(DZ_LEAF_CTX(ctx), out);\n}\n"
    "char *dagaz_context_error(struct %P_context *ctx) { return dz_api_error(DZ_LEAF_CTX(ctx)); }\n"
    "int dagaz_context_clear(struct %P_context *ctx) { return dz_api_clear(DZ_LEAF_CTX(ctx)); }\n"
    "int dagaz_context_tune(struct %P_context *ctx, const char *name, int64_t value) {\n"
    "  return dz_leaf_tune(DZ_LEAF_CTX(ctx), name, value);\n}\n"
    "void dagaz_context_threads(struct %P_context *ctx, int threads) {\n"
    "  DZ_LEAF_CTX(ctx)->num_threads = threads;\n}\n"
    "void dagaz_context_report(struct %P_context *ctx, int64_t out[5]) {\n"
    "  dz_leaf_report(DZ_LEAF_CTX(ctx), out);\n}\n"
    "int dagaz_call(struct %P_context *ctx, int entry, const struct dagaz_leaf *in, "
    "struct dagaz_leaf *out) {\n"
    "  return dz_leaf_call(DZ_LEAF_CTX(ctx), entry, in, out);\n}\n"
    "void dagaz_block_free(struct %P_context *ctx, void *block) {\n"
    "  dz_block_free(DZ_LEAF_CTX(ctx), block);\n}\n";

void leaf_declarations(Text *out, const Edge *e) { edge_put_prefixed(out, e, declarations); }

void leaf_functions(Text *out, const Edge *e, const Text *manifest) {
  edge_put_prefixed(out, e, functions);
  text_puts(out, "const char *dagaz_manifest(void) {\n  return ");
  c_string(out, manifest->at);
  text_puts(out, ";\n}\n");
}

// ---- sizes --------------------------------------------------------------------------------------
typedef struct {
  const Edge *edge;
  const Fn *fn;
  Arena *arena;
  Map *places;        // parameter -> 1 + its place
  Atom *same;         // by place: what the parameter is asserted to be equal to, or itself
  const char **names; // by place; NULL: no size, or equal to another
} Sizes;

static int place_of(const Sizes *s, Atom a) {
  return a.is_var ? (int)(intptr_t)map_get(s->places, a.var.id) - 1 : -1;
}

static Atom size_resolve(const Sizes *s, Atom a) {
  for (int i = place_of(s, a); i >= 0 && !atom_same(s->same[i], a); i = place_of(s, a))
    a = s->same[i];
  return a;
}

static const Exp *definition(const Fn *fn, Atom a) {
  for (int i = 0; i < fn->body.stms.len && a.is_var; i++)
    for (int k = 0; k < fn->body.stms.at[i].bound.len; k++)
      if (fn->body.stms.at[i].bound.at[k].id == a.var.id) return &fn->body.stms.at[i].exp;
  return NULL;
}

static bool is_size_param(const Sizes *s, Atom a) {
  int place = place_of(s, a);
  return place >= 0 && place < s->fn->entry->size_params;
}

// The later one is replaced by the earlier one, or by the constant.
static void size_unite(Sizes *s, Atom a, Atom b) {
  a = size_resolve(s, a);
  b = size_resolve(s, b);
  if (!is_size_param(s, a) || (is_size_param(s, b) && place_of(s, b) > place_of(s, a))) {
    Atom t = a;
    a = b, b = t;
  }
  if (is_size_param(s, a) && (!b.is_var || place_of(s, b) >= 0)) s->same[place_of(s, a)] = b;
}

// The sizes that the program asserts to be equal.
static void sizes_unite(Sizes *s) {
  for (int i = 0; i < s->fn->body.stms.len; i++) {
    const Exp *e = &s->fn->body.stms.at[i].exp;
    const Exp *test = e->form == FORM_ASSERT ? definition(s->fn, e->assert.cond) : NULL;
    if (test && test->form == FORM_PRIM && test->prim.op == OP_EQ)
      size_unite(s, test->prim.args.at[0], test->prim.args.at[1]);
  }
}

static bool is_taken(const Sizes *s, const char *name) {
  for (int i = 0; i < s->fn->params.len; i++)
    if (s->names[i] && strcmp(s->names[i], name) == 0) return true;
  return false;
}

static void size_name(Sizes *s, int i) {
  const VarInfo *info = var_info(s->edge->prog->core, s->fn->params.at[i]);
  bool size = info->type.rank == 0 && info->type.prim == PRIM_I64;
  if (!size || !atom_is_var(s->same[i], s->fn->params.at[i])) return;
  const char *name = arena_strdup(s->arena, info->base);
  for (int k = 1; is_taken(s, name); k++) name = arena_printf(s->arena, "%s_%d", info->base, k);
  s->names[i] = name;
}

// Values of parameters, which users know by their names, keep them.
static void sizes_begin(Sizes *s) {
  int n = s->fn->params.len;
  s->places = map_new(s->arena);
  s->same = NEW_ARRAY(s->arena, Atom, n + 1);
  s->names = NEW_ARRAY(s->arena, const char *, n + 1);
  for (int i = 0; i < n; i++) {
    map_put(s->places, s->fn->params.at[i].id, (void *)(intptr_t)(i + 1));
    s->same[i] = atom_var(s->fn->params.at[i]);
    s->names[i] = NULL;
  }
  sizes_unite(s);
  for (int i = s->fn->entry->size_params; i < n; i++) size_name(s, i);
  for (int i = 0; i < s->fn->entry->size_params; i++) size_name(s, i);
}

// A size as arithmetic on parameters; false: only the call will tell.
static bool put_known(const Sizes *s, Text *out, Atom a, int depth) {
  a = size_resolve(s, a);
  if (!a.is_var) {
    text_printf(out, "%" PRId64, a.value.i);
    return true;
  }
  int place = place_of(s, a);
  if (place >= 0 && s->names[place]) {
    text_puts(out, s->names[place]);
    return true;
  }
  for (int i = 0; i < s->fn->results.len; i++)
    if (s->fn->results.at[i].id == a.var.id)
      return put_known(s, out, s->fn->body.results.at[i], depth + 1);
  const Exp *e = definition(s->fn, a);
  if (!e || depth > 8 || e->form != FORM_PRIM) return false;
  const char *sign = e->prim.op == OP_ADD ? " + " : e->prim.op == OP_SUB ? " - " : " * ";
  if (e->prim.op != OP_ADD && e->prim.op != OP_SUB && e->prim.op != OP_MUL) return false;
  text_putc(out, '(');
  bool known = put_known(s, out, e->prim.args.at[0], depth + 1);
  text_puts(out, sign);
  known = known && put_known(s, out, e->prim.args.at[1], depth + 1);
  text_putc(out, ')');
  return known;
}

// A number, "n", {"expr": "(n + 1)"} or null.
static void put_size(const Sizes *s, Text *out, Atom a) {
  Text known = {0};
  a = size_resolve(s, a);
  bool simple = place_of(s, a) >= 0;
  if (!put_known(s, &known, a, 0)) text_puts(out, "null");
  else if (!a.is_var) text_puts(out, known.at);
  else text_printf(out, simple ? "\"%s\"" : "{\"expr\": \"%s\"}", known.at);
  text_free(&known);
}

// ---- leaves -------------------------------------------------------------------------------------
static void put_leaf(const Sizes *s, Text *out, Prim prim, Type t) {
  text_printf(out, "{\"elem\": \"%s\", \"shape\": [",
              prim == PRIM_UNIT ? "u8" : prim_info[prim].name);
  for (int d = 0; d < t.rank; d++) {
    if (d) text_puts(out, ", ");
    put_size(s, out, t.dims[d]);
  }
  text_puts(out, "]}");
}

static int put_leaves(const Sizes *s, Text *out, const AbiType *type, const Var *vars) {
  const Prim *prims = edge_leaf_prims(s->edge, type);
  text_puts(out, "\"leaves\": [");
  for (int i = 0; i < type->leaves; i++) {
    if (i) text_puts(out, ", ");
    put_leaf(s, out, prims[i], var_type(s->edge->prog->core, vars[i]));
  }
  text_puts(out, "]");
  return type->leaves;
}

static void put_where(Text *out, const Fn *fn) {
  if (!fn->loc || !fn->loc->span.src) return;
  text_puts(out, ", \"where\": {\"file\": ");
  json_print_string(out, fn->loc->span.src->path);
  text_printf(out, ", \"line\": %d}", span_place(fn->loc->span).line);
}

static void put_entry(Text *out, const Edge *e, const Fn *fn) {
  Sizes s = {.edge = e, .fn = fn, .arena = e->arena};
  const EntryInfo *info = fn->entry;
  int at = info->size_params;
  sizes_begin(&s);
  text_puts(out, "{\"name\": ");
  json_print_string(out, info->name);
  text_puts(out, ", \"inputs\": [");
  for (int i = 0; i < info->params.len; i++) {
    text_puts(out, i ? ", {" : "{");
    at += put_leaves(&s, out, info->params.at[i].type, fn->params.at + at);
    text_puts(out, "}");
  }
  text_puts(out, "], \"output\": {");
  put_leaves(&s, out, info->result.type, fn->results.at + info->sizes);
  text_puts(out, "}");
  if (info->doc) {
    text_puts(out, ", \"doc\": ");
    json_print_string(out, info->doc);
  }
  put_where(out, fn);
  text_puts(out, "}");
}

// Which leaves of a sum each variant's payload has.
static void put_slots(Text *out, const Edge *e) {
  bool first = true;
  for (int i = 0; i < e->types.len; i++) {
    const AbiType *t = e->types.at[i].type;
    if (t->kind != ABI_SUM) continue;
    text_puts(out, first ? "" : ", ");
    first = false;
    json_print_string(out, e->types.at[i].name);
    text_printf(out, ": {\"leaves\": %d, \"slots\": [", t->leaves);
    for (int c = 0; c < t->slots.len; c++) {
      text_puts(out, c ? ", [" : "[");
      for (int k = 0; k < t->slots.at[c].len; k++)
        text_printf(out, k ? ", %d" : "%d", t->slots.at[c].at[k]);
      text_puts(out, "]");
    }
    text_puts(out, "]}");
  }
}

void leaf_manifest(Text *out, const Edge *e) {
  text_puts(out, "  \"dagaz\": {\"abi\": 1,\n    \"entries\": [");
  for (int i = 0; edge_entry(e, i); i++) {
    text_puts(out, i ? ",\n      " : "\n      ");
    put_entry(out, e, edge_entry(e, i));
  }
  text_puts(out, "],\n    \"sums\": {");
  put_slots(out, e);
  text_puts(out, "}\n  },\n");
}
