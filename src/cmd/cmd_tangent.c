// dagaz tangent, dagaz adjoint: derivatives of C functions as C files.
#include "c_args.h"
#include "cdiff/cdiff.h"
#include <errno.h>
#include <stdlib.h>

typedef struct {
  Words files, heads;
  CFlags flags;
  CDiffOptions options;
  bool to_stdout, context;
  const char *lines;   // file for them; NULL: none
} DiffJob;

static void save(Arena *arena, const char *path, const char *text) {
  args_c_save(arena, path, text, strlen(text));
}

static void lines_save(const char *path, const char *text) {
  if (!file_replace(path, text, strlen(text), REMADE))
    fail_io("cannot write %s: %s", path, strerror(errno));
}

static const char *base_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  return dot ? arena_strndup(arena, name, (size_t)(dot - name)) : name;
}

// [[line of the derivative, line of the source], ..], of statements from the first file.
static const char *lines_text(Session *s, const CDiffResult *r, const Source *source) {
  Text out = {0};
  int line = 1, last = 0;
  size_t at = 0;
  text_putc(&out, '[');
  for (int i = 0; i < r->printed->list.len; i++) {
    CPrinted p = r->printed->list.at[i];
    for (; at < p.at; at++) line += r->source[at] == '\n';
    if (p.from.src != source || line == last) continue;
    text_printf(&out, "%s[%d, %d]", last ? ", " : "", line, span_place(p.from).line);
    last = line;
  }
  text_puts(&out, "]\n");
  const char *text = arena_strdup(s->arena, out.at);
  text_free(&out);
  return text;
}

static CDiffResult derivatives(Session *s, DiffJob *job, CProgram *p, const char *out,
    CDiffMode mode) {
  job->options.mode = mode;
  CDiffResult r = cdiff_program(p, arena_copy(s->arena, &job->options, sizeof job->options));
  session_stop_on_errors(s);
  if (job->lines) lines_save(job->lines, lines_text(s, &r, p->units.at[0]->source));
  const char *tail = cdiff_tail(&job->options);
  if (job->to_stdout) {
    fputs(r.source, stdout);
    return r;
  }
  save(s->arena, arena_printf(s->arena, "%s_%s.c", out, tail), r.source);
  save(s->arena, arena_printf(s->arena, "%s_%s.h", out, tail), r.header);
  if (!r.tape) return r;
  const char *slash = strrchr(out, '/');
  int len = slash ? (int)(slash - out) + 1 : 0;
  save(s->arena, arena_printf(s->arena, "%.*sdagaz_tape.h", len, out), cdiff_tape_header);
  return r;
}

static void work(Session *s, void *state) {
  DiffJob *job = state;
  CUnits units = args_c_units(s, &job->files, &job->flags);
  CHeads heads = args_c_heads(s, &job->heads, &units);
  if (!heads.len) fail_io("which function? say --head \"f(outputs)/(inputs)\"");
  job->options.heads = heads;
  const char *out = job->options.base ? job->options.base : base_of(s->arena, job->files.at[0]);
  job->options.base = base_of(s->arena, out);
  CProgram *p = args_c_program(s, units);
  args_c_joint(s, p, &job->options.joint);
  if (job->context) {
    CDiffResult both[2];
    both[0] = derivatives(s, job, p, out, CDIFF_TANGENT);
    both[1] = derivatives(s, job, p, out, CDIFF_ADJOINT);
    CCheck check = {.base = job->options.base, .tangents = &both[0], .adjoints = &both[1],
                    .lengths = job->options.lengths};
    save(s->arena, arena_printf(s->arena, "%s_check.c", out), cdiff_check_program(p, &check));
  } else derivatives(s, job, p, out, job->options.mode);
}

static bool directions_take(DiffJob *job, const char *text) {
  char *end;
  job->options.any_directions = strcmp(text, "runtime") == 0;
  long most = job->options.any_directions ? 4096 : strtol(text, &end, 10);
  if (!job->options.any_directions && (*end || end == text)) return false;
  job->options.directions = (int)most;
  return most > 0 && most <= 4096 && !job->context;
}

static int differentiate(int argc, char **argv, CDiffMode mode) {
  const char *directions = NULL;
  Session *s = session_new();
  DiffJob job = {.options.mode = mode};
  CArgs c_args = {0};
  Words lengths = {0}, joint = {0};
  bool help;
  const ArgRow rows[] = {
      {"head", 0, ARG_REPEAT, &job.heads,
          "functions: \"f(outputs)/(inputs)\" or \"f(inputs -> outputs)\""},
      {NULL, 'o', ARG_TEXT, &job.options.base, "name of the files, _d.c and _b.c may be left out"},
      {"stdout", 0, ARG_FLAG, &job.to_stdout, "print the source, write no files"},
      {"lines", 0, ARG_TEXT, &job.lines,
          "FILE for [[line of the derivative, line of the source], ..]"},
      {"context", 0, ARG_FLAG, &job.context,
          "tangent, adjoint and NAME_check.c: a program that compares them"},
      {"length", 0, ARG_REPEAT, &lengths, "the length of an array: \"x[n*d]\""},
      {"joint", 0, ARG_REPEAT, &joint, "adjoint: the reverse sweep executes calls of this function "
          "again, from a copy of what they overwrite, and keeps nothing else of them"},
      {"no-independent", 0, ARG_FLAG, &job.options.no_independent,
          "keep values of loops whose iterations could be executed again"},
      args_rules(&c_args),
      args_preprocessor(s, &c_args),
      args_messages(s),
      {"multi", 0, ARG_TEXT, &directions, mode == CDIFF_TANGENT
          ? "several directions at once: f_dv, with `int nbdirs`; the most, or `runtime`"
          : "several adjoints at once: f_bv, with `int nbdirs`; the most, or `runtime`"},
      {0}};
  if (!args_parse(s->arena, rows, argc, argv, &job.files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  job.options.base =
      args_c_base(s->arena, job.options.base, mode == CDIFF_ADJOINT ? "_b" : "_d");
  if (job.files.len == 0) return usage_error(mode == CDIFF_ADJOINT ? "adjoint" : "tangent");
  for (int i = 0; i < lengths.len; i++) list_push(s->arena, &job.options.lengths, lengths.at[i]);
  for (int i = 0; i < joint.len; i++) list_push(s->arena, &job.options.joint, joint.at[i]);
  if (directions && !directions_take(&job, directions)) {
    fprintf(stderr, "dagaz: --multi takes a number up to 4096, or `runtime`, and goes without "
            "--context\n");
    return STATUS_IO;
  }
  args_c_rules(s->arena, &c_args, &job.files);
  job.flags = args_c_flags(s->arena, &c_args);
  Status status = session_run(s, work, &job);
  session_free(s);
  return status;
}

int cmd_tangent(int argc, char **argv) { return differentiate(argc, argv, CDIFF_TANGENT); }
int cmd_adjoint(int argc, char **argv) { return differentiate(argc, argv, CDIFF_ADJOINT); }
