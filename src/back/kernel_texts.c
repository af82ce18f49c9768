// How a program's kernels are divided into texts, each compiled when the first of its kernels runs.
// Kernels that the same entry points reach are together.  A text costs its length and K, what
// KERNEL_TEXT_BYTES says, for each entry point that reaches it, so sets of kernels are joined while
// that costs less:
//
//   |R| (a + K) + |S| (b + K) > |R or S| (a + b + K)
//
// for kernels of lengths a and b, reached by the entry points R and S.  No kernel is in two texts.
// A loop that has a kernel of groups has one without: a run needs one of them, so their texts are
// two.
#include <string.h>
#include "local.h"

// The work of any text, as for so many bytes of kernels: PoCL takes 0.9 s, and 1 s for 10
// to 20 KB; NVRTC 12 to 39 ms, and 1 s for 80 KB.
enum { KERNEL_TEXT_BYTES = 16384 };

typedef struct {
  uint64_t *roots;
  bool groups;
  size_t bytes;
  int into;  // the set that it has joined; its own number
} Set;
typedef struct {
  Arena *arena;
  int words;
  LIST(Set) sets;
} Sets;

static double count_of(const Sets *s, const uint64_t *a, const uint64_t *b) {
  int count = 0;
  for (int i = 0; i < s->words; i++) count += __builtin_popcountll(a[i] | b[i]);
  return count;
}

static double cost_of(const Sets *s, const Set *a, const Set *b) {
  const size_t bytes = a->bytes + (a == b ? 0 : b->bytes);
  return count_of(s, a->roots, b->roots) * (double)(bytes + KERNEL_TEXT_BYTES);
}

static int set_with(const Sets *s, const KernelText *k) {
  const size_t bytes = sizeof *k->roots * (size_t)s->words;
  for (int i = 0; i < s->sets.len; i++)
    if (s->sets.at[i].groups == k->groups && memcmp(s->sets.at[i].roots, k->roots, bytes) == 0)
      return i;
  return s->sets.len;
}

// The one that it pays most to join; i: none does.
static int partner(const Sets *s, int i) {
  const Set *a = &s->sets.at[i];
  double most = 0;
  int best = i;
  for (int j = 0; j < s->sets.len; j++) {
    const Set *b = &s->sets.at[j];
    if (j == i || b->into != j || b->groups != a->groups) continue;
    const double saved = cost_of(s, a, a) + cost_of(s, b, b) - cost_of(s, a, b);
    if (saved <= most) continue;
    most = saved;
    best = j;
  }
  return best;
}

// The later joins the one before.
static void join(Sets *s, int i, int j) {
  Set *to = &s->sets.at[i < j ? i : j], *from = &s->sets.at[i < j ? j : i];
  from->into = (int)(to - s->sets.at);
  to->bytes += from->bytes;
  for (int k = 0; k < s->words; k++) to->roots[k] |= from->roots[k];
}

static void join_all(Sets *s) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < s->sets.len; i++) {
      const int with = s->sets.at[i].into == i ? partner(s, i) : i;
      if (with != i) join(s, i, with);
      changed |= with != i;
    }
  }
}

static int home(const Sets *s, int i) {
  while (s->sets.at[i].into != i) i = s->sets.at[i].into;
  return i;
}

// Texts are in the order of their first kernels.
static int numbered(const Sets *s, int *text_of, int kernels) {
  int *number = NEW_ARRAY(s->arena, int, s->sets.len + 1), count = 0;
  for (int i = 0; i < kernels; i++) {
    const int at = home(s, text_of[i]);
    if (!number[at]) number[at] = ++count;
    text_of[i] = number[at] - 1;
  }
  return count;
}

int kernel_texts(const Kernels *all, int *text_of) {
  Arena *arena = all->prog->arena;
  const int words = all->roots.words;
  Sets s = {arena, words, {0}};
  for (int i = 0; i < all->kernels.len; i++) {
    const KernelText *k = all->kernels.at[i];
    const int at = text_of[i] = set_with(&s, k);
    if (at == s.sets.len)
      list_push(arena, &s.sets,
                (Set){arena_copy(arena, k->roots, sizeof *k->roots * (size_t)words), k->groups, 0,
                      at});
    s.sets.at[at].bytes += strlen(k->text);
  }
  join_all(&s);
  return numbered(&s, text_of, all->kernels.len);
}
