// wasi-libc has no setjmp; clang lowers calls of these two to WebAssembly exceptions (setjmp.c).
#ifndef PAGE_SETJMP_H
#define PAGE_SETJMP_H
typedef struct {
  void *words[8];
} jmp_buf[1];
int setjmp(jmp_buf at) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf at, int value);
#endif
