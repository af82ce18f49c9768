$ # Parameters of every type are read as results are printed, by compiled programs and the interpreter.
$ printf '%s\n' 'type s = #none | #some i64 | #both f64 (#a | #b i32) | #rec {x: i64}' 'type rec = {a: f64, b: [2]i32, c: (i64, bool)}' 'entry rec (p: rec) = p' 'entry sum (x: s) = x' 'entry sums [n] (xs: [n]s) = xs' 'entry tup (x: (i64, f64), y: i64) = (x, y)' 'entry recs [n][m] (xs: [n][m]{k: i64, v: [3]f64}) = xs' 'entry nested (p: {q: {r: i64}, t: #u | #v}) (n: i64) = (p.q.r + n, p.t)' > given.fut; CFLAGS=-O0 dagaz c -w given.fut
$ printf '%s\n' 'e=$1; shift; for x; do printf "%b\n" "$x" | ./given -e $e 2>&1 | sed "s,^./given: ,,; s:^Error\: line:input, line:" > c.out; printf "%b\n" "$x" | dagaz run -w --interp -e $e given.fut > i.out 2>&1; cat c.out; diff c.out i.out; done' > ask
$ sh ask rec '{c = (3i64, true), -- fields in any order\n b = [1i32,2], a= -2}'
{a = -2f64, b = [1i32, 2i32], c = (3i64, true)}
$ sh ask sum '#none' '#some (-3i64)' '((#both 1.5 (#b 3)))' '#both -1 #a' '#rec {x = 7}'
#none
#some -3i64
#both 1.5f64 (#b 3i32)
#both -1f64 (#a)
#rec {x = 7i64}
$ sh ask sums '[#none, #some 3, #both 2.5 (#b 4)]' '[]' 'empty([0]#a (i32))'
[#none, #some 3i64, #both 2.5f64 (#b 4i32)]
empty([0]#both f64 (#a | #b i32) | #none | #rec {x: i64} | #some i64)
empty([0]#both f64 (#a | #b i32) | #none | #rec {x: i64} | #some i64)
$ sh ask tup '1 2.0 3' '((1, 2.0), 3)'
1i64
2f64
3i64
1i64
2f64
3i64
$ sh ask recs '[[{k = 1, v = [1.0,2,3]}, {v = [4.0,5,6], k = 2}]]'
[[{k = 1i64, v = [1f64, 2f64, 3f64]}, {k = 2i64, v = [4f64, 5f64, 6f64]}]]
$ sh ask nested '{q = {r = 4}, t = #v} 5' '{q = {r = 4}, t = #v}'
9i64
#v
Cannot read input #1 of type "i64".  It is the parameter "n".
input, line 2, column 1: unexpected end of input
$ sh ask rec '{a = 1, b = [1,2]}' '{a = 1, a = 2}' '{a = 1, z = 2}' '{a = 1' '' '7'
Cannot read input #0 of type "rec".  It is the parameter "p".
input, line 1, column 18: expected ','
Cannot read input #0 of type "rec".  It is the parameter "p".
input, line 1, column 10: field "a" is there twice
Cannot read input #0 of type "rec".  It is the parameter "p".
input, line 1, column 10: rec has no field "z"
Cannot read input #0 of type "rec".  It is the parameter "p".
input, line 2, column 1: expected ','
Cannot read input #0 of type "rec".  It is the parameter "p".
input, line 2, column 1: expected '{'
Cannot read input #0 of type "rec".  It is the parameter "p".
input, line 1, column 1: expected '{'
$ sh ask sum '#nope' '#some' '#' '(#none'
Cannot read input #0 of type "s".  It is the parameter "x".
input, line 1, column 6: s has no constructor #nope
Cannot read input #0 of type "s".  It is the parameter "x".
input, line 2, column 1: unexpected end of input
Cannot read input #0 of type "s".  It is the parameter "x".
input, line 2, column 1: expected a name
Cannot read input #0 of type "s".  It is the parameter "x".
input, line 2, column 1: expected ')'
$ sh ask sums 'empty([1]s)' '[#none' 'zero'
Cannot read input #0 of type "[]s".  It is the parameter "xs".
input, line 1, column 10: "empty" needs a dimension of size 0
Cannot read input #0 of type "[]s".  It is the parameter "xs".
input, line 2, column 1: expected ']'
Cannot read input #0 of type "[]s".  It is the parameter "xs".
input, line 1, column 1: expected '['
$ sh ask recs '[[{k = 1, v = [1.0,2,3]}], []]' '[{k = 1, v = [1.0,2,3]}]'
Cannot read input #0 of type "[][]{k: i64, v: []f64}".  It is the parameter "xs".
input, line 1, column 30: rows have different lengths
Cannot read input #0 of type "[][]{k: i64, v: []f64}".  It is the parameter "xs".
input, line 1, column 2: expected '['
