// Feeds bytes to the language server: as frames, and as one message after an initialize.  Whatever
// comes, it answers or leaves.  Build with -fsanitize=fuzzer,address.
#include "lsp/lsp.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void serve(const char *text, size_t len) {
  FILE *in = fmemopen((void *)text, len, "r"), *out = fopen("/dev/null", "w");
  if (in && out) lsp_serve(in, out, lib_files, NULL);
  if (in) fclose(in);
  if (out) fclose(out);
}

static void frame_add(Text *frames, const char *text, size_t len) {
  text_printf(frames, "Content-Length: %zu\r\n\r\n", len);
  text_write(frames, text, len);
}

static void request_add(Text *frames, const char *method, size_t at) {
  Text text = {0};
  text_printf(&text,
              "{\"id\": 2, \"method\": \"textDocument/%s\", \"params\": {\"textDocument\": "
              "{\"uri\": \"a\"}, \"position\": {\"line\": 0, \"character\": %zu}, \"newName\": "
              "\"x1\", \"range\": {\"start\": {\"line\": 0, \"character\": 0}, \"end\": "
              "{\"line\": 9, \"character\": 0}}}}",
              method, at);
  frame_add(frames, text.at, text.len);
  text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char first[] = "{\"id\": 1, \"method\": \"initialize\"}";
  static const char *const methods[] = {"hover",          "definition", "completion", "signatureHelp",
                                        "documentSymbol", "codeAction", "references", "rename",
                                        "formatting"};
  Text frames = {0}, open = {0};
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = 0;
  if (size) serve(text, size);
  text_puts(&open, "{\"method\": \"textDocument/didOpen\", \"params\": {\"textDocument\": "
                   "{\"uri\": \"a\", \"text\": ");
  json_print_string(&open, text);
  text_puts(&open, "}}}");
  frame_add(&frames, first, strlen(first));
  frame_add(&frames, text, size);
  frame_add(&frames, open.at, open.len);
  for (int i = 0; i < (int)COUNT_OF(methods); i++) request_add(&frames, methods[i], size % 40);
  serve(frames.at, frames.len);
  text_free(&frames), text_free(&open);
  free(text);
  return 0;
}
