// The readers of values and the server's commands on arbitrary bytes: no crash, no hang, and what
// a reader accepts is written and read again as the same text.
#include "tests/rts/sample.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_value(const char *text, size_t len, const DzLeaf *want) {
  DzReader r, again;
  DzValue v, w;
  DzSink first = {0}, second = {0};
  dz_reader_memory(&r, text, len);
  r.strings = true;
  while (dz_read_value(&r, want, &v)) {
    dz_put_text(&first, v.prim, v.rank, v.shape, v.data);
    DzLeaf leaf = {v.prim, v.rank};
    dz_reader_memory(&again, first.at, first.len);
    if (!dz_read_value(&again, &leaf, &w) || !dz_read_end(&again)) __builtin_trap();
    dz_put_text(&second, w.prim, w.rank, w.shape, w.data);
    if (first.len != second.len || memcmp(first.at, second.at, first.len) != 0) __builtin_trap();
    first.len = second.len = 0;
    dz_value_free(&v);
    dz_value_free(&w);
  }
  free(first.at);
  free(second.at);
}

static int text_of(DzCtx *c, const DzType *t, const char *text, size_t len, DzSink *out) {
  DzReader r;
  DzVal v;
  dz_reader_memory(&r, text, len);
  int err = dz_text_value(c, &r, t, &v);
  if (err == 0) err = dz_exe_text(c, out, t, &v);
  if (err == 0) dz_val_free(c, t, &v);
  return err;
}

static void fuzz_text(const DzType *t, const char *text, size_t len) {
  DzConfig config = {.mem_limit = 1 << 24};
  DzCtx *c = dz_ctx_new(&dz_program, &config);
  DzSink first = {0}, second = {0};
  if (text_of(c, t, text, len, &first) == 0) {
    if (text_of(c, t, first.at, first.len, &second) != 0) __builtin_trap();
    if (first.len != second.len || memcmp(first.at, second.at, first.len) != 0) __builtin_trap();
  }
  free(first.at);
  free(second.at);
  dz_ctx_free(c);
}

// Commands that touch no files.
static void fuzz_server(const char *text, size_t len) {
  DzConfig config = {.mem_limit = 1 << 24};
  DzServer s = {.program = &dz_program, .ctx = dz_ctx_new(&dz_program, &config)};
  char *copy = (char *)malloc(len + 1);
  memcpy(copy, text, len);
  copy[len] = 0;
  DzVal v = {0};
  v.f64 = 1.5;
  dz_var_put(&s, "x", &dz_prim_types[DZ_F64], v);
  v.i32 = 3;
  dz_var_put(&s, "y", &dz_prim_types[DZ_I32], v);
  for (char *line = copy, *next; line != NULL; line = next) {
    next = strchr(line, '\n');
    if (next != NULL) *next++ = 0;
    if (strstr(line, "store") == NULL) dz_server_line(&s, line);
  }
  while (s.var_count > 0) dz_var_drop(&s, s.var_count - 1);
  free(s.vars);
  dz_ctx_free(s.ctx);
  free(copy);
}

// The server's answers go nowhere.
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  return freopen("/dev/null", "w", stdout) == NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const DzLeaf wants[] = {{DZ_I32, 1}, {DZ_F64, 0}, {DZ_F16, 2}, {DZ_BOOL, 1}, {DZ_U64, 3}};
  static const DzType *const types[] = {&point, &points, &pair, &shape_type, &unit};
  if (size == 0) return 0;
  const char *text = (const char *)data + 1;
  if (data[0] >= 200) fuzz_server(text, size - 1);
  else if (data[0] >= 150) fuzz_text(types[data[0] % 5], text, size - 1);
  else if (data[0] >= 100) fuzz_value(text, size - 1, NULL);
  else fuzz_value(text, size - 1, &wants[data[0] % 5]);
  return 0;
}
