// Names of other languages: one table for each place where a name is looked up.
//
// A row has either the name to write instead, which an editor can put there, or a sentence.
#include "local.h"
#include <string.h>

typedef struct {
  const char *name, *instead, *hint;
} Foreign;

#define LOOP                                                                             \
  "a name gets a new value with \"let x = ..\"; in rounds with \"loop x = .. for i < n " \
  "do ..\"."
#define NO_RETURN "a function's value is its body: nothing is written before it."
#define TRACE "\"trace x\" prints x while the program runs, and is x."
#define LAMBDA "a function without a name is written \"\\x -> ..\"."

static const Foreign types[] = {
    {"int", "i32", 0}, {"long", "i64", 0}, {"float", "f32", 0}, {"double", "f64", 0},
    {"real", "f64", 0}, {"char", "u8", 0}, {"byte", "u8", 0}, {"string", "[]u8", 0},
    {"boolean", "bool", 0}, {"Bool", "bool", 0}, {"Int", "i64", 0}, {"Float", "f32", 0},
    {"Double", "f64", 0}, {"size_t", "i64", 0}, {"usize", "i64", 0}};

static const Foreign values[] = {
    {"len", "length", 0},
    {"size", "length", 0},
    {"True", "true", 0},
    {"False", "false", 0},
    {"range", "iota", 0},
    {"arange", "iota", 0},
    {"fold", "foldl", 0},
    {"append", "++", 0},
    {"mod", "%", 0},
    {"div", "/", 0},
    {"return", 0, NO_RETURN},
    {"print", 0, TRACE},
    {"println", 0, TRACE},
    {"printf", 0, TRACE},
    {"lambda", 0, LAMBDA},
    {"fn", 0, LAMBDA},
    {"fun", 0, LAMBDA},
    {"zeros", 0, "an array of n zeros is \"replicate n 0\"."},
    {"ones", 0, "an array of n ones is \"replicate n 1\"."},
    {"full", 0, "an array of n equal elements is \"replicate n x\"."},
    {"zeros_like", 0, "zeros of the size of xs are \"map (const 0) xs\"."},
    {"ones_like", 0, "ones of the size of xs are \"map (const 1) xs\"."},
    {"linspace", 0, "write \"tabulate n (\\i -> a + (b - a) * f64.i64 i / f64.i64 (n - 1))\"."},
    {"mean", 0, "the mean is \"f64.sum xs / f64.i64 (length xs)\"."},
    {"average", 0, "the mean is \"f64.sum xs / f64.i64 (length xs)\"."},
    {"dot", 0, "the product of two vectors is \"f64.sum (map2 (*) xs ys)\"."},
    {"matmul", 0, "a product of matrices is \"map (\\r -> map (\\c -> f64.sum (map2 (*) r c)) "
                  "(transpose b)) a\"."},
    {"where", 0, "a choice for each element is \"map3 (\\c x y -> if c then x else y) cs xs ys\"; "
                 "a local name comes before its use: \"let y = .. in ..\"."},
    {"elif", 0, "write \"else if\"."},
    {"null", 0, "no value stands for none: a sum type says so, \"#none | #some f64\"."},
    {"None", 0, "no value stands for none: a sum type says so, \"#none | #some f64\"."},
};

static const Foreign operators[] = {
    {"<>", "!=", 0},
    {"/=", "!=", 0},
    {"===", "==", 0},
    {"+=", 0, LOOP},
    {"-=", 0, LOOP},
    {"*=", 0, LOOP},
    {"=>", 0, LAMBDA},
    {":=", 0, LOOP},
};

// Of an array; `instead` is a function of the array.
static const Foreign members[] = {
    {"length", "length", 0},
    {"len", "length", 0},
    {"size", "length", 0},
    {"shape", 0, "the size is \"length\" of the array; a parameter names its sizes: "
                 "\"(a: [n][m]f64)\"."},
    {"T", "transpose", 0},
    {"sum", "f64.sum", 0},
    {"max", "f64.maximum", 0},
    {"min", "f64.minimum", 0},
};

static const Foreign *find_in(const Foreign *rows, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}
#define FIND(rows, name) find_in(rows, COUNT_OF(rows), name)

const char *foreign_instead(Space space, Name name) {
  const Foreign *f = space == SPACE_TYPE ? FIND(types, name) : FIND(values, name);
  if (!f && space == SPACE_TERM) f = FIND(operators, name);
  return f ? f->instead : NULL;
}

bool foreign_hint(Checker *c, Name name) {
  const Foreign *f = FIND(values, name);
  if (!f) f = FIND(operators, name);
  if (!f || !f->hint) return false;
  diag_hint(c->diag, "%s", f->hint);
  return true;
}

// The modules of functions that other languages have: math.sin is f64.sin.
bool foreign_module(Name module) {
  static const char *const modules[] = {"math", "Math", "np", "numpy", "jnp", "torch", "std"};
  for (int i = 0; i < COUNT_OF(modules); i++)
    if (strcmp(modules[i], module) == 0) return true;
  return false;
}

void foreign_field(Checker *c, Name field) {
  const Foreign *f = FIND(members, field);
  const Binding *b = scope_get(c, SPACE_TERM, field);
  if (f && f->hint) diag_hint(c->diag, "%s", f->hint);
  else if (f) diag_hint(c->diag, "arrays have no fields: write \"%s a\".", f->instead);
  else if (b && b->tag != BIND_MODULE)
    diag_hint(c->diag, "arrays have no fields: the array is the last argument, \"%s .. a\".",
              b->name);
}
