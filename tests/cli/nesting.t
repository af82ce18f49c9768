$ printf '%s\n' 'module type s = { val v : i32 }' 'module f (A: s) : s = { def v = A.v + 1 }' 'module m0 : s = { def v = 0i32 }' > many.fut; seq 5000 | awk '{ print "module m" $1 " = f m" $1 - 1 }' >> many.fut; cp many.fut some.fut; echo 'entry main (x: i32) = m5000.v + x' >> many.fut; echo 'entry main (x: i32) = m2000.v + x' >> some.fut
$ echo 1 | dagaz run some.fut
2001i32
$ dagaz c --c-only many.fut
Error at many.fut:2:33-40:
unsupported: constants nested this deep
    2 | module f (A: s) : s = { def v = A.v + 1 }
      |                                 ^^^^^^^ [unsupported]
[3]
$ awk 'BEGIN { printf "def main (x: i64): i64 = "; for (i = 0; i < 7000; i++) printf "if x == %d then 0 else\n", i; print "1" }' > ifs.fut; dagaz check ifs.fut 2>&1 | head -2
Error at ifs.fut:6001:1-3:
Too many branches in one go.
$ awk 'BEGIN { printf "def main (x: i64): i64 = match x "; for (i = 0; i < 7000; i++) printf "case %d -> 0\n", i; print "case _ -> 1" }' > cases.fut; dagaz check cases.fut 2>&1 | head -2
Error at cases.fut:6001:1-5:
Too many branches in one go.
$ awk 'BEGIN { printf "def main (x: i64): i64 = x"; for (i = 0; i < 20000; i++) printf ".a"; print "" }' > dots.fut; dagaz check dots.fut 2>&1 | head -2
Error at dots.fut:1:227-228:
Too many projections in one go.
