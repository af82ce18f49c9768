// --trace-nan interpreted: what rts/nan.h, which has the rules, is told of statements and values.
#include "local.h"

static Atoms operands(const Stm *stm) {
  if (stm->exp.form == FORM_PRIM) return stm->exp.prim.args;
  return (Atoms){.at = (Atom *)&stm->exp.conv.arg, .len = 1};
}

size_t look_words(const Prog *prog) { return (size_t)prog->vars.len / 64 + 1; }

static const char *where(Arena *arena, const Loc *loc) {
  Text text = {0};
  loc_print(&text, loc);
  const char *copy = arena_strndup(arena, text.at ? text.at : "", text.len);
  text_free(&text);
  return copy;
}

DzLookSite look_site(const Prog *prog, Arena *arena, const Stm *stm) {
  const Exp *e = &stm->exp;
  Op op = e->form == FORM_PRIM ? e->prim.op : OP_COUNT;
  Atoms args = operands(stm);
  DzLookSite s = {.what = op == OP_COUNT ? "conversion" : op_info[op].name,
                  .where = where(arena, stm->loc),
                  .kind = op == OP_SELECT ? 's' : op == OP_GUARD ? 'g' : 0,
                  .var = stm->bound.at[0].id,
                  .n = args.len};
  for (int i = 0; i < args.len; i++) {
    Atom a = args.at[i];
    const char *type = prim_info[atom_type(prog, a).prim].name;
    s.args[i] = (DzLookArg){a.is_var ? a.var.id : 0, a.is_var ? var_info(prog, a.var)->base : "",
                            type};
  }
  return s;
}

static const DzLookSite *site_of(Interp *in, const Stm *stm) {
  DzLookSite *site = map_get(in->sites, KEY(stm));
  if (site) return site;
  site = NEW(in->arena, DzLookSite);
  *site = look_site(in->prog, in->arena, stm);
  map_put(in->sites, KEY(stm), site);
  return site;
}

static DzLookValue look_value(Scalar s) {
  return prim_is_float(s.prim) ? (DzLookValue){.f = s.f} : (DzLookValue){.i = s.i};
}

void nan_look(Interp *in, const Stm *stm, const IValue *out) {
  if (!stm_makes_float(in->prog, stm)) return;
  double result = out[0].scalar.f;
  if (!dz_wild(result) && !in->looks.active) return;
  DzLookValue values[3];
  Atoms args = operands(stm);
  for (int i = 0; i < args.len; i++) values[i] = look_value(atom_get(in, args.at[i]).scalar);
  dz_look(&in->looks, look_words(in->prog), site_of(in, stm), result, values);
}

// A float or floats, as doubles.
typedef struct {
  const void *data;
  int rank;
  const int64_t *shape;
} Floats;

static bool floats_of(const IValue *v, Floats *out) {
  if (!prim_is_float(v->array ? v->array->prim : v->scalar.prim)) return false;
  *out = v->array ? (Floats){v->array->at, v->array->rank, v->array->dims}
                  : (Floats){&v->scalar.f, 0, NULL};
  return true;
}

void nan_arguments(const Interp *in, const Fn *fn, const IValue *args) {
  for (int nan = 0; nan < 2; nan++)
    for (int i = 0; i < fn->params.len; i++) {
      Floats f;
      const char *name = var_info(in->prog, fn->params.at[i])->base;
      if (floats_of(&args[i], &f) && dz_look_input(nan, name, f.data, 8, f.rank, f.shape)) break;
    }
}

void nan_report(Interp *in, const IValues *results) {
  for (int i = 0; i < results->len; i++) {
    Floats f;
    if (floats_of(&results->at[i], &f)) dz_look_result(&in->looks, f.data, 8, f.rank, f.shape);
  }
  dz_looks_report(&in->looks);
}
