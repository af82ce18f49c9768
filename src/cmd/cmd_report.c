// dagaz report: what the analyses of C found, as tables of text, JSON or HTML.
#include "c_args.h"
#include "cdiff/cdiff.h"
#include "doc.h"

typedef struct {
  Words files, heads;
  CFlags flags;
  CDiffOptions options;
  bool json, html;
} ReportJob;

// ---- text ---------------------------------------------------------------------------------------
static int columns_of(const CReportTable *t) {
  int n = 0;
  while (n < MOST_COLUMNS && t->columns[n]) n++;
  return n;
}

// Columns but the last are as wide as their longest cell.
static void print_row(Text *out, const char *const *cells, const int *widths, int n) {
  text_puts(out, "   ");
  for (int i = 0; i < n; i++)
    text_printf(out, " %-*s ", widths[i], cells[i]);
  while (out->len && out->at[out->len - 1] == ' ') out->at[--out->len] = 0;
  text_putc(out, '\n');
}

static void print_table(Text *out, const CReportTable *t) {
  int widths[MOST_COLUMNS] = {0}, n = columns_of(t);
  for (int i = 0; i < n; i++) {
    widths[i] = (int)strlen(t->columns[i]);
    for (int k = 0; k < t->rows.len; k++) {
      int w = (int)strlen(t->rows.at[k].cells[i]);
      if (w > widths[i]) widths[i] = w;
    }
  }
  text_printf(out, "  %s\n", t->title);
  if (n > 1) print_row(out, t->columns, widths, n);
  for (int k = 0; k < t->rows.len; k++) print_row(out, t->rows.at[k].cells, widths, n);
}

static void print_text(Text *out, const CReport *r) {
  for (int i = 0; i < r->len; i++) {
    text_printf(out, "%s%s: %s\n", i ? "\n" : "", r->at[i].name, r->at[i].made);
    for (int k = 0; k < r->at[i].tables.len; k++) print_table(out, &r->at[i].tables.at[k]);
  }
}

// ---- JSON ---------------------------------------------------------------------------------------
static void json_row(Text *out, const CReportTable *t, const CReportRow *row) {
  text_putc(out, '{');
  for (int i = 0; i < columns_of(t); i++) {
    bool number = strcmp(t->columns[i], "line") == 0;
    text_puts(out, i ? ", " : "");
    json_print_string(out, t->columns[i]);
    text_puts(out, ": ");
    if (number) text_puts(out, *row->cells[i] ? row->cells[i] : "null");
    else json_print_string(out, row->cells[i]);
  }
  text_putc(out, '}');
}

static void json_function(Text *out, const CReportFunction *f) {
  text_puts(out, "{\"function\": ");
  json_print_string(out, f->name);
  text_puts(out, ", \"adjoint\": ");
  json_print_string(out, f->made);
  for (int k = 0; k < f->tables.len; k++) {
    const CReportTable *t = &f->tables.at[k];
    text_printf(out, ",\n  \"%s\": [", t->key);
    for (int i = 0; i < t->rows.len; i++) {
      text_puts(out, i ? ",\n    " : "\n    ");
      json_row(out, t, &t->rows.at[i]);
    }
    text_putc(out, ']');
  }
  text_putc(out, '}');
}

static void print_json(Text *out, const CReport *r) {
  text_puts(out, "[");
  for (int i = 0; i < r->len; i++) {
    text_puts(out, i ? ",\n" : "");
    json_function(out, &r->at[i]);
  }
  text_puts(out, "]\n");
}

// ---- HTML ---------------------------------------------------------------------------------------
static void html_cells(Text *out, const char *tag, const char *const *cells, int n) {
  text_puts(out, "<tr>");
  for (int i = 0; i < n; i++) {
    text_printf(out, "<%s>", tag);
    html_escape(out, cells[i], strlen(cells[i]));
    text_printf(out, "</%s>", tag);
  }
  text_puts(out, "</tr>\n");
}

static void html_table(Text *out, const CReportTable *t) {
  int n = columns_of(t);
  text_printf(out, "<h3>%s</h3>\n<table>\n", t->title);
  if (n > 1) html_cells(out, "th", t->columns, n);
  for (int i = 0; i < t->rows.len; i++) html_cells(out, "td", t->rows.at[i].cells, n);
  text_puts(out, "</table>\n");
}

static void print_html(Text *out, const CReport *r, const char *path) {
  text_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>");
  html_escape(out, path, strlen(path));
  text_puts(out, "</title>\n<style>body { font-family: sans-serif; margin: 2em } "
            "table { border-collapse: collapse } td, th { border: 1px solid #999; "
            "padding: 0.2em 0.6em; text-align: left }</style></head>\n<body>\n<h1>");
  html_escape(out, path, strlen(path));
  text_puts(out, "</h1>\n");
  for (int i = 0; i < r->len; i++) {
    text_printf(out, "<h2>%s: %s</h2>\n", r->at[i].name, r->at[i].made);
    for (int k = 0; k < r->at[i].tables.len; k++) html_table(out, &r->at[i].tables.at[k]);
  }
  text_puts(out, "</body>\n</html>\n");
}

// ---- the command --------------------------------------------------------------------------------
static void work(Session *s, void *state) {
  ReportJob *job = state;
  CUnits units = args_c_units(s, &job->files, &job->flags);
  job->options.heads = args_c_heads(s, &job->heads, &units);
  if (!job->options.heads.len) fail_io("which function? say -e \"f(outputs)/(inputs)\"");
  job->options.base = "report";
  CProgram *p = args_c_program(s, units);
  args_c_joint(s, p, &job->options.joint);
  CReport r = cdiff_report(p, &job->options);
  session_stop_on_errors(s);
  Text out = {0};
  if (job->json) print_json(&out, &r);
  else if (job->html) print_html(&out, &r, job->files.at[0]);
  else print_text(&out, &r);
  fputs(out.at, stdout);
  text_free(&out);
}

int cmd_report(int argc, char **argv) {
  Session *s = session_new();
  ReportJob job = {0};
  CArgs c_args = {0};
  Words lengths = {0}, joint = {0};
  bool help;
  const ArgRow rows[] = {
      {NULL, 'e', ARG_REPEAT, &job.heads,
          "functions: \"f(outputs)/(inputs)\" or \"f(inputs -> outputs)\""},
      {"head", 0, ARG_REPEAT, &job.heads, "the same"},
      {"json", 0, ARG_FLAG, &job.json, "as JSON"},
      {"html", 0, ARG_FLAG, &job.html, "as a page"},
      {"length", 0, ARG_REPEAT, &lengths, "the length of an array: \"x[n*d]\""},
      {"joint", 0, ARG_REPEAT, &joint, "as `dagaz adjoint` with this option"},
      {"no-independent", 0, ARG_FLAG, &job.options.no_independent,
          "keep values of loops whose iterations could be executed again"},
      args_rules(&c_args),
      args_preprocessor(s, &c_args),
      args_messages(s),
      {0}};
  if (!args_parse(s->arena, rows, argc, argv, &job.files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (job.files.len == 0) return usage_error("report");
  for (int i = 0; i < lengths.len; i++) list_push(s->arena, &job.options.lengths, lengths.at[i]);
  for (int i = 0; i < joint.len; i++) list_push(s->arena, &job.options.joint, joint.at[i]);
  args_c_rules(s->arena, &c_args, &job.files);
  job.flags = args_c_flags(s->arena, &c_args);
  Status status = session_run(s, work, &job);
  session_free(s);
  return status;
}
