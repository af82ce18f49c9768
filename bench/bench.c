// Times compiled programs against their hand-written C equivalents, taking turns in one run, and
// sets both against the machine's limits measured in the same run.
//   bench DIR OUT.json      DIR holds the programs NAME (compiled), NAME.c.exe (by hand), limits,
//                           and the inputs CASE.bin
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name, *program, *input;
  double flops_objective, flops_gradient;  // useful work, for percentages of the peak; 0: none
  double bytes_objective, bytes_gradient;  // least traffic, for percentages of the bandwidth
} Bench;

// GMM: a triangular matrix-vector product per point and component, d(d+1)/2 multiply-adds; its
// gradient twice that again.  Matrix product: 2nmp, its gradient 6nmp.
static const Bench benches[] = {
    {"gmm d=2 k=5 n=1000", "gmm", "gmm_2_5", 1000.0 * 5 * 6, 1000.0 * 5 * 18, 0, 0},
    {"gmm d=10 k=25 n=1000", "gmm", "gmm_10_25", 1000.0 * 25 * 110, 1000.0 * 25 * 330, 0, 0},
    {"gmm d=32 k=50 n=1000", "gmm", "gmm_32_50", 1000.0 * 50 * 1056, 1000.0 * 50 * 3168, 0, 0},
    {"matrix product 512", "matmul", "matmul", 2.0 * 512 * 512 * 512, 6.0 * 512 * 512 * 512, 0, 0},
    {"scan 10^7", "scan", "scan", 0, 0, 8e7, 3 * 8e7},
    {"histogram 1024 bins 10^7", "hist", "hist", 0, 0, 16e7, 40e7},
};
enum { ROUNDS = 5, MOST = 4096 };

static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int times_read(FILE *stream, double *out, int len) {
  while (len < MOST && fscanf(stream, "%lf", &out[len]) == 1) len++;
  return len;
}

static int times_ours(const char *dir, const Bench *b, const char *entry, int runs, double *out, int len) {
  char command[2000];
  snprintf(command, sizeof command, "%s/%s -e %s -n -r %d -t %s/times < %s/%s.bin > /dev/null", dir,
           b->program, entry, runs, dir, dir, b->input);
  if (system(command) != 0) return -1;
  snprintf(command, sizeof command, "%s/times", dir);
  FILE *stream = fopen(command, "r");
  if (!stream) return -1;
  len = times_read(stream, out, len);
  fclose(stream);
  return len;
}

static int times_hand(const char *dir, const Bench *b, const char *entry, int runs, double *out, int len) {
  char command[2000];
  snprintf(command, sizeof command, "%s/%s.c.exe %s %d < %s/%s.bin", dir, b->program, entry, runs, dir,
           b->input);
  FILE *stream = popen(command, "r");
  if (!stream) return -1;
  len = times_read(stream, out, len);
  return pclose(stream) == 0 ? len : -1;
}

static double median(double *times, int len) {
  qsort(times, (size_t)len, sizeof *times, order);
  return len ? times[len / 2] : -1;
}

// Fills medians[0] (compiled) and medians[1] (by hand), in microseconds.
static int measure(const char *dir, const Bench *b, const char *entry, double medians[2]) {
  static double ours[MOST], hand[MOST];
  int n_ours = 0, n_hand = 0, runs = 3;
  n_hand = times_hand(dir, b, entry, 1, hand, 0);
  if (n_hand > 0 && hand[0] > 0) runs = (int)(100000 / hand[0]);
  runs = runs < 3 ? 3 : runs > 300 ? 300 : runs;
  n_hand = 0;
  for (int r = 0; r < ROUNDS && n_ours >= 0 && n_hand >= 0; r++) {
    n_ours = times_ours(dir, b, entry, runs, ours, n_ours);
    n_hand = times_hand(dir, b, entry, runs, hand, n_hand);
  }
  if (n_ours <= 0 || n_hand <= 0) return 0;
  medians[0] = median(ours, n_ours);
  medians[1] = median(hand, n_hand);
  return 1;
}

static void row_print(FILE *json, const Bench *b, const double o[2], const double g[2], double peak,
                      double band, int first) {
  double limit_o = b->flops_objective > 0 ? b->flops_objective / o[0] / 1e3 / peak
                                          : b->bytes_objective / o[0] / 1e3 / band;
  double limit_g = b->flops_gradient > 0 ? b->flops_gradient / g[0] / 1e3 / peak
                                         : b->bytes_gradient / g[0] / 1e3 / band;
  printf("%-26s %10.1f %7.2f %5.0f%%   %10.1f %7.2f %5.0f%%   %6.2f %6.2f\n", b->name, o[0],
         o[0] / o[1], 100 * limit_o, g[0], g[0] / g[1], 100 * limit_g, g[0] / o[0], g[1] / o[1]);
  fprintf(json,
          "%s\n    {\"name\": \"%s\", \"objective_us\": %.3f, \"objective_hand_us\": %.3f, "
          "\"gradient_us\": %.3f, \"gradient_hand_us\": %.3f, \"gradient_over_objective\": %.3f, "
          "\"objective_of_limit\": %.4f, \"gradient_of_limit\": %.4f, \"limit\": \"%s\"}",
          first ? "" : ",", b->name, o[0], o[1], g[0], g[1], g[0] / o[0], limit_o, limit_g,
          b->flops_objective > 0 ? "peak" : "bandwidth");
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  char command[1000];
  double peak = 0, band = 0;
  snprintf(command, sizeof command, "%s/limits", argv[1]);
  FILE *stream = popen(command, "r");
  if (!stream || fscanf(stream, "%lf %lf", &peak, &band) != 2) return 1;
  pclose(stream);
  FILE *json = fopen(argv[2], "w");
  if (!json) return 1;
  printf("this machine, one core: %.1f GFLOP/s multiply-add, %.1f GB/s triad\n\n", peak, band);
  printf("%-26s %10s %7s %6s   %10s %7s %6s   %6s %6s\n", "microseconds, medians", "objective",
         "/hand C", "limit", "gradient", "/hand C", "limit", "grad/obj", "hand");
  fprintf(json, "{\n  \"peak_gflops\": %.2f,\n  \"bandwidth_gbs\": %.2f,\n  \"benchmarks\": [", peak, band);
  int failed = 0;
  for (size_t i = 0; i < sizeof benches / sizeof *benches; i++) {
    double o[2], g[2];
    if (measure(argv[1], &benches[i], "objective", o) && measure(argv[1], &benches[i], "gradient", g))
      row_print(json, &benches[i], o, g, peak, band, i == 0);
    else printf("%-26s failed\n", benches[i].name), failed = 1;
    fflush(stdout);
  }
  fprintf(json, "\n  ]\n}\n");
  fclose(json);
  return failed;
}
