$ printf '%s\n' '-- | A file' '-- about <things>.' '' '-- | Twice the `x`.' '--' '-- * one' '-- * two' '--   more' '--' '--     f 1' '#[inline]' 'def f [n] (xs: [n]i32) : [n]i32 =' '  map (2 *) xs' '-- | A type.' "type t 'a = (a, a)" 'local def hidden = 1' '-- | Modules.' 'module m = {' '  -- | Inner.' '  def g = 1i32' '}' '-- | What m has.' 'module type S = {' '  -- | A value.' '  val g : i32' '}' > a.fut
$ dagaz doc -o html a.fut; ls html; sed -n '2,$p' html/a.html
a.html
index.html
<html lang="en"><head><meta charset="utf-8"><title>a.fut</title><style>body{font:16px/1.5 sans-serif;max-width:52em;margin:2em auto;padding:0 1em}pre,code{font-family:monospace;background:#f4f4f4}pre{padding:.4em .8em;overflow-x:auto}.dec{margin:1.2em 0}.in{margin-left:1.5em}.doc{margin-left:1.5em}@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}pre,code{background:#262626}a{color:#8bf}}</style></head><body>
<h1>a.fut</h1>
<p>A file
about &lt;things&gt;.</p>
<div class="dec" id="f"><pre>def f [n] (xs: [n]i32) : [n]i32</pre>
<div class="doc"><p>Twice the <code>x</code>.</p>
<ul><li>one</li>
<li>two
  more</li></ul>
<pre>f 1</pre>
</div>
</div>
<div class="dec" id="type-t"><pre>type t 'a = (a, a)</pre>
<div class="doc"><p>A type.</p>
</div>
</div>
<div class="dec" id="m"><pre>module m</pre>
<div class="doc"><p>Modules.</p>
</div>
<div class="in">
<div class="dec" id="m.g"><pre>def g</pre>
<div class="doc"><p>Inner.</p>
</div>
</div>
</div>
</div>
<div class="dec" id="S"><pre>module type S</pre>
<div class="doc"><p>What m has.</p>
</div>
<div class="in">
<div class="dec" id="S.g"><pre>val g : i32</pre>
<div class="doc"><p>A value.</p>
</div>
</div>
</div>
</div>
<p><a href="index.html">Index</a></p>
</body></html>
$ sed -n '/<h2>/,$p' html/index.html
<h2><a href="a.html">a.fut</a></h2>
<p>
<a href="a.html#f"><code>f</code></a>
<a href="a.html#type-t"><code>t</code></a>
<a href="a.html#m"><code>m</code></a>
<a href="a.html#S"><code>S</code></a>
</p>
</body></html>
$ dagaz doc --check a.fut; printf '%s\n' '-- | Open `tick.' 'def f = 1' 'def g = 2' '--| not one' 'module m : { val x : i32 } = { def x = 1 }' '-- | ' 'type t = i32' > b.fut; dagaz doc --check b.fut
Error at b.fut:2:5-6:
The documentation of "f": a backtick has no partner in its paragraph.
    2 | def f = 1
      |     ^

Error at b.fut:3:5-6:
"g" has no documentation comment.
    3 | def g = 2
      |     ^

Error at b.fut:5:8-9:
"m" has no documentation comment.
    5 | module m : { val x : i32 } = { def x = 1 }
      |        ^

Error at b.fut:5:18-19:
"x" has no documentation comment.
    5 | module m : { val x : i32 } = { def x = 1 }
      |                  ^

Error at b.fut:7:6-7:
The documentation of "t": it is empty.
    7 | type t = i32
      |      ^
[2]
$ dagaz doc
usage: dagaz doc [--check] [-o DIR] FILE..  (dagaz help doc says more)
[1]
$ dagaz doc --check $DAGAZ_ROOT/lib
