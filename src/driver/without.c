// The optional parts of compilation, one row each by name: optimisations inside passes
// (core/switch.def), then whole passes.
#include "driver.h"
#include <string.h>

static const Pass *optional_pass(int n) {
  for (const Pass *pass = passes; pass->name; pass++)
    if (pass->optional && n-- == 0) return pass;
  return NULL;
}

WithoutRow without_row(int i) {
  if (i < SWITCH_COUNT)
    return (WithoutRow){switch_info[i].name, switch_info[i].former, switch_info[i].help, false};
  const Pass *pass = optional_pass(i - SWITCH_COUNT);
  return pass ? (WithoutRow){pass->name, NULL, pass->help, pass->imp != NULL}
              : (WithoutRow){NULL, NULL, NULL, false};
}

static uint64_t pass_bit(int i) {
  return UINT64_C(1) << (optional_pass(i - SWITCH_COUNT) - passes);
}

static void row_leave_out(Session *s, int i) {
  if (i < SWITCH_COUNT) s->switches.off |= UINT64_C(1) << i;
  else s->passes_off |= pass_bit(i);
}

int without_named(const char *name) {
  for (int i = 0; without_row(i).name; i++) {
    const WithoutRow row = without_row(i);
    if (strcmp(row.name, name) == 0 || (row.former && strcmp(row.former, name) == 0)) return i;
  }
  const char *present = pass_present_name(name);
  return strcmp(present, name) == 0 ? -1 : without_named(present);
}

bool session_without(Session *s, const char *names) {
  char *copy = arena_strdup(s->arena, names), *rest = NULL;
  for (char *name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
    int i = without_named(name);
    if (i < 0) return false;
    row_leave_out(s, i);
  }
  return true;
}

void session_with_all(Session *s) { s->switches.off = s->passes_off = 0; }

bool session_tried(const Session *s, int i) {
  if (i < SWITCH_COUNT) return s->switches.asked >> i & 1;
  return (s->passes_run & pass_bit(i)) != 0;
}

void session_forget_tried(Session *s) { s->switches.asked = s->passes_run = 0; }
