// The runtime's edge: pool, values, executables, servers and the C interface, on the program of
// tests/rts/sample.h.  As `test_rts exe ..` or `test_rts server ..` it is such a program itself;
// without arguments it runs itself through the shell.
#define _DEFAULT_SOURCE 1
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "tests/rts/sample.h"
#include <sys/wait.h>
#include <unistd.h>

DZ_API_CONTEXT
DZ_API_ARRAY(_i64_2d, int64_t, DZ_I64, 2)
DZ_API_OPAQUE(point, &point)
DZ_API_OPAQUE(arr1d_point, &points)
DZ_API_ROWS(arr1d_point, point, &points, 1)
DZ_API_OPAQUE(shape, &shape_type)
DZ_API_SUM(shape)

static int failures, checks;
#define EXPECT(cond) \
  (checks++,         \
   (cond) ? (void)0 : (failures++, (void)printf("%s:%d: %s\n", __FILE__, __LINE__, #cond)))

static const char *self;

// Runs `COMMAND` with the input; what it writes to both outputs, then "[status]".
static const char *run(const char *mode, const char *args, const char *input, size_t len) {
  static char out[65536];
  char name[] = "/tmp/dz_rts_XXXXXX", command[4096];
  int fd = mkstemp(name);
  EXPECT(fd >= 0 && write(fd, input, len) == (ssize_t)len);
  close(fd);
  snprintf(command, sizeof command, "'%s' %s %s <%s 2>&1", self, mode, args, name);
  FILE *p = popen(command, "r");
  size_t n = fread(out, 1, sizeof out - 32, p);
  int status = pclose(p);
  snprintf(out + n, 32, "[%d]", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  unlink(name);
  return out;
}

static void expect_run(int line, const char *mode, const char *args, const char *input,
                       const char *want) {
  checks++;
  const char *got = run(mode, args, input, strlen(input));
  if (strcmp(got, want) == 0) return;
  failures++;
  printf("%s:%d: got\n%s\nwant\n%s\n", __FILE__, line, got, want);
}
#define EXE(args, input, want) expect_run(__LINE__, "exe", args, input, want)
#define SERVER(input, want) expect_run(__LINE__, "server", "", input, "%%% OK\n" want)

static void expect_contains(int line, const char *mode, const char *args, const char *input,
                            const char *part) {
  checks++;
  const char *got = run(mode, args, input, strlen(input));
  if (strstr(got, part) != NULL) return;
  failures++;
  printf("%s:%d: got\n%s\nwant in it\n%s\n", __FILE__, line, got, part);
}
#define EXE_HAS(args, input, part) expect_contains(__LINE__, "exe", args, input, part)
#define SERVER_HAS(input, part) expect_contains(__LINE__, "server", "", input, part)

static void test_exe(void) {
  EXE("", "[1, -2i32,0x1_0] 1", "[2i32, -1i32, 17i32]\n[0]");
  EXE("", "-- comment\n[ 2147483647 , ] -- more\n1i32 -- end", "[-2147483648i32]\n[0]");
  EXE("", "empty([0]i32) 1", "empty([0]i32)\n[0]");
  EXE("", "[] 1", "empty([0]i32)\n[0]");
  EXE("-e bump", "[[1,2],[3,4]]", "[[2i64, 3i64], [4i64, 5i64]]\n[0]");
  EXE("-e bump -r 3", "[[1],[3]]", "[[2i64], [4i64]]\n[0]");
  EXE("-e bump", "empty([0][3]i64)", "empty([0][3]i64)\n[0]");
  EXE("--entry-point=pair", "1.5", "3f64\n[1.5f64, -1.5f64]\n[0]");
  EXE("-e pair", "f64.nan", "f64.nan\n[f64.nan, f64.nan]\n[0]");
  EXE("-e pair", "-f64.inf", "-f64.inf\n[-f64.inf, f64.inf]\n[0]");
  EXE("-e pair", "0.1",
      "0.20000000000000001f64\n[0.10000000000000001f64, -0.10000000000000001f64]\n[0]");
  EXE("-e pair", "0x1.8p1", "6f64\n[3f64, -3f64]\n[0]");
  EXE("-e nothing", "", "\n[0]");
  EXE("-ne point", "1 2", "[0]");
  EXE("-e point", "1 2", "{x = 1f64, y = 2i32}\n[0]");
  EXE_HAS("-e norm", "1 2", "Cannot read input #0 of type \"point\".");
  EXE_HAS("", "[1] 1 2", "Expected EOF on stdin after reading input for \"main\".\n[1]");
  EXE_HAS("", "[1] 1i64", "line 1, column 5: expected a value of type i32, found \"1i64\"");
  EXE_HAS("", "[1] 1.5", "found \"1.5\"");
  EXE_HAS("", "[1,[2]] 1", "too many dimensions");
  EXE_HAS("", "[1", "expected ',' or ']'");
  EXE_HAS("", "", "unexpected end of input");
  EXE_HAS("-e bump", "[[1],[2,3]]", "irregular array");
  EXE_HAS("-e bump", "empty([9223372036854775807][9223372036854775807]i64)", "dimension of size 0");
  EXE_HAS("-e bump", "empty([99999999999999999999][0]i64)", "invalid dimension");
  EXE_HAS("-e nix", "",
          "No such entry point: nix\nSelect another with --entry-point.  Options are:\nmain\n");
  EXE_HAS("--bad", "", "Unknown option: --bad\n[1]");
  EXE_HAS("-r 0", "", "Invalid argument for option --runs: 0");
  EXE_HAS("-h", "", "--write-runtime-to FILE");
  EXE_HAS("--param tile=4 --print-params", "", "tile (tile_size)\n[0]");
  EXE_HAS("--param=nix=4", "", "Unknown tuning parameter: nix");
  EXE_HAS("-e pick", "[1,2] 5", ": Error: Index [5] out of bounds for array of shape [2].\n\n"
          "Backtrace:\n-> #0  s.fut:3:5-9\n   #1  s.fut:7:1\n[1]");
  EXE_HAS("--memory-limit 100", "[1] 1", "out of memory: cannot allocate");
}

static void test_binary(void) {
  const char good[] = "b\2\1 i32\2\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0 b\2\0 i32\5\0\0\0";
  const char *got = run("exe", "-b", good, sizeof good - 1);
  EXPECT(memcmp(got, "b\2\1 i32\2\0\0\0\0\0\0\0\6\0\0\0\7\0\0\0[0]", 26) == 0);
  const char huge[] = "b\2\1 i32\377\377\377\377\377\377\377\17\1\0\0\0";
  EXPECT(strstr(run("exe", "", huge, sizeof huge - 1), "truncated") != NULL);
  const char overflow[] = "b\2\2 i64\377\377\377\377\377\377\377\17\377\377\377\377\377\377\377\17";
  EXPECT(strstr(run("exe", "-e bump", overflow, sizeof overflow - 1), "impossible shape") != NULL);
  const char negative[] = "b\2\1 i32\377\377\377\377\377\377\377\377";
  EXPECT(strstr(run("exe", "", negative, sizeof negative - 1), "impossible shape") != NULL);
  EXPECT(strstr(run("exe", "", "b\2\1 f32", 7), "expected elements of type i32") != NULL);
  EXPECT(strstr(run("exe", "", "b\1\1 i32", 7), "version") != NULL);
  EXPECT(strstr(run("exe", "", "b\2", 2), "truncated") != NULL);
}

#define VARS "restore /tmp/dz_rts_v.bin x f64 y i32\n"
static void test_server(void) {
  SERVER("", "[0]");
  SERVER("inputs bump\noutput bump\noutputs pair\noutput pair\n",
         "*[][]i64\n%%% OK\n*[][]i64\n%%% OK\n*f64\n*[]f64\n%%% OK\n*(f64, []f64)\n%%% OK\n[0]");
  SERVER("nonsense\n", "Unknown command: nonsense\n[1]");
  SERVER("call\ncall nix a\nfree q\n\"a b\"",
         "%%% FAILURE\nInvalid argument count for call\n%%% OK\n"
         "%%% FAILURE\nUnknown entry point: nix\n%%% OK\n%%% FAILURE\nUnknown variable: q\n%%% OK\n"
         "Unknown command: a b\n[1]");
  SERVER(
      "rank []point\nelemtype [][]i64\nkind point\nkind shape\nkind i32\nkind \"[]point\"\n",
      "1\n%%% OK\ni64\n%%% OK\nrecord\n%%% OK\nsum\n%%% OK\nprimitive\n%%% OK\narray\n%%% OK\n[0]");
  SERVER("fields point\nfields []point\nfields \"(f64, []f64)\"\nvariants shape\n",
         "x f64\ny i32\n%%% OK\nx []f64\ny []i32\n%%% OK\n0 f64\n1 []f64\n%%% OK\n"
         "circle\n- f64\npoly\n- []f64\n- i32\n%%% OK\n[0]");
  SERVER("attributes main\ntuning_params main\ntuning_param_class tile\nset_tuning_param tile 3\n",
         "noinline\n%%% OK\ntile tile_size\n%%% OK\ntile_size\n%%% OK\n%%% OK\n[0]");
  FILE *f = fopen("/tmp/dz_rts_v.bin", "wb");
  EXPECT(f != NULL && fwrite("b\2\0 f64\0\0\0\0\0\0\4\100b\2\0 i32\3\0\0\0", 1, 26, f) == 26);
  fclose(f);
  SERVER_HAS(VARS "call norm z x\n", "Value 0: expected type point, variable x has type f64");
  SERVER_HAS(VARS "new p point x y\ncall norm z p\ntype p\nproject q p y\ntype q\n",
             "%%% OK\n%%% OK\nruntime: ");
  SERVER_HAS(VARS "new p point x y\nproject q p z\n", "No such field: z");
  SERVER_HAS(VARS "call pair a b x\ntype b\nshape b\nindex c b 1\ntype c\n",
             "[]f64\n%%% OK\n2\n%%% OK\n%%% OK\nf64\n%%% OK\n[0]");
  SERVER_HAS(VARS "call pair t x\ntype t\nproject u t 1\ntype u\n",
             "(f64, []f64)\n%%% OK\n%%% OK\n[]f64\n");
  SERVER_HAS(VARS "new_array a []f64 2 x x\nnew_array b []i32 2 y y\nzip r []point a b\nshape r\n"
             "index p r 1\ntype p\nset r p 0\nunzip r c d\ntype c\ntype d\n",
             "2\n%%% OK\n%%% OK\npoint\n%%% OK\n%%% OK\n%%% OK\n[]f64\n%%% OK\n[]i32\n");
  SERVER_HAS(VARS "new_array a []f64 1 x\nnew_array b []i32 2 y y\nzip r []point a b\n",
             "different shapes");
  SERVER_HAS(VARS "construct s shape circle x\nvariant s\ndestruct s v\ntype v\ncall area r s\n",
             "circle\n%%% OK\n%%% OK\nf64\n%%% OK\nruntime: ");
  SERVER_HAS(VARS "construct s shape square x\n", "No such variant: square");
  SERVER_HAS(VARS "new_array a []f64 2 x x\nindex b a 7\n", "Index out of bounds.");
  SERVER_HAS(VARS
             "new p point x y\nstore /tmp/dz_rts_o.bin p\nrestore /tmp/dz_rts_o.bin q point\n"
             "type q\nrestore /tmp/dz_rts_o.bin r shape\n",
             "point\n%%% OK\n%%% FAILURE\nError: line");
  SERVER_HAS(VARS "call pick r x y\n", "%%% FAILURE\n");
  SERVER_HAS("restore /nonexistent a f64\n", "Failed to open /nonexistent");
  SERVER_HAS("rename a b\n\"open\n", "%%% FAILURE\nUnterminated quote");
  SERVER_HAS(VARS "rename x z\nrename z y\n", "%%% OK\n%%% FAILURE\nVariable already exists: y");
  SERVER_HAS("report\nclear\npause_profiling\nunpause_profiling\n", "{\"memory\"");
  unlink("/tmp/dz_rts_v.bin");
  unlink("/tmp/dz_rts_o.bin");
}

static void test_api(void) {
  struct sample_context_config *cfg = sample_context_config_new();
  EXPECT(sample_context_config_set_tuning_param(cfg, "tile", 8) == 0);
  EXPECT(sample_context_config_set_tuning_param(cfg, "nix", 8) != 0);
  struct sample_context *ctx = sample_context_new(cfg);
  EXPECT(sample_context_get_error(ctx) == NULL && DZ_CTX(ctx)->tuning[0] == 8);
  int64_t data[] = {1, 2, 3, 4, 5, 6}, back[6], x;
  struct sample_i64_2d *a = sample_new_i64_2d(ctx, data, 2, 3);
  EXPECT(sample_shape_i64_2d(ctx, a)[1] == 3 && sample_index_i64_2d(ctx, &x, a, 1, 2) == 0 &&
         x == 6);
  EXPECT(sample_index_i64_2d(ctx, &x, a, 1, 3) != 0 && sample_values_i64_2d(ctx, a, back) == 0);
  char *error = sample_context_get_error(ctx);
  EXPECT(error != NULL && strstr(error, "out of bounds") != NULL && back[3] == 4);
  free(error);
  DzVal in[2], out, other, fields[2];
  // A consumed input that shares its elements is copied first.
  EXPECT(dz_array_share(DZ_CTX(ctx), &other.array, DZ_IN(DzArray, a)) == 0);
  in[0].array = DZ_IN(DzArray, a);
  EXPECT(dz_api_call(DZ_CTX(ctx), &entries[1], &out, in) == 0);
  EXPECT(((int64_t *)(void *)out.array->data)[0] == 2 &&
         ((int64_t *)(void *)other.array->data)[0] == 1);
  dz_array_free(DZ_CTX(ctx), out.array);
  dz_array_free(DZ_CTX(ctx), other.array);
  EXPECT(sample_free_i64_2d(ctx, a) == 0 && DZ_CTX(ctx)->mem_now == 0);
  fields[0].f64 = 1.5;
  fields[1].i32 = 4;
  EXPECT(dz_record_new(DZ_CTX(ctx), &point, &out.opaque, fields) == 0);
  struct sample_opaque_point *p = (struct sample_opaque_point *)(void *)out.opaque, *q,
                             *ps[] = {p, p};
  void *bytes = NULL;
  size_t n;
  EXPECT(sample_store_opaque_point(ctx, p, &bytes, &n) == 0);
  q = sample_restore_opaque_point(ctx, bytes);
  EXPECT(q != NULL && DZ_IN(DzOpaque, q)->leaf[1].i32 == 4);
  free(bytes);
  struct sample_opaque_arr1d_point *rows;
  EXPECT(sample_new_opaque_arr1d_point(ctx, &rows, ps, 2) == 0);
  EXPECT(sample_shape_opaque_arr1d_point(ctx, rows)[0] == 2);
  sample_free_opaque_point(ctx, q);
  EXPECT(sample_index_opaque_arr1d_point(ctx, &q, rows, 1) == 0);
  EXPECT(DZ_IN(DzOpaque, q)->leaf[0].f64 == 1.5 &&
         sample_set_opaque_arr1d_point(ctx, rows, q, 2) != 0);
  sample_free_opaque_point(ctx, q);
  sample_free_opaque_point(ctx, p);
  sample_free_opaque_arr1d_point(ctx, rows);
  EXPECT(sample_context_sync(ctx) == 0 && DZ_CTX(ctx)->mem_now == 0);
  sample_context_clear_caches(ctx);
  EXPECT(DZ_CTX(ctx)->mem_held == 0);
  sample_context_free(ctx);
  sample_context_config_free(cfg);
}

static void test_pool(void) {
  DzConfig config = {0};
  DzCtx *c = dz_ctx_new(&dz_program, &config);
  for (int64_t n = 0; n <= DZ_LARGE; n += n / 16 + 1) {
    int k = dz_class(n);
    EXPECT(k < DZ_CLASSES && dz_class_bytes(k) >= n && (k == 0 || dz_class_bytes(k - 1) < n));
    EXPECT(dz_block_bytes_i64(n) == dz_class_bytes(k));
    EXPECT(n < 64 ||
           dz_within_block_i64(n, 1) == dz_class_bytes(dz_class_bytes(k) == n ? k : k - 1));
  }
  DzBlock blocks[40] = {{0}};
  for (int round = 0; round < 200; round++) {
    DzBlock *b = &blocks[round * 7 % 40];
    int64_t bytes = (int64_t)1 << round % 24;
    EXPECT(dz_alloc(c, b, bytes, 0) == 0 && b->bytes >= bytes && (uintptr_t)b->at % 64 == 0);
    memset(b->at, round, (size_t)bytes);
    DzBlock second = dz_retain(b);
    EXPECT(dz_shared(b));
    dz_free(c, &second);
    EXPECT(!dz_shared(b) && dz_ensure(c, b, bytes / 2, 0) == 0);
  }
  for (int i = 0; i < 40; i++) dz_free(c, &blocks[i]);
  EXPECT(c->mem_now == 0 && c->mem_held > 0 && c->mem_peak > 0);
  EXPECT(dz_alloc(c, &blocks[0], INT64_MAX, 0) == DZ_OUT_OF_MEMORY);
  EXPECT(dz_alloc(c, &blocks[0], -1, 0) == DZ_OUT_OF_MEMORY && blocks[0].at == NULL);
  dz_ctx_free(c);
}

// The first small blocks lie in lent memory, and none of them is given to the system.
static void test_lent(void) {
  _Alignas(64) char lent[1024];
  DzCtx c = {.program = &dz_program, .lent = lent, .lent_next = lent, .lent_end = lent + sizeof lent};
  DzBlock blocks[8] = {{0}};
  int inside = 0;
  for (int i = 0; i < 8; i++) {
    EXPECT(dz_alloc(&c, &blocks[i], 100, 0) == 0 && (uintptr_t)blocks[i].at % 64 == 0);
    memset(blocks[i].at, i, (size_t)blocks[i].bytes);
    inside += blocks[i].at >= lent && blocks[i].at + blocks[i].bytes <= lent + sizeof lent;
  }
  EXPECT(inside == 5 && c.blocks == 3);
  for (int i = 0; i < 8; i++) {
    EXPECT(blocks[i].at[0] == i && blocks[i].at[99] == i);
    dz_free(&c, &blocks[i]);
  }
  EXPECT(dz_alloc(&c, &blocks[0], 100, 0) == 0 && c.blocks == 3);
  dz_free(&c, &blocks[0]);
  dz_clear_caches(&c);
  EXPECT(c.mem_now == 0 && c.mem_held == 0 && c.blocks == 0);
}

// What the pool says it holds is what its lists hold, and the bound is kept.
static bool pool_sound(const DzCtx *c) {
  int64_t held = 0;
  for (int i = 0; i <= DZ_CLASSES; i++)
    for (DzHeader *h = c->pool[i]; h != NULL; h = h->next) held += h->bytes;
  return held == c->mem_held && c->mem_now + held <= 2 * c->mem_peak + DZ_SLACK;
}

// Sizes that grow, shrink, are random; of large blocks, small ones, both.
static void test_bound(void) {
  DzConfig config = {0};
  enum { ROUNDS = 3000 };
  for (int way = 0; way < 6; way++) {
    DzCtx *c = dz_ctx_new(&dz_program, &config);
    DzBlock blocks[20] = {{0}};
    uint64_t random = 12345;
    for (int round = 0; round < ROUNDS; round++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      int64_t most = way < 3 ? INT64_C(4) << 20 : INT64_C(400) << 10, at = round;
      if (way % 3 == 1) at = ROUNDS - round;
      if (way % 3 == 2) at = (int64_t)(random >> 33) % ROUNDS;
      DzBlock *b = &blocks[way == 5 ? round * 7 % 20 : round % 2];
      EXPECT(dz_alloc(c, b, most / ROUNDS * at, 0) == 0 && b->bytes >= most / ROUNDS * at);
      EXPECT(pool_sound(c));
    }
    for (int i = 0; i < 20; i++) dz_free(c, &blocks[i]);
    EXPECT(c->mem_now == 0 && pool_sound(c));
    dz_ctx_free(c);
  }
  // A steady state takes nothing from the system, though its sizes differ by far.
  DzCtx *c = dz_ctx_new(&dz_program, &config);
  DzBlock a = {0}, b = {0};
  const char *first[2] = {NULL, NULL};
  for (int round = 0; round < 10; round++) {
    EXPECT(dz_alloc(c, &a, INT64_C(64) << 20, 0) == 0);
    if (round == 0) first[0] = a.at;
    EXPECT(a.at == first[0]);
    dz_free(c, &a);
    EXPECT(dz_alloc(c, &b, INT64_C(30) << 20, 0) == 0);
    if (round == 0) first[1] = b.at;
    EXPECT(b.at == first[1]);
    dz_free(c, &b);
  }
  dz_ctx_free(c);
}

// Blocks get large pages late where these are slow to come, and keep their bytes.
static void test_small_pages(void) {
  DzConfig config = {0};
  DzCtx *c = dz_ctx_new(&dz_program, &config);
  DzBlock block = {0};
  c->slow_pages = DZ_SLOW_PAGES;
  c->running = true;
  EXPECT(dz_alloc(c, &block, 3 * DZ_HUGE, 0) == 0);
#ifdef MADV_HUGEPAGE
  EXPECT(dz_header(&block)->small_uses == 1);
  memset(block.at, 7, (size_t)block.bytes);
  for (int use = 2; use <= DZ_SMALL_USES + 2; use++)
    EXPECT(dz_alloc(c, &block, 3 * DZ_HUGE, 0) == 0 &&
           dz_header(&block)->small_uses == (use <= DZ_SMALL_USES ? use : 0));
  for (int64_t i = 0; i < block.bytes; i += 4096) EXPECT(block.at[i] == 7);
#endif
  dz_free(c, &block);
  dz_ctx_free(c);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "exe") == 0) return dz_exe_main(&dz_program, argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "server") == 0)
    return dz_server_main(&dz_program, argc - 1, argv + 1);
  self = argv[0];
  test_pool();
  test_lent();
  test_bound();
  test_small_pages();
  test_api();
  test_exe();
  test_binary();
  test_server();
  printf("%d passed, %d failed\n", checks - failures, failures);
  return failures != 0;
}
