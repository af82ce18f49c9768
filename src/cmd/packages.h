// packages: what the subcommands of `dagaz pkg` share.
#ifndef PACKAGES_H
#define PACKAGES_H
#include "cmd.h"
#include "pkg/pkg.h"

typedef LIST(Version) VersionList;
typedef struct {
  const char *path;     // HOST/USER/REPO, without a major version
  const char *folder;   // of its files: a clone, or (git false) a plain folder; NULL: see problem
  bool git;
  const char *problem;  // why there is none
} Repository;
typedef struct {
  Arena *arena;
  bool verbose;
  const char *mirror;   // --mirror, $DAGAZ_PKG_MIRROR; NULL: the network
  const char *temp;     // for clones
  LIST(Repository *) repositories;
} PkgTool;

// ---- pkg_source.c: repositories
// The repository of a package, cloned the first time it is asked for.
Repository *repository_open(PkgTool *t, const char *path);
// Releases of the package (of its major version), oldest first.
VersionList package_versions(PkgTool *t, const char *path);
// The newest commit, as a version.
Version repository_head(PkgTool *t, const Repository *r);
// The hash of a version's commit; NULL: there is no such version, or a plain folder has no hashes.
const char *package_commit(PkgTool *t, const char *path, const Version *v);
// The folder with the files of a required version; leaves with a message when it does not exist or
// when its commit is not the one that the requirement names.
const char *package_folder(PkgTool *t, const Requirement *r);
// Its manifest; leaves when it has none or a wrong one.
const Manifest *package_manifest(PkgTool *t, const Requirement *r);
Manifest manifest_read(Arena *arena, const char *path, const char *text, size_t len);
// Leaves with what to do when a repository cannot be reached.
_Noreturn void repository_fail(const Repository *r, const char *path);

// ---- pkg_lib.c: the folder lib/
// Makes lib/ hold the packages.  Files that `sync` did not put there stay.
void lib_replace(PkgTool *t, const char *own, const ChosenList *chosen);

// ---- tree.c
// Below a folder, relative to it, in order of name.
typedef struct {
  Words files;    // regular
  Words links;    // symbolic
  Words folders;  // each before what it holds
  Words others;   // devices, pipes
} Tree;
Tree tree_list(Arena *arena, const char *dir);
void tree_remove(const char *dir);
void folders_make(Arena *arena, const char *path);  // with those above it; leaves on failure
#endif
