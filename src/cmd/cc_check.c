// dagaz cc --check: the function through core, what source transformation makes of the same head,
// and the program that compares them, compiled in a temporary folder and run.
#include "cc_check.h"
#include <errno.h>
#include <stdlib.h>

typedef struct {
  Session *s;
  const CcCheck *of;
  const char *dir;
  Words words;        // for the compiler, then for the program
  bool agree;
} Run;
enum { CHECK_SECONDS = 60 };

static void save(Run *r, const char *name, const char *text) {
  const char *path = arena_printf(r->s->arena, "%s/%s", r->dir, name);
  if (!file_write(path, text, strlen(text))) fail_io("cannot write %s: %s", path, strerror(errno));
}

static void word_add(Run *r, const char *word) { list_push(r->s->arena, &r->words, word); }

static void file_add(Run *r, const char *name) {
  word_add(r, arena_printf(r->s->arena, "%s/%s", r->dir, name));
}

// ---- sizes --------------------------------------------------------------------------------------
static bool is_integer_member(const CType *t, const char *path, size_t len) {
  size_t n = 0;
  while (n < len && path[n] != '.') n++;
  for (int i = 0; t->tag == CTYPE_STRUCT && i < t->record->fields.len; i++) {
    const CField *f = &t->record->fields.at[i];
    if (strlen(f->name) != n || strncmp(f->name, path, n) != 0) continue;
    const CType *e = ctype_element(f->type->tag == CTYPE_POINTER ? f->type->base : f->type);
    return n == len ? ctype_is_integer(e) : is_integer_member(e, path + n + 1, len - n - 1);
  }
  return false;
}

// A parameter, an array of integers, a member "p.n"
static bool is_integer_parameter(const CFunction *f, const char *name, size_t len) {
  size_t n = 0;
  while (n < len && name[n] != '.') n++;
  for (int i = 0; i < f->params.len; i++) {
    const CVar *v = f->params.at[i];
    const CType *t = ctype_element(v->type->tag == CTYPE_POINTER ? v->type->base : v->type);
    if (strlen(v->name) != n || strncmp(v->name, name, n) != 0) continue;
    return n == len ? ctype_is_integer(t) : is_integer_member(t, name + n + 1, len - n - 1);
  }
  return false;
}

static void size_check(Session *s, const CFunction *f, const char *size) {
  size_t len = strcspn(size, "=");
  char *end = NULL;
  if (size[len]) strtol(size + len + 1, &end, 10);
  bool number = end && end != size + len + 1 && !*end;
  if (!number)
    diag_error(s->diag, (Span){0}, "[c-check] Expected a size like \"n=7\", not \"%s\".", size);
  else if (!is_integer_parameter(f, size, len))
    diag_error(s->diag, f->at, "[c-check] `%s` has no parameter `%.*s` that is an integer.",
               f->name, (int)len, size);
}

// "n=7 d=3" as words
static Words sizes_of(Session *s, const CFunction *f, const Words *given) {
  Words sizes = {0};
  for (int i = 0; i < given->len; i++)
    for (const char *at = given->at[i] + strspn(given->at[i], " ,"); *at; at += strspn(at, " ,")) {
      size_t len = strcspn(at, " ,");
      list_push(s->arena, &sizes, arena_strndup(s->arena, at, len));
      size_check(s, f, sizes.at[sizes.len - 1]);
      at += len;
    }
  return sizes;
}

static void range_check(Session *s, const char *range) {
  char *end = NULL, *last = NULL;
  double low = strtod(range, &end), high = *end == ':' ? strtod(end + 1, &last) : low;
  if (end != range && last && last != end + 1 && !*last && low < high) return;
  diag_error(s->diag, (Span){0}, "[c-check] Expected a range like \"0.5:2\", not \"%s\".", range);
}

// ---- source transformation ----------------------------------------------------------------------
static const char *leaf_name(Arena *arena, const CDerived *d, int leaf) {
  const CLoweredLeaf *l = &d->low->leaves.at[leaf];
  return l->param ? arena_printf(arena, "%s%s", l->param->name, l->path) : d->low->source->name;
}

// The same inputs and outputs, by name.
static CHead head_of(Arena *arena, const CDerived *d) {
  CHead head = {.function = d->low->source->name};
  for (int k = 0; k < d->inputs.len; k++)
    list_push(arena, &head.inputs, leaf_name(arena, d, d->inputs.at[k]));
  for (int k = 0; k < d->outputs.len; k++)
    list_push(arena, &head.outputs, leaf_name(arena, d, d->outputs.at[k]));
  return head;
}

// False: refused, with a message.
static bool attempt(CProgram *p, const CDiffOptions *options, CDiffResult *result) {
  Stop stop;
  if (stop_arm(&stop)) {
    *result = cdiff_program(p, options);
    stop_pop(&stop);
    return p->diag->errors == 0;
  }
  if (stop.status != STATUS_USER_ERROR && stop.status != STATUS_UNSUPPORTED)
    stop_now(stop.status);
  return false;
}

// NULL: refused; *why is the first message.
static CDiffResult *transformed(Run *r, CDiffMode mode, const char **why) {
  Arena *arena = r->s->arena;
  CProgram *trial = arena_copy(arena, r->of->p, sizeof *trial);
  trial->diag = diag_new(arena);
  CDiffOptions *options = NEW(arena, CDiffOptions);
  *options = (CDiffOptions){.mode = mode, .lengths = r->of->lengths, .base = "dz"};
  list_push(arena, &options->heads,
            r->of->derived ? head_of(arena, r->of->derived) : r->of->head);
  CDiffResult *result = NEW(arena, CDiffResult);
  if (attempt(trial, options, result)) return result;
  cprogram_forget(r->of->p);
  for (int i = 0; i < trial->diag->entries.len && !*why; i++) {
    const DiagEntry *e = &trial->diag->entries.at[i];
    *why = arena_printf(arena, "[%s] %s", e->code ? e->code : "c-unsupported", e->message);
  }
  if (!*why) *why = "";
  return NULL;
}

static const char *refusal_note(Run *r, const char *no_tangent, const char *no_adjoint) {
  if (!no_tangent && !no_adjoint) return NULL;
  const char *why = no_tangent ? no_tangent : no_adjoint;
  const char *both = no_tangent && no_adjoint ? "derivative" : no_tangent ? "tangent" : "adjoint";
  return arena_printf(r->s->arena, "source transformation makes no %s: %s", both, why);
}

static void transformed_add(Run *r, const CDiffResult *result, const char *tail) {
  const char *c = arena_printf(r->s->arena, "dz_%s.c", tail);
  save(r, arena_printf(r->s->arena, "dz_%s.h", tail), result->header);
  save(r, c, result->source);
  if (result->tape) save(r, "dagaz_tape.h", cdiff_tape_header);
  file_add(r, c);
}

// ---- through core -------------------------------------------------------------------------------
static CCheckPlace place_of(const CDerived *d, int leaf) {
  return (CCheckPlace){d->low->leaves.at[leaf].param, d->low->leaves.at[leaf].path};
}

static CCheckFast fast_of(Run *r) {
  static const CCheckMode modes[] = {[CDERIVE_VALUE] = CCHECK_NONE, [CDERIVE_GRAD] = CCHECK_GRAD,
                                     [CDERIVE_JVP] = CCHECK_JVP, [CDERIVE_VJP] = CCHECK_VJP,
                                     [CDERIVE_JAC] = CCHECK_JAC, [CDERIVE_HVP] = CCHECK_HVP};
  const CDerived *d = r->of->derived;
  CCheckFast fast = {.name = d->name, .source = d->low->source, .mode = modes[d->mode],
                     .numbers = clower_jacobian_type(d)};
  for (int k = 0; k < d->inputs.len; k++)
    list_push(r->s->arena, &fast.inputs, place_of(d, d->inputs.at[k]));
  for (int k = 0; k < d->outputs.len; k++)
    list_push(r->s->arena, &fast.outputs, place_of(d, d->outputs.at[k]));
  return fast;
}

static void fast_add(Run *r) {
  BuildNote note = {0};
  save(r, arena_printf(r->s->arena, "%s.h", r->of->derived->name), r->of->texts->h.at);
  file_add(r, "fast.o");
  if (!toolchain_build(r->of->texts, r->words.at[r->words.len - 1], OUTPUT_OBJECT, &note))
    stop_now(STATUS_IO);
}

// ---- the program --------------------------------------------------------------------------------
static void program_make(Run *r) {
  const char *no_tangent = NULL, *no_adjoint = NULL;
  CDiffResult *tangents = transformed(r, CDIFF_TANGENT, &no_tangent);
  CDiffResult *adjoints = transformed(r, CDIFF_ADJOINT, &no_adjoint);
  CCheck check = {.base = "dz", .tangents = tangents, .adjoints = adjoints,
                  .lengths = r->of->lengths, .with_statics = true,
                  .note = refusal_note(r, no_tangent, no_adjoint)};
  CCheckFast fast = {0};
  if (r->of->derived) {
    fast = fast_of(r);
    check.fast = &fast;
  } else if (!tangents && !adjoints) {
    cflow_gap(r->s->diag, (Span){0}, "%s", check.note);
  }
  if (tangents) transformed_add(r, tangents, "d");
  if (adjoints) transformed_add(r, adjoints, "b");
  save(r, "check.c", cdiff_check_program(r->of->p, &check));
  session_stop_on_errors(r->s);
  file_add(r, "check.c");
  if (r->of->derived) fast_add(r);
}

static bool unit_defines(const CUnit *u, const CFunction *f) {
  for (int i = 0; i < u->items.len; i++)
    if (u->items.at[i].tag == CITEM_FUNCTION && u->items.at[i].function == f) return true;
  return false;
}

// A file of the user's; that of a static function together with a caller.
static void source_add(Run *r, int i) {
  CProgram *p = r->of->p;
  const CFunction *f = cprogram_function(p, r->of->head.function);
  const char *path = r->of->files.at[i];
  if (!f->is_static || i >= p->units.len || !unit_defines(p->units.at[i], f)) {
    word_add(r, path);
    return;
  }
  save(r, "static.c", cdiff_check_static(p, f, path));
  file_add(r, "static.c");
  word_add(r, "-I.");
}

// The user's headers lie beside the user's files; a main of theirs gets another name.
static void program_compile(Run *r) {
  word_add(r, "-Dmain=dz_main_of_program");
  for (int i = 0; i < r->of->flags.len; i++) word_add(r, r->of->flags.at[i]);
  for (int i = 0; i < r->of->files.len; i++) {
    const char *slash = strrchr(r->of->files.at[i], '/');
    int len = slash ? (int)(slash - r->of->files.at[i]) : 1;
    word_add(r, arena_printf(r->s->arena, "-I%.*s", len, slash ? r->of->files.at[i] : "."));
    source_add(r, i);
  }
  word_add(r, "-o");
  file_add(r, "check");
  word_add(r, "-lm");
  word_add(r, NULL);
  if (!compiler_wait(compiler_start(FLAGS_PORTABLE, r->words.at, false))) stop_now(STATUS_IO);
}

static void program_run(Run *r, const Words *words) {
  r->words.len = 0;
  file_add(r, "check");
  for (int i = 0; i < words->len; i++) word_add(r, words->at[i]);
  word_add(r, NULL);
  ProcessResult result = process_run(r->s->arena, r->words.at, "", 0, CHECK_SECONDS);
  fwrite(result.out, 1, result.out_len, stdout);
  fputs(result.error, stderr);
  if (result.status > 1) printf("the check stopped with status %d\n", result.status);
  r->agree = result.status == 0;
}

static void work(Run *r) {
  const CcCheck *of = r->of;
  Words words = sizes_of(r->s, cprogram_function(of->p, of->head.function), &of->sizes);
  if (of->range) range_check(r->s, of->range);
  session_stop_on_errors(r->s);
  if (of->range)
    list_push(r->s->arena, &words, arena_printf(r->s->arena, "--range=%s", of->range));
  program_make(r);
  program_compile(r);
  program_run(r, &words);
}

bool cc_check(Session *s, const CcCheck *check) {
  Run run = {.s = s, .of = check, .dir = temporary_dir(s->arena)};
  if (!run.dir) fail_io("cannot make a temporary folder: %s", strerror(errno));
  Stop stop;
  bool done = stop_arm(&stop);
  if (done) {
    work(&run);
    stop_pop(&stop);
  }
  temporary_remove(run.dir);
  if (!done) stop_now(stop.status);
  return run.agree;
}
