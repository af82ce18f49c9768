// The C++17 header of a library: classes over its C functions, all of them inline.
//
//   array [n]..t         array<double, R>                  (rts/library.hpp)
//   record               class with make(ctx, fields..) and a function for each field
//   tuple                the same, fields _0, _1; a tuple that is a result is a std::tuple
//   sum                  class with variant(), make_<constructor>, as_<constructor>()
//   array of those       class with shape(), at(i..), set, make, and for records zip and fields
//   entry point          function of a context and the values; a consumed one is taken by value
//
// Failures are exceptions of class error.
#include <ctype.h>
#include <string.h>
#include "local.h"
#include "values/embed.h"

static bool is_reserved(const char *name) {
  static const char *const words[] = {
      "alignas",   "alignof",  "and",       "and_eq",   "array",    "asm",      "auto",
      "bitand",    "bitor",    "bool",      "break",    "case",     "catch",    "char",
      "class",     "compl",    "concept",   "const",    "consteval", "constexpr", "constinit",
      "const_cast", "context", "continue",  "co_await", "co_return", "co_yield", "decltype",
      "default",   "delete",   "do",        "double",   "else",     "enum",     "error",
      "explicit",  "export",   "extern",    "f16",      "false",    "float",    "for",
      "friend",    "get",      "goto",      "handle",   "if",       "inline",   "int",
      "long",      "make",     "mutable",   "namespace", "new",     "noexcept", "not",
      "not_eq",    "nullptr",  "operator",  "options",  "or",       "or_eq",    "private",
      "protected", "public",   "register",  "release",  "requires", "restore",  "return",
      "shape",     "short",    "signed",    "sizeof",   "span",     "static",   "std",
      "store",     "struct",   "switch",    "template", "this",     "throw",    "true",
      "try",       "typedef",  "typeid",    "typename", "union",    "unsigned", "using",
      "virtual",   "void",     "volatile",  "wchar_t",  "while",    "xor",      "xor_eq",
      "zip",       "at",       "set",       "ctx",      "variant",  "tuple",    "array_functions",
      "dynamic_cast", "static_cast", "reinterpret_cast", "thread_local", "static_assert",
      "char8_t",   "char16_t", "char32_t",  "int8_t",   "main",     "raw"};
  for (int i = 0; i < COUNT_OF(words); i++)
    if (strcmp(words[i], name) == 0) return true;
  return false;
}

// An identifier of C++ for a name of the program's.
static const char *cpp_name(Arena *arena, const char *name) {
  const char *own = c_suffix(arena, name);
  if (isdigit((unsigned char)*own)) return arena_printf(arena, "_%s", own);
  return is_reserved(own) ? arena_printf(arena, "%s_", own) : own;
}

static const char *class_name(const Edge *e, const AbiType *t) {
  const char *name = opaque_readable(e, t);
  return isdigit((unsigned char)*name) ? arena_printf(e->arena, "type_%s", name)
                                       : cpp_name(e->arena, name);
}

// A name of a member, which must not be the class's, or of a function, which must not be a class's.
static const char *member_name(const Edge *e, const AbiType *t, const char *name) {
  const char *own = cpp_name(e->arena, name);
  return strcmp(own, class_name(e, t)) == 0 ? arena_printf(e->arena, "%s_", own) : own;
}
static const char *function_name(const Edge *e, const char *name) {
  const char *own = cpp_name(e->arena, name);
  for (int i = 0; i < e->types.len; i++)
    if (abi_is_opaque(e->types.at[i].type) && strcmp(own, class_name(e, e->types.at[i].type)) == 0)
      return arena_printf(e->arena, "%s_", own);
  return own;
}

static const char *scalar_name(Prim prim) {
  switch (prim) {
    case PRIM_I8: return "std::int8_t";
    case PRIM_I16: return "std::int16_t";
    case PRIM_I32: return "std::int32_t";
    case PRIM_I64: return "std::int64_t";
    case PRIM_U8: return "std::uint8_t";
    case PRIM_U16: return "std::uint16_t";
    case PRIM_U32: return "std::uint32_t";
    case PRIM_U64: return "std::uint64_t";
    case PRIM_F16: return "f16";
    case PRIM_F32: return "float";
    case PRIM_F64: return "double";
    case PRIM_BOOL: return "bool";
    case PRIM_UNIT: case PRIM_COUNT: break;
  }
  return "std::uint8_t";
}

static const char *cpp_type(const Edge *e, const AbiType *t) {
  if (t->kind == ABI_SCALAR) return scalar_name(t->prim);
  if (t->kind == ABI_ARRAY)
    return arena_printf(e->arena, "array<%s, %d>", scalar_name(t->prim), t->rank);
  return class_name(e, t);
}

static bool is_half(const AbiType *t) { return t->kind == ABI_SCALAR && t->prim == PRIM_F16; }

// The C function's name: futhark_VERB_opaque_NAMEsuffix.
static const char *opaque_function(const Edge *e, const char *verb, const AbiType *t) {
  return arena_printf(e->arena, "%s_%s_opaque_%s", e->prefix, verb, opaque_short(e, t));
}

// ---- member functions -------------------------------------------------------------------------
// They are declared in their class and defined after all classes, which mention one another.
typedef struct {
  Text *classes, *bodies;
  const Edge *e;
  const AbiType *type;  // the class
} Cpp;
typedef struct {
  bool is_static;
  const char *result, *name, *params;
} Member;

static void member_begin(Cpp *c, Member m) {
  const char *end = m.is_static ? "" : " const";
  text_printf(c->classes, "  %s%s %s(%s)%s;\n", m.is_static ? "static " : "", m.result, m.name,
              m.params, end);
  text_printf(c->bodies, "inline %s %s::%s(%s)%s {\n", m.result, class_name(c->e, c->type), m.name,
              m.params, end);
}

// ---- values in and out of C functions ---------------------------------------------------------
static void put_param(Text *out, const Edge *e, const AbiType *t, bool consumed, int i) {
  if (t->kind == ABI_SCALAR) text_printf(out, ", %s in%d", cpp_type(e, t), i);
  else text_printf(out, consumed ? ", %s in%d" : ", const %s &in%d", cpp_type(e, t), i);
}
static void put_params(Text *out, const Edge *e, int n, const AbiType *const *types) {
  for (int i = 0; i < n; i++) put_param(out, e, types[i], false, i);
}
static void put_args(Text *out, int n, const AbiType *const *types) {
  for (int i = 0; i < n; i++)
    text_printf(out, ", in%d%s", i,
                types[i]->kind != ABI_SCALAR ? ".get()" : is_half(types[i]) ? ".bits" : "");
}
// A variable for the C function to fill in.
static void put_result(Text *out, const Edge *e, const AbiType *t, const char *name) {
  if (t->kind == ABI_SCALAR)
    text_printf(out, "  %s %s{};\n", is_half(t) ? "std::uint16_t" : cpp_type(e, t), name);
  else text_printf(out, "  %s *%s = nullptr;\n", e->types.at[edge_type(e, t)].cname, name);
}
static const char *wrapped(const Edge *e, const AbiType *t, const char *ctx, const char *name) {
  if (is_half(t)) return arena_printf(e->arena, "f16{%s}", name);
  if (t->kind == ABI_SCALAR) return name;
  return arena_printf(e->arena, "%s(%s, %s)", cpp_type(e, t), ctx, name);
}

// ---- arrays -----------------------------------------------------------------------------------
static void put_list(Text *out, int rank, const char *name) {
  for (int i = 0; i < rank; i++) text_printf(out, ", %s[%d]", name, i);
}

static void put_array(Text *out, const Edge *e, const AbiType *t) {
  const char *p = e->prefix;
  const char *x = arena_printf(e->arena, "%s_%dd", prim_info[t->prim].name, t->rank);
  text_printf(out,
              "template <> struct array_functions<%s, %d> {\n"
              "  using raw = %s_%s;\n"
              "  using element = %s;\n"
              "  static raw *make(%s_context *ctx, const element *data, const std::int64_t *n) {\n"
              "    return %s_new_%s(ctx, data",
              scalar_name(t->prim), t->rank, p, x,
              t->prim == PRIM_F16 ? "std::uint16_t" : scalar_name(t->prim), p, p, x);
  put_list(out, t->rank, "n");
  text_printf(out,
              ");\n  }\n"
              "  static int free(%s_context *ctx, raw *a) { return %s_free_%s(ctx, a); }\n"
              "  static int values(%s_context *ctx, raw *a, element *out) {\n"
              "    return %s_values_%s(ctx, a, out);\n  }\n"
              "  static const void *values_raw(%s_context *ctx, raw *a) {\n"
              "    return %s_values_raw_%s(ctx, a);\n  }\n"
              "  static const std::int64_t *shape(%s_context *ctx, raw *a) {\n"
              "    return %s_shape_%s(ctx, a);\n  }\n"
              "  static int index(%s_context *ctx, element *out, raw *a, const std::int64_t *i) {\n"
              "    return %s_index_%s(ctx, out, a",
              p, p, x, p, p, x, p, p, x, p, p, x, p, p, x);
  put_list(out, t->rank, "i");
  text_puts(out, ");\n  }\n};\n");
}

// ---- classes ----------------------------------------------------------------------------------
static void class_begin(Text *out, const Edge *e, const AbiType *t) {
  const char *name = class_name(e, t), *c = e->types.at[edge_type(e, t)].cname;
  text_printf(out,
              "// %s\n"
              "class %s : public handle<%s, %s> {\n"
              " public:\n"
              "  using handle::handle;\n"
              "  std::vector<unsigned char> store() const {\n"
              "    void *bytes = nullptr;\n    std::size_t size = 0;\n"
              "    ctx_.check(%s(ctx_.get(), raw_, &bytes, &size));\n"
              "    const unsigned char *from = static_cast<const unsigned char *>(bytes);\n"
              "    std::vector<unsigned char> out(from, from + size);\n"
              "    std::free(bytes);\n    return out;\n  }\n"
              "  // The bytes are those of store(), of the same program.\n"
              "  static %s restore(const context &ctx, span<const unsigned char> bytes) {\n"
              "    return {ctx, ctx.made(%s(ctx.get(), bytes.data()))};\n  }\n",
              t->name, name, c, opaque_function(e, "free", t), opaque_function(e, "store", t), name,
              opaque_function(e, "restore", t));
}

typedef LIST(const AbiType *) AbiTypes;

static const char *taken(const Edge *e, Text *text) {
  const char *copy = arena_strdup(e->arena, text->at ? text->at : "");
  text_free(text);
  return copy;
}

// A static function that makes a value.
static void put_maker(Cpp *c, const char *name, const char *call, AbiTypes types) {
  Text params = {0};
  text_puts(&params, "const context &ctx");
  put_params(&params, c->e, types.len, types.at);
  member_begin(c, (Member){true, class_name(c->e, c->type), name, taken(c->e, &params)});
  put_result(c->bodies, c->e, c->type, "out");
  text_printf(c->bodies, "  ctx.check(%s(ctx.get(), &out", call);
  put_args(c->bodies, types.len, types.at);
  text_puts(c->bodies, "));\n  return {ctx, out};\n}\n");
}

static void put_field(Cpp *c, const char *field, const AbiType *type) {
  const Edge *e = c->e;
  member_begin(c, (Member){false, cpp_type(e, type), member_name(e, c->type, field), ""});
  put_result(c->bodies, e, type, "out");
  text_printf(c->bodies, "  ctx_.check(%s_%s(ctx_.get(), &out, raw_));\n  return %s;\n}\n",
              opaque_function(e, "project", c->type), c_suffix(e->arena, field),
              wrapped(e, type, "ctx_", "out"));
}

static const char *tuple_type(const Edge *e, int n, const AbiType *const *types) {
  Text out = {0};
  text_puts(&out, "std::tuple<");
  for (int i = 0; i < n; i++) text_printf(&out, "%s%s", i ? ", " : "", cpp_type(e, types[i]));
  text_puts(&out, ">");
  return taken(e, &out);
}

static AbiTypes types_of(const Edge *e, const AbiType *const *types, int n) {
  AbiTypes out = {0};
  for (int i = 0; i < n; i++) list_push(e->arena, &out, types[i]);
  return out;
}

static void put_record(Cpp *c) {
  const Edge *e = c->e;
  const AbiType *t = c->type;
  put_maker(c, "make", opaque_function(e, "new", t), types_of(e, t->fields.at, t->fields.len));
  for (int i = 0; i < t->fields.len; i++) put_field(c, t->field_names.at[i], t->fields.at[i]);
  if (!t->is_tuple) return;
  member_begin(c, (Member){false, tuple_type(e, t->fields.len, t->fields.at), "tuple", ""});
  text_puts(c->bodies, "  return {");
  for (int i = 0; i < t->fields.len; i++)
    text_printf(c->bodies, "%s%s()", i ? ", " : "", member_name(e, t, t->field_names.at[i]));
  text_puts(c->bodies, "};\n}\n");
}

static void put_as(Cpp *c, int con) {
  const Edge *e = c->e;
  const char *name = c_suffix(e->arena, c->type->field_names.at[con]);
  const AbiType *const *types = c->type->payloads.at[con].at;
  int n = c->type->payloads.at[con].len;
  const char *as = arena_printf(e->arena, "as_%s", name);
  member_begin(c, (Member){false, tuple_type(e, n, types), as, ""});
  for (int i = 0; i < n; i++)
    put_result(c->bodies, e, types[i], arena_printf(e->arena, "out%d", i));
  text_printf(c->bodies, "  ctx_.check(%s_%s(ctx_.get()", opaque_function(e, "destruct", c->type),
              name);
  for (int i = 0; i < n; i++) text_printf(c->bodies, ", &out%d", i);
  text_puts(c->bodies, ", raw_));\n  return {");
  for (int i = 0; i < n; i++)
    text_printf(c->bodies, "%s%s", i ? ", " : "",
                wrapped(e, types[i], "ctx_", arena_printf(e->arena, "out%d", i)));
  text_puts(c->bodies, "};\n}\n");
}

static void put_sum(Cpp *c) {
  const Edge *e = c->e;
  const AbiType *t = c->type;
  text_puts(c->classes, "  enum class kind { ");
  for (int i = 0; i < t->payloads.len; i++)
    text_printf(c->classes, "%s = %d, ", cpp_name(e->arena, t->field_names.at[i]), i);
  text_printf(c->classes,
              "};\n  kind variant() const {\n"
              "    return static_cast<kind>(%s(ctx_.get(), raw_));\n  }\n",
              opaque_function(e, "variant", t));
  for (int i = 0; i < t->payloads.len; i++) {
    const char *name = c_suffix(e->arena, t->field_names.at[i]);
    put_maker(c, arena_printf(e->arena, "make_%s", name),
              arena_printf(e->arena, "%s_%s", opaque_function(e, "new", t), name),
              types_of(e, t->payloads.at[i].at, t->payloads.at[i].len));
    put_as(c, i);
  }
}

// "std::int64_t i0, std::int64_t i1" or ", i0, i1"
static const char *places(const Edge *e, int rank, bool params) {
  Text out = {0};
  for (int i = 0; i < rank; i++)
    text_printf(&out, "%s%si%d", i || !params ? ", " : "", params ? "std::int64_t " : "", i);
  return taken(e, &out);
}

static void put_rows(Cpp *c) {
  const Edge *e = c->e;
  const AbiType *t = c->type, *elem = t->fields.at[0];
  const char *name = class_name(e, t), *item = class_name(e, elem);
  const char *params = places(e, t->rank, true), *args = places(e, t->rank, false);
  text_printf(c->classes,
              "  std::array<std::int64_t, %d> shape() const {\n"
              "    const std::int64_t *n = %s(ctx_.get(), raw_);\n    return {",
              t->rank, opaque_function(e, "shape", t));
  for (int i = 0; i < t->rank; i++) text_printf(c->classes, "%sn[%d]", i ? ", " : "", i);
  text_puts(c->classes, "};\n  }\n");
  member_begin(c, (Member){false, item, "at", params});
  put_result(c->bodies, e, elem, "out");
  text_printf(c->bodies,
              "  ctx_.check(%s(ctx_.get(), &out, raw_%s));\n  return {ctx_, out};\n}\n",
              opaque_function(e, "index", t), args);
  member_begin(c, (Member){false, "void", "set",
                           arena_printf(e->arena, "const %s &value, %s", item, params)});
  text_printf(c->bodies, "  ctx_.check(%s(ctx_.get(), raw_, value.get()%s));\n}\n",
              opaque_function(e, "set", t), args);
  member_begin(c, (Member){true, name, "make",
                           arena_printf(e->arena,
                                        "const context &ctx, const std::vector<%s> &values, "
                                        "const std::array<std::int64_t, %d> &n",
                                        item, t->rank)});
  text_printf(c->bodies,
              "  std::vector<%s *> items;\n"
              "  std::size_t count = 1;\n"
              "  for (std::int64_t size : n) count *= static_cast<std::size_t>(size);\n"
              "  if (count != values.size())\n"
              "    throw std::invalid_argument(\"%s: the shape is not the size\");\n"
              "  for (const %s &value : values) items.push_back(value.get());\n",
              e->types.at[edge_type(e, elem)].cname, name, item);
  put_result(c->bodies, e, t, "out");
  text_printf(c->bodies, "  ctx.check(%s(ctx.get(), &out, items.data()",
              opaque_function(e, "new", t));
  put_list(c->bodies, t->rank, "n");
  text_puts(c->bodies, "));\n  return {ctx, out};\n}\n");
}

// Arrays of records from and to arrays of their fields.
static void put_record_rows(Cpp *c) {
  const AbiType *t = c->type, *elem = t->fields.at[0];
  AbiTypes fields = {0};
  for (int i = 0; i < elem->fields.len; i++)
    list_push(c->e->arena, &fields, abi_rows(c->e->arena, elem->fields.at[i], t->rank));
  if (fields.len == 0) return;
  put_maker(c, "zip", opaque_function(c->e, "zip", t), fields);
  for (int i = 0; i < fields.len; i++) put_field(c, elem->field_names.at[i], fields.at[i]);
}

static void put_class(Cpp *c) {
  const AbiType *t = c->type;
  class_begin(c->classes, c->e, t);
  if (t->kind == ABI_RECORD) put_record(c);
  if (t->kind == ABI_SUM) put_sum(c);
  if (t->kind == ABI_OPAQUE_ARRAY) put_rows(c);
  if (abi_is_record_array(t)) put_record_rows(c);
  text_puts(c->classes, "};\n\n");
}

static void put_classes(Text *out, const Edge *e) {
  Text bodies = {0};
  for (int i = 0; i < e->types.len; i++)
    if (abi_is_opaque(e->types.at[i].type))
      text_printf(out, "class %s;\n", class_name(e, e->types.at[i].type));
  for (int i = 0; i < e->types.len; i++) {
    Cpp c = {out, &bodies, e, e->types.at[i].type};
    if (abi_is_opaque(c.type)) put_class(&c);
  }
  text_write(out, bodies.at ? bodies.at : "", bodies.len);
  text_free(&bodies);
}

// ---- entry points -----------------------------------------------------------------------------
static void put_entry(Text *out, const Edge *e, const EntryInfo *info) {
  const AbiType *result = info->result.type;
  bool tuple = result->kind == ABI_RECORD && result->is_tuple && result->fields.len > 0;
  AbiTypes types = {0};
  for (int i = 0; i < info->params.len; i++)
    list_push(e->arena, &types, info->params.at[i].type);
  text_printf(out, "// %s(", info->name);
  for (int i = 0; i < info->params.len; i++)
    text_printf(out, "%s%s: %s%s", i ? ", " : "",
                info->params.at[i].name ? info->params.at[i].name : "_",
                info->params.at[i].unique ? "*" : "", types.at[i]->name);
  text_printf(out, "): %s\ninline ", result->name);
  text_puts(out, tuple ? tuple_type(e, result->fields.len, result->fields.at)
                       : cpp_type(e, result));
  text_printf(out, " %s(const context &ctx", function_name(e, info->name));
  for (int i = 0; i < types.len; i++)
    put_param(out, e, types.at[i], info->params.at[i].unique, i);
  text_puts(out, ") {\n");
  put_result(out, e, result, "out");
  text_printf(out, "  ctx.check(%s_entry_%s(ctx.get(), &out", e->prefix,
              c_suffix(e->arena, info->name));
  put_args(out, types.len, types.at);
  text_printf(out, "));\n  return %s%s;\n}\n\n", wrapped(e, result, "ctx", "out"),
              tuple ? ".tuple()" : "");
}

// ---- the header -------------------------------------------------------------------------------
// The part after the last slash, as an identifier.
static const char *namespace_name(const Edge *e) {
  const char *name = e->options->name ? e->options->name : "program";
  const char *slash = strrchr(name, '/');
  return cpp_name(e->arena, slash ? slash + 1 : name);
}

static void put_beginning(Text *out, const char *name) {
  const struct EmbeddedFile *file = embedded_find(rts_files, "library.hpp");
  check(file);
  for (const char *at = file->text; *at;) {
    const char *next = strstr(at, "namespace NAME");
    size_t n = next ? (size_t)(next - at) : strlen(at);
    text_write(out, at, n);
    if (next) text_printf(out, "namespace %s", name), n += strlen("namespace NAME");
    at += n;
  }
}

void library_hpp(Text *out, const Edge *e) {
  const char *slash = e->options->name ? strrchr(e->options->name, '/') : NULL;
  const char *file = slash ? slash + 1 : e->options->name ? e->options->name : "program";
  const char *name = namespace_name(e);
  text_printf(out, "#pragma once\n#include \"%s.h\"\n", file);
  put_beginning(out, name);
  text_printf(out, "\nnamespace %s {\n", name);
  for (int i = 0; i < e->types.len; i++)
    if (!abi_is_opaque(e->types.at[i].type)) put_array(out, e, e->types.at[i].type);
  put_classes(out, e);
  for (int i = 0; edge_entry(e, i); i++) put_entry(out, e, edge_entry(e, i)->entry);
  text_printf(out, "}  // namespace %s\n", name);
}
