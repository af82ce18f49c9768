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
