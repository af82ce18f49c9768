// Scalar operations as formulas.  A row is a pattern, in which $0 to $2 are the operands.
#include "formula.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *text;
  Binds binds, left, right;  // of the whole; what operand 0 and the others must at least
} OpRow;
#define CALL(text) {text, BINDS_ATOM, BINDS_LAMBDA, BINDS_LAMBDA}
#define INFIX(text, binds) {text, binds, binds, binds + 1}

static const OpRow floats[OP_COUNT] = {
    [OP_DIV] = INFIX("$0 / $1", BINDS_MUL),
    [OP_MIN] = CALL("np.fmin($0, $1)"),
    [OP_MAX] = CALL("np.fmax($0, $1)"),
    [OP_POW] = {"$0 ** $1", BINDS_POW, BINDS_ATOM, BINDS_NEG},
};
static const OpRow bools[OP_COUNT] = {
    [OP_NOT] = CALL("np.logical_not($0)"),
    [OP_MIN] = INFIX("$0 & $1", BINDS_AND),
    [OP_MAX] = INFIX("$0 | $1", BINDS_OR),
};
static const OpRow all[OP_COUNT] = {
    [OP_ADD] = INFIX("$0 + $1", BINDS_ADD),
    [OP_SUB] = INFIX("$0 - $1", BINDS_ADD),
    [OP_MUL] = INFIX("$0 * $1", BINDS_MUL),
    [OP_DIV] = INFIX("$0 // $1", BINDS_MUL),
    [OP_MOD] = INFIX("$0 % $1", BINDS_MUL),
    [OP_REM] = CALL("np.fmod($0, $1)"),
    [OP_QUOT] = INFIX("($0 - np.fmod($0, $1)) // $1", BINDS_MUL),
    [OP_POW] = {"$0 ** $1", BINDS_POW, BINDS_ATOM, BINDS_NEG},
    [OP_MIN] = CALL("np.minimum($0, $1)"),
    [OP_MAX] = CALL("np.maximum($0, $1)"),
    [OP_MIN_FIRST] = CALL("np.fmin($0, $1)"),
    [OP_MAX_FIRST] = CALL("np.fmax($0, $1)"),
    [OP_DETACH] = {"$0", BINDS_ATOM, BINDS_ATOM, BINDS_ATOM},
    [OP_NEG] = {"-$0", BINDS_NEG, BINDS_NEG, BINDS_NEG},
    [OP_ABS] = CALL("np.abs($0)"),
    [OP_SGN] = CALL("np.sign($0)"),
    [OP_AND] = INFIX("$0 & $1", BINDS_AND),
    [OP_OR] = INFIX("$0 | $1", BINDS_OR),
    [OP_XOR] = INFIX("$0 ^ $1", BINDS_XOR),
    [OP_NOT] = {"~$0", BINDS_NEG, BINDS_NEG, BINDS_NEG},
    [OP_SHL] = INFIX("$0 << $1", BINDS_SHIFT),
    [OP_SHR] = INFIX("$0 >> $1", BINDS_SHIFT),
    [OP_EQ] = {"$0 == $1", BINDS_COMPARISON, BINDS_OR, BINDS_OR},
    [OP_NE] = {"$0 != $1", BINDS_COMPARISON, BINDS_OR, BINDS_OR},
    [OP_LT] = {"$0 < $1", BINDS_COMPARISON, BINDS_OR, BINDS_OR},
    [OP_LE] = {"$0 <= $1", BINDS_COMPARISON, BINDS_OR, BINDS_OR},
    [OP_SELECT] = CALL("np.where($0, $1, $2)"),
    [OP_ISNAN] = CALL("np.isnan($0)"),
    [OP_ISINF] = CALL("np.isinf($0)"),
    [OP_CEIL] = CALL("np.ceil($0)"),
    [OP_FLOOR] = CALL("np.floor($0)"),
    [OP_TRUNC] = CALL("np.trunc($0)"),
    [OP_ROUND] = CALL("np.round($0)"),
    [OP_SQRT] = CALL("np.sqrt($0)"),
    [OP_RSQRT] = {"1.0 / np.sqrt($0)", BINDS_MUL, BINDS_LAMBDA, BINDS_LAMBDA},
    [OP_CBRT] = CALL("np.cbrt($0)"),
    [OP_HYPOT] = CALL("np.hypot($0, $1)"),
    [OP_POWZ] = CALL("powz($0, $1)"),
    [OP_EXP] = CALL("np.exp($0)"),
    [OP_EXP2] = CALL("np.exp2($0)"),
    [OP_EXP10] = {"10.0 ** $0", BINDS_POW, BINDS_NEG, BINDS_NEG},
    [OP_EXPM1] = CALL("np.expm1($0)"),
    [OP_LOG] = CALL("np.log($0)"),
    [OP_LOG2] = CALL("np.log2($0)"),
    [OP_LOG10] = CALL("np.log10($0)"),
    [OP_LOG1P] = CALL("np.log1p($0)"),
    [OP_SIN] = CALL("np.sin($0)"),
    [OP_COS] = CALL("np.cos($0)"),
    [OP_TAN] = CALL("np.tan($0)"),
    [OP_ASIN] = CALL("np.arcsin($0)"),
    [OP_ACOS] = CALL("np.arccos($0)"),
    [OP_ATAN] = CALL("np.arctan($0)"),
    [OP_ATAN2] = CALL("np.arctan2($0, $1)"),
    [OP_SINH] = CALL("np.sinh($0)"),
    [OP_COSH] = CALL("np.cosh($0)"),
    [OP_TANH] = CALL("np.tanh($0)"),
    [OP_ASINH] = CALL("np.arcsinh($0)"),
    [OP_ACOSH] = CALL("np.arccosh($0)"),
    [OP_ATANH] = CALL("np.arctanh($0)"),
    [OP_GAMMA] = CALL("special.gamma($0)"),
    [OP_LGAMMA] = CALL("special.gammaln($0)"),
    [OP_DIGAMMA] = CALL("special.digamma($0)"),
    [OP_TRIGAMMA] = CALL("special.polygamma(1, $0)"),
    [OP_TETRAGAMMA] = CALL("special.polygamma(2, $0)"),
    [OP_POLYGAMMA] = CALL("special.polygamma($0, $1)"),
    [OP_ERF] = CALL("special.erf($0)"),
    [OP_ERFC] = CALL("special.erfc($0)"),
    [OP_LERP] = {"$0 + ($1 - $0) * $2", BINDS_ADD, BINDS_ADD, BINDS_NEG},
    [OP_MAD] = {"$0 * $1 + $2", BINDS_ADD, BINDS_MUL, BINDS_NEG},
    [OP_FMA] = {"$0 * $1 + $2", BINDS_ADD, BINDS_MUL, BINDS_NEG},
    [OP_COPYSIGN] = CALL("np.copysign($0, $1)"),
    [OP_NEXTAFTER] = CALL("np.nextafter($0, $1)"),
    [OP_LDEXP] = CALL("np.ldexp($0, $1)"),
};

static const OpRow *row_of(Formulas *f, Op op, Prim prim) {
  const OpRow *row = prim_is_float(prim) ? &floats[op] : prim == PRIM_BOOL ? &bools[op] : NULL;
  if (!row || !row->text) row = &all[op];
  if (!row->text) formula_refuse(f, "the operation %s, which NumPy lacks", op_info[op].name);
  if (op == OP_POWZ) f->helps |= 1u << HELP_POWZ;
  if (strncmp(row->text, "special", 7) == 0) f->helps |= 1u << HELP_SPECIAL;
  return row;
}

// ---- operands
static const char *float_text(Formulas *f, double x) {
  if (isnan(x)) return "np.nan";
  if (isinf(x)) return x < 0 ? "-np.inf" : "np.inf";
  const char *text = NULL;
  for (int digits = 1; digits <= 17; digits++) {
    text = arena_printf(f->arena, "%.*g", digits, x);
    if (strtod(text, NULL) == x) break;
  }
  return strpbrk(text, ".e") ? text : arena_printf(f->arena, "%s.0", text);
}

static Formula constant(Formulas *f, Scalar s) {
  const char *text = prim_is_float(s.prim) ? float_text(f, s.f)
                     : s.prim == PRIM_BOOL ? (s.i ? "True" : "False")
                                           : arena_printf(f->arena, "%lld", (long long)s.i);
  return (Formula){.text = text, .binds = *text == '-' ? BINDS_NEG : BINDS_ATOM, .constant = true};
}

Formula formula_of(Formulas *f, Atom a) {
  if (!a.is_var) return constant(f, a.value);
  const Formula *nested = map_get(f->nested, a.var.id);
  return nested ? *nested : (Formula){.text = formula_name(f, a.var), .binds = BINDS_ATOM};
}

static const char *at_least(Formulas *f, Formula x, Binds least) {
  return x.binds >= least ? x.text : arena_printf(f->arena, "(%s)", x.text);
}

const char *formula_text(Formulas *f, Atom a, Binds least) {
  return at_least(f, formula_of(f, a), least);
}

static const char *filled(Formulas *f, const OpRow *row, const Formula *args) {
  Text text = {0};
  for (const char *c = row->text; *c; c++) {
    if (*c != '$') {
      text_putc(&text, *c);
      continue;
    }
    int k = *++c - '0';
    text_puts(&text, at_least(f, args[k], k ? row->right : row->left));
  }
  const char *out = arena_strdup(f->arena, text.at);
  text_free(&text);
  return out;
}

// d * guard (d, p, p); a guard stands where its only use is.
static const char *product(Formulas *f, const Formula *args) {
  const Formula *by = &args[1];
  if (!by->guard_by || strcmp(by->guard_by, args[0].text) != 0) return NULL;
  f->helps |= 1u << HELP_TIMES;
  f->guards--;
  return arena_printf(f->arena, "times(%s, %s)", args[0].text, by->guarded);
}

static Formula guard(Formulas *f, const Formula *args, bool partial) {
  if (f->plain) return args[2];
  Formula out = {.partial = partial, .binds = BINDS_ATOM};
  out.text = arena_printf(f->arena, "guard(%s, %s, %s)", args[0].text, args[1].text, args[2].text);
  if (strcmp(args[1].text, args[2].text) == 0)
    out.guard_by = args[0].text, out.guarded = args[1].text;
  f->guards++;
  return out;
}

Formula formula_operation(Formulas *f, Op op, Prim prim, const Formula *args, int rank) {
  Formula out = {.partial = rank > 0};
  for (int i = 0; i < op_info[op].arity; i++) out.partial = out.partial && args[i].partial;
  if (op == OP_GUARD) return guard(f, args, out.partial);
  const OpRow *row = row_of(f, op, prim);
  const char *safe = op == OP_MUL ? product(f, args) : NULL;
  out.text = safe ? safe : filled(f, row, args);
  out.binds = safe ? BINDS_ATOM : row->binds;
  return out;
}

Formula formula_conv(Formulas *f, Prim to, Formula x) {
  const char *name = to == PRIM_BOOL ? "bool_" : prim_info[to].name;
  static const char *const numpy[PRIM_COUNT] = {
      [PRIM_I8] = "int8",     [PRIM_I16] = "int16",   [PRIM_I32] = "int32",
      [PRIM_I64] = "int64",   [PRIM_U8] = "uint8",    [PRIM_U16] = "uint16",
      [PRIM_U32] = "uint32",  [PRIM_U64] = "uint64",  [PRIM_F16] = "float16",
      [PRIM_F32] = "float32", [PRIM_F64] = "float64", [PRIM_BOOL] = "bool_"};
  if (numpy[to]) name = numpy[to];
  return (Formula){.text = arena_printf(f->arena, "np.%s(%s)", name, x.text),
                   .binds = BINDS_ATOM, .partial = x.partial};
}

// ---- operators: every statement stands where its result is used
static Formula lambda_exp(Formulas *f, const Stm *stm) {
  const Exp *e = &stm->exp;
  if (e->form == FORM_ATOM) return formula_of(f, e->atom.arg);
  if (e->form == FORM_CONV) return formula_conv(f, e->conv.to, formula_of(f, e->conv.arg));
  if (e->form != FORM_PRIM)
    formula_refuse(f, "an operator that is more than operations on scalars");
  Formula args[3];
  for (int i = 0; i < e->prim.args.len; i++) args[i] = formula_of(f, e->prim.args.at[i]);
  return formula_operation(f, e->prim.op, e->prim.prim, args, 0);
}

const char *formula_operator(Formulas *f, const Lambda *fn) {
  Text text = {0};
  text_puts(&text, "lambda ");
  for (int i = 0; i < fn->params.len; i++)
    text_printf(&text, i ? ", %s" : "%s", formula_name(f, fn->params.at[i]));
  for (int i = 0; i < fn->body.stms.len; i++) {
    Formula x = lambda_exp(f, &fn->body.stms.at[i]);
    map_put(f->nested, fn->body.stms.at[i].bound.at[0].id, arena_copy(f->arena, &x, sizeof x));
  }
  text_puts(&text, ": (");
  for (int i = 0; i < fn->body.results.len; i++)
    text_printf(&text, "%s, ", formula_text(f, fn->body.results.at[i], BINDS_LAMBDA));
  text_puts(&text, ")");
  const char *out = arena_strdup(f->arena, text.at);
  text_free(&text);
  return out;
}
