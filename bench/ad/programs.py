"""Derivatives of any size, for growth.py: how their texts are put together, and families that grow as
programs of users do: parameters and layers of networks, unknowns and equations, steps, entry points."""


def function(params, body, rest=""):
    return f"def f {params} =\n  {body}\n{rest}"


def each(n, text, sep=", "):
    """the text for 0 .. n - 1; {j} is the next of a ring, {h} another, {m} one of 20"""
    return sep.join(text.format(i=i, j=(i + 1) % n, h=(i * 7 + 1) % n, m=i % 20) for i in range(n))


def lets(n, line):
    return "".join("let " + line.format(i=i, j=i + 1, h=i // 2, m=i % 20) + "\n  " for i in range(n))


SCALAR = "entry main (n: i64) (x: f64) = vjp (f n) x 1"
ARRAY = "entry main [n] (x: [n]f64) (s: [n]f64) = vjp f x s"
TO_SCALAR = "entry main [n] (x: [n]f64) = vjp f x 1"


def arrays(n, line):
    """a let for each, from array to array"""
    return function("[n] (x0: [n]f64) : [n]f64", lets(n, line) + f"in x{n}", ARRAY)


# ---- networks and models -----------------------------------------------------------------------
def network(n):
    """layers, each of its own weights and biases"""
    n = max(2, n // 4)
    body = lets(n, "x{j} = map2 (\\r b -> f64.tanh (b + f64.sum (map2 (*) r x{i}))) w{i} b{i}")
    names, types = each(n, "w{i}, b{i}"), each(n, "[d][d]f64, [d]f64")
    return (function(f"[d] (x0: [d]f64) (({names}): ({types})) : f64", body + f"in f64.sum x{n}")
            + f"entry main [d] (x: [d]f64) {each(n, '(w{i}: [d][d]f64) (b{i}: [d]f64)', ' ')} = "
            f"vjp (f x) ({names}) 1")


def batch(n):
    """the same in a map over a batch"""
    n = max(2, n // 4)
    body = lets(n, "x{j} = map (\\r -> f64.tanh (f64.sum (map2 (*) r x{i}))) w{i}")
    names, types = each(n, "w{i}"), each(n, "[d][d]f64")
    return (f"def f [d] [m] (xs: [m][d]f64) (({names}): ({types})) : f64 = f64.sum (map (\\x0 ->\n"
            f"  {body}in f64.sum x{n}) xs)\n"
            f"entry main [d] [m] (xs: [m][d]f64) {each(n, '(w{i}: [d][d]f64)', ' ')} = vjp (f xs) ({names}) 1")


def equations(n):
    """steps of n unknowns, each of a few others"""
    names = each(n, "y{i}")
    steps = each(n, "y{i} + 0.01 * (p[{m}] * y{j} - y{i} * f64.exp y{h})")
    return function("(p: [20]f64) (x: f64) : f64",
                    f"let ({names}) = loop ({names}) = ({each(n, 'x * {i}.5')}) for _i < 100 do ({steps})\n"
                    f"  in {each(n, 'y{i}', ' + ')}", "entry main (p: [20]f64) (x: f64) = vjp (\\q -> f q x) p 1")


def vectors(n):
    """records of three, through functions"""
    return ("type v = {x: f64, y: f64, z: f64}\n"
            "def add (a: v) (b: v) : v = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}\n"
            "def cross (a: v) (b: v) : v = {x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z,\n"
            "                               z = a.x * b.y - a.y * b.x}\n"
            "def scale (k: f64) (a: v) : v = {x = k * a.x, y = k * a.y, z = k * a.z}\n"
            + function("(w: v) (v0: v) : f64",
                       lets(n, "v{j} = add (cross w v{i}) (scale (v{i}.x * 0.5) (cross v{h} v{i}))")
                       + f"in v{n}.x + v{n}.y * v{n}.z", "entry main (w: v) (v: v) = vjp (f w) v 1"))


def sum_types(n):
    """values of a sum type, made and matched"""
    return ("type t = #a f64 | #b f64 f64 | #c\n"
            "def step (t: t) : f64 = match t case #a x -> f64.sin x case #b x y -> x * y case #c -> 1\n"
            + function("(_n: i64) (x0: f64) : f64",
                       lets(n, "x{j} = step (if x{i} > {i} then #a x{i} else if x{i} > 1 then #b x{i} {i} else #c)")
                       + f"in x{n}", SCALAR))


def not_inlined(n):
    """functions that stay functions"""
    fns = "".join(f"#[noinline] def g{i} [k] (x: [k]f64) : [k]f64 = map (\\y -> f64.sin y * {i}.5) "
                  + (f"(g{i - 1} x)\n" if i else "x\n") for i in range(n))
    return f"{fns}def f [n] (x: [n]f64) : f64 = f64.sum (g{n - 1} x)\n{TO_SCALAR}"


def shared_entries(n):
    """entry points, derivatives of one function"""
    return ("def f [n] (c: f64) (x: [n]f64) : f64 =\n  let y = scan (+) 0 (map (* c) x)\n"
            "  let z = loop y for _i < 3 do map f64.sin y\n  in f64.sum (map2 (*) y z)\n"
            + "".join(f"entry m{i} [n] (x: [n]f64) = vjp (f {i}) x 1\n" for i in range(n)))


def constants(n):
    """constant arrays of forty"""
    forty = ", ".join(f"{k}.5" for k in range(40))
    return (each(n, f"def c{{i}} : [40]f64 = [{forty}]", "\n") + "\n"
            + function("(x: [40]f64) : f64", each(n, "f64.sum (map2 (*) c{i} (map f64.sin x))", " + "),
                       "entry main (x: [40]f64) = vjp f x 1"))


# ---- arrays --------------------------------------------------------------------------------------
def recurrences(n):
    """linear recurrences by scans"""
    return arrays(n, "x{j} = map (.0) (scan (\\(a, b) (c, d) -> (a * c + d, b * d)) (0, 1) "
                     "(map (\\y -> (f64.sin y, y)) x{i}))")


def stencils(n):
    """stencils in a row"""
    return arrays(n, "x{j} = tabulate n (\\i -> x{i}[i64.max 0 (i - 1)] + f64.sin x{i}[i] "
                     "+ x{i}[i64.min (n - 1) (i + 1)])")


def slices(n):
    """slices of one array"""
    return function(f"(x: [{8 * n}]f64) : f64",
                    " + ".join(f"f64.product (map f64.sin x[{8 * i}:{8 * i + 8}])" for i in range(n)),
                    f"entry main (x: [{8 * n}]f64) = vjp f x 1")


def partitions(n):
    """parts of arrays, in turns"""
    return function("[n] (x0: [n]f64) : f64",
                    lets(n, "(a{i}, b{i}) = partition (> {i}) x{i}\n"
                            "  let x{j} = map f64.sin (if length a{i} > 3 then a{i} else b{i})")
                    + f"in f64.sum x{n}", TO_SCALAR)


def while_arrays(n):
    """while loops over arrays"""
    return arrays(n, "x{j} = loop x = x{i} while f64.sum x < {j} do map (* 1.5) x")


def many_updates(n):
    """a loop that updates each of its arrays"""
    n = max(2, n // 2)
    names = each(n, "x{i}")
    return function("[n] (x: [n]f64) : f64",
                    f"let ({names}) = loop ({names}) = ({each(n, 'map (* {i}.5) x')}) for i < n do "
                    f"({each(n, 'x{i} with [i] = f64.sin x{i}[i] * x[i]')})\n  in {each(n, 'f64.sum x{i}', ' + ')}",
                    TO_SCALAR)


def loop_of_maps(n):
    """a loop with maps in a row"""
    return function("[n] (x: [n]f64) : [n]f64", "loop x0 = x for _i < n do\n  "
                    + lets(n, "x{j} = map2 (\\a b -> f64.sin a * b) x{i} x{h}") + f"in x{n}", ARRAY)


def bounded_loops(n):
    """loops in a row, their memory bounded"""
    return function("(n: i64) (x0: f64) : f64",
                    lets(n, "x{j} = #[checkpoint(4)] loop y = x{i} for _j < n do\n    let a = f64.sin y * y "
                            "let b = f64.cos a * y let c = f64.exp a * b + y in f64.sin c * b + a * c")
                    + f"in x{n}", SCALAR)


# ---- derivatives of derivatives ------------------------------------------------------------------
def twice(text):
    return text.replace("vjp f x s", "vjp (\\y -> vjp f y s) x s")


def second_scans(n):
    """second derivatives of scans with any operator"""
    return twice(arrays(n, "x{j} = scan (\\a b -> a * b + a + b) 0 x{i}"))


def hessian_maps(n):
    """forward over reverse of maps in a row"""
    return arrays(n, "x{j} = map (\\y -> f64.sin y * y) x{i}").replace("vjp f x s", "jvp (\\y -> vjp f y s) x s")


def third_maps(n):
    """third derivatives of maps in a row"""
    n = max(1, n // 4)
    return arrays(n, "x{j} = map (\\y -> f64.sin y * y) x{i}").replace(
        "vjp f x s", "vjp (\\y -> vjp (\\z -> vjp f z s) y s) x s")


# ---- in depth ------------------------------------------------------------------------------------
def nested_bodies(n):
    """loops in loops, statements before and after each"""
    n, text = max(1, n // 10), "y * 1.5"
    for i in reversed(range(n)):
        text = f"let y = f64.sin y * y let y = loop y for _i{i} < n do {text} in f64.cos y * y"
    return function("(n: i64) (y: f64) : f64", text, SCALAR)


def nested_reads(n):
    """sums in sums, an array for each"""
    n = max(2, n // 20)
    text = f"f64.sin ({each(n, 'a{i}', ' * ')})"
    for i in reversed(range(n)):
        text = f"f64.sum (map (\\a{i} -> {text}) x{i})"
    return (function(f"[n] (({each(n, 'x{i}')}): ({each(n, '[n]f64')})) : f64", text)
            + f"entry main [n] {each(n, '(x{i}: [n]f64)', ' ')} = vjp f ({each(n, 'x{i}')}) 1")


USERS = [network, batch, equations, vectors, sum_types, not_inlined, shared_entries, constants, recurrences,
         stencils, slices, partitions, while_arrays, many_updates, loop_of_maps, bounded_loops, second_scans,
         hessian_maps, third_maps, nested_bodies, nested_reads]
