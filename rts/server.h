// server: the line protocol on standard input and output.  A command is a line of words, "quoted"
// where they have spaces.  The answer ends with "%%% OK"; a failed command answers "%%% FAILURE"
// and a text before that.  A command that is not known ends the server with status 1.
//
// `call ENTRY OUT IN..` has one output.  The older spelling with one output for each component
// of a tuple is distinguished by the number of words; `outputs` is the older `output`.
#ifndef DZ_SERVER_H
#define DZ_SERVER_H
#include "save.h"
#include "vars.h"

// ---- calls -----------------------------------------------------------------------------------
DZ_FN const DzType *const *dz_entry_types(const DzEntry *e, const DzType **out) {
  for (int i = 0; i < e->in_count; i++) out[i] = e->in[i].type;
  return out;
}

// A tuple result goes to one variable for each component.
DZ_FN int dz_server_outs(DzServer *s, const DzType *t, int n, char **names, DzVal *result) {
  int err = 0;
  for (int i = 0; i < n && err == 0; i++) {
    DzVal part = {0};
    err = dz_server_error(s, dz_record_project(s->ctx, result->opaque, i, &part));
    if (err == 0) err = dz_var_put(s, names[i], t->parts[i].type, part);
  }
  dz_val_free(s->ctx, t, result);
  return err;
}

DZ_FN int dz_server_call_with(DzServer *s, const DzEntry *e, int outs, char **w, DzScratch *x) {
  char **in = w + outs;
  DzVal result;
  if (!dz_vars_fresh(s, outs, w)) return 1;
  if (!dz_server_values(s, e->in_count, in, dz_entry_types(e, x->types), x->vals)) return 1;
  int64_t start = dz_now();
  int err = dz_entry_call(s->ctx, e, &result, x->vals);
  if (err == 0 && (err = dz_ctx_sync(s->ctx)) != 0) dz_val_free(s->ctx, e->out.type, &result);
  int64_t us = (dz_now() - start) / 1000;
  if (err != 0) return dz_server_error(s, err);
  for (int i = 0; i < e->in_count; i++)
    if (e->in[i].unique && e->in[i].type->kind != DZ_SCALAR)
      s->vars[dz_var_at(s, in[i])].consumed = true;
  printf("runtime: %" PRId64 "\n", us > 0 ? us : 1);
  bool spread = dz_type_is_tuple(e->out.type) && outs == e->out.type->part_count && outs != 1;
  if (spread) return dz_server_outs(s, e->out.type, outs, w, &result);
  return dz_var_put(s, w[0], e->out.type, result);
}

// call ENTRY OUT.. IN..
DZ_FN int dz_server_call(DzServer *s, int n, char **w) {
  const DzEntry *e = dz_server_entry(s, w[0]);
  DzScratch x;
  if (e == NULL) return 1;
  int outs = n - 1 - e->in_count;
  int parts = dz_type_is_tuple(e->out.type) ? e->out.type->part_count : 1;
  if (outs != 1 && outs != parts)
    return dz_server_fail(s, "Invalid argument count, expected %d", 1 + e->in_count);
  if (!dz_scratch_new(s, &x, e->in_count)) return 1;
  int err = dz_server_call_with(s, e, outs, w + 1, &x);
  dz_scratch_free(&x);
  return err;
}

DZ_FN int dz_server_inputs(DzServer *s, int n, char **w) {
  (void)n;
  const DzEntry *e = dz_server_entry(s, w[0]);
  for (int i = 0; e != NULL && i < e->in_count; i++)
    printf("%s%s\n", e->in[i].unique ? "*" : "", e->in[i].type->name);
  return e == NULL;
}

DZ_FN int dz_server_output(DzServer *s, int n, char **w) {
  (void)n;
  const DzEntry *e = dz_server_entry(s, w[0]);
  if (e != NULL) printf("%s%s\n", e->out.unique ? "*" : "", e->out.type->name);
  return e == NULL;
}

DZ_FN int dz_server_outputs(DzServer *s, int n, char **w) {
  const DzEntry *e = dz_server_entry(s, w[0]);
  if (e == NULL) return 1;
  if (!dz_type_is_tuple(e->out.type)) return dz_server_output(s, n, w);
  for (int i = 0; i < e->out.type->part_count; i++)
    printf("%s%s\n", e->out.unique ? "*" : "", e->out.type->parts[i].type->name);
  return 0;
}

DZ_FN int dz_server_entry_points(DzServer *s, int n, char **w) {
  (void)n, (void)w;
  for (int i = 0; i < s->program->entry_count; i++) printf("%s\n", s->program->entries[i].name);
  return 0;
}

DZ_FN int dz_server_attributes(DzServer *s, int n, char **w) {
  (void)n;
  const DzEntry *e = dz_server_entry(s, w[0]);
  for (int i = 0; e != NULL && e->attributes != NULL && e->attributes[i] != NULL; i++)
    printf("%s\n", e->attributes[i]);
  return e == NULL;
}

// ---- variables -------------------------------------------------------------------------------
// restore FILE VAR TYPE ..
DZ_FN int dz_server_restore_from(DzServer *s, int n, char **w, DzReader *r) {
  for (int i = 0; i + 1 < n; i += 2) {
    const DzType *t = dz_server_type(s, w[i + 1]);
    DzVal v = {0};
    if (t == NULL || !dz_var_fresh(s, w[i])) return 1;
    int err = dz_server_error(s, dz_val_read(s->ctx, r, t, &v));
    if (err == 0) err = dz_var_put(s, w[i], t, v);
    if (err != 0) return err;
  }
  return 0;
}

DZ_FN int dz_server_restore(DzServer *s, int n, char **w) {
  DzReader r;
  if (n % 2 == 0) return dz_server_fail(s, "Invalid argument count");
  FILE *f = fopen(w[0], "rb");
  if (f == NULL) return dz_server_fail(s, "Failed to open %s: %s", w[0], strerror(errno));
  int err = dz_reader_file(&r, f) ? dz_server_restore_from(s, n - 1, w + 1, &r)
                                  : dz_server_fail(s, "out of memory");
  dz_reader_free(&r);
  fclose(f);
  return err;
}

DZ_FN int dz_server_store(DzServer *s, int n, char **w) {
  for (int i = 1; i < n; i++)
    if (dz_var_get(s, w[i]) == NULL) return 1;
  DzSave save;
  if (!dz_save_begin(&save, w[0]))
    return dz_server_fail(s, "Failed to open %s: %s", w[0], strerror(errno));
  DzSink sink = {.file = save.file};
  for (int i = 1; i < n; i++) {
    DzVar *v = &s->vars[dz_var_at(s, w[i])];
    dz_val_put(&sink, v->type, &v->val);
  }
  if (dz_save_end(&save, !sink.failed)) return 0;
  return dz_server_fail(s, "Failed to write %s: %s", w[0], strerror(errno));
}

DZ_FN int dz_server_free(DzServer *s, int n, char **w) {
  for (int i = 0; i < n; i++) {
    int k = dz_var_at(s, w[i]);
    if (k < 0) return dz_server_fail(s, "Unknown variable: %s", w[i]);
    dz_var_drop(s, k);
  }
  return 0;
}

DZ_FN int dz_server_rename(DzServer *s, int n, char **w) {
  (void)n;
  DzVar *v = dz_var_get(s, w[0]);
  if (v == NULL || !dz_var_fresh(s, w[1])) return 1;
  char *name = (char *)malloc(strlen(w[1]) + 1);
  if (name == NULL) return dz_server_fail(s, "out of memory");
  memcpy(name, w[1], strlen(w[1]) + 1);
  free(v->name);
  v->name = name;
  return 0;
}

DZ_FN int dz_server_type_of(DzServer *s, int n, char **w) {
  (void)n;
  DzVar *v = dz_var_get(s, w[0]);
  if (v != NULL) printf("%s\n", v->type->name);
  return v == NULL;
}

// ---- the context -----------------------------------------------------------------------------
DZ_FN int dz_server_clear(DzServer *s, int n, char **w) {
  (void)n, (void)w;
  dz_clear_caches(s->ctx);
  s->ctx->mem_peak = s->ctx->mem_now;
  dz_measures_clear(s->ctx);
  return 0;
}

DZ_FN int dz_server_pause(DzServer *s, int n, char **w) {
  (void)n, (void)w;
  s->ctx->profiling = false;
  return 0;
}

DZ_FN int dz_server_unpause(DzServer *s, int n, char **w) {
  (void)n, (void)w;
  s->ctx->profiling = true;
  return 0;
}

DZ_FN int dz_server_report(DzServer *s, int n, char **w) {
  (void)n, (void)w;
  DzSink sink = {.file = stdout};
  dz_put_report(&sink, s->ctx);
  return 0;
}

DZ_FN int dz_server_tuning_at(DzServer *s, const char *name) {
  int k = dz_tuning_find(s->program, name, strlen(name));
  if (k < 0) dz_server_fail(s, "Unknown tuning parameter: %s", name);
  return k;
}

DZ_FN int dz_server_set_tuning(DzServer *s, int n, char **w) {
  (void)n;
  int64_t value;
  int k = dz_server_tuning_at(s, w[0]);
  if (k < 0 || !dz_server_numbers(s, 1, w + 1, &value)) return 1;
  s->ctx->tuning[k] = value;
  return 0;
}

DZ_FN int dz_server_tuning(DzServer *s, int n, char **w) {
  (void)n;
  const DzEntry *e = dz_server_entry(s, w[0]);
  for (int i = 0; e != NULL && e->tuning != NULL && e->tuning[i] >= 0; i++)
    printf("%s %s\n", s->program->tuning[e->tuning[i]].name,
           s->program->tuning[e->tuning[i]].klass);
  return e == NULL;
}

DZ_FN int dz_server_tuning_class(DzServer *s, int n, char **w) {
  (void)n;
  int k = dz_server_tuning_at(s, w[0]);
  if (k >= 0) printf("%s\n", s->program->tuning[k].klass);
  return k < 0;
}

// ---- commands --------------------------------------------------------------------------------
typedef struct DzCommand {
  const char *name;
  int least, most;  // words after the command; most < 0: any number
  int (*run)(DzServer *s, int n, char **w);
} DzCommand;

static const DzCommand dz_commands[] = {
    {"call", 1, -1, dz_server_call},
    {"restore", 1, -1, dz_server_restore},
    {"store", 1, -1, dz_server_store},
    {"free", 0, -1, dz_server_free},
    {"rename", 2, 2, dz_server_rename},
    {"inputs", 1, 1, dz_server_inputs},
    {"output", 1, 1, dz_server_output},
    {"outputs", 1, 1, dz_server_outputs},
    {"entry_points", 0, 0, dz_server_entry_points},
    {"attributes", 1, 1, dz_server_attributes},
    {"types", 0, 0, dz_server_types},
    {"type", 1, 1, dz_server_type_of},
    {"kind", 1, 1, dz_server_kind},
    {"rank", 1, 1, dz_server_rank},
    {"elemtype", 1, 1, dz_server_elemtype},
    {"new_array", 2, -1, dz_server_new_array},
    {"set", 2, -1, dz_server_set},
    {"shape", 1, 1, dz_server_shape},
    {"index", 2, -1, dz_server_index},
    {"zip", 2, -1, dz_server_zip},
    {"unzip", 1, -1, dz_server_unzip},
    {"fields", 1, 1, dz_server_fields},
    {"new", 2, -1, dz_server_new},
    {"project", 3, 3, dz_server_project},
    {"variants", 1, 1, dz_server_variants},
    {"construct", 3, -1, dz_server_construct},
    {"destruct", 1, -1, dz_server_destruct},
    {"variant", 1, 1, dz_server_variant},
    {"clear", 0, 0, dz_server_clear},
    {"pause_profiling", 0, 0, dz_server_pause},
    {"unpause_profiling", 0, 0, dz_server_unpause},
    {"report", 0, 0, dz_server_report},
    {"set_tuning_param", 2, 2, dz_server_set_tuning},
    {"tuning_params", 1, 1, dz_server_tuning},
    {"tuning_param_class", 1, 1, dz_server_tuning_class},
};

// Splits a line into words, in place.  False: a quote is not closed.
DZ_FN bool dz_split_words(char *line, char **words, int *count) {
  char *p = line;
  *count = 0;
  for (;;) {
    while (*p == ' ' || *p == '\t') p++;
    if (*p == 0) return true;
    bool quoted = *p == '"';
    p += quoted;
    words[(*count)++] = p;
    while (*p != 0 && (quoted ? *p != '"' : *p != ' ' && *p != '\t')) p++;
    if (quoted && *p == 0) return false;
    if (*p != 0) *p++ = 0;
  }
}

// Runs one command.  False: it is not known.
DZ_FN bool dz_server_run(DzServer *s, int n, char **w) {
  for (size_t i = 0; i < sizeof dz_commands / sizeof *dz_commands; i++) {
    const DzCommand *cmd = &dz_commands[i];
    if (strcmp(cmd->name, w[0]) != 0) continue;
    if (n - 1 < cmd->least || (cmd->most >= 0 && n - 1 > cmd->most))
      dz_server_fail(s, "Invalid argument count for %s", w[0]);
    else cmd->run(s, n - 1, w + 1);
    return true;
  }
  fflush(stdout);
  fprintf(stderr, "Unknown command: %.200s\n", w[0]);
  return false;
}

// One line from standard input without its end, malloc'd; NULL at the end of input.
DZ_FN char *dz_read_line(void) {
  size_t len = 0, cap = 256;
  char *line = (char *)malloc(cap);
  int c;
  while (line != NULL && (c = getchar()) != EOF && c != '\n') {
    line[len++] = (char)(c == 0 ? '?' : c);
    if (len < cap) continue;
    char *more = (char *)realloc(line, cap *= 2);
    if (more == NULL) free(line);
    line = more;
  }
  if (line == NULL || (len == 0 && feof(stdin))) {
    free(line);
    return NULL;
  }
  if (len > 0 && line[len - 1] == '\r') len--;
  line[len] = 0;
  return line;
}

DZ_FN bool dz_server_line(DzServer *s, char *line) {
  char **words = (char **)malloc(sizeof *words * (strlen(line) / 2 + 2));
  int n;
  bool known = true;
  s->failed = false;
  if (words == NULL) dz_server_fail(s, "out of memory");
  else if (!dz_split_words(line, words, &n)) dz_server_fail(s, "Unterminated quote");
  else if (n > 0) known = dz_server_run(s, n, words);
  free(words);
  return known;
}

DZ_FN int dz_server_loop(DzServer *s) {
  bool known = true;
  char *line;
  printf("%%%%%% OK\n");
  fflush(stdout);
  while (known && (line = dz_read_line()) != NULL) {
    known = dz_server_line(s, line);
    free(line);
    if (known) printf("%%%%%% OK\n");
    if (fflush(stdout) != 0) break;
  }
  while (s->var_count > 0) dz_var_drop(s, s->var_count - 1);
  free(s->vars);
  return known ? 0 : 1;
}

DZ_FN int dz_server_main(const DzProgram *program, int argc, char **argv) {
  DzCli cli = {.server = true};
  int err = dz_cli_parse(&cli, program, argc, argv);
  bool inform = err == 0 && dz_cli_inform(&cli);
  if (err == 0 && !inform) {
    DzServer s = {.program = program, .ctx = dz_ctx_new(program, &cli.config)};
    if (s.ctx == NULL) err = dz_cli_fail(&cli, "out of memory");
    else if (s.ctx->error != NULL) err = dz_cli_error(&cli, s.ctx);
    else err = dz_server_loop(&s);
    dz_ctx_free(s.ctx);
  }
  if (err == 0) err = dz_cli_end(&cli);
  free(cli.config.tuning);
  return err != 0 ? 1 : 0;
}
#endif
