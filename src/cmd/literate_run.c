// directive ::= { ":brief" | ":covert" } [ ":img" | ":plot2d" | ":gnuplot" | ":audio" ] exp
//               [ ";" newline parameters ]
// A parameter is a line `key: value`; the parameters of :gnuplot are its script.
#include "literate.h"
#include "packages.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  Literate *l;
  const char *exp, *parameters;
  ScriptResult result;
  Text shown;           // in the document
  const char *problem;  // NULL: none
} Directive;

static const char *blanks_skip(const char *s) { return s + strspn(s, " \t\r\n"); }

static bool word_take(const char **at, const char *word) {
  size_t n = strlen(word);
  if (strncmp(*at, word, n) != 0 || !strchr(" \t\n", (*at)[n])) return false;
  *at = blanks_skip(*at + n);
  return true;
}

// ---- parameters
static const char *parameter(const Directive *d, const char *key) {
  size_t n = strlen(key);
  for (const char *at = d->parameters; *at; at += strcspn(at, "\n"), at += *at == '\n') {
    const char *from = at + strspn(at, " \t");
    if (strncmp(from, key, n) != 0) continue;
    from += n + strspn(from + n, " \t");
    if (*from != ':' && *from != '=') continue;
    from += 1 + strspn(from + 1, " \t");
    size_t len = strcspn(from, "\n");
    while (len > 0 && strchr(" \t\r", from[len - 1])) len--;
    return arena_strndup(d->l->arena, from, len);
  }
  return NULL;
}

// The name in the document of a new file with these bytes; NULL after a problem.
static const char *media_save(Directive *d, const char *suffix, const Text *bytes) {
  Literate *l = d->l;
  const char *name = parameter(d, "file");
  if (!name) name = arena_printf(l->arena, "%d.%s", ++l->files, suffix);
  if (!*name || *name == '.' || strpbrk(name, "/ ")) {
    d->problem = "a file's name has no blanks, no '/' and no '.' at its beginning";
    return NULL;
  }
  folders_make(l->arena, l->media);
  const char *path = arena_printf(l->arena, "%s/%s", l->media, name);
  if (!file_replace(path, bytes->at ? bytes->at : "", bytes->len, REMADE))
    fail_io("cannot write '%s': %s", path, strerror(errno));
  return arena_printf(l->arena, "%s/%s", l->media_name, name);
}

// ---- what each directive does with the value
static void value_show(Directive *d) {
  text_puts(&d->shown, "```\n");
  abi_print(&d->shown, d->l->arena, d->result.type, d->result.leaves.at);
  text_puts(&d->shown, "\n```\n");
}

static bool is_array(const AbiType *t) { return t->kind == ABI_ARRAY; }

static void img_show(Directive *d) {
  Text png = {0};
  if (!is_array(d->result.type) || !png_write(&png, &d->result.leaves.at[0]))
    d->problem = "a picture is an array [][]i32, [][]u32, [][]f32, [][]f64, [][]u8 or [][]bool";
  const char *name = d->problem ? NULL : media_save(d, "png", &png);
  if (name) text_printf(&d->shown, "![](%s)\n", name);
  text_free(&png);
}

static void audio_show(Directive *d) {
  const char *rate = parameter(d, "sampling_frequency"), *codec = parameter(d, "codec");
  long long hertz = rate ? atoll(rate) : 44100;
  Text wav = {0};
  if (codec && strcmp(codec, "wav") != 0) d->problem = "sounds are written as wav only";
  else if (hertz < 1 || hertz > 10000000) d->problem = "sampling_frequency wants a number of Hz";
  else if (!is_array(d->result.type) || !wav_write(&wav, &d->result.leaves.at[0], hertz))
    d->problem = "a sound is an array of 8, 16 or 32 bit integers or f32 or f64, or one such array "
                 "for each channel";
  const char *name = d->problem ? NULL : media_save(d, "wav", &wav);
  if (name)
    text_printf(&d->shown, "<audio controls><source src=\"%s\" type=\"audio/wav\"></audio>\n",
                name);
  text_free(&wav);
}

// ---- plots
static bool is_columns(const AbiType *t) {
  for (int i = 0; i < t->fields.len; i++)
    if (!is_array(t->fields.at[i]) || t->fields.at[i]->rank != 1) return false;
  return t->kind == ABI_RECORD && t->is_tuple;
}

static bool series_find(Directive *d, PlotSeriesList *list) {
  const AbiType *t = d->result.type;
  const Value *leaf = d->result.leaves.at;
  bool single = is_columns(t);
  for (int i = 0; i < (single ? 1 : t->fields.len); i++, leaf += 2) {
    const AbiType *field = single ? t : t->fields.at[i];
    if (!is_columns(field) || field->fields.len != 2) return false;
    const char *name = single ? NULL : t->field_names.at[i];
    list_push(d->l->arena, list, (PlotSeries){name, leaf, leaf + 1});
  }
  return t->kind == ABI_RECORD;
}

static void plot2d_show(Directive *d) {
  PlotSeriesList series = {0};
  PlotSize size = {640, 480};
  long long height, width;
  const char *given = parameter(d, "size");
  if (given && sscanf(given, "(%lld,%lld)", &height, &width) == 2)
    size = (PlotSize){width, height};
  if (size.width < 150 || size.height < 100 || size.width > 10000 || size.height > 10000)
    d->problem = "size wants (HEIGHT,WIDTH), from (100,150) to (10000,10000)";
  else if (!series_find(d, &series))
    d->problem = "a plot is a pair of arrays of numbers, or a record of such pairs";
  if (d->problem) return;
  Text svg = {0};
  svg_plot(&svg, &series, size);
  const char *name = media_save(d, "svg", &svg);
  if (name) text_printf(&d->shown, "![](%s)\n", name);
  text_free(&svg);
}

// A file of columns for each field, whose name is in a variable of gnuplot.
static void columns_save(Directive *d, const char *dir, Text *script) {
  const AbiType *t = d->result.type;
  const Value *leaf = d->result.leaves.at;
  for (int f = 0; f < t->fields.len; f++) {
    Text data = {0};
    int n = t->fields.at[f]->fields.len;
    for (int64_t i = 0; n && i < leaf[0].len; i++)
      for (int c = 0; c < n; c++) {
        if (i < leaf[c].len) text_printf(&data, "%.17g", value_real(&leaf[c], i));
        text_putc(&data, c + 1 < n ? ' ' : '\n');
      }
    const char *path = arena_printf(d->l->arena, "%s/%d", dir, f);
    if (!file_write(path, data.at ? data.at : "", data.len)) fail_io("cannot write '%s'", path);
    text_printf(script, "%s='%s'\n", t->field_names.at[f], path);
    text_free(&data);
    leaf += n;
  }
}

static void gnuplot_run(Directive *d, const char *dir) {
  Arena *arena = d->l->arena;
  Text script = {0}, png = {0};
  const char *path = arena_printf(arena, "%s/plot.png", dir);
  text_printf(&script, "set term png size 640,480\nset output '%s'\n", path);
  columns_save(d, dir, &script);
  text_printf(&script, "%s\n", d->parameters);
  const char *argv[] = {"/usr/bin/env", "gnuplot", NULL};
  ProcessResult r = process_run(arena, argv, script.at, script.len, 600);
  size_t len = 0;
  const char *bytes = r.status == 0 ? file_read(arena, path, &len) : NULL;
  if (bytes) text_write(&png, bytes, len);
  else if (r.status == 127) d->problem = "gnuplot is not installed; :plot2d does without it";
  else d->problem = *r.error ? r.error : "gnuplot made no picture";
  const char *name = d->problem ? NULL : media_save(d, "png", &png);
  if (name) text_printf(&d->shown, "![](%s)\n", name);
  text_free(&script), text_free(&png);
}

static void gnuplot_show(Directive *d) {
  const AbiType *t = d->result.type;
  bool ok = t->kind == ABI_RECORD && !t->is_tuple;
  for (int i = 0; ok && i < t->fields.len; i++) ok = is_columns(t->fields.at[i]);
  if (!ok) {
    d->problem = "gnuplot wants a record of tuples of arrays with one dimension";
    return;
  }
  const char *dir = temporary_dir(d->l->arena);
  if (!dir) fail_io("cannot make a temporary folder: %s", strerror(errno));
  gnuplot_run(d, dir);
  temporary_remove(dir);
}

// ---- one directive
static const struct {
  const char *name;
  void (*show)(Directive *d);
} commands_of[] = {{":img", img_show}, {":plot2d", plot2d_show}, {":gnuplot", gnuplot_show},
                   {":audio", audio_show}};

// Messages belong into the document.
static Status evaluate(Directive *d, const char **messages) {
  FILE *file = tmpfile();
  if (!file) fail_io("cannot make a temporary file: %s", strerror(errno));
  fflush(stderr);
  int saved = dup(2);
  dup2(fileno(file), 2);
  Status status = script_evaluate(&d->l->context, d->exp, &d->result);
  fflush(stderr);
  dup2(saved, 2);
  close(saved);
  rewind(file);
  *messages = stream_read(d->l->arena, file, NULL);
  fclose(file);
  return status;
}

static void work(Directive *d, void (*show)(Directive *d)) {
  const char *messages;
  if (d->l->verbose) fprintf(stderr, "> %s\n", d->exp);
  if (evaluate(d, &messages) != STATUS_OK) d->problem = *messages ? messages : "failed";
  else show(d);
  if (d->l->verbose) fputs(messages, stderr);
  session_free(d->result.session);
}

static void outcome_write(Literate *l, Directive *d, const char *text) {
  if (!d->problem) {
    text_printf(&l->out, "%s\n", d->shown.at);
  } else {
    size_t len = strlen(d->problem);
    while (len > 0 && d->problem[len - 1] == '\n') len--;
    l->failed++;
    fprintf(stderr, "> %s failed:\n%.*s\n", text, (int)len, d->problem);
    text_printf(&l->out, "**FAILED**\n```\n%.*s\n```\n\n", (int)len, d->problem);
  }
  text_free(&d->shown);
}

void directive_run(Literate *l, const char *text) {
  Directive d = {.l = l};
  const char *at = blanks_skip(text);
  bool brief = false, covert = false;
  while (word_take(&at, ":brief") ? (brief = true) : word_take(&at, ":covert") ? (covert = true)
                                                                               : false)
    continue;
  const char *shown = at, *end = strstr(at, ";\n"), *last = at + strlen(at);
  if (last > at && last[-1] == ';' && !end) end = last - 1;
  d.parameters = end ? end + 1 + (end[1] == '\n') : "";
  void (*show)(Directive *d) = value_show;
  for (int i = 0; i < COUNT_OF(commands_of); i++)
    if (word_take(&at, commands_of[i].name)) show = commands_of[i].show;
  d.exp = arena_strndup(l->arena, at, end ? (size_t)(end - at) : strlen(at));
  int len = (int)(brief && end ? (size_t)(end - shown) : strlen(shown));
  if (!covert) text_printf(&l->out, "```\n> %.*s\n```\n\n", len, shown);
  if (*at == ':') d.problem = "no such directive; there are :img, :plot2d, :gnuplot, :audio, "
                              ":brief and :covert";
  else work(&d, show);
  outcome_write(l, &d, shown);
}
