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
bool abi_is_record_array(const AbiType *type) {
  return type->kind == ABI_OPAQUE_ARRAY && type->fields.at[0]->kind == ABI_RECORD;
}

// ---- leaves -----------------------------------------------------------------------------------
static void leaves_add(Arena *arena, Leaves *out, const AbiType *t, int extra) {
  switch (t->kind) {
  case ABI_SCALAR: list_push(arena, out, (Leaf){t->prim, extra}); break;
  case ABI_ARRAY: list_push(arena, out, (Leaf){t->prim, t->rank + extra}); break;
  case ABI_RECORD:
    for (int i = 0; i < t->fields.len; i++) leaves_add(arena, out, t->fields.at[i], extra);
    break;
  case ABI_OPAQUE_ARRAY: {  // of elements without leaves: one of unit, which has the shape
    int from = out->len;
    leaves_add(arena, out, t->fields.at[0], extra + t->rank);
    if (out->len == from) list_push(arena, out, (Leaf){PRIM_UNIT, extra + t->rank});
    break;
  }
  case ABI_SUM: {
    int from = out->len;
    for (int i = 0; i < t->leaves; i++) list_push(arena, out, (Leaf){PRIM_U8, extra});
    for (int c = 0; c < t->payloads.len; c++) {
      Leaves payload = {0};
      for (int i = 0; i < t->payloads.at[c].len; i++)
        leaves_add(arena, &payload, t->payloads.at[c].at[i], extra);
      for (int i = 0; i < payload.len; i++) out->at[from + t->slots.at[c].at[i]] = payload.at[i];
    }
    break;
  }
  }
}

// ---- names in C -------------------------------------------------------------------------------
static bool is_ident_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Names of fields, constructors and entry points may have primes.
const char *c_suffix(Arena *arena, const char *s) {
  Text text = {0};
  for (; *s; s++) {
    if (*s == '\'') text_puts(&text, "zq");
    else text_putc(&text, is_ident_char(*s) ? *s : '_');
  }
  const char *name = arena_strdup(arena, text.at ? text.at : "");
  text_free(&text);
  return name;
}

// A type's name as part of an identifier:  name = {"[]"} ( identifier | "(" name {", " name} ")" ),
// "[][]t" is arr2d_t and "(i32, t)" is tup2_i32_t.  NULL where only a hash will do.
static const char *pretty(Text *out, const char *s) {
  int rank = 0;
  for (; s[0] == '[' && s[1] == ']'; s += 2) rank++;
  if (rank) text_printf(out, "arr%dd_", rank);
  if (*s != '(') {
    if (!is_ident_char(*s) || isdigit((unsigned char)*s)) return NULL;
    while (is_ident_char(*s)) text_putc(out, *s++);
    return s;
  }
  Text parts = {0};
  int n = 0;
  do {
    text_putc(&parts, '_');
    s = pretty(&parts, s + (n == 0 ? 1 : 2));
    n++;
  } while (s && s[0] == ',' && s[1] == ' ');
  if (s) text_printf(out, "tup%d%s", n, parts.at);
  text_free(&parts);
  return s && *s == ')' ? s + 1 : NULL;
}

static const char *opaque_name(Arena *arena, const char *name) {
  if (strcmp(name, "()") == 0) return "unit";
  Text text = {0};
  const char *rest = pretty(&text, name);
  const char *found;
  if (rest && !*rest) {
    found = arena_strdup(arena, text.at);
  } else {
    char hex[MD5_HEX];
    md5_hex(hex, name, strlen(name));
    found = arena_strdup(arena, hex);
  }
  text_free(&text);
  return found;
}

static const char *type_cname(const Edge *e, const AbiType *t) {
  if (t->kind == ABI_SCALAR) return t->prim == PRIM_F16 ? "uint16_t" : c_type(t->prim);
  if (t->kind == ABI_ARRAY)
    return arena_printf(e->arena, "%s_%s_%dd", e->prefix, prim_info[t->prim].name, t->rank);
  return arena_printf(e->arena, "%s_opaque_%s", e->prefix, opaque_name(e->arena, t->name));
}

// ---- the list of types ------------------------------------------------------------------------
static bool same_type(const AbiType *a, const AbiType *b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->prim != b->prim || a->rank != b->rank || strcmp(a->name, b->name) ||
      a->fields.len != b->fields.len || a->field_names.len != b->field_names.len ||
      a->payloads.len != b->payloads.len)
    return false;
  for (int i = 0; i < a->field_names.len; i++)
    if (strcmp(a->field_names.at[i], b->field_names.at[i])) return false;
  for (int i = 0; i < a->fields.len; i++)
    if (!same_type(a->fields.at[i], b->fields.at[i])) return false;
  for (int c = 0; c < a->payloads.len; c++) {
    if (a->payloads.at[c].len != b->payloads.at[c].len) return false;
    for (int i = 0; i < a->payloads.at[c].len; i++)
      if (!same_type(a->payloads.at[c].at[i], b->payloads.at[c].at[i])) return false;
  }
  return true;
}

static int find_type(const Edge *e, const AbiType *t) {
  for (int i = 0; i < e->types.len; i++)
    if (same_type(e->types.at[i].type, t)) return i;
  return -1;
}

const char *edge_backend(const Edge *edge) {
  switch (prog_target(edge->prog->core)) {
  case TARGET_ONE: break;
  case TARGET_CORES: return "multicore";
  case TARGET_GPU_HOST: return "gpu-host";
  case TARGET_OPENCL: return "opencl";
  case TARGET_CUDA: return "cuda";
  }
  return "c";
}

int edge_type(const Edge *e, const AbiType *t) {
  int i = find_type(e, t);
  if (i < 0) ice("a type of an entry point is not listed");
  return i;
}

const char *edge_name(const Edge *e, const AbiType *t) {
  return t->kind == ABI_SCALAR ? t->name : e->types.at[edge_type(e, t)].name;
}

const AbiType *abi_rows(Arena *arena, const AbiType *t, int rank) {
  AbiType *rows = NEW(arena, AbiType);
  Text name = {0};
  for (int i = 0; i < rank; i++) text_puts(&name, "[]");
  text_puts(&name, t->name);
  *rows = (AbiType){.name = arena_strdup(arena, name.at), .rank = rank, .prim = t->prim};
  text_free(&name);
  switch (t->kind) {
  case ABI_SCALAR: rows->kind = ABI_ARRAY; break;
  case ABI_ARRAY:
    rows->kind = ABI_ARRAY;
    rows->rank += t->rank;
    break;
  case ABI_OPAQUE_ARRAY:
    rows->kind = ABI_OPAQUE_ARRAY;
    rows->rank += t->rank;
    list_push(arena, &rows->fields, t->fields.at[0]);
    break;
  case ABI_RECORD:
  case ABI_SUM:
    rows->kind = ABI_OPAQUE_ARRAY;
    rows->prim = (Prim)0;
    list_push(arena, &rows->fields, t);
    break;
  }
  return rows;
}

static bool name_taken(const Edge *e, const char *cname) {
  for (int i = 0; i < e->types.len; i++)
    if (strcmp(e->types.at[i].cname, cname) == 0) return true;
  return false;
}

// Different types of one name (in different modules) are distinguished by a number.
static void push_type(Edge *e, const AbiType *t) {
  const char *name = t->name, *cname = type_cname(e, t), *base = cname;
  for (int n = 2; name_taken(e, cname); n++) {
    name = arena_printf(e->arena, "%s_%d", t->name, n);
    cname = arena_printf(e->arena, "%s_%d", base, n);
  }
  list_push(e->arena, &e->types, (EdgeType){t, name, cname});
}

static void add_type(Edge *e, const AbiType *t) {
  if (t->kind == ABI_SCALAR || find_type(e, t) >= 0) return;
  for (int i = 0; i < t->fields.len; i++) add_type(e, t->fields.at[i]);
  for (int c = 0; c < t->payloads.len; c++)
    for (int i = 0; i < t->payloads.at[c].len; i++) add_type(e, t->payloads.at[c].at[i]);
  push_type(e, t);
  if (!abi_is_record_array(t)) return;
  const AbiType *elem = t->fields.at[0];
  for (int i = 0; i < elem->fields.len; i++)
    add_type(e, abi_rows(e->arena, elem->fields.at[i], t->rank));
}

const Fn *edge_entry(const Edge *e, int i) {
  for (int k = 0; k < e->prog->core->fns.len; k++) {
    const Fn *fn = e->prog->core->fns.at[k];
    if (fn->entry && i-- == 0) return fn;
  }
  return NULL;
}

Edge edge_new(Arena *arena, const ImpProg *prog, const BackOptions *options) {
  Edge e = {.arena = arena,
            .prog = prog,
            .options = options,
            .prefix = options->prefix ? options->prefix : "futhark"};
  for (int i = 0; edge_entry(&e, i); i++) {
    const EntryInfo *info = edge_entry(&e, i)->entry;
    for (int p = 0; p < info->params.len; p++) add_type(&e, info->params.at[p].type);
    add_type(&e, info->result.type);
  }
  return e;
}

// ---- tables -----------------------------------------------------------------------------------
void c_type_ref(Text *out, const Edge *e, const AbiType *t) {
  if (t->kind == ABI_SCALAR) text_printf(out, "&dz_prim_types[%s]", dz_prim(t->prim));
  else text_printf(out, "&dz_type_%d", edge_type(e, t));
}

static int leaf_count(const Edge *e, const AbiType *t) {
  Leaves l = {0};
  leaves_add(e->arena, &l, t, 0);
  return l.len;
}

const Prim *edge_leaf_prims(const Edge *e, const AbiType *t) {
  Leaves l = {0};
  leaves_add(e->arena, &l, t, 0);
  Prim *prims = NEW_ARRAY(e->arena, Prim, l.len + 1);
  for (int i = 0; i < l.len; i++) prims[i] = l.at[i].prim;
  return prims;
}

static void leaf_table(Text *out, const Edge *e, const AbiType *t, int id) {
  Leaves l = {0};
  leaves_add(e->arena, &l, t, 0);
  text_printf(out, "static const DzLeaf dz_leaves_%d[] = {", id);
  for (int i = 0; i < l.len; i++)
    text_printf(out, "{%s, %d}, ", dz_prim(l.at[i].prim), l.at[i].rank);
  text_puts(out, l.len ? "};\n" : "{DZ_U8, 0}};\n");
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
  if (t->kind == ABI_ARRAY)
    text_printf(out, "%d, &dz_prim_types[%s]};\n", t->rank, dz_prim(t->prim));
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
