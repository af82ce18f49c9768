$ # Core text is run, explained and checked like a program: after each pass the result is the same.
$ printf '%s\n' 'def walk [n] (xs: [n]f64) = loop a = copy xs for i < n - 1 do a with [i + 1] = a[i] * a[i + 1]' 'entry main [n] (xs: [n]f64) = vjp (\ys -> (walk ys)[n - 1]) xs 1' > f.fut
$ for p in loops ad fuse sink; do dagaz ir -O --stop-after $p f.fut > $p.ir; echo '[2.0, 3.0, 4.0]' | dagaz run --interp $p.ir; done
[12f64, 8f64, 6f64]
[12f64, 8f64, 6f64]
[12f64, 8f64, 6f64]
[12f64, 8f64, 6f64]
$ dagaz ir f.fut > f.ir; echo '[2.0, 3.0, 4.0]' | dagaz run f.ir; dagaz gradcheck --interp f.ir | tail -1; dagaz explain f.ir | grep tapes
[12f64, 8f64, 6f64]
forward mode, reverse mode, differences (interpreted) agree
  tapes       8 n - 8 bytes
$ # Without optimisations; a name that is none.
$ echo '[2.0, 3.0, 4.0]' | dagaz run --without undo-log,fuse-loops f.fut; dagaz c --without undo-log f.fut -o f && echo '[2.0, 3.0, 4.0]' | ./f
[12f64, 8f64, 6f64]
[12f64, 8f64, 6f64]
$ dagaz run --without nothing f.fut
dagaz run: `dagaz ir --optional` lists what --without can leave out
[1]
$ dagaz c --without nothing f.fut
dagaz c: `dagaz ir --optional` lists what --without can leave out
[1]
$ # Text that is cut off.
$ head -3 f.ir > g.ir; dagaz run --interp g.ir
Error at g.ir:4:1-2:
expected 'let' or 'in'
    4 | 
      | ^
[2]
$ printf 'double f(int n, const double x[n]) {\n  double s = 0;\n  for (int i = 0; i < n; i++) s += x[i]*x[i];\n  return s;\n}\n' > f.c; dagaz ir f.c -e f
fn f (n_1 : i64, n_x_2 : i64, x_3 : [n_x_2]f64) -> (f_12 : f64) {
  let (s_10 : f64) = loop is_for 0 n_1 (0f64) (\(k_4 : i64, s_5 : f64) -> (f64) {
    let (x_6 : f64) = index x_3 [k_4]
    let (x_7 : f64) = index x_3 [k_4]
    let (mul_8 : f64) = mul f64 (x_6, x_7)
    let (s_9 : f64) = add f64 (s_5, mul_8)
    in (s_9)
  })
  let (max_11 : i64) = max i64 (n_1, 0i64)
  in (s_10)
}
$ dagaz ir -p inline,simplify,loops f.c -e f > f.ir && grep -c "reduce\|screma" f.ir; dagaz ir f.ir > again.ir && dagaz ir again.ir | cmp - again.ir; dagaz ir --imp f.c -e f | grep -c "^fn"
1
2
$ dagaz ir f.c -e g
Error:
No function `g` is defined.
[2]
$ printf 'double f(int n, const double *x, const int *at) { return x[at[n]]; }\n' > g.c; dagaz ir g.c -e f | grep -v "^ .*|"
Error at g.c:1:31-32:
How long `x` is cannot be told from its uses.
    1 | double f(int n, const double *x, const int *at) { return x[at[n]]; }
      |                               ^ [c-length]
Hint: write `x[n]` in the parameter list, `#pragma dagaz length x[n]`, or --length "x[n]"
[1]
$ dagaz ir g.c -e f --length "x[n] at[n+1]" | head -1; dagaz ir f.c; dagaz ir f.ir -e f
fn f (n_1 : i64, n_x_2 : i64, x_3 : [n_x_2]f64, n_at_4 : i64, at_5 : [n_at_4]i32) -> (f_9 : f64) {
usage: dagaz ir [-p PASSES] FILE.fut|FILE.ir|FILE.c -e f  (dagaz help ir says more)
usage: dagaz ir [-p PASSES] FILE.fut|FILE.ir|FILE.c -e f  (dagaz help ir says more)
[1]
