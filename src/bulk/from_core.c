// Core to bulk programs: one function a form.  A form without one is refused, with its name and
// place.  The statements of the result mention sizes only as sizes: their number is at most a
// constant times the number of statements of the text (doc/bulk.md).
#include "local.h"

static void from_atom(Translation *t, const Stm *stm, Atom arg) {
  value_bind(t, stm->bound.at[0], value_get(t, arg));
}

static Type type_mapped(Translation *t, Type own) {
  Atoms dims = value_sizes(t, atoms_of(t->prog->arena, own.rank, own.dims));
  return type_array_dims(t->prog->arena, type_scalar(own.prim), dims);
}

// Outside derivatives its function alone.  Else a statement of core, which the rule differentiates.
static void from_withvjp(Translation *t, const Stm *stm) {
  const struct withvjp_form *e = &stm->exp.withvjp;
  if (!t->keep_rules || stm->attrs.exact) {
    from_inlined(t, stm, e->fn, e->args);
    return;
  }
  if (t->depth) bulk_refuse(t, "a custom rule in a map");
  Rewrite w = rewrite_new(t->prog, (Builder){.prog = t->prog});
  Vars free = exp_free(t->prog, t->prog->arena, &stm->exp);
  for (int i = 0; i < free.len; i++) {
    Value v = value_get(t, atom_var(free.at[i]));
    value_make(t, &v);
    rewrite_bind(&w, free.at[i], v.atom);
  }
  BulkExp exp = {.form = BULK_CORE, .core = rewrite_exp(&w, &stm->exp)};
  Types types = {0};
  for (int i = 0; i < stm->bound.len; i++)
    list_push(t->prog->arena, &types, type_mapped(t, var_type(t->prog, stm->bound.at[i])));
  Vars r = bulk_emit_many(&t->b, "rule", types, exp);
  for (int i = 0; i < r.len; i++)
    value_bind(t, stm->bound.at[i], value_uniform(atom_var(r.at[i])));
}

static void from_stm(Translation *t, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch (e->form) {
    case FORM_ATOM: from_atom(t, stm, e->atom.arg); return;
    case FORM_COPY: from_atom(t, stm, e->copy.arg); return;
    case FORM_PRIM: from_prim(t, stm); return;
    case FORM_CONV: from_conv(t, stm); return;
    case FORM_OPAQUE: case FORM_STOPGRADIENT: from_barrier(t, stm); return;
    case FORM_TRACE: bulk_refuse(t, "trace: the order of its lines would not be the program's");
    case FORM_TUNED: from_atom(t, stm, e->tuned.otherwise); return;
    case FORM_MEMORYLEFT: bulk_refuse(t, "a loop whose memory is limited");
    case FORM_LITERAL: from_literal(t, stm); return;
    case FORM_CONSTANT: from_constant(t, stm); return;
    case FORM_IOTA: from_iota(t, stm); return;
    case FORM_REPLICATE: from_replicate(t, stm); return;
    case FORM_SCRATCH: from_scratch(t, stm); return;
    case FORM_INDEX: from_index(t, stm); return;
    case FORM_UPDATE: from_update(t, stm); return;
    case FORM_FLATINDEX: from_flatindex(t, stm); return;
    case FORM_FLATUPDATE: from_flatupdate(t, stm); return;
    case FORM_RESHAPE: from_reshape(t, stm); return;
    case FORM_REARRANGE: from_rearrange(t, stm); return;
    case FORM_CONCAT: from_concat(t, stm); return;
    case FORM_REVERSE: from_reverse(t, stm); return;
    case FORM_ROTATE: from_rotate(t, stm); return;
    case FORM_MATCH: from_match(t, stm); return;
    case FORM_LOOP: from_loop(t, stm); return;
    case FORM_APPLY: bulk_refuse(t, "a call of the recursive function %s", e->apply.fn);
    case FORM_ASSERT: from_assert(t, stm); return;
    case FORM_MAP: from_map(t, stm); return;
    case FORM_REDUCE: from_reduce(t, stm); return;
    case FORM_SCAN: from_scan(t, stm); return;
    case FORM_SCREMA: bulk_refuse(t, "a fused form: bulk comes before fusion");
    case FORM_HIST: from_hist(t, stm); return;
    case FORM_SCATTER: from_scatter(t, stm); return;
    case FORM_WITHACC: from_withacc(t, stm); return;
    case FORM_UPDATEACC: from_updateacc(t, stm); return;
    case FORM_WITHVJP: from_withvjp(t, stm); return;
    case FORM_JVP: case FORM_VJP: bulk_refuse(t, "a derivative within");
    case FORM_DEPENDS: case FORM_JACOBIAN: bulk_refuse(t, "a sparse Jacobian");
    case FORM_COUNT: break;
  }
  ice("form %d", e->form);
}

// An array is called as what the program calls its elements or rows.
static void name_as(Translation *t, Var v) {
  Value value = t->env[v.id];
  if (value.made && value.atom.is_var && value.atom.var.id >= (uint32_t)t->cap)
    bulk_name_as(t->prog, value.atom.var, v);
}

void from_stms(Translation *t, Stms stms) {
  for (int i = 0; i < stms.len; i++) {
    const Loc *outer = t->b.loc;
    if (stms.at[i].loc) t->b.loc = stms.at[i].loc;
    from_stm(t, &stms.at[i]);
    for (int k = 0; k < stms.at[i].bound.len; k++) name_as(t, stms.at[i].bound.at[k]);
    t->b.loc = outer;
  }
}

static void mark_sizes(Type t, bool *sizes) {
  for (int d = 0; d < t.rank; d++)
    if (t.dims[d].is_var) sizes[t.dims[d].var.id] = true;
}

static const bool *sizes_of_params(const Prog *prog) {
  bool *sizes = NEW_ARRAY(prog->arena, bool, prog->vars.len);
  for (int i = 0; i < prog->fns.len; i++) {
    Vars params = prog->fns.at[i]->params;
    for (int k = 0; k < params.len; k++) mark_sizes(var_type(prog, params.at[k]), sizes);
  }
  return sizes;
}

static bool translate(Prog *prog, const Body *body, bool rules, BulkBody *out, BulkRefusal *why) {
  *out = (BulkBody){0};
  Translation *t = NEW(prog->arena, Translation);
  t->prog = prog, t->cap = prog->vars.len;
  t->env = NEW_ARRAY(prog->arena, Value, t->cap);
  t->is_size = sizes_of_params(prog);
  t->keep_rules = rules;
  t->b = (BulkBuilder){.prog = prog, .stms = &out->stms};
  if (setjmp(t->refused)) {
    *why = t->why;
    return false;
  }
  from_stms(t, body->stms);
  for (int i = 0; i < body->results.len; i++) {
    Value v = value_get(t, body->results.at[i]);
    value_make(t, &v);
    list_push(prog->arena, &out->results, v.atom);
  }
  bulk_share(prog, out);
  bulk_clean(prog, out);
  return true;
}

bool bulk_from_core(Prog *prog, const Body *body, BulkBody *out, BulkRefusal *why) {
  return translate(prog, body, false, out, why);
}

bool bulk_from_core_with_rules(Prog *prog, const Body *body, BulkBody *out, BulkRefusal *why) {
  return translate(prog, body, true, out, why);
}
