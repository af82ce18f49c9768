// dagaz pkg: the manifest futhark.pkg and the packages in lib/.
#include "packages.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static const char manifest_file[] = "futhark.pkg";

// ---- the manifest on disk
static Manifest manifest_load(PkgTool *t) {
  size_t len;
  const char *text = file_read(t->arena, manifest_file, &len);
  if (text) return manifest_read(t->arena, manifest_file, text, len);
  if (errno != ENOENT) fail_io("cannot read '%s': %s", manifest_file, strerror(errno));
  fprintf(stderr, "%s not found - pretending it's empty.\n", manifest_file);
  return (Manifest){0};
}

static void manifest_save(const Manifest *m) {
  Text text = {0};
  manifest_print(&text, m);
  bool ok = file_replace(manifest_file, text.at, text.len, DURABLE);
  int failed = errno;
  text_free(&text);
  if (!ok) fail_io("cannot write '%s': %s", manifest_file, strerror(failed));
}

static void path_check(const char *path) {
  if (!pkg_path_valid(path, strlen(path)))
    fail_io("'%s' is no package path; one has the form github.com/user/repo", path);
}

static bool is_vendored(Arena *arena, const char *path) {
  return access(arena_printf(arena, "lib/%s", path), F_OK) == 0;
}

// ---- the choice of versions
static const Manifest *manifest_of(void *state, const Requirement *r) {
  PkgTool *t = state;
  Repository *repository = repository_open(t, r->path);
  if (repository->folder) return package_manifest(t, r);
  if (!is_vendored(t->arena, r->path)) repository_fail(repository, r->path);
  return NULL;
}

static ChosenList choose(PkgTool *t, const Manifest *m) {
  Solver solver = {t->arena, manifest_of, t};
  return packages_choose(&solver, m);
}

// ---- subcommands
static int pkg_init(PkgTool *t, const Words *args) {
  const char *path = args->at[0];
  if (access(manifest_file, F_OK) == 0) fail_io("%s already exists", manifest_file);
  path_check(path);
  const char *dir = arena_printf(t->arena, "lib/%s", path);
  folders_make(t->arena, dir);
  printf("Created directory %s.\n", dir);
  Manifest m = {.path = path};
  manifest_save(&m);
  printf("Wrote %s.\n", manifest_file);
  return STATUS_OK;
}

// The newest release, or the newest commit where there is none.
static Version newest(PkgTool *t, const char *path) {
  Repository *r = repository_open(t, path);
  if (!r->folder) repository_fail(r, path);
  if (!r->git)
    fail_io("'%s' is a plain folder, whose versions are not known: name a version, as in "
            "`dagaz pkg add %s 1.0.0`", r->folder, path);
  VersionList known = package_versions(t, path);
  return known.len ? known.at[known.len - 1] : repository_head(t, r);
}

static Requirement wanted(PkgTool *t, const Words *args) {
  Requirement r = {.path = args->at[0]};
  path_check(r.path);
  if (args->len == 1) r.version = newest(t, r.path);
  else if (!version_parse(t->arena, args->at[1], strlen(args->at[1]), &r.version))
    fail_io("'%s' is no version; one has the form 1.2.3", args->at[1]);
  Repository *repository = repository_open(t, r.path);
  if (repository->folder) package_folder(t, &r);  // or it leaves
  else if (!is_vendored(t->arena, r.path)) repository_fail(repository, r.path);
  if (!r.version.commit) r.hash = package_commit(t, r.path, &r.version);
  return r;
}

static int pkg_add(PkgTool *t, const Words *args) {
  Manifest m = manifest_load(t);
  Requirement r = wanted(t, args), *old = manifest_find(&m, r.path);
  const char *version = version_text(t->arena, &r.version);
  if (!old) {
    list_push(t->arena, &m.entries, (ManifestEntry){.required = r});
    printf("Added new required package %s %s.\n", r.path, version);
  } else if (strcmp(version_text(t->arena, &old->version), version) == 0) {
    printf("Package already at version %s; nothing to do.\n", version);
  } else {
    printf("Replaced %s %s => %s.\n", r.path, version_text(t->arena, &old->version), version);
    *old = r;
  }
  manifest_save(&m);
  printf("Remember to run 'dagaz pkg sync'.\n");
  return STATUS_OK;
}

static int pkg_remove(PkgTool *t, const Words *args) {
  Manifest m = manifest_load(t);
  const char *path = args->at[0];
  const Requirement *old = manifest_find(&m, path);
  if (!old) fail_io("no package %s found in %s", path, manifest_file);
  printf("Removed %s %s.\n", path, version_text(t->arena, &old->version));
  int kept = 0;
  for (int i = 0; i < m.entries.len; i++) {
    const ManifestEntry e = m.entries.at[i];
    if (e.comment || strcmp(e.required.path, path) != 0) m.entries.at[kept++] = e;
  }
  m.entries.len = kept;
  manifest_save(&m);
  return STATUS_OK;
}

static bool own_has_programs(PkgTool *t, const char *path) {
  Tree tree = tree_list(t->arena, arena_printf(t->arena, "lib/%s", path));
  for (int i = 0; i < tree.files.len; i++) {
    size_t n = strlen(tree.files.at[i]);
    if (n > 4 && strcmp(tree.files.at[i] + n - 4, ".fut") == 0) return true;
  }
  return false;
}

static int pkg_check(PkgTool *t, const Words *args) {
  (void)args;
  Manifest m = manifest_load(t);
  ChosenList chosen = choose(t, &m);
  printf("Dependencies chosen:\n");
  for (int i = 0; i < chosen.len; i++)
    printf("%s => %s%s\n", chosen.at[i].required.path,
           version_text(t->arena, &chosen.at[i].required.version),
           chosen.at[i].vendored ? " (in lib/; cannot be fetched, so not verified)" : "");
  if (!m.path || own_has_programs(t, m.path)) return STATUS_OK;
  printf("Problem: the directory lib/%s does not contain any .fut files.\n", m.path);
  return STATUS_IO;
}

static int pkg_sync(PkgTool *t, const Words *args) {
  (void)args;
  Manifest m = manifest_load(t);
  ChosenList chosen = choose(t, &m);
  for (int i = 0; i < chosen.len; i++) {
    const char *path = chosen.at[i].required.path;
    if (chosen.at[i].vendored)
      fprintf(stderr, "dagaz: lib/%s stays as it is: %s\n", path,
              repository_open(t, path)->problem);
  }
  lib_replace(t, m.path, &chosen);
  return STATUS_OK;
}

static bool requirement_upgrade(PkgTool *t, Requirement *r) {
  Repository *repository = repository_open(t, r->path);
  if (repository->folder && !repository->git) return false;
  VersionList known = package_versions(t, r->path);
  if (!known.len) return false;
  Requirement new = {.path = r->path, .version = known.at[known.len - 1]};
  if (version_compare(&new.version, &r->version) <= 0) return false;
  new.hash = package_commit(t, r->path, &new.version);
  printf("Upgraded %s %s => %s.\n", r->path, version_text(t->arena, &r->version),
         version_text(t->arena, &new.version));
  *r = new;
  return true;
}

static int pkg_upgrade(PkgTool *t, const Words *args) {
  (void)args;
  Manifest m = manifest_load(t);
  bool any = false;
  for (int i = 0; i < m.entries.len; i++)
    if (!m.entries.at[i].comment) any |= requirement_upgrade(t, &m.entries.at[i].required);
  if (any) manifest_save(&m);
  printf(any ? "Remember to run 'dagaz pkg sync'.\n" : "Nothing to upgrade.\n");
  return STATUS_OK;
}

static int pkg_versions(PkgTool *t, const Words *args) {
  path_check(args->at[0]);
  VersionList known = package_versions(t, args->at[0]);
  for (int i = 0; i < known.len; i++) printf("%s\n", version_text(t->arena, &known.at[i]));
  return STATUS_OK;
}

static int pkg_fmt(PkgTool *t, const Words *args) {
  (void)args;
  if (access(manifest_file, F_OK) != 0) return STATUS_OK;
  Manifest m = manifest_load(t);
  manifest_save(&m);
  return STATUS_OK;
}

typedef struct {
  const char *name, *args, *help;
  int fewest, most;
  int (*run)(PkgTool *t, const Words *args);
} Subcommand;
static const Subcommand subcommands[] = {
    {"add", "PKGPATH [X.Y.Z]", "require a package (its newest version)", 1, 2, pkg_add},
    {"check", "", "check that all requirements can be met", 0, 0, pkg_check},
    {"init", "PKGPATH", "begin a package: futhark.pkg and its folder", 1, 1, pkg_init},
    {"fmt", "", "lay out futhark.pkg", 0, 0, pkg_fmt},
    {"sync", "", "make lib/ hold the required packages", 0, 0, pkg_sync},
    {"remove", "PKGPATH", "no longer require a package", 1, 1, pkg_remove},
    {"upgrade", "", "require the newest versions", 0, 0, pkg_upgrade},
    {"versions", "PKGPATH", "list the versions of a package", 1, 1, pkg_versions}};

static int usage(void) {
  fprintf(stderr, "usage: dagaz pkg COMMAND [--mirror DIR] [-v]\n\nCommands:\n");
  for (int i = 0; i < COUNT_OF(subcommands); i++) {
    const Subcommand *c = &subcommands[i];
    fprintf(stderr, "  %-8s %-17s %s\n", c->name, c->args, c->help);
  }
  return STATUS_IO;
}

static const Subcommand *subcommand_find(const Words *words) {
  for (int i = 0; words->len && i < COUNT_OF(subcommands); i++)
    if (strcmp(subcommands[i].name, words->at[0]) == 0) return &subcommands[i];
  return NULL;
}

static const char *absolute(Arena *arena, const char *path) {
  char *dir = *path == '/' ? NULL : getcwd(arena_alloc(arena, 4096), 4096);
  return dir ? arena_printf(arena, "%s/%s", dir, path) : path;
}

// Clones are removed however the subcommand ends.
static int subcommand_run(PkgTool *t, const Subcommand *c, const Words *args) {
  Stop stop;
  int status;
  t->temp = temporary_dir(t->arena);
  if (!t->temp) fail_io("cannot make a temporary folder: %s", strerror(errno));
  if (stop_arm(&stop)) {
    status = c->run(t, args);
    stop_pop(&stop);
  } else {
    status = stop.status;
  }
  tree_remove(t->temp);
  return status;
}

int cmd_pkg(int argc, char **argv) {
  Arena *arena = arena_new();
  PkgTool tool = {.arena = arena, .mirror = getenv("DAGAZ_PKG_MIRROR")};
  Words words = {0};
  bool help;
  const ArgRow rows[] = {
      {"mirror", 0, ARG_TEXT, &tool.mirror,
       "take packages from DIR/HOST/USER/REPO (a git repository or a plain folder), not from the "
       "network; $DAGAZ_PKG_MIRROR"},
      {"verbose", 'v', ARG_FLAG, &tool.verbose, "print the calls of git and the files copied"},
      {0}};
  int status = STATUS_IO;
  if (args_parse(arena, rows, argc, argv, &words, &help) && !help) {
    const Subcommand *c = subcommand_find(&words);
    Words args = {words.at + 1, words.len - 1, words.len - 1};
    if (tool.mirror && *tool.mirror) tool.mirror = absolute(arena, tool.mirror);
    else tool.mirror = NULL;
    if (!c) status = usage();
    else if (args.len >= c->fewest && args.len <= c->most) status = subcommand_run(&tool, c, &args);
    else fprintf(stderr, "usage: dagaz pkg %s %s\n", c->name, c->args);
  } else if (help) {
    status = STATUS_OK;
  }
  arena_free(arena);
  return status;
}
