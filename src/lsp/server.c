// The server: messages in, answers and diagnostics out.  Requests get an answer or an error each;
// notifications that it does not know are ignored, as the protocol asks.
#include "local.h"
#include <stdlib.h>
#include <string.h>

enum {
  CODE_PARSE = -32700, CODE_INVALID = -32600, CODE_NO_METHOD = -32601, CODE_PARAMS = -32602,
  CODE_NOT_INITIALISED = -32002, CODE_FAILED = -32803,
};
enum { MOST_DOCUMENTS = 1000 };

typedef struct {
  FILE *out;
  const struct EmbeddedFile *lib;
  LspWarn *warn;
  Arena *arena;  // of the message being handled
  Document *documents[MOST_DOCUMENTS];
  int len;
  bool initialised, shut_down, left;
} Server;

// ---- answers ----------------------------------------------------------------------------------

static void id_print(Text *out, const Json *id) {
  if (id && (id->tag == JSON_NUMBER || id->tag == JSON_STRING)) json_print(out, id);
  else text_puts(out, "null");
}

static void answer(Server *s, const Json *id, const char *result) {
  Text text = {0};
  text_puts(&text, "{\"jsonrpc\": \"2.0\", \"id\": ");
  id_print(&text, id);
  text_printf(&text, ", \"result\": %s}", result);
  frame_write(s->out, &text);
  text_free(&text);
}

static void answer_error(Server *s, const Json *id, int code, const char *message) {
  Text text = {0};
  text_puts(&text, "{\"jsonrpc\": \"2.0\", \"id\": ");
  id_print(&text, id);
  text_printf(&text, ", \"error\": {\"code\": %d, \"message\": ", code);
  json_print_string(&text, message);
  text_puts(&text, "}}");
  frame_write(s->out, &text);
  text_free(&text);
}

static void diagnostics_publish(Server *s, const Document *d, bool clear) {
  Text text = {0};
  text_puts(&text, "{\"jsonrpc\": \"2.0\", \"method\": \"textDocument/publishDiagnostics\", "
                   "\"params\": {\"uri\": ");
  json_print_string(&text, d->uri);
  text_puts(&text, ", \"diagnostics\": ");
  if (clear) text_puts(&text, "[]");
  else document_diagnostics(&text, d);
  text_puts(&text, "}}");
  frame_write(s->out, &text);
  text_free(&text);
}

// ---- documents --------------------------------------------------------------------------------

static const char *params_uri(const Json *params) {
  return json_text(json_get(json_get(params, "textDocument"), "uri"));
}

static int document_index(const Server *s, const char *uri) {
  for (int i = 0; uri && i < s->len; i++)
    if (strcmp(s->documents[i]->uri, uri) == 0) return i;
  return -1;
}

// Documents that see the text of another are checked anew when it changes.
static void importers_check(Server *s, const Document *changed) {
  Documents open = {s->lib, s->warn, s->documents, s->len};
  for (int i = 0; i < s->len; i++) {
    Document *d = s->documents[i];
    if (d == changed || !document_imports(d, changed->path)) continue;
    document_check(d, NULL, 0, &open);
    diagnostics_publish(s, d, false);
  }
}

static void document_set(Server *s, const char *uri, const Json *text) {
  if (!uri || !json_text(text)) return;
  int i = document_index(s, uri);
  if (i < 0 && s->len == MOST_DOCUMENTS) return;
  if (i < 0) {
    i = s->len;
    s->documents[i] = document_new(uri);
    if (!s->documents[i]) return;
    s->len++;
  }
  Documents open = {s->lib, s->warn, s->documents, s->len};
  document_check(s->documents[i], text->string, text->len, &open);
  diagnostics_publish(s, s->documents[i], false);
  importers_check(s, s->documents[i]);
}

static void did_open(Server *s, const Json *params) {
  document_set(s, params_uri(params), json_get(json_get(params, "textDocument"), "text"));
}

// Changes are whole texts; the last one counts.
static void did_change(Server *s, const Json *params) {
  const Json *changes = json_get(params, "contentChanges");
  if (!changes || changes->tag != JSON_ARRAY || changes->elems.len == 0) return;
  document_set(s, params_uri(params), json_get(changes->elems.at[changes->elems.len - 1], "text"));
}

static void did_close(Server *s, const Json *params) {
  int i = document_index(s, params_uri(params));
  if (i < 0) return;
  diagnostics_publish(s, s->documents[i], true);
  Document *closed = s->documents[i];
  s->documents[i] = s->documents[--s->len];
  importers_check(s, closed);
  document_free(closed);
}

// ---- requests ---------------------------------------------------------------------------------

static bool params_place(const Json *params, int64_t *line, int64_t *character) {
  const Json *position = json_get(params, "position");
  return json_int(json_get(position, "line"), line) &&
         json_int(json_get(position, "character"), character);
}

// The position that the request is about; no span where there is none.
static Found params_found(Server *s, const Json *params, const Document **of) {
  int i = document_index(s, params_uri(params));
  int64_t line, character;
  if (i < 0 || !params_place(params, &line, &character)) return (Found){0};
  const Document *d = *of = s->documents[i];
  const Version *v = document_known(d);
  if (!v) return (Found){0};
  uint32_t now = place_offset(d->now.text, d->now.len, line, character);
  int64_t at = place_in_version(d, v, now);
  return at < 0 ? (Found){0} : find_at(v->program->root->syntax, (uint32_t)at);
}

static void hover(Server *s, const Json *id, const Json *params) {
  const Document *d = NULL;
  Found found = params_found(s, params, &d);
  if (!found.span.src || (!found.type && !found.name) ||
      !span_to_now(s->arena, d, document_known(d), &found.span)) {
    answer(s, id, "null");
    return;
  }
  Text markdown = {0}, text = {0};
  hover_text(&markdown, &found);
  text_puts(&text, "{\"contents\": {\"kind\": \"markdown\", \"value\": ");
  json_print_string(&text, markdown.at);
  text_puts(&text, "}, \"range\": ");
  range_print(&text, found.span);
  text_puts(&text, "}");
  answer(s, id, text.at);
  text_free(&markdown), text_free(&text);
}

static void definition(Server *s, const Json *id, const Json *params) {
  const Document *d = NULL;
  Found found = params_found(s, params, &d);
  Span span = found.binding ? found.binding->span : found.def ? found.def->span : (Span){0};
  if (!span.src || span.src->builtin || !span_to_now(s->arena, d, document_known(d), &span)) {
    answer(s, id, "null");
    return;
  }
  Text uri = {0}, text = {0};
  uri_print(&uri, span.src->path);
  text_puts(&text, "{\"uri\": ");
  json_print_string(&text, uri.at);
  text_puts(&text, ", \"range\": ");
  range_print(&text, span);
  text_puts(&text, "}");
  answer(s, id, text.at);
  text_free(&uri), text_free(&text);
}

static void formatting(Server *s, const Json *id, const Json *params) {
  int i = document_index(s, params_uri(params));
  Text formatted = {0};
  Arena *arena = arena_new();
  const Document *d = i < 0 ? NULL : s->documents[i];
  const Source *src = d ? source_new(arena, d->path, d->now.text, d->now.len) : NULL;
  if (!src || !syntax_format(arena, names_new(arena), src, diag_new(arena), &formatted)) {
    answer(s, id, "null");
  } else {
    Text text = {0};
    text_puts(&text, "[{\"range\": ");
    range_print(&text, (Span){src, 0, (uint32_t)src->len});
    text_puts(&text, ", \"newText\": ");
    json_print_string(&text, formatted.at ? formatted.at : "");
    text_puts(&text, "}]");
    answer(s, id, text.at);
    text_free(&text);
  }
  text_free(&formatted);
  arena_free(arena);
}

// ---- requests about a place, whose results are made elsewhere ---------------------------------
static const Document *params_document(Server *s, const Json *params, const Json *position,
                                       uint32_t *at) {
  int i = document_index(s, params_uri(params));
  int64_t line, character;
  if (i < 0 || !json_int(json_get(position, "line"), &line) ||
      !json_int(json_get(position, "character"), &character))
    return NULL;
  const Document *d = s->documents[i];
  *at = place_offset(d->now.text, d->now.len, line, character);
  return d;
}

static void place_answer(Server *s, const Json *id, const Json *params,
                         void (*print)(Arena *, Text *, const Document *, uint32_t)) {
  uint32_t at;
  const Document *d = params_document(s, params, json_get(params, "position"), &at);
  Text text = {0};
  if (d) print(s->arena, &text, d, at);
  answer(s, id, d ? text.at : "null");
  text_free(&text);
}

static void completion(Server *s, const Json *id, const Json *params) {
  place_answer(s, id, params, completion_print);
}

static void signature_help(Server *s, const Json *id, const Json *params) {
  place_answer(s, id, params, signature_print);
}

static void document_symbol(Server *s, const Json *id, const Json *params) {
  int i = document_index(s, params_uri(params));
  Text text = {0};
  if (i >= 0) symbols_print(s->arena, &text, s->documents[i]);
  answer(s, id, i >= 0 ? text.at : "null");
  text_free(&text);
}

static void code_action(Server *s, const Json *id, const Json *params) {
  uint32_t from, to;
  const Json *range = json_get(params, "range");
  const Document *d = params_document(s, params, json_get(range, "start"), &from);
  if (d) d = params_document(s, params, json_get(range, "end"), &to);
  Text text = {0};
  if (d) actions_print(&text, d, from, to);
  answer(s, id, d ? text.at : "null");
  text_free(&text);
}

static void references(Server *s, const Json *id, const Json *params) {
  uint32_t at;
  Documents open = {s->lib, s->warn, s->documents, s->len};
  const Document *d = params_document(s, params, json_get(params, "position"), &at);
  const Json *all = json_get(json_get(params, "context"), "includeDeclaration");
  ReferenceList refs = {0};
  Text text = {0};
  if (d) refs = references_at(s->arena, &open, d, at);
  references_print(&text, &refs, !all || all->tag != JSON_BOOL || all->boolean);
  answer(s, id, text.at);
  text_free(&text);
}

static void rename_all(Server *s, const Json *id, const Json *params) {
  uint32_t at;
  Documents open = {s->lib, s->warn, s->documents, s->len};
  const Document *d = params_document(s, params, json_get(params, "position"), &at);
  const char *name = json_text(json_get(params, "newName"));
  ReferenceList refs = {0};
  Text text = {0};
  if (d) refs = references_at(s->arena, &open, d, at);
  const char *problem = rename_print(s->arena, &text, &open, &refs, name);
  if (problem) answer_error(s, id, CODE_FAILED, problem);
  else answer(s, id, text.at);
  text_free(&text);
}

static void initialize(Server *s, const Json *id, const Json *params) {
  (void)params;
  s->initialised = true;
  answer(s, id,
         "{\"capabilities\": {\"textDocumentSync\": {\"openClose\": true, \"change\": 1}, "
         "\"hoverProvider\": true, \"definitionProvider\": true, "
         "\"documentFormattingProvider\": true, \"completionProvider\": "
         "{\"triggerCharacters\": [\".\"]}, \"signatureHelpProvider\": "
         "{\"triggerCharacters\": [\" \"]}, \"referencesProvider\": true, "
         "\"renameProvider\": true, \"documentSymbolProvider\": true, "
         "\"codeActionProvider\": {\"codeActionKinds\": [\"quickfix\"]}}, "
         "\"serverInfo\": {\"name\": \"dagaz\"}}");
}

static void shutdown(Server *s, const Json *id, const Json *params) {
  (void)params;
  s->shut_down = true;
  answer(s, id, "null");
}

static const struct {
  const char *method;
  void (*run)(Server *s, const Json *id, const Json *params);
} requests[] = {{"initialize", initialize},
                {"shutdown", shutdown},
                {"textDocument/hover", hover},
                {"textDocument/definition", definition},
                {"textDocument/formatting", formatting},
                {"textDocument/completion", completion},
                {"textDocument/signatureHelp", signature_help},
                {"textDocument/documentSymbol", document_symbol},
                {"textDocument/codeAction", code_action},
                {"textDocument/references", references},
                {"textDocument/rename", rename_all}};
static const struct {
  const char *method;
  void (*run)(Server *s, const Json *params);
} notifications[] = {{"textDocument/didOpen", did_open},
                     {"textDocument/didChange", did_change},
                     {"textDocument/didClose", did_close}};

static void request_run(Server *s, const Json *id, const char *method, const Json *params) {
  bool first = strcmp(method, "initialize") == 0;
  if (s->shut_down) answer_error(s, id, CODE_INVALID, "the server has been shut down");
  else if (!s->initialised && !first)
    answer_error(s, id, CODE_NOT_INITIALISED, "the server is not initialised");
  else {
    for (int i = 0; i < COUNT_OF(requests); i++)
      if (strcmp(requests[i].method, method) == 0) {
        requests[i].run(s, id, params);
        return;
      }
    answer_error(s, id, CODE_NO_METHOD, "no such method");
  }
}

static void notification_run(Server *s, const char *method, const Json *params) {
  if (strcmp(method, "exit") == 0) s->left = true;
  for (int i = 0; s->initialised && !s->shut_down && i < COUNT_OF(notifications); i++)
    if (strcmp(notifications[i].method, method) == 0) notifications[i].run(s, params);
}

static void message_run(Server *s, const char *text, size_t len) {
  const Json *message = json_parse(s->arena, text, len);
  const Json *id = json_get(message, "id");
  const char *method = json_text(json_get(message, "method"));
  if (!message) answer_error(s, NULL, CODE_PARSE, "this is no JSON");
  else if (method && id) request_run(s, id, method, json_get(message, "params"));
  else if (method) notification_run(s, method, json_get(message, "params"));
  else if (!json_get(message, "result") && !json_get(message, "error"))
    answer_error(s, id, CODE_INVALID, "neither a request nor a notification");
}

// An error of ours in one message is not the end of the others.
static void message_survive(Server *s, const char *text, size_t len) {
  Stop stop;
  if (stop_arm(&stop)) {
    message_run(s, text, len);
    stop_pop(&stop);
  }
}

int lsp_serve(FILE *in, FILE *out, const struct EmbeddedFile *lib, LspWarn *warn) {
  Server *s = calloc(1, sizeof *s);
  if (!s) return 1;
  s->out = out;
  s->lib = lib;
  s->warn = warn;
  FrameTag tag = FRAME_MESSAGE;
  while (!s->left && tag == FRAME_MESSAGE) {
    s->arena = arena_new();
    const char *text;
    size_t len;
    tag = frame_read(s->arena, in, &text, &len);
    if (tag == FRAME_MESSAGE) message_survive(s, text, len);
    if (tag == FRAME_BROKEN) answer_error(s, NULL, CODE_PARSE, "a frame without a usable length");
    arena_free(s->arena);
  }
  int status = s->left && s->shut_down ? 0 : 1;
  for (int i = 0; i < s->len; i++) document_free(s->documents[i]);
  free(s);
  return status;
}
