// Shared by the files of the language server.
#ifndef LSP_LOCAL_H
#define LSP_LOCAL_H
#include "lsp.h"

// ---- message.c: frames -------------------------------------------------------------------------
enum { MOST_MESSAGE = 32 << 20 };  // bytes
typedef enum { FRAME_MESSAGE, FRAME_END, FRAME_BROKEN } FrameTag;
// One message's text; FRAME_BROKEN: headers that are none, or a length that is missing or too
// large.
FrameTag frame_read(Arena *arena, FILE *in, const char **text, size_t *len);
void frame_write(FILE *out, const Text *message);

// ---- document.c: an open document and what checking it gave ------------------------------------
typedef struct {
  Arena *arena;             // of everything below
  const char *text;
  size_t len;
  Diag *diag;
  CheckedProgram *program;  // NULL: it does not parse
} Version;
typedef struct {
  const char *uri, *path;   // malloc'd
  Version now;
  Version good;             // the last one with a program, when `now` has none
} Document;
typedef struct {
  const struct EmbeddedFile *lib;
  LspWarn *warn;            // or NULL
  Document *const *at;      // open in the editor: read from there, not from disk
  int len;
} Documents;
Document *document_new(const char *uri);
void document_free(Document *d);
// Text NULL: checked again, because another one has changed.
void document_check(Document *d, const char *text, size_t len, const Documents *open);
bool document_imports(const Document *d, const char *path);  // or may, when it does not parse
const Version *document_known(const Document *d);  // with a program; NULL: none
// Between `now` and a version: a place of equal text around it, or -1.
int64_t place_in_version(const Document *d, const Version *v, uint32_t at);
bool span_to_now(Arena *arena, const Document *d, const Version *v, Span *span);
void document_diagnostics(Text *out, const Document *d);  // the JSON array

// ---- place.c: positions: lines from 0, characters in UTF-16 units
uint32_t place_offset(const char *text, size_t len, int64_t line, int64_t character);
void range_print(Text *out, Span span);
const char *uri_path(Arena *arena, const char *uri);
void uri_print(Text *out, const char *path);

// ---- find.c: what stands at a place
typedef struct {
  Span span;             // src == NULL: nothing
  Name name;             // of what has one
  SType *type;           // NULL: none known
  const Binding *binding;
  const TypeDef *def;    // of a type's name
  int mods;              // of a qualified name: how many components before it are modules
  bool pun;              // {x}: a field's name, too
} Found;
Found find_at(const SourceFile *file, uint32_t at);
// The declarations, definitions and expressions around a place, from outside in.
typedef struct {
  void (*decs)(void *state, const DecList *decs);
  void (*fun)(void *state, const FunDef *fun);  // also one whose name or body does not hold it
  void (*exp)(void *state, const Expr *exp);
  void *state;
} PathVisitor;
void path_visit(const SourceFile *file, uint32_t at, const PathVisitor *visitor);

// ---- scope.c: what names mean at a place --------------------------------------------------------
typedef struct {
  Name name;
  SType *type;             // NULL: none
  const Binding *binding;  // values, modules
  const TypeDef *def;      // types
} Visible;
typedef LIST(Visible) VisibleList;
// Inner names before outer ones of the same name.
VisibleList scope_at(Arena *arena, const Version *v, uint32_t at);
// The contents of what "a.b" means: a module's names, a record's fields.
VisibleList scope_within(Arena *arena, const VisibleList *scope, const char *path, size_t len);
// The meaning of "a.b.c"; name NULL: it has none.
Visible scope_lookup(Arena *arena, const VisibleList *scope, const char *path, size_t len);
// The dotted name that ends at a place of a text: where it begins.
uint32_t name_start(const char *text, uint32_t at);
const char *visible_doc(const Visible *v);

// ---- answers: each appends the JSON of one result -----------------------------------------------
void completion_print(Arena *arena, Text *out, const Document *d, uint32_t at);
void signature_print(Arena *arena, Text *out, const Document *d, uint32_t at);
void symbols_print(Arena *arena, Text *out, const Document *d);
void actions_print(Text *out, const Document *d, uint32_t from, uint32_t to);

// ---- references.c -------------------------------------------------------------------------------
typedef struct {
  Span span;
  bool pun, defines;
} Reference;
typedef struct {
  const char *path;
  const Document *document;  // NULL: a file that is not open
  const Source *src;
  LIST(Reference) at;
} FileReferences;
typedef LIST(FileReferences) ReferenceList;
// All places of the name at a place, in open documents and the files they import; none when it is
// no name of the program's.
ReferenceList references_at(Arena *arena, const Documents *open, const Document *d, uint32_t at);
void references_print(Text *out, const ReferenceList *refs, bool declaration);
// A WorkspaceEdit and NULL; or why there is none.
const char *rename_print(Arena *arena, Text *out, const Documents *open, const ReferenceList *refs,
                         const char *name);

// ---- hover.c
void hover_text(Text *out, const Found *found);  // Markdown
#endif
