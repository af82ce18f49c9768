$ printf '%s\n' 'module type s = { val v : i32 }' 'module f (A: s) : s = { def v = A.v + 1 }' 'module m0 : s = { def v = 0i32 }' > many.fut; seq 5000 | awk '{ print "module m" $1 " = f m" $1 - 1 }' >> many.fut; cp many.fut some.fut; echo 'entry main (x: i32) = m5000.v + x' >> many.fut; echo 'entry main (x: i32) = m2000.v + x' >> some.fut
$ echo 1 | dagaz run some.fut
2001i32
$ dagaz c --c-only many.fut
Error at many.fut:2:33-40:
unsupported: constants nested this deep
    2 | module f (A: s) : s = { def v = A.v + 1 }
      |                                 ^^^^^^^ [unsupported]
[3]
