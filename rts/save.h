// save: a file that takes the place of another when it is whole.  The bytes go to a file beside it;
// dz_save_end brings them to the disk and renames, so a full disk or a signal leaves the old file.
// Devices, pipes, hard links and files whose folder or owner is not ours are written in place; so
// are empty files, which have nothing to lose and which their makers may have open (futhark-server).
#ifndef DZ_SAVE_H
#define DZ_SAVE_H
#include "ctx.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct DzSave {
  FILE *file;          // to write to
  char *target, *temp;  // NULL: written in place
} DzSave;

DZ_FN void dz_save_forget(DzSave *s) {
  if (s->temp != NULL) unlink(s->temp);
  free(s->target);
  free(s->temp);
  s->target = s->temp = NULL;
}

// The file beside the target, with the mode and owner of the old one (NULL: there is none).
DZ_FN FILE *dz_save_beside(DzSave *s, const struct stat *old) {
  const char *slash = strrchr(s->target, '/');
  int folder = slash != NULL ? (int)(slash - s->target) + 1 : 0;
  size_t room = (size_t)folder + 40;
  s->temp = (char *)malloc(room);
  if (s->temp == NULL) return NULL;
  snprintf(s->temp, room, "%.*s.store-%ld", folder, s->target, (long)getpid());
  int fd = open(s->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  struct stat st;
  if (fd < 0) {
    free(s->temp);
    s->temp = NULL;
    return NULL;
  }
  bool kept = old == NULL || (fstat(fd, &st) == 0 &&
              ((st.st_uid == old->st_uid && st.st_gid == old->st_gid) ||
               fchown(fd, old->st_uid, old->st_gid) == 0) &&
              fchmod(fd, old->st_mode & 07777) == 0);
  FILE *f = kept ? fdopen(fd, "wb") : NULL;
  if (f == NULL) close(fd);
  return f;
}

// False with errno set where the file cannot be opened.
DZ_FN bool dz_save_begin(DzSave *s, const char *path) {
  struct stat st;
  bool exists = stat(path, &st) == 0, link = !exists && lstat(path, &st) == 0;
  *s = (DzSave){0};
  if (exists && access(path, W_OK) != 0) return false;
  if (!link && (!exists || (S_ISREG(st.st_mode) && st.st_nlink == 1 && st.st_size > 0))) {
    s->target = exists ? realpath(path, NULL) : strdup(path);
    if (s->target != NULL) s->file = dz_save_beside(s, exists ? &st : NULL);
    if (s->file == NULL) dz_save_forget(s);
  }
  if (s->file == NULL) s->file = fopen(path, "wb");
  return s->file != NULL;
}

// Whether all is written and in its place; ok: whether the writing went well.
DZ_FN bool dz_save_end(DzSave *s, bool ok) {
  ok = fflush(s->file) == 0 && ok;
  if (ok && s->temp != NULL) ok = fsync(fileno(s->file)) == 0;
  ok = fclose(s->file) == 0 && ok;
  if (ok && s->temp != NULL) ok = rename(s->temp, s->target) == 0;
  if (ok) free(s->temp), s->temp = NULL;
  int failed = errno;
  dz_save_forget(s);
  errno = failed;
  return ok;
}
#endif
