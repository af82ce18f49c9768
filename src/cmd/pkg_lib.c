// lib/ is replaced as a whole: the new folder is made beside it and takes its place with one rename
// (an exchange where the system has one).
//
// Which files of the old folder go: those that an earlier `sync` put there and nothing changed
// since. The record lib/.dagaz-pkg says so, a line `HASH PATH` for each.  Every other file stays in
// lib/, and where a package's file takes the place of a changed one, the old folder is kept as
// lib~old.
#define _GNU_SOURCE  // syscall
#include "packages.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char record_name[] = ".dagaz-pkg";

typedef struct {
  PkgTool *t;
  const char *dir;     // the new folder
  const char *own;     // the package's own path, or NULL
  const char *record;  // of the old folder
  bool keep_stale;     // a vendored package's requirements are not known
  Text new_record;
  bool lost;           // the old folder has something that the new one lacks
} LibJob;

static uint64_t bytes_hash(const char *s, size_t len) {
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)s[i]) * 1099511628211u;
  return h;
}

static const char *in_new(const LibJob *j, const char *name) {
  return arena_printf(j->t->arena, "%s/%s", j->dir, name);
}

static const char *in_old(const LibJob *j, const char *name) {
  return arena_printf(j->t->arena, "lib/%s", name);
}

static void folder_above_make(const LibJob *j, const char *name) {
  const char *slash = strrchr(name, '/');
  if (slash)
    folders_make(j->t->arena, in_new(j, arena_strndup(j->t->arena, name, (size_t)(slash - name))));
}

// ---- packages
static void file_add(LibJob *j, const char *from, const char *name) {
  Arena *arena = j->t->arena;
  size_t len;
  const char *bytes = file_read(arena, from, &len);
  const char *to = in_new(j, name);
  if (j->t->verbose) fprintf(stderr, "lib/%s\n", name);
  if (!bytes) fail_io("cannot read '%s': %s", from, strerror(errno));
  folder_above_make(j, name);
  if (!file_write(to, bytes, len)) fail_io("cannot write '%s': %s", to, strerror(errno));
  text_printf(&j->new_record, "%016llx %s\n", (unsigned long long)bytes_hash(bytes, len), name);
}

static void package_add(LibJob *j, const ChosenPackage *p) {
  Arena *arena = j->t->arena;
  const Requirement *r = &p->required;
  const Manifest *m = package_manifest(j->t, r);
  const char *from = arena_printf(arena, "%s/lib/%s", package_folder(j->t, r), m->path);
  Tree tree = tree_list(arena, from);
  if (!tree.files.len)
    fail_io("package %s %s has no files in its folder lib/%s", r->path,
            version_text(arena, &r->version), m->path);
  for (int i = 0; i < tree.files.len; i++)
    file_add(j, arena_printf(arena, "%s/%s", from, tree.files.at[i]),
             arena_printf(arena, "%s/%s", r->path, tree.files.at[i]));
}

// ---- what stays
static bool is_own(const LibJob *j, const char *name) {
  size_t n = j->own ? strlen(j->own) : 0;
  return n && strncmp(name, j->own, n) == 0 && (name[n] == '/' || name[n] == 0);
}

static bool is_recorded(const LibJob *j, const char *name, uint64_t hash) {
  if (!j->record) return false;
  const char *line = arena_printf(j->t->arena, "%016llx %s\n", (unsigned long long)hash, name);
  return strstr(j->record, line) != NULL;
}

static bool file_copy(Arena *arena, const char *from, const char *to) {
  size_t len;
  const char *bytes = link(from, to) == 0 ? NULL : file_read(arena, from, &len);
  return bytes ? file_write(to, bytes, len) : access(to, F_OK) == 0;
}

static void file_carry(LibJob *j, const char *name) {
  Arena *arena = j->t->arena;
  const char *from = in_old(j, name), *to = in_new(j, name);
  size_t len, new_len = 0;
  const char *bytes = file_read(arena, from, &len);
  if (!bytes) fail_io("cannot read '%s': %s", from, strerror(errno));
  bool ours = is_recorded(j, name, bytes_hash(bytes, len)) && !is_own(j, name);
  const char *new = file_read(arena, to, &new_len);
  if (new) {
    if (!ours && (len != new_len || memcmp(bytes, new, len) != 0)) j->lost = true;
  } else if (!ours || j->keep_stale) {
    folder_above_make(j, name);
    if (!file_copy(arena, from, to)) fail_io("cannot write '%s': %s", to, strerror(errno));
    if (ours) text_printf(&j->new_record, "%016llx %s\n",
                          (unsigned long long)bytes_hash(bytes, len), name);
  }
}

static void link_carry(LibJob *j, const char *name) {
  char target[4096];
  ssize_t n = readlink(in_old(j, name), target, sizeof target - 1);
  if (n < 0) fail_io("cannot read '%s': %s", in_old(j, name), strerror(errno));
  target[n] = 0;
  folder_above_make(j, name);
  if (symlink(target, in_new(j, name)) != 0) j->lost = true;
}

static void old_carry(LibJob *j) {
  Tree tree = tree_list(j->t->arena, "lib");
  for (int i = 0; i < tree.folders.len; i++)
    if (is_own(j, tree.folders.at[i])) folders_make(j->t->arena, in_new(j, tree.folders.at[i]));
  for (int i = 0; i < tree.files.len; i++)
    if (strcmp(tree.files.at[i], record_name) != 0) file_carry(j, tree.files.at[i]);
  for (int i = 0; i < tree.links.len; i++) link_carry(j, tree.links.at[i]);
  if (tree.others.len) j->lost = true;
}

// ---- taking its place
// Afterwards `new` names the old folder.
static bool exchanged(const char *new) {
#ifdef SYS_renameat2
  enum { HERE = -100, EXCHANGE = 2 };  // AT_FDCWD, RENAME_EXCHANGE
  return syscall(SYS_renameat2, HERE, new, HERE, "lib", EXCHANGE) == 0;
#else
  (void)new;
  return false;
#endif
}

static const char *unused_name(Arena *arena) {
  const char *name = "lib~old";
  struct stat st;
  for (int i = 1; lstat(name, &st) == 0; i++) name = arena_printf(arena, "lib~old.%d", i);
  return name;
}

static void new_place(LibJob *j, bool had_old) {
  const char *old = unused_name(j->t->arena);
  bool ok = true;
  if (!had_old) ok = rename(j->dir, "lib") == 0;
  else if (exchanged(j->dir)) ok = rename(j->dir, old) == 0;
  else ok = rename("lib", old) == 0 && rename(j->dir, "lib") == 0;
  if (!ok) fail_io("cannot rename '%s' to 'lib': %s", j->dir, strerror(errno));
  if (had_old && j->lost)
    fprintf(stderr, "dagaz: files in lib/ were changed since they came from a package; "
                    "the old folder is kept as %s\n", old);
  else if (had_old) tree_remove(old);
}

static void lib_make(LibJob *j, const ChosenList *chosen, bool had_old) {
  for (int i = 0; i < chosen->len; i++) {
    if (!chosen->at[i].vendored) package_add(j, &chosen->at[i]);
    else j->keep_stale = true;
  }
  if (had_old) old_carry(j);
  if (j->new_record.len && !file_write(in_new(j, record_name), j->new_record.at, j->new_record.len))
    fail_io("cannot write '%s': %s", in_new(j, record_name), strerror(errno));
  new_place(j, had_old);
}

static const char *new_folder(Arena *arena) {
  char *dir = mkdtemp(arena_strdup(arena, "lib~new.XXXXXX"));
  if (!dir) fail_io("cannot make the folder 'lib~new': %s", strerror(errno));
  mode_t mask = umask(0);
  umask(mask);
  chmod(dir, 0777 & ~mask);
  return dir;
}

void lib_replace(PkgTool *t, const char *own, const ChosenList *chosen) {
  struct stat st;
  bool had_old = lstat("lib", &st) == 0;
  if (had_old && !S_ISDIR(st.st_mode))
    fail_io("'lib' is not a folder; move it away, `dagaz pkg sync` makes a folder of that name");
  if (!had_old && !chosen->len) return;
  LibJob j = {.t = t, .own = own, .record = file_read(t->arena, "lib/.dagaz-pkg", NULL)};
  j.dir = new_folder(t->arena);
  Stop stop;
  if (stop_arm(&stop)) {
    lib_make(&j, chosen, had_old);
    stop_pop(&stop);
    text_free(&j.new_record);
  } else {
    tree_remove(j.dir);
    text_free(&j.new_record);
    stop_now(stop.status);
  }
}
