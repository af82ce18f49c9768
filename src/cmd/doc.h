// doc: what the files of `dagaz doc` share.
#ifndef DOC_H
#define DOC_H
#include "cmd.h"
#include "syntax/syntax.h"

// ---- doc_text.c: the text of documentation comments ---------------------------------------------
// Paragraphs; lines that begin with `* ` are list items, with `# ` headings, with four blanks code;
// `code` between backticks.
void doc_text_html(Text *out, const char *text);
void html_escape(Text *out, const char *s, size_t len);
const char *doc_text_problem(const char *text);  // NULL: well formed

// ---- doc_html.c: one file's declarations --------------------------------------------------------
void doc_file_html(Text *out, const SourceFile *file, const char *title);
void doc_names_html(Text *out, const SourceFile *file, const char *page);

// ---- doc_check.c: every public name is documented, every comment well formed; errors in diag
void doc_file_check(const SourceFile *file, Diag *diag);
Name dec_public_name(const Dec *dec);   // NULL: declares no public name
Name spec_public_name(const Spec *spec);
Span dec_name_span(const Dec *dec);
Span spec_name_span(const Spec *spec);
#endif
