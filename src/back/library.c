// The public functions of a library: names of the C API, bodies that are one call of object.h.
#include <string.h>
#include "local.h"

// "i32", "struct futhark_f64_2d *"
static void put_type(Text *out, const Edge *e, const AbiType *t) {
  if (t->kind == ABI_SCALAR)
    text_printf(out, "%s", t->prim == PRIM_F16 ? "uint16_t" : c_type(t->prim));
  else text_printf(out, "struct %s *", e->types.at[edge_type(e, t)].cname);
}
static void put_in_type(Text *out, const Edge *e, const AbiType *t) {
  text_puts(out, "const ");
  put_type(out, e, t);
}
static void put_out_type(Text *out, const Edge *e, const AbiType *t) {
  put_type(out, e, t);
  if (t->kind == ABI_SCALAR) text_putc(out, ' ');
  text_putc(out, '*');
}

// The name after futhark_opaque_.
const char *opaque_short(const Edge *e, const AbiType *t) {
  return e->types.at[edge_type(e, t)].cname + strlen(e->prefix) + strlen("_opaque_");
}

// ---- values in and out ------------------------------------------------------------------------
static const char *member(const AbiType *t) {
  if (t->kind != ABI_SCALAR) return t->kind == ABI_ARRAY ? "array" : "opaque";
  return t->prim == PRIM_BOOL ? "b" : t->prim == PRIM_UNIT ? "u8" : prim_info[t->prim].name;
}
static void put_in(Text *out, const AbiType *t, int i) {
  if (t->kind == ABI_SCALAR) text_printf(out, "  in[%d].%s = in%d;\n", i, member(t), i);
  else
    text_printf(out, "  in[%d].%s = DZ_IN(%s, in%d);\n", i, member(t),
                t->kind == ABI_ARRAY ? "DzArray" : "DzOpaque", i);
}
// *to = the value in `from`
static void put_out(Text *out, const Edge *e, const AbiType *t, const char *to, const char *from) {
  text_printf(out, "  if (err == 0) *%s = ", to);
  if (t->kind == ABI_SCALAR) text_printf(out, "%s.%s;\n", from, member(t));
  else
    text_printf(out, "(struct %s *)(void *)%s.%s;\n", e->types.at[edge_type(e, t)].cname, from,
                member(t));
}

// ---- functions with signatures of their own: with a body, or as declarations ------------------
typedef struct {
  Text *out;
  const Edge *e;
  bool body;
} Lib;

static void begin(Lib *l) { text_puts(l->out, l->body ? ") {\n" : ");\n"); }

static void put_fields_in(Lib *l, int n, const AbiType *const *types) {
  for (int i = 0; i < n; i++) {
    text_puts(l->out, ", ");
    put_in_type(l->out, l->e, types[i]);
    text_printf(l->out, " in%d", i);
  }
}
static void put_ins(Lib *l, int n, const AbiType *const *types) {
  text_printf(l->out, "  DzVal in[%d] = {{0}};\n", n + 1);
  for (int i = 0; i < n; i++) put_in(l->out, types[i], i);
}

static void put_entry(Lib *l, int id) {
  const EntryInfo *info = edge_entry(l->e, id)->entry;
  const AbiType *types[256];
  check(info->params.len < COUNT_OF(types));
  for (int i = 0; i < info->params.len; i++) types[i] = info->params.at[i].type;
  const char *name = c_suffix(l->e->arena, info->name);
  text_printf(l->out, "int %s_entry_%s(struct %s_context *ctx, ", l->e->prefix, name,
              l->e->prefix);
  put_out_type(l->out, l->e, info->result.type);
  text_puts(l->out, "out0");
  put_fields_in(l, info->params.len, types);
  begin(l);
  if (l->body) {
    put_ins(l, info->params.len, types);
    text_printf(l->out,
                "  DzVal out = {0};\n"
                "  const int err = dz_api_call(DZ_CTX(ctx), &dz_entries[%d], &out, in);\n",
                id);
    put_out(l->out, l->e, info->result.type, "out0", "out");
    text_puts(l->out, "  return err;\n}\n");
  }
  text_printf(l->out, "const int *%s_tuning_params_for_%s(void)%s", l->e->prefix, name,
              l->body ? " { return dz_param_list; }\n" : ";\n");
}

// new, zip: makes a value of the type from others; `call` leaves it in `made`.
static void put_maker(Lib *l, const char *name, const char *x, int n, const AbiType *const *types,
                      const char *call) {
  const char *p = l->e->prefix;
  text_printf(l->out, "int %s_%s(struct %s_context *ctx, struct %s_opaque_%s **out", p, name, p, p,
              x);
  put_fields_in(l, n, types);
  begin(l);
  if (!l->body) return;
  put_ins(l, n, types);
  text_printf(l->out,
              "  DzOpaque *made = NULL;\n  dz_api_lock(DZ_CTX(ctx));\n"
              "  const int err = dz_api_unlock(DZ_CTX(ctx), %s);\n"
              "  if (err == 0) *out = (struct %s_opaque_%s *)(void *)made;\n  return err;\n}\n",
              call, p, x);
}

// A field of a record, or of the records of an array; `call` leaves it in `v`.
static void put_project(Lib *l, const char *x, const char *field, const AbiType *type,
                        const char *call) {
  const char *p = l->e->prefix;
  text_printf(l->out, "int %s_project_opaque_%s_%s(struct %s_context *ctx, ", p, x,
              c_suffix(l->e->arena, field), p);
  put_out_type(l->out, l->e, type);
  text_printf(l->out, "out, const struct %s_opaque_%s *obj", p, x);
  begin(l);
  if (!l->body) return;
  text_printf(l->out,
              "  DzVal v = {0};\n  dz_api_lock(DZ_CTX(ctx));\n"
              "  const int err = dz_api_unlock(DZ_CTX(ctx), %s);\n",
              call);
  put_out(l->out, l->e, type, "out", "v");
  text_puts(l->out, "  return err;\n}\n");
}

static void put_record(Lib *l, const AbiType *t) {
  Arena *arena = l->e->arena;
  const char *x = opaque_short(l->e, t);
  put_maker(l, arena_printf(arena, "new_opaque_%s", x), x, t->fields.len, t->fields.at,
            arena_printf(arena, "dz_record_new(DZ_CTX(ctx), &dz_type_%d, &made, in)",
                         edge_type(l->e, t)));
  for (int i = 0; i < t->fields.len; i++)
    put_project(l, x, t->field_names.at[i], t->fields.at[i],
                arena_printf(arena,
                             "dz_record_project(DZ_CTX(ctx), DZ_IN(DzOpaque, obj), %d, &v)", i));
}

// Arrays of records from and to arrays of their fields.
static void put_rows(Lib *l, const AbiType *t) {
  Arena *arena = l->e->arena;
  const char *x = opaque_short(l->e, t);
  const AbiType *elem = t->fields.at[0];
  if (elem->fields.len == 0) return;
  const AbiType **fields = NEW_ARRAY(arena, const AbiType *, elem->fields.len);
  Text call = {0};
  text_printf(&call, "dz_rows_zip(DZ_CTX(ctx), &dz_type_%d, &made, (const DzType *const[]){",
              edge_type(l->e, t));
  for (int i = 0; i < elem->fields.len; i++) {
    fields[i] = abi_rows(arena, elem->fields.at[i], t->rank);
    if (i) text_puts(&call, ", ");
    c_type_ref(&call, l->e, fields[i]);
  }
  text_puts(&call, "}, in)");
  put_maker(l, arena_printf(arena, "zip_opaque_%s", x), x, elem->fields.len, fields, call.at);
  text_free(&call);
  for (int i = 0; i < elem->fields.len; i++)
    put_project(l, x, elem->field_names.at[i], fields[i],
                arena_printf(arena,
                             "dz_rows_project(DZ_CTX(ctx), DZ_IN(DzOpaque, obj), %d, "
                             "&dz_type_%d, &v)",
                             i, edge_type(l->e, fields[i])));
}

static void put_variant(Lib *l, const AbiType *t, int c) {
  Arena *arena = l->e->arena;
  const char *p = l->e->prefix, *x = opaque_short(l->e, t);
  const char *name = c_suffix(arena, t->field_names.at[c]);
  int n = t->payloads.at[c].len;
  put_maker(l, arena_printf(arena, "new_opaque_%s_%s", x, name), x, n, t->payloads.at[c].at,
            arena_printf(arena, "dz_sum_new(DZ_CTX(ctx), &dz_type_%d, %d, &made, in)",
                         edge_type(l->e, t), c));
  text_printf(l->out, "int %s_destruct_opaque_%s_%s(struct %s_context *ctx", p, x, name, p);
  for (int i = 0; i < n; i++) {
    text_puts(l->out, ", ");
    put_out_type(l->out, l->e, t->payloads.at[c].at[i]);
    text_printf(l->out, "out%d", i);
  }
  text_printf(l->out, ", const struct %s_opaque_%s *obj", p, x);
  begin(l);
  if (!l->body) return;
  text_printf(l->out,
              "  DzVal v[%d] = {{0}};\n  dz_api_lock(DZ_CTX(ctx));\n"
              "  const int err = dz_api_unlock(DZ_CTX(ctx), "
              "dz_sum_destruct(DZ_CTX(ctx), DZ_IN(DzOpaque, obj), %d, v));\n",
              n + 1, c);
  for (int i = 0; i < n; i++) {
    char to[32], from[32];
    snprintf(to, sizeof to, "out%d", i);
    snprintf(from, sizeof from, "v[%d]", i);
    put_out(l->out, l->e, t->payloads.at[c].at[i], to, from);
  }
  text_puts(l->out, "  return err;\n}\n");
}

static void put_own_functions(Lib *l) {
  for (int i = 0; i < l->e->types.len; i++) {
    const AbiType *t = l->e->types.at[i].type;
    if (t->kind == ABI_RECORD) put_record(l, t);
    if (abi_is_record_array(t)) put_rows(l, t);
    for (int c = 0; t->kind == ABI_SUM && c < t->payloads.len; c++) put_variant(l, t, c);
  }
  for (int i = 0; edge_entry(l->e, i); i++) put_entry(l, i);
}

// ---- declarations -----------------------------------------------------------------------------
static void put_dims(Text *out, int rank, const char *name) {
  for (int i = 0; i < rank; i++) text_printf(out, ", int64_t %s%d", name, i);
}

static void declare_array(Text *out, const Edge *e, const AbiType *t) {
  const char *p = e->prefix, *c = t->prim == PRIM_F16 ? "uint16_t" : c_type(t->prim);
  char x[64];
  snprintf(x, sizeof x, "%s_%dd", prim_info[t->prim].name, t->rank);
  text_printf(out, "struct %s_%s;\n", p, x);
  text_printf(out, "struct %s_%s *%s_new_%s(struct %s_context *ctx, const %s *data", p, x, p, x, p,
              c);
  put_dims(out, t->rank, "dim");
  text_printf(out, ");\nstruct %s_%s *%s_new_raw_%s(struct %s_context *ctx, char *data", p, x, p, x,
              p);
  put_dims(out, t->rank, "dim");
  text_printf(out, ");\nint %s_free_%s(struct %s_context *ctx, struct %s_%s *arr);\n", p, x, p, p,
              x);
  text_printf(out, "struct %s_%s *dagaz_wrap_%s(struct %s_context *ctx, const %s *data", p, x, x, p,
              c);
  put_dims(out, t->rank, "dim");
  text_puts(out, ");\n");
  text_printf(out, "int %s_values_%s(struct %s_context *ctx, struct %s_%s *arr, %s *data);\n", p, x,
              p, p, x, c);
  text_printf(out, "int %s_index_%s(struct %s_context *ctx, %s *out, struct %s_%s *arr", p, x, p, c,
              p, x);
  put_dims(out, t->rank, "i");
  text_printf(out, ");\nchar *%s_values_raw_%s(struct %s_context *ctx, struct %s_%s *arr);\n", p, x,
              p, p, x);
  text_printf(out, "const int64_t *%s_shape_%s(struct %s_context *ctx, struct %s_%s *arr);\n\n", p,
              x, p, p, x);
}

static void declare_opaque(Text *out, const Edge *e, const AbiType *t) {
  const char *p = e->prefix, *x = opaque_short(e, t);
  text_printf(out, "int %s_free_opaque_%s(struct %s_context *ctx, struct %s_opaque_%s *obj);\n", p,
              x, p, p, x);
  text_printf(out,
              "int %s_store_opaque_%s(struct %s_context *ctx, const struct %s_opaque_%s *obj, "
              "void **p, size_t *n);\n",
              p, x, p, p, x);
  text_printf(out,
              "struct %s_opaque_%s *%s_restore_opaque_%s(struct %s_context *ctx, const void *p);\n",
              p, x, p, x, p);
  if (t->kind == ABI_SUM) {
    text_printf(out,
                "int %s_variant_opaque_%s(struct %s_context *ctx, const struct %s_opaque_%s *v);\n",
                p, x, p, p, x);
    text_puts(out, "enum { ");
    for (int c = 0; c < t->payloads.len; c++)
      text_printf(out, "%s_opaque_%s_%s = %d, ", p, x, c_suffix(e->arena, t->field_names.at[c]), c);
    text_puts(out, "};\n");
  }
  if (t->kind != ABI_OPAQUE_ARRAY) return;
  const char *y = opaque_short(e, t->fields.at[0]);
  text_printf(out,
              "int %s_index_opaque_%s(struct %s_context *ctx, struct %s_opaque_%s **out, "
              "struct %s_opaque_%s *arr",
              p, x, p, p, y, p, x);
  put_dims(out, t->rank, "i");
  text_printf(out,
              ");\nint %s_set_opaque_%s(struct %s_context *ctx, struct %s_opaque_%s *arr, "
              "struct %s_opaque_%s *elem",
              p, x, p, p, x, p, y);
  put_dims(out, t->rank, "i");
  text_printf(out,
              ");\nconst int64_t *%s_shape_opaque_%s(struct %s_context *ctx, "
              "struct %s_opaque_%s *arr);\n",
              p, x, p, p, x);
  text_printf(out,
              "int %s_new_opaque_%s(struct %s_context *ctx, struct %s_opaque_%s **out, "
              "struct %s_opaque_%s **elems",
              p, x, p, p, x, p, y);
  put_dims(out, t->rank, "dim");
  text_puts(out, ");\n");
}

// %P is the prefix.
static const char context_text[] =
    "struct %P_context_config;\n"
    "struct %P_context_config *%P_context_config_new(void);\n"
    "void %P_context_config_free(struct %P_context_config *cfg);\n"
    "void %P_context_config_set_debugging(struct %P_context_config *cfg, int flag);\n"
    "void %P_context_config_set_profiling(struct %P_context_config *cfg, int flag);\n"
    "void %P_context_config_set_logging(struct %P_context_config *cfg, int flag);\n"
    "void %P_context_config_set_num_threads(struct %P_context_config *cfg, int n);\n"
    "void %P_context_config_set_memory_limit(struct %P_context_config *cfg, int64_t bytes);\n"
    "void %P_context_config_set_cache_file(struct %P_context_config *cfg, const char *name);\n"
    "int %P_context_config_set_tuning_param(struct %P_context_config *cfg, const char *name, "
    "size_t value);\n"
    "int %P_get_tuning_param_count(void);\n"
    "const char *%P_get_tuning_param_name(int i);\n"
    "const char *%P_get_tuning_param_class(int i);\n"
    "struct %P_context;\n"
    "struct %P_context *%P_context_new(struct %P_context_config *cfg);\n"
    "void %P_context_free(struct %P_context *ctx);\n"
    "int %P_context_sync(struct %P_context *ctx);\n"
    "char *%P_context_get_error(struct %P_context *ctx);\n"
    "void %P_context_set_logging_file(struct %P_context *ctx, FILE *f);\n"
    "void %P_context_pause_profiling(struct %P_context *ctx);\n"
    "void %P_context_unpause_profiling(struct %P_context *ctx);\n"
    "int %P_context_clear_caches(struct %P_context *ctx);\n"
    "int64_t %P_context_peak_bytes(struct %P_context *ctx);\n"
    "char *%P_context_report(struct %P_context *ctx);\n\n";

void edge_put_prefixed(Text *out, const Edge *e, const char *s) {
  for (; *s; s++) {
    if (s[0] == '%' && s[1] == 'P') {
      text_puts(out, e->prefix);
      s++;
    } else text_putc(out, *s);
  }
}

void library_declarations(Text *out, const Edge *e) {
  edge_put_prefixed(out, e, context_text);
  for (int i = 0; i < e->types.len; i++)
    if (abi_is_opaque(e->types.at[i].type)) text_printf(out, "struct %s;\n", e->types.at[i].cname);
  for (int i = 0; i < e->types.len; i++)
    if (!abi_is_opaque(e->types.at[i].type)) declare_array(out, e, e->types.at[i].type);
  for (int i = 0; i < e->types.len; i++)
    if (abi_is_opaque(e->types.at[i].type)) declare_opaque(out, e, e->types.at[i].type);
  Lib l = {out, e, false};
  put_own_functions(&l);
}

void library_h(Text *out, const Edge *e) {
  text_puts(out,
            "#pragma once\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
            "#include <stdio.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
  size_t start = out->len;
  library_declarations(out, e);
  const char *declarations = arena_strndup(e->arena, out->at + start, out->len - start);
  library_names(out, e, declarations);
  leaf_declarations(out, e);
  text_puts(
      out,
      "\n#define FUTHARK_BACKEND_c\n#define FUTHARK_SUCCESS 0\n#define FUTHARK_PROGRAM_ERROR 2\n"
      "#define FUTHARK_OUT_OF_MEMORY 3\n\n#ifdef __cplusplus\n}\n#endif\n");
}

void library_c(Text *out, const Edge *e) {
  library_declarations(out, e);
  text_puts(out, "DZ_API_CONTEXT\n");
  for (int i = 0; i < e->types.len; i++) {
    const AbiType *t = e->types.at[i].type;
    if (t->kind == ABI_ARRAY) {
      text_printf(out, "DZ_API_ARRAY(_%s_%dd, %s, %s, %d)\n", prim_info[t->prim].name, t->rank,
                  t->prim == PRIM_F16 ? "uint16_t" : c_type(t->prim), dz_prim(t->prim), t->rank);
      continue;
    }
    text_printf(out, "DZ_API_OPAQUE(%s, &dz_type_%d)\n", opaque_short(e, t), i);
    if (t->kind == ABI_SUM) text_printf(out, "DZ_API_SUM(%s)\n", opaque_short(e, t));
    if (t->kind == ABI_OPAQUE_ARRAY)
      text_printf(out, "DZ_API_ROWS(%s, %s, &dz_type_%d, %d)\n", opaque_short(e, t),
                  opaque_short(e, t->fields.at[0]), i, t->rank);
  }
  Lib l = {out, e, true};
  put_own_functions(&l);
}
