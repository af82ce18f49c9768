// Line editing and history by libreadline or libedit when the machine has one of them; they are
// not needed.  Both offer the same three functions.
#include "repl.h"
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

typedef union {
  void *object;
  char *(*readline)(const char *);
  void (*add)(const char *);
  int (*file)(const char *);
  void (*none)(void);
  int (*bind)(const char *, int (*)(int, int), int);
} Function;

struct Lines {
  bool terminal;
  Function readline, add, write_file;
  int *done;            // of the library; NULL: the interrupt key is not bound to line_drop
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
  const char *base = xdg && *xdg     ? xdg
                     : home && *home ? arena_printf(arena, "%s/.cache", home)
                                     : NULL;
  if (!base) return NULL;
  const char *dir = arena_printf(arena, "%s/dagaz", base);
  mkdir(base, 0700);
  mkdir(dir, 0700);
  return arena_printf(arena, "%s/history", dir);
}

// ---- the interrupt key --------------------------------------------------------------------------
// Without an editing library the terminal sends SIGINT, whose handler does nothing: reading fails
// with EINTR.  GNU readline goes on reading after a signal; there the terminal sends the key itself
// while a line is read, and line_drop ends the line and leaves it in the library's rl_done.
enum { INTERRUPT_KEY = 3 };

static void interrupt_note(int signal) { (void)signal; }

static int line_drop(int count, int key) {
  (void)count;
  *(int *)dlsym(library_open(), "rl_done") = key;
  return 0;
}

static int *drop_bind(void *library) {
  Function bind = {.object = dlsym(library, "rl_add_defun")};
  int *done = dlsym(library, "rl_done");
  return done && bind.object && bind.bind("dagaz-drop", line_drop, INTERRUPT_KEY) == 0 ? done
                                                                                       : NULL;
}

static void interrupts_catch(void) {
  struct sigaction action = {.sa_handler = interrupt_note};  // without SA_RESTART
  sigaction(SIGINT, &action, NULL);
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
  if (begin.object) begin.none();
  l->done = drop_bind(library);
  if (read_file.object && l->history) read_file.file(l->history);
}

Lines *lines_open(Arena *arena) {
  Lines *l = NEW(arena, Lines);
  l->terminal = isatty(0) && isatty(1);
  interrupts_catch();
  if (l->terminal) editing_begin(l, arena);
  return l;
}

bool lines_terminal(const Lines *lines) { return lines->terminal; }

static LineEvent plain_read(Arena *arena, const char **line) {
  Text text = {0};
  int c;
  errno = 0;
  while ((c = getchar()) != EOF && c != '\n') text_putc(&text, (char)c);
  bool dropped = c == EOF && ferror(stdin) && errno == EINTR;
  clearerr(stdin);
  *line = arena_strndup(arena, text.at ? text.at : "", text.len);
  bool end = c == EOF && text.len == 0;
  text_free(&text);
  return dropped ? LINE_DROPPED : end ? LINE_END : LINE_READ;
}

// The line as the library returns it, read while the terminal does not make a signal of the key.
static char *keys_read(Lines *l, const char *prompt) {
  struct termios before, now;
  bool changed = l->done && tcgetattr(0, &before) == 0;
  if (changed) {
    now = before;
    now.c_cc[VINTR] = _POSIX_VDISABLE;
    tcsetattr(0, TCSADRAIN, &now);
  }
  char *line = l->readline.readline(prompt);
  if (changed) tcsetattr(0, TCSADRAIN, &before);
  return line;
}

static LineEvent edited_read(Lines *l, Arena *arena, const char *prompt, const char **out) {
  if (l->done) *l->done = 0;
  char *line = keys_read(l, prompt);
  bool dropped = l->done && *l->done == INTERRUPT_KEY;
  if (dropped) puts("^C");
  if (!line) return dropped ? LINE_DROPPED : LINE_END;
  *out = arena_strdup(arena, line);
  if (*line && !dropped && l->add.object) l->add.add(line);
  free(line);
  return dropped ? LINE_DROPPED : LINE_READ;
}

LineEvent line_read(Lines *l, Arena *arena, const char *prompt, const char **line) {
  if (l->readline.object) return edited_read(l, arena, prompt, line);
  if (l->terminal) fputs(prompt, stdout);
  fflush(stdout);
  LineEvent event = plain_read(arena, line);
  if (l->terminal && event == LINE_DROPPED) putchar('\n');
  return event;
}

void lines_close(Lines *l) {
  if (l->write_file.object && l->history) l->write_file.file(l->history);
}
