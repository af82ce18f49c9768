// Scalars and forms that make or move arrays, as source expressions.
#include "local.h"
#include <string.h>

// ---- scalars
static void put_args(Writer *s, Atoms args) {
  for (int i = 0; i < args.len; i++) {
    put(s, " ");
    put_atom(s, args.at[i]);
  }
}

static void call(Writer *s, const char *module, const char *name, Atoms args) {
  put(s, "%s.%s", module, name);
  put_args(s, args);
}

static void put_select(Writer *s, const struct prim_form *e) {
  put(s, "if ");
  put_open(s, e->args.at[0]);
  put(s, " then ");
  put_open(s, e->args.at[1]);
  put(s, " else ");
  put_open(s, e->args.at[2]);
}

static const char *infix_of(Op op, bool is_bool) {
  switch ((int)op) {
    case OP_ADD: return is_bool ? "||" : "+";
    case OP_SUB: return "-";
    case OP_MUL: return is_bool ? "&&" : "*";
    case OP_DIV: return "/";
    case OP_MOD: return "%";
    case OP_QUOT: return "//";
    case OP_REM: return "%%";
    case OP_POW: return "**";
    case OP_AND: return is_bool ? "&&" : "&";
    case OP_OR: return is_bool ? "||" : "|";
    case OP_XOR: return is_bool ? "!=" : "^";
    case OP_MIN: return is_bool ? "&&" : NULL;
    case OP_MAX: return is_bool ? "||" : NULL;
    case OP_SHL: return "<<";
    case OP_SHR: return ">>";
    case OP_LSHR: return ">>>";
    case OP_EQ: return "==";
    case OP_NE: return "!=";
    case OP_LT: return "<";
    case OP_LE: return "<=";
  }
  return NULL;
}

// The grammar's levels of infix operators; 0 for what extends as far as it can.
enum { LEVEL_OPEN = 0, LEVEL_COMPARISON = 3, LEVEL_SUM = 6, LEVEL_POWER = 8, LEVEL_CALL = 9,
       LEVEL_ELEMENT = 10 };

static int infix_level(const char *infix) {
  static const struct {
    const char *infix;
    int level;
  } levels[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<", 3}, {"<=", 3}, {"&", 4},
                {"|", 4},  {"^", 4},  {"<<", 5}, {">>", 5}, {">>>", 5}, {"+", 6}, {"-", 6},
                {"*", 7},  {"/", 7},  {"%", 7},  {"//", 7}, {"%%", 7}, {"**", 8}};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    if (strcmp(levels[i].infix, infix) == 0) return levels[i].level;
  ice("no operator %s", infix);
}

int source_level(const Exp *exp) {
  if (exp->form == FORM_INDEX) return LEVEL_ELEMENT;
  if (exp->form != FORM_PRIM) return LEVEL_CALL;
  const char *infix = infix_of(exp->prim.op, exp->prim.prim == PRIM_BOOL);
  if (infix) return infix_level(infix);
  switch ((int)exp->prim.op) {
    case OP_NEG: case OP_NOT: case OP_SELECT: case OP_POWZ: return LEVEL_OPEN;
    case OP_EXP2: case OP_EXP10: return LEVEL_POWER;
    case OP_EXPM1: return LEVEL_SUM;
  }
  return LEVEL_CALL;
}

bool source_nests(Op op) { return op != OP_FROM_BITS; }

// d * guard d p p: the guarded factor's place among the operands, or -1.
static int guarded_factor(Writer *s, const struct prim_form *e) {
  for (int i = 0; i < 2; i++) {
    const Stm *stm = nested_stm(s, e->args.at[i]);
    if (!stm || stm->exp.form != FORM_PRIM || stm->exp.prim.op != OP_GUARD) continue;
    Atoms args = stm->exp.prim.args;
    if (atom_same(args.at[0], e->args.at[1 - i]) && atom_same(args.at[1], args.at[2])) return i;
  }
  return -1;
}

static bool put_guarded(Writer *s, const struct prim_form *e) {
  int i = e->op == OP_MUL ? guarded_factor(s, e) : -1;
  if (i < 0) return false;
  s->front->products |= 1u << e->prim;
  put(s, "times_%s ", prim_info[e->prim].name);
  put_atom(s, e->args.at[1 - i]);
  put(s, " ");
  put_atom(s, nested_stm(s, e->args.at[i])->exp.prim.args.at[1]);
  return true;
}

// To the left: comparisons do not chain.
static void binary(Writer *s, const struct prim_form *e, const char *infix) {
  int level = infix_level(infix);
  put_operand(s, e->args.at[0], level == LEVEL_COMPARISON ? level + 1 : level);
  put(s, " %s ", infix);
  put_operand(s, e->args.at[1], level + 1);
}

//   if a == 0 && b < 0 then 0 else a ** b
static void put_powz(Writer *s, const struct prim_form *e) {
  const char *t = prim_info[e->prim].name;
  put(s, "if ");
  put_operand(s, e->args.at[0], LEVEL_COMPARISON + 1);
  put(s, " == 0%s && ", t);
  put_operand(s, e->args.at[1], LEVEL_COMPARISON + 1);
  put(s, " < 0%s then 0%s else ", t, t);
  binary(s, e, "**");
}

// Operations that only derivatives and the optimiser make.
static bool put_nameless(Writer *s, const struct prim_form *e) {
  const char *t = prim_info[e->prim].name;
  switch ((int)e->op) {
    case OP_NEG: case OP_NOT:
      put(s, e->op == OP_NEG ? "-" : "!");
      put_atom(s, e->args.at[0]);
      return true;
    case OP_SELECT: put_select(s, e); return true;
    case OP_EXP2: case OP_EXP10:
      put(s, "%s%s ** ", e->op == OP_EXP2 ? "2" : "10", t);
      put_atom(s, e->args.at[0]);
      return true;
    case OP_EXPM1: call(s, t, "exp", e->args), put(s, " - 1%s", t); return true;
    case OP_POWZ: put_powz(s, e); return true;
    case OP_GUARD:
      s->front->guards |= 1u << e->prim;
      put(s, "guard_%s", t);
      put_args(s, e->args);
      return true;
    case OP_BLOCK_BYTES: case OP_WITHIN_BLOCK: put_atom(s, e->args.at[0]); return true;
    case OP_DIGAMMA: case OP_TRIGAMMA: case OP_TETRAGAMMA: case OP_POLYGAMMA:
      s->front->special |= 1u << e->prim;
      call(s, arena_printf(s->arena, "special_%s", t), op_info[e->op].name, e->args);
      return true;
    case OP_FROM_BITS: {
      Prim to = op_result(e->op, e->prim);
      const char *bits = to == PRIM_F16 ? "u16" : to == PRIM_F32 ? "u32" : "u64";
      put(s, "%s.from_bits (%s.%s ", prim_info[to].name, bits, t);
      put_atom(s, e->args.at[0]);
      put(s, ")");
      return true;
    }
  }
  return false;
}

void put_prim(Writer *s, const struct prim_form *e) {
  if (put_guarded(s, e)) return;
  const char *infix = infix_of(e->op, e->prim == PRIM_BOOL);
  if (infix) binary(s, e, infix);
  else if (!put_nameless(s, e)) call(s, prim_info[e->prim].name, op_info[e->op].name, e->args);
}

void put_conv(Writer *s, const struct conv_form *e) {
  Prim from = atom_type(s->prog, e->arg).prim;
  put(s, "%s.%s ", prim_info[e->to].name, prim_info[from].name);
  put_atom(s, e->arg);
}

// ---- indexing
static void put_place(Writer *s, Atom a) {
  if (a.is_var) put_open(s, a);
  else put_size(s, a);
}

static void put_fixed(Writer *s, const Slice *slice, const char *const *inner) {
  put(s, "[");
  for (int d = 0; d < slice->len; d++) {
    const SliceDim *dim = &slice->at[d];
    if (d) put(s, ", ");
    if (dim->is_fix) {
      put_place(s, dim->start);
    } else {
      if (!atom_is(dim->start, 0)) put_size(s, dim->start), put(s, " + ");
      put(s, "%s * ", inner[d]);
      put_size(s, dim->stride);
    }
  }
  put(s, "]");
}

static bool is_unit_range(const SliceDim *dim) { return !dim->is_fix && atom_is(dim->stride, 1); }

static void put_ranges(Writer *s, const Slice *slice) {
  put(s, "[");
  for (int d = 0; d < slice->len; d++) {
    const SliceDim *dim = &slice->at[d];
    if (d) put(s, ", ");
    put_place(s, dim->start);
    if (dim->is_fix) continue;
    put(s, ":");
    if (!atom_is(dim->start, 0)) put_size(s, dim->start), put(s, " + ");
    put_size(s, dim->count);
  }
  put(s, "]");
}

// Ranges with other strides are tabulated.
static void put_index(Writer *s, const Stm *stm) {
  const struct index_form *e = &stm->exp.index;
  bool ranges = false, plain = true;
  const char *inner[16] = {0};
  for (int d = 0; d < e->slice.len; d++) {
    ranges = ranges || !e->slice.at[d].is_fix;
    plain = plain && (e->slice.at[d].is_fix || is_unit_range(&e->slice.at[d]));
  }
  if (plain) {
    put_atom(s, e->array);
    put_ranges(s, &e->slice);
    if (ranges) put(s, " :> "), put_type(s, var_type(s->prog, stm->bound.at[0]));
    return;
  }
  int open = 0;
  for (int d = 0; d < e->slice.len; d++) {
    if (e->slice.at[d].is_fix) continue;
    inner[d] = source_fresh(s, "i");
    put(s, open++ ? "(tabulate " : "tabulate ");
    put_size(s, e->slice.at[d].count);
    put(s, " (\\%s -> ", inner[d]);
  }
  put_atom(s, e->array);
  put_fixed(s, &e->slice, inner);
  for (int i = 0; i < 2 * open - 1; i++) put(s, ")");
}

// loop x = x for i < n do loop x for j < m do x with [..i.., ..j..] = v[i, j]; `counts` says how
// many in each dimension of v, `put_place` prints the index.
static void put_scattered(Writer *s, Atom array, Atoms counts, Atom value,
                          void (*put_at)(Writer *s, const Stm *stm, const char *const *inner),
                          const Stm *stm) {
  const char *x = source_fresh(s, "x"), *inner[16];
  put(s, "loop %s = ", x);
  put_owned(s, array);
  for (int d = 0; d < counts.len; d++) {
    if (d) put(s, "loop %s", x);
    put(s, " for %s < ", inner[d] = source_fresh(s, "i"));
    put_atom(s, counts.at[d]);
    put(s, " do ");
  }
  put(s, "%s with ", x);
  put_at(s, stm, inner);
  put(s, " = ");
  put_atom(s, value);
  for (int d = 0; d < counts.len; d++) put(s, d ? ", %s" : "[%s", inner[d]);
  put(s, "]");
}

static void put_strided_place(Writer *s, const Stm *stm, const char *const *inner) {
  const char *all[16] = {0};
  const Slice *slice = &stm->exp.update.slice;
  for (int d = 0, k = 0; d < slice->len; d++)
    if (!slice->at[d].is_fix) all[d] = inner[k++];
  put_fixed(s, slice, all);
}

// [offset + inner[0] * strides[0] + ..]
static void put_flat_at(Writer *s, Atom offset, Atoms strides, const char *const *inner) {
  put(s, "[");
  put_atom(s, offset);
  for (int d = 0; d < strides.len; d++) {
    put(s, " + %s * ", inner[d]);
    put_atom(s, strides.at[d]);
  }
  put(s, "]");
}

static void put_flat_place(Writer *s, const Stm *stm, const char *const *inner) {
  put_flat_at(s, stm->exp.flatupdate.offset, stm->exp.flatupdate.strides, inner);
}

static void put_flatupdate(Writer *s, const Stm *stm) {
  const struct flatupdate_form *e = &stm->exp.flatupdate;
  Type t = atom_type(s->prog, e->value);
  Atoms counts = atoms_of(s->arena, e->strides.len, t.dims);  // what is left are rows
  put_scattered(s, e->array, counts, e->value, put_flat_place, stm);
}

// x with [s] = v; where a stride is not one, by elements.
static void put_update(Writer *s, const Stm *stm) {
  const struct update_form *e = &stm->exp.update;
  Atoms counts = {0};
  bool plain = true;
  for (int d = 0; d < e->slice.len; d++) {
    if (e->slice.at[d].is_fix) continue;
    plain = plain && is_unit_range(&e->slice.at[d]);
    list_push(s->arena, &counts, e->slice.at[d].count);
  }
  if (!plain) {
    put_scattered(s, e->array, counts, e->value, put_strided_place, stm);
    return;
  }
  put_owned(s, e->array);
  put(s, " with ");
  put_ranges(s, &e->slice);
  put(s, " = ");
  Type have = atom_type(s->prog, e->value), want = have, whole = atom_type(s->prog, e->array);
  for (int d = e->slice.len; d < whole.rank; d++) list_push(s->arena, &counts, whole.dims[d]);
  want.dims = counts.at;
  if (type_same(want, have)) put_open(s, e->value);
  else put_typed(s, e->value, want);
}

static void put_flatindex(Writer *s, const struct flatindex_form *e) {
  const char *inner[16];
  for (int d = 0; d < e->counts.len; d++) {
    inner[d] = source_fresh(s, "i");
    put(s, d ? "(tabulate " : "tabulate ");
    put_size(s, e->counts.at[d]);
    put(s, " (\\%s -> ", inner[d]);
  }
  put_atom(s, e->array);
  put_flat_at(s, e->offset, e->strides, inner);
  for (int i = 0; i < 2 * e->counts.len - 1; i++) put(s, ")");
}

// ---- shapes
// Any array flat: [d1]..[dr]t as [d1*..*dr]t.
static void put_flat(Writer *s, Atom array) {
  int rank = atom_type(s->prog, array).rank;
  for (int d = 1; d < rank; d++) put(s, "flatten (");
  put_atom(s, array);
  for (int d = 1; d < rank; d++) put(s, ")");
}

static void put_product(Writer *s, const Atom *dims, int n) {
  for (int i = 0; i < n; i++) {
    if (i) put(s, " * ");
    put_size(s, dims[i]);
  }
}

// unflatten, from the outermost dimension in: [d1 * (d2..)] to [d1][d2 * ..] and on in a map.
static void put_unflat(Writer *s, Atom array, const Atom *dims, int rank) {
  if (rank == 1) {
    put_flat(s, array);
    put(s, " :> [");
    put_product(s, dims, 1);
    put(s, "]%s", prim_info[atom_type(s->prog, array).prim].name);
    return;
  }
  const char *flat = source_fresh(s, "flat");
  put(s, "let %s = ", flat);
  put_flat(s, array);
  put(s, " in ");
  const char *inner[16];
  for (int d = 0; d < rank; d++) {
    inner[d] = source_fresh(s, "i");
    put(s, d ? "(tabulate " : "tabulate ");
    put_size(s, dims[d]);
    put(s, " (\\%s -> ", inner[d]);
  }
  put(s, "%s[", flat);
  for (int d = 0; d < rank - 1; d++) put(s, "(");
  for (int d = 0; d < rank; d++) {
    if (d) put(s, " * "), put_size(s, dims[d]), put(s, " + ");
    put(s, "%s", inner[d]);
    if (d && d < rank) put(s, ")");
  }
  put(s, "]");
  for (int i = 0; i < 2 * rank - 1; i++) put(s, ")");
}

static void put_reshape(Writer *s, const Stm *stm) {
  const struct reshape_form *e = &stm->exp.reshape;
  if (atom_type(s->prog, e->array).rank == e->dims.len) {
    Type t = atom_type(s->prog, e->array);
    int differ = 0;
    for (int d = 0; d < t.rank; d++) differ += !atom_same(t.dims[d], e->dims.at[d]);
    if (differ <= 1) {
      put_atom(s, e->array);
      put(s, " :> ");
      put_type(s, var_type(s->prog, stm->bound.at[0]));
      return;
    }
  }
  put_unflat(s, e->array, e->dims.at, e->dims.len);
}

static void put_rearrange(Writer *s, const Stm *stm) {
  const struct rearrange_form *e = &stm->exp.rearrange;
  int n = e->perm.len;
  bool swap = n >= 2 && e->perm.at[0] == 1 && e->perm.at[1] == 0;
  for (int d = 2; d < n; d++) swap = swap && e->perm.at[d] == d;
  if (swap) {
    put(s, "transpose ");
    put_atom(s, e->array);
    return;
  }
  const char *inner[16];
  Type t = var_type(s->prog, stm->bound.at[0]);
  for (int d = 0; d < n; d++) {
    inner[e->perm.at[d]] = source_fresh(s, "i");
    put(s, d ? "(tabulate " : "tabulate ");
    put_size(s, t.dims[d]);
    put(s, " (\\%s -> ", inner[e->perm.at[d]]);
  }
  put_atom(s, e->array);
  put(s, "[");
  for (int d = 0; d < n; d++) put(s, d ? ", %s" : "%s", inner[d]);
  put(s, "]");
  for (int i = 0; i < 2 * n - 1; i++) put(s, ")");
}

static void put_concat(Writer *s, const Stm *stm) {
  const struct concat_form *e = &stm->exp.concat;
  const char *rows[16];
  if (e->arrays.len > 5 && e->dim > 0) source_unsupported(s, "a concatenation of many arrays");
  if (e->dim > 1) source_unsupported(s, "a concatenation along an inner dimension");
  if (e->dim == 1) {
    put(s, e->arrays.len == 1 ? "map (\\" : "map%d (\\", e->arrays.len);
    for (int i = 0; i < e->arrays.len; i++) put(s, "%s ", rows[i] = source_fresh(s, "row"));
    put(s, "-> ");
  }
  for (int i = 0; i < e->arrays.len; i++) {
    if (i) put(s, " ++ ");
    if (e->dim == 1) put(s, "%s", rows[i]);
    else put_atom(s, e->arrays.at[i]);
  }
  Type t = var_type(s->prog, stm->bound.at[0]);
  put(s, " :> ");
  put_type(s, e->dim == 1 ? type_row(t) : t);
  if (e->dim == 0) return;
  put(s, ")");
  for (int i = 0; i < e->arrays.len; i++) put(s, " "), put_atom(s, e->arrays.at[i]);
}

// ---- making arrays
static void put_iota(Writer *s, const Stm *stm) {
  const struct iota_form *e = &stm->exp.iota;
  Prim p = var_type(s->prog, stm->bound.at[0]).prim;
  bool plain = p == PRIM_I64 && atom_is(e->start, 0) && atom_is(e->step, 1);
  put(s, plain ? "iota " : "tabulate ");
  put_size(s, e->n);
  if (plain) return;
  const char *i = source_fresh(s, "i");
  put(s, " (\\%s -> ", i);
  if (!atom_is(e->start, 0)) put_atom(s, e->start), put(s, " + ");
  if (p != PRIM_I64) put(s, "%s.i64 ", prim_info[p].name);
  put(s, "%s", i);
  if (!atom_is(e->step, 1)) put(s, " * "), put_atom(s, e->step);
  put(s, ")");
}

static void put_replicate(Writer *s, const struct replicate_form *e) {
  for (int d = 0; d < e->dims.len; d++) {
    put(s, d ? "(replicate " : "replicate ");
    put_size(s, e->dims.at[d]);
    put(s, " ");
  }
  put_atom(s, e->arg);
  for (int d = 1; d < e->dims.len; d++) put(s, ")");
}

static void put_literal(Writer *s, Atoms elems) {
  put(s, "[");
  for (int i = 0; i < elems.len; i++) {
    if (i) put(s, ", ");
    put_open(s, elems.at[i]);
    Type row = atom_type(s->prog, elems.at[0]);  // sizes that an assertion made equal
    if (row.rank == 0 || type_same(row, atom_type(s->prog, elems.at[i]))) continue;
    put(s, " :> ");
    put_type(s, row);
  }
  put(s, "]");
}

static void put_constant(Writer *s, const Data *data) {
  Atoms elems = {0};
  for (int64_t i = 0; i < data->len; i++)
    list_push(s->arena, &elems, atom_scalar(data->at[i]));
  put_literal(s, elems);
  if (data->len == 0) put(s, " : [0]%s", prim_info[data->prim].name);
}

static void put_word(Writer *s, const char *word, Atom a) {
  put(s, "%s ", word);
  put_atom(s, a);
}

static void put_scratch(Writer *s, const struct scratch_form *e) {
  Type t = {.prim = e->prim, .rank = e->dims.len, .dims = e->dims.at};
  put_zeros(s, t);
}

// As in a run without a limit.
static void put_memoryleft(Writer *s, const struct memoryleft_form *e) {
  put(s, "(");
  put_atom(s, e->most);
  if (e->share > 1) put(s, " / %di64", (int)e->share);
  put(s, ", 0i64)");
}

void put_simple(Writer *s, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch ((int)e->form) {
    case FORM_ATOM: put_atom(s, e->atom.arg); break;
    case FORM_PRIM: put_prim(s, &e->prim); break;
    case FORM_CONV: put_conv(s, &e->conv); break;
    case FORM_OPAQUE: put_word(s, "opaque", e->opaque.arg); break;
    case FORM_STOPGRADIENT: put_word(s, "stop_gradient", e->stopgradient.arg); break;
    case FORM_TUNED: put_atom(s, e->tuned.otherwise); break;
    case FORM_MEMORYLEFT: put_memoryleft(s, &e->memoryleft); break;
    case FORM_LITERAL: put_literal(s, e->literal.elems); break;
    case FORM_CONSTANT: put_constant(s, &e->constant.data); break;
    case FORM_IOTA: put_iota(s, stm); break;
    case FORM_REPLICATE: put_replicate(s, &e->replicate); break;
    case FORM_COPY: put_word(s, "copy", e->copy.arg); break;
    case FORM_SCRATCH: put_scratch(s, &e->scratch); break;
    case FORM_INDEX: put_index(s, stm); break;
    case FORM_UPDATE: put_update(s, stm); break;
    case FORM_FLATINDEX: put_flatindex(s, &e->flatindex); break;
    case FORM_FLATUPDATE: put_flatupdate(s, stm); break;
    case FORM_RESHAPE: put_reshape(s, stm); break;
    case FORM_REARRANGE: put_rearrange(s, stm); break;
    case FORM_CONCAT: put_concat(s, stm); break;
    case FORM_REVERSE: put_word(s, "reverse", e->reverse.array); break;
    case FORM_ROTATE:
      put_word(s, "rotate", e->rotate.by);
      put(s, " ");
      put_atom(s, e->rotate.array);
      break;
  }
}
