// pkg: the package manifest `futhark.pkg`, versions of packages, and the choice among them.
#ifndef PKG_H
#define PKG_H
#include "base/base.h"

// ---- version.c
// A release X.Y.Z, or one commit of a package that has none: 0.0.0-YYYYMMDDhhmmss+COMMIT.
typedef struct {
  int64_t major, minor, patch;
  int64_t stamp;       // of a commit
  const char *commit;  // NULL: a release
} Version;
enum { VERSION_DIGITS = 18 };  // of each number, at most
// The whole of text[0..len); false: it is no version.
bool version_parse(Arena *arena, const char *text, size_t len, Version *out);
// Negative, 0 or positive.  A commit comes before the release of the same numbers.
int version_compare(const Version *a, const Version *b);
void version_print(Text *out, const Version *v);
const char *version_text(Arena *arena, const Version *v);

// ---- manifest.c
typedef struct {
  const char *path;
  Version version;   // the oldest acceptable one
  const char *hash;  // of the commit, in hexadecimal digits; NULL: not given
} Requirement;
// A line of the list: a comment, or (comment NULL) a requirement.
typedef struct {
  const char *comment;
  Requirement required;
} ManifestEntry;
typedef LIST(const char *) CommentList;
typedef struct {
  const char *path;    // of the package itself; NULL: a program that uses packages
  CommentList head;    // before the first word
  CommentList between; // after the package's path
  LIST(ManifestEntry) entries;
  CommentList tail;
} Manifest;
typedef struct {
  int line, column;     // from 1
  const char *message;  // NULL: none
} ManifestError;
enum { MANIFEST_BYTES = 1 << 20, MANIFEST_ENTRIES = 10000, PKG_PATH_BYTES = 500 };

// Manifests are not trusted: sizes have bounds and paths stay inside the folder they name.
bool manifest_parse(Arena *arena, const char *text, size_t len, Manifest *out,
                    ManifestError *error);
void manifest_print(Text *out, const Manifest *m);
// The requirement of a package; NULL: there is none.
Requirement *manifest_find(const Manifest *m, const char *path);
// HOST/USER/REPO or HOST/USER/REPO@MAJOR: words between slashes, none of them empty, "." or "..".
bool pkg_path_valid(const char *path, size_t len);
// The path of the repository, without the major version, and that version (-1: 0 or 1).
const char *pkg_repository(Arena *arena, const char *path, int64_t *major);

// ---- solve.c
// Minimal version selection: of each package the oldest version that all who require it accept,
// which is the greatest of the versions named.
typedef struct {
  Requirement required;
  bool vendored;  // its manifest is not known
} ChosenPackage;
typedef LIST(ChosenPackage) ChosenList;
typedef struct {
  Arena *arena;
  // The manifest of a package at a version; NULL: not known (the package is a leaf).
  const Manifest *(*manifest)(void *state, const Requirement *r);
  void *state;
} Solver;
// In order of path.  own: the path of the package itself (NULL: none), which nothing provides.
ChosenList packages_choose(const Solver *solver, const Manifest *root);
#endif
