$ # Arrays of NumPy's files: their bytes are octal here.
$ printf '%s\n' 'printf "\223NUMPY\001\000\166\000%-117s\n" "{@descr@: @$1@, @fortran_order@: $2, @shape@: $3, }" | tr @ "\047"' > npy
$ (sh ./npy '<f8' False '(2, 2)'; printf '\0\0\0\0\0\0\360\077\0\0\0\0\0\0\0\100\0\0\0\0\0\0\010\100\0\0\0\0\0\0\020\100') > xs.npy
$ (sh ./npy '>f4' True '(2,)'; printf '\077\200\0\0\100\0\0\0') > big.npy
$ (sh ./npy '|O' False '(2,)') > object.npy; (sh ./npy '<f8' False '(1000000, 1000000, 99999999)') > huge.npy; head -c 140 xs.npy > short.npy
$ printf 'label,price\r\n1,2.5\r\n3,4.5\r\n' > t.csv
$ printf '%s\n' 'entry main [n][d] (xs: [n][d]f64) (ys: [n]i32) (rate: f64) = (rate * f64.sum (flatten xs), map (+1) ys)' 'entry single (x: []f32) = x' 'entry fixed (x: [3]f64) (_b: bool) = x' 'type model [m] = {w: [m]f64, b: f32}' 'entry fit [m] (p: model [m]) = {w = map (*2) p.w, b = p.b + 1}' 'entry rows (t: []{label: i32, price: f64}) = map (\r -> {label = r.label, twice = 2 * r.price}) t' 'entry tuple (t: (i64, []i64)) = t.0 + i64.sum t.1' 'entry sum (_s: #a | #b) = 1i32' 'entry made (n: i64) : #a i64 | #b = if n > 0 then #a n else #b' > f.fut
$ for how in "" --interp; do dagaz run $how f.fut xs=xs.npy ys=t.csv:label rate=0.5; dagaz run $how f.fut -e single x=big.npy; echo '[7, 8]' | dagaz run $how f.fut xs=[[1],[2]] ys=- rate=1e1; dagaz run $how f.fut -e rows t=t.csv; dagaz run $how f.fut -e fit p.w=t.csv:price p.b=1; dagaz run $how -e tuple f.fut t.0=1 t.1=[2,3]; done
5f64
[2i32, 4i32]
[1f32, 2f32]
30f64
[8i32, 9i32]
[{label = 1i32, twice = 5f64}, {label = 3i32, twice = 9f64}]
{b = 2f32, w = [5f64, 9f64]}
6i64
5f64
[2i32, 4i32]
[1f32, 2f32]
30f64
[8i32, 9i32]
[{label = 1i32, twice = 5f64}, {label = 3i32, twice = 9f64}]
{b = 2f32, w = [5f64, 9f64]}
6i64
$ for how in "" --interp; do dagaz run $how f.fut xs=xs.npy ys=[1,2] rate=2 -o out.npy -o out.csv && dagaz convert out.npy - && cat out.csv; dagaz run $how f.fut xs=xs.npy ys=[1,2] rate=2 -o out.txt && cat out_0.txt out_1.txt; dagaz run $how f.fut -e rows t=t.csv -o rows.csv && cat rows.csv; dagaz run $how f.fut -e fit p.w=[1,2] p.b=0.5 -o fit.npz && dagaz run $how f.fut -e fit p=fit.npz && dagaz run $how f.fut -e fit p=fit.npz p.b=3; rm -f out* rows* fit*; done 2>&1
20f64
2
3
20f64
[2i32, 3i32]
label,twice
1,5
3,9
{b = 2.5f32, w = [4f64, 8f64]}
{b = 4f32, w = [4f64, 8f64]}
20f64
2
3
20f64
[2i32, 3i32]
label,twice
1,5
3,9
{b = 2.5f32, w = [4f64, 8f64]}
{b = 4f32, w = [4f64, 8f64]}
$ # Each with its parameter and its place.
$ for x in big object huge short absent; do dagaz run f.fut xs=$x.npy ys=[1,2] rate=1; done; echo $?
dagaz: parameter 'xs' of type [][]f64: big.npy: it holds a value of type [2]f32
dagaz: parameter 'xs' of type [][]f64: object.npy: elements of type '|O': Python objects are never read: save numbers, as in a.astype(float)
dagaz: parameter 'xs' of type [][]f64: huge.npy: the file ends early: 0 bytes are no [1000000][1000000][99999999]f64
dagaz: parameter 'xs' of type [][]f64: short.npy: the file ends early: 12 bytes are no [2][2]f64
dagaz: parameter 'xs' of type [][]f64: absent.npy: cannot be read: No such file or directory
1
$ dagaz run f.fut xs=xs.npy ys=t.csv rate=1
dagaz: parameter 'ys' of type []i32: t.csv: 2 rows of 2 columns; choose one by its name, as in FILE:label
[1]
$ dagaz run f.fut xs=xs.npy ys=t.csv:price rate=1
dagaz: parameter 'ys' of type []i32: t.csv: line 2, column 2: '2.5' is not an integer
[1]
$ dagaz run f.fut xs=xs.npy ys=t.csv:cost rate=1
dagaz: parameter 'ys' of type []i32: t.csv: no column 'cost'; there are label, price
[1]
$ dagaz run f.fut xs=t.csv ys=[1,2,3] rate=1
dagaz: parameter 'ys' of type []i32: [1,2,3]: dimension 1 has size 3, not 2 as 'xs' has (t.csv)
[1]
$ dagaz run f.fut xs=xs.npy rate=1
dagaz: no value for parameter 'ys' of type []i32: give ys=FILE or ys=VALUE (ys=- is stdin)
[1]
$ dagaz run f.fut xs=xs.npy ys=[1,2] rat=1
dagaz: 'main' has no parameter 'rat': did you mean 'rate'?
[1]
$ dagaz run f.fut xs=xs.npy xs=xs.npy ys=[1,2] rate=1
dagaz: 'xs' is given twice
[1]
$ dagaz run f.fut xs=xs.npy ys=[1,2] rate=1.5.2
dagaz: parameter 'rate' of type f64: '1.5.2': column 1: expected a value
[1]
$ dagaz run f.fut xs=xs.npy ys=[1,2] rate=fast
dagaz: parameter 'rate' of type f64: fast: cannot be read: No such file or directory
[1]
$ dagaz run f.fut xs.npy
dagaz: 'xs.npy': values of parameters are given as NAME=FILE or NAME=VALUE
[1]
$ dagaz run f.fut -e fixed x=[1,2] _b=true
dagaz: parameter 'x' of type []f64: [1,2]: dimension 1 has size 2, not 3 as its type says
[1]
$ dagaz run f.fut -e fit p=xs.npy; dagaz run f.fut -e fit p=t.csv; dagaz run f.fut -e sum _s=1; dagaz run f.fut -e made n=1 -o x.npy; dagaz run f.fut xs=xs.npy ys=[1,2] rate=1 -o a.npy -o b.npy -o c.npy
dagaz: 'p' has several parts: give an .npz or .csv file, or 'p.b=..'
dagaz: parameter 'p.b' of type f32: t.csv: no column 'b'; there are label, price
dagaz: parameter '_s' has the sum type #a | #b, which no file or word holds
dagaz: a result of the sum type #a i64 | #b goes into no file; leave out -o
dagaz: 2 results, but 3 files to write (-o)
[1]
$ dagaz run f.fut -e single x=[1] -o absent/x.npy; dagaz run f.fut -e single x=[1] -o x.csv.gz; ls
dagaz: cannot write 'absent/x.npy': No such file or directory
dagaz: 'x.csv.gz': files are written uncompressed
big.npy
f.fut
huge.npy
npy
object.npy
short.npy
t.csv
xs.npy
$ # Missing cells.
$ printf 'a\n1\n\nNA\n' > na.csv; dagaz run f.fut -e fixed x=na.csv _b=true; dagaz run f.fut --na nan -e fixed x=na.csv _b=true; dagaz run --na zero f.fut -e fixed x=na.csv _b=true
dagaz: parameter 'x' of type []f64: na.csv: line 3, column 1: '' is no number (--na nan makes NaN of missing values)
[1f64, f64.nan, f64.nan]
dagaz: option --na wants error|nan, not 'zero'
[1]
$ # dagaz convert.
$ dagaz convert t.csv -; dagaz convert t.csv t.npz && dagaz convert t.npz u.csv && cat u.csv; dagaz convert xs.npy x.tsv && cat x.tsv; dagaz convert xs.npy t.csv:label all.npz && dagaz convert all.npz:t - && dagaz convert --as u8 all.npz:xs -; dagaz convert all.npz:none -; dagaz convert --as i8 t.csv:price -; dagaz convert --as text t.csv -; dagaz convert t.csv
[[1f64, 2.5f64], [3f64, 4.5f64]]
label,price
1,2.5
3,4.5
1	2
3	4
[1i64, 3i64]
[[1u8, 2u8], [3u8, 4u8]]
dagaz: all.npz: no member 'none'; there are xs, t
dagaz: t.csv: element 0, 2.5f64, is no i8
dagaz: --as wants the type of elements, such as f64, not 'text'
usage: dagaz convert [--as TYPE] FILE.. OUT  (dagaz help convert says more)
[1]
$ gzip -c t.csv > t.csv.gz && dagaz convert t.csv.gz:label -
[1i64, 3i64]
$ # Test blocks, scripts and checks of derivatives read them, too.
$ printf '%s\n' 'entry main (x: [][]f64) = f64.sum (flatten x)' '-- ==' '-- input @ xs.npy' '-- output { 10.0 }' '-- script input { $loaddata "t.csv" } output { 11.0 }' '-- input @ short.npy output { 1f64 }' > b.fut; printf '%s\n' 'entry main [n] (x: [][n]f64) (y: [n]f64) = f64.sum (map (\r -> f64.exp (f64.sum (map2 (*) r y))) x)' > g.fut; dagaz test --interp b.fut; dagaz gradcheck --interp g.fut x=xs.npy y=t.csv:label | tail -1; dagaz gradcheck g.fut x=xs.npy y=1
FAILED b.fut main short.npy: input file short.npy: the file ends early: 12 bytes are no [2][2]f64
2 passed, 1 failed
forward mode, reverse mode, differences (interpreted) agree
dagaz: parameter 'y' of type []f64: '1': column 2: expected a value of type []f64
[1]
$ # Documents: results and plots of files.
$ printf -- '-- > f64.sum ($loaddata "t.csv:price")\n\n-- > :plot2d ($loaddata "t.csv:label", $loaddata "t.csv:price")\n' > doc.fut; dagaz literate --interp doc.fut; cat doc.md; grep -c "<path" doc-img/1.svg
```
> f64.sum ($loaddata "t.csv:price")
```

```
7f64
```

```
> :plot2d ($loaddata "t.csv:label", $loaddata "t.csv:price")
```

![](doc-img/1.svg)
1
$ dagaz c --cpp f.fut; dagaz c -w --library --cpp -o lib f.fut; ls lib.*
dagaz: option --cpp goes with --library
lib.c
lib.h
lib.hpp
lib.json
$ echo '[[1]] [1] 2' | dagaz run f.fut -o piped.npz && dagaz convert piped.npz -; dagaz run f.fut -e element; dagaz run f.fut -e fixed x=[1,2] _b=true -o none.npy; ls none.npy
2f64
[2i32]
f.fut: No such entry point: element
Select another with --entry-point.  Options are:
main
single
fixed
fit
rows
tuple
sum
made
dagaz: parameter 'x' of type []f64: [1,2]: dimension 1 has size 2, not 3 as its type says
ls: cannot access 'none.npy': No such file or directory
[2]
$ # gradcheck reads records as run does, or as their parts.
$ printf '%s\n' 'entry main [n] (ps: [n]{x: f64, y: f64}) (k: f64) = f64.sum (map (\p -> k * p.x * p.y) ps)' > points.fut; for data in '[{x = 1.0, y = 2.0}, {x = 3.0, y = 4.0}] 2.0' '[1.0, 3.0] [2.0, 4.0] 2.0' '[1.0, 3.0] 2.0'; do echo "$data" > points.in; dagaz gradcheck --interp points.fut points.in | tail -1; done
forward mode, reverse mode, differences (interpreted) agree
forward mode, reverse mode, differences (interpreted) agree
dagaz: points.in: input, line 1, column 2: expected '{'
