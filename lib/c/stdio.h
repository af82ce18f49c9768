// Printing and reading.
#pragma once
#include <stddef.h>
#define EOF (-1)
typedef struct _IO_FILE FILE;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
int printf(const char *format, ...);
int fprintf(FILE *to, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
int scanf(const char *format, ...);
int fscanf(FILE *from, const char *format, ...);
int sscanf(const char *from, const char *format, ...);
int puts(const char *s);
int putchar(int c);
int fputs(const char *s, FILE *to);
int fputc(int c, FILE *to);
int putc(int c, FILE *to);
int fflush(FILE *to);
void perror(const char *s);
char *fgets(char *to, int size, FILE *from);
size_t fread(void *to, size_t size, size_t count, FILE *from);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
