// Testing one property: candidates, verdicts, and smaller counterexamples.
// A candidate that makes the property false, or makes it fail, is a counterexample.  Smaller
// candidates replace it as long as the verdict stays the same: those of the shrinker; else those
// that the same seed gives at smaller sizes, then those with elements nearer to zero.
#include "property.h"
#include <stdlib.h>
#include <string.h>

enum { TESTS = 100, DEFAULT_SIZE = 100, SHRINK_TRIES = 100, MOST_CALLS = 2000, MOST_TEXT = 4000 };

typedef enum { HOLDS, IS_FALSE, FAILS } Verdict;
typedef struct {
  Arena *arena;  // its own
  Values leaves;
} Candidate;
typedef struct {
  const PropertyJob *job;
  const Fn *prop, *gen, *shrink;
  int64_t size;
  uint64_t state;        // of the seeds
  Candidate candidate;
  Verdict verdict;
  const char *error;     // FAILS: the property's message
  const char *problem;   // the test cannot go on
  const char *note;      // the shrinker could not
  int calls;
} Trial;

static uint64_t seed_next(Trial *t) {
  RandomOptions options = random_options(t->state);
  Value v = value_random_shape(t->job->arena, PRIM_U64, 0, NULL, &options);
  t->state = options.state;
  return (uint64_t)value_at(&v, 0).i;
}

static void candidate_set(Trial *t, Candidate c) {
  if (t->candidate.arena) arena_free(t->candidate.arena);
  t->candidate = c;
}

// ---- what the attribute says --------------------------------------------------------------------

static const Attr *attr_named(const AttrList *attrs, const char *name) {
  for (int i = 0; i < attrs->len; i++)
    if (attrs->at[i]->tag != ATTR_INT && strcmp(attrs->at[i]->name, name) == 0) return attrs->at[i];
  return NULL;
}

static const Attr *prop_attr(const SourceFile *file, const char *entry) {
  for (int i = 0; i < file->decs.len; i++) {
    const Dec *dec = file->decs.at[i];
    if (dec->tag == DEC_VAL && strcmp(dec->val.fun.name, entry) == 0)
      return attr_named(&dec->attrs, "prop");
  }
  return NULL;
}

static const char *argument(const Attr *prop, const char *name) {
  const Attr *a = prop->tag == ATTR_CALL ? attr_named(&prop->args, name) : NULL;
  return a && a->tag == ATTR_CALL && a->args.len == 1 ? a->args.at[0]->name : NULL;
}

// An argument that is none of the three, or lacks its own argument, is not passed over.
static void arguments_check(Trial *t, const Attr *prop) {
  for (int i = 0; prop->tag == ATTR_CALL && i < prop->args.len; i++) {
    const char *name = prop->args.at[i]->name;
    bool known = strcmp(name, "gen") == 0 || strcmp(name, "shrink") == 0 ||
                 strcmp(name, "size") == 0;
    if (known && argument(prop, name)) continue;
    t->problem = arena_printf(t->job->arena, "#[prop(%s)] is not one of gen(f), shrink(f), size(N)",
                              name);
  }
}

static const Fn *helper(Trial *t, const char *role, const char *name) {
  const Fn *fn = interp_entry_fn(t->job->prog, name);
  if (!fn) t->problem = arena_printf(t->job->arena, "the %s '%s' is no entry point", role, name);
  return fn;
}

static bool is_prim(const AbiType *t, Prim prim) {
  return t->kind == ABI_SCALAR && t->prim == prim;
}

static bool is_seed(const AbiType *t) {
  return t->kind == ABI_SCALAR && !prim_is_float(t->prim) && t->prim != PRIM_BOOL;
}

static bool same_type(const AbiType *a, const AbiType *b) {
  return strcmp(a->name, b->name) == 0 && a->leaves == b->leaves;
}

static const AbiType *candidate_type(const Trial *t) { return t->prop->entry->params.at[0].type; }

static void property_check(Trial *t, const char *name) {
  const EntryInfo *e = t->prop->entry;
  if (e->params.len != 1 || !is_prim(e->result.type, PRIM_BOOL))
    t->problem = arena_printf(t->job->arena, "the property '%s' is not of type t -> bool", name);
}

static void generator_check(Trial *t) {
  const EntryInfo *e = t->gen->entry;
  if (e->params.len == 2 && is_prim(e->params.at[0].type, PRIM_I64) &&
      is_seed(e->params.at[1].type) && same_type(e->result.type, candidate_type(t)))
    return;
  t->problem = arena_printf(t->job->arena, "the generator '%s' is not of type i64 -> u64 -> %s",
                            e->name, candidate_type(t)->name);
}

static void shrinker_check(Trial *t) {
  const EntryInfo *e = t->shrink->entry;
  if (e->params.len == 2 && same_type(e->params.at[0].type, candidate_type(t)) &&
      is_seed(e->params.at[1].type) && same_type(e->result.type, candidate_type(t)))
    return;
  t->problem = arena_printf(t->job->arena, "the shrinker '%s' is not of type %s -> u64 -> %s",
                            e->name, candidate_type(t)->name, candidate_type(t)->name);
}

static void size_read(Trial *t, const char *digits) {
  char *end;
  t->size = strtoll(digits, &end, 10);
  if (*end || t->size < 0)
    t->problem = arena_printf(t->job->arena, "#[prop(size(%s))] is not a size", digits);
}

// A type whose values are not arrays of scalars may have a generator `gen_TYPE`.
static const Fn *generator_of_type(const Trial *t) {
  const AbiType *type = candidate_type(t);
  if (type->kind == ABI_SCALAR || type->kind == ABI_ARRAY) return NULL;
  return interp_entry_fn(t->job->prog, arena_printf(t->job->arena, "gen_%s", type->name));
}

static bool trial_prepare(Trial *t, const char *name) {
  const Attr *prop = prop_attr(t->job->file, name);
  t->prop = interp_entry_fn(t->job->prog, name);
  if (!t->prop) t->problem = arena_printf(t->job->arena, "'%s' is no entry point", name);
  else if (!prop) t->problem = arena_printf(t->job->arena, "'%s' has no attribute #[prop]", name);
  else property_check(t, name);
  if (t->problem) return false;
  arguments_check(t, prop);
  const char *gen = argument(prop, "gen"), *shrink = argument(prop, "shrink");
  const char *size = argument(prop, "size");
  t->gen = gen ? helper(t, "generator", gen) : generator_of_type(t);
  if (shrink) t->shrink = helper(t, "shrinker", shrink);
  if (t->gen) generator_check(t);
  if (t->shrink) shrinker_check(t);
  if (size) size_read(t, size);
  return !t->problem;
}

// ---- one candidate ------------------------------------------------------------------------------

static Value integer(Arena *arena, Prim prim, uint64_t i) {
  Value v = value_new(arena, prim, 0, NULL);
  value_put(&v, 0, scalar_int(prim, (int64_t)i));
  return v;
}

static bool generate(Trial *t, int64_t size, uint64_t seed, Candidate *out, const char **error) {
  *out = (Candidate){.arena = arena_new()};
  if (!t->gen) {
    out->leaves = leaves_random(out->arena, t->job->prog, t->prop, size, seed);
    return true;
  }
  Values in = {0};
  list_push(out->arena, &in, integer(out->arena, PRIM_I64, (uint64_t)size));
  list_push(out->arena, &in, integer(out->arena, t->gen->entry->params.at[1].type->prim, seed));
  if (t->job->call(t->job->state, out->arena, t->gen, &in, &out->leaves, error)) return true;
  *error = arena_strdup(t->job->arena, *error);
  arena_free(out->arena);
  return false;
}

static Verdict check_outcome(Trial *t, const Candidate *c, const char **error) {
  Values out = {0};
  t->calls++;
  if (!t->job->call(t->job->state, c->arena, t->prop, &c->leaves, &out, error)) return FAILS;
  return value_at(&out.at[0], 0).i ? HOLDS : IS_FALSE;
}

// Keeps the candidate if its verdict is that of the counterexample so far.
static bool replace(Trial *t, Candidate c) {
  const char *error = NULL;
  if (check_outcome(t, &c, &error) != t->verdict) {
    arena_free(c.arena);
    return false;
  }
  if (error) t->error = arena_strdup(t->job->arena, error);
  candidate_set(t, c);
  return true;
}

// ---- smaller counterexamples --------------------------------------------------------------------

// The shrinker's error ends the search.
static bool shrink_once(Trial *t, bool *smaller) {
  Candidate c = {.arena = arena_new()};
  const char *error;
  Values in = {0};
  for (int i = 0; i < t->candidate.leaves.len; i++)
    list_push(c.arena, &in, t->candidate.leaves.at[i]);
  Prim prim = t->shrink->entry->params.at[1].type->prim;
  list_push(c.arena, &in, integer(c.arena, prim, seed_next(t)));
  if (!t->job->call(t->job->state, c.arena, t->shrink, &in, &c.leaves, &error)) {
    t->note = arena_printf(t->job->arena, "the shrinker '%s' failed: %s", t->shrink->entry->name,
                           error);
    arena_free(c.arena);
    return false;
  }
  *smaller = replace(t, c);
  return true;
}

static bool shrink_by_user(Trial *t) {
  for (int misses = 0; misses < SHRINK_TRIES && t->calls < MOST_CALLS;) {
    bool smaller;
    if (!shrink_once(t, &smaller)) return false;
    misses = smaller ? 0 : misses + 1;
  }
  return true;
}

static void shrink_by_size(Trial *t, uint64_t seed) {
  Candidate c;
  const char *error;
  int64_t least = t->gen ? 1 : 0, from = t->size;
  for (int64_t size = from - 1; size >= least && t->calls < MOST_CALLS; size--) {
    if (!generate(t, size, seed, &c, &error)) return;
    if (replace(t, c)) t->size = size;
  }
}

// Element i of leaf k becomes `to`.
static bool element_try(Trial *t, int k, int64_t i, Scalar to) {
  Candidate c = {.arena = arena_new()};
  for (int n = 0; n < t->candidate.leaves.len; n++) {
    const Value *from = &t->candidate.leaves.at[n];
    Value v = value_new(c.arena, from->prim, from->rank, from->shape);
    memcpy(v.data, from->data, (size_t)v.len * (size_t)prim_info[v.prim].bytes);
    if (n == k) value_put(&v, i, to);
    list_push(c.arena, &c.leaves, v);
  }
  return replace(t, c);
}

static Scalar half(Scalar s) {
  if (prim_is_signed(s.prim)) return scalar_int(s.prim, s.i / 2);
  return scalar_int(s.prim, (int64_t)((uint64_t)s.i / 2));
}

static Scalar nearer(Scalar s) {
  return scalar_int(s.prim, s.i < 0 && prim_is_signed(s.prim) ? s.i + 1 : s.i - 1);
}

// To zero at once, else by halves, else by one.
static void element_shrink(Trial *t, int k, int64_t i) {
  Scalar s = value_at(&t->candidate.leaves.at[k], i);
  bool is_float = prim_is_float(s.prim), is_bool = s.prim == PRIM_BOOL;
  if (is_float ? s.f == 0 : s.i == 0) return;
  Scalar zero = is_float  ? scalar_float(s.prim, 0)
                : is_bool ? scalar_bool(false)
                          : scalar_int(s.prim, 0);
  if (element_try(t, k, i, zero) || is_float || is_bool) return;
  while (t->calls < MOST_CALLS && s.i != 0) {
    if (!element_try(t, k, i, half(s)) && !element_try(t, k, i, nearer(s))) return;
    s = value_at(&t->candidate.leaves.at[k], i);
  }
}

// Only values that no generator made: a generator may promise more than their type does.
static void shrink_by_element(Trial *t) {
  for (int k = 0; k < t->candidate.leaves.len; k++)
    for (int64_t i = 0; i < t->candidate.leaves.at[k].len && t->calls < MOST_CALLS; i++)
      element_shrink(t, k, i);
}

static void counterexample_shrink(Trial *t, uint64_t seed) {
  t->calls = 0;
  if (t->shrink && shrink_by_user(t)) return;
  shrink_by_size(t, seed);
  if (!t->gen && !t->shrink) shrink_by_element(t);
}

// ---- all candidates -----------------------------------------------------------------------------

static const char *counterexample_text(Trial *t, int tests) {
  Text text = {0};
  text_printf(&text, "%s after %d test%s (size %lld, --seed %llu)\n  counterexample: ",
              t->verdict == FAILS ? "fails" : "is false", tests, tests == 1 ? "" : "s",
              (long long)t->size, (unsigned long long)t->job->seed);
  size_t from = text.len;
  abi_print(&text, t->candidate.arena, candidate_type(t), t->candidate.leaves.at);
  if (text.len - from > MOST_TEXT) text.len = from + MOST_TEXT, text_puts(&text, " ..");
  if (t->verdict == FAILS) text_printf(&text, "\n  %s", t->error);
  if (t->note) text_printf(&text, "\n  %s", t->note);
  while (text.len && text.at[text.len - 1] == '\n') text.len--;
  const char *copy = arena_strndup(t->job->arena, text.at, text.len);
  text_free(&text);
  return copy;
}

// The text of a failure, or NULL.
static const char *candidate_test(Trial *t, int number) {
  uint64_t seed = seed_next(t);
  const char *error = NULL;
  Candidate c;
  if (!generate(t, t->size, seed, &c, &error))
    return arena_printf(t->job->arena, "the generator '%s' fails (size %lld, --seed %llu): %s",
                        t->gen->entry->name, (long long)t->size,
                        (unsigned long long)t->job->seed, error);
  candidate_set(t, c);
  t->verdict = check_outcome(t, &c, &error);
  if (t->verdict == HOLDS) return NULL;
  if (error) t->error = arena_strdup(t->job->arena, error);
  counterexample_shrink(t, seed);
  return counterexample_text(t, number);
}

const char *property_test(const PropertyJob *job, const char *name) {
  Trial t = {.job = job, .size = DEFAULT_SIZE, .state = job->seed};
  if (!trial_prepare(&t, name)) return t.problem;
  const char *failure = NULL;
  for (int i = 1; i <= TESTS && !failure; i++) failure = candidate_test(&t, i);
  if (t.candidate.arena) arena_free(t.candidate.arena);
  return failure;
}
