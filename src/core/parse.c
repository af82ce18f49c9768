// Reading the text form of the IR.  A name is one variable throughout the text, so what
// is bound twice or used before its binding is found by the verifier, which checks every program
// read here before anybody sees it.
//   program  = [level N] [constants { stm* }] fn*
//   fn       = fn NAME attr* [entry [STRING]] binders -> binders body
//   binders  = ( [name : type {, name : type}] )      body = { stm* in atoms }
//   stm      = let attr* binders = [keyword] field*   lambda = ( \ binders -> types body )
#include "parse.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 200, MOST_RANK = 64 };

static Name word_take(Parser *p) {
  if (p->token != TOKEN_WORD) {
    parser_fail(p, "a name");
    return NULL;
  }
  Name word = name_intern(p->words, p->src->text + p->from, p->at - p->from);
  parser_next(p);
  return word;
}

// xs_12 -> xs: the number is printed again.
static const char *base_of(Parser *p, Name word) {
  size_t len = strlen(word), cut = len;
  while (cut > 0 && isdigit((unsigned char)word[cut - 1])) cut--;
  bool numbered = cut < len && cut > 1 && word[cut - 1] == '_';
  return arena_strndup(p->prog->arena, word, numbered ? cut - 1 : len);
}

static Var var_named(Parser *p, Name word) {
  if (!word) return (Var){0};
  uintptr_t id = (uintptr_t)map_get(p->vars, KEY(word));
  if (id) return (Var){(uint32_t)id};
  Var v = var_new(p->prog, base_of(p, word), type_scalar(PRIM_UNIT));
  map_put(p->vars, KEY(word), (void *)(uintptr_t)v.id);
  return v;
}

static bool word_is_scalar(const Parser *p, Scalar *out) {
  size_t len = p->at - p->from;
  const char *s = p->src->text + p->from;
  bool special = len == 6 && (memcmp(s, "inf", 3) == 0 || memcmp(s, "nan", 3) == 0);
  bool truth = parser_is_word(p, "true") || parser_is_word(p, "false");
  return (special || truth) && scalar_parse(s, len, out);
}

static Scalar scalar_take(Parser *p) {
  Scalar s = scalar_bool(false);
  if (parser_take(p, '(')) {
    parser_want(p, ')');
    return scalar_int(PRIM_UNIT, 0);
  }
  bool good = p->token == TOKEN_NUMBER ? scalar_parse(p->src->text + p->from, p->at - p->from, &s)
                                       : p->token == TOKEN_WORD && word_is_scalar(p, &s);
  if (good) parser_next(p);
  else parser_fail(p, "a constant");
  return s;
}

static Atom atom_take(Parser *p) {
  Scalar s;
  if (p->token == TOKEN_WORD && !word_is_scalar(p, &s)) return atom_var(var_named(p, word_take(p)));
  return atom_scalar(scalar_take(p));
}

static Atoms atoms_take(Parser *p) {
  Atoms atoms = {0};
  parser_want(p, '(');
  while (!parser_is(p, ')') && !p->failed) {
    list_push(p->prog->arena, &atoms, atom_take(p));
    if (!parser_take(p, ',')) break;
  }
  parser_want(p, ')');
  return atoms;
}

static int64_t int_take(Parser *p) {
  if (p->token != TOKEN_NUMBER) {
    parser_fail(p, "an integer");
    return 0;
  }
  char *end, *digits = arena_strndup(p->prog->arena, p->src->text + p->from, p->at - p->from);
  errno = 0;
  int64_t i = strtoll(digits, &end, 10);
  if (*end || errno) parser_fail(p, "an integer");
  else parser_next(p);
  return i;
}

static int small_take(Parser *p) {
  int64_t i = int_take(p);
  if (i < 0 || i > INT32_MAX) parser_fail(p, "a small number");
  return (int)i;
}

static Prim prim_take(Parser *p) {
  Prim prim = PRIM_UNIT;
  char *word = p->token == TOKEN_WORD
                   ? arena_strndup(p->prog->arena, p->src->text + p->from, p->at - p->from)
                   : NULL;
  if (word && prim_named(word, &prim)) parser_next(p);
  else parser_fail(p, "a scalar type");
  return prim;
}

static Type array_take(Parser *p) {
  Atoms dims = {0};
  while (parser_take(p, '[')) {
    if (dims.len == MOST_RANK) parser_fail(p, "fewer dimensions");
    list_push(p->prog->arena, &dims, atom_take(p));
    parser_want(p, ']');
  }
  return (Type){.rank = dims.len, .dims = dims.at, .prim = prim_take(p)};
}

static Type type_take(Parser *p) {
  bool unique = parser_take(p, '*');
  Type type;
  if (parser_take_word(p, "acc")) {
    parser_want(p, '(');
    Var token = var_named(p, word_take(p));
    parser_want(p, ',');
    int rank = small_take(p);
    parser_want(p, ',');
    type = array_take(p);
    parser_want(p, ')');
    type.is_acc = true;
    type.index_rank = rank;
    type.token = token;
  } else {
    type = array_take(p);
  }
  type.unique = unique;
  return type;
}

static Types types_take(Parser *p) {
  Types types = {0};
  parser_want(p, '(');
  while (!parser_is(p, ')') && !p->failed) {
    list_push(p->prog->arena, &types, type_take(p));
    if (!parser_take(p, ',')) break;
  }
  parser_want(p, ')');
  return types;
}

static Vars binders_take(Parser *p) {
  Vars vars = {0};
  parser_want(p, '(');
  while (!parser_is(p, ')') && !p->failed) {
    Var v = var_named(p, word_take(p));
    parser_want(p, ':');
    Type type = type_take(p);
    p->prog->vars.at[v.id].type = type;
    list_push(p->prog->arena, &vars, v);
    if (!parser_take(p, ',')) break;
  }
  parser_want(p, ')');
  return vars;
}

// (n)
static int64_t attr_number(Parser *p) {
  parser_want(p, '(');
  int64_t n = int_take(p);
  parser_want(p, ')');
  return n;
}

// (name)
static uint8_t strategy_take(Parser *p) {
  parser_want(p, '(');
  int found = 0;
  for (int i = 1; i < STRATEGY_END && !found; i++)
    if (parser_take_word(p, strategy_info[i].name)) found = i;
  if (!found) parser_fail(p, "the name of a strategy");
  parser_want(p, ')');
  return (uint8_t)found;
}

static Attrs attrs_take(Parser *p) {
  Attrs a = {0};
  while (parser_take(p, '#')) {
    if (parser_take_word(p, "sequential")) a.sequential = true;
    else if (parser_take_word(p, "unroll")) a.unroll = true;
    else if (parser_take_word(p, "noinline")) a.noinline_ = true;
    else if (parser_take_word(p, "unchecked")) a.unchecked = true;
    else if (parser_take_word(p, "warn_checks")) a.warn_checks = true;
    else if (parser_take_word(p, "true_dep")) a.true_dep = true;
    else if (parser_take_word(p, "opaque")) a.opaque = true;
    else if (parser_take_word(p, "reversed")) a.reversed = true;
    else if ((parser_take_word(p, "low_peak") || parser_take_word(p, "lean"))) a.low_peak = true;
    else if ((parser_take_word(p, "chunked") || parser_take_word(p, "blocks"))) a.chunked = true;
    else if ((parser_take_word(p, "disjoint") || parser_take_word(p, "apart"))) a.disjoint = true;
    else if (parser_take_word(p, "exact")) a.exact = true;
    else if (parser_take_word(p, "linear")) a.linear = 1;
    else if (parser_take_word(p, "linear_second")) a.linear = 2;
    else if (parser_take_word(p, "linear_both")) a.linear = 3;
    else if (parser_take_word(p, "strategy")) a.strategy = strategy_take(p);
    else if (parser_take_word(p, "checkpoint")) a.checkpoint = (int)attr_number(p);
    else if (parser_take_word(p, "checkpoint_log")) a.checkpoint = -1;
    else if (parser_take_word(p, "memory_limit")) a.memory_limit = attr_number(p);
    else if ((parser_take_word(p, "memory_fraction") || parser_take_word(p, "memory_share")))
      a.memory_fraction = (int)attr_number(p);
    else if (parser_is_word(p, "stripmine") || parser_is_word(p, "bound")) {
      int *slot = parser_is_word(p, "bound") ? &a.bound : &a.stripmine;
      parser_next(p);
      parser_want(p, '(');
      *slot = small_take(p);
      parser_want(p, ')');
    } else parser_fail(p, "an attribute");
  }
  return a;
}

static Stm stm_take(Parser *p);

static Body body_take(Parser *p) {
  Body body = {0};
  if (p->depth++ > DEEPEST) parser_fail(p, "less nesting");
  parser_want(p, '{');
  while (parser_is_word(p, "let")) list_push(p->prog->arena, &body.stms, stm_take(p));
  if (!parser_take_word(p, "in")) parser_fail(p, "'let' or 'in'");
  body.results = atoms_take(p);
  parser_want(p, '}');
  p->depth--;
  return body;
}

static void arrow_want(Parser *p) {
  if (p->token == TOKEN_ARROW) parser_next(p);
  else parser_fail(p, "'->'");
}

static Lambda *lambda_take(Parser *p) {
  if (parser_take_word(p, "none")) return NULL;
  Lambda *fn = NEW(p->prog->arena, Lambda);
  parser_want(p, '(');
  parser_want(p, '\\');
  fn->params = binders_take(p);
  arrow_want(p);
  fn->rets = types_take(p);
  fn->body = body_take(p);
  parser_want(p, ')');
  return fn;
}

static Operators operators_take(Parser *p) {
  Operators ops = {0};
  parser_want(p, '<');
  while (!parser_is(p, '>') && !p->failed) {
    Operator op = {.comm = parser_take_word(p, "comm")};
    op.exclusive = parser_take_word(p, "exclusive");
    op.op = lambda_take(p);
    op.neutral = atoms_take(p);
    list_push(p->prog->arena, &ops, op);
    if (!parser_take(p, ',')) break;
  }
  parser_want(p, '>');
  return ops;
}

static Slice slice_take(Parser *p) {
  Slice slice = {0};
  parser_want(p, '[');
  while (!parser_is(p, ']') && !p->failed) {
    SliceDim d = {.is_fix = true, .start = atom_take(p)};
    if (parser_take(p, ':')) {
      d.is_fix = false;
      d.count = atom_take(p);
      parser_want(p, ':');
      d.stride = atom_take(p);
    }
    list_push(p->prog->arena, &slice, d);
    if (!parser_take(p, ',')) break;
  }
  parser_want(p, ']');
  return slice;
}

static Case case_take(Parser *p) {
  Case c = {.pats = {0}};
  parser_want(p, '(');
  while (!parser_is(p, ')') && !p->failed) {
    CasePat pat = {.any = parser_take_word(p, "_")};
    if (!pat.any) pat.lit = scalar_take(p);
    list_push(p->prog->arena, &c.pats, pat);
    if (!parser_take(p, ',')) break;
  }
  parser_want(p, ')');
  arrow_want(p);
  c.body = body_take(p);
  return c;
}

static Cases cases_take(Parser *p) {
  Cases cases = {0};
  parser_want(p, '{');
  while (parser_take_word(p, "case")) list_push(p->prog->arena, &cases, case_take(p));
  parser_want(p, '}');
  return cases;
}

static Ints ints_take(Parser *p) {
  Ints ints = {0};
  parser_want(p, '[');
  while (!parser_is(p, ']') && !p->failed) {
    list_push(p->prog->arena, &ints, int_take(p));
    if (!parser_take(p, ',')) break;
  }
  parser_want(p, ']');
  return ints;
}

static Data data_take(Parser *p) {
  Data data = {.prim = prim_take(p)};
  LIST(Scalar) all = {0};
  parser_want(p, '[');
  while (!parser_is(p, ']') && !p->failed) {
    list_push(p->prog->arena, &all, scalar_take(p));
    if (!parser_take(p, ',')) break;
  }
  parser_want(p, ']');
  data.at = all.at;
  data.len = all.len;
  return data;
}

static Op op_take(Parser *p) {
  Op op = OP_ADD;
  Name word = word_take(p);
  if (word && !op_named(word, &op)) parser_fail(p, "an operation or form before this");
  return op;
}

static const char *fn_name_take(Parser *p) {
  if (p->token == TOKEN_STRING) return parser_string(p);
  Name word = word_take(p);
  return arena_strdup(p->prog->arena, word ? word : "");
}

static void field_take(Parser *p, Exp *exp, const Field *f) {
  switch (f->kind) {
    case FIELD_ATOM: FIELD(exp, f, Atom) = atom_take(p); break;
    case FIELD_ATOMS: FIELD(exp, f, Atoms) = atoms_take(p); break;
    case FIELD_LAMBDA: FIELD(exp, f, Lambda *) = lambda_take(p); break;
    case FIELD_OPERATORS: FIELD(exp, f, Operators) = operators_take(p); break;
    case FIELD_SLICE: FIELD(exp, f, Slice) = slice_take(p); break;
    case FIELD_CASES: FIELD(exp, f, Cases) = cases_take(p); break;
    case FIELD_OP: FIELD(exp, f, Op) = op_take(p); break;
    case FIELD_PRIM: FIELD(exp, f, Prim) = prim_take(p); break;
    case FIELD_INT: FIELD(exp, f, int64_t) = int_take(p); break;
    case FIELD_INTS: FIELD(exp, f, Ints) = ints_take(p); break;
    case FIELD_FLAG: FIELD(exp, f, bool) = parser_take_word(p, f->name); break;
    case FIELD_STRING: FIELD(exp, f, const char *) = parser_string(p); break;
    case FIELD_FN: FIELD(exp, f, const char *) = fn_name_take(p); break;
    case FIELD_DATA: FIELD(exp, f, Data) = data_take(p); break;
    case FIELD_END: break;
  }
}

static Exp exp_take(Parser *p) {
  Exp exp = {.form = FORM_PRIM};
  for (Form form = 0; form < FORM_COUNT; form++) {
    if (!*form_info[form].keyword || !parser_is_word(p, form_info[form].keyword)) continue;
    exp.form = form;
    parser_next(p);
    break;
  }
  for (const Field *f = form_info[exp.form].fields; f->kind != FIELD_END; f++)
    field_take(p, &exp, f);
  return exp;
}

static Stm stm_take(Parser *p) {
  Stm stm = {.bound = {0}};
  parser_next(p);
  stm.attrs = attrs_take(p);
  stm.bound = binders_take(p);
  parser_want(p, '=');
  stm.exp = exp_take(p);
  return stm;
}

// The name only: the rest comes from the types, once they are known to be good.
static const EntryInfo *entry_take(Parser *p, const char *name) {
  if (!parser_take_word(p, "entry")) return NULL;
  EntryInfo *entry = NEW(p->prog->arena, EntryInfo);
  entry->name = p->token == TOKEN_STRING ? parser_string(p) : name;
  return entry;
}

static void entries_complete(Prog *prog) {
  for (int i = 0; i < prog->fns.len; i++) {
    Fn *fn = prog->fns.at[i];
    if (fn->entry) fn->entry = entry_info_plain(prog, fn, fn->entry->name);
  }
}

static Fn *fn_take(Parser *p) {
  Fn *fn = NEW(p->prog->arena, Fn);
  fn->name = fn_name_take(p);
  fn->attrs = attrs_take(p);
  fn->entry = entry_take(p, fn->name);
  fn->params = binders_take(p);
  arrow_want(p);
  fn->results = binders_take(p);
  fn->body = body_take(p);
  return fn;
}

static void prog_take(Parser *p) {
  parser_next(p);
  if (parser_take_word(p, "level")) {
    int64_t level = int_take(p);
    if (level < 0 || level > LEVEL_AD_FREE) parser_fail(p, "a level before this");
    else p->prog->level = (Level)level;
  }
  if (parser_take_word(p, "constants")) {
    parser_want(p, '{');
    while (parser_is_word(p, "let")) list_push(p->prog->arena, &p->prog->constants, stm_take(p));
    parser_want(p, '}');
  }
  while (parser_take_word(p, "fn")) list_push(p->prog->arena, &p->prog->fns, fn_take(p));
  if (p->token != TOKEN_END) parser_fail(p, "'fn'");
}

Prog *core_parse(Arena *arena, const Source *src, Diag *diag) {
  Parser p = {.src = src, .diag = diag, .prog = prog_new(arena)};
  p.words = names_new(arena);
  p.vars = map_new(arena);
  prog_take(&p);
  if (p.failed) return NULL;
  const char *fault = core_fault(p.prog, arena);
  if (!fault) {
    entries_complete(p.prog);
    return p.prog;
  }
  diag_error(diag, (Span){src, 0, 0}, "%s", fault);
  return NULL;
}
