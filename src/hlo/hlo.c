// The module: names, types, constants, one statement after the other.
#include "local.h"
#include <inttypes.h>
#include <math.h>

_Noreturn void hlo_refuse(Hlo *h, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  *h->why = bulk_refusal(h->arena, h->loc, fmt, args);
  va_end(args);
  longjmp(h->refused, 1);
}

const char *hlo_text(Hlo *h, const char *fmt, ...) {
  Text text = {0};
  va_list args;
  va_start(args, fmt);
  text_vprintf(&text, fmt, args);
  va_end(args);
  const char *s = arena_strdup(h->arena, text.at ? text.at : "");
  text_free(&text);
  return s;
}

void hlo_line(Hlo *h, const char *fmt, ...) {
  for (int i = 0; i < h->depth; i++) text_puts(h->out, "  ");
  va_list args;
  va_start(args, fmt);
  text_vprintf(h->out, fmt, args);
  va_end(args);
  text_puts(h->out, "\n");
}

const char *hlo_new(Hlo *h) { return hlo_text(h, "%%v%d", ++h->made); }

const char *hlo_let(Hlo *h, const char *fmt, ...) {
  const char *name = hlo_new(h);
  for (int i = 0; i < h->depth; i++) text_puts(h->out, "  ");
  text_printf(h->out, "%s = ", name);
  va_list args;
  va_start(args, fmt);
  text_vprintf(h->out, fmt, args);
  va_end(args);
  text_puts(h->out, "\n");
  return name;
}

const char *hlo_prim(Prim p) {
  static const char *const names[PRIM_COUNT] = {
      [PRIM_I8] = "i8",   [PRIM_I16] = "i16",  [PRIM_I32] = "i32",  [PRIM_I64] = "i64",
      [PRIM_U8] = "ui8",  [PRIM_U16] = "ui16", [PRIM_U32] = "ui32", [PRIM_U64] = "ui64",
      [PRIM_F16] = "f16", [PRIM_F32] = "f32",  [PRIM_F64] = "f64",  [PRIM_BOOL] = "i1",
      [PRIM_UNIT] = "i1"};
  return names[p];
}

Type hlo_with_prim(Type t, Prim p) {
  t.prim = p;
  return t;
}

int64_t hlo_dim(Hlo *h, Atom dim) {
  if (dim.is_var)
    hlo_refuse(h, "the size %s is no constant: give it as NAME=VALUE",
               var_info(h->prog, dim.var)->base);
  return dim.value.i;
}

const char *hlo_type(Hlo *h, Type t) {
  const char *dims = "";
  for (int d = 0; d < t.rank; d++)
    dims = hlo_text(h, "%s%" PRId64 "x", dims, hlo_dim(h, t.dims[d]));
  return hlo_text(h, "tensor<%s%s>", dims, hlo_prim(t.prim));
}

const char *hlo_dims(Hlo *h, int n, const int64_t *at) {
  const char *list = "";
  for (int i = 0; i < n; i++) list = hlo_text(h, i ? "%s, %" PRId64 : "%s%" PRId64, list, at[i]);
  return hlo_text(h, "[%s]", list);
}

Type hlo_stm_type(Hlo *h, const BulkStm *stm) { return var_type(h->prog, stm->bound.at[0]); }

// ---- constants: decimals that read back exactly, bits of what is not finite
static const char *special(Prim p, double x) {
  bool nan = isnan(x), negative = x < 0;
  if (p == PRIM_F64)
    return nan ? "0x7FF8000000000000" : negative ? "0xFFF0000000000000" : "0x7FF0000000000000";
  if (p == PRIM_F32) return nan ? "0x7FC00000" : negative ? "0xFF800000" : "0x7F800000";
  return nan ? "0x7E00" : negative ? "0xFC00" : "0x7C00";
}

static const char *number(Hlo *h, Scalar s) {
  if (s.prim == PRIM_BOOL) return s.i ? "true" : "false";
  if (prim_is_float(s.prim))
    return isfinite(s.f) ? hlo_text(h, "%.17e", s.f) : special(s.prim, s.f);
  if (s.prim == PRIM_U64) return hlo_text(h, "%" PRIu64, (uint64_t)s.i);
  return hlo_text(h, "%" PRId64, s.i);
}

// A region has each constant once; those of the regions around it stay outside, since reductions
// see nothing from there and loops would carry them.
static const char *constant(Hlo *h, Scalar s, Type t) {
  const char *text =
      hlo_text(h, "stablehlo.constant dense<%s> : %s", number(h, s), hlo_type(h, t));
  Map *here = h->constants.at[h->constants.len - 1];
  uint64_t key = KEY(name_of(h->prog->names, text));
  const char *name = map_get(here, key);
  if (!name) map_put(here, key, (void *)(name = hlo_let(h, "%s", text)));
  return name;
}

void hlo_enter(Hlo *h) {
  h->depth++;
  list_push(h->arena, &h->constants, map_new(h->arena));
}

void hlo_leave(Hlo *h) {
  h->depth--;
  h->constants.len--;
}

const char *hlo_full(Hlo *h, double x, Type t) { return constant(h, scalar_number(t.prim, x), t); }

const char *hlo_full_int(Hlo *h, int64_t x, Type t) {
  Scalar s = t.prim == PRIM_BOOL ? scalar_bool(x != 0) : scalar_int(t.prim, x);
  return constant(h, prim_is_float(t.prim) ? scalar_float(t.prim, (double)x) : s, t);
}

void hlo_bind(Hlo *h, Var v, const char *name) { map_put(h->names, v.id, (void *)name); }

const char *hlo_name(Hlo *h, Atom a) {
  if (!a.is_var) return constant(h, a.value, type_scalar(a.value.prim));
  const char *name = map_get(h->names, a.var.id);
  if (!name) hlo_refuse(h, "%s comes from outside the function", var_info(h->prog, a.var)->base);
  return name;
}

const char *hlo_value_at(Hlo *h, Atom a, Type t) {
  Type have = atom_type(h->prog, a);
  if (!a.is_var) return constant(h, a.value, hlo_with_prim(t, have.prim));
  const char *x = hlo_name(h, a);
  if (have.rank == t.rank) return x;
  return hlo_let(h, "stablehlo.broadcast_in_dim %s, dims = [] : (%s) -> %s", x, hlo_type(h, have),
                 hlo_type(h, hlo_with_prim(t, have.prim)));
}

// ---- elementwise statements, at any shape
static Type op_type(const BulkExp *e, Type shape) { return hlo_with_prim(shape, e->prim); }

static const char *elementwise(Hlo *h, const BulkExp *e, Type shape) {
  const char *args[3];
  for (int i = 0; i < e->args.len; i++) args[i] = hlo_value_at(h, e->args.at[i], shape);
  return hlo_op(h, e->op, args, op_type(e, shape));
}

static const char *lambda_value(Hlo *h, Atom a, Type shape) {
  if (!a.is_var) return constant(h, a.value, hlo_with_prim(shape, a.value.prim));
  return hlo_name(h, a);
}

static void lambda_stm(Hlo *h, const Stm *stm, Type shape) {
  const Exp *e = &stm->exp;
  const char *r;
  if (e->form == FORM_ATOM) r = lambda_value(h, e->atom.arg, shape);
  else if (e->form == FORM_CONV) {
    Prim from = atom_type(h->prog, e->conv.arg).prim;
    r = hlo_conv(h, lambda_value(h, e->conv.arg, shape), hlo_with_prim(shape, from), e->conv.to);
  } else {
    const char *args[3];
    check(e->form == FORM_PRIM);
    for (int i = 0; i < e->prim.args.len; i++) args[i] = lambda_value(h, e->prim.args.at[i], shape);
    r = hlo_op(h, e->prim.op, args, hlo_with_prim(shape, e->prim.prim));
  }
  hlo_bind(h, stm->bound.at[0], r);
}

// The lambda is written again at every use: its variables get new names.
void hlo_lambda(Hlo *h, const Lambda *fn, const char *const *args, Type shape, const char **out) {
  for (int i = 0; i < fn->params.len; i++) hlo_bind(h, fn->params.at[i], args[i]);
  for (int i = 0; i < fn->body.stms.len; i++) lambda_stm(h, &fn->body.stms.at[i], shape);
  for (int i = 0; i < fn->body.results.len; i++)
    out[i] = lambda_value(h, fn->body.results.at[i], shape);
}

// ---- making and moving arrays
static void print_constant(Hlo *h, const BulkStm *stm) {
  const char *list = "";
  Data data = stm->exp.data;
  for (int64_t i = 0; i < data.len; i++)
    list = hlo_text(h, "%s%s%s", list, i ? ", " : "", number(h, data.at[i]));
  hlo_bind(
      h, stm->bound.at[0],
      hlo_let(h, "stablehlo.constant dense<[%s]> : %s", list, hlo_type(h, hlo_stm_type(h, stm))));
}

static void print_iota(Hlo *h, const BulkStm *stm) {
  Type t = hlo_stm_type(h, stm);
  const char *x = hlo_let(h, "stablehlo.iota dim = 0 : %s", hlo_type(h, t));
  Atom start = stm->exp.args.at[1], step = stm->exp.args.at[2];
  if (!atom_is(step, 1)) x = hlo_binary(h, "multiply", x, hlo_value_at(h, step, t), t);
  if (!atom_is(start, 0)) x = hlo_binary(h, "add", x, hlo_value_at(h, start, t), t);
  hlo_bind(h, stm->bound.at[0], x);
}

static void print_moved(Hlo *h, const BulkStm *stm, const char *op, const char *how) {
  Atom x = stm->exp.args.at[0];
  hlo_bind(h, stm->bound.at[0],
           hlo_let(h, "stablehlo.%s %s%s : (%s) -> %s", op, hlo_name(h, x), how,
                   hlo_type(h, atom_type(h->prog, x)), hlo_type(h, hlo_stm_type(h, stm))));
}

static int64_t elements(Hlo *h, Type t) {
  int64_t n = 1;
  for (int d = 0; d < t.rank; d++) n *= hlo_dim(h, t.dims[d]);
  return n;
}

static void print_reshape(Hlo *h, const BulkStm *stm) {
  if (elements(h, atom_type(h->prog, stm->exp.args.at[0])) != elements(h, hlo_stm_type(h, stm)))
    hlo_refuse(h, "a reshape of arrays whose numbers of elements differ");
  print_moved(h, stm, "reshape", "");
}

static void print_reverse(Hlo *h, const BulkStm *stm) {
  const char *x = hlo_name(h, stm->exp.args.at[0]);
  hlo_bind(h, stm->bound.at[0],
           hlo_let(h, "stablehlo.reverse %s, dims = [%" PRId64 "] : %s", x, stm->exp.number,
                   hlo_type(h, hlo_stm_type(h, stm))));
}

static void print_concat(Hlo *h, const BulkStm *stm) {
  const char *parts = "", *types = "";
  for (int i = 0; i < stm->exp.args.len; i++) {
    Atom x = stm->exp.args.at[i];
    parts = hlo_text(h, "%s%s%s", parts, i ? ", " : "", hlo_name(h, x));
    types = hlo_text(h, "%s%s%s", types, i ? ", " : "", hlo_type(h, atom_type(h->prog, x)));
  }
  hlo_bind(h, stm->bound.at[0],
           hlo_let(h, "stablehlo.concatenate %s, dim = %" PRId64 " : (%s) -> %s", parts,
                   stm->exp.number, types, hlo_type(h, hlo_stm_type(h, stm))));
}

static void print_stm(Hlo *h, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  switch (e->form) {
    case BULK_PRIM: hlo_bind(h, stm->bound.at[0], elementwise(h, e, hlo_stm_type(h, stm))); return;
    case BULK_CONV: {
      Type from = atom_type(h->prog, e->args.at[0]);
      hlo_bind(h, stm->bound.at[0], hlo_conv(h, hlo_name(h, e->args.at[0]), from, e->prim));
      return;
    }
    case BULK_OPAQUE:
      hlo_bind(
          h, stm->bound.at[0],
          hlo_unary(h, "optimization_barrier", hlo_name(h, e->args.at[0]), hlo_stm_type(h, stm)));
      return;
    case BULK_STOP: hlo_bind(h, stm->bound.at[0], hlo_name(h, e->args.at[0])); return;
    case BULK_CONSTANT: print_constant(h, stm); return;
    case BULK_SCRATCH:
      hlo_bind(h, stm->bound.at[0], hlo_full_int(h, 0, hlo_stm_type(h, stm)));
      return;
    case BULK_IOTA: print_iota(h, stm); return;
    case BULK_BROADCAST:
      if (!e->args.at[0].is_var) {
        hlo_bind(h, stm->bound.at[0], hlo_value_at(h, e->args.at[0], hlo_stm_type(h, stm)));
        return;
      }
      print_moved(h, stm, "broadcast_in_dim",
                  hlo_text(h, ", dims = %s", hlo_dims(h, e->ints.len, e->ints.at)));
      return;
    case BULK_TRANSPOSE:
      print_moved(h, stm, "transpose",
                  hlo_text(h, ", dims = %s", hlo_dims(h, e->ints.len, e->ints.at)));
      return;
    case BULK_RESHAPE: print_reshape(h, stm); return;
    case BULK_SLICE: hlo_slice(h, stm); return;
    case BULK_UPDATE: hlo_update(h, stm); return;
    case BULK_REVERSE: print_reverse(h, stm); return;
    case BULK_CONCAT: print_concat(h, stm); return;
    case BULK_GATHER: hlo_gather(h, stm); return;
    case BULK_PUT: hlo_put(h, stm); return;
    case BULK_FOLD: hlo_fold(h, stm); return;
    case BULK_PREFIX: hlo_prefix(h, stm); return;
    case BULK_CONTRACT: hlo_contract(h, stm); return;
    case BULK_CONVOLVE: hlo_convolve(h, stm); return;
    case BULK_LOOP: hlo_loop(h, stm); return;
    case BULK_MATCH: hlo_match(h, stm); return;
    case BULK_ASSERT: hlo_check(h, hlo_name(h, e->args.at[0]), e->text); return;
    case BULK_CORE: hlo_refuse(h, "a custom rule or a derivative that is left");
    case BULK_COUNT: break;
  }
  ice("form %d", e->form);
}

void hlo_stms(Hlo *h, const BulkBody *body) {
  for (int i = 0; i < body->stms.len; i++) {
    if (body->stms.at[i].loc) h->loc = body->stms.at[i].loc;
    print_stm(h, &body->stms.at[i]);
  }
}

static const char *comma(Hlo *h, const char *list, const char *item) {
  return *list ? hlo_text(h, "%s, %s", list, item) : item;
}

static void print_module(Hlo *h, const HloModule *m) {
  const char *params = "", *types = "", *values = "";
  for (int i = 0; i < m->params.len; i++) {
    const char *name = hlo_text(h, "%%arg%d", i);
    Type t = var_type(h->prog, m->params.at[i]);
    hlo_bind(h, m->params.at[i], name);
    params = comma(h, params, hlo_text(h, "%s: %s", name, hlo_type(h, t)));
  }
  for (int i = 0; i < m->body->results.len; i++)
    types = comma(h, types, hlo_type(h, atom_type(h->prog, m->body->results.at[i])));
  types = comma(h, types, "tensor<i32>");
  hlo_line(h, "module @%s {", m->name);
  hlo_enter(h);
  hlo_line(h, "func.func public @main(%s) -> (%s) {", params, types);
  hlo_enter(h);
  h->code = hlo_full_int(h, INT32_MAX, type_scalar(PRIM_I32));
  hlo_stms(h, m->body);
  for (int i = 0; i < m->body->results.len; i++)
    values = comma(h, values, hlo_name(h, m->body->results.at[i]));
  hlo_line(h, "return %s : %s", comma(h, values, h->code), types);
  hlo_leave(h);
  hlo_line(h, "}");
  hlo_leave(h);
  hlo_line(h, "}");
}

bool hlo_print(Text *out, Prog *prog, const HloModule *module, HloSites *sites, BulkRefusal *why) {
  Hlo *h = NEW(prog->arena, Hlo);
  *h = (Hlo){.out = out,
             .prog = prog,
             .arena = prog->arena,
             .names = map_new(prog->arena),
             .sites = sites,
             .why = why};
  if (setjmp(h->refused)) return false;
  print_module(h, module);
  return true;
}
