$ printf '#include <math.h>\nstatic double g(double x) { double y = sin(x); return y*exp(y); }\ndouble f(double x, double z) {\n  double s = g(x);\n  /* $AD NOCHECKPOINT */\n  s += g(z*s);\n  return s;\n}\n' > f.c
$ dagaz adjoint f.c --head "f(f)/(x z)" && sed -n '/^void f_b/,/^}/p' f_b.c | grep 'g(\|g_'
  double s = g(x);
  double t = g_fwd(z*s, &tape);
  g_bwd(z*s, &tb2, tb1, &tape);
  g_b(x, xb, tb);
$ dagaz cc --vjp f.c -e "f(f)/(x z)" --check | tail -1
they agree
$ printf 'double w(double x, int n) {\n  /* $AD BINOMIAL-CKP n+1 3 1 */\n  while (n > 0) { x = x*x; n--; }\n  return x;\n}\n' > w.c
$ dagaz adjoint w.c --head "w(w)/(x)"
Warning at w.c:3:3-34:
BINOMIAL-CKP has no effect: no loop follows that counts up by one to a bound that stays.
    3 |   while (n > 0) { x = x*x; n--; }
      |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [c-pragma]
$ printf 'double w(double x, int n, const int *m) {\n  /* $AD BINOMIAL-CKP n+1 m[0] 1 */\n  for (int i = 0; i < n; i++) x = x*x;\n  return x;\n}\n' > m.c
$ dagaz adjoint m.c --head "w(w)/(x)"
Error at m.c:3:3-39:
The number of snapshots is a number, or a parameter.
    3 |   for (int i = 0; i < n; i++) x = x*x;
      |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [c-pragma]
Hint: write `$AD BINOMIAL-CKP steps+1 snapshots 1`, as `$AD BINOMIAL-CKP n+1 10 1`
[2]
$ printf 'double w(double x, int n) {\n  /* $AD CHECKPOINT-START */\n  x = x*x;\n  if (n > 3) return x;\n  x = x*x;\n  /* $AD CHECKPOINT-END */\n  return x;\n}\n' > c.c
$ dagaz adjoint c.c --head "w(w)/(x)"
Warning at c.c:3:3-11:
This checkpoint has no effect: it begins and ends not in one block, or nothing is in it, or a jump leaves it.
    3 |   x = x*x;
      |   ^^^^^^^^ [c-pragma]

Warning at c.c:7:3-12:
This checkpoint has no effect: it begins and ends not in one block, or nothing is in it, or a jump leaves it.
    7 |   return x;
      |   ^^^^^^^^^ [c-pragma]
$ printf 'double w(double x, int n) {\n  /* $AD II-LOOP */\n  while (n > 0) { x = x*x; n--; }\n  return x;\n}\n' > i.c
$ dagaz adjoint i.c --head "w(w)/(x)"
Warning at i.c:3:3-34:
II-LOOP has no effect: no loop follows that counts by one to a bound that stays.
    3 |   while (n > 0) { x = x*x; n--; }
      |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [c-pragma]
