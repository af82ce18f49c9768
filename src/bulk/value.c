// Values of a translation: lines, arrays with axes, lifting along further axes.
#include "local.h"

BulkRefusal bulk_refusal(Arena *arena, const Loc *loc, const char *fmt, va_list args) {
  Text text = {0};
  text_vprintf(&text, fmt, args);
  BulkRefusal r = {.loc = loc, .text = arena_strdup(arena, text.at)};
  text_free(&text);
  return r;
}

_Noreturn void bulk_refuse(Translation *t, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  t->why = bulk_refusal(t->prog->arena, t->b.loc, fmt, args);
  va_end(args);
  longjmp(t->refused, 1);
}

Value value_uniform(Atom atom) { return (Value){.atom = atom, .made = true}; }

Value value_get(Translation *t, Atom a) {
  if (!a.is_var || a.var.id >= (uint32_t)t->cap) return value_uniform(a);
  Value v = t->env[a.var.id];
  return v.made || v.line || v.target ? v : value_uniform(a);  // else from outside the body
}

void value_bind(Translation *t, Var v, Value value) {
  check(v.id < (uint32_t)t->cap);
  t->env[v.id] = value;
}

AxisSet value_axes(Value v) {
  if (v.made || !v.line) return v.axes;
  AxisSet s = 0;
  for (int k = 0; k < MAX_NEST; k++)
    if (v.line->factor[k]) s |= axis_bit(k);
  return s;
}

Atoms axes_dims(Translation *t, AxisSet s) {
  Atoms dims = {0};
  for (int k = 0; k < t->depth; k++)
    if (s & axis_bit(k)) list_push(t->prog->arena, &dims, t->widths[k]);
  return dims;
}

Atom axes_widths_product(Translation *t, AxisSet s) {
  Atoms dims = axes_dims(t, s);
  Atom n = atom_i64(1);
  for (int i = 0; i < dims.len; i++) n = bulk_op(&t->b, OP_MUL, n, dims.at[i]);
  return n;
}

// base + iota.. + iota..
void value_make(Translation *t, Value *v) {
  if (v->made || v->target) return;
  Value sum = value_uniform(v->line->base);
  for (int k = 0; k < t->depth; k++) {
    if (!v->line->factor[k]) continue;
    bool alone = sum.axes == 0;
    Atom start = alone ? sum.atom : atom_i64(0);
    Value part = {.made = true, .axes = axis_bit(k)};
    part.atom = bulk_iota(&t->b, t->widths[k], start, atom_i64(v->line->factor[k]));
    AxisSet both = sum.axes | part.axes;
    if (!alone)
      part.atom = bulk_op(&t->b, OP_ADD, value_lift(t, sum, both), value_lift(t, part, both));
    part.axes = both;
    sum = part;
  }
  v->atom = sum.atom, v->axes = sum.axes, v->made = true;
}

Type value_type(Translation *t, Value v) {
  return type_peel(atom_type(t->prog, v.atom), axes_len(v.axes));
}

Atom value_lift(Translation *t, Value v, AxisSet to) {
  value_make(t, &v);
  check((v.axes & ~to) == 0);
  Type own = value_type(t, v);
  Atoms dims = atoms_concat(t->prog->arena, axes_dims(t, to),
                            atoms_of(t->prog->arena, own.rank, own.dims));
  int64_t at[64];
  int n = 0;
  for (int k = 0; k < t->depth; k++)
    if (v.axes & axis_bit(k)) at[n++] = axes_before(to, k);
  for (int d = 0; d < own.rank; d++) at[n++] = axes_len(to) + d;
  return bulk_broadcast(&t->b, v.atom, dims, at);
}

bool value_is_uniform(Value v) { return value_axes(v) == 0; }

Atom value_spread(Translation *t, Value v, AxisSet to) {
  value_make(t, &v);
  if (v.axes == 0 && atom_type(t->prog, v.atom).rank == 0) return v.atom;
  return value_lift(t, v, to);
}

Atom value_scalar(Translation *t, Atom a, const char *role) {
  Value v = value_get(t, a);
  if (!value_is_uniform(v)) bulk_refuse(t, "%s differs between iterations", role);
  value_make(t, &v);
  return v.atom;
}

Atom value_size(Translation *t, Atom a) {
  Atom n = value_scalar(t, a, "a size");
  bool known = a.is_var && a.var.id < (uint32_t)t->cap && t->is_size[a.var.id];
  if (known || (t->depth == 0 && !t->masked)) return n;
  return bulk_op(&t->b, OP_MAX, n, atom_i64(0));
}

Atoms value_sizes(Translation *t, Atoms dims) {
  Atoms out = {0};
  for (int i = 0; i < dims.len; i++)
    list_push(t->prog->arena, &out, value_size(t, dims.at[i]));
  return out;
}

Atom atom_op(Translation *t, Op op, Atom x, Atom y) { return bulk_op(&t->b, op, x, y); }

Atoms atoms_one(Translation *t, Atom x) { return atoms_of(t->prog->arena, 1, &x); }

// ---- lines
const Line *line_of(Translation *t, Value v) {
  if (v.line) return v.line;
  if (!v.made || v.axes || v.target) return NULL;
  Type type = atom_type(t->prog, v.atom);
  if (type.rank || type.prim != PRIM_I64) return NULL;
  Line *line = NEW(t->prog->arena, Line);
  line->base = v.atom;
  return line;
}

const Line *line_combine(Translation *t, const Line *x, const Line *y, int64_t sign) {
  Line *line = NEW(t->prog->arena, Line);
  line->base = atom_op(t, sign < 0 ? OP_SUB : OP_ADD, x->base, y->base);
  for (int k = 0; k < MAX_NEST; k++)
    if (__builtin_mul_overflow(y->factor[k], sign, &line->factor[k]) ||
        __builtin_add_overflow(x->factor[k], line->factor[k], &line->factor[k]))
      return NULL;
  return line;
}

const Line *line_scale(Translation *t, const Line *x, int64_t by) {
  Line *line = NEW(t->prog->arena, Line);
  line->base = atom_op(t, OP_MUL, x->base, atom_i64(by));
  for (int k = 0; k < MAX_NEST; k++)
    if (__builtin_mul_overflow(x->factor[k], by, &line->factor[k])) return NULL;
  return line;
}

// ---- masks
Atom value_fold(Translation *t, Atom x, Op op, bool neutral) {
  const Lambda *fn = lambda_binop(t->prog, op, PRIM_BOOL);
  while (atom_type(t->prog, x).rank)
    x = atom_var(bulk_fold(&t->b, 0, fn, atoms_one(t, atom_bool(neutral)), atoms_one(t, x)).at[0]);
  return x;
}
