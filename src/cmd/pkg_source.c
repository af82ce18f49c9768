// Where packages come from: a folder of mirrors, DIR/HOST/USER/REPO, or https://HOST/USER/REPO.
// A git repository is cloned once per run into a temporary folder, and versions are its tags
// vX.Y.Z; a plain folder among the mirrors serves every version.
#include "packages.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GIT_SECONDS = 600, GIT_WORDS = 16 };

// ---- git
// No prompts (a missing repository asks for a password otherwise), dates in UTC, symbolic links
// of a repository as plain files: nothing in it can lead out of the clone.
static ProcessResult git_run(PkgTool *t, const char *const *words) {
  static const char *const before[] = {
      "/usr/bin/env", "-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "-u", "GIT_INDEX_FILE",
      "GIT_TERMINAL_PROMPT=0", "TZ=UTC", "git", "-c", "core.symlinks=false",
      "-c", "advice.detachedHead=false"};
  const char *argv[COUNT_OF(before) + GIT_WORDS + 1];
  int n = 0;
  for (; n < COUNT_OF(before); n++) argv[n] = before[n];
  if (t->verbose) fprintf(stderr, "git");
  for (; *words; words++) {
    argv[n++] = *words;
    if (t->verbose) fprintf(stderr, " %s", *words);
  }
  argv[n] = NULL;
  if (t->verbose) fprintf(stderr, "\n");
  return process_run(t->arena, argv, "", 0, GIT_SECONDS);
}

// The first line of what git printed; NULL: it failed.
static const char *git_line(PkgTool *t, const Repository *r, const char *const *words) {
  const char *argv[GIT_WORDS + 1] = {"-C", r->folder};
  for (int i = 0; words[i]; i++) argv[i + 2] = words[i];
  ProcessResult result = git_run(t, argv);
  return result.status == 0 ? arena_strndup(t->arena, result.out, strcspn(result.out, "\n")) : NULL;
}

// ---- opening
static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_git(Arena *arena, const char *dir) {
  bool bare = is_folder(arena_printf(arena, "%s/objects", dir)) &&
              access(arena_printf(arena, "%s/HEAD", dir), F_OK) == 0;
  return bare || access(arena_printf(arena, "%s/.git", dir), F_OK) == 0;
}

// The one of several lines that names the error.
static const char *git_error(Arena *arena, const char *text) {
  const char *fatal = strstr(text, "fatal: ");
  if (fatal) text = fatal + strlen("fatal: ");
  size_t n = strcspn(text, "\n");
  while (n > 0 && text[n - 1] == '.') n--;
  return arena_strndup(arena, text, n);
}

static void repository_clone(PkgTool *t, Repository *r, const char *from) {
  const char *to = arena_printf(t->arena, "%s/%d", t->temp, t->repositories.len);
  const char *const words[] = {"clone", "-q", "--no-checkout", "--", from, to, NULL};
  ProcessResult result = git_run(t, words);
  if (result.status == 0) {
    r->folder = to;
    r->git = true;
  } else if (result.status == 127) {
    r->problem = "git is not installed";
  } else {
    r->problem = arena_printf(t->arena, "git clone %s: %s", from,
                              git_error(t->arena, result.error));
  }
}

static void repository_find(PkgTool *t, Repository *r, const char *path) {
  if (!t->mirror) {
    repository_clone(t, r, arena_printf(t->arena, "https://%s", r->path));
    return;
  }
  // A plain folder may be of one major version.
  const char *own = arena_printf(t->arena, "%s/%s", t->mirror, path);
  const char *all = arena_printf(t->arena, "%s/%s", t->mirror, r->path);
  const char *bare = arena_printf(t->arena, "%s.git", all);
  const char *dir = is_folder(own) ? own : is_folder(all) ? all : is_folder(bare) ? bare : NULL;
  if (!dir) r->problem = arena_printf(t->arena, "there is no folder '%s'", all);
  else if (is_git(t->arena, dir)) repository_clone(t, r, dir);
  else r->folder = dir;
}

Repository *repository_open(PkgTool *t, const char *path) {
  int64_t major;
  const char *base = pkg_repository(t->arena, path, &major);
  for (int i = 0; i < t->repositories.len; i++) {
    Repository *r = t->repositories.at[i];
    if (strcmp(r->path, r->git || r->problem ? base : path) == 0) return r;
  }
  Repository *r = NEW(t->arena, Repository);
  r->path = base;
  repository_find(t, r, path);
  if (r->folder && !r->git) r->path = path;
  list_push(t->arena, &t->repositories, r);
  return r;
}

_Noreturn void repository_fail(const Repository *r, const char *path) {
  fail_io("package %s cannot be fetched: %s.\n"
          "Copy its repository to DIR/%s and say --mirror DIR (or set DAGAZ_PKG_MIRROR), or put "
          "the files of the package in lib/%s.",
          path, r->problem, r->path, path);
}

// ---- versions
static void version_insert(Arena *arena, VersionList *list, Version v) {
  list_push(arena, list, v);
  for (int i = list->len - 1; i > 0 && version_compare(&list->at[i - 1], &list->at[i]) > 0; i--) {
    Version other = list->at[i];
    list->at[i] = list->at[i - 1];
    list->at[i - 1] = other;
  }
}

static bool of_major(const Version *v, int64_t major) {
  return major < 0 ? v->major <= 1 : v->major == major;
}

VersionList package_versions(PkgTool *t, const char *path) {
  Repository *r = repository_open(t, path);
  VersionList list = {0};
  if (!r->folder) repository_fail(r, path);
  if (!r->git) return list;
  int64_t major;
  pkg_repository(t->arena, path, &major);
  const char *const words[] = {"-C", r->folder, "tag", NULL};
  ProcessResult tags = git_run(t, words);
  for (const char *at = tags.out; *at; at += strcspn(at, "\n"), at += *at == '\n') {
    Version v;
    size_t n = strcspn(at, "\n");
    if (*at == 'v' && version_parse(t->arena, at + 1, n - 1, &v) && !v.commit &&
        of_major(&v, major))
      version_insert(t->arena, &list, v);
  }
  return list;
}

Version repository_head(PkgTool *t, const Repository *r) {
  const char *const time[] = {"log", "-1", "--format=%cd", "--date=format-local:%Y%m%d%H%M%S",
                              NULL};
  const char *const hash[] = {"rev-parse", "--verify", "-q", "HEAD", NULL};
  const char *stamp = git_line(t, r, time), *commit = git_line(t, r, hash);
  Version v;
  const char *text = stamp && commit ? arena_printf(t->arena, "0.0.0-%s+%s", stamp, commit) : "";
  if (!version_parse(t->arena, text, strlen(text), &v))
    fail_io("the repository of %s has no commits", r->path);
  return v;
}

const char *package_commit(PkgTool *t, const char *path, const Version *v) {
  Repository *r = repository_open(t, path);
  if (!r->git) return NULL;
  int64_t major;
  pkg_repository(t->arena, path, &major);
  if (!v->commit && !of_major(v, major)) return NULL;
  const char *name = v->commit ? arena_printf(t->arena, "%s^{commit}", v->commit)
                               : arena_printf(t->arena, "refs/tags/v%s^{commit}",
                                              version_text(t->arena, v));
  const char *const words[] = {"rev-parse", "--verify", "-q", name, NULL};
  return git_line(t, r, words);
}

static _Noreturn void version_fail(PkgTool *t, const Requirement *r) {
  VersionList known = package_versions(t, r->path);
  Text text = {0};
  for (int i = 0; i < known.len; i++) {
    text_puts(&text, i ? ", " : "");
    version_print(&text, &known.at[i]);
  }
  int64_t major;
  const char *base = pkg_repository(t->arena, r->path, &major);
  const char *version = version_text(t->arena, &r->version);
  const char *names = arena_strdup(t->arena, text.at ? text.at : "none");
  text_free(&text);
  const char *hint = "";
  if (!of_major(&r->version, major) && r->version.major > 1)
    hint = arena_printf(t->arena, "\nFor major version %lld, use package path %s@%lld",
                        (long long)r->version.major, base, (long long)r->version.major);
  fail_io("package %s does not have a version %s.\nKnown versions: %s%s", r->path, version, names,
          hint);
}

// ---- files
const char *package_folder(PkgTool *t, const Requirement *r) {
  Repository *repository = repository_open(t, r->path);
  if (!repository->folder) repository_fail(repository, r->path);
  if (!repository->git) return repository->folder;
  const char *commit = package_commit(t, r->path, &r->version);
  if (!commit) version_fail(t, r);
  if (r->hash && strcmp(commit, r->hash) != 0)
    fail_io("package %s %s has commit hash %s, but futhark.pkg expects %s", r->path,
            version_text(t->arena, &r->version), commit, r->hash);
  const char *const words[] = {"checkout", "-q", "-f", commit, "--", NULL};
  if (!git_line(t, repository, words))
    fail_io("cannot check out %s %s", r->path, version_text(t->arena, &r->version));
  return repository->folder;
}

static void line_show(const char *text, size_t len, const ManifestError *e) {
  const char *at = text;
  for (int line = 1; line < e->line; line++) at += strcspn(at, "\n") + 1;
  size_t n = at <= text + len ? strcspn(at, "\n") : 0;
  if (n > 100 || (size_t)e->column > n + 1) return;
  fprintf(stderr, "%5d | %.*s\n      | %*s\n", e->line, (int)n, at, e->column, "^");
}

Manifest manifest_read(Arena *arena, const char *path, const char *text, size_t len) {
  Manifest m;
  ManifestError error;
  if (manifest_parse(arena, text, len, &m, &error)) return m;
  fprintf(stderr, "Error at %s:%d:%d: %s.\n", path, error.line, error.column, error.message);
  line_show(text, len, &error);
  stop_now(STATUS_USER_ERROR);
}

const Manifest *package_manifest(PkgTool *t, const Requirement *r) {
  const char *folder = package_folder(t, r);
  const char *path = arena_printf(t->arena, "%s/futhark.pkg", folder);
  const char *name = arena_printf(t->arena, "%s/futhark.pkg of version %s", r->path,
                                  version_text(t->arena, &r->version));
  size_t len;
  const char *text = file_read(t->arena, path, &len);
  if (!text) fail_io("cannot read %s: %s", name, strerror(errno));
  Manifest *m = NEW(t->arena, Manifest);
  *m = manifest_read(t->arena, name, text, len);
  if (!m->path) fail_io("%s does not name the package's path", name);
  return m;
}
