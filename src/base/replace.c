// A user's file is replaced as a whole: the new bytes go to a file beside it, from there to the
// disk, and a rename puts them in place.  A full disk, a signal or a power failure leaves the old
// contents or the new, never a part.  (Waiting for the disk takes 10 to 20 ms, which is most of the
// time of `dagaz c --c-only`; generated text does without.)
//
// Mode and owner stay, a symbolic link stays a link, a file without write permission is refused.
// Where a second file cannot take the place of the first (hard links, a folder or an owner that
// is not ours), the room is reserved before the first old byte is overwritten.
#define _XOPEN_SOURCE 700  // realpath
#include "base.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool bytes_write(int fd, const char *s, size_t len) {
  while (len > 0) {
    ssize_t n = write(fd, s, len);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    s += n, len -= (size_t)n;
  }
  return true;
}

// A device or pipe cannot be synchronised and need not be.
static bool synchronised(int fd) { return fsync(fd) == 0 || errno == EINVAL || errno == EROFS; }

static bool finished(int fd, bool ok) {
  int failed = ok ? 0 : errno;
  if (close(fd) != 0 && ok) return false;
  errno = failed;
  return ok;
}

static bool room_reserve(int fd, size_t old, size_t len) {
#if defined(_POSIX_ADVISORY_INFO) && _POSIX_ADVISORY_INFO > 0
  int failed = len > old ? posix_fallocate(fd, 0, (off_t)len) : 0;
  if (failed == 0 || failed == EINVAL || failed == EOPNOTSUPP) return true;
  if (ftruncate(fd, (off_t)old) != 0) return false;
  errno = failed;
  return false;
#else
  (void)fd, (void)old, (void)len;
  return true;
#endif
}

static bool in_place(const char *path, size_t old, const char *s, size_t len) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  return finished(fd, room_reserve(fd, old, len) && bytes_write(fd, s, len) &&
                          ftruncate(fd, (off_t)len) == 0 && synchronised(fd));
}

// The length of the folder's part of a path, with its slash.
static int folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (int)(slash - path) + 1 : 0;
}

char *file_fresh(Arena *arena, const char *path) {
  static const char *const letters[] = {"", "a", "b", "c", "d", "e"};
  for (int i = 0; i < COUNT_OF(letters); i++) {
    char *name = arena_printf(arena, "%.*s.dagaz-%ld%s", folder_length(path), path, (long)getpid(),
                              letters[i]);
    if (access(name, F_OK) != 0) return name;
  }
  return NULL;
}

static bool owner_kept(int fd, const struct stat *old) {
  struct stat st;
  if (fstat(fd, &st) != 0) return false;
  bool same = st.st_uid == old->st_uid && st.st_gid == old->st_gid;
  return (same || fchown(fd, old->st_uid, old->st_gid) == 0) &&
         fchmod(fd, old->st_mode & 07777) == 0;
}

// The rename itself reaches the disk with the folder; a failure there loses no contents.
static void folder_synchronise(Arena *arena, const char *path) {
  int len = folder_length(path);
  int fd = open(len ? arena_strndup(arena, path, (size_t)len) : ".", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  synchronised(fd);
  close(fd);
}

typedef struct {
  const char *at;
  size_t len;
  Durability durability;
} Replacement;

// old: NULL for a new file.
static bool replaced(Arena *arena, const char *path, const struct stat *old, Replacement r) {
  size_t size = old ? (size_t)old->st_size : 0;
  const char *temp = file_fresh(arena, path);
  int fd = temp ? open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
  if (fd < 0)
    return old && (errno == EACCES || errno == EPERM) && in_place(path, size, r.at, r.len);
  if (old && !owner_kept(fd, old)) {
    close(fd), unlink(temp);
    return in_place(path, size, r.at, r.len);
  }
  bool made = r.durability == REMADE;
  if (finished(fd, bytes_write(fd, r.at, r.len) && (made || synchronised(fd))) &&
      rename(temp, path) == 0) {
    if (!made) folder_synchronise(arena, path);
    return true;
  }
  int failed = errno;
  unlink(temp);
  errno = failed;
  return false;
}

bool file_replace(const char *path, const char *s, size_t len, Durability durability) {
  struct stat st;
  bool exists = stat(path, &st) == 0, link = !exists && lstat(path, &st) == 0;
  if (link || (exists && !S_ISREG(st.st_mode))) return file_write(path, s, len);
  if (exists && access(path, W_OK) != 0) return false;
  if (exists && st.st_nlink > 1) return in_place(path, (size_t)st.st_size, s, len);
  char *real = exists ? realpath(path, NULL) : NULL;
  Arena *arena = arena_new();
  bool ok = replaced(arena, real ? real : path, exists ? &st : NULL,
                     (Replacement){s, len, durability});
  int failed = errno;
  arena_free(arena);
  free(real);
  errno = failed;
  return ok;
}
