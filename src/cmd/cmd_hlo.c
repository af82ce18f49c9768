// dagaz hlo: an entry point, or a derivative of it, as a StableHLO module for constant sizes.
#include "cmd.h"
#include "hlo/hlo.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *path, *entry;
  bool jvp, vjp;
  Words sizes;  // NAME=VALUE
} HloJob;

static _Noreturn void stop_with(Session *s, const Loc *loc, const char *text) {
  diag_error(s->diag, loc ? loc->span : (Span){0}, "%s", text);
  session_stop_on_errors(s);
  stop_now(STATUS_USER_ERROR);
}

static Prog *derivative_of(Session *s, Prog *prog, const HloJob *job) {
  DeriveObstacle obstacle;
  Arena *arena = arena_new();
  list_push(s->arena, &s->programs, arena);
  prog = derive_entry(arena, prog, job->entry, job->jvp ? DERIVE_JVP : DERIVE_VJP, &obstacle);
  if (!prog)
    stop_with(s, NULL,
              arena_printf(s->arena, "cannot derive \"%s\": %s", job->entry, obstacle.why));
  return prog;
}

// ---- sizes: scalar integer parameters become constants
static const char *given(Session *s, const HloJob *job, const char *name) {
  size_t n = strlen(name);
  for (int i = 0; i < job->sizes.len; i++) {
    const char *word = job->sizes.at[i];
    if (strncmp(word, name, n) == 0 && word[n] == '=') return arena_strdup(s->arena, word + n + 1);
  }
  return NULL;
}

static bool is_number(const char *text, int64_t *out) {
  char *end;
  *out = strtoll(text, &end, 10);
  return *text && !*end;
}

static void names_check(Session *s, const HloJob *job, const Prog *prog, const Fn *fn) {
  for (int i = 0; i < job->sizes.len; i++) {
    const char *word = job->sizes.at[i], *equals = strchr(word, '=');
    const char *name = arena_strndup(s->arena, word, (size_t)(equals - word));
    bool found = false;
    for (int k = 0; k < fn->params.len; k++) {
      const VarInfo *v = var_info(prog, fn->params.at[k]);
      found = found || (!v->type.rank && prim_is_int(v->type.prim) && strcmp(v->base, name) == 0);
    }
    if (!found)
      stop_with(s, NULL,
                arena_printf(s->arena, "\"%s\" has no size or integer parameter named %s",
                             job->entry, name));
  }
}

static Fn *specialised(Session *s, Prog *prog, const HloJob *job, const Fn *fn) {
  Stms none = {0};
  Rewrite w = rewrite_new(prog, builder_new(prog, &none));
  Fn *out = NEW(prog->arena, Fn);
  *out = *fn;
  out->params = (Vars){0};
  int sizes = fn->entry ? fn->entry->size_params : 0;
  for (int k = 0; k < fn->params.len; k++) {
    const VarInfo *v = var_info(prog, fn->params.at[k]);
    const char *text = v->type.rank ? NULL : given(s, job, v->base);
    int64_t n;
    if (!text && k < sizes)
      stop_with(s, fn->loc,
                arena_printf(s->arena, "the size %s of \"%s\" is not given: add %s=NUMBER", v->base,
                             job->entry, v->base));
    if (text && !is_number(text, &n))
      stop_with(s, fn->loc, arena_printf(s->arena, "%s=%s is not an integer", v->base, text));
    if (text) rewrite_bind(&w, fn->params.at[k], atom_scalar(scalar_int(v->type.prim, n)));
    else list_push(prog->arena, &out->params, rewrite_var(&w, fn->params.at[k]));
  }
  out->body = rewrite_body(&w, &fn->body);
  out->results = (Vars){0};
  for (int k = 0; k < fn->results.len; k++)
    list_push(prog->arena, &out->results, rewrite_var(&w, fn->results.at[k]));
  out->entry = NULL;
  return out;
}

static void only_function(Prog *prog, Fn *fn) {
  prog->fns.len = 0;
  list_push(prog->arena, &prog->fns, fn);
  prog->at_fixpoint = false;
}

static void sites_print(const HloSites *sites) {
  for (int i = 0; i < sites->len; i++) {
    Text where = {0};
    if (sites->at[i].loc) loc_print(&where, sites->at[i].loc);
    const char *line = where.at ? where.at : "";
    printf("// check %d: %s %.*s\n", i + 1, sites->at[i].text, (int)strcspn(line, "\n"), line);
    text_free(&where);
  }
}

// Results without the sizes of others, which are constants.
static bool body_of(Prog *prog, const Fn *fn, int sizes, BulkBody *body, BulkRefusal *why) {
  if (!bulk_from_core(prog, &fn->body, body, why)) return false;
  bulk_moves(prog, body);
  bulk_windows(prog, body);
  body->results = atoms_slice(body->results, sizes, body->results.len - sizes);
  return true;
}

static void work(Session *s, void *state) {
  HloJob *job = state;
  Prog *prog = session_core(s, job->path);
  job->entry = entry_chosen(prog, job->entry);
  if (!entry_find(prog, job->entry)) stop_with(s, NULL, entry_missing(s->arena, prog));
  Arena *arena = arena_new();
  list_push(s->arena, &s->programs, arena);
  prog = derive_sizes(arena, prog);
  if (job->jvp || job->vjp) prog = derivative_of(s, prog, job);
  prog = pipeline_bulk(s, prog);
  const Fn *fn = entry_find(prog, job->entry);
  if (!fn) fn = prog->fns.at[prog->fns.len - 1];
  names_check(s, job, prog, fn);
  int sizes = fn->entry ? fn->entry->sizes : 0;
  only_function(prog, specialised(s, prog, job, fn));
  prog = pipeline_bulk(s, prog);
  fn = prog->fns.at[0];
  BulkBody body;
  BulkRefusal why = {0};
  HloModule module = {.name = job->entry, .params = fn->params, .body = &body};
  HloSites sites = {0};
  Text text = {0};
  if (!body_of(prog, fn, sizes, &body, &why) || !hlo_print(&text, prog, &module, &sites, &why))
    stop_with(s, why.loc,
              arena_printf(s->arena, "no StableHLO for \"%s\": %s", job->entry, why.text));
  sites_print(&sites);
  fputs(text.at ? text.at : "", stdout);
  text_free(&text);
}

static bool words_split(Session *s, HloJob *job, Words words) {
  for (int i = 0; i < words.len; i++) {
    if (strchr(words.at[i], '=')) list_push(s->arena, &job->sizes, words.at[i]);
    else if (!job->path) job->path = words.at[i];
    else return false;
  }
  return job->path != NULL;
}

int cmd_hlo(int argc, char **argv) {
  Session *s = session_new();
  Words words = {0};
  HloJob job = {0};
  bool help;
  const ArgRow rows[] = {{"entry-point", 'e', ARG_TEXT, &job.entry,
                          "which function (default: main, or the only entry point)"},
                         {"vjp", 0, ARG_FLAG, &job.vjp,
                          "its reverse-mode derivative, by dual arrays if not told otherwise"},
                         {"jvp", 0, ARG_FLAG, &job.jvp, "its forward-mode derivative"},
                         {"strict-ieee", 0, ARG_FLAG, &s->strict_ieee,
                          "plain products: shorter, and NaN where zero meets infinity or NaN"},
                         args_strategy(&s->switches.strategy),
                         {0}};
  if (!args_parse(s->arena, rows, argc, argv, &words, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (!words_split(s, &job, words) || (job.jvp && job.vjp)) return usage_error("hlo");
  if (!s->switches.strategy) s->switches.strategy = STRATEGY_DUAL;
  s->verify = true;
  session_select(s, job.entry);
  Status status = session_run(s, work, &job);
  session_free(s);
  return status;
}
