// Built in before any source text: primitive types, operators, module intrinsics.  Their
// type schemes are read from syntax/intrinsics.def as specifications of one module type.
#include "local.h"
#include <string.h>

static const struct {
  const char *name, *scheme;
} intrinsics[] = {
#define INTRINSIC(id, name, scheme) {name, scheme},
#include "syntax/intrinsics.def"
};

#define CLASS_NUM PRIMS_NUM
#define CLASS_INT PRIMS_INT
#define CLASS_LOGIC PRIMS_BOOL
#define CLASS_PRIM PRIMS_ALL
#define CLASS_EQ 0u
static const struct {
  Intrinsic intr;
  const char *spelling;
  uint32_t prims;
  const char *scheme;
} operators[] = {
#define OPERATOR(id, spelling, class, scheme) {INTR_##id, spelling, CLASS_##class, scheme},
#include "syntax/intrinsics.def"
};

static void spec_text(Text *out, const char *prefix, int i, const char *scheme) {
  bool params = scheme[0] == '\'' || scheme[0] == '[';
  text_printf(out, "val %s%d %s%s\n", prefix, i, params ? "" : ": ", scheme);
}

static SpecList specs_parse(Checker *c) {
  Text text = {0};
  text_puts(&text, "module type intrinsics = {\n");
  for (int i = 0; i < COUNT_OF(operators); i++) spec_text(&text, "o", i, operators[i].scheme);
  for (int i = 0; i < COUNT_OF(intrinsics); i++) spec_text(&text, "i", i, intrinsics[i].scheme);
  text_puts(&text, "}\n");
  Source *src = source_new(c->arena, "/prelude/intrinsics", arena_strndup(c->arena, text.at,
                           text.len), text.len);
  src->builtin = true;
  text_free(&text);
  Dec *dec = syntax_parse_dec(c->arena, c->names, src, c->diag);
  check(dec && dec->tag == DEC_MODTYPE && dec->modtype.type->tag == MODTYPE_SPECS);
  return dec->modtype.type->specs.specs;
}

static void prims_bind(Checker *c) {
  Span nowhere = {0};
  for (int p = 0; p < PRIM_UNIT; p++) {
    Name name = name_of(c->names, prim_info[p].name);
    TypeDef *def = typedef_new(c, TYPEDEF_PRIM, name, nowhere, LIFT_NONE);
    def->prim = (Prim)p;
    scope_put(c, SPACE_TYPE, name, def);
  }
}

static TypeDef *acc_new(Checker *c) {
  Span nowhere = {0};
  TypeDef *acc = typedef_new(c, TYPEDEF_ACC, name_of(c->names, "acc"), nowhere, LIFT_NONE);
  TypeDef *of = typedef_new(c, TYPEDEF_PARAM, name_of(c->names, "t"), nowhere, LIFT_NONE);
  TypeDefParam param = {false, of, NULL};
  list_push(c->arena, &acc->params, param);
  return acc;
}

static void operator_bind(Checker *c, Spec *spec, int i) {
  Binding *b = spec_val_check(c, spec);
  b->tag = BIND_OPERATOR;
  b->name = name_of(c->names, operators[i].spelling);
  b->intr = operators[i].intr;
  b->prims = operators[i].prims;
  scope_put(c, SPACE_TERM, b->name, b);
}

static Binding *intrinsic_new(Checker *c, Spec *spec, int i) {
  Binding *b = spec_val_check(c, spec);
  b->tag = BIND_INTRINSIC;
  b->name = name_of(c->names, intrinsics[i].name);
  b->intr = (Intrinsic)i;
  return b;
}

// Operators first: the sizes in schemes use them.
static void intrinsics_check(Checker *c, ModEnv *env) {
  SpecList specs = specs_parse(c);
  int n = COUNT_OF(operators);
  for (int i = 0; i < n; i++) operator_bind(c, specs.at[i], i);
  int mark = names_scope_begin(c);
  scope_put(c, SPACE_TYPE, c->acc->name, c->acc);
  for (int i = n; i < specs.len; i++)
    list_push(c->arena, &env->terms, intrinsic_new(c, specs.at[i], i - n));
  names_scope_end(c, mark);
}

void builtin_bind(Checker *c) {
  prims_bind(c);
  c->acc = acc_new(c);
  Span nowhere = {0};
  Mod *mod = NEW(c->arena, Mod);
  mod->env = NEW(c->arena, ModEnv);
  list_push(c->arena, &mod->env->types, c->acc);
  intrinsics_check(c, mod->env);
  c->intrinsics = binding_new(c, BIND_MODULE, name_of(c->names, "intrinsics"), nowhere, NULL);
  c->intrinsics->mod = mod;
  scope_put(c, SPACE_TERM, c->intrinsics->name, c->intrinsics);
}
