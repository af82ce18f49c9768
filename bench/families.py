"""Programs of any size, for bench/growth.py: one function per family, of what a program has n."""


def ordinary(n):
    """Functions of about eight lines that call one another: n lines in all."""
    out = ["def fn0 [n] (xs: [n]f64) (k: i64) : f64 = f64.sum xs + f64.i64 k"]
    for i in range(1, max(2, n // 8)):
        out.append(f"""
def fn{i} [n] (xs: [n]f64) (k: i64) : f64 =
  let ys = map (\\x -> x * {i}.5 + f64.i64 k) xs
  let s = reduce (+) 0 ys
  let t = loop acc = s for j < k do
    if j % 2 == 0 then acc + ys[j % n] else acc * 0.5
  in if t > 0 then t + s else {"fn%d xs (k - 1)" % (i - 1) if i % 10 else "s"}
""")
    out.append(f"entry main [n] (xs: [n]f64) (k: i64) = fn{max(2, n // 8) - 1} xs k")
    return "\n".join(out)


def lets(n):
    """One chain of n lets."""
    body = "\n".join(f"  let x{i + 1} = x{i} * 3 + {i % 7}" for i in range(n))
    return f"entry main (x0: i32) : i32 =\n{body}\n  in x{n}"


def arrays(n):
    """n array operations in a row."""
    body = "\n".join(f"  let x{i + 1} = map (+{i % 5}) (rotate {i % 3} x{i})" for i in range(n // 4))
    return f"entry main [n] (x0: [n]i32) =\n{body}\n  in x{n // 4}"


def calls(n):
    """Each of n functions calls the one before it twice: 2^n paths."""
    out = ["def f0 (x: i32) = x + 1"]
    out += [f"def f{i} (x: i32) = f{i - 1} (f{i - 1} x + {i})" for i in range(1, n)]
    return "\n".join(out + [f"entry main (x: i32) = f{n - 1} x"])


def higher(n):
    """Each of n functions passes a function on, composed with itself."""
    out = ["def f0 (g: i32 -> i32) (x: i32) = g x"]
    out += [f"def f{i} (g: i32 -> i32) (x: i32) = f{i - 1} (\\y -> g (y + {i})) x"
            for i in range(1, n)]
    return "\n".join(out + [f"entry main (x: i32) = f{n - 1} (+1) x"])


def pairs(n):
    """Types that double with every let, were they trees."""
    body = "\n".join(f"  let f{i + 1} = \\x -> f{i} (f{i} x)" for i in range(min(n, 12)))
    return f"entry main (x: i32) =\n  let f0 = \\(x: i32) -> x + 1\n{body}\n  in f{min(n, 12)} x"


def parens(n):
    """Nesting n deep of parentheses and operators."""
    return "entry main (x: i32) = " + "(1 + " * n + "x" + ")" * n


def branches(n):
    """if .. else if .. chains and nested ifs."""
    chain = "\n".join(f"  else if x == {i} then {i * 7 % 31}" for i in range(1, n))
    return f"entry main (x: i32) : i32 =\n  if x == 0 then 1\n{chain}\n  else 0"


def operators(n):
    """One long sum."""
    return "entry main (x: i32) = " + "\n  + ".join(f"x * {i % 9}" for i in range(n))


def modules(n):
    """n modules, each opening the one before."""
    out = ["module m0 = { def x0 = 1i32 }"]
    out += [f"module m{i} = {{ open m{i - 1} def x{i} = x{i - 1} + 1 }}" for i in range(1, n)]
    return "\n".join(out + [f"entry main (y: i32) = m{n - 1}.x{n - 1} + y"])


def functors(n):
    """n applications of functors to one another's results."""
    out = ["module type s = { type t val v : t val op : t -> t -> t }",
           "module f (A: s) (B: s) : s with t = (A.t, B.t) = {",
           "  type t = (A.t, B.t) def v = (A.v, B.v) def op (a: t) (b: t) = (A.op a.0 b.0, B.op a.1 b.1) }",
           "module one = { type t = i32 def v = 1i32 def op (a: t) (b: t) = a + b }",
           "module g (A: s) : s with t = A.t = { type t = A.t def v = A.op A.v A.v def op = A.op }",
           "module m0 = one"]
    out += [f"module m{i} = g m{i - 1}" for i in range(1, n)]
    return "\n".join(out + [f"entry main (x: i32) = m{n - 1}.v + x"])


def sizes(n):
    """Size expressions that grow with every let."""
    body = "\n".join(f"  let x{i + 1} = x{i} ++ [{i}]" for i in range(n))
    return f"entry main [n] (x0: [n]i32) =\n{body}\n  in x{n}"


def zips(n):
    """n arrays whose sizes must all be found equal."""
    params = " ".join(f"(x{i}: []i32)" for i in range(n))
    body = "\n".join(f"  let y{i + 1} = map2 (+) y{i} x{i}" for i in range(n))
    return f"def f {params} =\n  let y0 = x0\n{body}\n  in y{n}\nentry main (x: []i32) = f {'x ' * n}"


def literal(n):
    """One array literal of n numbers."""
    return f"entry main (i: i64) = [{', '.join(str(i % 1000) for i in range(n))}][i]"


def suffixed(n):
    """The same, typed."""
    return f"entry main (i: i64) = [{', '.join(f'{i % 1000}i32' for i in range(n))}][i]"


def nested(n):
    """An array literal of n rows of three."""
    rows = ", ".join(f"[{i}, {i + 1}, {i % 7}]" for i in range(n // 3))
    return f"entry main (i: i64) : i32 = [{rows}][i, 1]"


def constructors(n):
    """A sum of up to 250 constructors, matched n / 250 times."""
    k = min(250, n)
    total = " | ".join(f"#c{i} i32" for i in range(k))
    cases = "\n".join(f"  case #c{i} x -> x + {i}" for i in range(k))
    functions = "\n".join(f"def f{j} (t: t) : i32 = match t\n{cases}" for j in range(max(1, n // 250)))
    return f"type t = {total}\n{functions}\nentry main (x: i32) = f0 (if x > 0 then #c0 x else #c{k - 1} x)"


def patterns(n):
    """One match over pairs with n literal cases."""
    cases = "\n".join(f"  case ({i}, true) -> {i * 3}" for i in range(n))
    return f"entry main (x: i32) (b: bool) : i32 = match (x, b)\n{cases}\n  case _ -> 0"


def records(n):
    """A record of n fields, built and updated."""
    k = max(4, min(n, 400))
    fields = ", ".join(f"a{i} = x + {i}" for i in range(k))
    updates = "\n".join(f"  let r = r with a{i % k} = r.a{(i + 1) % k} + 1" for i in range(n // 10))
    return f"entry main (x: i32) =\n  let r = {{{fields}}}\n{updates}\n  in r.a0"


def loops(n):
    """n loops one after the other."""
    body = "\n".join(f"  let x{i + 1} = loop a = x{i} for i < {i % 5 + 1} do a * 2 + i"
                     for i in range(n // 2))
    return f"entry main (x0: i32) =\n{body}\n  in x{n // 2}"


def gradient(n):
    """The derivative of a chain of n lets."""
    body = "\n".join(f"  let x{i + 1} = f64.sin x{i} * x{i} + {i % 7}" for i in range(n // 4))
    return f"def f (x0: f64) : f64 =\n{body}\n  in x{n // 4}\nentry main (x: f64) = vjp f x 1"


def gradient_calls(n):
    """Both derivatives of n functions of which each calls the one before it twice."""
    out = ["def f0 (x: f64) : f64 = f64.sin x * x"]
    out += [f"def f{i} (x: f64) : f64 = f{i - 1} (f{i - 1} x * {i})" for i in range(1, n)]
    return "\n".join(out + [f"entry main (x: f64) = (vjp f{n - 1} x 1, jvp f{n - 1} x 1)"])


def gradient_recursive(n):
    """The derivative of a recursive function with n lets."""
    body = "\n".join(f"  let x{i + 1} = f64.sin x{i} * x{i} + {i % 7}" for i in range(n // 4))
    return (f"def f (k: i64) (x0: f64) : f64 =\n{body}\n"
            f"  in if k == 0 then x{n // 4} else f (k - 1) x{n // 4}\n"
            f"entry main (k: i64) (x: f64) = vjp (f k) x 1")


def pipeline(n):
    """n maps in a pipeline: one loop."""
    return "entry main (xs: []i32) = xs" + "".join(f"\n  |> map (+{i})" for i in range(n))


def twice(n):
    """n arrays, each read by the next map and by its neighbour: all in one loop."""
    body = "\n".join(f"  let a{i + 1} = map2 (+) a{i} (map (*{i + 2}) a{i})" for i in range(n))
    return f"entry main [m] (a0: [m]i32) =\n{body}\n  in a{n}"


def reductions(n):
    """n reductions of one array: one loop."""
    return "entry main (xs: []i32) = " + "\n + ".join(
        f"reduce (\\a b -> a * {i} + b) {i} xs" for i in range(n))


def filters(n):
    """n arrays of sizes that are known when the program runs."""
    body = "\n".join(f"  let a{i + 1} = filter (>{i}) a{i}" for i in range(n))
    return f"entry main [m] (a0: [m]i32) =\n{body}\n  in a{n}"


def alive(n):
    """n arrays alive to the end of their function."""
    body = "\n".join(f"  let a{i} = map (\\x -> x * {i + 2}) xs" for i in range(n))
    total = " + ".join(f"a{i}[{i} % n]" for i in range(n))
    return f"entry main [n] (xs: [n]i32) =\n{body}\n  in {total}"


def constants(n):
    """n constant arrays."""
    return ("\n".join(f"def c{i} : [3]i32 = map (+{i}) [1, 2, 3]" for i in range(n))
            + "\nentry main (x: i64) = " + " + ".join(f"c{i}[x]" for i in range(n)))


def parameters(n):
    """n array parameters."""
    return (f"entry main {' '.join(f'(x{i}: []i32)' for i in range(n))} = "
            + " + ".join(f"i32.sum x{i}" for i in range(n)))


def entries(n):
    """n entry points."""
    return "\n".join(f"entry main{i} (x: i32) (ys: [10]f64) = (x + {i}, map (+{i}) ys)"
                     for i in range(n))


def functions(n):
    """n functions that one expression calls."""
    return ("\n".join(f"def f{i} (x: i32) (y: i32) = (x + {i}) * y" for i in range(n))
            + "\nentry main (x: i32) = " + "\n + ".join(f"f{i} x {i}" for i in range(n)))


def results(n):
    """Sizes that n calls of one function make longer."""
    body = "\n".join(f"  let x{i + 1} = f x{i}" for i in range(n))
    return ("def f [n] (xs: [n]i32) : [n + 1]i32 = xs ++ [0]\n"
            f"entry main [n] (x0: [n]i32) =\n{body}\n  in x{n}")


def type_parameters(n):
    """A function with n type parameters."""
    types, params = (" ".join(f"{x}" for x in xs) for xs in
                     ([f"'t{i}" for i in range(n)], [f"(x{i}: t{i})" for i in range(n)]))
    return f"def f {types} {params} = x0\nentry main (x: i32) = f {'x (x, true) ' * (n // 2)}"


def specifications(n):
    """A module type with n values, and a functor over it."""
    vals = "\n".join(f"  val f{i} : t -> t" for i in range(n))
    defs = "\n".join(f"  def f{i} (x: t) : t = x + {i}" for i in range(n))
    return (f"module type s = {{\n  type t\n{vals}\n}}\n"
            f"module m : s with t = i32 = {{\n  type t = i32\n{defs}\n}}\n"
            "module g (A: s) = { open A def h (x: A.t) = A.f0 x }\nmodule r = g m\n"
            "entry main (x: i32) = r.h x")


def gradient_maps(n):
    """The derivative of n scans over maps."""
    body = "\n".join(f"  let y{i + 1} = scan (*) 1 (map (\\a -> f64.sin a * {i}) y{i})"
                     for i in range(n))
    return (f"def f [n] (y0: [n]f64) =\n{body}\n  in f64.sum y{n}\n"
            "entry main [n] (x: [n]f64) = vjp f x 1")


def gradient_loops(n):
    """The derivative of n loops one after the other."""
    body = "\n".join(f"  let y{i + 1} = loop a = y{i} for i < 10 do f64.sin a * {i}"
                     for i in range(n))
    return f"def f (y0: f64) =\n{body}\n  in y{n}\nentry main (x: f64) = vjp f x 1"


def gradient_branches(n):
    """The derivative of a chain of else if."""
    chain = "\n".join(f"  else if x < {i} then f64.sin (x * {i})" for i in range(1, n))
    return (f"def f (x: f64) : f64 =\n  if x < 0 then 1\n{chain}\n  else 0\n"
            "entry main (x: f64) = vjp f x 1")


# ---- what doubles if it is written out ---------------------------------------------------------
def columns(n):
    """A match over n columns, of which each case looks at two neighbours: n * n patterns."""
    k = max(4, int(n ** .5))
    cases = "\n".join("  case (" + ", ".join(
        "#a" if j == i else "#b" if j == i + 1 else "_" for j in range(k)) + f") -> {i}"
        for i in range(k - 1))
    params = " ".join(f"(b{i}: t)" for i in range(k))
    return (f"type t = #a | #b | #c\ndef f {params} : i32 = match ({', '.join(f'b{i}' for i in range(k))})\n"
            f"{cases}\n  case _ -> 0\nentry main (x: i32) = f {'(if x > 0 then #a else #b) ' * k}")


def diamonds(n):
    """n modules, each opening the two before it."""
    out = ["module m0 = { def x0 = 1i32 }", "module m1 = { def x1 = 1i32 }"]
    out += [f"module m{i} = {{ open m{i - 1} open m{i - 2} def x{i} = x{i - 1} + 1 }}"
            for i in range(2, n)]
    return "\n".join(out + [f"entry main (y: i32) = m{n - 1}.x0 + y"])


def import_diamonds(n):
    """n files, each opening the two before it."""
    files = {f"f{i}.fut": f"def g{i} (x: i32) = x + 1" for i in range(2)}
    files |= {f"f{i}.fut": f'open import "f{i - 1}"\nopen import "f{i - 2}"\n'
                           f"def g{i} (x: i32) = x + {i}" for i in range(2, n)}
    return files | {"p.fut": f'import "f{n - 1}"\nentry main (x: i32) = g{n - 1} (g0 x)'}


def functor_twice(n):
    """A functor of two modules, both the one before."""
    out = ["module type s = { val f : i32 -> i32 }",
           "module g (A: s) (B: s) = { def f x = A.f (B.f x) }",
           "module m0 = { def f (x: i32) = x + 1 }"]
    out += [f"module m{i} = g m{i - 1} m{i - 1}" for i in range(1, n)]
    return "\n".join(out + [f"entry main (x: i32) = m{n - 1}.f x"])


def squared_sizes(n):
    """Sizes that square with every let."""
    body = "\n".join(f"  let s{i + 1} = (s{i} + 1) * s{i}" for i in range(n))
    return f"entry main (s0: i64) =\n{body}\n  in map (\\i -> i * s{n - 1}) (iota s{n})"


def doubled_sizes(n):
    """Arrays that double with every let."""
    body = "\n".join(f"  let x{i + 1} = x{i} ++ x{i}" for i in range(n))
    return f"entry main [n] (x0: [n]i32) =\n{body}\n  in x{n}"


def product_sizes(n):
    """A size that is a product of n sums."""
    size = " * ".join(f"(n{i} + 1)" for i in range(n))
    return (f"def f {' '.join(f'[n{i}]' for i in range(n))} {' '.join(f'(x{i}: [n{i}]i32)' for i in range(n))}"
            f" : [{size}]i32 = replicate ({size}) 0\nentry main (x: []i32) = f {'x ' * n}")


def closures(n):
    """Each of n lambdas applies the one before twice."""
    body = "\n".join(f"  let f{i + 1} = \\x -> f{i} (f{i} x)" for i in range(n))
    return f"entry main (x: i32) =\n  let f0 = \\(x: i32) -> x + 1\n{body}\n  in f{n} x"


def passed_on(n):
    """Each of n functions passes on a lambda that applies its own parameter twice."""
    out = ["def f0 (g: i32 -> i32) (x: i32) = g (g x)"]
    out += [f"def f{i} (g: i32 -> i32) (x: i32) = f{i - 1} (\\y -> g (g (y + {i}))) x"
            for i in range(1, n)]
    return "\n".join(out + [f"entry main (x: i32) = f{n - 1} (+1) x"])


def twice_map(n):
    """twice (twice (.. map f)): 2^n maps."""
    return ("def twice 'a (f: a -> a) (x: a) = f (f x)\n"
            "entry main (x: []i32) = " + "twice (" * n + "map (+1)" + ")" * n + " x")


def local_functions(n):
    """n local functions, each calling the one before twice."""
    body = "\n".join(f"  let f{i} (x: i32) = f{i - 1} (f{i - 1} x + {i})" for i in range(1, n))
    return f"entry main (a: i32) =\n  let f0 (x: i32) = x + a\n{body}\n  in f{n - 1} a"


# ---- nesting -----------------------------------------------------------------------------------
def nested_lambdas(n):
    """Lambdas applied at once, in one another."""
    return ("entry main (x0: i32) : i32 = " + "".join(f"(\\x{i + 1} -> x{i} + " for i in range(n))
            + f"x{n}" + "".join(f") x{n - i - 1}" for i in range(n)))


def loop_nest(n):
    """Loops in loops, with four parameters each."""
    heads = "".join(f"loop (a, b, c, d) = (a, b, c, d) for i{i} < 2 do " for i in range(n))
    return f"entry main (a: i32) (b: i32) (c: i32) (d: i32) = {heads}(b, c, d, a + b)"


def if_tree(n):
    """A balanced tree of ifs."""
    def tree(lo, hi):
        m = (lo + hi) // 2
        return str(lo) if hi - lo <= 1 else f"(if x < {m} then {tree(lo, m)} else {tree(m, hi)})"
    return f"entry main (x: i32) : i32 = {tree(0, n)}"


# ---- many of one kind --------------------------------------------------------------------------
def opens(n):
    """Modules opened one after the other."""
    return ("\n".join(f"module m{i} = {{ def x{i} = {i}i32 }}\nopen m{i}" for i in range(n))
            + "\nentry main (y: i32) = y + " + " + ".join(f"x{i}" for i in range(n)))


def includes(n):
    """A module type that includes n others."""
    out = [f"module type s{i} = {{ type t{i} val x{i} : t{i} }}" for i in range(n)]
    return "\n".join(out + ["module type s = {"] + [f"  include s{i}" for i in range(n)]
                     + ["}", "module f (A: s) = { def y = A.x0 }", "entry main (x: i32) = x"])


def ascriptions(n):
    """n modules with the same module type."""
    out = ["module type s = { type t val f : t -> t val z : t }"]
    out += [f"module m{i} : s with t = i32 = {{ type t = i32 def f (x: i32) = x + {i} def z = {i}i32 }}"
            for i in range(n)]
    return "\n".join(out + ["entry main (x: i32) = " + " + ".join(f"m{i}.f x" for i in range(n))])


def imports(n):
    """n files."""
    files = {f"f{i}.fut": f"def g{i} (x: i32) = x + {i}" for i in range(n)}
    return files | {"p.fut": "\n".join(f'import "f{i}"' for i in range(n))
                    + "\nentry main (x: i32) = " + " + ".join(f"g{i} x" for i in range(n))}


def abbreviations(n):
    """Type abbreviations, each of the one before."""
    out = ["type t0 'a = (a, i32)"] + [f"type t{i} 'a = t{i - 1} a" for i in range(1, n)]
    return "\n".join(out + [f"entry main (x: t{n - 1} i32) : i32 = x.0 + x.1"])


def instances(n):
    """One polymorphic function at n types."""
    body = "\n".join(f"  let y{i} = id {{a{i} = x, b = {i}i64}}" for i in range(n))
    total = " + ".join(f"y{i}.a{i}" for i in range(n))
    return f"def id 'a (x: a) = x\nentry main (x: i32) =\n{body}\n  in {total}"


def steps(n):
    """A pipeline of n scalar functions."""
    return ("def f (k: i32) (x: i32) = x * k + 1\nentry main (x: i32) = x"
            + "".join(f"\n  |> f {i}" for i in range(n)))


def ifs(n):
    """ifs one after the other."""
    body = "\n".join(f"  let x{i + 1} = if x{i} % {i + 2} == 0 then x{i} / {i + 2} else x{i} * 3 + y"
                     for i in range(n))
    return f"entry main (x0: i32) (y: i32) : i32 =\n{body}\n  in x{n}"


def withs(n):
    """Updates of one array."""
    body = "\n".join(f"  let a = a with [{i % 50}] = a[{(i * 7) % 50}] + {i}" for i in range(n))
    return f"entry main (a: *[50]i32) =\n{body}\n  in a"


def scatters(n):
    """Scatters into one array."""
    body = "\n".join(f"  let a = scatter a (map (+{i}) is) (map (*{i}) vs)" for i in range(n))
    return f"entry main [n] [k] (a: *[n]i32) (is: [k]i64) (vs: [k]i32) =\n{body}\n  in a"


def wide_loop(n):
    """A loop with n parameters that go round."""
    names = ", ".join(f"a{i}" for i in range(n))
    return (f"entry main (x: i32) (k: i32) = let ({names}) = loop ({names}) = "
            f"({', '.join(f'x + {i}' for i in range(n))}) for i < k do "
            f"({', '.join(f'a{(i + 1) % n} + {i}' for i in range(n))}) in a0 + a1")


def documented(n):
    """n functions with comments."""
    return "\n".join(f"-- | What f{i} is.\n-- More of it.\ndef f{i} (x: i32) = x + {i}"
                     for i in range(n)) + "\nentry main (x: i32) = f0 x"


def gradients(n):
    """n derivatives of one function."""
    return ("def f (a: f64) (x: f64) = f64.sin (x * a) * f64.exp x\nentry main (x: f64) = "
            + " + ".join(f"vjp (f {i}) x 1" for i in range(n)))


def gradient_withs(n):
    """The derivative of updates of one array."""
    body = "\n".join(f"  let a = a with [{i % 50}] = a[{(i * 7) % 50}] * a[{(i * 3) % 50}]"
                     for i in range(n))
    return (f"def f (a: [50]f64) = let a = copy a\n{body}\n  in f64.sum a\n"
            "entry main (a: [50]f64) = vjp f a 1")


def gradient_nest(n):
    """The derivative of loops in loops."""
    heads = "".join(f"loop a for i{i} < 2 do " for i in range(n))
    return f"def f (a: f64) = {heads}f64.sin a\nentry main (a: f64) = vjp f a 1"


def second(n):
    """The second derivative of a chain of n lets, reverse over reverse."""
    body = "\n".join(f"  let x{i + 1} = f64.sin x{i} * x{i} + {i % 7}" for i in range(n))
    return (f"def f (x0: f64) : f64 =\n{body}\n  in x{n}\n"
            "entry main (x: f64) = vjp (\\x -> vjp f x 1) x 1")


def hessian(n):
    """The same, forward over reverse."""
    return second(n).replace("main (x: f64) = vjp", "main (x: f64) = jvp")


# name: (generator, factor on the sizes: what costs much per unit is measured smaller)
FAMILIES = {f.__name__: (f, scale) for f, scale in [
    (ordinary, 1), (lets, 1), (arrays, .1), (calls, .02), (higher, .02), (pairs, .012),
    (parens, .02), (branches, .05), (operators, .3), (modules, .02), (functors, .05),
    (sizes, .03), (zips, .03), (literal, 1), (suffixed, 1), (nested, 1), (constructors, .1),
    (patterns, .05), (records, .1), (loops, .1), (gradient, .1),
    (gradient_calls, .02), (gradient_recursive, .1), (pipeline, .05), (twice, .02),
    (reductions, .03), (filters, .02), (alive, .03), (constants, .03), (parameters, .02),
    (entries, .03), (functions, .1), (results, .03), (type_parameters, .02),
    (specifications, .05), (gradient_maps, .004), (gradient_loops, .02),
    (gradient_branches, .01),
    (columns, .05), (diamonds, .02), (import_diamonds, .01), (functor_twice, .004),
    (squared_sizes, .004), (doubled_sizes, .004), (product_sizes, .004), (closures, .004),
    (passed_on, .004), (twice_map, .004), (local_functions, .004),
    (nested_lambdas, .004), (loop_nest, .004), (if_tree, .1), (opens, .05), (includes, .02),
    (ascriptions, .05), (imports, .02), (abbreviations, .1), (instances, .05), (steps, .1),
    (ifs, .05), (withs, .05), (scatters, .02), (wide_loop, .02), (documented, .1),
    (gradients, .02), (gradient_withs, .02), (gradient_nest, .001), (second, .01),
    (hessian, .01)]}
