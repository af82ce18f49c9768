// Pragmas of derivatives.  Unknown words are errors: advice that is misspelt would be lost.
#include "local.h"

// PRAGMA_OUTSIDE: read where it stands outside of functions.
typedef enum { PRAGMA_READ, PRAGMA_OUTSIDE, PRAGMA_ADVICE, PRAGMA_MEANING } PragmaTag;
static const struct {
  const char *word;
  bool comment;            // of `$AD ..`; else of `#pragma dagaz ..`
  PragmaTag tag;
} rows[] = {
    {"head", false, PRAGMA_OUTSIDE},
    {"length", false, PRAGMA_READ},
    {"derivative", false, PRAGMA_OUTSIDE},
    {"inactive", false, PRAGMA_OUTSIDE},
    {"tangent", false, PRAGMA_OUTSIDE},
    {"adjoint", false, PRAGMA_OUTSIDE},
    {"independent", false, PRAGMA_READ},   // cdiff/advice.c; those below, too
    {"checkpoint", false, PRAGMA_READ},
    {"nocheckpoint", false, PRAGMA_READ},
    {"II-LOOP", true, PRAGMA_ADVICE},
    {"NOCHECKPOINT", true, PRAGMA_ADVICE},
    {"CHECKPOINT-START", true, PRAGMA_ADVICE},
    {"CHECKPOINT-END", true, PRAGMA_ADVICE},
    {"BINOMIAL-CKP", true, PRAGMA_ADVICE},
    {"DO-NOT-DIFF", true, PRAGMA_MEANING},
    {"END-DO-NOT-DIFF", true, PRAGMA_MEANING},
    {"FP-LOOP", true, PRAGMA_MEANING}};

// Of a pragma that is not ours: advice.
static PragmaTag known(Diag *diag, Span at, const char *text, bool comment) {
  if (!comment && strncmp(text, "dagaz ", 6) != 0) return PRAGMA_ADVICE;
  const char *word = comment ? text : text + 6;
  size_t len = strcspn(word, " \t(");
  for (int i = 0; i < COUNT_OF(rows); i++) {
    if (rows[i].comment != comment || strlen(rows[i].word) != len ||
        strncmp(rows[i].word, word, len) != 0)
      continue;
    if (rows[i].tag == PRAGMA_MEANING)
      cflow_gap(diag, at, "[c-pragma] `$AD %.*s` is not supported: it changes the derivative.",
                (int)len, word);
    return rows[i].tag;
  }
  diag_error(diag, at, "[c-pragma] `%.*s` is no pragma of derivatives.", (int)len, word);
  diag_hint(diag, comment ? "II-LOOP, NOCHECKPOINT, CHECKPOINT-START, CHECKPOINT-END and "
                            "BINOMIAL-CKP are accepted, as advice on memory"
                          : "head, length, derivative, inactive, tangent, adjoint, independent, "
                            "checkpoint and nocheckpoint are pragmas of derivatives");
  return PRAGMA_ADVICE;
}

static bool statement(const CStmt *s, void *state) {
  if (s->tag != CS_PRAGMA) return true;
  PragmaTag tag = known(state, s->at, s->text, s->inside);
  if (tag != PRAGMA_OUTSIDE) return true;
  diag_error(state, s->at, "[c-pragma] This pragma stands inside of a function.");
  diag_hint(state, "write it after the declaration of the function that it names");
  return true;
}

void cprogram_pragmas(CProgram *p) {
  for (int u = 0; u < p->units.len; u++) {
    const CUnit *unit = p->units.at[u];
    for (int i = 0; i < unit->items.len; i++) {
      const CItem *item = &unit->items.at[i];
      if (item->tag == CITEM_PRAGMA) known(p->diag, item->at, item->text, false);
      if (item->tag == CITEM_FUNCTION && item->defines)
        cstmt_visit(item->function->body, statement, NULL, p->diag);
    }
  }
}
