// Check programs: a main that compares the derivatives of C functions with each other and with
// differences (rts/c_check.h).  Here is the part that depends on the function: its arguments as one
// vector, and calls of the function and of its derivatives.  Integers come from the command line,
// `n=50`; 3 otherwise.  A range of numbers does, too: `--range=2:3`.
//
//   dz_f_numbers          one member for each parameter, named like it
//   dz_f_all              arguments; seeds or directions; what derivatives go to
//   dz_f_put, dz_f_get    a vector into members, and back
#include "sweep.h"
#include "values/embed.h"

typedef enum { ARGUMENT_INTEGER, ARGUMENT_NUMBER, ARGUMENT_NUMBERS, ARGUMENT_INTEGERS } ArgumentTag;
typedef struct {
  const CVar *v;
  const char *name, *type;       // type: of the number or the elements
  ArgumentTag tag;
  const CExpr *length;
  bool nested;                   // an array of arrays
  int input, output;             // which of the inputs, of the outputs, from 1 on; 0: none
  bool in_tangent, in_adjoint;   // has a derivative there
} Argument;
typedef struct {
  CProgram *p;
  const CCheck *check;
  const CFunction *source;
  Derived *tangent, *adjoint;    // NULL: none
  LIST(Argument) arguments;
  int result;                    // as output of an Argument
  Text *out;
} Check;

static const char *text_of_type(Arena *arena, const CType *t) {
  Text text = {0};
  ctype_print(&text, ctype_plain(arena, t), "");
  const char *s = arena_strdup(arena, text.at);
  text_free(&text);
  return s;
}

// ---- arguments ----------------------------------------------------------------------------------
static bool in_set(Derived *f, const CVar *v, const ObjSet *set) {
  int obj = cflow_var(f->flow, v);
  ObjSet places = v->type->tag == CTYPE_POINTER ? f->flow->targets.at[obj] : (ObjSet){{0}};
  if (v->type->tag != CTYPE_POINTER) set_add(&places, obj);
  return set_meets(&places, set);
}

// Which of a list, from 1 on; 0: none.  NULL is the returned value.
static int rank_in(const CCheckPlaces *list, const CVar *v) {
  for (int i = 0; i < list->len; i++)
    if (list->at[i] == v) return i + 1;
  return 0;
}

static const CType *element_of(const CType *t) {
  if (t->tag == CTYPE_POINTER) t = t->base;
  t = ctype_element(t);
  return t;
}

static const CExpr *length_of(Check *c, const CVar *v) {
  const CExpr *e = cdiff_length_known(c->p, &c->check->lengths, c->source, v);
  if (!e) cdiff_length_refuse(c->p, v);
  return e->tag == CE_BINARY ? cbuild_convert(c->p->arena, e, &ctype_long) : e;
}

static void ranks_find(Check *c, Argument *a, bool pointer) {
  const CCheckFast *fast = c->check->fast;
  Derived *f = c->tangent ? c->tangent : c->adjoint;
  if (fast) {
    a->input = rank_in(&fast->inputs, a->v);
    a->output = rank_in(&fast->outputs, a->v);
  } else if (f) {
    a->input = in_set(f, a->v, &f->given);
    a->output = pointer && in_set(f, a->v, &f->wanted);
  }
}

static Argument argument_of(Check *c, int i) {
  CVar *v = c->source->params.at[i];
  const CType *t = v->type, *element = element_of(t);
  Argument a = {.v = v, .name = v->name, .type = text_of_type(c->p->arena, element)};
  bool real = ctype_is_float(element), whole = ctype_is_integer(element);
  if (!real && !whole)
    cflow_gap(c->p->diag, v->at, "[c-unsupported] A check cannot make up a value of `%s`.",
              v->name);
  bool pointer = t->tag == CTYPE_POINTER;
  a.tag = pointer ? real ? ARGUMENT_NUMBERS : ARGUMENT_INTEGERS
                  : real ? ARGUMENT_NUMBER : ARGUMENT_INTEGER;
  a.nested = pointer && t->base->tag == CTYPE_ARRAY;
  if (pointer) a.length = length_of(c, v);
  if (real) ranks_find(c, &a, pointer);
  a.in_tangent = c->tangent && derived_param_active(c->tangent, i);
  a.in_adjoint = c->adjoint && derived_param_active(c->adjoint, i) &&
      !adjoint_inside_only(c->adjoint, i);
  return a;
}

static int result_rank(const Check *c) {
  if (c->check->fast) return rank_in(&c->check->fast->outputs, NULL);
  return c->tangent ? c->tangent->result_active : c->adjoint && c->adjoint->result_active;
}

static bool returns_number(const Check *c) { return ctype_is_float(c->source->type->base); }

// ---- pieces of text -----------------------------------------------------------------------------
// `$` is the argument's name, `@` its type, `#` its number, `~` the function.  The program's own
// names begin with dz_.
static void emit(const Check *c, const Argument *a, const char *template) {
  for (const char *s = template; *s; s++) {
    if (*s == '$') text_puts(c->out, a->name);
    else if (*s == '@') text_puts(c->out, a->type);
    else if (*s == '#') text_printf(c->out, "%d", (int)(a - c->arguments.at));
    else if (*s == '~') text_puts(c->out, c->source->name);
    else text_putc(c->out, *s);
  }
}

static void emit_each(const Check *c, ArgumentTag tag, const char *template) {
  for (int i = 0; i < c->arguments.len; i++)
    if (c->arguments.at[i].tag == tag) emit(c, &c->arguments.at[i], template);
}

#define EACH "for (long dz_i = 0; dz_i < dz->size[#]; dz_i++) "

static void types_put(const Check *c) {
  emit(c, NULL, "\ntypedef struct {\n");
  for (int i = 0; i < c->arguments.len; i++)
    emit(c, &c->arguments.at[i], c->arguments.at[i].length ? "  @ *$;\n" : "  @ $;\n");
  text_printf(c->out, "  char dz_end;\n} dz_%s_numbers;\n", c->source->name);
  emit(c, NULL, "typedef struct {\n  dz_~_numbers at[4];\n");
  text_printf(c->out, "  long size[%d], last;\n} ", c->arguments.len + 1);
  emit(c, NULL, "dz_~_all;\n");
}

static void copies_put(const Check *c) {
  emit(c, NULL, "\nstatic void dz_~_put(const dz_~_all *dz, dz_~_numbers *to, const double *from) "
                "{\n  (void)dz, (void)to, (void)from;\n");
  for (int i = 0; i < c->arguments.len; i++) {
    const Argument *a = &c->arguments.at[i];
    if (a->tag == ARGUMENT_NUMBER) emit(c, a, "  to->$ = (@)*from++;\n");
    if (a->tag == ARGUMENT_NUMBERS) emit(c, a, "  " EACH "to->$[dz_i] = (@)*from++;\n");
    if (a->tag == ARGUMENT_INTEGERS) emit(c, a, "  " EACH "to->$[dz_i] = 0;\n");
  }
  emit(c, NULL, "}\n\nstatic void dz_~_get(const dz_~_all *dz, const dz_~_numbers *of, double *to) "
                "{\n  (void)dz, (void)of;\n");
  for (int i = 0; i < c->arguments.len; i++) {
    const Argument *a = &c->arguments.at[i];
    if (a->tag == ARGUMENT_NUMBER) emit(c, a, "  *to++ = of->$;\n");
    if (a->tag == ARGUMENT_NUMBERS) emit(c, a, "  " EACH "*to++ = of->$[dz_i];\n");
  }
  emit(c, NULL, "  *to = 0;\n}\n");
}

// ---- calls --------------------------------------------------------------------------------------
static void primal_put(const Check *c, const Argument *a) {
  if (a != c->arguments.at) text_puts(c->out, ", ");
  emit(c, a, a->nested ? "(void *)dz->at[0].$" : "dz->at[0].$");
}

// A derivative of the argument; in group `at`.  by_value: numbers are, else their addresses.
static void derivative_put(const Check *c, const Argument *a, int at, bool by_value) {
  const char *cast = a->nested ? "(void *)" : a->tag == ARGUMENT_NUMBER && !by_value ? "&" : "";
  text_printf(c->out, ", %sdz->at[%d].%s", cast, at, a->name);
}

static void primals_put(const Check *c, const char *name) {
  text_printf(c->out, "%s(", name);
  for (int i = 0; i < c->arguments.len; i++) primal_put(c, &c->arguments.at[i]);
}

static void value_put(const Check *c) {
  emit(c, NULL, "\nstatic void dz_~_value(void *arguments, const double *x, double *y) {\n"
                "  dz_~_all *dz = arguments;\n  dz_~_put(dz, &dz->at[0], x);\n");
  text_puts(c->out, returns_number(c) ? "  const double dz_value = " : "  ");
  primals_put(c, c->source->name);
  emit(c, NULL, ");\n  dz_~_get(dz, &dz->at[0], y);\n");
  text_puts(c->out, returns_number(c) ? "  y[dz->last] = dz_value;\n}\n" : "}\n");
}

static void tangent_put(const Check *c) {
  if (!c->tangent) return;
  bool result = c->tangent->result_active;
  emit(c, NULL, "\nstatic void dz_~_tangent(void *arguments, const double *x, const double *d, "
                "double *yd) {\n  dz_~_all *dz = arguments;\n"
                "  dz_~_put(dz, &dz->at[0], x), dz_~_put(dz, &dz->at[1], d);\n");
  const char *type = text_of_type(c->p->arena, c->source->type->base);
  if (result) text_printf(c->out, "  %s dz_value = 0;\n  const double dz_dot = ", type);
  else text_puts(c->out, "  ");
  text_printf(c->out, "%s(", c->tangent->name);
  for (int i = 0; i < c->arguments.len; i++) {
    primal_put(c, &c->arguments.at[i]);
    if (c->arguments.at[i].in_tangent) derivative_put(c, &c->arguments.at[i], 1, true);
  }
  if (result && c->arguments.len) text_puts(c->out, ", ");
  emit(c, NULL, result ? "&dz_value);\n" : ");\n");
  emit(c, NULL, "  dz_~_get(dz, &dz->at[1], yd);\n");
  text_puts(c->out, result ? "  yd[dz->last] = dz_dot;\n}\n" : "}\n");
}

// Adjoints of inputs that are no outputs are overwritten.
static void adjoint_put(const Check *c) {
  if (!c->adjoint) return;
  emit(c, NULL, "\nstatic void dz_~_adjoint(void *arguments, const double *x, const double *w, "
                "double *xb) {\n  dz_~_all *dz = arguments;\n"
                "  dz_~_put(dz, &dz->at[0], x), dz_~_put(dz, &dz->at[1], w);\n");
  for (int i = 0; i < c->arguments.len; i++) {
    const Argument *a = &c->arguments.at[i];
    if (!a->in_adjoint || a->output) continue;
    emit(c, a, a->length ? "  " EACH "dz->at[1].$[dz_i] = NAN;\n" : "  dz->at[1].$ = NAN;\n");
  }
  text_printf(c->out, "  %s(", c->adjoint->name);
  for (int i = 0; i < c->arguments.len; i++) {
    primal_put(c, &c->arguments.at[i]);
    if (c->arguments.at[i].in_adjoint) derivative_put(c, &c->arguments.at[i], 1, false);
  }
  const char *comma = c->arguments.len ? ", " : "";
  if (c->adjoint->result_active)
    text_printf(c->out, "%s(%s)w[dz->last]", comma,
                text_of_type(c->p->arena, c->source->type->base));
  emit(c, NULL, ");\n  dz_~_get(dz, &dz->at[1], xb);\n}\n");
}

// ---- the function through core, with the parameters that clower/wrapper.c gives it --------------
static void group_put(const Check *c, bool inputs, int at, bool by_value) {
  for (int i = 0; i < c->arguments.len; i++) {
    const Argument *a = &c->arguments.at[i];
    if (inputs ? a->input : a->output) derivative_put(c, a, at, by_value);
  }
}

static const char *output_type(const Check *c) {
  const CVar *v = c->check->fast->outputs.at[0];
  return text_of_type(c->p->arena, v ? element_of(v->type) : c->source->type->base);
}

static void fast_arguments(const Check *c) {
  CCheckMode mode = c->check->fast->mode;
  bool moves = mode == CCHECK_JVP || mode == CCHECK_HVP, result = c->result;
  if (mode == CCHECK_VJP && result)
    text_printf(c->out, ", (%s)seed[dz->last]",
                text_of_type(c->p->arena, c->source->type->base));
  if (mode == CCHECK_VJP) group_put(c, false, 1, true);
  if (moves) group_put(c, true, 1, true);
  if (c->source->type->base->tag != CTYPE_VOID) text_puts(c->out, ", &dz_value");
  if (mode == CCHECK_JVP && result) text_puts(c->out, ", &dz_dot");
  if (mode == CCHECK_JVP) group_put(c, false, 2, false);
  if (mode == CCHECK_GRAD || mode == CCHECK_VJP || mode == CCHECK_HVP)
    group_put(c, true, 2, false);
  if (mode == CCHECK_HVP) group_put(c, true, 3, false);
  if (mode == CCHECK_JAC) text_puts(c->out, ", dz_matrix");
}

// Before the call: what results go to is NaN.  After it: to vectors.
static void fast_before(const Check *c) {
  emit(c, NULL, "\nstatic int dz_~_fast(void *arguments, const double *x, const double *seed, "
                "double *y, double *to[2]) {\n  dz_~_all *dz = arguments;\n"
                "  dz_~_put(dz, &dz->at[0], x), dz_~_put(dz, &dz->at[1], seed);\n"
                "  dz_~_put(dz, &dz->at[2], to[1]), dz_~_put(dz, &dz->at[3], to[1]);\n");
  const CType *returned = c->source->type->base;
  const char *type = text_of_type(c->p->arena, returned);
  if (returned->tag != CTYPE_VOID) text_printf(c->out, "  %s dz_value = 0;\n", type);
  if (c->check->fast->mode == CCHECK_JVP && c->result)
    text_printf(c->out, "  %s dz_dot = 0;\n", type);
  if (c->check->fast->mode == CCHECK_JAC)
    text_printf(c->out, "  const long dz_many = (dz->last + 1) * (dz->last + 1);\n"
                "  %s *dz_matrix = dz_block(dz_many, sizeof *dz_matrix);\n", output_type(c));
}

static void fast_after(const Check *c) {
  CCheckMode mode = c->check->fast->mode;
  emit(c, NULL, "  dz_~_get(dz, &dz->at[0], y);\n");
  if (returns_number(c)) text_puts(c->out, "  y[dz->last] = dz_value;\n");
  if (mode == CCHECK_JAC)
    text_puts(c->out, "  for (long dz_i = 0; dz_i < dz_many; dz_i++) to[0][dz_i] = "
                      "dz_matrix[dz_i];\n  free(dz_matrix);\n");
  else emit(c, NULL, "  dz_~_get(dz, &dz->at[2], to[0]), dz_~_get(dz, &dz->at[3], to[1]);\n");
  if (mode == CCHECK_JVP && c->result) text_puts(c->out, "  to[0][dz->last] = dz_dot;\n");
  text_printf(c->out, "  if (dz_failed) printf(\"  %%s\", %s_message());\n  return dz_failed;\n}\n",
              c->check->fast->name);
}

static void fast_put(const Check *c) {
  if (!c->check->fast) return;
  fast_before(c);
  text_puts(c->out, "  const int dz_failed = ");
  primals_put(c, c->check->fast->name);
  Text more = {0};
  Check rest = *c;
  rest.out = &more;
  fast_arguments(&rest);
  text_puts(c->out, more.at ? c->arguments.len ? more.at : more.at + 2 : "");
  text_puts(c->out, ");\n");
  text_free(&more);
  fast_after(c);
}

// ---- the check of one function ------------------------------------------------------------------
static bool is_single(const CExpr *e, void *state) {
  bool *found = state;
  *found |= e->type && e->type->tag == CTYPE_FLOAT;
  return true;
}

// Whether a function of the program computes with numbers of type float.
static bool has_single(const CProgram *p) {
  bool found = false;
  for (int u = 0; u < p->units.len; u++)
    for (int i = 0; i < p->units.at[u]->items.len; i++) {
      const CItem *item = &p->units.at[u]->items.at[i];
      if (item->tag == CITEM_FUNCTION && item->defines)
        cstmt_visit(item->function->body, NULL, is_single, &found);
    }
  return found;
}

static void sizes_put(const Check *c) {
  emit_each(c, ARGUMENT_INTEGER, "  const @ $ = (@)dz_integer(argc, argv, \"$\");\n  (void)$;\n"
            "  for (int dz_k = 0; dz_k < 4; dz_k++) dz->at[dz_k].$ = $;\n");
  for (int i = 0; i < c->arguments.len; i++) {
    const Argument *a = &c->arguments.at[i];
    if (!a->length) continue;
    emit(c, a, "  dz->size[#] = ");
    cexpr_print(c->out, a->length);
    for (const CType *t = a->v->type->base; t->tag == CTYPE_ARRAY; t = t->base) {
      text_puts(c->out, " * (");
      cexpr_print(c->out, t->length);
      text_putc(c->out, ')');
    }
    emit(c, a, ";\n  for (int dz_k = 0; dz_k < 4; dz_k++) dz->at[dz_k].$ = "
               "dz_block(dz->size[#], sizeof(@));\n");
  }
}

static int parts_put(const Check *c) {
  int n = 1;
  text_puts(c->out, "  const dz_part dz_parts[] = {\n");
  for (int i = 0; i < c->arguments.len; i++) {
    const Argument *a = &c->arguments.at[i];
    if (a->tag != ARGUMENT_NUMBER && a->tag != ARGUMENT_NUMBERS) continue;
    emit(c, a, a->length ? "      {\"$\", dz->size[#], 0" : "      {\"$\", 1, 1");
    text_printf(c->out, ", %d, %d},\n", a->input, a->output), n++;
  }
  text_printf(c->out, "      {\"%s\", 1, 1, 0, %d}};\n", c->source->name, c->result);
  text_printf(c->out, "  for (int dz_k = 0; dz_k < %d; dz_k++) dz->last += dz_parts[dz_k].size;\n",
              n - 1);
  return n;
}

static void string_put(Text *out, const char *s) {
  text_putc(out, '"');
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') text_putc(out, '\\');
    text_putc(out, *s);
  }
  text_putc(out, '"');
}

static void head_put(const Check *c, int parts) {
  static const char *const modes[] = {[CCHECK_NONE] = "DZ_NONE", [CCHECK_GRAD] = "DZ_GRAD",
                                      [CCHECK_JVP] = "DZ_JVP", [CCHECK_VJP] = "DZ_VJP",
                                      [CCHECK_JAC] = "DZ_JAC", [CCHECK_HVP] = "DZ_HVP"};
  const CCheckFast *fast = c->check->fast;
  emit(c, NULL, "  const dz_head dz_h = {\n      .name = \"~\", .part = dz_parts, "
                ".size = dz->last + 1, .arguments = dz,\n");
  text_printf(c->out, "      .parts = %d, .single = %d,\n", parts, has_single(c->p));
  emit(c, NULL, "      .value = dz_~_value,\n");
  if (c->tangent) emit(c, NULL, "      .tangent = dz_~_tangent,\n");
  if (c->adjoint) emit(c, NULL, "      .adjoint = dz_~_adjoint,\n");
  if (fast) emit(c, NULL, "      .fast = dz_~_fast,\n");
  if (fast) text_printf(c->out, "      .fast_name = \"%s\", .mode = %s,\n", fast->name,
                        modes[fast->mode]);
  if (c->check->note) {
    text_puts(c->out, "      .note = ");
    string_put(c->out, c->check->note);
    text_puts(c->out, ",\n");
  }
  text_puts(c->out, "  };\n  const int dz_wrong = dz_check_head(&dz_h, argc, argv);\n");
}

static void function_put(const Check *c) {
  types_put(c);
  copies_put(c);
  value_put(c);
  tangent_put(c);
  adjoint_put(c);
  fast_put(c);
  emit(c, NULL, "\nstatic int dz_check_~(int argc, char **argv) {\n"
                "  dz_~_all dz_all = {0}, *dz = &dz_all;\n");
  sizes_put(c);
  head_put(c, parts_put(c));
  for (int i = 0; i < c->arguments.len; i++)
    if (c->arguments.at[i].length)
      emit(c, &c->arguments.at[i],
           "  for (int dz_k = 0; dz_k < 4; dz_k++) free(dz->at[dz_k].$);\n");
  text_puts(c->out, "  return dz_wrong;\n}\n");
}

// ---- the program --------------------------------------------------------------------------------
static const CFunction *source_of(const CCheck *check, int head) {
  if (check->fast) return check->fast->source;
  const CDiffResult *r = check->tangents ? check->tangents : check->adjoints;
  return r->heads.at[head]->source;
}

static int heads_of(const CCheck *check) {
  const CDiffResult *r = check->tangents ? check->tangents : check->adjoints;
  return check->fast ? 1 : r->heads.len;
}

static void static_refused(CProgram *p, const CFunction *f) {
  if (!f->is_static) return;
  cflow_gap(p->diag, f->at, "[c-unsupported] A check cannot call `%s`: it is static.", f->name);
}

static void includes_put(CProgram *p, const CCheck *check, Text *out) {
  uint64_t done = 0;
  text_printf(out, "/* Made from %s: do its derivatives agree? */\n", p->units.at[0]->path);
  if (check->fast) text_printf(out, "#include \"%s.h\"\n", check->fast->name);
  if (check->tangents) text_printf(out, "#include \"%s_d.h\"\n", check->base);
  if (check->adjoints) text_printf(out, "#include \"%s_b.h\"\n", check->base);
  rts_paste(out, "c_check.h", &done);
  text_puts(out, "\n// ---- the functions\n");
}

static void head_check(CProgram *p, const CCheck *check, int i, Text *out) {
  Check c = {.p = p, .check = check, .source = source_of(check, i), .out = out};
  static_refused(p, c.source);
  if (check->tangents) c.tangent = check->tangents->heads.at[i];
  if (check->adjoints) c.adjoint = check->adjoints->heads.at[i];
  for (int k = 0; k < c.source->params.len; k++) {
    Argument a = argument_of(&c, k);
    list_push(p->arena, &c.arguments, a);
  }
  c.result = result_rank(&c);
  cfunction_head_print(out, c.source);
  text_puts(out, ";\n");
  function_put(&c);
}

const char *cdiff_check_program(CProgram *p, const CCheck *check) {
  Text out = {0};
  includes_put(p, check, &out);
  for (int i = 0; i < heads_of(check); i++) head_check(p, check, i, &out);
  text_puts(&out, "\n#undef main\nint main(int argc, char **argv) {\n  int wrong = 0;\n"
                  "  (void)dz_integer, (void)dz_block;\n");
  for (int i = 0; i < heads_of(check); i++)
    text_printf(&out, "  wrong |= dz_check_%s(argc, argv);\n", source_of(check, i)->name);
  text_puts(&out, "  puts(wrong ? \"they disagree\" : \"they agree\");\n  return wrong;\n}\n");
  const char *text = arena_strdup(p->arena, out.at);
  text_free(&out);
  return text;
}
