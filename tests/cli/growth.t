$ awk 'BEGIN { n = 40; print "type t = #a | #b | #c\ndef f (v: [40]i64) : i64 = let t (i: i64) : t = if v[i] == 0 then #a else if v[i] == 1 then #b else #c in match ("; for (i = 0; i < n; i++) printf "%st %d", i ? "," : "", i; print ")"; for (k = 0; k + 1 < n; k++) { printf "case ("; for (i = 0; i < n; i++) printf "%s%s", i ? "," : "", i == k ? "#a" : i == k + 1 ? "#b" : "_"; print ") -> " k } print "case _ -> -1\nentry main (k: i64) = f (tabulate 40 (\\i -> if i == k + 1 then 1 else if i == k then 0 else 2))" }' > columns.fut; echo 17 | dagaz run --interp columns.fut; grep -v 'case _' columns.fut > open.fut; dagaz check open.fut 2>&1 | tail -n +4 | grep -c '(#a, #[abc]'
17i64
9
$ awk 'BEGIN { print "module m0 = { def x0 = 1i64 }\nmodule m1 = { def x1 = 2i64 }"; for (i = 2; i < 60; i++) print "module m" i " = { open m" i - 1 " open m" i - 2 " def x" i " = x" i - 1 " + x" i - 2 "}"; print "open m59 entry main (x: i64) = x + x59 + x0" }' > opens.fut; echo 1 | dagaz run --interp opens.fut
2504730781963i64
$ awk 'BEGIN { print "entry main (s0: i64) : i64 ="; for (i = 1; i < 60; i++) print "let s" i " = ((s" i - 1 " + 1) * s" i - 1 " + 3) % 7"; print "in length (map (+1) (iota s59 ++ iota s58))" }' > squares.fut; echo 3 | dagaz run --interp squares.fut
10i64
$ awk 'BEGIN { print "entry main (x: i64) (n: i64) = let f0 = \\(x: i64) -> if x > n then x else x + 1"; for (i = 1; i < 40; i++) print "let f" i " = \\x -> if x > n then x else f" i - 1 "(f" i - 1 " x)"; print "in f39 x" }' > twice.fut; echo 1 20 | dagaz run --interp twice.fut
21i64
