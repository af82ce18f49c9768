// NumPy's file of several arrays (.npz): a ZIP archive of .npy files, stored or deflated.  The
// directory at the end says where each member is (with ZIP64's fields and end for large files);
// its sums of bytes (CRC-32) are compared.  Written without compression.
#include "local.h"
#include <string.h>

enum {
  END_LEN = 22, END_COMMENT = 65535, ENTRY_LEN = 46, LOCAL_LEN = 30, MOST_RATIO = 1040,
  STORED = 0, DEFLATED = 8, ENCRYPTED = 1, ZIP64_EXTRA = 1,
  LOCATOR_LEN = 20, WIDE_LEN = 56, IN_WIDE = 0xffff
};
static const uint32_t end_magic = 0x06054b50, entry_magic = 0x02014b50, local_magic = 0x04034b50,
                      wide_magic = 0x06064b50, locator_magic = 0x07064b50;
static const uint64_t in_extra = 0xffffffff;  // the field is in the ZIP64 extra field

static uint64_t le(const char *bytes, int n) {
  uint64_t value = 0;
  for (int i = 0; i < n; i++) value |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
  return value;
}

static uint32_t crc_of(const char *bytes, size_t len) {
  uint32_t table[256], crc = 0xffffffff;
  for (uint32_t i = 0; i < COUNT_OF(table); i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  for (; len > 0; len--) crc = table[(crc ^ (unsigned char)*bytes++) & 0xff] ^ (crc >> 8);
  return ~crc;
}

typedef struct {
  Arena *arena;
  const char **error;
  const char *bytes;
  size_t len;
} Zip;

static bool damaged(const Zip *z, const char *what) {
  return data_fail(z->arena, z->error, "this .npz file is damaged: %s", what);
}

static const char *end_find(const Zip *z) {
  for (size_t back = END_LEN; back <= z->len && back <= END_LEN + END_COMMENT; back++) {
    const char *at = z->bytes + z->len - back;
    if (le(at, 4) == end_magic && le(at + 20, 2) == back - END_LEN) return at;
  }
  return NULL;
}

// Sizes and place that do not fit 32 bits, in this order.
static void wide_read(const char *extra, size_t len, uint64_t *fields[3]) {
  while (len >= 4) {
    size_t n = le(extra + 2, 2);
    bool wide = le(extra, 2) == ZIP64_EXTRA;
    extra += 4, len -= 4;
    if (n > len) return;
    const char *at = extra;
    for (int i = 0; wide && i < 3; i++) {
      if (*fields[i] != in_extra || extra + n - at < 8) continue;
      *fields[i] = le(at, 8);
      at += 8;
    }
    extra += n, len -= n;
  }
}

// The bytes of the member, after its own header.
static bool bytes_find(const Zip *z, uint64_t place, NpzMember *m) {
  if (place > z->len || z->len - place < LOCAL_LEN) return damaged(z, "a member lies outside");
  const char *local = z->bytes + place;
  if (le(local, 4) != local_magic) return damaged(z, "a member does not begin where it should");
  size_t head = LOCAL_LEN + le(local + 26, 2) + le(local + 28, 2);
  if (z->len - place < head || z->len - place - head < m->len)
    return damaged(z, "a member ends early");
  m->bytes = local + head;
  return true;
}

static bool entry_read(const Zip *z, const char *at, size_t left, NpzMember *m, size_t *used) {
  if (left < ENTRY_LEN || le(at, 4) != entry_magic) return damaged(z, "its directory ends early");
  size_t name = le(at + 28, 2), extra = le(at + 30, 2), comment = le(at + 32, 2);
  *used = ENTRY_LEN + name + extra + comment;
  if (left < *used) return damaged(z, "its directory ends early");
  uint64_t len = le(at + 20, 4), whole = le(at + 24, 4), place = le(at + 42, 4);
  wide_read(at + ENTRY_LEN + name, extra, (uint64_t *[]){&whole, &len, &place});
  int method = (int)le(at + 10, 2);
  if (le(at + 8, 2) & ENCRYPTED) return data_fail(z->arena, z->error, "the members are encrypted");
  if (method != STORED && method != DEFLATED)
    return data_fail(z->arena, z->error, "a member is compressed by method %d", method);
  bool npy = name > 4 && memcmp(at + ENTRY_LEN + name - 4, ".npy", 4) == 0;
  *m = (NpzMember){.name = arena_strndup(z->arena, at + ENTRY_LEN, name - (npy ? 4 : 0)),
                   .len = len,
                   .whole = whole,
                   .crc = (uint32_t)le(at + 16, 4),
                   .deflated = method == DEFLATED};
  if (!m->deflated && len != whole) return damaged(z, "two sizes of one member differ");
  if (m->deflated && whole / MOST_RATIO > len) return damaged(z, "a size is impossible");
  return bytes_find(z, place, m);
}

// Where the directory is and how many entries it has: in the end record; what does not fit there is
// in the ZIP64 end record, whose place the locator before the end record says.
static bool directory_find(const Zip *z, const char *end, uint64_t *place, uint64_t *count) {
  *place = le(end + 16, 4), *count = le(end + 10, 2);
  if (*place != in_extra && *count != IN_WIDE) return true;
  size_t before = (size_t)(end - z->bytes);
  if (before < LOCATOR_LEN || le(end - LOCATOR_LEN, 4) != locator_magic) return true;
  uint64_t at = le(end - LOCATOR_LEN + 8, 8);
  before -= LOCATOR_LEN;
  if (at > before || before - at < WIDE_LEN || le(z->bytes + at, 4) != wide_magic)
    return damaged(z, "its ZIP64 end is not where it should be");
  *count = le(z->bytes + at + 32, 8), *place = le(z->bytes + at + 48, 8);
  return true;
}

bool npz_members(Arena *arena, const char *bytes, size_t len, NpzMembers *out,
                 const char **error) {
  Zip z = {arena, error, bytes, len};
  const char *end = end_find(&z);
  if (!end) return data_fail(arena, error, "this is no .npz file, or its end is missing");
  uint64_t place, count;
  if (!directory_find(&z, end, &place, &count)) return false;
  if (place > (uint64_t)(end - bytes)) return damaged(&z, "its directory lies outside");
  const char *at = bytes + place;
  for (uint64_t i = 0; i < count; i++) {
    NpzMember m;
    size_t used;
    if (!entry_read(&z, at, (size_t)(end - at), &m, &used)) return false;
    list_push(arena, out, m);
    at += used;
  }
  return true;
}

bool npz_read(Arena *arena, const NpzMember *m, Value *out, const char **error) {
  Text whole = {0};
  const char *bytes = m->bytes;
  size_t len = m->len;
  const char *problem = NULL;
  if (m->deflated) {
    problem = raw_inflate(m->bytes, m->len, m->whole, &whole);
    bytes = whole.at ? whole.at : "", len = whole.len;
  }
  bool good = true;
  if (problem) {
    good = data_fail(arena, error, "member '%s': %s", m->name, problem);
  } else if (len != m->whole || crc_of(bytes, len) != m->crc) {
    good = data_fail(arena, error, "member '%s' is damaged", m->name);
  } else if (!npy_read(arena, bytes, len, out, error)) {
    good = data_fail(arena, error, "member '%s': %s", m->name, *error);
  }
  text_free(&whole);
  return good;
}

// ---- writing -----------------------------------------------------------------------------------
static void put(Text *out, uint64_t value, int n) {
  for (int i = 0; i < n; i++) text_putc(out, (char)(value >> (8 * i)));
}

// Common to the header of a member and its entry in the directory: version to lengths.
static void fields_put(Text *out, const char *name, const Text *member) {
  put(out, 20, 2), put(out, 0, 2), put(out, STORED, 2);
  put(out, 0, 2), put(out, 0x21, 2);  // midnight, the first of January 1980
  put(out, crc_of(member->at, member->len), 4);
  put(out, member->len, 4), put(out, member->len, 4);
  put(out, strlen(name) + 4, 2), put(out, 0, 2);
}

void npz_write(Text *out, const char *const *names, const Value *values, int count) {
  Text directory = {0};
  for (int i = 0; i < count; i++) {
    Text member = {0};
    uint64_t place = out->len;
    npy_write(&member, &values[i]);
    if (out->len + member.len >= in_extra) fail_io("a .npz file of more than 4 GB: use .npy files");
    put(out, local_magic, 4), fields_put(out, names[i], &member);
    text_printf(out, "%s.npy", names[i]);
    text_write(out, member.at, member.len);
    put(&directory, entry_magic, 4), put(&directory, 20, 2);
    fields_put(&directory, names[i], &member);
    put(&directory, 0, 2), put(&directory, 0, 2), put(&directory, 0, 2), put(&directory, 0, 4);
    put(&directory, place, 4);
    text_printf(&directory, "%s.npy", names[i]);
    text_free(&member);
  }
  uint64_t place = out->len;
  text_write(out, directory.at, directory.len);
  put(out, end_magic, 4), put(out, 0, 4);
  put(out, (uint64_t)count, 2), put(out, (uint64_t)count, 2);
  put(out, directory.len, 4), put(out, place, 4), put(out, 0, 2);
  text_free(&directory);
}
