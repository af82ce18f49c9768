$ printf -- '-- # Title\n--\n-- Text.\n\n-- About `twice`.\ndef twice x = x * 2i32  -- trailing\n-- not text\n\ndef other = 1i32\n\n-- > twice 3\n\n-- > (twice 3, {a = [1, 2]})\n\n-- > let x = 3\n--   in twice x\n\n-- > :covert twice 4\n\n-- ==\n-- input { 1 } output { 2 }\n\n-- The end.\n' > a.fut; dagaz literate a.fut; cat a.md; ls -A
# Title

Text.

About `twice`.

```futhark
def twice x = x * 2i32  -- trailing
-- not text

def other = 1i32
```

```
> twice 3
```

```
6i32
```

```
> (twice 3, {a = [1, 2]})
```

```
(6i32, {a = [1i32, 2i32]})
```

```
> let x = 3
  in twice x
```

```
6i32
```

```
8i32
```

```futhark
-- ==
-- input { 1 } output { 2 }
```

The end.
a.fut
a.md
$ printf 'def f (i: i64) = [1, 2][i]\n\n-- > f 1\n\n-- > f 7\n\n-- > g 1\n\n-- > f\n\n-- > :blink f 1\n\n-- > f 0\n' > b.fut; dagaz literate b.fut; echo $?; cat b.md; rm b.md; dagaz literate --stop-on-error b.fut 2>/dev/null; echo $?; test -e b.md || echo none
> f 7 failed:
Error: Index [7] out of bounds for array of shape [2].

Backtrace:
-> #0  b.fut:1:18-27
   #1  b.fut:16:1-4
> g 1 failed:
Error at b.fut:16:1-2:
Unknown name "g".
   16 | g 1
      | ^ [unknown-name]
> f failed:
Error: the value is a function: it lacks arguments
> :blink f 1 failed:
no such directive; there are :img, :plot2d, :gnuplot, :audio, :brief and :covert
1
```futhark
def f (i: i64) = [1, 2][i]
```

```
> f 1
```

```
2i32
```

```
> f 7
```

**FAILED**
```
Error: Index [7] out of bounds for array of shape [2].

Backtrace:
-> #0  b.fut:1:18-27
   #1  b.fut:16:1-4
```

```
> g 1
```

**FAILED**
```
Error at b.fut:16:1-2:
Unknown name "g".
   16 | g 1
      | ^ [unknown-name]
```

```
> f
```

**FAILED**
```
Error: the value is a function: it lacks arguments
```

```
> :blink f 1
```

**FAILED**
```
no such directive; there are :img, :plot2d, :gnuplot, :audio, :brief and :covert
```

```
> f 0
```

```
1i32
```
1
none
$ printf -- '-- > :img [[0f32, 0.5, 1], [-1, 2, f32.nan]]\n\n-- > :img [[0xff0000u32, 0x0000ff]];\n-- file: p.png\n\n-- > :img [[true, false]]\n\n-- > :img [[0u8, 255]]\n\n-- > :audio [0i16, 1, -1];\n-- sampling_frequency: 8000\n\n-- > :brief :audio [[0f32, 1], [1, 0]];\n-- codec: wav\n' > c.fut; mkdir -p out-img; echo mine > out-img/mine; dagaz literate --interp c.fut -o out.md; cat out.md; ls out-img; for f in 1.png p.png 2.png 3.png 4.wav 5.wav; do cksum < out-img/$f; done
```
> :img [[0f32, 0.5, 1], [-1, 2, f32.nan]]
```

![](out-img/1.png)

```
> :img [[0xff0000u32, 0x0000ff]];
file: p.png
```

![](out-img/p.png)

```
> :img [[true, false]]
```

![](out-img/2.png)

```
> :img [[0u8, 255]]
```

![](out-img/3.png)

```
> :audio [0i16, 1, -1];
sampling_frequency: 8000
```

<audio controls><source src="out-img/4.wav" type="audio/wav"></audio>

```
> :audio [[0f32, 1], [1, 0]]
```

<audio controls><source src="out-img/5.wav" type="audio/wav"></audio>
1.png
2.png
3.png
4.wav
5.wav
mine
p.png
4140117387 88
1809129711 75
2930423002 75
3045764511 75
1075887528 50
1128309021 60
$ printf -- '-- > :plot2d ([1, 2, 3], [1.0, 4, f64.nan])\n\n-- > :plot2d {a = ([0, 1], [0, 1]), b = ([0, 1], [5, 5])};\n-- size: (200,300)\n' > d.fut; dagaz literate --interp d.fut; cat d.md d-img/1.svg; grep -c path d-img/2.svg; grep fill= d-img/2.svg | tail -3; head -1 d-img/2.svg; cp d-img/2.svg once; dagaz literate --interp d.fut; cmp once d-img/2.svg
```
> :plot2d ([1, 2, 3], [1.0, 4, f64.nan])
```

![](d-img/1.svg)

```
> :plot2d {a = ([0, 1], [0, 1]), b = ([0, 1], [5, 5])};
size: (200,300)
```

![](d-img/2.svg)
<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
<line x1="70.00" y1="440.00" x2="70.00" y2="20.00" stroke="#ddd"/>
<text x="70.00" y="458.00" text-anchor="middle">1</text>
<line x1="207.50" y1="440.00" x2="207.50" y2="20.00" stroke="#ddd"/>
<text x="207.50" y="458.00" text-anchor="middle">1.5</text>
<line x1="345.00" y1="440.00" x2="345.00" y2="20.00" stroke="#ddd"/>
<text x="345.00" y="458.00" text-anchor="middle">2</text>
<line x1="482.50" y1="440.00" x2="482.50" y2="20.00" stroke="#ddd"/>
<text x="482.50" y="458.00" text-anchor="middle">2.5</text>
<line x1="620.00" y1="440.00" x2="620.00" y2="20.00" stroke="#ddd"/>
<text x="620.00" y="458.00" text-anchor="middle">3</text>
<line x1="70.00" y1="440.00" x2="620.00" y2="440.00" stroke="#ddd"/>
<text x="64.00" y="444.00" text-anchor="end">1</text>
<line x1="70.00" y1="300.00" x2="620.00" y2="300.00" stroke="#ddd"/>
<text x="64.00" y="304.00" text-anchor="end">2</text>
<line x1="70.00" y1="160.00" x2="620.00" y2="160.00" stroke="#ddd"/>
<text x="64.00" y="164.00" text-anchor="end">3</text>
<line x1="70.00" y1="20.00" x2="620.00" y2="20.00" stroke="#ddd"/>
<text x="64.00" y="24.00" text-anchor="end">4</text>
<rect x="70.00" y="20.00" width="550.00" height="420.00" fill="none" stroke="black"/>
<path d="M70.00 440.00 L345.00 20.00 " fill="none" stroke="#1f77b4" stroke-width="1.5"/>
</svg>
2
<text x="272.00" y="38.00" text-anchor="end" fill="#1f77b4">a</text>
<path d="M70.00 20.00 L280.00 20.00 " fill="none" stroke="#d62728" stroke-width="1.5"/>
<text x="272.00" y="54.00" text-anchor="end" fill="#d62728">b</text>
<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" font-family="sans-serif" font-size="12">
$ printf -- '-- > :img 1\n\n-- > :plot2d [1]\n\n-- > :plot2d ([1],[1]);\n-- size: (1,1)\n\n-- > :audio true\n\n-- > :audio [0i8];\n-- codec: ogg\n\n-- > :img [[true]];\n-- file: ../x.png\n\n-- > :gnuplot 1;\n-- plot a\n' > e.fut; dagaz literate --interp e.fut 2>&1 | grep -v failed; cat e.md | tail -9; test -e e-img || echo none
a picture is an array [][]i32, [][]u32, [][]f32, [][]f64, [][]u8 or [][]bool
a plot is a pair of arrays of numbers, or a record of such pairs
> :plot2d ([1],[1]);
size wants (HEIGHT,WIDTH), from (100,150) to (10000,10000)
a sound is an array of 8, 16 or 32 bit integers or f32 or f64, or one such array for each channel
> :audio [0i8];
sounds are written as wav only
> :img [[true]];
a file's name has no blanks, no '/' and no '.' at its beginning
> :gnuplot 1;
gnuplot wants a record of tuples of arrays with one dimension
```
> :gnuplot 1;
plot a
```

**FAILED**
```
gnuplot wants a record of tuples of arrays with one dimension
```
none
$ echo 'def x = y' > g.fut; dagaz literate g.fut | head -1; dagaz literate none.fut; dagaz literate; test -e g.md || echo none
Error at g.fut:1:9-10:
Unknown name "y".
    1 | def x = y
      |         ^ [unknown-name]
dagaz: cannot read 'none.fut': No such file or directory
usage: dagaz literate PROGRAM.fut [-o FILE.md]  (dagaz help literate says more)
none
