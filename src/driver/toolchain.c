// The system's C compiler, run without a shell.
#include "driver.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Flags that the meaning of the generated C needs, and its vector loops; passed before the flags
// for speed.
static const char needed_flags[] =
    "-w -std=gnu11 -fopenmp-simd -DDZ_OPENMP_SIMD -fwrapv -fno-math-errno -fno-trapping-math "
    "-ffp-contract=off";
// -O1 with explicit vector loops is where compile time and speed meet (bench/log).
static const char portable_flags[] = "-O1 -fno-ivopts -march=native";
// Flags of gcc alone: passes that take time and gain nothing, and one that gains.
static const char tuned_flags[] =
    "-O1 -fno-ivopts -fno-tree-ccp -fno-tree-bit-ccp -fno-tree-dominator-opts -fno-tree-pta "
    "-fno-tree-dse -fno-dse -fno-tree-loop-ivcanon -fno-optimize-strlen -fno-tree-phiprop "
    "-fno-ssa-backprop -fno-tree-builtin-call-dce -fno-stdarg-opt -fno-compare-elim "
    "-fno-split-wide-types -fno-tree-ter -ftree-vrp -march=native";

// The flags for speed, which $CFLAGS replaces.
static const char *speed_flags(FlagSet set) {
  const char *flags = getenv("CFLAGS");
  return flags && *flags ? flags : set == FLAGS_TUNED ? tuned_flags : portable_flags;
}

double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// The path of a program; empty when there is none.
typedef struct {
  char at[1024];
} Path;

static Path path_find(const char *name) {
  Path file = {""};
  if (strchr(name, '/')) {
    if (access(name, X_OK) == 0) snprintf(file.at, sizeof file.at, "%s", name);
    return file;
  }
  for (const char *path = getenv("PATH"); path && *path;) {
    size_t len = strcspn(path, ":");
    snprintf(file.at, sizeof file.at, "%.*s/%s", (int)len, path, name);
    if (access(file.at, X_OK) == 0) return file;
    path += len + (path[len] == ':');
  }
  return (Path){""};
}

const char *compiler_name(void) {
  const char *cc = getenv("CC");
  if (cc && *cc) return cc;
  const char *known[] = {"cc", "gcc", "clang"};
  for (int i = 0; i < COUNT_OF(known); i++)
    if (*path_find(known[i]).at) return known[i];
  return NULL;
}

bool toolchain_present(void) { return compiler_name() != NULL; }

// "'gcc'", and where the name comes from if the user chose it.
static const char *compiler_shown(Arena *arena) {
  const char *cc = getenv("CC");
  return arena_printf(arena, "'%s'%s", compiler_name(), cc && *cc ? " (from CC)" : "");
}

// Whether there is a compiler to run; says what to do otherwise.
static bool compiler_found(Arena *arena) {
  const char *name = compiler_name();
  if (!name) {
    fprintf(stderr, "dagaz: no C compiler found; install gcc or clang, or set CC\n");
    return false;
  }
  const char *program = arena_strndup(arena, name, strcspn(name, " "));
  if (*path_find(program).at) return true;
  fprintf(stderr, "dagaz: cannot run the C compiler %s: no such program; set CC to gcc or clang\n",
          compiler_shown(arena));
  return false;
}

// ---- running it -------------------------------------------------------------------------------
enum { MOST_ARGS = 128 };
typedef struct {
  char *at[MOST_ARGS];
  int len;
} Args;

static void args_add(Args *args, const char *word) {
  if (args->len < MOST_ARGS - 1) args->at[args->len++] = (char *)(uintptr_t)word;
}

static void args_split(Args *args, char *words) {
  char *rest = NULL;
  for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    args_add(args, word);
}

static _Noreturn void child_become(Args *args, bool quiet) {
  int nothing = quiet ? open("/dev/null", O_WRONLY) : -1;
  if (nothing >= 0) dup2(nothing, 2);
  execvp(args->at[0], args->at);
  _exit(127);
}

pid_t compiler_start(FlagSet set, const char *const *words, bool quiet) {
  char command[1024], needed[sizeof needed_flags], speed[2048];
  Args args = {0};
  snprintf(command, sizeof command, "%s", compiler_name());
  snprintf(needed, sizeof needed, "%s", needed_flags);
  snprintf(speed, sizeof speed, "%s", speed_flags(set));
  args_split(&args, command);
  args_split(&args, needed);
  args_split(&args, speed);
  for (; *words; words++) args_add(&args, *words);
  pid_t child = fork();
  if (child == 0) child_become(&args, quiet);
  return child;
}

bool compiler_wait(pid_t child) {
  int status = 0;
  if (child < 0) return false;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// A word of the command that names a program counts with the program's present contents.
uint64_t toolchain_hash(uint64_t h, FlagSet set) {
  char command[1024];
  Args args = {0};
  snprintf(command, sizeof command, "%s", compiler_name());
  args_split(&args, command);
  for (int i = 0; i < args.len; i++) {
    struct stat st = {0};
    char facts[96];
    stat(path_find(args.at[i]).at, &st);
    snprintf(facts, sizeof facts, " %lld %lld %lld ", (long long)st.st_size,
             (long long)st.st_mtime, (long long)st.st_ino);
    h = hash_text(hash_text(h, args.at[i]), facts);
  }
  return hash_text(hash_text(h, needed_flags), speed_flags(set));
}

// ---- programs ---------------------------------------------------------------------------------
typedef struct {
  Arena *arena;
  const char *dir, *out;  // for files on the way; the result
  OutputKind kind;
  FlagSet flags;
  bool threads, loads;
} Job;

// A linker that is faster than the usual one, if there is one.
static const char *linker_flag(void) {
  if (*path_find("ld.mold").at) return "-fuse-ld=mold";
  return *path_find("ld.gold").at ? "-fuse-ld=gold" : NULL;
}

// Links objects, or compiles and links C files.
static bool files_link(const Job *job, const char *const *files, int n, bool quiet) {
  const char *words[BACK_UNITS_MOST + 12];
  int len = 0;
  if (job->kind == OUTPUT_SHARED) words[len++] = "-shared", words[len++] = "-fPIC";
  if (job->kind == OUTPUT_OBJECT) words[len++] = "-c", words[len++] = "-fPIC";
  words[len++] = "-o", words[len++] = job->out;
  for (int i = 0; i < n; i++) words[len++] = files[i];
  if (job->kind != OUTPUT_OBJECT) words[len++] = "-lm";
  if (job->threads) words[len++] = "-pthread";
  if (job->loads && job->kind != OUTPUT_OBJECT) words[len++] = "-ldl";
  const char *linker = quiet ? linker_flag() : NULL;
  if (linker) words[len++] = linker;
  words[len++] = NULL;
  return compiler_wait(compiler_start(job->flags, words, quiet));
}

// With the flags of gcc, if the compiler takes them.
static bool pasted_build(Job *job, const BackTexts *texts) {
  const char *path = arena_printf(job->arena, "%s/program.c", job->dir);
  Text c = {0};
  text_write(&c, texts->runtime.at, texts->runtime.len);
  text_write(&c, texts->program.at, texts->program.len);
  bool ok = file_write(path, c.at, c.len);
  text_free(&c);
  if (!ok) fprintf(stderr, "dagaz: cannot write '%s': %s\n", path, strerror(errno));
  job->flags = FLAGS_TUNED;
  if (!ok || files_link(job, &path, 1, true)) return ok;
  job->flags = FLAGS_PORTABLE;
  if (files_link(job, &path, 1, false)) return true;
  const char *flags = getenv("CFLAGS");
  fprintf(stderr, "dagaz: the C compiler %s fails; set CC to gcc or clang%s\n",
          compiler_shown(job->arena), flags && *flags ? ", or CFLAGS to what it takes" : "");
  return false;
}

// Each to an object, all at once.
static bool units_compile(const Job *job, const char **files, int n) {
  pid_t children[BACK_UNITS_MOST];
  bool ok = true;
  for (int u = 0; u < n; u++) {
    const char *object = arena_printf(job->arena, "%s/unit%d.o", job->dir, u);
    const char *words[] = {"-c", "-o", object, files[u],
                           job->kind == OUTPUT_SHARED ? "-fPIC" : NULL, NULL};
    children[u] = compiler_start(job->flags, words, true);
    files[u] = object;
  }
  for (int u = 0; u < n; u++) ok = compiler_wait(children[u]) && ok;
  return ok;
}

// A unit costs the compiler some 30 ms however small it is.
static int units_wanted(const BackTexts *texts) {
  enum { UNIT_TEXT = 24 << 10 };
  long cores = sysconf(_SC_NPROCESSORS_ONLN), most = (long)(texts->program.len / UNIT_TEXT);
  if (most > cores) most = cores;
  return most < 1 ? 1 : most > BACK_UNITS_MOST ? BACK_UNITS_MOST : (int)most;
}

static bool linked_build(const Job *job, const LinkedRuntime *r, const BackTexts *texts,
                         BuildNote *note) {
  Text units[BACK_UNITS_MOST] = {{0}};
  const char *files[BACK_UNITS_MOST + 1];
  bool ok = true;
  int n = note->units = back_units(r->declarations, texts, units_wanted(texts), units);
  for (int u = 0; u < n; u++) {
    files[u] = arena_printf(job->arena, "%s/unit%d.c", job->dir, u);
    ok = file_write(files[u], units[u].at, units[u].len) && ok;
    text_free(&units[u]);
  }
  if (ok && n > 1) ok = units_compile(job, files, n);
  files[n] = r->object;
  note->runtime = r->compiled ? "compiled" : "cached";
  return ok && files_link(job, files, n + 1, true);
}

// Whatever goes wrong with the runtime's object, the one C file that has all remains.
static bool job_run(Job *job, const BackTexts *texts, BuildNote *note) {
  const char *paste = getenv("DAGAZ_PASTE");
  if ((!paste || !*paste) && job->kind != OUTPUT_OBJECT) {
    LinkedRuntime r = runtime_object(job->arena, job->dir, texts->single);
    job->flags = r.flags;
    if (r.object && linked_build(job, &r, texts, note)) return true;
  }
  *note = (BuildNote){1, "pasted"};
  return pasted_build(job, texts);
}

// The result appears under its name when it is whole; until then an older one stays.
static bool job_finish(Job *job, const char *out, const BackTexts *texts, BuildNote *note) {
  struct stat st;
  bool special = stat(out, &st) == 0 && !S_ISREG(st.st_mode);
  job->out = special ? out : file_fresh(job->arena, out);
  if (job->out && job_run(job, texts, note)) {
    if (special || rename(job->out, out) == 0) return true;
    fprintf(stderr, "dagaz: cannot write '%s': %s\n", out, strerror(errno));
  }
  if (job->out && !special) unlink(job->out);
  return false;
}

bool toolchain_build(const BackTexts *texts, const char *out, OutputKind kind, BuildNote *note) {
  Job job = {.arena = arena_new(), .kind = kind, .threads = texts->threads,
             .loads = texts->loads};
  bool found = compiler_found(job.arena);
  job.dir = found ? temporary_dir(job.arena) : NULL;
  bool ok = job.dir && job_finish(&job, out, texts, note);
  if (job.dir) temporary_remove(job.dir);
  else if (found) fprintf(stderr, "dagaz: cannot make a temporary folder: %s\n", strerror(errno));
  arena_free(job.arena);
  return ok;
}
