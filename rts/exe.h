// exe: the main function of an executable: arguments of the entry point from standard input,
// the result to standard output.  Exit status 1 for every failure.
#ifndef DZ_EXE_H
#define DZ_EXE_H
#include "text.h"

DZ_FN int dz_exe_no_entry(const DzCli *cli) {
  dz_cli_fail(cli, "No such entry point: %s", cli->entry);
  fprintf(stderr, "Select another with --entry-point.  Options are:\n");
  for (int i = 0; i < cli->program->entry_count; i++)
    fprintf(stderr, "%s\n", cli->program->entries[i].name);
  return 1;
}

DZ_FN void dz_exe_unreadable(const DzCli *cli, const DzIo *io, int i) {
  fprintf(stderr, "%s: Cannot read input #%d of type \"%s\".", cli->prog, i, io->type->name);
  if (io->name != NULL) fprintf(stderr, "  It is the parameter \"%s\".", io->name);
  fputs("\n", stderr);
}

// Whether values in the binary format follow.
DZ_FN bool dz_exe_at_binary(DzReader *r) {
  dz_skip(r);
  int next = dz_peek(r);
  return next == 'b' || next == 'D';
}

// A tuple is read as its components one after the other, as it is printed, or in parentheses.
DZ_FN int dz_exe_value(DzCtx *c, DzReader *r, const DzType *t, DzVal *out) {
  bool binary = dz_exe_at_binary(r);
  if (!binary && (dz_peek(r) == '(' || !dz_type_is_tuple(t))) return dz_text_value(c, r, t, out);
  if (!dz_type_is_tuple(t)) return dz_val_read(c, r, t, out);
  DzVal *parts = (DzVal *)calloc((size_t)t->part_count + 1, sizeof *parts);
  if (parts == NULL) return dz_out_of_memory(c, 0, -1);
  int made = 0, err = 0;
  for (; made < t->part_count && err == 0; made += err == 0)
    err = dz_exe_value(c, r, t->parts[made].type, &parts[made]);
  if (err == 0) err = dz_record_new(c, t, &out->opaque, parts);
  for (int i = 0; i < made; i++) dz_val_free(c, t->parts[i].type, &parts[i]);
  free(parts);
  return err;
}

DZ_FN int dz_exe_read(const DzCli *cli, DzCtx *c, const DzEntry *e, DzVal *in, int *count) {
  DzReader r;
  int err = 0;
  if (!dz_reader_file(&r, stdin)) return dz_cli_fail(cli, "out of memory");
  for (int i = 0; i < e->in_count && err == 0; i++) {
    const DzType *t = e->in[i].type;
    if (t->kind == DZ_RECORD && t->part_count == 0) {
      err = dz_opaque_empty(c, t, &in[i].opaque);
      *count += err == 0;
    } else if (dz_exe_value(c, &r, t, &in[i]) == 0) ++*count;
    else {
      dz_exe_unreadable(cli, &e->in[i], i);
      err = dz_cli_error(cli, c);
    }
  }
  if (err == 0 && !dz_read_end(&r))
    err = dz_cli_fail(cli, "Expected EOF on stdin after reading input for \"%s\".", e->name);
  dz_reader_free(&r);
  return err;
}

// A copy of a consumed input, so that every run finds the original.
DZ_FN int dz_exe_copy(DzCtx *c, const DzType *t, DzVal *out, const DzVal *v) {
  if (t->kind == DZ_SCALAR) return *out = *v, 0;
  *out = (DzVal){0};
  if (t->kind == DZ_ARRAY) return dz_array_copy(c, &out->array, v->array);
  int err = dz_type_is_opaque(t) ? dz_opaque_empty(c, t, &out->opaque) : 0;
  for (int i = 0; i < t->leaf_count && err == 0 && dz_type_is_opaque(t); i++) {
    if (t->leaves[i].rank == 0) out->opaque->leaf[i] = v->opaque->leaf[i];
    else err = dz_array_copy(c, &out->opaque->leaf[i].array, v->opaque->leaf[i].array);
  }
  return err;
}

DZ_FN int dz_exe_run(DzCtx *c, const DzEntry *e, DzVal *out, const DzVal *in, int64_t *ns) {
  DzVal *own = (DzVal *)calloc((size_t)e->in_count + 1, sizeof *own);
  if (own == NULL) return dz_out_of_memory(c, 0, -1);
  int made = 0, err = 0;
  for (; made < e->in_count && err == 0; made++) {
    own[made] = in[made];
    if (e->in[made].unique) err = dz_exe_copy(c, e->in[made].type, &own[made], &in[made]);
  }
  int64_t start = dz_now();
  if (err == 0) err = dz_entry_call(c, e, out, own);
  if (err == 0 && (err = dz_ctx_sync(c)) != 0) dz_val_free(c, e->out.type, out);
  *ns = dz_now() - start;
  dz_timeline_end(c->timeline);
  for (int i = 0; i < made; i++)
    if (e->in[i].unique && e->in[i].type->kind != DZ_SCALAR)
      dz_val_free(c, e->in[i].type, &own[i]);
  free(own);
  return err;
}

// The runs, their times; *out is the last result.
DZ_FN int dz_exe_runs(const DzCli *cli, DzCtx *c, const DzEntry *e, DzVal *out, const DzVal *in) {
  FILE *times = NULL;
  int err = 0;
  if (cli->runtime_file != NULL && (times = fopen(cli->runtime_file, "w")) == NULL)
    return dz_cli_fail(cli, "Cannot open %s: %s", cli->runtime_file, strerror(errno));
  for (int run = cli->warmup ? -1 : 0; run < cli->runs && err == 0; run++) {
    int64_t ns;
    DzVal result;
    err = dz_exe_run(c, e, &result, in, &ns);
    if (err != 0) break;
    if (run < 0) dz_measures_clear(c);
    if (run >= 0 && times != NULL) fprintf(times, "%" PRId64 ".%03d\n", ns / 1000, (int)(ns % 1000));
    if (run + 1 < cli->runs) dz_val_free(c, e->out.type, &result);
    else *out = result;
  }
  bool lost = times != NULL && ferror(times) != 0;
  if (times != NULL) lost = fclose(times) != 0 || lost;
  if (err != 0) return dz_cli_error(cli, c);
  if (!lost) return 0;
  dz_val_free(c, e->out.type, out);
  return dz_cli_fail(cli, "Cannot write %s: %s", cli->runtime_file, strerror(errno));
}

// ---- results as text, records and sums as the language writes them ------------------------------
DZ_FN int dz_exe_text(DzCtx *c, DzSink *s, const DzType *t, DzVal *v);

// A field or payload of the value.
DZ_FN int dz_exe_part(DzCtx *c, DzSink *s, const DzPart *part, DzVal *v) {
  DzVal own;
  int err = dz_part_get(c, part, v->opaque->leaf, &own);
  if (err != 0) return err;
  bool parens = part->name == NULL && part->type->kind == DZ_SUM;
  if (parens) dz_puts(s, "(");
  err = dz_exe_text(c, s, part->type, &own);
  if (parens) dz_puts(s, ")");
  dz_val_free(c, part->type, &own);
  return err;
}

DZ_FN int dz_exe_fields(DzCtx *c, DzSink *s, const DzType *t, DzVal *v) {
  bool tuple = dz_type_is_tuple(t);
  int err = 0;
  dz_puts(s, tuple ? "(" : "{");
  for (int i = 0; i < t->part_count && err == 0; i++) {
    if (i > 0) dz_puts(s, ", ");
    if (!tuple) dz_putf(s, "%s = ", t->parts[i].name);
    err = dz_exe_part(c, s, &t->parts[i], v);
  }
  dz_puts(s, tuple ? ")" : "}");
  return err;
}

DZ_FN int dz_exe_variant(DzCtx *c, DzSink *s, const DzType *t, DzVal *v) {
  const DzVariant *variant = &t->variants[dz_sum_variant(v->opaque)];
  int err = 0;
  dz_putf(s, "#%s", variant->name);
  for (int i = 0; i < variant->part_count && err == 0; i++) {
    dz_puts(s, " ");
    err = dz_exe_part(c, s, &variant->parts[i], v);
  }
  return err;
}

// The elements below the first `depth` dimensions at `at`.
DZ_FN int dz_exe_rows(DzCtx *c, DzSink *s, DzVal *v, int depth, int64_t *at) {
  const DzType *t = v->opaque->type;
  int err = 0;
  if (depth == t->rank) {
    DzVal own;
    err = dz_rows_index(c, v->opaque, at, &own);
    if (err != 0) return err;
    err = dz_exe_text(c, s, t->elem, &own);
    dz_val_free(c, t->elem, &own);
    return err;
  }
  dz_puts(s, "[");
  for (at[depth] = 0; at[depth] < dz_rows_shape(v->opaque)[depth] && err == 0; at[depth]++) {
    if (at[depth] > 0) dz_puts(s, ", ");
    err = dz_exe_rows(c, s, v, depth + 1, at);
  }
  dz_puts(s, "]");
  return err;
}

DZ_FN int dz_exe_array(DzCtx *c, DzSink *s, const DzType *t, DzVal *v) {
  int64_t at[DZ_RANK_MAX];
  const int64_t *shape = dz_rows_shape(v->opaque);
  if (t->elem->leaf_count == 0) return dz_putf(s, "<%s>", t->name), 0;
  bool empty = false;
  for (int d = 0; d < t->rank; d++) empty = empty || shape[d] == 0;
  if (!empty) return dz_exe_rows(c, s, v, 0, at);
  dz_puts(s, "empty(");
  for (int d = 0; d < t->rank; d++) dz_putf(s, "[%" PRId64 "]", shape[d]);
  dz_putf(s, "%s)", t->elem->name);
  return 0;
}

DZ_FN int dz_exe_text(DzCtx *c, DzSink *s, const DzType *t, DzVal *v) {
  switch (t->kind) {
    case DZ_SCALAR: dz_put_text(s, t->leaves[0].prim, 0, NULL, (const char *)v); return 0;
    case DZ_ARRAY:
      dz_put_text(s, t->leaves[0].prim, t->leaves[0].rank, v->array->shape, v->array->data);
      return 0;
    case DZ_RECORD: return dz_exe_fields(c, s, t, v);
    case DZ_SUM: return dz_exe_variant(c, s, t, v);
    case DZ_OPAQUE_ARRAY: return dz_exe_array(c, s, t, v);
    case DZ_OPAQUE: dz_putf(s, "<%s>", t->name); return 0;
  }
  return 0;
}

// One value on each line; of a tuple its components.
DZ_FN int dz_exe_put(DzSink *s, const DzCli *cli, DzCtx *c, const DzType *t, DzVal *v) {
  int err = 0;
  if (t->kind == DZ_RECORD && t->part_count > 0 && dz_type_is_tuple(t)) {
    for (int i = 0; i < t->part_count && err == 0; i++) {
      DzVal own;
      err = dz_part_get(c, &t->parts[i], v->opaque->leaf, &own);
      if (err != 0) return err;
      err = dz_exe_put(s, cli, c, t->parts[i].type, &own);
      dz_val_free(c, t->parts[i].type, &own);
    }
  } else if (cli->binary) {
    if (t->leaf_count > 0) dz_val_put(s, t, v);
  } else {
    if (t->leaf_count > 0) err = dz_exe_text(c, s, t, v);
    dz_puts(s, "\n");
  }
  return err;
}

DZ_FN int dz_exe_print(const DzCli *cli, DzCtx *c, const DzType *t, DzVal *result) {
  DzSink s = {.file = stdout};
  if (dz_exe_put(&s, cli, c, t, result) != 0) return dz_cli_error(cli, c);
  if (fflush(stdout) != 0 || s.failed) return dz_cli_fail(cli, "Cannot write the result.");
  return 0;
}

DZ_FN int dz_exe_entry(const DzCli *cli, DzCtx *c, const DzEntry *e) {
  DzVal out = {0}, *in = (DzVal *)calloc((size_t)e->in_count + 1, sizeof *in);
  int count = 0, err = in == NULL ? dz_cli_fail(cli, "out of memory") : 0;
  if (err == 0) err = dz_exe_read(cli, c, e, in, &count);
  if (err == 0 && (err = dz_exe_runs(cli, c, e, &out, in)) == 0) {
    if (!cli->quiet) err = dz_exe_print(cli, c, e->out.type, &out);
    dz_val_free(c, e->out.type, &out);
  }
  for (int i = 0; i < count; i++) dz_val_free(c, e->in[i].type, &in[i]);
  free(in);
  return err;
}

DZ_FN int dz_exe_with(const DzCli *cli) {
  DzCtx *c = dz_ctx_new(cli->program, &cli->config);
  if (c == NULL) return dz_cli_fail(cli, "out of memory");
  const DzEntry *e = dz_entry_named(cli->program, cli->entry);
  int err = c->error != NULL ? dz_cli_error(cli, c)
            : e == NULL      ? dz_exe_no_entry(cli)
                             : dz_exe_entry(cli, c, e);
  if (cli->config.profiling) {
    DzSink s = {.file = stderr};
    dz_put_report(&s, c);
  }
  dz_ctx_free(c);
  return err;
}

DZ_FN int dz_exe_main(const DzProgram *program, int argc, char **argv) {
  DzCli cli = {0};
  int err = dz_cli_parse(&cli, program, argc, argv);
  if (err == 0 && !dz_cli_inform(&cli)) err = dz_exe_with(&cli);
  else if (err == 0) err = dz_cli_end(&cli);
  free(cli.config.tuning);
  return err != 0 ? 1 : 0;
}
#endif
