// Memory, integers, leaving.
#pragma once
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *at, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void free(void *at);
int abs(int x);
long labs(long x);
long long llabs(long long x);
int atoi(const char *text);
double atof(const char *text);
_Noreturn void abort(void);
_Noreturn void exit(int status);
_Noreturn void _Exit(int status);
int rand(void);
void srand(unsigned seed);
long random(void);
void srandom(unsigned seed);
double drand48(void);
void srand48(long seed);
void qsort(void *at, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *at, size_t count, size_t size,
              int (*compare)(const void *, const void *));
