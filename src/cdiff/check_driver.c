// Check programs: a main that compares the derivatives of C functions with each other and with
// differences (rts/c_check.h).  Here is the part that depends on the function: its arguments as one
// vector, and calls of the function and of its derivatives.  Integers come from the command line,
// `n=50`; 3 otherwise.  A range of numbers does, too: `--range=2:3`.
//
//   dz_f_numbers          one member for each parameter, named like it
//   dz_f_all              arguments; seeds or directions; what derivatives go to
//   dz_f_put, dz_f_get    a vector into members, and back
#include "check_argument.h"
#include "values/embed.h"

static bool returns_number(const Check *c) { return ctype_is_float(c->source->type->base); }

// ---- pieces of text -----------------------------------------------------------------------------
// `$` is the argument's name, `@` its type, `#` its number, `~` the function.  The program's own
// names begin with dz_.
static void emit(const Check *c, const CheckArgument *a, const char *template) {
  for (const char *s = template; *s; s++) {
    if (*s == '$') text_puts(c->out, a->name);
    else if (*s == '@') text_puts(c->out, a->type);
    else if (*s == '#') text_printf(c->out, "%d", (int)(a - c->arguments.at));
    else if (*s == '~') text_puts(c->out, c->source->name);
    else text_putc(c->out, *s);
  }
}

static const CheckArgument *argument_of(const Check *c, const CheckPart *part) {
  return &c->arguments.at[part->argument];
}

static bool has_any(const Check *c, const CheckArgument *a, bool inputs) {
  bool found = false;
  for (int i = a->first; i < a->first + a->parts; i++)
    found |= inputs ? c->parts.at[i].input > 0 : c->parts.at[i].output > 0;
  return found;
}

static bool is_single(const Check *c, const CheckPart *part) {
  return argument_of(c, part)->tag == ARGUMENT_VALUE && part->many == 1;
}

// Number dz_i of the part, of the argument that `root` is.
static const char *place(const Check *c, const CheckPart *part, const char *root) {
  Arena *arena = c->p->arena;
  const CheckArgument *a = argument_of(c, part);
  bool memory = a->tag == ARGUMENT_MEMORY;
  if (part->pointer)
    return arena_printf(arena, "((%s *)%s%s%s)[dz_i]", part->type, root, memory ? "[0]" : "",
                        part->path);  // of const, perhaps
  if (memory && !a->record) return arena_printf(arena, "%s[dz_i]", root);
  if (part->many == 1)
    return arena_printf(arena, "%s%s%s", root, memory ? "[dz_i]" : "", part->path);
  if (!memory) return arena_printf(arena, "((%s *)&%s%s)[dz_i]", part->type, root, part->path);
  return arena_printf(arena, "((%s *)&%s[dz_i / %lld]%s)[dz_i %% %lld]", part->type, root,
                      (long long)part->many, part->path, (long long)part->many);
}

static const char *in_group(const Check *c, const CheckPart *part, const char *group) {
  const char *root = arena_printf(c->p->arena, "%s%s", group, argument_of(c, part)->name);
  return place(c, part, root);
}

// for each number of the part
static void each_put(const Check *c, const CheckPart *part) {
  text_puts(c->out, "  ");
  if (!is_single(c, part))
    text_printf(c->out, "for (long dz_i = 0; dz_i < dz->count[%d]; dz_i++) ",
                (int)(part - c->parts.at));
}

static void types_put(const Check *c) {
  emit(c, NULL, "\ntypedef struct {\n");
  for (int i = 0; i < c->arguments.len; i++) {
    const CheckArgument *a = &c->arguments.at[i];
    if (a->tag != ARGUMENT_NONE) emit(c, a, a->tag == ARGUMENT_MEMORY ? "  @ *$;\n" : "  @ $;\n");
  }
  text_printf(c->out, "  char dz_end;\n} dz_%s_numbers;\n", c->source->name);
  emit(c, NULL, "typedef struct {\n  dz_~_numbers at[4];\n");
  text_printf(c->out, "  long size[%d], count[%d], last;\n} ", c->arguments.len + 1,
              c->parts.len + 1);
  emit(c, NULL, "dz_~_all;\n");
}

// Integers are copied from the last group, which keeps those of the point.
static void copies_put(const Check *c) {
  emit(c, NULL, "\nstatic void dz_~_put(const dz_~_all *dz, dz_~_numbers *to, const double *from) "
                "{\n  (void)dz, (void)to, (void)from;\n");
  for (int i = 0; i < c->parts.len; i++) {
    const CheckPart *part = &c->parts.at[i];
    if (!part->real && argument_of(c, part)->tag == ARGUMENT_VALUE) continue;
    each_put(c, part);
    text_printf(c->out, "%s = ", in_group(c, part, "to->"));
    if (part->real) text_printf(c->out, "(%s)*from++;\n", part->type);
    else text_printf(c->out, "%s;\n", in_group(c, part, "dz->at[3]."));
  }
  emit(c, NULL, "}\n\nstatic void dz_~_get(const dz_~_all *dz, const dz_~_numbers *of, double *to) "
                "{\n  (void)dz, (void)of;\n");
  for (int i = 0; i < c->parts.len; i++) {
    if (!c->parts.at[i].real) continue;
    each_put(c, &c->parts.at[i]);
    text_printf(c->out, "*to++ = %s;\n", in_group(c, &c->parts.at[i], "of->"));
  }
  emit(c, NULL, "  *to = 0;\n}\n");
}

// ---- calls --------------------------------------------------------------------------------------
static void primal_put(const Check *c, const CheckArgument *a) {
  if (a != c->arguments.at) text_puts(c->out, ", ");
  if (a->tag == ARGUMENT_NONE) text_puts(c->out, "NULL");
  else emit(c, a, a->nested ? "(void *)dz->at[0].$" : "dz->at[0].$");
}

// A derivative of the argument; in group `at`.  by_value: numbers are, else their addresses.
static void derivative_put(const Check *c, const CheckArgument *a, int at, bool by_value) {
  const char *cast = a->nested ? "(void *)" : a->tag == ARGUMENT_VALUE && !by_value ? "&" : "";
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
  primals_put(c, c->called);
  emit(c, NULL, ");\n  dz_~_get(dz, &dz->at[0], y);\n");
  text_puts(c->out, returns_number(c) ? "  y[dz->last] = dz_value;\n}\n" : "}\n");
}

// ---- derivatives by source transformation: those of structs have types of their own -------------
static void shadow_before(const Check *c, Derived *f, const CheckArgument *a) {
  const char *t = check_type_text(c->p->arena, shadow_type(f->d, check_element(a->v->type)));
  bool memory = a->tag == ARGUMENT_MEMORY;
  text_printf(c->out, memory ? "  %s *dz_%s_shadow = " : "  %s dz_%s_shadow;\n", t, a->name);
  if (memory) emit(c, a, "dz_block(dz->size[#], sizeof *dz_$_shadow);\n");
  for (int i = a->first; i < a->first + a->parts; i++) {
    const CheckPart *part = &c->parts.at[i];
    const char *root = arena_printf(c->p->arena, "dz_%s_shadow", a->name);
    if (!part->real) continue;
    if (part->pointer) {
      const char *at = memory ? "[0]" : "";
      text_printf(c->out, "  %s%s%s = dz->at[1].%s%s%s;\n", root, at, part->path, a->name, at,
                  part->path);
      continue;
    }
    each_put(c, part);
    text_printf(c->out, "%s = %s;\n", place(c, part, root), in_group(c, part, "dz->at[1]."));
  }
}

static void shadow_after(const Check *c, const CheckArgument *a) {
  const char *root = arena_printf(c->p->arena, "dz_%s_shadow", a->name);
  for (int i = a->first; i < a->first + a->parts; i++) {
    const CheckPart *part = &c->parts.at[i];
    if (!part->real || part->pointer) continue;
    each_put(c, part);
    text_printf(c->out, "%s = %s;\n", in_group(c, part, "dz->at[1]."), place(c, part, root));
  }
  if (a->tag == ARGUMENT_MEMORY) text_printf(c->out, "  free(%s);\n", root);
}

static void transformed_call(const Check *c, Derived *f, bool adjoint) {
  text_printf(c->out, "%s(", f->name);
  for (int i = 0; i < c->arguments.len; i++) {
    const CheckArgument *a = &c->arguments.at[i];
    primal_put(c, a);
    if (!(adjoint ? a->in_adjoint : a->in_tangent)) continue;
    const char *address = adjoint && a->tag == ARGUMENT_VALUE ? "&" : "";
    if (a->record) text_printf(c->out, ", %sdz_%s_shadow", address, a->name);
    else derivative_put(c, a, 1, !adjoint);
  }
}

static void shadows_put(const Check *c, Derived *f, bool adjoint, bool before) {
  for (int i = 0; i < c->arguments.len; i++) {
    const CheckArgument *a = &c->arguments.at[i];
    if (!a->record || !(adjoint ? a->in_adjoint : a->in_tangent)) continue;
    if (before) shadow_before(c, f, a);
    else shadow_after(c, a);
  }
}

static void tangent_put(const Check *c) {
  if (!c->tangent) return;
  bool result = c->tangent->result_active;
  emit(c, NULL, "\nstatic void dz_~_tangent(void *arguments, const double *x, const double *d, "
                "double *yd) {\n  dz_~_all *dz = arguments;\n"
                "  dz_~_put(dz, &dz->at[0], x), dz_~_put(dz, &dz->at[1], d);\n");
  const char *type = check_type_text(c->p->arena, c->source->type->base);
  shadows_put(c, c->tangent, false, true);
  if (result) text_printf(c->out, "  %s dz_value = 0;\n  const double dz_dot = ", type);
  else text_puts(c->out, "  ");
  transformed_call(c, c->tangent, false);
  if (result && c->arguments.len) text_puts(c->out, ", ");
  emit(c, NULL, result ? "&dz_value);\n" : ");\n");
  shadows_put(c, c->tangent, false, false);
  emit(c, NULL, "  dz_~_get(dz, &dz->at[1], yd);\n");
  text_puts(c->out, result ? "  yd[dz->last] = dz_dot;\n}\n" : "}\n");
}

// Adjoints of inputs that are no outputs are overwritten.
static void adjoint_put(const Check *c) {
  if (!c->adjoint) return;
  emit(c, NULL, "\nstatic void dz_~_adjoint(void *arguments, const double *x, const double *w, "
                "double *xb) {\n  dz_~_all *dz = arguments;\n"
                "  dz_~_put(dz, &dz->at[0], x), dz_~_put(dz, &dz->at[1], w);\n");
  for (int i = 0; i < c->parts.len; i++) {
    const CheckArgument *a = argument_of(c, &c->parts.at[i]);
    if (!c->parts.at[i].real || !a->in_adjoint || has_any(c, a, false)) continue;
    each_put(c, &c->parts.at[i]);
    text_printf(c->out, "%s = NAN;\n", in_group(c, &c->parts.at[i], "dz->at[1]."));
  }
  shadows_put(c, c->adjoint, true, true);
  text_puts(c->out, "  ");
  transformed_call(c, c->adjoint, true);
  const char *comma = c->arguments.len ? ", " : "";
  if (c->adjoint->result_active)
    text_printf(c->out, "%s(%s)w[dz->last]", comma,
                check_type_text(c->p->arena, c->source->type->base));
  text_puts(c->out, ");\n");
  shadows_put(c, c->adjoint, true, false);
  emit(c, NULL, "  dz_~_get(dz, &dz->at[1], xb);\n}\n");
}

// ---- the function through core, with the parameters that clower/wrapper.c gives it --------------
static void group_put(const Check *c, bool inputs, int at, bool by_value) {
  for (int i = 0; i < c->arguments.len; i++) {
    const CheckArgument *a = &c->arguments.at[i];
    if (has_any(c, a, inputs)) derivative_put(c, a, at, by_value);
  }
}

static void fast_arguments(const Check *c) {
  CCheckMode mode = c->check->fast->mode;
  bool moves = mode == CCHECK_JVP || mode == CCHECK_HVP, result = c->result;
  if (mode == CCHECK_VJP && result)
    text_printf(c->out, ", (%s)seed[dz->last]",
                check_type_text(c->p->arena, c->source->type->base));
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
  const char *type = check_type_text(c->p->arena, returned);
  if (returned->tag != CTYPE_VOID) text_printf(c->out, "  %s dz_value = 0;\n", type);
  if (c->check->fast->mode == CCHECK_JVP && c->result)
    text_printf(c->out, "  %s dz_dot = 0;\n", type);
  if (c->check->fast->mode == CCHECK_JAC)
    text_printf(c->out, "  const long dz_many = (dz->last + 1) * (dz->last + 1);\n"
                "  %s *dz_matrix = dz_block(dz_many, sizeof *dz_matrix);\n", 
                check_type_text(c->p->arena, c->check->fast->numbers));
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
// INFINITY is of type float, and exact.
static bool is_float_used(const CExpr *e, void *state) {
  bool *found = state;
  double number;
  if (e->type && ctype_is_float(e->type) && cexpr_number(e, &number)) return false;
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
        cstmt_visit(item->function->body, NULL, is_float_used, &found);
    }
  return found;
}

static void integers_put(const Check *c, const CheckPart *part) {
  const CheckArgument *a = argument_of(c, part);
  bool one = part->many == 1 && a->record && !part->pointer;
  text_puts(c->out, "  for (int dz_k = 0; dz_k < 4; dz_k++)\n  ");
  each_put(c, part);
  text_printf(c->out, "%s = (%s)", in_group(c, part, "dz->at[dz_k]."), part->type);
  text_printf(c->out, one ? "dz_integer(argc, argv, \"%s%s\");\n"
                          : "dz_index(argc, argv, \"%s%s\", dz_i);\n", a->name, part->path);
}

static void memory_put(const Check *c, const CheckArgument *a) {
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

// Named as in lengths.
static void named_put(const Check *c, const CheckArgument *a) {
  if (!a->record && (a->tag != ARGUMENT_MEMORY || a->real)) return;
  emit(c, a, a->tag == ARGUMENT_MEMORY ? "  const @ *const $ = dz->at[0].$;\n  (void)$;\n"
                                       : "  const @ $ = dz->at[0].$;\n  (void)$;\n");
}

// Numbers that pointers in a struct lead to; their lengths may be those of its other members.
static void pointed_put(const Check *c, const CheckArgument *a) {
  for (int i = a->first; i < a->first + a->parts; i++) {
    const CheckPart *part = &c->parts.at[i];
    if (!part->pointer) continue;
    text_printf(c->out, "  dz->count[%d] = ", i);
    cexpr_print(c->out, part->length);
    text_printf(c->out, ";\n  for (int dz_k = 0; dz_k < 4; dz_k++) dz->at[dz_k].%s%s%s = dz_block("
                "dz->count[%d], sizeof(%s));\n", a->name, a->tag == ARGUMENT_MEMORY ? "[0]" : "",
                part->path, i, part->type);
    if (!part->real) integers_put(c, part);
  }
}

static void parts_sizes_put(const Check *c, const CheckArgument *a) {
  for (int i = a->first; i < a->first + a->parts; i++) {
    const CheckPart *part = &c->parts.at[i];
    if (part->pointer) continue;
    text_printf(c->out, "  dz->count[%d] = ", i);
    if (a->tag == ARGUMENT_MEMORY) emit(c, a, "dz->size[#] * ");
    text_printf(c->out, "%lld;\n", (long long)part->many);
    bool made = a->record || a->tag == ARGUMENT_MEMORY;
    if (!part->real && made) integers_put(c, part);
  }
}

static bool has_fixed_length(const CheckArgument *a) {
  int64_t n;
  return a->tag != ARGUMENT_MEMORY || (cexpr_integer(a->length, &n) && n >= 0);
}

// A length may be an integer in memory: arguments of constant length are made before the others.
static void sizes_put(const Check *c) {
  for (int i = 0; i < c->arguments.len; i++) {
    const CheckArgument *a = &c->arguments.at[i];
    if (a->tag == ARGUMENT_VALUE && !a->record && !a->real)
      emit(c, a, "  const @ $ = (@)dz_integer(argc, argv, \"$\");\n  (void)$;\n"
                 "  for (int dz_k = 0; dz_k < 4; dz_k++) dz->at[dz_k].$ = $;\n");
  }
  for (int i = 0; i < 2 * c->arguments.len; i++) {
    const CheckArgument *a = &c->arguments.at[i % c->arguments.len];
    if (a->tag == ARGUMENT_NONE || has_fixed_length(a) != (i < c->arguments.len)) continue;
    if (a->tag == ARGUMENT_MEMORY) memory_put(c, a);
    parts_sizes_put(c, a);
    named_put(c, a);
  }
  for (int i = 0; i < c->arguments.len; i++) pointed_put(c, &c->arguments.at[i]);
}

static void frees_put(const Check *c) {
  for (int i = 0; i < c->parts.len; i++) {
    const CheckPart *part = &c->parts.at[i];
    const CheckArgument *a = argument_of(c, part);
    if (part->pointer)
      text_printf(c->out, "  for (int dz_k = 0; dz_k < 4; dz_k++) free(dz->at[dz_k].%s%s%s);\n",
                  a->name, a->tag == ARGUMENT_MEMORY ? "[0]" : "", part->path);
  }
  for (int i = 0; i < c->arguments.len; i++)
    if (c->arguments.at[i].tag == ARGUMENT_MEMORY)
      emit(c, &c->arguments.at[i],
           "  for (int dz_k = 0; dz_k < 4; dz_k++) free(dz->at[dz_k].$);\n");
}

static int parts_put(const Check *c) {
  int n = 1;
  text_puts(c->out, "  const dz_part dz_parts[] = {\n");
  for (int i = 0; i < c->parts.len; i++) {
    const CheckPart *part = &c->parts.at[i];
    if (!part->real) continue;
    const CheckArgument *a = argument_of(c, part);
    text_printf(c->out, "      {\"%s%s\", dz->count[%d], %d, %d, %d, %d},\n", a->name, part->path,
                i, is_single(c, part), part->input, part->output, has_any(c, a, true));
    n++;
  }
  text_printf(c->out, "      {\"%s\", 1, 1, 0, %d, 0}};\n", c->source->name, c->result);
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
  frees_put(c);
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

// A static function is called by another one, in a file that has both.
static const char *called_name(CProgram *p, const CCheck *check, const CFunction *f) {
  if (!f->is_static) return f->name;
  if (!check->with_statics)
    cflow_gap(p->diag, f->at, "[c-unsupported] A check cannot call `%s`: it is static.", f->name);
  return arena_printf(p->arena, "dz_static_%s", f->name);
}

static CFunction caller_of(const CFunction *f, const char *name) {
  CFunction r = *f;
  r.name = name;
  r.is_static = r.is_inline = false;
  return r;
}

const char *cdiff_check_static(CProgram *p, const CFunction *f, const char *path) {
  Text out = {0};
  CFunction caller = caller_of(f, arena_printf(p->arena, "dz_static_%s", f->name));
  text_printf(&out, "#include \"%s\"\n", path);
  cfunction_head_print(&out, &caller);
  text_puts(&out, ";\n");
  cfunction_head_print(&out, &caller);
  text_printf(&out, " {\n  %s%s(", f->type->base->tag == CTYPE_VOID ? "" : "return ", f->name);
  for (int i = 0; i < f->params.len; i++)
    text_printf(&out, "%s%s", i ? ", " : "", f->params.at[i]->name);
  text_puts(&out, ");\n}\n");
  const char *text = arena_strdup(p->arena, out.at);
  text_free(&out);
  return text;
}

static void includes_put(CProgram *p, const CCheck *check, Text *out) {
  uint64_t done = 0;
  text_printf(out, "/* Made by Dagaz from %s: do its derivatives agree? */\n",
              p->units.at[0]->path);
  if (check->fast) text_printf(out, "#include \"%s.h\"\n", check->fast->name);
  if (check->tangents) text_printf(out, "#include \"%s_d.h\"\n", check->base);
  if (check->adjoints) text_printf(out, "#include \"%s_b.h\"\n", check->base);
  rts_paste(out, "c_check.h", &done);
  text_puts(out, "\n// ---- the functions\n");
}

static void head_check(CProgram *p, const CCheck *check, int i, Text *out) {
  Check c = {.p = p, .check = check, .source = source_of(check, i), .out = out};
  c.called = called_name(p, check, c.source);
  if (check->tangents) c.tangent = check->tangents->heads.at[i];
  if (check->adjoints) c.adjoint = check->adjoints->heads.at[i];
  check_arguments(&c);
  c.result = check_result_rank(&c);
  CFunction called = caller_of(c.source, c.called);
  cfunction_head_print(out, &called);
  text_puts(out, ";\n");
  function_put(&c);
}

const char *cdiff_check_program(CProgram *p, const CCheck *check) {
  Text out = {0};
  includes_put(p, check, &out);
  for (int i = 0; i < heads_of(check); i++) head_check(p, check, i, &out);
  text_puts(&out, "\n#undef main\nint main(int argc, char **argv) {\n  int wrong = 0;\n"
                  "  (void)dz_integer, (void)dz_index, (void)dz_block;\n");
  for (int i = 0; i < heads_of(check); i++)
    text_printf(&out, "  wrong |= dz_check_%s(argc, argv);\n", source_of(check, i)->name);
  text_puts(&out, "  puts(wrong ? \"they disagree\" : \"they agree\");\n  return wrong;\n}\n");
  const char *text = arena_strdup(p->arena, out.at);
  text_free(&out);
  return text;
}
