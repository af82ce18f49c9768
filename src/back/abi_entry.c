// Entry points: from flattened values (abi.h, DzEntry.call) to the program's own functions, and the
// program's tables.
#include <inttypes.h>
#include "local.h"

typedef struct {
  Text *out;
  const Edge *edge;
  const Fn *fn;
  int id;
  Map *sources;  // size parameter -> SizeSource, the first array that has it
  Map *params;   // parameter -> 1 + its place
} Call;

typedef struct {
  int array, dim;
} SizeSource;

static Type param_type(const Call *c, int i) {
  return var_type(c->edge->prog->core, c->fn->params.at[i]);
}
static Type result_type(const Call *c, int i) {
  return var_type(c->edge->prog->core, c->fn->results.at[i]);
}
static const char *val_member(Prim p) {
  return p == PRIM_BOOL ? "b" : p == PRIM_UNIT ? "u8" : prim_info[p].name;
}

// A size in a type: a constant, a parameter a<i> or an earlier result r<i>.
static void put_size(Call *c, Atom a) {
  if (!a.is_var) {
    c_scalar(c->out, a.value);
    return;
  }
  int param = (int)(intptr_t)map_get(c->params, a.var.id);
  if (param) {
    text_printf(c->out, "a%d", param - 1);
    return;
  }
  for (int i = 0; i < c->fn->results.len; i++)
    if (c->fn->results.at[i].id == a.var.id) {
      text_printf(c->out, "r%d", i);
      return;
    }
  const ImpProg *prog = c->edge->prog;
  int slot = 0;  // constants of the program, in the order of their slots
  for (int i = 0; i < prog->core->constants.len; i++)
    for (int k = 0; k < prog->core->constants.at[i].bound.len; k++, slot++)
      if (prog->core->constants.at[i].bound.at[k].id == a.var.id) {
        text_printf(c->out, "((DzGlobals *)ctx->globals)->s%d", slot);
        return;
      }
  ice("a size of entry point %s is not in scope", c->fn->name);
}

static void find_sources(Call *c) {
  Arena *arena = c->edge->prog->arena;
  c->sources = map_new(arena);
  c->params = map_new(arena);
  for (int i = c->fn->params.len - 1; i >= 0; i--)
    map_put(c->params, c->fn->params.at[i].id, (void *)(intptr_t)(i + 1));
  for (int i = c->fn->entry->size_params; i < c->fn->params.len; i++) {
    Type t = param_type(c, i);
    for (int d = 0; d < t.rank; d++) {
      uint32_t id = t.dims[d].is_var ? t.dims[d].var.id : 0;
      int param = id ? (int)(intptr_t)map_get(c->params, id) : 0;
      bool size = param > 0 && param <= c->fn->entry->size_params;
      if (!size || map_get(c->sources, id)) continue;
      map_put(c->sources, id, arena_copy(arena, &(SizeSource){i, d}, sizeof(SizeSource)));
    }
  }
}

static void put_size_param(Call *c, int p) {
  const SizeSource *from = map_get(c->sources, c->fn->params.at[p].id);
  text_printf(c->out, "  const int64_t a%d = ", p);
  if (from)
    text_printf(c->out, "in[%d].array->shape[%d];\n", from->array - c->fn->entry->size_params,
                from->dim);
  else text_puts(c->out, "0;\n");
}

// Whether dimension d of parameter i is where a size comes from.
static bool is_source(const Call *c, int i, int d) {
  Atom size = param_type(c, i).dims[d];
  const SizeSource *from = size.is_var ? map_get(c->sources, size.var.id) : NULL;
  return from && from->array == i && from->dim == d;
}

static void put_shape_checks(Call *c) {
  int sizes = c->fn->entry->size_params;
  for (int i = sizes; i < c->fn->params.len; i++) {
    Type t = param_type(c, i);
    for (int d = 0; d < t.rank; d++) {
      if (is_source(c, i, d)) continue;
      text_printf(c->out, "  if (in[%d].array->shape[%d] != ", i - sizes, d);
      put_size(c, t.dims[d]);
      text_puts(c->out,
                ") return dz_error(ctx, DZ_PROGRAM_ERROR, "
                "\"entry point arguments have invalid sizes\");\n");
    }
  }
}

static void put_inputs(Call *c) {
  int sizes = c->fn->entry->size_params;
  for (int i = 0; i < sizes; i++) put_size_param(c, i);
  for (int i = sizes; i < c->fn->params.len; i++) {
    Type t = param_type(c, i);
    if (t.rank == 0)
      text_printf(c->out, "  const %s a%d = in[%d].%s;\n", c_type(t.prim), i, i - sizes,
                  val_member(t.prim));
    else if (!t.unique)
      text_printf(c->out, "  const %s *const a%d = (const %s *)(const void *)in[%d].array->data;\n",
                  c_type(t.prim), i, c_type(t.prim), i - sizes);
  }
  put_shape_checks(c);
  text_puts(c->out, "  int err = 0;\n");
  for (int i = sizes; i < c->fn->params.len; i++) {
    Type t = param_type(c, i);
    if (t.rank == 0 || !t.unique) continue;
    text_printf(c->out, "  DzBlock a%d = {0};\n", i);
    text_printf(c->out, "  if (err == 0) err = dz_consume(ctx, &a%d, in[%d].array);\n", i,
                i - sizes);
  }
}

static void put_results(Call *c) {
  int sizes = c->fn->entry->sizes;
  // The program has i8 where the interface has u8: numbers of variants.
  const Prim *prims = edge_leaf_prims(c->edge, c->fn->entry->result.type);
  for (int i = sizes; i < c->fn->results.len; i++) {
    Type t = result_type(c, i);
    if (t.rank == 0) {
      text_printf(c->out, "  if (err == 0) out[%d].%s = r%d;\n", i - sizes, val_member(t.prim), i);
      continue;
    }
    text_printf(c->out,
                "  if (err == 0) err = dz_array_wrap(ctx, &out[%d].array, &r%d, 0, %s, %d, "
                "(int64_t[]){",
                i - sizes, i, dz_prim(prims[i - sizes]), t.rank);
    for (int d = 0; d < t.rank; d++) {
      if (d) text_puts(c->out, ", ");
      put_size(c, t.dims[d]);
    }
    text_puts(c->out, "});\n");
  }
  for (int i = sizes; i < c->fn->results.len; i++)
    if (result_type(c, i).rank > 0) text_printf(c->out, "  dz_free(ctx, &r%d);\n", i);
}

// Address, element's bytes, rank and sizes of a parameter ('a') or result ('r') for rts/nan.h.
static void put_floats(Call *c, char kind, int i) {
  Type t = kind == 'a' ? param_type(c, i) : result_type(c, i);
  bool block = t.rank > 0 && (kind == 'r' || t.unique);
  text_printf(c->out, "%s%c%d%s, %d, %d, ", t.rank > 0 ? "" : "&", kind, i, block ? ".at" : "",
              prim_info[t.prim].bytes, t.rank);
  text_puts(c->out, t.rank > 0 ? "(const int64_t[]){" : "NULL");
  for (int d = 0; d < t.rank; d++) {
    if (d) text_puts(c->out, ", ");
    put_size(c, t.dims[d]);
  }
  if (t.rank > 0) text_putc(c->out, '}');
}

static void put_looks_begin(Call *c) {
  text_puts(c->out,
            "  DzLooks *const looks = &((DzGlobals *)ctx->globals)->looks;\n"
            "  dz_looks_begin(looks);\n  for (int nan = 0; nan < 2; nan++)\n    (void)(false");
  for (int i = 0; i < c->fn->params.len; i++) {
    if (!prim_is_float(param_type(c, i).prim)) continue;
    text_puts(c->out, " || dz_look_input(nan, ");
    c_string(c->out, var_info(c->edge->prog->core, c->fn->params.at[i])->base);
    text_puts(c->out, ", ");
    put_floats(c, 'a', i);
    text_putc(c->out, ')');
  }
  text_puts(c->out, ");\n");
}

static void put_looks_end(Call *c) {
  for (int i = 0; i < c->fn->results.len; i++) {
    if (!prim_is_float(result_type(c, i).prim)) continue;
    text_puts(c->out, "  if (err == 0) dz_look_result(looks, ");
    put_floats(c, 'r', i);
    text_puts(c->out, ");\n");
  }
  text_puts(c->out, "  dz_looks_report(looks);\n");
}

// A call that the C compiler cannot see through: arithmetic stays between the changes of mode.
static void put_flush(Call *c) {
  Text name = {0};
  c_fn_name(&name, c->edge->prog, c->fn->name);
  text_printf(c->out, "  __typeof__(%s) *volatile const run = %s;\n", name.at, name.at);
  text_puts(c->out, "  const uint64_t mode = dz_flush_begin();\n");
  text_free(&name);
}

static void put_call(Call *c) {
  int sizes = c->fn->entry->size_params;
  text_printf(c->out, "static int dz_call_%d(DzCtx *ctx, DzVal *out, const DzVal *in) {\n", c->id);
  text_puts(c->out, "  (void)in, (void)out;\n");
  put_inputs(c);
  for (int i = 0; i < c->fn->results.len; i++) {
    Type t = result_type(c, i);
    text_printf(c->out, "  %s r%d = %s;\n", t.rank > 0 ? "DzBlock" : c_type(t.prim), i,
                t.rank > 0 ? "{0}" : "0");
  }
  bool flush = c->edge->options->flush;
  if (c->edge->prog->recursive) text_puts(c->out, "  ctx->stack_end = dz_stack_end();\n");
  if (c->edge->options->trace_nan) put_looks_begin(c);
  if (flush) put_flush(c);
  text_puts(c->out, "  if (err == 0) err = ");
  if (flush) text_puts(c->out, "run");
  else c_fn_name(c->out, c->edge->prog, c->fn->name);
  text_puts(c->out, "(ctx");
  for (int i = 0; i < c->fn->params.len; i++) {
    Type t = param_type(c, i);
    bool moved = i >= sizes && t.rank > 0 && t.unique;
    text_printf(c->out, moved ? ", dz_take(&a%d)" : ", a%d", i);
  }
  for (int i = 0; i < c->fn->results.len; i++) text_printf(c->out, ", &r%d", i);
  text_puts(c->out, ");\n");
  if (flush) text_puts(c->out, "  dz_flush_end(mode);\n");
  if (c->edge->options->trace_nan) put_looks_end(c);
  put_results(c);
  for (int i = sizes; i < c->fn->params.len; i++)
    if (param_type(c, i).rank > 0 && param_type(c, i).unique)
      text_printf(c->out, "  dz_free(ctx, &a%d);\n", i);
  text_puts(c->out, "  return err;\n}\n");
}

static void put_io(Call *c, const char *name, const AbiType *type, bool unique) {
  text_putc(c->out, '{');
  if (name) c_string(c->out, name);
  else text_puts(c->out, "NULL");
  text_puts(c->out, ", ");
  c_type_ref(c->out, c->edge, type);
  text_printf(c->out, ", %s}", unique ? "true" : "false");
}

static void put_entry(Call *c) {
  const EntryInfo *e = c->fn->entry;
  text_puts(c->out, "  {");
  c_string(c->out, e->name);
  text_printf(c->out, ", %d, dz_in_%d, ", e->params.len, c->id);
  put_io(c, NULL, e->result.type, e->result.unique);
  text_printf(c->out, ", dz_call_%d, NULL, dz_param_list},\n", c->id);
}

static void put_inputs_table(Call *c) {
  const EntryInfo *e = c->fn->entry;
  text_printf(c->out, "static const DzIo dz_in_%d[] = {", c->id);
  for (int i = 0; i < e->params.len; i++) {
    put_io(c, e->params.at[i].name, e->params.at[i].type, e->params.at[i].unique);
    text_puts(c->out, ", ");
  }
  text_puts(c->out, e->params.len ? "};\n" : "{0}};\n");
}

static void put_sites(Text *out, const ImpProg *prog) {
  text_puts(out, "static const DzSite dz_sites[] = {\n");
  for (int i = 0; i < prog->sites.len; i++) {
    text_puts(out, "  {");
    c_string(out, prog->sites.at[i].format);
    text_puts(out, ", ");
    c_string(out, prog->sites.at[i].where);
    text_puts(out, "},\n");
  }
  text_puts(out, "  {NULL, NULL}};\n");
}

static void put_regions(Text *out, const ImpProg *prog) {
  text_puts(out, "static const DzRegion dz_regions[] = {\n");
  for (int i = 0; i < prog->regions.len; i++) {
    text_puts(out, "  {");
    c_string(out, prog->regions.at[i].place);
    text_printf(out, ", \"%s\"},\n", prog->regions.at[i].form);
  }
  text_puts(out, "  {NULL, NULL}};\n");
}

const char *edge_own_param(const ImpProg *prog) {
  switch (prog_target(prog->core)) {
  case TARGET_ONE:
  case TARGET_GPU_HOST: break;
  case TARGET_CORES: return "default_threshold";
  case TARGET_OPENCL:
  case TARGET_CUDA: return "default_group_size";
  }
  return NULL;
}
static int param_count(const ImpProg *prog) {
  return prog->params.len + (edge_own_param(prog) != NULL);
}

// Which entry point reads which parameter is not followed: each lists all.
static void put_params(Text *out, const ImpProg *prog) {
  text_puts(out, "static const DzTuning dz_params[] = {\n");
  for (int i = 0; i < prog->params.len; i++) {
    text_puts(out, "  {");
    c_string(out, prog->params.at[i]);
    text_puts(out, ", \"size\", DZ_UNTUNED},\n");
  }
  bool cores = prog_target(prog->core) == TARGET_CORES;
  if (edge_own_param(prog))
    text_printf(out, "  {\"%s\", \"%s\", DZ_UNTUNED},\n", edge_own_param(prog),
                cores ? "threshold" : "thread_block_size");
  text_puts(out, "  {NULL, NULL, 0}};\nstatic const int dz_param_list[] = {");
  for (int i = 0; i < param_count(prog); i++) text_printf(out, "%d, ", i);
  text_puts(out, "-1};\n");
}

static void put_program(Text *out, const Edge *e, int types, int entries) {
  text_puts(out, "static const DzProgram dz_program = {");
  c_string(out, edge_backend(e));
  text_puts(out, ", ");
  c_string(out, e->options->version ? e->options->version : "dagaz");
  text_printf(out, ", %d, dz_types, %d, dz_entries, %d, dz_sites, %d, dz_params, ", types, entries,
              e->prog->sites.len, param_count(e->prog));
  bool traced = e->prog->trace_nan;
  text_puts(out, e->prog->globals.len || traced ? "sizeof(DzGlobals), " : "0, ");
  text_puts(out, e->prog->has_init ? "dz_init, " : "NULL, ");
  text_puts(out, e->prog->has_init || traced ? "dz_fini, " : "NULL, ");
  text_printf(out, "%d, dz_regions, ", e->prog->regions.len);
  text_printf(out, "INT64_C(%" PRId64 ")", e->options->memory_limit);
  text_printf(out, ", %s", c_device_open(e->prog));
  text_printf(out, ", %d", edge_own_param(e->prog) ? param_count(e->prog) : 0);
  text_puts(out, "};\n\n");
}

void abi_entry_tables(Text *out, const Edge *e) {
  int n = 0;
  for (; edge_entry(e, n); n++) {
    Call c = {out, e, edge_entry(e, n), n, NULL, NULL};
    find_sources(&c);
    put_call(&c);
    put_inputs_table(&c);
  }
  put_params(out, e->prog);
  text_puts(out, "static const DzEntry dz_entries[] = {\n");
  for (int i = 0; i < n; i++) {
    Call c = {out, e, edge_entry(e, i), i, NULL, NULL};
    find_sources(&c);
    put_entry(&c);
  }
  text_puts(out, "  {0}};\n");
  put_sites(out, e->prog);
  put_regions(out, e->prog);
  put_program(out, e, e->types.len, n);
}

void abi_raw_tables(Text *out, const Edge *e) {
  put_params(out, e->prog);
  text_puts(out, "static const DzType *const dz_types[] = {NULL};\n"
                 "static const DzEntry dz_entries[] = {{0}};\n");
  put_sites(out, e->prog);
  put_regions(out, e->prog);
  put_program(out, e, 0, 0);
}
