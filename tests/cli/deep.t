$ # Recursion deeper than the stack is an error with the place of the call, wherever the program runs.
$ printf '%s\n' 'def go (n: i64) : i64 = if n == 0 then 0 else 1 + go (n - 1)' 'entry main (n: i64) = go n' 'def tower (n: i64) (x: f64) : f64 = if n == 0 then x else f64.sin (tower (n - 1) x)' 'entry gradient (n: i64) = vjp (tower n) 1 1' 'entry tangent (n: i64) = jvp (tower n) 1 1' > go.fut
$ echo 50000 | dagaz run --interp -e main go.fut; echo 50000 | dagaz run -e main go.fut
50000i64
50000i64
$ echo 100000000 | dagaz run --interp -e main go.fut
Error: Calls nested deeper than the stack has room for.

Backtrace:
-> #0  go.fut:1:51-61
   #1  go.fut:1:8-16

[1]
$ echo 100000000 | dagaz run -e main go.fut
go.fut: Error: Calls nested deeper than the stack has room for.

Backtrace:
-> #0  go.fut:1:51-61
   #1  go.fut:1:8-16
[1]
$ dagaz c go.fut; echo 100000000 | ./go -e main; echo 100000000 | ./go -e gradient; echo 100000000 | ./go -e tangent
./go: Error: Calls nested deeper than the stack has room for.

Backtrace:
-> #0  go.fut:1:51-61
   #1  go.fut:1:8-16
./go: Error: Calls nested deeper than the stack has room for.

Backtrace:
-> #0  go.fut:3:67-84
   #1  go.fut:3:20-28
./go: Error: Calls nested deeper than the stack has room for.

Backtrace:
-> #0  go.fut:3:67-84
   #1  go.fut:3:20-28
[1]
$ dagaz c --server go.fut -o srv; dagaz dataset -b --i64-bounds=100000000:100000000 -g i64 > n.data; printf 'restore n.data n i64\ncall main r n\nrestore n.data m i64\n' | ./srv
%%% OK
%%% OK
%%% FAILURE
Error: Calls nested deeper than the stack has room for.

Backtrace:
-> #0  go.fut:1:51-61
   #1  go.fut:1:8-16
%%% OK
%%% OK
$ dagaz c --library go.fut -o lib; printf '%s\n' '#include <pthread.h>' '#include <stdio.h>' '#include <stdlib.h>' '#include "lib.h"' 'static void *host(void *n) {' '  struct futhark_context_config *cfg = futhark_context_config_new();' '  struct futhark_context *ctx = futhark_context_new(cfg);' '  int64_t r;' '  int err = futhark_entry_main(ctx, &r, *(int64_t *)n);' '  char *why = futhark_context_get_error(ctx);' '  if (err) printf("%s", why); else printf("%d\n", (int)r);' '  free(why), futhark_context_free(ctx), futhark_context_config_free(cfg);' '  return NULL;' '}' 'int main(void) {' '  pthread_t t;' '  pthread_attr_t a;' '  int64_t n[] = {100, 100000000};' '  pthread_attr_init(&a), pthread_attr_setstacksize(&a, 131072);' '  for (int i = 0; i < 2; i++) pthread_create(&t, &a, host, &n[i]), pthread_join(t, NULL);' '  return 0;' '}' > host.c; cc -O1 -w -o host host.c lib.c -lm -lpthread && ./host
100
Error: Calls nested deeper than the stack has room for.

Backtrace:
-> #0  go.fut:1:51-61
   #1  go.fut:1:8-16
