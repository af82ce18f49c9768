// What clang's lowering of setjmp (-wasm-enable-sjlj) calls.  A function that calls setjmp keeps a
// list of rows (which jmp_buf, which call of setjmp); longjmp throws an exception with the jmp_buf
// and the value, and every such function on the way asks whether the jmp_buf is in its list.  The
// names and the shapes are clang 14's to 17's; __wasm_setjmp and __wasm_setjmp_test are those since.
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  uint32_t id, label;
} Row;
typedef struct {
  void *env;
  int value;
} Thrown;
typedef struct {
  void *function;
  uint32_t label;
  Thrown thrown;
} Env;

static uint32_t newest, second_result;

void setTempRet0(uint32_t value);
uint32_t getTempRet0(void);
void *saveSetjmp(uint32_t *env, uint32_t label, Row *rows, uint32_t size);
uint32_t testSetjmp(uint32_t id, const Row *rows, uint32_t size);
_Noreturn void __wasm_longjmp(void *env, int value);
void __wasm_setjmp(Env *env, uint32_t label, void *function);
uint32_t __wasm_setjmp_test(const Env *env, const void *function);

void setTempRet0(uint32_t value) { second_result = value; }
uint32_t getTempRet0(void) { return second_result; }

// Results: the list, and its new size in second_result.  A row of zeros ends it.
void *saveSetjmp(uint32_t *env, uint32_t label, Row *rows, uint32_t size) {
  uint32_t n = 0;
  while (n < size && rows[n].id) n++;
  if (n + 1 >= size) {
    size = 2 * size + 2;
    rows = realloc(rows, (size + 1) * sizeof *rows);
    if (!rows) abort();
  }
  *env = ++newest;
  rows[n] = (Row){newest, label};
  rows[n + 1] = (Row){0, 0};
  second_result = size;
  return rows;
}

// 0: not in the list.
uint32_t testSetjmp(uint32_t id, const Row *rows, uint32_t size) {
  for (uint32_t i = 0; i < size && rows[i].id; i++)
    if (rows[i].id == id) return rows[i].label;
  return 0;
}

void __wasm_setjmp(Env *env, uint32_t label, void *function) {
  env->function = function;
  env->label = label;
}

uint32_t __wasm_setjmp_test(const Env *env, const void *function) {
  return env->function == function ? env->label : 0;
}

_Noreturn void __wasm_longjmp(void *env, int value) {
  static Thrown thrown;
  thrown = (Thrown){env, value ? value : 1};
  __builtin_wasm_throw(1, &thrown);
}
