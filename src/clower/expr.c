// Expressions without effects.  A truth value stays a bool until a number is wanted; sums, products
// and differences that are indices are computed as i64, which is exact for signed integers (their
// overflow is undefined) and modulo 2^64 for unsigned long.
#include "local.h"

Atom in_register(Lower *l, const CExpr *e) {
  return as_prim(l, scalar(l, e), register_prim(l, e->type, e->at));
}

static bool is_index_op(const CExpr *e) {
  if (e->tag != CE_BINARY) return false;
  bool op = e->op == COP_ADD || e->op == COP_SUB || e->op == COP_MUL;
  return op && (ctype_is_signed(e->type) || ctype_size(e->type) == 8);
}

static bool is_widening(const CExpr *e) {
  if (e->tag != CE_CONVERT && e->tag != CE_CAST) return false;
  if (!ctype_is_integer(e->type) || !ctype_is_integer(e->x->type)) return false;
  return ctype_size(e->type) == 8 && e->type->tag != CTYPE_BOOL && e->x->type->tag != CTYPE_BOOL;
}

static Op arithmetic_op(COp op);

Atom index_value(Lower *l, const CExpr *e) {
  int64_t v;
  if (cexpr_integer(e, &v)) return atom_i64(v);
  if (is_widening(e)) return index_value(l, e->x);
  if (is_index_op(e) && ctype_is_integer(e->x->type))
    return build_op(&l->b, arithmetic_op(e->op), index_value(l, e->x), index_value(l, e->y));
  return as_prim(l, scalar(l, e), PRIM_I64);
}

bool ptr_is_null(const Ptr *p) { return p->obj == NO_OBJECT || p->obj == LOOP_NULL; }

Ptr ptr_tested(Lower *l, Ptr p, Span at) {
  if (p.obj == OPAQUE_OBJECT || p.obj == DEAD_OBJECT || (p.obj == SEVERAL_OBJECTS && !p.several))
    lower_gap(l, at, "[c-points-to] Whether this pointer is null is not known here.");
  if (p.obj != LOOP_NULL) return p;
  l->null_tested = true;
  p.obj = NO_OBJECT;
  return p;
}

Atom truth_of(Lower *l, const CExpr *e) {
  if (ctype_is_pointer(e->type)) {
    Ptr p = ptr_tested(l, pointer_of(l, e), e->at);
    return p.nullable ? build_op1(&l->b, OP_NOT, p.null) : atom_bool(p.obj != NO_OBJECT);
  }
  Atom x = scalar(l, e);
  Prim p = atom_type(l->prog, x).prim;
  return p == PRIM_BOOL ? x : build_op(&l->b, OP_NE, x, atom_number(p, 0));
}

Cell cell_of(Lower *l, const CExpr *e) {
  if (ctype_is_pointer(e->type)) return cell_ptr(pointer_of(l, e));
  return cell_atom(scalar(l, e));
}

// ---- operators ----------------------------------------------------------------------------------
static Op arithmetic_op(COp op) {
  switch ((int)op) {
    case COP_MUL: return OP_MUL;
    case COP_ADD: return OP_ADD;
    case COP_SUB: return OP_SUB;
    case COP_AND: return OP_AND;
    case COP_OR: return OP_OR;
    case COP_XOR: return OP_XOR;
    case COP_REM: return OP_REM;
    default: return OP_DIV;
  }
}

static Atom compared(Lower *l, COp op, Atom x, Atom y) {
  switch ((int)op) {
    case COP_LT: return build_op(&l->b, OP_LT, x, y);
    case COP_GT: return build_op(&l->b, OP_LT, y, x);
    case COP_LE: return build_op(&l->b, OP_LE, x, y);
    case COP_GE: return build_op(&l->b, OP_LE, y, x);
    case COP_EQ: return build_op(&l->b, OP_EQ, x, y);
    default: return build_op(&l->b, OP_NE, x, y);
  }
}

static Atom pointers_compared(Lower *l, const CExpr *e) {
  Ptr x = pointer_of(l, e->x), y = pointer_of(l, e->y);
  bool equality = e->op == COP_EQ || e->op == COP_NE;
  if (ptr_is_null(&x)) y = ptr_tested(l, y, e->at), x = ptr_tested(l, x, e->at);
  if (ptr_is_null(&y)) x = ptr_tested(l, x, e->at), y = ptr_tested(l, y, e->at);
  bool null = x.obj == NO_OBJECT || y.obj == NO_OBJECT;
  if (null && equality && (x.nullable || y.nullable)) {
    Atom is = x.nullable ? x.null : y.null;
    return e->op == COP_EQ ? is : build_op1(&l->b, OP_NOT, is);
  }
  if (x.nullable || y.nullable)
    lower_gap(l, e->at, "[c-pointer-compare] A pointer that may be null is compared: test for null "
              "first, and compare a copy that is never null.");
  if (null && equality) return atom_bool((x.obj == y.obj) == (e->op == COP_EQ));
  if (x.obj < 0 || x.obj != y.obj || x.leaf != y.leaf)
    lower_gap(l, e->at, "[c-pointer-compare] Pointers to different objects are compared.");
  return compared(l, e->op, x.at, y.at);
}

static Atom comparison(Lower *l, const CExpr *e) {
  if (ctype_is_pointer(e->x->type)) return pointers_compared(l, e);
  Atom x = scalar(l, e->x), y = scalar(l, e->y);
  bool truth = atom_type(l->prog, x).prim == PRIM_BOOL && !y.is_var && atom_is(y, 0);
  if (truth && e->op == COP_NE) return x;
  if (truth && e->op == COP_EQ) return build_op1(&l->b, OP_NOT, x);
  Prim p = register_prim(l, e->x->type, e->at);
  return compared(l, e->op, as_prim(l, x, p), as_prim(l, y, p));
}

// Shifts of int leave what 32 bits hold.
static Atom shifted(Lower *l, const CExpr *e, Atom x) {
  Prim p = atom_type(l->prog, x).prim;
  Atom by = as_prim(l, in_register(l, e->y), p);
  if (e->op == COP_SHR) return build_op(&l->b, prim_is_signed(p) ? OP_SHR : OP_LSHR, x, by);
  return convert(l, build_op(&l->b, OP_SHL, x, by), e->type, e->at);
}

static Atom pointer_difference(Lower *l, const CExpr *e) {
  Ptr x = pointer_of(l, e->x), y = pointer_of(l, e->y);
  if (x.obj < 0 || x.obj != y.obj || x.leaf != y.leaf)
    lower_gap(l, e->at, "[c-pointer-compare] The difference of pointers to different objects.");
  return build_op(&l->b, OP_SUB, x.at, y.at);
}

static Atom arithmetic(Lower *l, const CExpr *e) {
  if (ctype_is_pointer(e->x->type)) return pointer_difference(l, e);
  Atom x = in_register(l, e->x);
  if (e->op == COP_SHL || e->op == COP_SHR) return shifted(l, e, x);
  Prim p = atom_type(l->prog, x).prim;
  Atom y = in_register(l, e->y);
  Op op = arithmetic_op(e->op);
  if (op == OP_DIV && prim_is_int(p)) op = OP_QUOT;
  return build_op(&l->b, op, x, y);
}

// ---- choices ------------------------------------------------------------------------------------
static bool is_plain(const CExpr *e) {
  double number;
  e = cexpr_bare(e);
  bool var = e->tag == CE_VAR && ctype_is_arithmetic(e->type);
  return var || cexpr_number(e, &number);
}

static bool fails_never(const CExpr *e) {
  if (is_plain(e)) return true;
  if (e->tag == CE_CONVERT || e->tag == CE_CAST)
    return ctype_is_arithmetic(e->x->type) && fails_never(e->x);
  if (e->tag == CE_UNARY && e->op == COP_NOT) return fails_never(e->x);
  bool whole = e->op == COP_DIV || e->op == COP_REM || e->op == COP_SHL || e->op == COP_SHR;
  return e->tag == CE_BINARY && !whole && !ctype_is_pointer(e->x->type) && fails_never(e->x) &&
         fails_never(e->y);
}

static void truth_arm(Lower *l, const void *what, Cell *value) {
  *value = cell_atom(truth_of(l, what));
}

static void constant_arm(Lower *l, const void *what, Cell *value) {
  (void)l;
  *value = cell_atom(atom_bool(what != NULL));
}

static Atom logic(Lower *l, const CExpr *e) {
  bool both = e->op == COP_ANDAND;
  Atom x = truth_of(l, e->x);
  if (!x.is_var) return (x.value.i != 0) == both ? truth_of(l, e->y) : x;
  if (fails_never(e->y)) return build_op(&l->b, both ? OP_AND : OP_OR, x, truth_of(l, e->y));
  Arm more = arm_lower(l, truth_arm, e->y);
  Arm done = arm_lower(l, constant_arm, both ? NULL : e);
  return arms_join(l, x, both ? &more : &done, both ? &done : &more).atom;
}

typedef struct {
  const CExpr *e;
  const CType *type;
} Choice;

static void choice_arm(Lower *l, const void *what, Cell *value) {
  const Choice *c = what;
  *value = cell_atom(as_prim(l, scalar(l, c->e), register_prim(l, c->type, c->e->at)));
}

static Atom chosen(Lower *l, const CExpr *e) {
  Atom c = truth_of(l, e->x);
  if (!c.is_var) return in_register(l, c.value.i ? e->y : e->z);
  if (is_plain(e->y) && is_plain(e->z))
    return build_select(&l->b, c, in_register(l, e->y), in_register(l, e->z));
  Arm yes = arm_lower(l, choice_arm, &(Choice){e->y, e->type});
  Arm no = arm_lower(l, choice_arm, &(Choice){e->z, e->type});
  return arms_join(l, c, &yes, &no).atom;
}

// ---- all ----------------------------------------------------------------------------------------
static Atom unary(Lower *l, const CExpr *e) {
  switch ((int)e->op) {
    case COP_NEG: {
      Atom x = in_register(l, e->x);
      Prim p = atom_type(l->prog, x).prim;
      if (!x.is_var && prim_is_float(p)) return atom_scalar(scalar_float(p, -x.value.f));
      return prim_is_float(p) ? build_op1(&l->b, OP_NEG, x)
                              : build_op(&l->b, OP_SUB, atom_number(p, 0), x);
    }
    case COP_PLUS: return in_register(l, e->x);
    case COP_NOT: return build_op1(&l->b, OP_NOT, truth_of(l, e->x));
    case COP_COMPL: return build_op1(&l->b, OP_NOT, in_register(l, e->x));
    default: return load(l, place_of(l, e), e->at).atom;
  }
}

static Atom binary(Lower *l, const CExpr *e) {
  if (e->op == COP_ANDAND || e->op == COP_OROR) return logic(l, e);
  return cop_compares(e->op) ? comparison(l, e) : arithmetic(l, e);
}

// The lengths of a variable are those of its declaration.
static Atom size_of(Lower *l, const CExpr *e) {
  const CType *t = e->measured;
  int64_t size = ctype_size(t);
  if (size >= 0) return atom_scalar(scalar_int(PRIM_U64, size));
  if (t->tag != CTYPE_ARRAY || (t->count < 0 && !t->length))
    lower_gap(l, e->at, "[c-unsupported] sizeof of an array whose length is not known here.");
  Atom n = atom_i64(1);
  for (; t->tag == CTYPE_ARRAY; t = t->base)
    n = build_op(&l->b, OP_MUL, n, array_length(l, t));
  return as_prim(l, build_op(&l->b, OP_MUL, n, atom_i64(ctype_size(t))), PRIM_U64);
}

// (double)1.7e308L: a literal of a header.
static bool long_literal(const CExpr *e, double *number) {
  const CExpr *of = e->x;
  while (of->tag == CE_UNARY && (of->op == COP_NEG || of->op == COP_PLUS)) of = of->x;
  bool is = of->tag == CE_FLOAT && of->type->tag == CTYPE_LDOUBLE;
  return is && e->type->tag != CTYPE_LDOUBLE && cexpr_number(e, number);
}

static Atom converted(Lower *l, const CExpr *e) {
  double number;
  if (ctype_is_pointer(e->x->type)) lower_gap(l, e->at, "[c-punning] A number made of a pointer.");
  if (long_literal(e, &number))
    return atom_scalar(scalar_number(register_prim(l, e->type, e->at), number));
  return convert(l, scalar(l, e->x), e->type, e->at);
}

Atom scalar(Lower *l, const CExpr *e) {
  switch (e->tag) {
    case CE_INT: return atom_scalar(scalar_int(register_prim(l, e->type, e->at), e->value));
    case CE_FLOAT: return atom_scalar(scalar_float(register_prim(l, e->type, e->at), e->number));
    case CE_VAR: case CE_INDEX: case CE_MEMBER: return load(l, place_of(l, e), e->at).atom;
    case CE_UNARY: return unary(l, e);
    case CE_BINARY: return binary(l, e);
    case CE_COND: return chosen(l, e);
    case CE_CALL: return library_call(l, e);
    case CE_CAST: case CE_CONVERT: return converted(l, e);
    case CE_SIZEOF: return size_of(l, e);
    case CE_COMMA: return scalar(l, e->y);
    case CE_STRING: case CE_FUNCTION: case CE_ASSIGN: case CE_STEP: case CE_LIST: case CE_COMPOUND:
      break;
  }
  lower_gap(l, e->at, "[c-unsupported] This expression is not supported through core.");
}
