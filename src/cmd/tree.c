// Folders with all that is in them.  Symbolic links are never followed.
#include "packages.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 64 };

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static Words names_in(Arena *arena, const char *dir) {
  Words names = {0};
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
      list_push(arena, &names, arena_strdup(arena, e->d_name));
  if (d) closedir(d);
  if (names.len) qsort(names.at, (size_t)names.len, sizeof *names.at, by_name);
  return names;
}

static void list_below(Arena *arena, Tree *tree, const char *dir, const char *prefix, int depth) {
  if (depth > DEEPEST) fail_io("folders below '%s' are nested too deep", dir);
  Words names = names_in(arena, dir);
  for (int i = 0; i < names.len; i++) {
    const char *path = arena_printf(arena, "%s/%s", dir, names.at[i]);
    const char *name = arena_printf(arena, "%s%s", prefix, names.at[i]);
    struct stat st;
    if (lstat(path, &st) != 0) continue;
    if (S_ISREG(st.st_mode)) list_push(arena, &tree->files, name);
    else if (S_ISLNK(st.st_mode)) list_push(arena, &tree->links, name);
    else if (!S_ISDIR(st.st_mode)) list_push(arena, &tree->others, name);
    if (!S_ISDIR(st.st_mode)) continue;
    list_push(arena, &tree->folders, name);
    list_below(arena, tree, path, arena_printf(arena, "%s/", name), depth + 1);
  }
}

Tree tree_list(Arena *arena, const char *dir) {
  Tree tree = {0};
  list_below(arena, &tree, dir, "", 0);
  return tree;
}

static void words_unlink(Arena *arena, const char *dir, const Words *names) {
  for (int i = 0; i < names->len; i++) unlink(arena_printf(arena, "%s/%s", dir, names->at[i]));
}

void tree_remove(const char *dir) {
  Arena *arena = arena_new();
  Tree tree = tree_list(arena, dir);
  words_unlink(arena, dir, &tree.files);
  words_unlink(arena, dir, &tree.links);
  words_unlink(arena, dir, &tree.others);
  for (int i = tree.folders.len; i-- > 0;)
    rmdir(arena_printf(arena, "%s/%s", dir, tree.folders.at[i]));
  rmdir(dir);
  arena_free(arena);
}

void folders_make(Arena *arena, const char *path) {
  char *copy = arena_strdup(arena, path);
  for (char *slash = copy; slash; slash = strchr(slash, '/')) {
    if (slash > copy) {
      *slash = 0;
      if (mkdir(copy, 0777) != 0 && errno != EEXIST)
        fail_io("cannot make the folder '%s': %s", copy, strerror(errno));
      *slash = '/';
    }
    slash++;
  }
  if (mkdir(copy, 0777) != 0 && errno != EEXIST)
    fail_io("cannot make the folder '%s': %s", copy, strerror(errno));
}
