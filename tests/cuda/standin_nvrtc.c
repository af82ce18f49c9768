// The stand-in of NVRTC: compiles the text of kernels with a C++ compiler for the processor
// (standin.h), so that the program's part of CUDA can be tested without a device.  Its code for a
// device is the shared object; its PTX is that in hexadecimal digits.
//
//   STANDIN_HEADER  (when it is compiled) where standin.h is
//   STANDIN_CXX     the compiler and its flags; else g++ -O1
//   STANDIN_REFUSE  the environment has it: every text is refused
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OK, INVALID_INPUT = 3, INVALID_PROGRAM = 4, INVALID_OPTION = 5, COMPILATION = 6 };
enum { MAGIC = 0x7c0de };
typedef struct {
  int magic;
  bool ptx;
  char *text, *log;
  unsigned char *code;
  size_t bytes;
} Program;

static void broken(const char *what) {
  fprintf(stderr, "stand-in of NVRTC: %s\n", what);
  abort();
}

static Program *program_of(void *p) {
  if (p == NULL || ((Program *)p)->magic != MAGIC) broken("that is no program");
  return p;
}

// ---- what it knows -----------------------------------------------------------------------------
static const int archs[] = {75, 80, 90};
int nvrtcGetNumSupportedArchs(int *count) {
  *count = (int)(sizeof archs / sizeof *archs);
  return OK;
}
int nvrtcGetSupportedArchs(int *out) {
  memcpy(out, archs, sizeof archs);
  return OK;
}
const char *nvrtcGetErrorString(int status) {
  return status == COMPILATION ? "STANDIN_ERROR_COMPILATION" : "STANDIN_ERROR";
}

// ---- programs ----------------------------------------------------------------------------------
int nvrtcCreateProgram(void **out, const char *text, const char *name, int headers,
                       const char *const *from, const char *const *names) {
  Program *p = calloc(1, sizeof *p);
  if (text == NULL || name == NULL || headers != 0 || from != NULL || names != NULL)
    return INVALID_INPUT;
  p->magic = MAGIC;
  p->text = strdup(text);
  p->log = strdup("");
  *out = p;
  return OK;
}

int nvrtcDestroyProgram(void **at) {
  Program *p = program_of(*at);
  p->magic = 0;
  free(p->text), free(p->log), free(p->code), free(p);
  *at = NULL;
  return OK;
}

// Multiplication and addition must stay separate: a program that does not ask for that is wrong.
static bool options_known(Program *p, int count, const char *const *options) {
  bool separate = false, known = false;
  for (int i = 0; i < count; i++) {
    int arch = 0;
    if (sscanf(options[i], "--gpu-architecture=sm_%d", &arch) == 1) p->ptx = false;
    else if (sscanf(options[i], "--gpu-architecture=compute_%d", &arch) == 1) p->ptx = true;
    else if (strcmp(options[i], "--fmad=false") == 0) separate = true;
    else if (strcmp(options[i], "-w") != 0) return false;
    for (size_t k = 0; k < sizeof archs / sizeof *archs; k++) known |= archs[k] == arch;
  }
  if (!separate) broken("the program lets multiplication and addition be one operation");
  return known;
}

static char *file_read(const char *path, size_t *bytes) {
  struct stat st;
  FILE *f = fopen(path, "rb");
  if (f == NULL || fstat(fileno(f), &st) != 0) broken("a file it wrote is not there");
  char *out = calloc((size_t)st.st_size + 1, 1);
  *bytes = fread(out, 1, (size_t)st.st_size, f);
  fclose(f);
  return out;
}

static void source_write(const char *path, const char *text) {
  static const char mark[] = "\nDZ_KERNEL(";
  FILE *f = fopen(path, "w");
  if (f == NULL) broken("cannot write a file");
  fprintf(f, "#include \"%s\"\n%s\n", STANDIN_HEADER, text);
  for (const char *at = text; (at = strstr(at, mark)) != NULL;) {
    at += sizeof mark - 1;
    fprintf(f, "STANDIN_SHIM(%.*s)\n", (int)strcspn(at, ")"), at);
  }
  fclose(f);
}

static int compile_in(Program *p, const char *dir) {
  char source[80], object[80], log[80], command[600];
  const char *cxx = getenv("STANDIN_CXX");
  size_t bytes;
  snprintf(source, sizeof source, "%s/k.cc", dir);
  snprintf(object, sizeof object, "%s/k.so", dir);
  snprintf(log, sizeof log, "%s/log", dir);
  source_write(source, p->text);
  snprintf(command, sizeof command,
           "%s -shared -fPIC -ffp-contract=off -w -o %s %s -lm > %s 2>&1",
           cxx != NULL ? cxx : "g++ -O1", object, source, log);
  const int status = system(command);
  free(p->log);
  p->log = file_read(log, &bytes);
  if (status == 0) p->code = (unsigned char *)file_read(object, &p->bytes);
  unlink(source), unlink(object), unlink(log);
  return status == 0 ? OK : COMPILATION;
}

int nvrtcCompileProgram(void *program, int count, const char *const *options) {
  Program *p = program_of(program);
  char dir[] = "/tmp/standin.XXXXXX";
  if (!options_known(p, count, options)) return INVALID_OPTION;
  if (getenv("STANDIN_REFUSE") != NULL) {
    free(p->log);
    p->log = strdup("kernels.cu(1): error: refused as asked");
    return COMPILATION;
  }
  if (mkdtemp(dir) == NULL) broken("cannot make a folder");
  const int status = compile_in(p, dir);
  rmdir(dir);
  return status;
}

int nvrtcGetProgramLogSize(void *program, size_t *bytes) {
  *bytes = strlen(program_of(program)->log) + 1;
  return OK;
}
int nvrtcGetProgramLog(void *program, char *out) {
  strcpy(out, program_of(program)->log);
  return OK;
}

// ---- code --------------------------------------------------------------------------------------
int nvrtcGetCUBINSize(void *program, size_t *bytes) {
  const Program *p = program_of(program);
  *bytes = p->ptx ? 0 : p->bytes;
  return p->code != NULL ? OK : INVALID_PROGRAM;
}
int nvrtcGetCUBIN(void *program, char *out) {
  const Program *p = program_of(program);
  if (p->ptx || p->code == NULL) return INVALID_PROGRAM;
  memcpy(out, p->code, p->bytes);
  return OK;
}
int nvrtcGetPTXSize(void *program, size_t *bytes) {
  const Program *p = program_of(program);
  *bytes = p->ptx ? 2 * p->bytes + 1 : 0;
  return p->code != NULL ? OK : INVALID_PROGRAM;
}
int nvrtcGetPTX(void *program, char *out) {
  const Program *p = program_of(program);
  if (!p->ptx || p->code == NULL) return INVALID_PROGRAM;
  for (size_t i = 0; i < p->bytes; i++) sprintf(out + 2 * i, "%02x", p->code[i]);
  return OK;
}
