// The JSON description of a library: entry points, types and the names of their functions.
#include <string.h>
#include "local.h"

static void put_op(Text *out, const Edge *e, const char *op, const char *x, bool last) {
  text_printf(out, "        \"%s\": \"%s_%s_%s\"%s\n", op, e->prefix, op, x, last ? "" : ",");
}

static void array_type(Text *out, const Edge *e, const AbiType *t) {
  char x[64];
  snprintf(x, sizeof x, "%s_%dd", prim_info[t->prim].name, t->rank);
  text_printf(out,
              "      \"kind\": \"array\",\n      \"ctype\": \"struct %s_%s *\",\n"
              "      \"rank\": %d,\n      \"elemtype\": \"%s\",\n      \"ops\": {\n",
              e->prefix, x, t->rank, prim_info[t->prim].name);
  static const char *const ops[] = {"free",  "index",  "new",       "new_raw",
                                    "shape", "values", "values_raw"};
  for (int i = 0; i < COUNT_OF(ops); i++) put_op(out, e, ops[i], x, i == COUNT_OF(ops) - 1);
  text_puts(out, "      }\n");
}

static void put_name(Text *out, const char *key, const char *value, const char *end) {
  text_printf(out, "\"%s\": ", key);
  c_string(out, value);
  text_puts(out, end);
}

// The fields of records, or of an array of them of that rank.
static void fields_part(Text *out, const Edge *e, const AbiType *t, const char *x, int rank) {
  text_puts(out, "\"fields\": [");
  for (int i = 0; i < t->fields.len; i++) {
    const AbiType *field = t->fields.at[i];
    if (rank > 0) field = abi_rows(e->arena, field, rank);
    text_puts(out, i ? ", {" : "{");
    put_name(out, "name", t->field_names.at[i], ", ");
    put_name(out, "type", edge_name(e, field), ", ");
    text_printf(out, "\"project\": \"%s_project_%s_%s\"}", e->prefix, x,
                c_suffix(e->arena, t->field_names.at[i]));
  }
  text_puts(out, "]");
}

static void record_part(Text *out, const Edge *e, const AbiType *t, const char *x) {
  text_printf(out, "      ,\"record\": {\n        \"new\": \"%s_new_%s\",\n        ",
              e->prefix, x);
  fields_part(out, e, t, x, 0);
  text_puts(out, "\n      }\n");
}

static void sum_part(Text *out, const Edge *e, const AbiType *t, const char *x) {
  text_printf(out,
              "      ,\"sum\": {\n        \"variant\": \"%s_variant_%s\",\n        \"variants\": [",
              e->prefix, x);
  for (int c = 0; c < t->payloads.len; c++) {
    const char *name = c_suffix(e->arena, t->field_names.at[c]);
    text_puts(out, c ? ", {" : "{");
    put_name(out, "name", t->field_names.at[c], ", \"payload\": [");
    for (int i = 0; i < t->payloads.at[c].len; i++) {
      if (i) text_puts(out, ", ");
      c_string(out, edge_name(e, t->payloads.at[c].at[i]));
    }
    text_printf(out, "], \"construct\": \"%s_new_%s_%s\", \"destruct\": \"%s_destruct_%s_%s\"}",
                e->prefix, x, name, e->prefix, x, name);
  }
  text_puts(out, "]\n      }\n");
}

static void rows_part(Text *out, const Edge *e, const AbiType *t, const char *x) {
  bool zips = abi_is_record_array(t) && t->fields.at[0]->fields.len > 0;
  text_printf(out, "      ,\"%s\": {\n", zips ? "record_array" : "opaque_array");
  text_printf(out, "        \"rank\": %d,\n        ", t->rank);
  put_name(out, "elemtype", edge_name(e, t->fields.at[0]), ",\n");
  if (zips) {
    text_puts(out, "        ");
    fields_part(out, e, t->fields.at[0], x, t->rank);
    text_puts(out, ",\n");
    put_op(out, e, "zip", x, false);
  }
  put_op(out, e, "new", x, false);
  put_op(out, e, "set", x, false);
  put_op(out, e, "index", x, false);
  put_op(out, e, "shape", x, true);
  text_puts(out, "      }\n");
}

static void opaque_type(Text *out, const Edge *e, const AbiType *t) {
  const char *cname = e->types.at[edge_type(e, t)].cname, *x = cname + strlen(e->prefix) + 1;
  text_printf(out,
              "      \"kind\": \"opaque\",\n      \"ctype\": \"struct %s *\",\n      \"ops\": {\n",
              cname);
  put_op(out, e, "free", x, false);
  put_op(out, e, "restore", x, false);
  put_op(out, e, "store", x, true);
  text_puts(out, "      }\n");
  if (t->kind == ABI_RECORD) record_part(out, e, t, x);
  if (t->kind == ABI_SUM) sum_part(out, e, t, x);
  if (t->kind == ABI_OPAQUE_ARRAY) rows_part(out, e, t, x);
}

static void entry_point(Text *out, const Edge *e, const EntryInfo *info) {
  text_puts(out, "    ");
  c_string(out, info->name);
  text_printf(out, ": {\n      \"cfun\": \"%s_entry_%s\",\n      \"tuning_params\": [",
              e->prefix, c_suffix(e->arena, info->name));
  for (int i = 0; i < e->prog->params.len; i++) {
    text_puts(out, i ? ", " : "");
    c_string(out, e->prog->params.at[i]);
  }
  if (edge_own_param(e->prog))
    text_printf(out, "%s\"%s\"", e->prog->params.len ? ", " : "", edge_own_param(e->prog));
  text_puts(out, "],\n");
  text_puts(out, "      \"output\": {");
  put_name(out, "type", edge_name(e, info->result.type), ", ");
  text_printf(out, "\"unique\": %s},\n      \"inputs\": [", info->result.unique ? "true" : "false");
  for (int i = 0; i < info->params.len; i++) {
    text_puts(out, i ? ", {" : "{");
    put_name(out, "name", info->params.at[i].name ? info->params.at[i].name : "", ", ");
    put_name(out, "type", edge_name(e, info->params.at[i].type), ", ");
    text_printf(out, "\"unique\": %s}", info->params.at[i].unique ? "true" : "false");
  }
  text_puts(out, "]\n    }");
}

static void function(Text *out, const SourceFunction *f) {
  text_puts(out, "    {");
  put_name(out, "name", f->name, ", \"params\": [");
  for (int i = 0; i < f->params.len; i++) {
    text_puts(out, i ? ", {" : "{");
    put_name(out, "name", f->params.at[i].name, ", ");
    put_name(out, "text", f->params.at[i].text, "}");
  }
  text_puts(out, "], ");
  put_name(out, "result", f->result, "}");
}

static void functions(Text *out, const SourceFunctionList *list) {
  text_puts(out, "  \"functions\": [");
  for (int i = 0; i < list->len; i++) {
    text_puts(out, i ? ",\n" : "\n");
    function(out, &list->at[i]);
  }
  text_puts(out, list->len ? "\n  ]\n" : "]\n");
}

void manifest_json(Text *out, const Edge *e) {
  text_printf(out, "{\n  \"backend\": \"%s\",\n  ", edge_backend(e));
  put_name(out, "version", e->options->version ? e->options->version : "dagaz",
           ",\n  \"entry_points\": {\n");
  for (int i = 0; edge_entry(e, i); i++) {
    if (i) text_puts(out, ",\n");
    entry_point(out, e, edge_entry(e, i)->entry);
  }
  text_puts(out, "\n  },\n  \"types\": {\n");
  for (int i = 0; i < e->types.len; i++) {
    const AbiType *t = e->types.at[i].type;
    text_puts(out, "    ");
    c_string(out, e->types.at[i].name);
    text_puts(out, ": {\n");
    if (t->kind == ABI_ARRAY) array_type(out, e, t);
    else opaque_type(out, e, t);
    text_puts(out, i + 1 < e->types.len ? "    },\n" : "    }\n");
  }
  text_puts(out, "  },\n");
  leaf_manifest(out, e);
  functions(out, &e->options->functions);
  text_puts(out, "}\n");
}
