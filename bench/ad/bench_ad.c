// Times derivatives against their functions (issue 4's figures): programs as servers, function and
// derivative called in turns in one process, medians of the ratios of neighbouring calls.
//   bench_ad DIR OUT.json [N]      DIR holds the servers `scalars`, `lattice`, `ba` and, its
//                                  derivatives keeping to the limit of the run, `limited`; N
//                                  elements (10^7)
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- a server ---------------------------------------------------------------------------------
typedef struct {
  pid_t pid;
  FILE *to, *from;
  double runtime, peak;  // microseconds of the last call; bytes, of the last report
} Server;

static void die(const char *what) {
  fprintf(stderr, "bench_ad: %s\n", what);
  exit(1);
}

// Reads an answer; false: failure.
static int answer_read(Server *s) {
  char line[4096];
  int ok = 1;
  while (fgets(line, sizeof line, s->from)) {
    if (strncmp(line, "%%% FAILURE", 11) == 0) ok = 0;
    else if (strncmp(line, "%%% OK", 6) == 0) return ok;
    else if (!ok) fputs(line, stderr);
    sscanf(line, "runtime: %lf", &s->runtime);
    const char *peak = strstr(line, "\"peak\":");
    if (peak) s->peak = strtod(peak + 7, NULL);
  }
  return 0;
}

// limit: bytes that the program may use, or 0.
static Server server_start(const char *dir, const char *name, double limit) {
  char path[1000], bytes[40];
  int to[2], from[2];
  Server s = {0};
  snprintf(path, sizeof path, "%s/%s", dir, name);
  snprintf(bytes, sizeof bytes, "%.0f", limit);
  if (pipe(to) || pipe(from)) die("no pipe");
  s.pid = fork();
  if (s.pid == 0) {
    dup2(to[0], 0), dup2(from[1], 1);
    close(to[0]), close(to[1]), close(from[0]), close(from[1]);
    execl(path, path, limit ? "--memory-limit" : (char *)NULL, bytes, (char *)NULL);
    _exit(127);
  }
  close(to[0]), close(from[1]);
  s.to = fdopen(to[1], "w"), s.from = fdopen(from[0], "r");
  if (!s.to || !s.from || !answer_read(&s)) die("a server does not start");
  return s;
}

static void server_stop(Server *s) {
  fclose(s->to), fclose(s->from);
  waitpid(s->pid, NULL, 0);
}

static double command(Server *s, const char *text) {
  fprintf(s->to, "%s\n", text);
  fflush(s->to);
  if (!answer_read(s)) die(text);
  return s->runtime;
}

// name = an i64, through a file in the binary format.
static void integer_set(Server *s, const char *dir, const char *name, int64_t value) {
  char path[1000], text[1200];
  snprintf(path, sizeof path, "%s/integer", dir);
  FILE *f = fopen(path, "wb");
  if (!f) die("cannot write");
  fwrite("b\2\0 i64", 1, 7, f);
  fwrite(&value, sizeof value, 1, f);
  fclose(f);
  snprintf(text, sizeof text, "restore %s %s i64", path, name);
  command(s, text);
}

static double call_for(Server *s, const char *entry, const char *results, const char *args) {
  char text[300];
  snprintf(text, sizeof text, "call %s %s %s", entry, results, args);
  double us = command(s, text);
  snprintf(text, sizeof text, "free %s", results);
  command(s, text);
  return us;
}

static double call(Server *s, const char *entry, const char *args) {
  return call_for(s, entry, "out", args);
}

// ---- ratios -----------------------------------------------------------------------------------
enum { MOST = 101 };
static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static double median(double *times, int len) {
  qsort(times, (size_t)len, sizeof *times, order);
  return times[len / 2];
}

typedef struct {
  double primal, gradient, ratio;
} Times;

static Times measure(Server *s, const char *entry, const char *args, int rounds) {
  double primal[MOST], gradient[MOST], ratio[MOST];
  char grad[100];
  snprintf(grad, sizeof grad, "%s_grad", entry);
  call(s, entry, args), call(s, grad, args);  // memory is there from now on
  for (int r = 0; r < rounds; r++) {
    primal[r] = call(s, entry, args);
    gradient[r] = call(s, grad, args);
    ratio[r] = gradient[r] / primal[r];
  }
  return (Times){median(primal, rounds), median(gradient, rounds), median(ratio, rounds)};
}

typedef struct {
  const char *title, *entry, *args;
  double aim;
} Bench;
static const Bench benches[] = {
    {"sum", "sum", "xs", 1.2},
    {"scan (+)", "scan_sum", "xs ys", 1.8},
    {"histogram (+)", "hist_sum", "is xs seed", 1.9},
    {"product", "product", "fs", 2.5},
    {"reduce, any operator", "reduce_any", "ss", 4},
    {"scan, any operator", "scan_any", "ss ys", 4},
    {"scan, linear functions", "scan_linear", "qa qb", 4},
    {"scan, sums of products", "scan_pairs", "qa qb", 4},
    {"scan, 2x2 matrices", "scan_matrix", "qa qb", 5},
    {"histogram, any operator", "hist_any", "is ss seed", 4},
};

static void numbers_make(Server *s, const char *dir, int64_t n) {
  integer_set(s, dir, "n", n), integer_set(s, dir, "quarter", n / 4), integer_set(s, dir, "k", 1024);
  command(s, "call numbers xs n"), command(s, "call numbers ys n");
  command(s, "call factors fs n"), command(s, "call small ss n"), command(s, "call bins is n");
  command(s, "call numbers seed k"), command(s, "call factors qa quarter");
  command(s, "call small qb quarter");
}
static void numbers_free(Server *s) { command(s, "free n quarter k xs ys fs ss is seed qa qb"); }

static void ratios(Server *s, const char *dir, int64_t n, FILE *json) {
  numbers_make(s, dir, n);
  printf("%-28s %12s %12s %8s %6s\n", "microseconds, medians", "function", "derivative", "ratio", "aim");
  for (size_t i = 0; i < sizeof benches / sizeof *benches; i++) {
    const Bench *b = &benches[i];
    Times t = measure(s, b->entry, b->args, 9);
    printf("%-28s %12.0f %12.0f %8.2f %6.1f%s\n", b->title, t.primal, t.gradient, t.ratio, b->aim,
           t.ratio > b->aim ? "  missed" : "");
    fprintf(json, "%s\n    {\"name\": \"%s\", \"primal_us\": %.0f, \"gradient_us\": %.0f, "
            "\"ratio\": %.3f, \"aim\": %.1f}", i ? "," : "", b->title, t.primal, t.gradient, t.ratio,
            b->aim);
    fflush(stdout);
  }
  numbers_free(s);
}

// Time in proportion to n: nanoseconds per element for n, 2n, 4n, 8n.
static void growth(Server *s, const char *dir, int64_t n, FILE *json) {
  static const char *const entries[] = {"inplace", "branches"};
  printf("\n%-28s %9s %9s %9s %9s\n", "derivative, ns per element", "n", "2n", "4n", "8n");
  for (int e = 0; e < 2; e++) {
    printf("%-28s", entries[e]);
    fprintf(json, "%s\n    {\"name\": \"%s\", \"ns_per_element\": [", e ? "," : "", entries[e]);
    for (int k = 0; k < 4; k++) {
      int64_t len = n / 8 << k;
      numbers_make(s, dir, len);
      Times t = measure(s, entries[e], "xs ys", 5);
      numbers_free(s);
      printf(" %9.2f", 1e3 * t.gradient / (double)len);
      fprintf(json, "%s%.3f", k ? ", " : "", 1e3 * t.gradient / (double)len);
      fflush(stdout);
    }
    printf("\n");
    fprintf(json, "]}");
  }
}

static Server lattice_start(const char *dir, const char *name, double limit) {
  Server s = server_start(dir, name, limit);
  integer_set(&s, dir, "h", 96), integer_set(&s, dir, "steps", 100);
  command(&s, "call state s h h");
  return s;
}

// The most that the server has held at a time, in bytes.
static double peak_of(Server *s) {
  command(s, "report");
  return s->peak;
}

// The derivative within so many times its function's memory (0: no limit).
static void lattice_within(const char *dir, double times, FILE *json) {
  enum { ROUNDS = 7 };
  double primal[ROUNDS], gradient[ROUNDS], ratio[ROUNDS];
  Server f = lattice_start(dir, "lattice", 0);
  call(&f, "lattice", "steps s");
  double memory = peak_of(&f);
  Server g = lattice_start(dir, times ? "limited" : "lattice", times * memory);
  call(&g, "lattice_grad", "steps s");
  for (int r = 0; r < ROUNDS; r++) {
    primal[r] = call(&f, "lattice", "steps s");
    gradient[r] = call(&g, "lattice_grad", "steps s");
    ratio[r] = gradient[r] / primal[r];
  }
  double used = peak_of(&g) / memory, m = median(ratio, ROUNDS);
  double p = median(primal, ROUNDS), d = median(gradient, ROUNDS);
  server_stop(&g), server_stop(&f);  // g has inherited the ends of f's pipes
  char title[40] = "lattice, 100 steps";
  if (times) snprintf(title, sizeof title, "  within %.0f times its memory", times);
  printf("%-28s %12.0f %12.0f %8.2f %6.1f%s   memory %.2f times\n", title, p, d, m, 3.5,
         m > 3.5 ? "  missed" : "", used);
  fprintf(json, "%s\n    {\"limit\": %.0f, \"primal_us\": %.0f, \"gradient_us\": %.0f, "
          "\"ratio\": %.3f, \"aim\": 3.5, \"memory_ratio\": %.2f}", times ? "," : "", times, p, d,
          m, used);
  fflush(stdout);
}

static void lattice(const char *dir, FILE *json) {
  printf("\n");
  lattice_within(dir, 0, json);
  lattice_within(dir, 3, json);
  lattice_within(dir, 4, json);
}

// ---- sparse Jacobians ---------------------------------------------------------------------------
typedef struct {
  const char *title, *entry, *results, *args;
  double aim;  // times what seeding by hand takes; 0: none
  int rounds;
} Way;
#define BUNDLE "n m x cs qs feats"
static const Way ways[] = {
    {"seeded by hand, entries", "hand", "out", BUNDLE, 0, 15},
    {"  with their pattern", "hand_rows", "o c out", BUNDLE, 0, 15},
    {"no pattern given, entries", "entries", "out", BUNDLE, 1.5, 15},
    {"  with the pattern found", "sparse", "o c out", BUNDLE, 1.5, 15},
    {"into a given pattern", "given", "out", BUNDLE " offsets columns", 1.5, 15},
    {"a row of the dense one", "dense_one_row", "out", BUNDLE, 0, 15},
    {"all of the dense one", "dense", "out", BUNDLE, 0, 3},
};
enum { WAYS = sizeof ways / sizeof *ways, SPARSE = 3, ROW = 5, DENSE = 6, MOST_DENSE = 1000 };

static void way_print(const Way *way, const double us[], const double hand[], FILE *json) {
  double ratio[MOST], times[MOST];
  for (int r = 0; r < way->rounds; r++) times[r] = us[r], ratio[r] = us[r] / hand[r];
  double t = median(times, way->rounds), m = median(ratio, way->rounds);
  printf("%-28s %12.0f %8.2f", way->title, t, m);
  if (way->aim > 0) printf(" %6.1f%s", way->aim, m > way->aim ? "  missed" : "");
  printf("\n");
  fprintf(json, "%s{\"name\": \"%s\", \"us\": %.0f, \"ratio\": %.3f}",
          way->entry == ways[0].entry ? "" : ", ", way->entry, t, m);
}

// The dense Jacobian over the sparse one, in the same rounds; where it would be too large, as many
// times its row as it has rows: three for each observation.
static void dense_print(double us[WAYS][MOST], int64_t observations, bool measured, FILE *json) {
  double ratio[MOST];
  int rounds = ways[measured ? DENSE : ROW].rounds;
  for (int r = 0; r < rounds; r++)
    ratio[r] = measured ? us[DENSE][r] / us[SPARSE][r]
                        : us[ROW][r] * 3 * (double)observations / us[SPARSE][r];
  double m = median(ratio, rounds);
  printf("%-28s %12s %8.0f %6.1f%s\n", "dense over sparse", measured ? "" : "(by its rows)", m, 50.0,
         m < 50 ? "  missed" : "");
  fprintf(json, "], \"dense_over_sparse\": %.0f, \"dense_measured\": %s}", m,
          measured ? "true" : "false");
}

// Bundle adjustment: all ways in turns, each over seeding by hand in the same round.
static void bundle_size(Server *s, const char *dir, const int64_t size[3], FILE *json) {
  static double us[WAYS][MOST];
  bool measured = size[2] <= MOST_DENSE;
  int count = measured ? WAYS : DENSE;
  integer_set(s, dir, "i0", size[0]), integer_set(s, dir, "i1", size[1]);
  integer_set(s, dir, "i2", size[2]);
  command(s, "call data_and_pattern " BUNDLE " offsets columns i0 i1 i2");
  for (int r = -1; r < ways[0].rounds; r++)
    for (int w = 0; w < count; w++)
      if (r < ways[w].rounds)
        us[w][r < 0 ? 0 : r] = call_for(s, ways[w].entry, ways[w].results, ways[w].args);
  printf("\n%-28s %12s %8s %6s  (%" PRId64 " observations)\n", "bundle adjustment, us", "median",
         "ratio", "aim", size[2]);
  fprintf(json, "{\"observations\": %" PRId64 ", \"ways\": [", size[2]);
  for (int w = 0; w < count; w++) way_print(&ways[w], us[w], us[0], json);
  dense_print(us, size[2], measured, json);
  command(s, "free " BUNDLE " offsets columns i0 i1 i2");
  fflush(stdout);
}

// Cameras, points, observations; the last is ADBench's smallest.
static void bundle(const char *dir, FILE *json) {
  static const int64_t sizes[][3] = {{10, 200, 1000}, {20, 1000, 4000}, {49, 7776, 31843}};
  Server s = server_start(dir, "ba", 0);
  for (int k = 0; k < 3; k++) {
    fprintf(json, "%s\n    ", k ? "," : "");
    bundle_size(&s, dir, sizes[k], json);
  }
  server_stop(&s);
}

int main(int argc, char **argv) {
  if (argc < 3) die("usage: bench_ad DIR OUT.json [N]");
  int64_t n = argc > 3 ? strtoll(argv[3], NULL, 10) : 10000000;
  FILE *json = fopen(argv[2], "w");
  if (!json) die("cannot write the results");
  Server s = server_start(argv[1], "scalars", 0);
  fprintf(json, "{\n  \"elements\": %" PRId64 ",\n  \"ratios\": [", n);
  ratios(&s, argv[1], n, json);
  fprintf(json, "\n  ],\n  \"growth\": [");
  growth(&s, argv[1], n, json);
  server_stop(&s);
  fprintf(json, "\n  ],\n  \"lattice\": [");
  lattice(argv[1], json);
  fprintf(json, "\n  ],\n  \"bundle\": [");
  bundle(argv[1], json);
  fprintf(json, "\n  ]\n}\n");
  return fclose(json) != 0;
}
