// Entry points for derivatives.  The function that `jvp` or `vjp` differentiates calls the lowered
// function on copies of the arrays that this overwrites.  Its operands are the head's inputs, its
// results the head's outputs.
#include "variant.h"
#include <ctype.h>

// ---- heads --------------------------------------------------------------------------------------
static bool name_is(const CLoweredLeaf *leaf, const char *function, const char *text) {
  text += strspn(text, "*&( ");
  const char *name = leaf->param ? leaf->param->name : function;
  size_t n = strlen(name);
  if (strncmp(text, name, n) != 0) return false;
  const char *path = leaf->path;
  for (text += n; *text; text++) {
    if (strchr("[])>", *text)) continue;
    char c = *text == '-' ? '.' : *text;
    if (*path++ != c) return false;
  }
  return *path == 0 || *path == '.';
}

// A leaf of a pointer parameter that is not written is an output, too: with the input's value.
static bool leaf_is(const CLowered *low, int i, bool output) {
  const CLoweredLeaf *leaf = &low->leaves.at[i];
  if (!ctype_is_float(leaf->type)) return false;
  if (!output) return leaf->param && leaf->in.id;
  return leaf->out >= 0 || (leaf->param && ctype_is_pointer(leaf->param->type));
}

static bool begins_with_name(const char *text, const char *name) {
  text += strspn(text, "*&( ");
  size_t n = strlen(name);
  return strncmp(text, name, n) == 0 && !(text[n] == '_' || isalnum((unsigned char)text[n]));
}

// Its derivative is zero; source transformation has a form for that, core has none.
static void opaque_refuse_named(CProgram *p, const CLowered *low, const char *text) {
  for (int i = 0; i < low->params.len; i++) {
    const CVar *v = low->params.at[i].var;
    if (!low->params.at[i].opaque || !begins_with_name(text, v->name)) continue;
    diag_error(p->diag, v->at, "[c-points-to] A derivative for `%s`, which points to memory with "
               "pointers, through core.", v->name);
    stop_now(STATUS_UNSUPPORTED);
  }
}

static void leaves_named(CProgram *p, const CDerived *d, const char *text, bool output,
                         CLeafs *to) {
  int found = to->len;
  for (int i = 0; i < d->low->leaves.len; i++)
    if (leaf_is(d->low, i, output) &&
        name_is(&d->low->leaves.at[i], d->low->source->name, text))
      list_push(p->arena, to, i);
  if (to->len > found) return;
  opaque_refuse_named(p, d->low, text);
  diag_error(p->diag, d->low->source->at, "[c-head] `%s` has no floating-point %s `%s`.",
             d->low->source->name, output ? "output" : "input", text);
  stop_now(STATUS_USER_ERROR);
}

// Whether the function may read the value that the leaf has on entry.
static bool leaf_is_read(CProgram *p, const CLowered *low, const CLoweredLeaf *leaf) {
  CFlow *flow = cflow_of(p, low->source);
  int obj = cflow_var(flow, leaf->param);
  if (leaf->param->type->tag == CTYPE_POINTER) obj = cflow_target(flow, obj);
  for (const char *at = leaf->path; *at == '.';) {
    size_t n = strcspn(++at, ".");
    const CType *t = flow->objs.at[obj].type;
    t = ctype_element(t);
    obj = cflow_field(flow, obj, ctype_field(t, name_intern(p->names, at, n)));
    at += n;
  }
  if (leaf->way) obj = cflow_target(flow, obj);
  return set_has(&flow->loads, obj);
}

// Derivatives of what pointers lead to need its length; of rows there are none.
static void ways_check(CProgram *p, const CDerived *d, const CLeafs *leaves) {
  for (int k = 0; k < leaves->len; k++) {
    const CLoweredLeaf *leaf = &d->low->leaves.at[leaves->at[k]];
    if (leaf->way == LEAF_MEMBER && !leaf->length)
      cdiff_length_refuse_member(p, leaf->param, leaf->path);
    if (leaf->way != LEAF_FAR) continue;
    diag_error(p->diag, leaf->param->at, "[c-rows] A derivative for what the pointers of `%s` lead "
               "to, through core.", leaf->param->name);
    diag_hint(p->diag, "name the inputs and outputs, -e \"%s(output)/(input)\", or make it one "
              "array", d->low->source->name);
    stop_now(STATUS_UNSUPPORTED);
  }
}

static void head_resolve(CProgram *p, CDerived *d, const CHead *head) {
  for (int i = 0; i < head->inputs.len; i++)
    leaves_named(p, d, head->inputs.at[i], false, &d->inputs);
  for (int i = 0; i < head->outputs.len; i++)
    leaves_named(p, d, head->outputs.at[i], true, &d->outputs);
  for (int i = 0; i < d->low->leaves.len; i++) {
    const CLoweredLeaf *leaf = &d->low->leaves.at[i];
    if (!head->inputs.len && leaf_is(d->low, i, false) && leaf_is_read(p, d->low, leaf))
      list_push(p->arena, &d->inputs, i);
    if (!head->outputs.len && leaf_is(d->low, i, true) && leaf->out >= 0)
      list_push(p->arena, &d->outputs, i);
  }
  ways_check(p, d, &d->inputs);
  ways_check(p, d, &d->outputs);
  if (d->inputs.len && d->outputs.len) return;
  diag_error(p->diag, d->low->source->at, "[c-head] `%s` has no %s.", d->low->source->name,
             d->inputs.len ? "outputs" : "inputs");
  stop_now(STATUS_USER_ERROR);
}

// ---- the entry point ----------------------------------------------------------------------------
typedef struct {
  CDerived *d;
  Prog *prog;
  Arena *arena;
  Fn *of, *fn;
  Builder b;
  Atoms params;      // of fn for those of `of`
  Atoms more;        // seeds or directions
} Derive;

static Type type_here(const Derive *x, Type t) {
  t.unique = false;
  if (t.rank == 0) return t;
  Atom *dims = NEW_ARRAY(x->arena, Atom, t.rank);
  for (int k = 0; k < t.rank; k++) {
    dims[k] = t.dims[k];
    for (int i = 0; i < x->of->params.len && i < x->params.len; i++)
      if (atom_is_var(t.dims[k], x->of->params.at[i])) dims[k] = x->params.at[i];
  }
  t.dims = dims;
  return t;
}

static Atom param_new(Derive *x, const char *name, Type t) {
  Var v = var_new(x->prog, name, t);
  list_push(x->arena, &x->fn->params, v);
  return atom_var(v);
}

static const CLoweredLeaf *leaf_of(const Derive *x, int i) { return &x->d->low->leaves.at[i]; }

static Type input_type(const Derive *x, int k) {
  return type_here(x, var_type(x->prog, leaf_of(x, x->d->inputs.at[k])->in));
}

static Type output_type(const Derive *x, int k) {
  const CLoweredLeaf *leaf = leaf_of(x, x->d->outputs.at[k]);
  Var v = leaf->out >= 0 ? x->of->results.at[leaf->out] : leaf->in;
  return type_here(x, var_type(x->prog, v));
}

// A call of the function on these arguments: all results.
static Atoms call(Derive *x, Builder *b, Atoms args) {
  Exp exp = {.form = FORM_APPLY, .apply = {.fn = x->of->name}};
  for (int i = 0; i < args.len; i++) {
    bool unique = var_type(x->prog, x->of->params.at[i]).unique;
    list_push(x->arena, &exp.apply.args, unique ? build_copy(b, args.at[i]) : args.at[i]);
  }
  Types types = {0};
  for (int i = 0; i < x->of->results.len; i++)
    list_push(x->arena, &types, type_here(x, var_type(x->prog, x->of->results.at[i])));
  return atoms_of_vars(x->arena, build_many(b, x->of->name, types, exp));
}

static int place_of_leaf(const Derive *x, const CLoweredLeaf *leaf) {
  for (int i = 0; i < x->of->params.len; i++)
    if (x->of->params.at[i].id == leaf->in.id) return i;
  ice("an input of %s is no parameter", x->of->name);
}

static int place_of_input(const Derive *x, int k) {
  return place_of_leaf(x, leaf_of(x, x->d->inputs.at[k]));
}

static Atoms chosen_outputs(const Derive *x, Atoms args, Atoms all) {
  Atoms out = {0};
  for (int k = 0; k < x->d->outputs.len; k++) {
    const CLoweredLeaf *leaf = leaf_of(x, x->d->outputs.at[k]);
    list_push(x->arena, &out, leaf->out >= 0 ? all.at[leaf->out] : args.at[place_of_leaf(x, leaf)]);
  }
  return out;
}

static bool is_chosen(const Derive *x, int result) {
  for (int k = 0; k < x->d->outputs.len; k++)
    if (leaf_of(x, x->d->outputs.at[k])->out == result) return true;
  return false;
}

// Results that are no outputs; derivatives do not pass.
static Atoms other_results(Derive *x, Builder *b, Atoms all) {
  Atoms out = {0};
  for (int i = 0; i < all.len; i++) {
    if (is_chosen(x, i)) continue;
    Exp exp = {.form = FORM_STOPGRADIENT, .stopgradient = {all.at[i]}};
    list_push(x->arena, &out, build(b, "written", atom_type(x->prog, all.at[i]), exp));
  }
  return out;
}

// Seeds of the outputs, and zeros for the other results.
static Atoms with_zeros(Derive *x, Builder *b, Atoms given) {
  Atoms out = atoms_of(x->arena, given.len, given.at);
  for (int i = 0; i < x->of->results.len; i++) {
    Type t = type_here(x, var_type(x->prog, x->of->results.at[i]));
    if (!is_chosen(x, i)) list_push(x->arena, &out, build_zero(b, t));
  }
  return out;
}

// \inputs -> outputs, and the other results if `whole`.
static Lambda *primal(Derive *x, Builder *b, bool whole) {
  Types types = {0};
  for (int k = 0; k < x->d->inputs.len; k++) list_push(x->arena, &types, input_type(x, k));
  LambdaBuilder lb = lambda_begin(b, "x", types);
  Atoms args = atoms_of(x->arena, x->params.len, x->params.at);
  for (int k = 0; k < x->d->inputs.len; k++) {
    Var v = lb.lambda->params.at[k];
    x->prog->vars.at[v.id].base = var_info(x->prog, leaf_of(x, x->d->inputs.at[k])->in)->base;
    args.at[place_of_input(x, k)] = atom_var(v);
  }
  Atoms all = call(x, &lb.inner, args), out = chosen_outputs(x, args, all);
  if (whole) out = atoms_concat(x->arena, out, other_results(x, &lb.inner, all));
  return lambda_end(&lb, out);
}

static Atoms inputs_given(const Derive *x) {
  Atoms out = {0};
  for (int k = 0; k < x->d->inputs.len; k++)
    list_push(x->arena, &out, x->params.at[place_of_input(x, k)]);
  return out;
}

static Atoms build_all(Derive *x, Builder *b, Exp exp) {
  return atoms_of_vars(x->arena, build_many(b, NULL, exp_types(x->prog, &exp), exp));
}

static Atoms ones(const Derive *x) {
  Prim p = output_type(x, 0).prim;
  return atoms_of(x->arena, 1, (Atom[]){atom_number(p, 1)});
}

// Outputs, then gradients of inputs.
static Atoms reverse(Derive *x, Builder *b, Atoms args, Atoms seeds) {
  Exp exp = {.form = FORM_VJP, .vjp = {{0}, primal(x, b, false), args, seeds}};
  return build_all(x, b, exp);
}

// Outputs, other results, gradients of inputs.
static Atoms reverse_whole(Derive *x, Atoms seeds) {
  Atoms all = with_zeros(x, &x->b, seeds);
  Exp exp = {.form = FORM_VJP, .vjp = {{0}, primal(x, &x->b, true), inputs_given(x), all}};
  return build_all(x, &x->b, exp);
}

// Outputs, other results, tangents of the outputs; those of the others are left out.
static Atoms forward_whole(Derive *x) {
  Exp exp = {.form = FORM_JVP, .jvp = {{0}, primal(x, &x->b, true), inputs_given(x), x->more}};
  Atoms all = build_all(x, &x->b, exp);
  all.len = all.len / 2 + x->d->outputs.len;
  return all;
}

// jvp of \inputs -> (output, gradients)
static Atoms second(Derive *x) {
  Types types = {0};
  for (int k = 0; k < x->d->inputs.len; k++) list_push(x->arena, &types, input_type(x, k));
  LambdaBuilder lb = lambda_begin(&x->b, "x", types);
  Atoms args = atoms_of_vars(x->arena, lb.lambda->params);
  Lambda *fn = lambda_end(&lb, reverse(x, &lb.inner, args, ones(x)));
  Exp exp = {.form = FORM_JVP, .jvp = {{0}, fn, inputs_given(x), x->more}};
  return build_all(x, &x->b, exp);
}

// ---- Jacobians ----------------------------------------------------------------------------------
static Atom count_of(Derive *x, Type t) { (void)x; return t.rank ? t.dims[0] : atom_i64(1); }

// Rows of the identity for operand number k: [all]t with ones from `from` on.
static Atom identity_part(Derive *x, Type t, Atom all, Atom from) {
  Atom n = count_of(x, t);
  Types i64 = {0};
  list_push(x->arena, &i64, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(&x->b, "row", i64);
  Builder *b = &lb.inner;
  Atom at = build_op(b, OP_SUB, atom_var(lb.lambda->params.at[0]), from);
  Atom result;
  if (t.rank == 0)
    result = build_conv(b, t.prim, build_op(b, OP_EQ, at, atom_i64(0)));
  else {
    LambdaBuilder col = lambda_begin(b, "column", i64);
    Atom same = build_op(&col.inner, OP_EQ, at, atom_var(col.lambda->params.at[0]));
    Atom one = build_conv(&col.inner, t.prim, same);
    Lambda *fn = lambda_end(&col, atoms_of(x->arena, 1, &one));
    Atom is = build_iota(b, n);
    Exp row = {.form = FORM_MAP, .map = {n, fn, atoms_of(x->arena, 1, &is)}};
    result = build(b, "row", t, row);
  }
  Lambda *fn = lambda_end(&lb, atoms_of(x->arena, 1, &result));
  Atom is = build_iota(&x->b, all);
  Type type = type_array(x->arena, t, all);
  return build(&x->b, "identity", type,
               (Exp){.form = FORM_MAP, .map = {all, fn, atoms_of(x->arena, 1, &is)}});
}

// [all]t as [all][count]t
static Atom with_columns(Derive *x, Atom a, Type t, Atom all) {
  if (t.rank) return a;
  Atoms dims = atoms_of(x->arena, 2, (Atom[]){all, atom_i64(1)});
  Exp exp = {.form = FORM_RESHAPE, .reshape = {a, dims}};
  return build(&x->b, "column", type_array_dims(x->arena, type_scalar(t.prim), dims), exp);
}

// Numbers of an array of `depth` dimensions as another type.
static Atom numbers_as(Builder *b, Arena *arena, Atom a, int depth, Prim p) {
  Type t = atom_type(b->prog, a);
  if (t.prim == p) return a;
  if (depth == 0) return build_conv(b, p, a);
  Types element = {0};
  list_push(arena, &element, type_row(t));
  LambdaBuilder lb = lambda_begin(b, "part", element);
  Atom one = numbers_as(&lb.inner, arena, atom_var(lb.lambda->params.at[0]), depth - 1, p);
  Lambda *fn = lambda_end(&lb, atoms_of(arena, 1, &one));
  Type to = t;
  to.prim = p;
  Exp map = {.form = FORM_MAP, .map = {t.dims[0], fn, atoms_of(arena, 1, &a)}};
  return build(b, "part", to, map);
}

// The widest type among inputs and outputs.
const CType *clower_jacobian_type(const CDerived *d) {
  const CType *most = d->low->leaves.at[d->outputs.at[0]].type;
  for (int side = 0; side < 2; side++) {
    const CLeafs *leaves = side ? &d->inputs : &d->outputs;
    for (int k = 0; k < leaves->len; k++) {
      const CType *t = d->low->leaves.at[leaves->at[k]].type;
      if (ctype_size(t) > ctype_size(most)) most = t;
    }
  }
  return most;
}

static Prim jacobian_prim(const Derive *x) {
  Prim p = PRIM_F64;
  ctype_prim(clower_jacobian_type(x->d), &p);
  return p;
}

static Atom columns_joined(Derive *x, Atoms parts, Atom all, Atom sum) {
  if (parts.len == 1) return parts.at[0];
  Prim p = jacobian_prim(x);
  Atoms dims = atoms_of(x->arena, 2, (Atom[]){all, sum});
  Exp exp = {.form = FORM_CONCAT, .concat = {1, parts}};
  return build(&x->b, "jacobian", type_array_dims(x->arena, type_scalar(p), dims), exp);
}

typedef struct {
  Types in, out;     // the side whose unit vectors are the seeds, the side of the results
  Atom rows, columns;
} Sides;

static Atom sum_of(Derive *x, Types types) {
  Atom n = atom_i64(0);
  for (int i = 0; i < types.len; i++)
    n = build_op(&x->b, OP_ADD, n, count_of(x, types.at[i]));
  return n;
}

static Sides sides_of(Derive *x, bool by_outputs) {
  Sides s = {0};
  Types in = {0}, out = {0};
  for (int k = 0; k < x->d->inputs.len; k++) list_push(x->arena, &in, input_type(x, k));
  for (int k = 0; k < x->d->outputs.len; k++) list_push(x->arena, &out, output_type(x, k));
  s.in = by_outputs ? out : in;
  s.out = by_outputs ? in : out;
  s.rows = sum_of(x, s.in);
  s.columns = sum_of(x, s.out);
  return s;
}

// Reverse where there are fewer outputs than inputs: few numbers against arrays, as far as types
// tell.
static bool prefers_reverse(const Derive *x) {
  for (int k = 0; k < x->d->outputs.len; k++)
    if (output_type(x, k).rank) return false;
  return true;
}

static Atoms jacobian(Derive *x) {
  bool by_outputs = prefers_reverse(x);
  Sides s = sides_of(x, by_outputs);
  Atoms seeds = {0}, parts = {0}, results = {0};
  Atom from = atom_i64(0);
  for (int i = 0; i < s.in.len; i++) {
    list_push(x->arena, &seeds, identity_part(x, s.in.at[i], s.rows, from));
    from = build_op(&x->b, OP_ADD, from, count_of(x, s.in.at[i]));
  }
  Atoms shape = atoms_of(x->arena, 1, &s.rows);
  Lambda *fn = primal(x, &x->b, false);
  Atoms args = inputs_given(x);
  Exp exp = by_outputs ? (Exp){.form = FORM_VJP, .vjp = {shape, fn, args, seeds}}
                       : (Exp){.form = FORM_JVP, .jvp = {shape, fn, args, seeds}};
  Atoms all = build_all(x, &x->b, exp);
  int values = x->d->outputs.len;
  for (int i = 0; i < s.out.len; i++) {
    Atom part = with_columns(x, all.at[values + i], s.out.at[i], s.rows);
    list_push(x->arena, &parts, numbers_as(&x->b, x->arena, part, 2, jacobian_prim(x)));
  }
  Atom m = columns_joined(x, parts, s.rows, s.columns);
  if (!by_outputs) m = build_rearrange(&x->b, m, (int[]){1, 0});
  for (int i = 0; i < values; i++) list_push(x->arena, &results, all.at[i]);
  Atom n = build_op(&x->b, OP_MUL, s.rows, s.columns);
  Type t = type_array(x->arena, type_scalar(atom_type(x->prog, m).prim), n);
  Exp flat = {.form = FORM_RESHAPE, .reshape = {m, atoms_of(x->arena, 1, &n)}};
  list_push(x->arena, &results, build_copy(&x->b, build(&x->b, "jacobian", t, flat)));
  return results;
}

// ---- results ------------------------------------------------------------------------------------
static void result_add(Derive *x, Atom a) {
  Type t = atom_type(x->prog, a);
  t.unique = false;
  list_push(x->arena, &x->fn->results, var_new(x->prog, "result", t));
  list_push(x->arena, &x->fn->body.results, a);
}

static int others_count(const Derive *x) {
  int n = 0;
  for (int i = 0; i < x->of->results.len; i++) n += !is_chosen(x, i);
  return n;
}

// Values of all that the function writes: of the outputs, and the other results, which another call
// computes if they are not given.
static void values_add(Derive *x, Atoms outputs, Atoms others) {
  if (others_count(x) > others.len) others = other_results(x, &x->b, call(x, &x->b, x->params));
  for (int i = 0, next = 0; i < x->of->results.len; i++) {
    Atom a = is_chosen(x, i) ? (Atom){0} : others.at[next++];
    for (int k = 0; k < x->d->outputs.len; k++)
      if (leaf_of(x, x->d->outputs.at[k])->out == i) a = outputs.at[k];
    result_add(x, a);
  }
}

// Its size comes first.
static void jacobian_add(Derive *x, Atoms all) {
  Atom matrix = all.at[all.len - 1];
  Type t = atom_type(x->prog, matrix);
  result_add(x, t.dims[0]);
  Atom size = atom_var(x->fn->results.at[0]);
  values_add(x, atoms_slice(all, 0, all.len - 1), (Atoms){0});
  t.dims = arena_copy(x->arena, &size, sizeof size);
  list_push(x->arena, &x->fn->results, var_new(x->prog, "jacobian", t));
  list_push(x->arena, &x->fn->body.results, matrix);
}

static Atoms mode_results(Derive *x) {
  switch (x->d->mode) {
    case CDERIVE_VALUE: return (Atoms){0};
    case CDERIVE_GRAD: return reverse_whole(x, ones(x));
    case CDERIVE_VJP: return reverse_whole(x, x->more);
    case CDERIVE_JVP: return forward_whole(x);
    case CDERIVE_JAC: return jacobian(x);
    case CDERIVE_HVP: return second(x);
  }
  return (Atoms){0};
}

static void results_make(Derive *x) {
  Atoms all = mode_results(x);
  if (x->d->mode == CDERIVE_VALUE) {
    Atoms values = call(x, &x->b, x->params);
    for (int i = 0; i < values.len; i++) result_add(x, values.at[i]);
    return;
  }
  int n = x->d->outputs.len, in = x->d->inputs.len;
  if (x->d->mode == CDERIVE_JAC) {
    jacobian_add(x, all);
    return;
  }
  if (x->d->mode != CDERIVE_HVP) {
    int others = others_count(x);
    values_add(x, atoms_slice(all, 0, n), atoms_slice(all, n, others));
    for (int i = n + others; i < all.len; i++) result_add(x, all.at[i]);
    return;
  }
  values_add(x, atoms_slice(all, 0, n), (Atoms){0});
  // value, gradients, their derivatives: that of the value is left out
  for (int i = 0; i < in; i++) result_add(x, all.at[n + i]);
  for (int i = 0; i < in; i++) result_add(x, all.at[n + in + n + i]);
}

// The size of an array of numbers whose length is a constant: then small arrays need no allocation.
static bool size_constant(const Derive *x, Var size, int64_t *n) {
  for (int i = 0; i < x->d->low->params.len; i++) {
    const CLoweredParam *p = &x->d->low->params.at[i];
    bool numbers = p->length && !p->one && ctype_is_scalar(p->var->type->base);
    for (int k = p->first; numbers && k < p->first + p->leaves; k++) {
      const CLoweredLeaf *leaf = leaf_of(x, k);
      if (leaf->way == LEAF_PLAIN && leaf->array && leaf->size.id == size.id)
        return cexpr_integer(p->length, n) && *n > 0;
    }
  }
  return false;
}

// The caller passes sizes that are constants, too.
static void params_make(Derive *x) {
  for (int i = 0; i < x->of->params.len; i++) {
    Var v = x->of->params.at[i];
    int64_t n;
    Atom a = param_new(x, var_info(x->prog, v)->base, type_here(x, var_type(x->prog, v)));
    if (size_constant(x, v, &n)) a = atom_i64(n);
    list_push(x->arena, &x->params, a);
  }
  bool vjp = x->d->mode == CDERIVE_VJP;
  bool moves = x->d->mode == CDERIVE_JVP || x->d->mode == CDERIVE_HVP;
  for (int k = 0; vjp && k < x->d->outputs.len; k++)
    list_push(x->arena, &x->more, param_new(x, "seed", output_type(x, k)));
  for (int k = 0; moves && k < x->d->inputs.len; k++)
    list_push(x->arena, &x->more, param_new(x, "dot", input_type(x, k)));
}

static void one_number(CProgram *p, const CDerived *d) {
  bool one = d->outputs.len == 1 && !d->low->leaves.at[d->outputs.at[0]].array;
  if (one || (d->mode != CDERIVE_GRAD && d->mode != CDERIVE_HVP)) return;
  diag_error(p->diag, d->low->source->at,
             "[c-head] `%s` has more than one output: a gradient is that of one number.",
             d->low->source->name);
  diag_hint(p->diag, "name it: -e \"%s(output)/(inputs)\"; or use --vjp, --jac",
            d->low->source->name);
  stop_now(STATUS_USER_ERROR);
}

void clower_derive(CProgram *p, CDerived *d, const CHead *head) {
  Derive x = {.d = d, .prog = d->low->prog, .arena = d->low->prog->arena, .of = d->low->fn};
  if (d->mode != CDERIVE_VALUE) head_resolve(p, d, head);
  one_number(p, d);
  x.fn = NEW(x.arena, Fn);
  x.fn->name = arena_printf(x.arena, "%s_entry", d->name);
  x.fn->loc = x.of->loc;
  x.b = builder_new(x.prog, &x.fn->body.stms);
  x.b.loc = x.of->loc;
  params_make(&x);
  results_make(&x);
  x.fn->entry = entry_info_sized(x.prog, x.fn, d->name, 0);
  list_push(x.arena, &x.prog->fns, x.fn);
}
