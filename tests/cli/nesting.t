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
$ awk 'BEGIN { print "module m = { def y = 7i64 def f (x: i64) = x + y }\nentry main (x: i64) : i64 ="; print "let a0 = x let y = 1i64"; for (i = 1; i < 3000; i++) { if (i == 1500) print "let y = m.(f y + 1) let (p, f) = (y, \\x -> x + m.y)"; print "let a" i " = a" i - 1 " + y" } print "in (a2999 - a5) * 1000 + f p" }' > lets.fut; echo 2 | dagaz run --interp lets.fut
23994022i64
$ awk 'BEGIN { print "entry main (xs: []i32) = xs"; for (i = 0; i < 700; i++) print "|> map (+" i % 3 ")" }' > maps.fut; echo '[1,2]' | dagaz run --interp maps.fut; dagaz ir -O maps.fut | grep -c " = map "
[700i32, 701i32]
1
$ awk 'BEGIN { print "entry main [n] (a0: [n]i32) ="; for (i = 0; i < 900; i++) print "let a" i + 1 " = a" i " ++ [" i "]"; print "in (a900 :> [n + 900]i32)[899:902]" }' > grow.fut; echo '[1,2]' | dagaz run --interp grow.fut; dagaz ir -O grow.fut | grep -c concat
[897i32, 898i32, 899i32]
4
