// Line editing and history by libreadline or libedit when the machine has one of them; they are
// not needed.  Both offer the same three functions.
#include "repl.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef union {
  void *object;
  char *(*readline)(const char *);
  void (*add)(const char *);
  int (*file)(const char *);
} Function;

struct Lines {
  bool terminal;
  Function readline, add, write_file;
  const char *history;  // file, or NULL
};

static void *library_open(void) {
  const char *names[] = {"libreadline.so.8", "libedit.so.2", "libreadline.so", "libedit.so"};
  for (int i = 0; i < COUNT_OF(names); i++) {
    void *handle = dlopen(names[i], RTLD_NOW);
    if (handle) return handle;
  }
  return NULL;
}

static const char *history_path(Arena *arena) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  const char *base = xdg && *xdg ? xdg : home && *home ? arena_printf(arena, "%s/.cache", home) : NULL;
  if (!base) return NULL;
  const char *dir = arena_printf(arena, "%s/dagaz", base);
  mkdir(base, 0700);
  mkdir(dir, 0700);
  return arena_printf(arena, "%s/history", dir);
}

static void editing_begin(Lines *l, Arena *arena) {
  void *library = library_open();
  if (!library) return;
  Function read_file = {.object = dlsym(library, "read_history")};
  Function begin = {.object = dlsym(library, "using_history")};
  l->readline.object = dlsym(library, "readline");
  l->add.object = dlsym(library, "add_history");
  l->write_file.object = dlsym(library, "write_history");
  l->history = history_path(arena);
  if (begin.object) ((void (*)(void))begin.readline)();
  if (read_file.object && l->history) read_file.file(l->history);
}

Lines *lines_open(Arena *arena) {
  Lines *l = NEW(arena, Lines);
  l->terminal = isatty(0) && isatty(1);
  if (l->terminal) editing_begin(l, arena);
  return l;
}

bool lines_terminal(const Lines *lines) { return lines->terminal; }

static const char *plain_read(Arena *arena) {
  Text text = {0};
  int c;
  while ((c = getchar()) != EOF && c != '\n') text_putc(&text, (char)c);
  const char *line = c == EOF && text.len == 0 ? NULL
                     : arena_strndup(arena, text.at ? text.at : "", text.len);
  text_free(&text);
  return line;
}

static const char *edited_read(Lines *l, Arena *arena, const char *prompt) {
  char *line = l->readline.readline(prompt);
  if (!line) return NULL;
  const char *copy = arena_strdup(arena, line);
  if (*line && l->add.object) l->add.add(line);
  free(line);
  return copy;
}

const char *line_read(Lines *l, Arena *arena, const char *prompt) {
  if (l->readline.object) return edited_read(l, arena, prompt);
  if (l->terminal) fputs(prompt, stdout);
  fflush(stdout);
  return plain_read(arena);
}

void lines_close(Lines *l) {
  if (l->write_file.object && l->history) l->write_file.file(l->history);
}
