// cli: what executables and servers share: options, the tuning file, the context they run in.
#ifndef DZ_CLI_H
#define DZ_CLI_H
#include "object.h"
#include <errno.h>

typedef struct DzCli {
  const DzProgram *program;
  const char *prog;       // argv[0]
  DzConfig config;
  const char *entry;
  const char *runtime_file;
  int runs;
  bool warmup, binary, quiet, print_params, help, server;
} DzCli;

typedef struct DzOption {
  char letter;        // 0: none
  const char *name;
  const char *arg;    // NULL: takes none
  const char *help;
  bool exe_only;
} DzOption;

static const DzOption dz_options[] = {
    {'h', "help", NULL, "Print this text.", false},
    {'e', "entry-point", "NAME", "The entry point to run (main).", true},
    {'b', "binary-output", NULL, "Write results in the binary format.", true},
    {'n', "no-print-result", NULL, "Do not write results.", true},
    {'t', "write-runtime-to", "FILE", "Write the microseconds of each run to FILE.", true},
    {'r', "runs", "N", "Run N times, after a first run that is not timed.", true},
    {'D', "debugging", NULL, "Debugging checks and messages.", false},
    {'L', "log", NULL, "Messages about what is going on.", false},
    {'P', "profile", NULL, "Gather and print profiling information.", false},
    {0, "timeline", NULL, "With -P: when the last run's loops began and ended.", true},
    {0, "print-params", NULL, "Print the tuning parameters and their classes.", false},
    {0, "param", "NAME=VALUE", "Set a tuning parameter.", false},
    {0, "tuning", "FILE", "Read tuning parameters, NAME=VALUE on each line.", false},
    {0, "cache-file", "FILE", "Keep compiled kernels in FILE.", false},
    {0, "num-threads", "N", "Number of threads.", false},
    {0, "memory-limit", "BYTES", "Fail rather than use more memory for arrays.", false},
};
#define DZ_OPTION_COUNT (sizeof dz_options / sizeof *dz_options)

__attribute__((format(printf, 2, 3))) DZ_FN int dz_cli_fail(const DzCli *cli, const char *fmt,
                                                            ...) {
  va_list args;
  va_start(args, fmt);
  fflush(stdout);
  fprintf(stderr, "%s: ", cli->prog);
  vfprintf(stderr, fmt, args);
  fprintf(stderr, "\n");
  va_end(args);
  return 1;
}

// The context's error on standard error; status 1.
DZ_FN int dz_cli_error(const DzCli *cli, DzCtx *c) {
  char *text = dz_error_take(c);
  fflush(stdout);
  fprintf(stderr, "%s: %s", cli->prog, text != NULL ? text : "Error: unknown\n");
  free(text);
  return 1;
}

// Whether all that was printed has arrived.
DZ_FN int dz_cli_end(const DzCli *cli) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
  return dz_cli_fail(cli, "Cannot write the output: %s", strerror(errno));
}

DZ_FN void dz_cli_usage(const DzCli *cli) {
  printf("Usage: %s [OPTION]...\n\nOptions:\n", cli->prog);
  for (size_t i = 0; i < DZ_OPTION_COUNT; i++) {
    const DzOption *o = &dz_options[i];
    char left[64];
    if (cli->server && o->exe_only) continue;
    snprintf(left, sizeof left, "%c%c%s --%s%s%s", o->letter ? '-' : ' ',
             o->letter ? o->letter : ' ', o->letter ? "," : " ", o->name, o->arg ? " " : "",
             o->arg ? o->arg : "");
    printf("  %-32s %s\n", left, o->help);
  }
}

DZ_FN bool dz_parse_number(const char *text, int64_t *out) {
  char *end;
  errno = 0;
  long long n = strtoll(text, &end, 10);
  *out = (int64_t)n;
  return *text != 0 && *end == 0 && errno == 0;
}

DZ_FN int dz_tuning_find(const DzProgram *program, const char *name, size_t len) {
  for (int i = 0; i < program->tuning_count; i++)
    if (strlen(program->tuning[i].name) == len && memcmp(program->tuning[i].name, name, len) == 0)
      return i;
  return -1;
}

// NAME=VALUE.
DZ_FN int dz_cli_param(DzCli *cli, const char *text) {
  const char *eq = strchr(text, '=');
  int64_t value;
  if (eq == NULL || !dz_parse_number(eq + 1, &value) || value < 0)
    return dz_cli_fail(cli, "Invalid argument for option --param: %s", text);
  int k = dz_tuning_find(cli->program, text, (size_t)(eq - text));
  if (k < 0) return dz_cli_fail(cli, "Unknown tuning parameter: %.*s", (int)(eq - text), text);
  cli->config.tuning[k] = value;
  return 0;
}

// Names the program does not have are ignored: tuning files outlive versions.
DZ_FN int dz_cli_tuning(DzCli *cli, const char *path) {
  FILE *f = fopen(path, "r");
  char line[1024];
  if (f == NULL) return dz_cli_fail(cli, "Cannot open %s: %s", path, strerror(errno));
  for (int n = 1; fgets(line, sizeof line, f) != NULL; n++) {
    int64_t value;
    line[strcspn(line, "\r\n")] = 0;
    char *eq = strchr(line, '=');
    if (line[0] == 0 || strncmp(line, "--", 2) == 0) continue;
    if (eq == NULL || !dz_parse_number(eq + 1, &value)) {
      fclose(f);
      return dz_cli_fail(cli, "Invalid line %d in %s (must be of the form NAME=VALUE)", n, path);
    }
    int k = dz_tuning_find(cli->program, line, (size_t)(eq - line));
    if (k >= 0) cli->config.tuning[k] = value;
  }
  fclose(f);
  return 0;
}

DZ_FN int dz_cli_number(const DzCli *cli, const DzOption *o, const char *arg, int64_t least,
                        int64_t *out) {
  if (dz_parse_number(arg, out) && *out >= least) return 0;
  return dz_cli_fail(cli, "Invalid argument for option --%s: %s", o->name, arg);
}

DZ_FN int dz_cli_set(DzCli *cli, const DzOption *o, const char *arg) {
  int64_t n = 0;
  int err = 0;
  switch (o->letter != 0 ? o->letter : o->name[0]) {
    case 'h': cli->help = true; return 0;
    case 'e': cli->entry = arg; return 0;
    case 'b': cli->binary = true; return 0;
    case 't':
      if (strcmp(o->name, "timeline") == 0) return cli->config.timeline = true, 0;
      if (o->letter == 0) return dz_cli_tuning(cli, arg);
      cli->runtime_file = arg;
      return 0;
    case 'r':
      err = dz_cli_number(cli, o, arg, 1, &n);
      if (n > 1000000000) n = 1000000000;
      cli->runs = (int)n;
      cli->warmup = true;
      return err;
    case 'D': cli->config.debugging = cli->config.logging = true; return 0;
    case 'L': cli->config.logging = true; return 0;
    case 'P': cli->config.profiling = true; return 0;
    case 'p':
      if (strcmp(o->name, "param") == 0) return dz_cli_param(cli, arg);
      cli->print_params = true;
      return 0;
    case 'c': cli->config.cache_file = arg; return 0;
    case 'm': return dz_cli_number(cli, o, arg, 0, &cli->config.mem_limit);
    case 'n':
      if (o->letter != 0) {
        cli->quiet = true;
        return 0;
      }
      err = dz_cli_number(cli, o, arg, 0, &n);
      cli->config.num_threads = n > 4096 ? 4096 : (int)n;
      return err;
    default: return 0;
  }
}

// --name, --name=arg, --name arg.  *i moves over the argument.
DZ_FN int dz_cli_long(DzCli *cli, int argc, char **argv, int *i) {
  const char *text = argv[*i] + 2, *eq = strchr(text, '=');
  size_t n = eq != NULL ? (size_t)(eq - text) : strlen(text);
  for (size_t k = 0; k < DZ_OPTION_COUNT; k++) {
    const DzOption *o = &dz_options[k];
    if (strlen(o->name) != n || memcmp(o->name, text, n) != 0) continue;
    if (o->arg == NULL && eq != NULL)
      return dz_cli_fail(cli, "Option --%s takes no argument", o->name);
    if (o->arg != NULL && eq == NULL && *i + 1 >= argc)
      return dz_cli_fail(cli, "Missing argument for option --%s", o->name);
    return dz_cli_set(cli, o, o->arg == NULL ? NULL : eq != NULL ? eq + 1 : argv[++*i]);
  }
  return dz_cli_fail(cli, "Unknown option: %s", argv[*i]);
}

// -x, -xy, -xARG, -x ARG.
DZ_FN int dz_cli_short(DzCli *cli, int argc, char **argv, int *i) {
  for (const char *p = argv[*i] + 1; *p != 0; p++) {
    size_t k = 0;
    while (k < DZ_OPTION_COUNT && dz_options[k].letter != *p) k++;
    if (k == DZ_OPTION_COUNT) return dz_cli_fail(cli, "Unknown option: %s", argv[*i]);
    const DzOption *o = &dz_options[k];
    if (o->arg == NULL) {
      dz_cli_set(cli, o, NULL);
      continue;
    }
    if (p[1] == 0 && *i + 1 >= argc)
      return dz_cli_fail(cli, "Missing argument for option -%c", *p);
    return dz_cli_set(cli, o, p[1] != 0 ? p + 1 : argv[++*i]);
  }
  return 0;
}

// DAGAZ_THREADS, where no option says how many.
DZ_FN int dz_cli_threads(const DzCli *cli) {
  const char *text = getenv("DAGAZ_THREADS");
  int64_t n;
  if (cli->config.num_threads > 0 || text == NULL || *text == 0) return 0;
  if (dz_parse_number(text, &n) && n >= 0) return 0;
  return dz_cli_fail(cli, "Invalid DAGAZ_THREADS: %s (a number; 0: all processors)", text);
}

DZ_FN int dz_cli_parse(DzCli *cli, const DzProgram *program, int argc, char **argv) {
  cli->program = program;
  cli->prog = argc > 0 ? argv[0] : "program";
  cli->entry = "main";
  cli->runs = 1;
  cli->config.tuning =
      (int64_t *)calloc((size_t)program->tuning_count + 1, sizeof *cli->config.tuning);
  if (cli->config.tuning == NULL) return dz_cli_fail(cli, "out of memory");
  for (int i = 0; i < program->tuning_count; i++)
    cli->config.tuning[i] = program->tuning[i].value;
  for (int i = 1; i < argc; i++) {
    int err = strncmp(argv[i], "--", 2) == 0              ? dz_cli_long(cli, argc, argv, &i)
              : argv[i][0] == '-' && argv[i][1] != 0 ? dz_cli_short(cli, argc, argv, &i)
              : dz_cli_fail(cli, "Excess non-option: %s", argv[i]);
    if (err != 0) return err;
  }
  return dz_cli_threads(cli);
}

// Options that only print something.  Returns whether it was one.
DZ_FN bool dz_cli_inform(const DzCli *cli) {
  if (cli->help) dz_cli_usage(cli);
  else if (cli->print_params)
    for (int i = 0; i < cli->program->tuning_count; i++)
      printf("%s (%s)\n", cli->program->tuning[i].name, cli->program->tuning[i].klass);
  return cli->help || cli->print_params;
}

DZ_FN const DzEntry *dz_entry_named(const DzProgram *program, const char *name) {
  for (int i = 0; i < program->entry_count; i++)
    if (strcmp(program->entries[i].name, name) == 0) return &program->entries[i];
  return NULL;
}

// Whether a type is a tuple: fields "0", "1", ..  Unit is one.
DZ_FN bool dz_type_is_tuple(const DzType *t) {
  if (t->kind != DZ_RECORD) return false;
  for (int i = 0; i < t->part_count; i++) {
    int64_t n;
    if (!dz_parse_number(t->parts[i].name, &n) || n != i) return false;
  }
  return true;
}
#endif
