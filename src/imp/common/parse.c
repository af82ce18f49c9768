// Reading the text form of the imperative IR (print.c), so that its passes are tested one by one.
// Variables keep their numbers.  imp_fault checks every program read here before it is used.
//   program  = fn* { param N = NAME | site N = STRING STRING | global N = NAME : TYPE [mem] }
//   fn       = fn NAME ( var.. ) -> ( [block] TYPE [in N], .. ) { declaration* stm* }
//   declaration = mem var : KIND TYPE [ [N] ] [N] [moved] [expanded N] [of var] [data [ .. ]]
//               | scalar var : global TYPE N
//   stm      = KEYWORD field*, by imp.def     exp = constant | var | (exp + exp) | op.TYPE(exp, ..)
#include "core/parse.h"
#include "imp.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARS = 1000000, DEEPEST = 200 };

typedef struct {
  Parser p;
  ImpProg *prog;
  ImpFn *fn;
  Arena *arena;
} Reader;

static const char *word_take(Reader *r) {
  if (r->p.token != TOKEN_WORD) {
    parser_fail(&r->p, "a name");
    return "";
  }
  const char *word = arena_strndup(r->arena, r->p.src->text + r->p.from, r->p.at - r->p.from);
  parser_next(&r->p);
  return word;
}

static bool scalar_here(const Reader *r, Scalar *out) {
  size_t len = r->p.at - r->p.from;
  const char *s = r->p.src->text + r->p.from;
  bool named = parser_is_word(&r->p, "true") || parser_is_word(&r->p, "false") ||
               (len == 6 && (memcmp(s, "inf", 3) == 0 || memcmp(s, "nan", 3) == 0));
  return (r->p.token == TOKEN_NUMBER || named) && scalar_parse(s, len, out);
}

// Digits alone are an i64.
static int64_t int_take(Reader *r) {
  char *end = NULL;
  const char *s = arena_strndup(r->arena, r->p.src->text + r->p.from, r->p.at - r->p.from);
  int64_t i = r->p.token == TOKEN_NUMBER ? strtoll(s, &end, 10) : 0;
  if (!end || *end) parser_fail(&r->p, "an integer");
  else parser_next(&r->p);
  return i;
}

static Prim prim_take(Reader *r) {
  Prim prim = PRIM_UNIT;
  const char *word = word_take(r);
  if (!r->p.failed && !prim_named(word, &prim)) parser_fail(&r->p, "a scalar type before this");
  return prim;
}

static Op op_take(Reader *r) {
  Op op = OP_ADD;
  const char *word = word_take(r);
  if (!r->p.failed && !op_named(word, &op)) parser_fail(&r->p, "an operation before this");
  return op;
}

static const char *string_take(Reader *r) {
  const char *s = parser_string(&r->p);
  return arena_strdup(r->arena, s);
}

// ---- variables: base_NUMBER, or _ for none ----------------------------------------------------
static ImpVarInfo *info_of(Reader *r, ImpVar v) { return &r->fn->vars.at[v.id]; }

static ImpVar var_take(Reader *r) {
  const char *word = word_take(r);
  if (r->p.failed || strcmp(word, "_") == 0) return (ImpVar){0};
  const char *number = strrchr(word, '_');
  char *end = NULL;
  long id = number ? strtol(number + 1, &end, 10) : 0;
  if (!number || *end || id <= 0 || id > MOST_VARS) {
    parser_fail(&r->p, "a variable, a name that ends in _NUMBER, before this");
    return (ImpVar){0};
  }
  while (r->fn->vars.len <= id) list_push(r->arena, &r->fn->vars, (ImpVarInfo){.base = "v"});
  r->fn->vars.at[id].base = arena_strndup(r->arena, word, (size_t)(number - word));
  return (ImpVar){(uint32_t)id};
}

// A variable that may have its type with it: parameters, results of calls.
static ImpVar typed_take(Reader *r) {
  ImpVar v = var_take(r);
  if (parser_take(&r->p, ':')) info_of(r, v)->prim = prim_take(r);
  return v;
}

static void define(Reader *r, ImpVar v, ImpKind kind, Prim prim) {
  ImpVarInfo *info = info_of(r, v);
  info->kind = kind;
  info->prim = prim;
}

// ---- expressions ------------------------------------------------------------------------------
static const ImpExp *exp_take(Reader *r);

static const ImpExp *exp_new(Reader *r, ImpExp e) { return arena_copy(r->arena, &e, sizeof e); }

static const ImpExp *index_take(Reader *r) {
  const ImpExp *a = exp_take(r);
  bool add = parser_is(&r->p, '+'), sub = parser_is(&r->p, '-'), mul = parser_is(&r->p, '*');
  if (!add && !sub && !mul) parser_fail(&r->p, "+, - or *");
  parser_next(&r->p);
  const ImpExp *b = exp_take(r);
  parser_want(&r->p, ')');
  return exp_new(r, (ImpExp){.kind = IMP_OP, .prim = PRIM_I64, .from = PRIM_I64,
                             .op = add ? OP_ADD : sub ? OP_SUB : OP_MUL, .index = true,
                             .args = {a, b}});
}

// op.TYPE(args) or conv.TYPE(arg), after the word.
static const ImpExp *call_take(Reader *r, const char *word) {
  ImpExp e = {.kind = strcmp(word, "conv") == 0 ? IMP_CONV : IMP_OP};
  if (e.kind == IMP_OP && !op_named(word, &e.op)) parser_fail(&r->p, "an operation before this");
  parser_want(&r->p, '.');
  e.from = prim_take(r);
  parser_want(&r->p, '(');
  for (int i = 0; i < 3 && !r->p.failed; i++) {
    e.args[i] = exp_take(r);
    if (!parser_take(&r->p, ',')) break;
  }
  parser_want(&r->p, ')');
  if (r->p.failed) return imp_i64(r->arena, 0);
  e.prim = e.kind == IMP_CONV ? e.from : op_result(e.op, e.from);
  if (e.kind == IMP_CONV) e.from = e.args[0]->prim;
  return exp_new(r, e);
}

static const ImpExp *exp_inside(Reader *r) {
  Scalar s;
  if (scalar_here(r, &s)) {
    parser_next(&r->p);
    return imp_const(r->arena, s);
  }
  if (r->p.token == TOKEN_NUMBER) return imp_i64(r->arena, int_take(r));
  if (parser_take(&r->p, '(')) {
    if (parser_take(&r->p, ')')) return imp_const(r->arena, scalar_int(PRIM_UNIT, 0));
    return index_take(r);
  }
  size_t at = r->p.at;
  if (r->p.token == TOKEN_WORD && at < r->p.src->len && r->p.src->text[at] == '.')
    return call_take(r, word_take(r));
  ImpVar v = var_take(r);
  return r->p.failed ? imp_i64(r->arena, 0) : imp_var(r->arena, r->fn, v);
}

static const ImpExp *exp_take(Reader *r) {
  if (r->p.depth++ > DEEPEST) parser_fail(&r->p, "less nesting");
  const ImpExp *e = r->p.failed ? imp_i64(r->arena, 0) : exp_inside(r);
  r->p.depth--;
  return e;
}

// ---- statements -------------------------------------------------------------------------------
static ImpBlock *block_take(Reader *r);

static ImpExps exps_take(Reader *r) {
  ImpExps list = {0};
  parser_want(&r->p, '(');
  while (!parser_is(&r->p, ')') && !r->p.failed) {
    list_push(r->arena, &list, exp_take(r));
    if (!parser_take(&r->p, ',')) break;
  }
  parser_want(&r->p, ')');
  return list;
}

// Names, of reductions each with its operator.
static ImpVars vars_take(Reader *r, bool reds) {
  ImpVars list = {0};
  parser_want(&r->p, '(');
  while (!parser_is(&r->p, ')') && !r->p.failed) {
    ImpVar v = typed_take(r);
    if (reds && !r->p.failed) info_of(r, v)->red_op = op_take(r);
    list_push(r->arena, &list, v);
    if (!parser_take(&r->p, ',')) break;
  }
  parser_want(&r->p, ')');
  return list;
}

static void name_want(Reader *r, const char *name) {
  if (!parser_take_word(&r->p, name)) parser_fail(&r->p, arena_printf(r->arena, "'%s='", name));
  parser_want(&r->p, '=');
}

// A list that is left out where it is empty.
static ImpVars named_vars(Reader *r, const ImpField *d) {
  if (!parser_is_word(&r->p, d->name)) return (ImpVars){0};
  name_want(r, d->name);
  return vars_take(r, d->kind == IMP_FIELD_USES);
}

static void field_take(Reader *r, ImpStm *stm, const ImpField *d) {
  void *at = (char *)stm + d->offset;
  switch (d->kind) {
  case IMP_FIELD_DEF:
    *(ImpVar *)at = var_take(r);
    if (parser_take_word(&r->p, "low_peak")) info_of(r, *(ImpVar *)at)->low_peak = true;
    break;
  case IMP_FIELD_USE: case IMP_FIELD_MEM: *(ImpVar *)at = var_take(r); break;
  case IMP_FIELD_EXP:
    name_want(r, d->name);
    *(const ImpExp **)at = exp_take(r);
    break;
  case IMP_FIELD_EXPS:
    name_want(r, d->name);
    *(ImpExps *)at = exps_take(r);
    break;
  case IMP_FIELD_MEMS: case IMP_FIELD_USES: *(ImpVars *)at = named_vars(r, d); break;
  case IMP_FIELD_BLOCK: *(ImpBlock **)at = block_take(r); break;
  case IMP_FIELD_OPER: *(int64_t *)at = op_take(r); break;
  case IMP_FIELD_INT: *(int64_t *)at = int_take(r); break;
  case IMP_FIELD_FLAG: *(bool *)at = parser_take_word(&r->p, d->name); break;
  case IMP_FIELD_STRING: *(const char **)at = string_take(r); break;
  case IMP_FIELD_END: break;
  }
}

// The variable that the statement binds, once all but its blocks is read.
static void bind(Reader *r, ImpStm *stm) {
  ImpVar *def = imp_stm_def(stm);
  if (!def || r->p.failed) return;
  Prim prim = PRIM_I64;
  if (stm->form == IMP_STM_LET) prim = stm->let.value->prim;
  if (stm->form == IMP_STM_VAR) prim = stm->var.value->prim;
  if (stm->form == IMP_STM_LOAD) prim = info_of(r, stm->load.mem)->prim;
  if (stm->form == IMP_STM_SCAN) prim = info_of(r, stm->scan.acc)->prim;
  define(r, *def, stm->form == IMP_STM_VAR ? IMP_MUT : IMP_LET, prim);
  if (stm->form == IMP_STM_LET) info_of(r, *def)->def = stm->let.value;
  if (stm->form == IMP_STM_FOR) info_of(r, *def)->bound = stm->for_.bound;
}

static ImpStm *stm_take(Reader *r) {
  ImpStm *stm = NEW(r->arena, ImpStm);
  const char *word = word_take(r);
  while (stm->form < IMP_STM_COUNT && strcmp(imp_form_info[stm->form].keyword, word) != 0)
    stm->form++;
  if (stm->form == IMP_STM_COUNT) {
    parser_fail(&r->p, "a statement before this");
    return NULL;
  }
  bool bound = false;
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++) {
    if (d->kind == IMP_FIELD_BLOCK && !bound) bind(r, stm), bound = true;
    field_take(r, stm, d);
  }
  if (!bound) bind(r, stm);
  return stm;
}

static ImpBlock *block_take(Reader *r) {
  ImpBlock *block = NEW(r->arena, ImpBlock);
  if (r->p.depth++ > DEEPEST) parser_fail(&r->p, "less nesting");
  parser_want(&r->p, '{');
  while (!parser_is(&r->p, '}') && !r->p.failed) list_push(r->arena, block, stm_take(r));
  parser_want(&r->p, '}');
  r->p.depth--;
  return block;
}

// ---- functions --------------------------------------------------------------------------------
static ImpKind kind_take(Reader *r) {
  const char *word = word_take(r);
  for (ImpKind kind = IMP_LET; kind <= IMP_GLOBAL; kind++)
    if (strcmp(imp_kind_name(kind), word) == 0) return kind;
  parser_fail(&r->p, "a kind of memory before this");
  return IMP_BLOCK;
}

static const Data *data_take(Reader *r, Prim prim) {
  Data *data = NEW(r->arena, Data);
  LIST(Scalar) all = {0};
  Scalar s;
  data->prim = prim;
  parser_want(&r->p, '[');
  while (scalar_here(r, &s)) {
    list_push(r->arena, &all, s);
    parser_next(&r->p);
    if (!parser_take(&r->p, ',')) break;
  }
  parser_want(&r->p, ']');
  data->at = all.at;
  data->len = all.len;
  return data;
}

static void declaration_take(Reader *r, bool is_mem) {
  ImpVar v = var_take(r);
  parser_want(&r->p, ':');
  ImpKind kind = kind_take(r);
  Prim prim = prim_take(r);
  if (r->p.failed) return;
  define(r, v, kind, prim);
  ImpVarInfo *info = info_of(r, v);
  info->is_mem = is_mem;
  if (kind == IMP_GLOBAL) info->global = (int)int_take(r);
  if (parser_take(&r->p, '[')) {
    info->count = int_take(r);
    parser_want(&r->p, ']');
  }
  info->moved = parser_take_word(&r->p, "moved");
  if (parser_take_word(&r->p, "expanded")) info->expanded = (int)int_take(r);
  if (parser_take_word(&r->p, "of")) {
    ImpVar home = var_take(r);
    info_of(r, v)->home = home;
  }
  if (parser_take_word(&r->p, "data")) info_of(r, v)->data = data_take(r, prim);
}

static void results_take(Reader *r) {
  parser_want(&r->p, '(');
  while (!parser_is(&r->p, ')') && !r->p.failed) {
    bool is_mem = parser_take_word(&r->p, "block");
    list_push(r->arena, &r->fn->result_is_mem, is_mem);
    list_push(r->arena, &r->fn->result_prims, prim_take(r));
    list_push(r->arena, &r->fn->result_in, parser_take_word(&r->p, "in") ? (int)int_take(r) : 0);
    if (!parser_take(&r->p, ',')) break;
  }
  parser_want(&r->p, ')');
}

static ImpFn *fn_take(Reader *r) {
  ImpFn *fn = r->fn = NEW(r->arena, ImpFn);
  list_push(r->arena, &fn->vars, (ImpVarInfo){.base = "v"});
  fn->name = string_take(r);
  fn->params = vars_take(r, false);
  if (r->p.token == TOKEN_ARROW) parser_next(&r->p);
  else parser_fail(&r->p, "'->'");
  results_take(r);
  parser_want(&r->p, '{');
  for (;;) {
    if (parser_take_word(&r->p, "mem")) declaration_take(r, true);
    else if (parser_take_word(&r->p, "scalar")) declaration_take(r, false);
    else break;
  }
  fn->body = NEW(r->arena, ImpBlock);
  while (!parser_is(&r->p, '}') && !r->p.failed) list_push(r->arena, fn->body, stm_take(r));
  parser_want(&r->p, '}');
  return fn;
}

static void tail_take(Reader *r) {
  while (parser_take_word(&r->p, "param")) {
    int_take(r), parser_want(&r->p, '=');
    list_push(r->arena, &r->prog->params, string_take(r));
  }
  while (parser_take_word(&r->p, "site")) {
    int_take(r), parser_want(&r->p, '=');
    ImpSite site = {string_take(r), string_take(r)};
    list_push(r->arena, &r->prog->sites, site);
  }
  while (parser_take_word(&r->p, "region")) {
    int_take(r), parser_want(&r->p, '=');
    ImpRegion region = {.form = string_take(r)};
    region.place = string_take(r);
    list_push(r->arena, &r->prog->regions, region);
  }
  while (parser_take_word(&r->p, "global")) {
    int_take(r), parser_want(&r->p, '=');
    ImpGlobal global = {.base = word_take(r)};
    parser_want(&r->p, ':');
    global.prim = prim_take(r);
    global.is_mem = parser_take_word(&r->p, "mem");
    list_push(r->arena, &r->prog->globals, global);
  }
  if (r->p.token != TOKEN_END) parser_fail(&r->p, "'fn'");
}

ImpProg *imp_parse(Arena *arena, const Source *src, Diag *diag) {
  Reader r = {.arena = arena, .prog = NEW(arena, ImpProg)};
  r.p = (Parser){.src = src, .diag = diag, .prog = prog_new(arena)};
  r.prog->arena = arena;
  parser_next(&r.p);
  while (parser_take_word(&r.p, "fn")) list_push(arena, &r.prog->fns, fn_take(&r));
  tail_take(&r);
  if (r.p.failed) return NULL;
  const char *fault = imp_fault(r.prog, arena);
  if (!fault) return r.prog;
  diag_error(diag, (Span){src, 0, 0}, "%s", fault);
  return NULL;
}
