// Declarations: of the file (functions, variables, types) and of blocks.
#include "local.h"

CVar *cvar_new(C *c, Declared d, CStorage storage) {
  CVar *v = NEW(c->arena, CVar);
  *v = (CVar){.name = d.name, .type = d.type, .storage = storage, .owner = c->function,
              .is_global = !c->function, .number = c->unit->vars++, .at = d.at};
  return v;
}

void static_assertion(C *c) {
  int from = c->pos++;
  int64_t value;
  expect_punct(c, "(");
  const CExpr *e = conditional(c);
  if (take_punct(c, ",")) literal(c);
  expect_punct(c, ")");
  expect_punct(c, ";");
  if (cexpr_integer(e, &value) && !value)
    parse_fail(c, span_since(c, from), "[c-type] A static assertion does not hold.");
}

// ---- blocks -------------------------------------------------------------------------------------
static void local_function(C *c, Declared d) {
  CFunction *f = cunit_function(c->unit, d.name);
  if (!f) {
    f = NEW(c->arena, CFunction);
    *f = (CFunction){.name = d.name, .type = d.type, .params = d.type->params, .at = d.at,
                     .libc = libc_named(d.name)};
    list_push(c->arena, &c->unit->functions, f);
  }
  scope_add(c, d.name, (Symbol){.tag = SYM_FUNCTION, .function = f});
}

static void local_variable(C *c, Specifiers s, Declared d, CVars *vars) {
  if (d.type->tag == CTYPE_VOID) parse_fail(c, d.at, "[c-type] A variable of type void.");
  CVar *v = cvar_new(c, d, s.storage);
  scope_add(c, d.name, (Symbol){.tag = SYM_VAR, .var = v});
  if (take_punct(c, "=")) {
    v->init = initialiser(c, d.type, &v->type);
    check_sequence(c, v->init);
  }
  bool sized = ctype_size(v->type) >= 0 || ctype_is_variable(v->type);
  if (!sized && s.storage != CSTORE_EXTERN)
    parse_fail(c, d.at, "[c-type] The size of `%.80s` is not known.", d.name);
  list_push(c->arena, vars, v);
}

static void local_typedef(C *c, Specifiers s, Declared d) {
  if (s.record && !s.record->name) {
    if (scope_tag(c, d.name, false))
      parse_fail_hint(c, d.at, "[c-unsupported] A type without a tag has the name of another.",
                      "give it a tag: typedef struct tag {");
    s.record->name = d.name;  // typedefs of blocks are not in the tree
    scope_add_tag(c, d.name, s.record);
  }
  scope_add(c, d.name, (Symbol){.tag = SYM_TYPEDEF, .local = true, .type = d.type});
}

void declaration_rest(C *c, Specifiers s, CVars *vars) {
  if (take_punct(c, ";")) return;
  Ahead *ahead = c->ahead;
  do {
    c->ahead = vars->len ? NULL : ahead;
    Declared d = declarator(c, s.type);
    if (!d.name) parse_fail(c, d.at, "[c-syntax] Expected a name before `%.40s`.",
        token_at(c)->text);
    if (s.is_typedef) local_typedef(c, s, d);
    else if (d.type->tag == CTYPE_FUNCTION) local_function(c, d);
    else local_variable(c, s, d, vars);
  } while (take_punct(c, ","));
  c->ahead = ahead;
  expect_punct(c, ";");
}

// ---- the file -----------------------------------------------------------------------------------
static void item_add(C *c, CItem item, const Token *first) {
  item.included = !first->main_file;
  if (!first->system) list_push(c->arena, &c->unit->items, item);
}

static CFunction *function_known(C *c, Declared d, Specifiers s, bool system) {
  CFunction *f = cunit_function(c->unit, d.name);
  if (!f) {
    f = NEW(c->arena, CFunction);
    *f = (CFunction){.name = d.name, .type = d.type, .params = d.type->params, .at = d.at};
    list_push(c->arena, &c->unit->functions, f);
  } else if (!ctype_same(f->type, d.type) && !system) {
    parse_fail(c, d.at, "[c-type] `%.80s` is declared a second time, with another type.", d.name);
  }
  f->is_static |= s.storage == CSTORE_STATIC;
  f->is_inline |= s.is_inline;
  f->is_noreturn |= s.is_noreturn;
  if (!f->body) f->system = system;
  if (!f->body) f->params = d.type->params;  // the names of the last declaration
  f->libc = system || !f->body ? libc_named(d.name) : NULL;
  scope_add(c, d.name, (Symbol){.tag = SYM_FUNCTION, .function = f});
  return f;
}

static void function_body(C *c, CFunction *f, Declared d) {
  if (f->body) parse_fail(c, d.at, "[c-type] `%.80s` is defined a second time.", d.name);
  if (d.type->variadic)
    parse_fail_hint(c, d.at, "[c-variadic] A function with any number of arguments.",
                    "give it an array and a number");
  f->type = d.type;
  f->params = d.type->params;
  f->libc = NULL;
  f->at = d.at;
  c->function = f;
  scope_push(c);
  for (int i = 0; i < f->params.len; i++) {
    CVar *v = f->params.at[i];
    v->owner = f;
    if (!v->name) parse_fail(c, d.at, "[c-syntax] Parameter %d has no name.", i + 1);
    scope_add(c, v->name, (Symbol){.tag = SYM_VAR, .var = v});
  }
  f->body = block(c);
  f->end = c->tokens.at[c->pos - 1].at;
  scope_pop(c);
  c->function = NULL;
}

static void function_item(C *c, Declared d, Specifiers s, CTexts before, int from) {
  const Token *first = &c->tokens.at[from];
  CFunction *f = function_known(c, d, s, first->system);
  bool defines = at_punct(c, "{");
  if (defines && first->system) {
    skip_parens(c);
    return;
  }
  if (defines) {
    f->before = before;
    f->system = false;
    function_body(c, f, d);
  }
  item_add(c, (CItem){.tag = CITEM_FUNCTION, .at = d.at, .function = f, .defines = defines,
                      .type = d.type, .before = before}, first);
}

static CVar *global(C *c, Declared d, Specifiers s) {
  const Symbol *known = scope_find(c, d.name);
  CVar *v = known && known->tag == SYM_VAR ? known->var : NULL;
  if (!v) {
    v = cvar_new(c, d, s.storage);
    list_push(c->arena, &c->unit->globals, v);
    scope_add(c, d.name, (Symbol){.tag = SYM_VAR, .var = v});
  }
  if (s.storage != CSTORE_EXTERN) v->storage = s.storage;
  if (take_punct(c, "=")) v->init = initialiser(c, d.type, &v->type);
  return v;
}

static void typedef_item(C *c, Declared d, Specifiers s, CTexts before, int from) {
  if (s.record && !s.record->name && !s.record->alias) s.record->alias = d.name;
  scope_add(c, d.name, (Symbol){.tag = SYM_TYPEDEF, .type = d.type});
  item_add(c, (CItem){.tag = CITEM_TYPEDEF, .at = d.at, .name = d.name, .type = d.type,
                      .record = s.record, .before = before}, &c->tokens.at[from]);
}

void external_declaration(C *c) {
  int from = c->pos;
  c->ahead = NULL;
  CTexts before = comments_before(c);
  if (at_keyword(c, KW_ASSERT)) {
    static_assertion(c);
    return;
  }
  Specifiers s = specifiers(c);
  if (at_punct(c, ";")) {
    if (s.record)
      item_add(c, (CItem){.tag = CITEM_RECORD, .at = s.record->at, .record = s.record,
                          .before = before}, &c->tokens.at[from]);
    c->pos++;
    return;
  }
  CItem vars = {.tag = CITEM_VARS, .record = s.record, .before = before};
  do {
    Declared d = declarator(c, s.type);
    if (!d.name) parse_fail(c, d.at, "[c-syntax] Expected a name before `%.40s`.",
        token_at(c)->text);
    if (s.is_typedef) typedef_item(c, d, s, before, from);
    else if (d.type->tag == CTYPE_FUNCTION) {
      function_item(c, d, s, before, from);
      if (c->tokens.at[c->pos - 1].text && is_punct(&c->tokens.at[c->pos - 1], "}")) return;
    } else {
      vars.at = d.at;
      list_push(c->arena, &vars.vars, global(c, d, s));
      vars.defines |= s.storage != CSTORE_EXTERN || vars.vars.at[vars.vars.len - 1]->init;
    }
    s.record = s.is_typedef ? NULL : s.record;
    before = (CTexts){0};
  } while (take_punct(c, ","));
  expect_punct(c, ";");
  if (vars.vars.len) item_add(c, vars, &c->tokens.at[from]);
}
