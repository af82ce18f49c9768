// Random C programs of the subset that `dagaz tangent` and `dagaz adjoint` accept, with a main that
// checks derivatives: f over two numbers, two arrays and a struct, helpers it calls, alone and in
// the middle of expressions, with structs as arguments and values, loops of every
// kind with exits, branches, switches, pointers that walk, local and allocated arrays.  Values stay
// bounded, indices in range; everything comes from the seed.
#include "gen.h"

typedef struct {
  Text out;
  uint64_t state;
  int depth, loops;      // nesting; counted loops around, whose counters are i0, i1 ..
  int helper;            // being written: it calls those with smaller numbers; 3: f itself
  int budget;            // statements left
  int vars;              // scalar locals v0 .. in scope
  bool in_loop, in_switch;
  bool heap;             // the local array is allocated
} CGen;

static uint64_t next(CGen *g) {
  g->state ^= g->state << 13;
  g->state ^= g->state >> 7;
  g->state ^= g->state << 17;
  return g->state;
}

static int below(CGen *g, int n) { return (int)((next(g) >> 20) % (uint64_t)n); }
static bool chance(CGen *g, int percent) { return below(g, 100) < percent; }

static void line(CGen *g) { text_printf(&g->out, "%*s", 2 * g->depth, ""); }

// ---- expressions --------------------------------------------------------------------------------
static void index_expr(CGen *g) {
  int c = g->loops ? below(g, g->loops) : 0;
  switch (g->loops ? below(g, 6) : 6) {
    case 0: case 1: text_printf(&g->out, "i%d", c); break;
    case 2: text_printf(&g->out, "n - 1 - i%d", c); break;
    case 3: text_printf(&g->out, "(2*i%d + 1) %% n", c); break;
    case 4: text_printf(&g->out, "idx[i%d]", c); break;
    case 5: text_printf(&g->out, "i%d ? i%d - 1 : 0", c, c); break;
    default: text_printf(&g->out, "%d", below(g, 5)); break;
  }
}

static void place(CGen *g) {
  static const char *const arrays[] = {"x", "y", "w"};
  int kind = below(g, 10);
  if (kind < 4) text_printf(&g->out, "v%d", below(g, g->vars));
  else if (kind < 8) {
    text_printf(&g->out, "%s[", arrays[below(g, 3)]);
    index_expr(g);
    text_putc(&g->out, ']');
  } else if (kind == 8) text_puts(&g->out, chance(g, 50) ? "s->p" : "s->q");
  else text_puts(&g->out, chance(g, 50) ? "t.p" : "t.q");
}

static void expr(CGen *g, int size);

static void leaf(CGen *g) {
  switch (below(g, 6)) {
    case 0: text_printf(&g->out, "%d.%d", below(g, 2), 1 + below(g, 9)); break;
    case 1: text_puts(&g->out, chance(g, 50) ? "a" : "b"); break;
    case 2: text_printf(&g->out, "%s", g->loops ? "i0" : "n"); break;
    default: place(g); break;
  }
}

static void binary(CGen *g, const char *op, int size) {
  text_putc(&g->out, '(');
  expr(g, size / 2);
  text_printf(&g->out, " %s ", op);
  expr(g, size - size / 2 - 1);
  text_putc(&g->out, ')');
}

static void function(CGen *g, const char *before, int size, const char *after) {
  text_puts(&g->out, before);
  expr(g, size - 1);
  text_puts(&g->out, after);
}

static void condition(CGen *g) {
  if (g->loops && chance(g, 40)) text_printf(&g->out, "i%d %% %d == %d", below(g, g->loops),
      2 + below(g, 2), below(g, 2));
  else if (chance(g, 30)) text_printf(&g->out, "idx[%d] > %d", below(g, 5), below(g, 4));
  else {
    place(g);
    text_printf(&g->out, " %s 0.%d", chance(g, 50) ? "<" : ">", below(g, 9));
    if (chance(g, 20)) text_puts(&g->out, " && n > 2");
  }
}

static void call_value(CGen *g) {
  int h = below(g, g->helper);
  text_printf(&g->out, "h%d(n, ", h);
  leaf(g);
  text_puts(&g->out, ", b, x, y, s, idx)");
}

static void expr(CGen *g, int size) {
  if (size <= 1) {
    leaf(g);
    return;
  }
  switch (below(g, 17)) {
    case 0: case 1: binary(g, "+", size); break;
    case 2: binary(g, "-", size); break;
    case 3: case 4: case 5: binary(g, "*", size); break;
    case 6: function(g, "sin(", size, ")"); break;
    case 7: function(g, "cos(", size, ")"); break;
    case 8: function(g, "exp(-fabs(0.1 + sin(", size, ")))"); break;
    case 9: function(g, "sqrt(2.1 + cos(", size, "))"); break;
    case 10: function(g, "(1/(2.5 + sin(", size, ")))"); break;
    case 11: function(g, "tanh(", size, ")"); break;
    case 12:
      text_putc(&g->out, '(');
      condition(g);
      text_puts(&g->out, " ? ");
      expr(g, size / 2);
      text_puts(&g->out, " : ");
      expr(g, size / 2);
      text_putc(&g->out, ')');
      break;
    case 13: function(g, "atan2(0.3 + ", size, ", 1.7)"); break;
    case 14: function(g, "k1(", size, ")"); break;
    case 15: function(g, "mix(t, ", size, ").q"); break;
    default: function(g, "pow(1.5 + sin(", size, "), 3)"); break;
  }
}

// Bounded: a sine of something, or a mean.
static void value(CGen *g) {
  int size = 2 + below(g, 7);
  if (chance(g, 50)) function(g, "sin(", size, ")");
  else function(g, "0.5*tanh(", size, ")");
}

// ---- statements ---------------------------------------------------------------------------------
static void statements(CGen *g, int n);

static void assign(CGen *g) {
  line(g);
  place(g);
  static const char *const ops[] = {" = ", " = ", " = ", " += ", " -= ", " *= "};
  text_puts(&g->out, ops[below(g, 6)]);
  value(g);
  text_puts(&g->out, ";\n");
}

static void block(CGen *g, int n) {
  text_puts(&g->out, "{\n");
  g->depth++;
  statements(g, n);
  g->depth--;
  line(g);
  text_puts(&g->out, "}");
}

static void branch(CGen *g) {
  line(g);
  text_puts(&g->out, "if (");
  condition(g);
  text_puts(&g->out, ") ");
  block(g, 1 + below(g, 2));
  if (chance(g, 50)) {
    text_puts(&g->out, " else ");
    block(g, 1 + below(g, 2));
  }
  text_putc(&g->out, '\n');
}

static void loop_head(CGen *g, int i) {
  switch (below(g, 7)) {
    case 0: text_printf(&g->out, "for (i%d = 0; i%d <= n - 1; ++i%d) ", i, i, i); break;
    case 1: text_printf(&g->out, "for (i%d = n - 1; i%d >= 0; i%d--) ", i, i, i); break;
    case 2: text_printf(&g->out, "for (i%d = %d; i%d < n; i%d++) ", i, below(g, 3), i, i); break;
    case 3: text_printf(&g->out, "for (i%d = 0; i%d < n; i%d += 2) ", i, i, i); break;
    default: text_printf(&g->out, "for (i%d = 0; i%d < n; i%d++) ", i, i, i); break;
  }
}

static void counted(CGen *g) {
  bool was = g->in_loop, sw = g->in_switch;
  line(g);
  loop_head(g, g->loops);
  g->loops++;
  g->in_loop = true;
  g->in_switch = false;
  block(g, 1 + below(g, 3));
  g->in_loop = was;
  g->in_switch = sw;
  g->loops--;
  text_putc(&g->out, '\n');
}

static void while_loop(CGen *g) {
  int k = g->loops;
  bool was = g->in_loop, sw = g->in_switch;
  line(g);
  text_printf(&g->out, "i%d = 0;\n", k);
  line(g);
  bool is_do = chance(g, 30);
  if (is_do) text_puts(&g->out, "do ");
  else if (chance(g, 50)) text_printf(&g->out, "while (i%d < n) ", k);
  else text_printf(&g->out, "while (i%d < n && fabs(v0) < 3) ", k);
  text_puts(&g->out, "{\n");
  g->depth++;
  g->loops++;
  g->in_loop = false;  // a continue would skip the step
  statements(g, 1 + below(g, 2));
  g->in_loop = was;
  g->in_switch = sw;
  g->loops--;
  line(g);
  text_printf(&g->out, "i%d++;\n", k);
  g->depth--;
  line(g);
  text_printf(&g->out, is_do ? "} while (i%d < n);\n" : "}\n", k);
}

static void leave(CGen *g) {
  static const char *const jumps[] = {"break", "continue"};
  line(g);
  text_puts(&g->out, "if (");
  condition(g);
  if (g->in_loop && !g->in_switch) text_printf(&g->out, ") %s;\n", jumps[below(g, 2)]);
  else {
    text_puts(&g->out, g->heap ? ") v0 = " : ") return ");
    value(g);
    text_puts(&g->out, ";\n");
  }
}

static void switched(CGen *g) {
  bool sw = g->in_switch;
  line(g);
  text_printf(&g->out, "switch (%s) {\n", g->loops ? "i0 % 3" : "idx[1]");
  g->in_switch = true;
  for (int i = 0; i < 3; i++) {
    line(g);
    if (i < 2) text_printf(&g->out, "case %d:\n", i);
    else text_puts(&g->out, "default:\n");
    g->depth++;
    assign(g);
    line(g);
    text_puts(&g->out, "break;\n");
    g->depth--;
  }
  g->in_switch = sw;
  line(g);
  text_puts(&g->out, "}\n");
}

static void walk(CGen *g) {
  static const char *const arrays[] = {"x", "y", "w"};
  line(g);
  text_printf(&g->out, "{ double *r = %s; int m; for (m = 0; m < n; m++) { *r = ",
              arrays[below(g, 3)]);
  if (chance(g, 50)) text_puts(&g->out, "0.5 * *r + ");
  value(g);
  text_puts(&g->out, chance(g, 50) ? "; r++; } }\n" : "; ++r; } }\n");
}

static void call(CGen *g) {
  line(g);
  if (chance(g, 50)) {
    place(g);
    text_puts(&g->out, " = ");
    call_value(g);
  } else {
    text_printf(&g->out, "g%d(", below(g, 2));
    leaf(g);
    text_printf(&g->out, ", &v%d, &%s[", below(g, g->vars), chance(g, 50) ? "x" : "w");
    index_expr(g);
    text_puts(&g->out, "])");
  }
  text_puts(&g->out, ";\n");
}

static void odd(CGen *g) {
  line(g);
  switch (below(g, 7)) {
    case 6:
      text_puts(&g->out, chance(g, 70) ? "t = mix(t, " : "*s = mix(t, ");
      value(g);
      text_puts(&g->out, ");\n");
      break;
    case 0:
      text_puts(&g->out, chance(g, 50) ? "v0 = v1 = " : "v2 = y[1] = ");
      value(g);
      text_puts(&g->out, ";\n");
      break;
    case 1: text_puts(&g->out, chance(g, 50) ? "t = *s;\n" : "*s = t;\n"); break;
    case 2: text_puts(&g->out, "a = 0.5*a + 0.1*b;\n"); break;
    case 3: text_puts(&g->out, "memcpy(w, y, n * sizeof(double));\n"); break;
    case 4: text_puts(&g->out, "{ float c = (float)a; v0 = 0.25*v0 + c*c; }\n"); break;
    default:
      text_puts(&g->out, "{ double u[3] = {a, 0.5}; u[2] = ");
      value(g);
      text_puts(&g->out, "; v0 = sin(u[0]*u[1] + u[2]); }\n");
      break;
  }
}

// A loop whose iterations fill w, wholly or not, before they use it.
static void refill(CGen *g) {
  static const char *const fills[] = {
      "for (m = 0; m < n; m++) w[m] = ", "for (m = 1; m < n; m++) w[m] = ",
      "for (m = 0; m < n; m++) if (m % 2) w[m] = ", "for (m = n - 1; m >= 0; m--) w[m] = ",
      "for (m = 0; m < n; m++) w[m] += ", "for (m = 0; m < 5; m++) w[m] = ",
      "for (m = 0; m < n; m++) if (m > 1) w[m] = 0.1*m; else w[m] = "};
  line(g);
  if (chance(g, 40)) {
    bool part = chance(g, 30);
    text_printf(&g->out, "fill(n%s, ", part ? " - 1" : "");
    leaf(g);
    text_printf(&g->out, ", w%s);\n", part && chance(g, 30) ? " + n % 2" : "");
    return;
  }
  text_printf(&g->out, "{ int m; %s", fills[below(g, 7)]);
  value(g);
  text_puts(&g->out, "; }\n");
}

static void scratch(CGen *g) {
  bool was = g->in_loop, sw = g->in_switch;
  line(g);
  text_printf(&g->out, "for (i%d = 0; i%d < n; i%d++) {\n", g->loops, g->loops, g->loops);
  g->depth++;
  g->loops++;
  g->in_loop = chance(g, 20);
  g->in_switch = false;
  refill(g);
  if (chance(g, 50)) assign(g);
  if (g->loops < 3 && chance(g, 20)) scratch(g);
  line(g);
  text_puts(&g->out, chance(g, 50) ? "v2 += " : chance(g, 50) ? "v1 = v1 - " : "y[i0] = ");
  value(g);
  text_puts(&g->out, ";\n");
  if (chance(g, 30)) assign(g);
  g->loops--;
  g->depth--;
  g->in_loop = was;
  g->in_switch = sw;
  line(g);
  text_puts(&g->out, "}\n");
}

static void statement(CGen *g) {
  int kind = below(g, 25);
  g->budget--;
  bool deep = g->depth > 4 || g->budget < 0;
  if (kind < 9 || deep) assign(g);
  else if (kind < 12) branch(g);
  else if (kind < 15 && g->loops < 3) counted(g);
  else if (kind == 15 && g->loops < 3) while_loop(g);
  else if (kind == 16) leave(g);
  else if (kind == 17) switched(g);
  else if (kind == 18) walk(g);
  else if (kind == 19 || kind == 20) {
    if (g->helper) call(g);
    else assign(g);
  } else if (kind > 21 && g->loops < 2) scratch(g);
  else odd(g);
}

static void statements(CGen *g, int n) {
  for (int i = 0; i < n; i++) statement(g);
}

// ---- functions ----------------------------------------------------------------------------------
static void function_body(CGen *g, const char *head) {
  text_printf(&g->out, "%s {\n", head);
  g->depth = 1;
  g->vars = 3;
  g->loops = 0;
  g->heap = chance(g, 40);
  text_puts(&g->out, "  int i0 = 0, i1 = 0, i2 = 0;\n  double v0 = 0.1, v1 = a, v2 = 0.3*b;\n");
  text_puts(&g->out, "  Pair t = {0.2, 1, 0.4};\n");
  text_puts(&g->out, g->heap ? "  double *w = malloc(n * sizeof(double));\n" : "  double w[5];\n");
  text_puts(&g->out, "  for (i0 = 0; i0 < n; i0++) w[i0] = 0.1*i0 + a;\n");
}

static void helper(CGen *g, int k) {
  char head[200];
  g->helper = k;
  g->budget = 6;
  snprintf(head, sizeof head,
      "%sdouble h%d(int n, double a, double b, double *x, double *y, Pair *s, "
           "const int *idx)", chance(g, 50) ? "static " : "", k);
  function_body(g, head);
  bool heap = g->heap;
  statements(g, 2 + below(g, 3));
  if (heap) text_puts(&g->out, "  v2 = w[1];\n  free(w);\n  return v0 + 0.5*v1*v2;\n}\n\n");
  else text_puts(&g->out, "  (void)i1; (void)i2; (void)t; (void)v2; return v0*w[2] + v1;\n}\n\n");
}

static const char prelude[] =
    "#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "typedef struct { double p; int k; double q; } Pair;\n\n"
    "static void g0(double a, double *u, double *v) {\n"
    "  *u = sin(a + *v);\n  *v = 0.5 * *v * a + *u;\n}\n\n"
    "void g1(double a, double *u, double *v) {\n"
    "  double k = *u;\n  a = 0.3*a + k;\n  if (a > *v) { *u = *v * k; return; }\n"
    "  *v -= a*a*0.1;\n}\n\n"
    "static void fill(int n, double a, double *z) {\n"
    "  for (int j = 0; j < n; j++) z[j] = sin(a + j);\n}\n\n"
    "static double k0(double a) { return a*a; }\n"
    "static double k1(double a) { return a > 0.2 ? k0(a) : 0.5*k0(a - 1) + sin(k0(a)); }\n"
    "static Pair mix(Pair p, double a) {\n"
    "  p.k += a > 0;\n"
    "  return (Pair){p.p*sin(k1(a)), p.k, 0.5*sin(k1(p.q) + p.p) + sin(a)};\n}\n\n";

void cgen_program(Text *out, uint64_t seed) {
  CGen g = {.state = seed * 0x9e3779b97f4a7c15u + 88172645463325252u};
  for (int i = 0; i < 5; i++) next(&g);
  text_puts(&g.out, prelude);
  for (int k = 0; k < 3; k++) helper(&g, k);
  g.helper = 3;
  g.budget = 14;
  function_body(&g,
      "double f(int n, double a, double b, double *x, double *y, Pair *s, const int *idx)");
  statements(&g, 4 + below(&g, 5));
  if (g.heap) text_puts(&g.out, "  v2 += w[3];\n  free(w);\n");
  text_puts(&g.out, "  (void)i1; (void)i2; (void)t;\n  return v0 + v1*0.5 + v2;\n}\n");
  text_write(out, g.out.at, g.out.len);
  text_free(&g.out);
}
