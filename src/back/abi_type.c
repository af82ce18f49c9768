// The types of a program's edge: names, leaves, and the tables of abi.h.
#include <ctype.h>
#include <string.h>
#include "local.h"

typedef struct {
  Prim prim;
  int rank;
} Leaf;
typedef LIST(Leaf) Leaves;

bool abi_is_opaque(const AbiType *type) {
  return type->kind != ABI_SCALAR && type->kind != ABI_ARRAY;
}

// ---- leaves -----------------------------------------------------------------------------------------
static void leaves_add(Arena *arena, Leaves *out, const AbiType *t, int extra) {
  switch (t->kind) {
  case ABI_SCALAR: list_push(arena, out, (Leaf){t->prim, extra}); break;
  case ABI_ARRAY: list_push(arena, out, (Leaf){t->prim, t->rank + extra}); break;
  case ABI_RECORD:
    for (int i = 0; i < t->fields.len; i++) leaves_add(arena, out, t->fields.at[i], extra);
    break;
  case ABI_OPAQUE_ARRAY: leaves_add(arena, out, t->fields.at[0], extra + t->rank); break;
  case ABI_SUM: {
    int from = out->len;
    for (int i = 0; i < t->leaves; i++) list_push(arena, out, (Leaf){PRIM_U8, extra});
    for (int c = 0; c < t->payloads.len; c++) {
      Leaves payload = {0};
      for (int i = 0; i < t->payloads.at[c].len; i++)
        leaves_add(arena, &payload, t->payloads.at[c].at[i], extra);
      for (int i = 0; i < payload.len; i++)
        out->at[from + t->slots.at[c].at[i]] = payload.at[i];
    }
    break;
  }
  }
}

// ---- names in C ---------------------------------------------------------------------------------------
static bool is_ident(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_') return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_') return false;
  return true;
}

// "i32", "arr1d_f64", "tup2_i32_f64", a plain name; false where only a hash will do.
static bool pretty(Text *out, const AbiType *t) {
  if (t->kind == ABI_SCALAR) {
    text_puts(out, prim_info[t->prim].name);
    return true;
  }
  if (t->kind == ABI_ARRAY) {
    text_printf(out, "arr%dd_%s", t->rank, prim_info[t->prim].name);
    return true;
  }
  if (t->name && is_ident(t->name)) {
    text_puts(out, t->name);
    return true;
  }
  if (t->kind == ABI_OPAQUE_ARRAY) {
    text_printf(out, "arr%dd_", t->rank);
    return pretty(out, t->fields.at[0]);
  }
  if (t->kind != ABI_RECORD || !t->is_tuple || t->fields.len == 0) return false;
  text_printf(out, "tup%d", t->fields.len);
  for (int i = 0; i < t->fields.len; i++) {
    text_putc(out, '_');
    if (!pretty(out, t->fields.at[i])) return false;
  }
  return true;
}

static uint64_t hash(const char *s) {
  uint64_t h = UINT64_C(14695981039346656037);
  for (; *s; s++) h = (h ^ (unsigned char)*s) * UINT64_C(1099511628211);
  return h;
}

static const char *type_cname(const Edge *e, const AbiType *t) {
  if (t->kind == ABI_SCALAR) return t->prim == PRIM_F16 ? "uint16_t" : c_type(t->prim);
  if (t->kind == ABI_ARRAY)
    return arena_printf(e->arena, "%s_%s_%dd", e->prefix, prim_info[t->prim].name, t->rank);
  Text text = {0};
  const char *name;
  if (pretty(&text, t))
    name = arena_printf(e->arena, "%s_opaque_%s", e->prefix, text.at);
  else
    name = arena_printf(e->arena, "%s_opaque_%016llx", e->prefix, (unsigned long long)hash(t->name));
  text_free(&text);
  return name;
}

// ---- the list of types -------------------------------------------------------------------------------
static int find_type(const Edge *e, const AbiType *t, const char *cname) {
  for (int i = 0; i < e->types.len; i++)
    if (strcmp(e->types.at[i].cname, cname) == 0
        && (e->types.at[i].type == t || strcmp(e->types.at[i].name, t->name) == 0))
      return i;
  return -1;
}
int edge_type(const Edge *e, const AbiType *t) { return find_type(e, t, type_cname(e, t)); }

static void add_type(Edge *e, const AbiType *t) {
  if (t->kind == ABI_SCALAR || edge_type(e, t) >= 0) return;
  for (int i = 0; i < t->fields.len; i++) add_type(e, t->fields.at[i]);
  for (int c = 0; c < t->payloads.len; c++)
    for (int i = 0; i < t->payloads.at[c].len; i++) add_type(e, t->payloads.at[c].at[i]);
  list_push(e->arena, &e->types, (EdgeType){t, t->name, type_cname(e, t)});
}

const Fn *edge_entry(const Edge *e, int i) {
  for (int k = 0; k < e->prog->core->fns.len; k++) {
    const Fn *fn = e->prog->core->fns.at[k];
    if (fn->entry && i-- == 0) return fn;
  }
  return NULL;
}

Edge edge_new(Arena *arena, const ImpProg *prog, const BackOptions *options) {
  Edge e = {.arena = arena, .prog = prog, .options = options,
            .prefix = options->prefix ? options->prefix : "futhark"};
  for (int i = 0; edge_entry(&e, i); i++) {
    const EntryInfo *info = edge_entry(&e, i)->entry;
    for (int p = 0; p < info->params.len; p++) add_type(&e, info->params.at[p].type);
    add_type(&e, info->result.type);
  }
  return e;
}

// ---- tables ------------------------------------------------------------------------------------------
void c_type_ref(Text *out, const Edge *e, const AbiType *t) {
  if (t->kind == ABI_SCALAR) text_printf(out, "&dz_prim_types[%s]", dz_prim(t->prim));
  else text_printf(out, "&dz_type_%d", edge_type(e, t));
}

static int leaf_count(const Edge *e, const AbiType *t) {
  Leaves l = {0};
  leaves_add(e->arena, &l, t, 0);
  return l.len;
}

static void leaf_table(Text *out, const Edge *e, const AbiType *t, int id) {
  Leaves l = {0};
  leaves_add(e->arena, &l, t, 0);
  text_printf(out, "static const DzLeaf dz_leaves_%d[] = {", id);
  for (int i = 0; i < l.len; i++)
    text_printf(out, "{%s, %d}, ", dz_prim(l.at[i].prim), l.at[i].rank);
  text_puts(out, l.len ? "};\n" : "{DZ_BOOL, 0}};\n");
}

static void record_table(Text *out, const Edge *e, const AbiType *t, int id) {
  text_printf(out, "static const DzPart dz_parts_%d[] = {", id);
  int from = 0;
  for (int i = 0; i < t->fields.len; i++) {
    text_puts(out, "{");
    c_string(out, t->field_names.at[i]);
    text_puts(out, ", ");
    c_type_ref(out, e, t->fields.at[i]);
    text_printf(out, ", %d, NULL}, ", from);
    from += leaf_count(e, t->fields.at[i]);
  }
  text_puts(out, t->fields.len ? "};\n" : "{0}};\n");
}

static void variant_table(Text *out, const Edge *e, const AbiType *t, int id, int c) {
  int from = 0;
  for (int i = 0; i < t->payloads.at[c].len; i++) {
    int n = leaf_count(e, t->payloads.at[c].at[i]);
    text_printf(out, "static const int dz_slots_%d_%d_%d[] = {", id, c, i);
    for (int k = 0; k < n; k++) text_printf(out, "%d, ", t->slots.at[c].at[from + k]);
    text_puts(out, n ? "};\n" : "0};\n");
    from += n;
  }
  text_printf(out, "static const DzPart dz_payload_%d_%d[] = {", id, c);
  for (int i = 0; i < t->payloads.at[c].len; i++) {
    text_puts(out, "{NULL, ");
    c_type_ref(out, e, t->payloads.at[c].at[i]);
    text_printf(out, ", 0, dz_slots_%d_%d_%d}, ", id, c, i);
  }
  text_puts(out, t->payloads.at[c].len ? "};\n" : "{0}};\n");
}

static void sum_table(Text *out, const Edge *e, const AbiType *t, int id) {
  for (int c = 0; c < t->payloads.len; c++) variant_table(out, e, t, id, c);
  text_printf(out, "static const DzVariant dz_variants_%d[] = {", id);
  for (int c = 0; c < t->payloads.len; c++) {
    text_puts(out, "{");
    c_string(out, t->field_names.at[c]);
    text_printf(out, ", %d, dz_payload_%d_%d}, ", t->payloads.at[c].len, id, c);
  }
  text_puts(out, "};\n");
}

static const char *kind_name(AbiKind kind) {
  switch (kind) {
  case ABI_SCALAR: return "DZ_SCALAR";
  case ABI_ARRAY: return "DZ_ARRAY";
  case ABI_RECORD: return "DZ_RECORD";
  case ABI_SUM: return "DZ_SUM";
  case ABI_OPAQUE_ARRAY: return "DZ_OPAQUE_ARRAY";
  }
  return "DZ_OPAQUE";
}

static void type_table(Text *out, const Edge *e, int id) {
  const AbiType *t = e->types.at[id].type;
  leaf_table(out, e, t, id);
  if (t->kind == ABI_RECORD) record_table(out, e, t, id);
  if (t->kind == ABI_SUM) sum_table(out, e, t, id);
  text_printf(out, "static const DzType dz_type_%d = {", id);
  c_string(out, e->types.at[id].name);
  text_puts(out, ", ");
  c_string(out, e->types.at[id].cname);
  text_printf(out, ", %s, %d, dz_leaves_%d, ", kind_name(t->kind), leaf_count(e, t), id);
  if (t->kind == ABI_RECORD) text_printf(out, "%d, dz_parts_%d, ", t->fields.len, id);
  else text_puts(out, "0, NULL, ");
  if (t->kind == ABI_SUM) text_printf(out, "%d, dz_variants_%d, ", t->payloads.len, id);
  else text_puts(out, "0, NULL, ");
  if (t->kind == ABI_ARRAY) text_printf(out, "%d, &dz_prim_types[%s]};\n", t->rank, dz_prim(t->prim));
  else if (t->kind == ABI_OPAQUE_ARRAY) {
    text_printf(out, "%d, ", t->rank);
    c_type_ref(out, e, t->fields.at[0]);
    text_puts(out, "};\n");
  } else text_puts(out, "0, NULL};\n");
}

void abi_type_tables(Text *out, const Edge *e) {
  for (int i = 0; i < e->types.len; i++) type_table(out, e, i);
  text_puts(out, "static const DzType *const dz_types[] = {");
  for (int i = 0; i < e->types.len; i++) text_printf(out, "&dz_type_%d, ", i);
  text_puts(out, "NULL};\n\n");
}
