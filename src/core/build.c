// Builders: appending statements, folding constants and trivial identities on the way, so that
// passes need not clean up after themselves.
#include "core.h"
#include <string.h>

Builder builder_new(Prog *prog, Stms *stms) { return (Builder){.prog = prog, .stms = stms}; }

void build_stm(Builder *b, Stm stm) { list_push(b->prog->arena, b->stms, stm); }

static const char *hint_of(const char *hint, const Exp *exp) {
  if (hint) return hint;
  return exp->form == FORM_PRIM ? op_info[exp->prim.op].name : form_info[exp->form].keyword;
}

Atom build(Builder *b, const char *hint, Type type, Exp exp) {
  Stm stm = {.exp = exp, .attrs = b->attrs, .loc = b->loc};
  type.unique = false;
  Var v = var_new(b->prog, hint_of(hint, &exp), type);
  list_push(b->prog->arena, &stm.bound, v);
  build_stm(b, stm);
  return atom_var(v);
}

Vars build_many(Builder *b, const char *hint, Types types, Exp exp) {
  Stm stm = {.exp = exp, .attrs = b->attrs, .loc = b->loc};
  for (int i = 0; i < types.len; i++) {
    Type type = types.at[i];
    type.unique = false;
    list_push(b->prog->arena, &stm.bound, var_new(b->prog, hint_of(hint, &exp), type));
  }
  build_stm(b, stm);
  return stm.bound;
}

static Atom emit_op(Builder *b, Op op, Prim p, int n, const Atom *args) {
  Scalar values[3], out;
  bool constant = true;
  for (int i = 0; i < n; i++) {
    if (args[i].is_var) constant = false;
    else values[i] = args[i].value;
  }
  if (constant && op_eval(op, p, values, &out)) return atom_scalar(out);
  Exp exp = {.form = FORM_PRIM,
             .prim = {.op = op, .prim = p, .args = {0}}};
  exp.prim.args.at = arena_copy(b->prog->arena, args, sizeof *args * (size_t)n);
  exp.prim.args.len = exp.prim.args.cap = n;
  return build(b, op_info[op].name, type_scalar(op_result(op, p)), exp);
}

// Identities that hold at every type; for floats up to the sign of zero in x + 0.
static bool fold_unit(Op op, Prim p, Atom x, Atom y, Atom *out) {
  bool is_bool = p == PRIM_BOOL;
  switch ((int)op) {
    case OP_ADD:
      if (atom_is(x, 0)) return *out = y, true;
      if (atom_is(y, 0)) return *out = x, true;
      return false;
    case OP_SUB: case OP_SHL: case OP_SHR: case OP_LSHR:
      return atom_is(y, 0) ? (*out = x, true) : false;
    case OP_MUL:
      if (atom_is(x, 1)) return *out = y, true;
      if (atom_is(y, 1)) return *out = x, true;
      if (prim_is_float(p) || !(atom_is(x, 0) || atom_is(y, 0))) return false;
      return *out = atom_number(p, 0), true;
    case OP_DIV: case OP_QUOT: case OP_POW:
      return atom_is(y, 1) ? (*out = x, true) : false;
    case OP_OR: case OP_XOR:
      if (atom_is(x, 0)) return *out = y, true;
      if (atom_is(y, 0)) return *out = x, true;
      if (op == OP_XOR || !is_bool || !(atom_is(x, 1) || atom_is(y, 1))) return false;
      return *out = atom_bool(true), true;
    case OP_AND:
      if (atom_is(x, 0) || atom_is(y, 0)) return *out = atom_number(p, 0), true;
      if (is_bool && atom_is(x, 1)) return *out = y, true;
      if (is_bool && atom_is(y, 1)) return *out = x, true;
      return false;
  }
  return false;
}

// x op x.
static bool fold_equal(Op op, Prim p, Atom x, Atom *out) {
  switch ((int)op) {
    case OP_MIN: case OP_MAX: case OP_AND: case OP_OR: return *out = x, true;
    case OP_SUB: case OP_XOR:
      return prim_is_float(p) ? false : (*out = atom_number(p, 0), true);
    case OP_EQ: case OP_LE: return prim_is_float(p) ? false : (*out = atom_bool(true), true);
    case OP_NE: case OP_LT: return prim_is_float(p) ? false : (*out = atom_bool(false), true);
  }
  return false;
}

bool fold_op(Op op, Prim p, Atom x, Atom y, Atom *out) {
  return op_info[op].args == ARGS_SAME &&
         (fold_unit(op, p, x, y, out) || (atom_same(x, y) && fold_equal(op, p, x, out)));
}

// While operators are left, x & x is not x, of which a derivative may be taken: bits have none.
static bool may_fold(const Builder *b, Op op, Prim p, Atom to) {
  return !to.is_var || !op_is_logic(op) || p == PRIM_BOOL || b->prog->level == LEVEL_AD_FREE;
}

Atom build_op(Builder *b, Op op, Atom x, Atom y) {
  Prim p = atom_type(b->prog, x).prim;
  Atom out;
  if (fold_op(op, p, x, y, &out) && may_fold(b, op, p, out)) return out;
  return emit_op(b, op, p, 2, (Atom[]){x, y});
}

Atom build_op1(Builder *b, Op op, Atom x) {
  return emit_op(b, op, atom_type(b->prog, x).prim, 1, &x);
}

Atom build_op3(Builder *b, Op op, Atom x, Atom y, Atom z) {
  if (op == OP_SELECT) return build_select(b, x, y, z);
  return emit_op(b, op, atom_type(b->prog, x).prim, 3, (Atom[]){x, y, z});
}

Atom build_select(Builder *b, Atom c, Atom x, Atom y) {
  if (!c.is_var) return c.value.i ? x : y;
  if (atom_same(x, y)) return x;
  Prim p = atom_type(b->prog, x).prim;
  if (p == PRIM_BOOL && atom_is(x, 1) && atom_is(y, 0)) return c;
  return emit_op(b, OP_SELECT, p, 3, (Atom[]){c, x, y});
}

Atom build_conv(Builder *b, Prim to, Atom x) {
  if (atom_type(b->prog, x).prim == to) return x;
  if (!x.is_var) return atom_scalar(scalar_convert(to, x.value));
  return build(b, NULL, type_scalar(to), (Exp){.form = FORM_CONV, .conv = {.to = to, .arg = x}});
}

Atom build_term(Builder *b, const Term *term, Prim p, const Atom *args, Atom result) {
  if (!term) return atom_number(p, 0);
  switch (term->kind) {
    case TERM_A: return args[0];
    case TERM_B: return args[1];
    case TERM_C: return args[2];
    case TERM_R: return result;
    case TERM_CONST: return atom_number(p, term->value);
    case TERM_OP: break;
  }
  int arity = op_info[term->op].arity;
  Atom x = build_term(b, term->x, p, args, result);
  if (arity == 1) return build_op1(b, term->op, x);
  Atom y = build_term(b, term->y, p, args, result);
  if (arity == 2) return build_op(b, term->op, x, y);
  return build_op3(b, term->op, x, y, build_term(b, term->z, p, args, result));
}
