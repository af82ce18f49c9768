// The check program of `--context`: a main that compares, for each head, the tangent with
// differences of the function and the adjoint with the tangent, <w, yd> = <xb, xd>, for arguments
// from a fixed sequence of numbers.  Integers come from the command line, `n=50`; 3 otherwise.
#include "sweep.h"

typedef enum { ARGUMENT_INTEGER, ARGUMENT_NUMBER, ARGUMENT_NUMBERS, ARGUMENT_INTEGERS } ArgumentTag;
typedef struct {
  const CVar *v;
  const char *name, *type;   // type: of the number or the elements
  ArgumentTag tag;
  const CExpr *length;
  bool given, wanted, in_tangent, in_adjoint;  // the last: has a derivative there
} Argument;
typedef struct {
  Derived *tangent, *adjoint;
  LIST(Argument) arguments;
  Text *out;
} Check;

static const char prelude[] =
    "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
    "/* Arguments and directions: numbers between -1 and 1.  Replace it for others. */\n"
    "static double dz_number(void) {\n"
    "  static unsigned long long state = 88172645463325252u;\n"
    "  state ^= state << 13, state ^= state >> 7, state ^= state << 17;\n"
    "  return (double)(state >> 11) / 4503599627370496.0 - 1;\n}\n\n"
    "static long dz_integer(int argc, char **argv, const char *name) {\n"
    "  size_t len = strlen(name);\n"
    "  for (int i = 1; i < argc; i++)\n"
    "    if (strncmp(argv[i], name, len) == 0 && argv[i][len] == '=')\n"
    "      return strtol(argv[i] + len + 1, NULL, 10);\n"
    "  return 3;\n}\n\n"
    "static void *dz_block(long n, size_t size) {\n"
    "  void *p = n < 0 ? NULL : calloc((size_t)n + 1, size);\n"
    "  if (!p) fprintf(stderr, \"an array of %ld elements cannot be made\\n\", n), exit(1);\n"
    "  return p;\n}\n\n"
    "static int dz_report(const char *what, double got, double want, double tolerance) {\n"
    "  double scale = fabs(got) > fabs(want) ? fabs(got) : fabs(want);\n"
    "  double off = scale > 0 ? fabs(got - want) / scale : 0;\n"
    "  if (!isfinite(got) || !isfinite(want))\n"
    "    return printf(\"  %s: not a finite number; choose other arguments\\n\", what), 1;\n"
    "  printf(\"  %-24s %22.15g   relative difference %.0e\\n\", what, got, off);\n"
    "  return !(off <= tolerance || fabs(got - want) <= tolerance * 1e-3);\n}\n";

static const char *text_of_type(Arena *arena, const CType *t) {
  Text text = {0};
  ctype_print(&text, ctype_plain(arena, t), "");
  const char *s = arena_strdup(arena, text.at);
  text_free(&text);
  return s;
}

static bool in_set(Derived *f, const CVar *v, const ObjSet *set) {
  int obj = cflow_var(f->flow, v);
  ObjSet places = v->type->tag == CTYPE_POINTER ? f->flow->targets.at[obj] : (ObjSet){{0}};
  if (v->type->tag != CTYPE_POINTER) set_add(&places, obj);
  return set_meets(&places, set);
}

static Argument argument_of(Check *c, int i) {
  Derived *f = c->tangent;
  CVar *v = f->source->params.at[i];
  const CType *t = v->type, *element = t->tag == CTYPE_POINTER ? t->base : t;
  Argument a = {.v = v, .name = v->name, .type = text_of_type(f->d->arena, element)};
  bool real = ctype_is_float(element), whole = ctype_is_integer(element);
  if (!real && !whole)
    cflow_gap(f->d->p->diag, v->at, "[c-unsupported] --context cannot make up a value of `%s`.",
              v->name);
  bool pointer = t->tag == CTYPE_POINTER;
  a.tag = pointer ? real ? ARGUMENT_NUMBERS : ARGUMENT_INTEGERS
                  : real ? ARGUMENT_NUMBER : ARGUMENT_INTEGER;
  if (pointer) a.length = cdiff_length(f, v);
  a.given = in_set(f, v, &f->given);
  a.wanted = pointer && in_set(f, v, &f->wanted);
  a.in_tangent = derived_param_active(f, i);
  a.in_adjoint = derived_param_active(c->adjoint, i) && !adjoint_inside_only(c->adjoint, i);
  return a;
}

// ---- pieces of text -----------------------------------------------------------------------------
// `$` is the argument's name, `@` its type.  The program's own names begin with dz_.
static void emit(Text *out, const Argument *a, const char *template) {
  for (const char *s = template; *s; s++) {
    if (*s == '$') text_puts(out, a->name);
    else if (*s == '@') text_puts(out, a->type);
    else text_putc(out, *s);
  }
}

#define EACH "for (long dz_i = 0; dz_i < dz_$_n; dz_i++) "
#define BLOCK " = dz_block(dz_$_n, sizeof(@))"

static void declare(Text *out, const Argument *a) {
  switch (a->tag) {
    case ARGUMENT_INTEGER: emit(out, a, "  @ $ = (@)dz_integer(argc, argv, \"$\");\n"); return;
    case ARGUMENT_NUMBER:
      emit(out, a, "  @ $, dz_$_at = dz_number(), dz_$_dir = ");
      text_puts(out, a->given ? "dz_number();\n" : "0;\n");
      return;
    case ARGUMENT_NUMBERS: case ARGUMENT_INTEGERS:
      emit(out, a, "  long dz_$_n = ");
      cexpr_print(out, a->length);
      emit(out, a, ";\n  @ *$" BLOCK ";\n");
      if (a->tag == ARGUMENT_INTEGERS) return;
      emit(out, a, "  @ *dz_$_at" BLOCK ", *dz_$_dir" BLOCK ";\n"
                   "  @ *dz_$_der" BLOCK ", *dz_$_seed" BLOCK ";\n"
                   "  " EACH "dz_$_at[dz_i] = dz_number();\n");
      if (a->given) emit(out, a, "  " EACH "dz_$_dir[dz_i] = dz_number();\n");
      if (a->wanted) emit(out, a, "  " EACH "dz_$_seed[dz_i] = dz_number();\n");
      return;
  }
}

static void release(Text *out, const Argument *a) {
  if (a->length) emit(out, a, "  free($);\n");
  if (a->tag == ARGUMENT_NUMBERS)
    emit(out, a, "  free(dz_$_at), free(dz_$_dir), free(dz_$_der), free(dz_$_seed);\n");
}

// The arguments at x + dz_step d.
static void place_at(Check *c) {
  for (int i = 0; i < c->arguments.len; i++) {
    const Argument *a = &c->arguments.at[i];
    if (a->tag == ARGUMENT_NUMBER) emit(c->out, a, "    $ = dz_$_at + dz_step * dz_$_dir;\n");
    if (a->tag == ARGUMENT_NUMBERS)
      emit(c->out, a, "    " EACH "$[dz_i] = dz_$_at[dz_i] + dz_step * dz_$_dir[dz_i];\n");
  }
}

static void each_wanted(Check *c, const char *template) {
  for (int i = 0; i < c->arguments.len; i++)
    if (c->arguments.at[i].wanted) emit(c->out, &c->arguments.at[i], template);
}

// value = seed * returned + <seeds, outputs>
static void differences(Check *c) {
  Text *out = c->out;
  text_puts(out, "  double dz_values[5] = {0}, dz_steps[5] = {0, 1e-5, -1e-5, 5e-6, -5e-6};\n"
                 "  for (int dz_k = 0; dz_k < 5; dz_k++) {\n"
                 "    double dz_step = dz_steps[dz_k];\n");
  place_at(c);
  text_puts(out, c->tangent->result_active ? "    dz_values[dz_k] += dz_seed * " : "    ");
  text_printf(out, "%s(", c->tangent->source->name);
  for (int i = 0; i < c->arguments.len; i++)
    text_printf(out, "%s%s", i ? ", " : "", c->arguments.at[i].name);
  text_puts(out, ");\n");
  each_wanted(c, "    " EACH "dz_values[dz_k] += $[dz_i] * dz_$_seed[dz_i];\n");
  text_puts(out, "  }\n  double dz_far = (dz_values[1] - dz_values[2]) / 2e-5;\n"
                 "  double dz_near = (dz_values[3] - dz_values[4]) / 1e-5;\n");
}

static void run_tangent(Check *c) {
  Text *out = c->out;
  text_puts(out, "  double dz_tangent = 0, dz_value = 0, dz_step = 0;\n  {\n");
  place_at(c);
  for (int i = 0; i < c->arguments.len; i++)
    if (c->arguments.at[i].tag == ARGUMENT_NUMBERS)
      emit(out, &c->arguments.at[i], "    " EACH "dz_$_der[dz_i] = dz_$_dir[dz_i];\n");
  bool result = c->tangent->result_active;
  text_printf(out, "    %s%s(", result ? "dz_tangent += dz_seed * " : "", c->tangent->name);
  for (int i = 0; i < c->arguments.len; i++) {
    const Argument *a = &c->arguments.at[i];
    text_printf(out, "%s%s", i ? ", " : "", a->name);
    if (a->in_tangent) emit(out, a, a->tag == ARGUMENT_NUMBER ? ", dz_$_dir" : ", dz_$_der");
  }
  text_puts(out, result ? ", &dz_value);\n" : ");\n");
  each_wanted(c, "    " EACH "dz_tangent += dz_$_der[dz_i] * dz_$_seed[dz_i];\n");
  text_puts(out, "  }\n");
}

static void adjoint_product(Check *c) {
  for (int i = 0; i < c->arguments.len; i++) {
    const Argument *a = &c->arguments.at[i];
    if (a->given && a->tag == ARGUMENT_NUMBER)
      emit(c->out, a, "  dz_adjoint += dz_$_der * dz_$_dir;\n");
    if (a->given && a->tag == ARGUMENT_NUMBERS)
      emit(c->out, a, "  " EACH "dz_adjoint += dz_$_der[dz_i] * dz_$_dir[dz_i];\n");
    if (a->wanted && !a->given) emit(c->out, a, "  " EACH "dz_zeroed &= dz_$_der[dz_i] == 0;\n");
  }
}

// Adjoints of inputs that are no outputs are overwritten, those of outputs zeroed.
static void run_adjoint(Check *c) {
  Text *out = c->out;
  text_puts(out, "  double dz_adjoint = 0;\n  int dz_zeroed = 1;\n  {\n");
  place_at(c);
  text_puts(out, "  }\n");
  for (int i = 0; i < c->arguments.len; i++) {
    const Argument *a = &c->arguments.at[i];
    if (a->tag == ARGUMENT_NUMBER && a->in_adjoint) emit(out, a, "  @ dz_$_der = NAN;\n");
    if (a->tag == ARGUMENT_NUMBERS)
      emit(out, a, a->wanted ? "  " EACH "dz_$_der[dz_i] = dz_$_seed[dz_i];\n"
                             : "  " EACH "dz_$_der[dz_i] = NAN;\n");
  }
  text_printf(out, "  %s(", c->adjoint->name);
  for (int i = 0; i < c->arguments.len; i++) {
    const Argument *a = &c->arguments.at[i];
    text_printf(c->out, "%s%s", i ? ", " : "", a->name);
    if (a->in_adjoint) emit(out, a, a->tag == ARGUMENT_NUMBER ? ", &dz_$_der" : ", dz_$_der");
  }
  text_puts(out, c->adjoint->result_active ? ", dz_seed);\n" : ");\n");
  adjoint_product(c);
}

static void check_function(Check *c) {
  Text *out = c->out;
  const char *name = c->tangent->source->name;
  text_printf(out, "\nstatic int dz_check_%s(int argc, char **argv) {\n  (void)argc, (void)argv;\n",
              name);
  for (int i = 0; i < c->arguments.len; i++) declare(out, &c->arguments.at[i]);
  if (c->tangent->result_active) text_puts(out, "  double dz_seed = dz_number();\n");
  differences(c);
  run_tangent(c);
  run_adjoint(c);
  text_printf(out, "  (void)dz_value, (void)dz_step;\n"
              "  printf(\"%s\\n  %%-24s %%22.15g\\n\", \"value\", dz_values[0]);\n"
              "  printf(\"  %%-24s %%22.15g\\n\", \"tangent\", dz_tangent);\n"
              "  int dz_wrong = dz_report(\"divided differences\", (4 * dz_near - dz_far) / 3,\n"
              "                           dz_tangent, 1e-5);\n"
              "  dz_wrong |= dz_report(\"adjoint, dot product\", dz_adjoint, dz_tangent, 1e-10);\n"
              "  if (!dz_zeroed) puts(\"  adjoints of outputs are not zeroed\");\n", name);
  for (int i = 0; i < c->arguments.len; i++) release(out, &c->arguments.at[i]);
  text_puts(out, "  return dz_wrong | !dz_zeroed;\n}\n");
}

const char *cdiff_check_program(CProgram *p, const char *base, const CDiffResult *tangents,
    const CDiffResult *adjoints) {
  Text out = {0};
  text_printf(&out, "/* Made with --context from %s: do its derivatives agree? */\n"
              "#include \"%s_d.h\"\n#include \"%s_b.h\"\n%s\n", p->units.at[0]->path, base, base,
              prelude);
  for (int i = 0; i < tangents->heads.len; i++) {
    cfunction_head_print(&out, tangents->heads.at[i]->source);
    text_puts(&out, ";\n");
  }
  for (int i = 0; i < tangents->heads.len; i++) {
    Check c = {.tangent = tangents->heads.at[i], .adjoint = adjoints->heads.at[i], .out = &out};
    for (int k = 0; k < c.tangent->source->params.len; k++) {
      Argument a = argument_of(&c, k);
      list_push(p->arena, &c.arguments, a);
    }
    check_function(&c);
  }
  text_puts(&out, "\nint main(int argc, char **argv) {\n  int wrong = 0;\n"
                  "  (void)dz_integer, (void)dz_block;\n");
  for (int i = 0; i < tangents->heads.len; i++)
    text_printf(&out, "  wrong |= dz_check_%s(argc, argv);\n",
                tangents->heads.at[i]->source->name);
  text_puts(&out, "  puts(wrong ? \"they disagree\" : \"they agree\");\n  return wrong;\n}\n");
  const char *text = arena_strdup(p->arena, out.at);
  text_free(&out);
  return text;
}
