// Derivatives that users wrote, for functions over arrays such as those of BLAS.  Reads and writes
// are those of the function's body, which may be a model with the same results.
//   #pragma dagaz tangent f: g                  called where a tangent calls f
//   #pragma dagaz adjoint f: g, constant p q, needs y
//                                               in reverse sweeps, where p and q are not active;
//                                               g reads what f wrote to y
#include "local.h"

typedef struct {
  const CFunction *g;
  int at;
  bool fits;
} Fit;

static void fit(Fit *t, const CType *type, bool pointer) {
  const CType *own = t->at < t->g->params.len ? t->g->params.at[t->at++]->type : NULL;
  bool same = own && ctype_is_pointer(own) == pointer;
  if (same && pointer) own = own->base;
  t->fits = t->fits && same && own->tag == type->tag;
}

// f(x, ..) has g(x, xd, .., &f) and g(x, xb, .., fb); numbers have ab through a pointer.
static bool given_fits(const CFunction *f, const CFunction *g, bool adjoint) {
  const CType *result = f->type->base;
  Fit t = {.g = g, .fits = true};
  for (int i = 0; i < f->params.len; i++) {
    const CType *type = f->params.at[i]->type;
    bool pointer = ctype_is_pointer(type);
    const CType *inner = pointer ? type->base : type;
    t.fits = t.fits && !ctype_is_record(inner) && !ctype_is_pointer(inner);
    fit(&t, inner, pointer);
    if (ctype_has_derivative(type)) fit(&t, inner, pointer || adjoint);
  }
  if (ctype_is_float(result)) fit(&t, result, !adjoint);
  const CType *returned = ctype_is_float(result) && !adjoint ? result : &ctype_void;
  return t.fits && t.at == g->params.len && g->type->base->tag == returned->tag;
}

static int parameter(C *r, const CFunction *f) {
  Span at = token_at(r)->at;
  Name name = expect_name(r, "a parameter");
  for (int i = 0; i < f->params.len; i++)
    if (f->params.at[i]->name == name) return i;
  parse_fail(r, at, "[c-rule] `%.80s` is no parameter of `%.80s`.", name, f->name);
}

static void clause(C *r, const CFunction *f, CGiven *given) {
  Span at = token_at(r)->at;
  Name word = expect_name(r, "`constant` or `needs`");
  bool constant = strcmp(word, "constant") == 0;
  if (!constant && strcmp(word, "needs") != 0)
    parse_fail(r, at, "[c-syntax] Expected `constant` or `needs`, and parameters.");
  do {
    int i = parameter(r, f);
    if (constant) list_push(r->arena, &given->constant, i);
    else list_push(r->arena, &given->needed, i);
  } while (token_at(r)->tag == TOK_NAME);
}

static _Noreturn void misfit(C *r, Span at, const CFunction *f, bool adjoint) {
  diag_error(r->diag, at, "[c-rule] These are not the parameters of %s of `%.80s`.",
             adjoint ? "an adjoint" : "a tangent", f->name);
  diag_hint(r->diag, adjoint ? "each number and each array of numbers is followed by the pointer "
                               "to its adjoint, the seed of the value is last"
                             : "each number and each array of numbers is followed by its "
                               "derivative, the pointer to the value is last");
  stop_now(STATUS_USER_ERROR);
}

void given_read(C *r, bool adjoint) {
  CFunction *f = rule_function(r);
  expect_punct(r, ":");
  Span at = token_at(r)->at;
  const CFunction *g = rule_function(r);
  if (!given_fits(f, g, adjoint)) misfit(r, at, f, adjoint);
  CGiven *given = NEW(r->arena, CGiven);
  if (f->given) *given = *f->given;
  if (adjoint) given->adjoint = g;
  else given->tangent = g;
  while (adjoint && take_punct(r, ",")) clause(r, f, given);
  f->given = given;
}

